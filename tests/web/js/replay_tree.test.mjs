// The tree of variations and the shared review, as plain data.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./package.mjs";

const { Tree, addressOf, momentOf } = await load("web/js/replay_tree.js");
const { Review } = await load("web/js/replay_review.js");

const step = (first, ply, told) => ({ first, ply, told: { truth: told }, round: ply });
const HEAD = { last: 6, steps: [step(0, 1, "a"), step(1, 2, "b"), step(2, 4, "c d"), step(4, 5, "e"), step(5, 6, "f")] };
const KEPT = {
  mine: true,
  variations: [
    { number: 1, parent: 0, ply: 2, last: 5, actions: ["x", "y", "z"], steps: [step(2, 3, "x"), step(3, 5, "y z")] },
    { number: 2, parent: 1, ply: 3, last: 4, actions: ["v"], steps: [step(3, 4, "v")] },
    { number: 3, parent: 0, ply: 3, last: 4, actions: ["w"], steps: [step(3, 4, "w")] },
  ],
  comments: [
    { variation: 0, ply: 2, text: "here" },
    { variation: 1, ply: 3, text: "there" },
  ],
};
const tree = new Tree(HEAD, KEPT);

test("a moment belongs to the variation that leads to it", () => {
  assert.deepEqual(tree.home(2, 4), { variation: 2, ply: 4 });
  assert.deepEqual(tree.home(2, 3), { variation: 1, ply: 3 });
  assert.deepEqual(tree.home(2, 2), { variation: 0, ply: 2 });
  assert.equal(tree.mainPly(2, 4), 2);
  assert.equal(tree.mainPly(0, 4), 4);
  assert.equal(tree.mainPly(3, 2), 2);
});

test("turns and stops go through parents", () => {
  assert.deepEqual(tree.steps(2).map((each) => each.told.truth), ["a", "b", "x", "v"]);
  assert.deepEqual(tree.stops(0), [0, 1, 2, 4, 5, 6]);
  assert.deepEqual(tree.stops(1), [0, 1, 2, 3, 5]);
  assert.deepEqual(tree.stops(1, 4), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(tree.stops(1, 9), [0, 1, 2, 3, 5]);
  assert.deepEqual(tree.stops(3), [0, 1, 2, 4], "it leaves in the middle of a turn");
});

test("comments are those of the moment, whichever variation one came by", () => {
  assert.deepEqual(tree.said(2, 3).map((each) => each.text), ["there"]);
  assert.deepEqual(tree.said(1, 2).map((each) => each.text), ["here"]);
  assert.deepEqual(tree.said(2, 4), []);
});

test("a move that is there already is followed", () => {
  assert.deepEqual(tree.following(0, 2, "x"), { variation: 1, ply: 3 });
  assert.deepEqual(tree.following(1, 3, "y"), { variation: 1, ply: 4 });
  assert.deepEqual(tree.following(1, 3, "v"), { variation: 2, ply: 4 });
  assert.deepEqual(tree.following(2, 2, "x"), { variation: 1, ply: 3 });
  assert.equal(tree.following(1, 3, "q"), null);
});

test("an address that is out of date leads to what is left", () => {
  assert.deepEqual(tree.clamp(9, 3), { variation: 0, ply: 3 });
  assert.deepEqual(tree.clamp(2, 30), { variation: 2, ply: 4 });
  assert.deepEqual(new Tree(HEAD).clamp(1, -2), { variation: 0, ply: 0 });
  const moment = { variation: 2, ply: 4, track: "evader" };
  assert.equal(addressOf(moment), "?ply=4&seat=evader&variation=2");
  assert.deepEqual(momentOf(addressOf({ ...moment, together: true })), { ...moment, together: true });
  assert.equal(addressOf({ ...moment, variation: 0 }), "?ply=4&seat=evader");
  assert.deepEqual(momentOf("?ply=-3&variation=no"), { variation: 0, ply: 0, track: null, together: false });
});

const at = (ply) => ({ variation: 0, ply, track: "truth" });

function joined(me, leader = null) {
  const review = new Review();
  review.hear({ t: "you", id: me, token: "secret" });
  review.hear({ t: "here", people: [{ id: 1, name: "Ann" }, { id: 2, name: "Ben" }], leader });
  return review;
}

test("who leads says where they look, once for each moment", () => {
  const review = joined(1, 1);
  assert.equal(review.leads, true);
  assert.deepEqual(review.moved(at(3)), { t: "at", ...at(3) });
  assert.equal(review.moved(at(3)), null);
  assert.equal(review.hear({ t: "at", ...at(5), by: 1 }), null);
  review.hear({ t: "you", id: 1, token: "secret" });
  assert.deepEqual(review.moved(at(3)), { t: "at", ...at(3) }, "again after a lost connection");
});

test("who follows goes along, until they go their own way", () => {
  const review = joined(2, 1);
  assert.equal(review.leaderName, "Ann");
  assert.deepEqual(review.hear({ t: "at", ...at(3), by: 1 }), { go: at(3) });
  assert.equal(review.moved(at(3), { byHand: false }), null);
  assert.equal(review.following, true);
  assert.equal(review.moved(at(4)), null);
  assert.equal(review.following, false);
  assert.equal(review.hear({ t: "at", ...at(6), by: 1 }), null);
  assert.deepEqual(review.follow(true), at(6));
  assert.equal(review.follow(false), null);
});

test("nobody stops following where nobody leads", () => {
  const review = joined(2);
  review.moved(at(4));
  assert.equal(review.following, true);
  assert.equal(review.follow(true), null);
  assert.equal(review.words, "1 other is here.");
});

test("a leader leads again after the server was started anew, unless somebody else does", () => {
  const review = joined(1, 1);
  review.wantsLead = true;
  review.hear({ t: "you", id: 7, token: "new" });
  assert.deepEqual(review.hear({ t: "here", people: [{ id: 7, name: "Ann" }], leader: null }), { lead: true });
  assert.equal(review.hear({ t: "here", people: [{ id: 7, name: "Ann" }], leader: 2 }), null);
  assert.equal(review.wantsLead, false);
  assert.deepEqual(review.hear({ t: "tree" }), { reload: true });
  assert.deepEqual(review.hear({ t: "error", what: "no" }), { say: "no" });
});
