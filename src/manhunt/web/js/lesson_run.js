// Somebody in a lesson: what they did in each step, and what the server said. Plain data, kept in this browser.

import { keep, recall } from "./dom.js";

export class LessonRun {
  // `answers` are the learner's actions of each step so far, as the server wants them; `nSteps` is the lesson's length.
  constructor(nSteps, answers = [[]]) {
    this.nSteps = nSteps;
    this.answers = fits(answers, nSteps) ? answers.map((actions) => [...actions]) : [[]];
    this.said = null;
  }

  // The step, counted from 0.
  get number() {
    return this.answers.length - 1;
  }

  get verdict() {
    return this.said?.verdict ?? null;
  }

  get isDone() {
    return this.verdict === "done" || this.verdict === "read";
  }

  get canGoOn() {
    return this.isDone && this.number + 1 < this.nSteps;
  }

  // Whether the whole lesson is done: the last step has nothing left to do.
  get isFinished() {
    return this.isDone && this.number + 1 === this.nSteps;
  }

  // What to send when the learner makes this move; nothing is kept before the server has judged it.
  withMove(action) {
    return [...this.answers.slice(0, -1), [...this.answers.at(-1), action]];
  }

  // The server's answer to these answers. What is wrong is forgotten: the position is the one before it.
  hear(said, answers) {
    this.said = said;
    this.answers = said.verdict === "wrong" ? [...answers.slice(0, -1), []] : answers;
  }

  // What to send to go on, to try this step again, or to go back to the step before.
  next() {
    return [...this.answers, []];
  }

  again() {
    return [...this.answers.slice(0, -1), []];
  }

  back() {
    return this.number ? [...this.answers.slice(0, -2), []] : this.again();
  }
}

function fits(answers, nSteps) {
  const isList = Array.isArray(answers) && answers.length >= 1 && answers.length <= nSteps;
  return isList && answers.every((actions) => Array.isArray(actions) && actions.every((text) => typeof text === "string"));
}

// -- what this browser remembers ---------------------------------------------------------------------------

const KEY = "lessons";

// {done, answers} of one lesson; nothing where it was not begun here.
export function keptLesson(game, number) {
  return recall(KEY, {})[`${game}/${number}`] ?? {};
}

export function keepLesson(game, number, run) {
  const all = recall(KEY, {});
  const { done = false } = all[`${game}/${number}`] ?? {};
  keep(KEY, { ...all, [`${game}/${number}`]: { done: done || run.isFinished, answers: run.isFinished ? null : run.answers } });
}

// How far somebody is with the lessons of a game: {nDone, next}; `next` is the first lesson that is not done, or null.
export function progressOf(game, lessons) {
  const open = lessons.filter(({ number }) => !keptLesson(game, number).done);
  return { nDone: lessons.length - open.length, next: open[0] ?? null };
}

// "new", "begun at step 3", "done"
export function stateWords(kept) {
  if (kept.done) return "done";
  return kept.answers?.length > 1 ? `begun: step ${kept.answers.length}` : "";
}
