// From clicks on nodes to one of the offered moves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./package.mjs";

const { branchOf, endingOn, pieceAt, unique } = await load("web/js/picking.js");
const OFFERS = [
  { piece: "red", picks: ["1", "2"], to: "2", action: "r2" },
  { piece: "blue", picks: ["5", "2"], to: "2", action: "b2" },
  { piece: "blue", picks: ["5", "6"], to: "6", action: "b6" },
  { piece: "green", picks: ["9"], to: "9", action: "g" },
  { picks: ["7", "8"], to: "8", action: "8" },
];

test("the piece on a node, if it has somewhere to go", () => {
  assert.equal(pieceAt(OFFERS, "5"), "blue");
  assert.equal(pieceAt(OFFERS, "2"), null);
  assert.equal(pieceAt(OFFERS, "9"), null);
  assert.equal(pieceAt(OFFERS, "7"), null);
});

test("the offers that end on a node, of all pieces or of one", () => {
  assert.deepEqual(endingOn(OFFERS, "2").map((offer) => offer.action), ["r2", "b2"]);
  assert.deepEqual(endingOn(OFFERS, "2", "blue").map((offer) => offer.action), ["b2"]);
  assert.deepEqual(endingOn(OFFERS, "6", "red"), []);
});

test("a joint move is a way through a tree", () => {
  const tree = { 1: { 2: "a", 3: "b" } };
  assert.equal(branchOf(tree, []), tree);
  assert.deepEqual(branchOf(tree, ["1"]), { 2: "a", 3: "b" });
  assert.equal(branchOf(tree, ["1", "3"]), "b");
});

test("each value once, in order", () => {
  assert.deepEqual(unique(["b", "a", "b"]), ["b", "a"]);
});
