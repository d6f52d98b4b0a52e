// The introduction: on the first visit and from the help button. Where a game has lessons, it leads to them.

import { el, keep, recall, replace } from "./dom.js";
import { complain } from "./shell.js";

// `page` has the addresses of a game's page files: {intro, lessons}.
export function introduceOnce(game, page) {
  if (recall(`seen-${game}`)) return;
  introduce(game, page);
}

export async function introduce(game, { intro, lessons }) {
  if (document.querySelector("dialog.intro")) return;
  let steps;
  try {
    const answer = await fetch(intro);
    if (!answer.ok) throw new Error("There is no introduction to this game yet.");
    ({ steps } = await answer.json());
  } catch (error) {
    complain(error);
    return;
  }
  keep(`seen-${game}`, true);
  show(steps, lessons);
}

function show(steps, lessons) {
  let i = 0;
  const title = el("h2");
  const text = el("p");
  const dots = el("div", { class: "dots", "aria-hidden": "true" });
  const where = el("span", { class: "unseen" });
  const back = el("button", { type: "button", onclick: () => go(i - 1) }, "Back");
  const next = el("button", { type: "button", class: "primary", onclick: () => go(i + 1), autofocus: true });
  const learn = lessons ? el("a", { class: "button learn", href: lessons }, "Learn in 5 minutes") : null;
  const isShort = steps.length === 1;
  const skip = el("button", { type: "button", onclick: () => dialog.close() }, "Skip");
  const dialog = el("dialog", { class: "intro", "aria-label": "Introduction" }, title, text, el("div", { class: "row" }, dots, where, learn, isShort ? null : [skip, back], next));
  const point = (name) => {
    for (const part of document.querySelectorAll(".pointed")) part.classList.remove("pointed");
    if (name) document.querySelector(`[data-part="${name}"]`)?.classList.add("pointed");
  };
  const go = (wanted) => {
    if (wanted >= steps.length) {
      dialog.close();
      return;
    }
    i = Math.max(0, wanted);
    const step = steps[i];
    title.textContent = step.title;
    text.textContent = step.text;
    where.textContent = `Step ${i + 1} of ${steps.length}`;
    replace(dots, steps.map((_, n) => el("i", { class: n === i ? "on" : null })));
    back.disabled = i === 0;
    next.textContent = i + 1 === steps.length ? "Play" : "Next";
    point(step.show);
  };
  dialog.addEventListener("close", () => {
    point(null);
    dialog.remove();
  });
  document.body.append(dialog);
  go(0);
  dialog.showModal();
}
