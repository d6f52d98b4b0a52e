// What the replay page reads from an analysis: marks, arrows, figures.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./package.mjs";

const { SIGNS, amount, nextMarked, playerFacts, signOf, turnRows, withArrows, worthWords } = await load("web/js/replay_analysis.js");

const move = (ply, seat, mark, lost, arrows = {}) => ({ ply, end: ply + 1, seat, mark, lost, words: `ply ${ply}`, arrows });

test("marks are written as chess players write them", () => {
  assert.deepEqual(SIGNS, { slip: "?!", mistake: "?", blunder: "??", find: "!" });
});

test("the worst marked move of the turn that comes next is shown", () => {
  const moves = [move(2, "evader", "slip", 0.06), move(3, "evader", "blunder", 0.4), move(4, "evader", null, 0), move(6, "pursuers", "slip", 0.1)];
  const found = nextMarked({ moves }, { first: 2, ply: 6 }, "truth");
  assert.equal(found.ply, 3);
  assert.equal(nextMarked({ moves }, { first: 4, ply: 6 }, "truth"), null);
  assert.equal(nextMarked({ moves }, undefined, "truth"), null);
  assert.equal(nextMarked(undefined, { first: 2, ply: 6 }, "truth"), null);
});

test("a seat's knowledge shows the marks of that seat alone", () => {
  const moves = [move(2, "evader", "slip", 0.06)];
  for (const [track, is] of [["truth", true], ["evader", true], ["pursuers", false], ["spectator", false]]) {
    assert.equal(nextMarked({ moves }, { first: 2, ply: 3 }, track) !== null, is, track);
  }
});

test("the played move is red and the better one green; a find is green", () => {
  const scene = { marks: { arrows: [["1", "2"]], pieces: [] } };
  const arrows = { played: [["3", "4"]], best: [["3", "5"]] };
  assert.deepEqual(withArrows(scene, move(0, "evader", "slip", 0.1, arrows)).marks, { arrows: [], pieces: [], worse: [["3", "4"]], better: [["3", "5"]] });
  assert.deepEqual(withArrows(scene, move(0, "evader", "find", 0, { played: [["3", "4"]], best: [] })).marks.better, [["3", "4"]]);
  assert.equal(withArrows(scene, null), scene);
});

test("a page without a board reads the played move and the better one", () => {
  const judged = { ...move(0, "evader", "slip", 0.1), action: "name:39 ask", best: "name:25 ask" };
  assert.deepEqual(withArrows({}, judged), { judged: { worse: "name:39 ask", better: "name:25 ask" } });
  assert.deepEqual(withArrows({}, { ...judged, best: null }).judged, { worse: "name:39 ask", better: "" });
  assert.deepEqual(withArrows({}, { ...judged, mark: "find" }).judged, { worse: "", better: "name:39 ask" });
});

test("changes are rounded and have their sign", () => {
  assert.deepEqual(["chance", "rounds", "cost"].map((unit) => amount(unit, 0.124)), ["+12", "+0.124", "+0.124"]);
  assert.equal(amount("chance", -0.3), "\u221230");
  assert.deepEqual([amount("chance", 0.001), amount("cost", 0), amount("chance", null)], ["", "", ""]);
});

test("players are summed up; what is unknown is not a number", () => {
  const player = { accuracy: 84.2, decisions: 12, marks: { slip: 2, blunder: 1, mistake: 0, find: 0 }, choice: -0.3, opponent: 0.2, luck: -0.1, open: 0, result: -0.2 };
  const found = { axis: { unit: "chance" }, players: { evader: player }, skill: { steps: [{ cause: "hidden" }] } };
  assert.deepEqual(playerFacts(found, "evader"), [
    ["Accuracy", "84 of 100"],
    ["Decisions", "12"],
    ["Marks", "2 ?!, 1 ??"],
    ["Own choices", "\u221230 points"],
    ["Other side's choices", "+20 points"],
    ["Luck", "\u221210 points"],
    ["Together", "\u221220 points"],
  ]);
  const nothing = { ...player, accuracy: null, choice: null };
  assert.deepEqual(playerFacts({ ...found, players: { evader: nothing }, skill: null }, "evader")[0], ["Accuracy", "no free decision"]);
});

test("there is one row a turn", () => {
  const turns = [{ first: 0, ply: 3, round: 1, seat: "evader", words: "hide at 9", mark: "mistake", choice: -0.12, luck: 0.03 }];
  const [row] = turnRows({ axis: { unit: "chance" }, turns }, { evader: "Ann" });
  assert.deepEqual(row.cells, [1, "Ann", "hide at 9", "?", "\u221212", "+3"]);
});

test("a row of worth says what it did, both chances, and what would have been without it", () => {
  const row = { words: "The reveal cost Mr X 6 points, ±3", without: "the log shows the bus ticket alone", chance_with: { mean: 0.304 }, chance_without: { mean: 0.364 } };
  assert.deepEqual(worthWords(row), [row.words, "30 % with it; 36 % without: the log shows the bus ticket alone"]);
});

test("only what is clear is a gain or a loss", () => {
  assert.deepEqual([[0.01, 0.1], [-0.1, -0.01], [-0.1, 0.1]].map(([low, high]) => signOf({ low, high })), ["gain", "loss", "open"]);
});
