// Variations and comments among the turns of a replay: a block below the round in which a variation leaves the game.

import { el } from "./dom.js";

// Puts them into the list of turns anew; `at` is the moment that is shown.
export function drawVariations(turns, tree, at, track, go) {
  const box = turns.element;
  for (const old of box.querySelectorAll(".variation, .comment")) old.remove();
  const rows = [...box.querySelectorAll(".turn-round")];
  const rowOf = (ply) => turns.buttons.get(stepAfter(tree.main.steps, ply)?.ply)?.closest(".turn-round") ?? rows.at(-1);
  const rowAt = (ply) => turns.buttons.get(tree.main.steps.find((step) => step.ply >= ply)?.ply)?.closest(".turn-round");
  for (const row of rows) {
    const said = tree.comments.filter((each) => each.variation === tree.main.number && rowAt(each.ply) === row);
    const blocks = tree.children(tree.main.number).filter((each) => rowOf(each.ply) === row);
    row.after(...said.map((each) => comment(each, () => go(each.ply, each.variation))), ...blocks.map((each) => block(tree, each, at, track, go)));
  }
  const current = box.querySelector(".variation [aria-current]");
  if (current) box.scrollTop = Math.max(0, current.offsetTop - box.clientHeight / 2);
}

// The turn that a variation of this ply stands in place of.
function stepAfter(steps, ply) {
  return steps.find((step) => step.ply > ply);
}

function comment({ text }, act) {
  return el("p", { class: "comment" }, el("button", { type: "button", onclick: act, title: "Go there" }, text));
}

function block(tree, variation, at, track, go) {
  const { number, steps, name } = variation;
  const parts = [];
  let round = null;
  for (const step of steps) {
    if (step.round !== round) parts.push(el("span", { class: "quiet round" }, step.round));
    round = step.round;
    const here = at.variation === number && at.ply > step.first && at.ply <= step.ply;
    const attrs = { type: "button", class: step.seat ?? null, "aria-current": here ? "step" : null, onclick: () => go(step.ply, number) };
    parts.push(el("button", attrs, step.told[track] || "?"));
    const last = step === steps.at(-1);
    const inside = (ply) => ply > step.first && (ply <= step.ply || last);
    parts.push(...tree.comments.filter((each) => each.variation === number && inside(each.ply)).map((each) => comment(each, () => go(each.ply, number))));
    parts.push(...tree.children(number).filter((each) => each.ply >= step.first && each.ply < step.ply).map((each) => block(tree, each, at, track, go)));
  }
  parts.push(...tree.children(number).filter((each) => each.ply >= variation.last).map((each) => block(tree, each, at, track, go)));
  return el("div", { class: "variation", "data-variation": number, role: "group", "aria-label": name || `Variation ${number}` }, name ? el("b", {}, name) : null, parts);
}
