// All lessons: a card for each game, and how far one is with them in this browser.

import { el, replace } from "./dom.js";
import { loadPicture } from "./game_files.js";
import { keptLesson, progressOf, stateWords } from "./lesson_run.js";
import { complain, shell } from "./shell.js";
import { api } from "./wire.js";

async function open() {
  shell("learn");
  const wanted = location.pathname.split("/")[2];
  try {
    const { games } = await api("/api/lessons");
    const sorted = [...games].sort((a, b) => (b.name === wanted) - (a.name === wanted));
    replace(document.getElementById("courses"), sorted.map(courseOf));
  } catch (error) {
    complain(error);
  }
}

function courseOf({ name, title, summary, picture, lessons }) {
  const { nDone, next } = progressOf(name, lessons);
  return el(
    "article",
    { class: "course card", "data-game": name, "aria-label": title },
    el("div", { class: "course-head" }, loadPicture(picture), el("div", {}, el("h2", {}, title), el("p", {}, summary), el("p", { class: "quiet" }, `${nDone} of ${lessons.length} lessons done`))),
    el("ol", { class: "course-lessons" }, lessons.map((lesson) => lessonRow(name, lesson, lesson === next))),
  );
}

function lessonRow(game, { number, title, summary, steps }, isNext) {
  const kept = keptLesson(game, number);
  const state = stateWords(kept);
  return el(
    "li",
    { class: kept.done ? "done" : null },
    el("span", { class: "sign", "aria-hidden": "true" }, kept.done ? "✓" : number),
    el("div", {}, el("h3", {}, title), el("p", {}, summary), el("small", {}, [`${steps} steps`, state].filter(Boolean).join(", "))),
    el("a", { class: isNext ? "button primary" : "button", href: `/learn/${game}/${number}`, "aria-label": `${kept.done ? "Play again" : "Start"}: ${title}` }, kept.done ? "Again" : kept.answers?.length > 1 ? "Continue" : "Start"),
  );
}

open();
