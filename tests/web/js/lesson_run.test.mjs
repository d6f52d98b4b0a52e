// A lesson as the page remembers it: answers, what the server said of them, and progress in this browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { installPage } from "./fake_page.mjs";
import { load } from "./package.mjs";

const { kept } = installPage();
const { LessonRun, keepLesson, keptLesson, progressOf, stateWords } = await load("web/js/lesson_run.js");

const said = (verdict, words = "") => ({ verdict, words });

function heard(run, verdict, answers = run.answers) {
  run.hear(said(verdict), answers);
  return run;
}

test("a lesson begins with an empty answer, and goes on when a step is read", () => {
  const run = new LessonRun(3);
  assert.deepEqual([run.answers, run.number, run.verdict, run.canGoOn], [[[]], 0, null, false]);
  heard(run, "read");
  assert.equal(run.canGoOn, true);
  assert.deepEqual(run.next(), [[], []]);
});

test("a move is kept only when the server has judged it", () => {
  const run = heard(new LessonRun(3), "open");
  const answers = run.withMove("a");
  assert.deepEqual([answers, run.answers], [[["a"]], [[]]]);
  heard(run, "open", answers);
  assert.deepEqual(run.withMove("b"), [["a", "b"]]);
  assert.equal(run.canGoOn, false);
});

test("a wrong move is forgotten, and its words stay", () => {
  const run = new LessonRun(3, [[], ["a"]]);
  run.hear(said("wrong", "Not there."), run.withMove("b"));
  assert.deepEqual([run.answers, run.said.words, run.isDone], [[[], []], "Not there.", false]);
});

test("one goes back to the step before, or begins a step again", () => {
  const run = new LessonRun(4, [[], ["a"], ["b"]]);
  assert.deepEqual(run.back(), [[], []]);
  assert.deepEqual(run.again(), [[], ["a"], []]);
  assert.deepEqual(new LessonRun(4).back(), [[]]);
});

test("the last step ends the lesson", () => {
  const run = heard(new LessonRun(2, [[], []]), "done");
  assert.deepEqual([run.isFinished, run.canGoOn], [true, false]);
  assert.equal(heard(new LessonRun(2, [[], []]), "open").isFinished, false);
});

test("answers that cannot be are not taken over", () => {
  for (const odd of [null, [], [[], [], []], ["a"], [[1]], {}]) assert.deepEqual(new LessonRun(2, odd).answers, [[]]);
  assert.deepEqual(new LessonRun(2, [["a"], []]).answers, [["a"], []]);
});

test("progress stays in this browser, and what was done once stays done", () => {
  kept.clear();
  const lessons = [1, 2, 3].map((number) => ({ number }));
  assert.deepEqual([keptLesson("foxes", 1), progressOf("foxes", lessons)], [{}, { nDone: 0, next: lessons[0] }]);
  keepLesson("foxes", 1, heard(new LessonRun(2, [["a"], []]), "open"));
  assert.deepEqual(keptLesson("foxes", 1), { done: false, answers: [["a"], []] });
  assert.equal(stateWords(keptLesson("foxes", 1)), "begun: step 2");
  keepLesson("foxes", 1, heard(new LessonRun(1, [["a"]]), "done"));
  keepLesson("foxes", 1, heard(new LessonRun(2), "read"));
  assert.equal(keptLesson("foxes", 1).done, true);
  assert.equal(stateWords(keptLesson("foxes", 1)), "done");
  assert.deepEqual(progressOf("foxes", lessons), { nDone: 1, next: lessons[1] });
  assert.deepEqual(keptLesson("hares", 1), {});
});
