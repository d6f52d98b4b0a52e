// Moments on a board, and moves by finger: shown first, made by the second tap.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FakeBoard, FakeServer, installPage } from "./fake_page.mjs";
import { load } from "./package.mjs";

installPage();
const { momentsOf, pieceOfPlace } = await load("web/js/board_moments.js");
const { create } = await load("web/js/board_page.js");
const { growthOf, leastGap } = await load("web/js/board_ground.js");
const { BoardWindow } = await load("web/js/board_window.js");

test("a sighting and a capture are moments, and the first scene is none", () => {
  const hidden = { marks: { pieces: [] } };
  const seen = { marks: { pieces: [], lastSeen: { at: "5", words: "round 3" } } };
  const again = { marks: { pieces: [], lastSeen: { at: "5", words: "round 8" } } };
  const caught = { marks: { pieces: [{ kind: "quarry", at: "9" }] }, outcome: { how: "capture" } };
  assert.deepEqual(momentsOf(null, seen), []);
  assert.deepEqual(momentsOf(hidden, seen), [{ kind: "seen", at: "5" }]);
  assert.deepEqual(momentsOf(seen, again), [{ kind: "seen", at: "5" }]);
  assert.deepEqual(momentsOf(seen, { ...seen }), []);
  assert.deepEqual(momentsOf(hidden, caught), [{ kind: "caught", at: "9" }]);
  assert.deepEqual(momentsOf(caught, { ...caught }), []);
  assert.equal(pieceOfPlace("pursuers/2"), "pursuer-2");
});

test("the first tap shows a move, the second makes it, a tap elsewhere forgets it", async () => {
  const [board, server] = [new FakeBoard(), new FakeServer()];
  board.preview = (move) => (board.shown.preview = move);
  const page = create({ stage: null, side: null, context: server.context(board) });
  const scene = { turn: "evader", hidden: false, outcome: null, marks: { pieces: [] } };
  const offers = [{ action: "a", picks: ["1", "2"], to: "2", words: "to 2" }, { action: "b", picks: ["1", "3"], to: "3", words: "to 3" }];
  page.show(scene, { offers, acting: true });
  await board.pick("2", true, true);
  assert.deepEqual(server.moves, []);
  assert.equal(board.shown.preview.words, "To 2");
  assert.deepEqual(board.shown.arrows, [["1", "2"]]);
  await board.pick("3", true, true);
  assert.equal(board.shown.preview.words, "To 3");
  await board.pick("7", false, true);
  assert.equal(board.shown.preview, null);
  await board.pick("2", true, true);
  await board.pick("2", true, true);
  assert.deepEqual(server.moves, ["a"]);
  page.show(scene, { offers, acting: true });
  await board.pick("3", true, true);
  board.shown.preview.go();
  assert.deepEqual(server.moves, ["a", "b"]);
  await board.pick("3", true, false);
  assert.deepEqual(server.moves, ["a", "b", "b"]);
});

test("without help nothing is asked and no hint is offered", () => {
  const [board, server] = [new FakeBoard(), new FakeServer()];
  const page = create({ stage: null, side: null, context: server.context(board, { help: "none" }) });
  page.show({ turn: "evader", hidden: true, outcome: null, marks: { pieces: [] } }, { offers: [{ action: "a", picks: ["2"], to: "2", words: "to 2" }], acting: true });
  assert.deepEqual(server.asked, []);
  assert.deepEqual(page.controls(), []);
});

test("fingers get room: what is near becomes far enough, and the piece itself stays in sight", () => {
  assert.equal(leastGap([{ x: 0, y: 0 }, { x: 30, y: 40 }, { x: 100, y: 0 }]), 50);
  const element = { getBoundingClientRect: () => ({ width: 400, height: 400 }) };
  const window = new BoardWindow(element, { x: 0, y: 0, w: 1000, h: 1000 }, () => {});
  const piece = { x: 120, y: 500 };
  window.fit({ x: 100, y: 100, w: 800, h: 800 }, { apart: 44, gap: 40, about: piece });
  const { w } = window.shown;
  assert.ok((40 * 400) / w >= 43.9);
  const at = window.pixelOf(piece);
  assert.ok(at.x > 0 && at.x < 400 && at.y > 0 && at.y < 400);
});

test("discs grow on a small screen until they can be read, and never into each other", () => {
  const row = (gap) => Array.from({ length: 20 }, (_, i) => ({ x: gap * i, y: 0 }));
  const wide = row(60);
  assert.equal(growthOf(wide, 16), 1);
  assert.equal(growthOf(wide, 16, 2000), 1);
  const shown = 16 * growthOf(wide, 16, 500) * (500 / (19 * 60 + 5.2 * 16));
  assert.ok(Math.abs(shown - 10) < 1e-9, `a disc has a radius of ${shown} pixels`);
  assert.equal(growthOf(wide, 16, 100), 30 / 16);
});
