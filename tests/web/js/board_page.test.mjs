// Any hunt on a board: offers become moves, and what is known belongs to the moment that is shown.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { FakeBoard, FakeServer, installPage, settled } from "./fake_page.mjs";
import { load } from "./package.mjs";

const { listeners } = installPage();
const { create } = await load("web/js/board_page.js");
const scene = (more = {}) => ({ turn: "pursuers", hidden: true, outcome: null, marks: { pieces: [] }, ...more });
const OFFERS = [
  { action: "r2", piece: "red", picks: ["1", "2"], to: "2", words: "red to 2" },
  { action: "b2", piece: "blue", picks: ["5", "2"], to: "2", words: "blue to 2" },
  { action: "b6", piece: "blue", picks: ["5", "6"], to: "6", words: "blue to 6" },
];
const BELIEF = { belief: { 3: 0.75, 4: 0.25 }, candidates: ["3", "4"], words: "two places" };
let page, board, server;

beforeEach(() => {
  [board, server] = [new FakeBoard(), new FakeServer()];
  page = create({ stage: null, side: null, context: server.context(board, { seat: "pursuers" }) });
});

test("what can be known is asked in every moment and shown in that moment alone", async () => {
  page.show(scene());
  await server.answer("belief", BELIEF);
  assert.deepEqual(board.shown.belief, BELIEF.belief);
  page.show(scene());
  page.show(scene());
  assert.equal(server.asked.length, 1);
  await server.answer("belief", { belief: { 9: 0.5, 8: 0.5 }, candidates: ["9", "8"], words: "stale" });
  assert.equal(page.words.textContent, "two places");
  await server.answer("belief", { belief: { 1: 0.5, 2: 0.5 }, candidates: ["1", "2"], words: "even" });
  assert.deepEqual(board.shown.candidates, ["1", "2"]);
  assert.equal(page.words.textContent, "even");
});

test("nothing is asked where nothing is hidden, or when it is over", async () => {
  page.show(scene({ marks: { pieces: [{ kind: "quarry", at: "3" }] } }));
  page.show(scene({ outcome: { words: "caught" } }));
  await settled();
  assert.deepEqual(server.asked, []);
  assert.equal(page.words.textContent, "The game is over.");
});

test("a hint is for the moment in which it was asked", async () => {
  page.show(scene(), { offers: OFFERS, acting: true });
  page.askHint();
  await server.answer("hint", { words: "go", action: "b6", arrows: [["5", "6"]] });
  assert.deepEqual(board.shown.arrows, [["5", "6"]]);
  page.askHint();
  page.show(scene(), { offers: OFFERS, acting: true });
  await server.answer("hint", { words: "stale", action: "b6", arrows: [["5", "6"]] });
  assert.deepEqual(board.shown.arrows, []);
  assert.equal(page.hint, null);
});

test("a node that one offer ends on is a move, a piece is chosen first where there are two", async () => {
  page.show(scene(), { offers: OFFERS, acting: true });
  assert.deepEqual(board.shown.offers, ["2", "6"]);
  await page.pick("6", true);
  assert.deepEqual(server.moves, ["b6"]);
  await page.pick("1", false);
  assert.equal(page.piece, "red");
  await page.pick("2", true);
  assert.deepEqual(server.moves, ["b6", "r2"]);
  page.back();
  assert.equal(page.piece, null);
});

test("clicks on the board are picks, and Escape goes back", async () => {
  page.show(scene(), { offers: OFFERS, acting: true });
  await board.pick("5", false);
  assert.equal(page.piece, "blue");
  listeners.get("keydown")({ key: "a" });
  assert.equal(page.piece, "blue");
  listeners.get("keydown")({ key: "Escape" });
  assert.equal(page.piece, null);
  await board.pick("6", true);
  assert.deepEqual(server.moves, ["b6"]);
});

test("a hint can be played where it is one's turn and it has a move", () => {
  page.show(scene(), { offers: OFFERS, acting: true });
  page.takeHint({ words: "go", action: "b6", arrows: [] });
  page.playHint().click();
  assert.deepEqual(server.moves, ["b6"]);
  page.takeHint({ words: "wait", action: null, arrows: [] });
  assert.equal(page.playHint(), null);
  page.acting = false;
  page.takeHint({ words: "go", action: "b6", arrows: [] });
  assert.equal(page.playHint(), null);
});

test("nothing is offered when it is not one's turn", () => {
  page.show(scene(), { offers: OFFERS, acting: false });
  assert.deepEqual(board.shown.offers, []);
  assert.deepEqual(page.choices, []);
});

test("a page that is gone shows nothing more", async () => {
  page.show(scene());
  page.destroy();
  assert.equal(board.isGone, true);
  assert.equal(listeners.has("keydown"), false);
  await server.answer("belief", BELIEF);
  assert.notDeepEqual(board.shown.belief, BELIEF.belief);
});
