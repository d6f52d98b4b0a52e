// A team's turn before it is final, and what the line about the turn says.

import assert from "node:assert/strict";
import { test } from "node:test";

import { installPage } from "./fake_page.mjs";
import { load } from "./package.mjs";

const { element } = installPage();
const { draftState, drawDraft, ownOffers } = await load("web/js/play_draft.js");
const { turnWords } = await load("web/js/play_turn.js");
const { seatToShow } = await load("web/js/play_curtain.js");
const names = { 1: "Anna", 2: "Ben", 3: "Cleo" };
const nameOf = (id) => names[id];
const OFFERS = [{ action: "a", place: "pursuers/0" }, { action: "b", place: "pursuers/1" }];
const MOVE = { place: "pursuers/0", person: 2, action: "a", words: "red to 5", picks: ["4", "5"] };
const of = (draft, me = 2) => draftState({ moves: [MOVE], confirmed: [], needed: [2, 3], open: [], ...draft }, { me, nameOf });

test("everybody is offered the moves of their own pieces", () => {
  assert.deepEqual(ownOffers(OFFERS, ["pursuers/1"]), [OFFERS[1]]);
  assert.deepEqual(ownOffers(OFFERS, null), OFFERS);
  assert.deepEqual(ownOffers([{ action: "c" }], ["pursuers/1"]), [{ action: "c" }]);
});

test("it says what the turn waits for, and confirms when all have moved", () => {
  assert.equal(draftState(null, {}), null);
  assert.deepEqual(of({ moves: [], open: [2, 3] }), { isMine: true, mayConfirm: false, hasConfirmed: false, words: "Your turn" });
  assert.equal(of({ open: [2] }).words, "Your turn: move or undo");
  const waiting = of({ open: [3] });
  assert.deepEqual([waiting.isMine, waiting.mayConfirm, waiting.words], [false, false, "Waiting for Cleo to move"]);
  assert.equal(of({ moves: [], needed: [3], open: [3] }).words, "Waiting for Cleo to move", "pieces may move in a fixed order");
  const ready = of({});
  assert.deepEqual([ready.isMine, ready.mayConfirm, ready.words], [true, true, "Confirm the turn"]);
  const confirmed = of({ confirmed: [2] });
  assert.deepEqual([confirmed.isMine, confirmed.hasConfirmed, confirmed.words], [false, true, "Waiting for Cleo to confirm"]);
});

test("drafted moves are undone and confirmed by buttons", () => {
  const host = element();
  const done = [];
  const act = { undo: (place) => done.push(`undo ${place}`), confirm: () => done.push("confirm"), unconfirm: () => done.push("unconfirm") };
  const draw = (draft, state) => drawDraft(host, { moves: [MOVE], confirmed: [], needed: [2, 3], ...draft }, state, { me: 2, nameOf, act });
  draw({}, of({}));
  host.withClass("undo")[0].click();
  host.withClass("confirm")[0].click();
  host.withClass("confirm")[0].click();
  assert.deepEqual(done, ["undo pursuers/0", "confirm"]);
  assert.match(host.textContent, /○ you○ Cleo/);
  draw({ confirmed: [2] }, of({ confirmed: [2] }));
  assert.equal(host.withClass("confirm").length, 0);
  draw({ moves: [] }, of({ moves: [], open: [2] }));
  assert.equal(host.children.length, 0);
});

test("the line says the most important thing first", () => {
  const room = { names: { evader: "Fox" }, called: { evader: "the Fox" }, seats: { evader: "person" } };
  const held = { seat: "pursuers", last: {}, turn: "evader", nPlies: 2 };
  const says = (more) => turnWords({ held, room, presence: {}, elapsed: 0, ...more }).words;
  assert.equal(says({ lost: "gone", yours: true }), "gone");
  assert.equal(says({ over: true, result: "You won" }), "You won");
  assert.equal(says({ watching: true, paused: true }), "Paused, 2 plies to come");
  assert.equal(says({ sent: "x", yours: true }), "Sending your move …");
  assert.equal(says({ yours: true }), "Your turn");
  assert.equal(says({ held: { ...held, go: {} } }), "Waiting for your team");
  const others = { ...room, called: { pursuers: "the hounds" }, names: { pursuers: "hounds" }, seats: { pursuers: "random" } };
  assert.match(says({ held: { ...held, last: { thinking: "pursuers" } }, room: others }), /^Hounds \(random\): thinking/);
  assert.match(says({ held: { ...held, last: { thinking: "pursuers" } }, room: { ...others, people: { pursuers: ["Ben"] } } }), /^Agents of the hounds: thinking/);
  assert.equal(says({ presence: { evader: false } }), "Waiting for the Fox: not connected");
});

test("on one screen a hidden game is covered whenever the other seat is to act", () => {
  const [a, b] = [{ seat: "evader" }, { seat: "pursuers" }];
  const newest = { ...a, turn: "pursuers", last: { scene: { hidden: true } } };
  const heldSeats = [a, b];
  assert.deepEqual(seatToShow({ heldSeats, shown: a, newest }), { shown: null, next: b });
  assert.deepEqual(seatToShow({ heldSeats, shown: b, newest }), { shown: b });
  assert.deepEqual(seatToShow({ heldSeats, shown: a, newest: { ...newest, last: { scene: { hidden: false } } } }), { shown: b });
  assert.deepEqual(seatToShow({ heldSeats, shown: null, newest, over: true }), { shown: newest });
});
