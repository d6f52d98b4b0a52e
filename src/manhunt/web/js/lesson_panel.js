// The lesson beside the board: where you are, the text, the task, what is said about a move, and the buttons.

import { el, refill } from "./dom.js";

const SIGNS = { wrong: "✕", done: "✓", hint: "?" };

// `act` has next(), back(), hint() and again(); `busy` says that a move is on its way.
export function drawLesson(host, lesson, run, { busy = false, hint = null, act, ending = [] }) {
  const step = lesson.steps[run.number];
  const { verdict } = run;
  const said = verdict === "wrong" || verdict === "done" ? run.said.words : "";
  const isOpen = verdict === "open" || verdict === "wrong";
  refill(
    host,
    el("div", { class: "where" }, dots(run, lesson.steps.length), el("small", {}, `Step ${run.number + 1} of ${lesson.steps.length}`)),
    el("p", { class: "lead text", tabindex: "-1" }, step.text),
    step.task ? el("p", { class: `task${run.isDone ? " is-done" : ""}` }, el("b", {}, "Task: "), step.task) : null,
    el("div", { class: "feedback", role: "status" }, said ? note(verdict, said) : null, hint && isOpen ? note("hint", hint) : null),
    run.isFinished ? ending : null,
    el(
      "div",
      { class: "row" },
      run.number ? el("button", { type: "button", class: "back", onclick: act.back, disabled: busy }, "Back") : null,
      isOpen ? el("button", { type: "button", class: "hint", onclick: act.hint, disabled: busy }, "Hint") : null,
      isOpen && run.answers.at(-1).length ? el("button", { type: "button", class: "again", onclick: act.again, disabled: busy }, "Start this step again") : null,
      run.canGoOn ? el("button", { type: "button", class: "primary next", onclick: act.next, disabled: busy }, "Next") : null,
    ),
  );
}

function note(kind, words) {
  return el("p", { class: `note ${kind}` }, el("b", { "aria-hidden": "true" }, SIGNS[kind]), el("span", {}, words));
}

function dots(run, n) {
  return el("span", { class: "dots", "aria-hidden": "true" }, Array.from({ length: n }, (_, i) => el("i", { class: i < run.number || (i === run.number && run.isDone) ? "on" : i === run.number ? "here" : null })));
}

// The end of a lesson: the next one, or a game.
export function endingOf(lesson, next) {
  const game = el("a", { class: next ? "button" : "button primary", href: "/" }, `Play ${lesson.gameTitle}`);
  const words = next ? `Lesson ${lesson.number} is done.` : `You have done all lessons of ${lesson.gameTitle}.`;
  const on = next ? el("a", { class: "button primary", href: `/learn/${lesson.game}/${next.number}` }, `Next lesson: ${next.title}`) : null;
  return [el("p", { class: "finished" }, words), el("div", { class: "row" }, on, game, el("a", { class: "button", href: "/learn" }, "All lessons"))];
}

