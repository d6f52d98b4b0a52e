// What a browser remembers of puzzles: streaks, marks, the next one, and one try.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./package.mjs";

const { Attempt, emptyMemory, fitting, follows, nextOf, remember, runOn, streakAfter } = await load("web/js/puzzle_state.js");

const LIST = [
  { id: "a-1", game: "a", level: "Easy" },
  { id: "a-2", game: "a", level: "Hard" },
  { id: "b-1", game: "b", level: "Easy" },
];
const DAILY = { date: "2027-03-01", puzzle: "a-1", games: { a: "a-1", b: "b-1" } };

test("a day follows the day before, over months and leap years", () => {
  assert.equal(follows("2027-03-01", "2027-02-28"), true);
  assert.equal(follows("2028-03-01", "2028-02-28"), false);
  assert.equal(follows("2027-03-01", "2027-03-01"), false);
  assert.equal(follows("2027-03-01", null), false);
});

test("a streak grows day by day, ends with a miss, and keeps its best", () => {
  let streak = emptyMemory().streak;
  for (const [day, solved, run] of [["2027-02-27", true, 1], ["2027-02-28", true, 2], ["2027-03-01", true, 3], ["2027-03-02", false, 0], ["2027-03-03", true, 1]]) {
    streak = streakAfter(streak, day, solved);
    assert.equal(streak.run, run);
  }
  assert.equal(streak.best, 3);
  assert.equal(streakAfter(streak, "2027-03-05", true).run, 1);
});

test("only the first answer of a day counts", () => {
  const lost = streakAfter(emptyMemory().streak, "2027-03-01", false);
  assert.equal(streakAfter(lost, "2027-03-01", true), lost);
  assert.equal(streakAfter(lost, "2027-02-20", true), lost);
});

test("a streak lasts until the end of the next day", () => {
  const streak = streakAfter(emptyMemory().streak, "2027-03-01", true);
  assert.equal(runOn(streak, "2027-03-01"), 1);
  assert.equal(runOn(streak, "2027-03-02"), 1);
  assert.equal(runOn(streak, "2027-03-03"), 0);
});

test("what was solved is remembered; the daily one makes the streak", () => {
  const won = remember(emptyMemory(), "a-1", true, DAILY);
  assert.deepEqual(won, { done: { "a-1": "right" }, streak: { day: "2027-03-01", run: 1, best: 1 } });
  assert.equal(remember(won, "a-1", false, DAILY).done["a-1"], "right");
  const other = remember(emptyMemory(), "b-1", true, DAILY);
  assert.equal(other.streak.day, null);
});

test("a puzzle that was missed can be solved later, but makes no streak", () => {
  const missed = remember(emptyMemory(), "a-1", false, DAILY);
  assert.equal(missed.done["a-1"], "wrong");
  const later = remember(missed, "a-1", true, DAILY);
  assert.equal(later.done["a-1"], "later");
  assert.equal(later.streak.run, 0);
});

test("a puzzle that was met on another day makes a streak when it is that of the day", () => {
  for (const mark of ["right", "later", "wrong"]) {
    const memory = { done: { "a-1": mark }, streak: { day: "2027-02-28", run: 4, best: 4 } };
    assert.equal(remember(memory, "a-1", true, DAILY).streak.run, 5);
    assert.equal(remember(memory, "a-1", false, DAILY).streak.run, 0);
  }
});

test("puzzles are chosen by game and level", () => {
  assert.deepEqual(fitting(LIST, { game: "a", level: "" }).map(({ id }) => id), ["a-1", "a-2"]);
  assert.deepEqual(fitting(LIST, { game: "", level: "Easy" }).map(({ id }) => id), ["a-1", "b-1"]);
  assert.equal(fitting(LIST, {}).length, 3);
});

test("the next one is the next that was not tried", () => {
  assert.equal(nextOf(LIST, {}, "a-1"), "a-2");
  assert.equal(nextOf(LIST, { "a-2": "right" }, "a-1"), "b-1");
  assert.equal(nextOf(LIST, { "a-1": "wrong" }, "b-1"), "a-2");
  assert.equal(nextOf(LIST, { "a-1": "right", "a-2": "right", "b-1": "right" }, "b-1"), "a-1");
  assert.equal(nextOf(LIST, {}, "elsewhere"), "a-1");
  assert.equal(nextOf([], {}, "a-1"), null);
});

const PUZZLE = { id: "a-1", question: "Which?", scene: { title: "now" }, offers: [{ action: "x" }] };

test("a try sends all answers so far and shows what it hears", () => {
  const attempt = new Attempt(PUZZLE);
  assert.deepEqual([attempt.acting, attempt.shown.question], [true, "Which?"]);
  const first = attempt.give("x");
  assert.deepEqual(first, ["x"]);
  assert.equal(attempt.give("y"), null); // one at a time
  attempt.hear(first, { question: "And now?", scene: { title: "later" }, offers: [], solved: null, words: "Right.", why: [], best: "", told: [] });
  assert.equal(attempt.shown.question, "And now?");
  const second = attempt.give("y");
  assert.deepEqual(second, ["x", "y"]);
  attempt.hear(second, { question: "", scene: {}, offers: [], solved: true, words: "Yes.", why: ["so"], best: "y", told: [] });
  assert.deepEqual([attempt.over, attempt.acting, attempt.shown.question, attempt.give("z")], [true, false, "Which?", null]);
});

test("a refused answer leaves everything as it was", () => {
  const attempt = new Attempt(PUZZLE);
  attempt.give("nonsense");
  attempt.fail();
  assert.deepEqual([attempt.acting, attempt.actions, attempt.shown.scene.title], [true, [], "now"]);
});
