// A turn of Fugitive while it is put together.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "../../../web/js/package.mjs";

const turns = await load("games/fugitive/web/turn.js");
const sprints = [
  { card: 5, worth: 1, action: "sprint 5" },
  { card: 6, worth: 2, action: "sprint 6" },
];
const hide = (card, need, more = {}) => ({ kind: "hide", picks: [card], action: `hide ${card}`, finish: "done", need, keep: null, sprints, ...more });
const name = (number, finish = "ask") => ({ kind: "name", picks: [number], action: `name ${number}`, finish });
const HIDING = turns.sorted([hide("7", 0), hide("9", 2), { kind: "pass", picks: [], action: "pass" }]);
const GUESSING = turns.sorted([name("3"), name("8"), { kind: "ask", picks: [], action: "ask" }]);
const draft = (hideout, ...cards) => ({ hideout, cards: new Set(cards) });

test("offers are sorted by kind and by what is picked", () => {
  assert.deepEqual([...HIDING.hide.keys()], ["7", "9"]);
  assert.equal(HIDING.pass.action, "pass");
  assert.equal(HIDING.ask, null);
  assert.deepEqual([...GUESSING.name.keys()], ["3", "8"]);
  assert.equal(turns.sorted([{ kind: "draw", picks: ["low"] }]).draw.size, 1);
});

test("first the hideout, then sprint cards in and out, then the hideout back", () => {
  let made = turns.emptyDraft();
  made = turns.pickCard(made, HIDING, "5");
  assert.deepEqual(made, draft(null));
  made = turns.pickCard(made, HIDING, "9");
  assert.deepEqual(made, draft("9"));
  made = turns.pickCard(made, HIDING, "6");
  assert.deepEqual(made, draft("9", "6"));
  made = turns.pickCard(made, HIDING, "33");
  assert.deepEqual(made, draft("9", "6"));
  made = turns.pickCard(made, HIDING, "6");
  assert.deepEqual(made, draft("9"));
  assert.deepEqual(turns.pickCard(made, HIDING, "9"), draft(null));
});

test("numbers go in and out of a guess; in the manhunt there is only one", () => {
  let made = turns.pickNumber(turns.emptyDraft(), GUESSING, "8");
  made = turns.pickNumber(made, GUESSING, "3");
  assert.deepEqual([...made.cards], ["8", "3"]);
  assert.deepEqual([...turns.pickNumber(made, GUESSING, "8").cards], ["3"]);
  assert.equal(turns.pickNumber(made, GUESSING, "4"), made);
  const hunt = turns.sorted([name("3", null), name("8", null)]);
  const one = turns.pickNumber(draft(null, "3"), hunt, "8");
  assert.deepEqual([...one.cards], ["8"]);
  assert.deepEqual([...turns.pickNumber(one, hunt, "8").cards], []);
});

test("a placement is paid when its sprint cards are worth enough", () => {
  assert.deepEqual(turns.payment(draft("9"), HIDING), { worth: 0, need: 2, paid: false, leaves: true, enough: false });
  assert.deepEqual(turns.payment(draft("9", "6"), HIDING), { worth: 2, need: 2, paid: true, leaves: true, enough: true });
  assert.deepEqual(turns.payment(draft("9", "5", "6"), HIDING).worth, 3);
  assert.equal(turns.payment(draft("7"), HIDING).enough, true);
});

test("an opening must leave a second hideout", () => {
  const opening = turns.sorted([hide("9", 1, { keep: [{ card: 6, most: 1 }] })]);
  assert.equal(turns.payment(draft("9", "5"), opening).enough, true);
  assert.deepEqual(turns.payment(draft("9", "6"), opening), { worth: 2, need: 1, paid: true, leaves: false, enough: false });
  const two = turns.sorted([hide("9", 1, { keep: [{ card: 6, most: 1 }, { card: 8, most: 2 }] })]);
  assert.equal(turns.payment(draft("9", "6"), two).leaves, true);
  const dear = turns.sorted([hide("9", 1, { keep: [{ card: 8, most: 1 }] })]);
  assert.equal(turns.payment(draft("9", "5"), dear).leaves, true);
  assert.equal(turns.payment(draft("9", "5", "6"), dear).leaves, false);
});

test("a turn is sent as steps", () => {
  assert.deepEqual(turns.stepsOfPlacement(draft("9", "6", "5"), HIDING), ["hide 9", "sprint 5", "sprint 6", "done"]);
  assert.deepEqual(turns.stepsOfGuess(draft(null, "8", "3"), GUESSING), ["name 3", "name 8", "ask"]);
  assert.deepEqual(turns.stepsOfGuess(draft(null, "8"), turns.sorted([name("8", null)])), ["name 8"]);
  assert.deepEqual(turns.stepsOfGuess(turns.emptyDraft(), GUESSING), []);
});

test("advice becomes a draft", () => {
  assert.deepEqual(turns.draftOf(["hide 9", "sprint 6", "done"], HIDING), draft("9", "6"));
  assert.deepEqual(turns.draftOf(["name 8", "ask"], GUESSING), draft(null, "8"));
  assert.equal(turns.draftOf(["pass"], HIDING), null);
});

test("steps go out one by one, when they are offered", () => {
  const sending = new turns.Sending();
  const offers = [{ action: "hide 9" }];
  assert.equal(sending.busy, false);
  assert.equal(sending.begin(["hide 9", "sprint 6", "done"], offers), "hide 9");
  assert.equal(sending.busy, true);
  assert.equal(sending.next([]), null);
  assert.equal(sending.next([{ action: "sprint 5" }, { action: "sprint 6" }]), "sprint 6");
  assert.equal(sending.next([{ action: "done" }]), "done");
  assert.equal(sending.busy, true);
  assert.equal(sending.next([{ action: "pass" }]), null);
  assert.equal(sending.busy, false);
});

test("the same offers again mean that a step was refused", () => {
  const sending = new turns.Sending();
  const offers = [{ action: "hide 9" }, { action: "sprint 6" }];
  sending.begin(["hide 9", "sprint 6"], offers);
  assert.equal(sending.next(offers), null);
  assert.equal(sending.busy, false);
});

test("nothing is sent that is not offered, or after a stop", () => {
  const sending = new turns.Sending();
  sending.begin(["hide 9", "sprint 6"], []);
  assert.equal(sending.next([{ action: "pass" }]), null);
  assert.equal(sending.busy, false);
  sending.begin(["hide 9", "sprint 6"], []);
  sending.stop();
  assert.equal(sending.busy, false);
  assert.equal(sending.next([{ action: "sprint 6" }]), null);
});

test("of a judged move the numbers are marked that the better one does not name", () => {
  assert.deepEqual(turns.judgedNumbers({ worse: "hide:14 sprint:19 done", better: "hide:15 sprint:19 done" }), [["14"], ["15"]]);
  assert.deepEqual(turns.judgedNumbers({ worse: "name:7 name:10 ask", better: "name:39 ask" }), [["7", "10"], ["39"]]);
  assert.deepEqual(turns.judgedNumbers({ worse: "hide:14 done", better: "pass" }), [["14"], []]);
  assert.deepEqual(turns.judgedNumbers(undefined), [[], []]);
});
