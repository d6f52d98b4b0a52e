// The end of a game: the result in words, the score of the series, and what to do next.

import { el, replace } from "./dom.js";
import { listed } from "./play_words.js";

// `end` is {headline, detail, mood, notes: [..]}; `next` are elements, buttons and links; `table` is a TableState or null.
export function drawEnd(host, { headline, detail, mood, notes = [] }, next, table = null) {
  replace(
    host,
    el(
      "section",
      { class: `ending card ${mood}`, "aria-label": "Result" },
      el("h2", {}, headline),
      detail ? el("p", {}, detail) : null,
      notes.map((note) => el("p", { class: "quiet" }, note)),
      table && scoreLine(table),
      el("div", { class: "row" }, next),
    ),
  );
}

// "Series: Anna 2, Ben 1", from the second game on.
export function scoreLine({ score = [], series = [] }) {
  if (series.length < 2 || !score.length) return null;
  return el("p", { class: "score" }, "Series: ", score.map(({ name, wins }, i) => [i ? ", " : "", el("b", {}, `${name} ${wins}`)]));
}

// Buttons for another game with the same people; `link` is a TableLink with a person who plays.
// They wait until the table knows that this game is over, and while the line to it is lost.
export function rematchButtons(link) {
  const { rematch, people, state } = link.state;
  const disabled = state !== "over" || link.connection !== "open";
  const button = (words, swap, attrs = {}) => el("button", { type: "button", disabled, onclick: () => link.rematch(swap), ...attrs }, words);
  if (!rematch) return [button("Rematch", false, { class: "primary rematch" }), button("Rematch, swap sides", true, { class: "swap" })];
  const names = rematch.agreed.filter((id) => id !== link.me).map((id) => people.find((person) => person.id === id)?.name ?? "Somebody");
  const kind = rematch.swap ? "a rematch with swapped sides" : "a rematch";
  if (rematch.agreed.includes(link.me)) return [el("p", { class: "asked" }, `You asked for ${kind}; waiting for the others.`)];
  return [el("p", { class: "asked" }, `${listed(names)} ${names.length > 1 ? "want" : "wants"} ${kind}.`), button("Agree", rematch.swap, { class: "primary rematch" })];
}
