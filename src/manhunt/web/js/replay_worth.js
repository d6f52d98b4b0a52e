// What each piece of knowledge was worth, on request: a row for each, which leads to the moment before it.

import { el, replace } from "./dom.js";
import { signOf, worthWords } from "./replay_analysis.js";
import { job } from "./replay_parts.js";
import { complain } from "./shell.js";
import { api } from "./wire.js";

// `go(ply)` shows the position before it.
export function worthPanel(head, go) {
  const host = el("div", { class: "stack worth" });
  const path = `/api/games/${head.uid}/worth`;
  const show = (found) => {
    const rows = found.rows.map((row) => {
      const [words, more] = worthWords(row);
      return el("li", {}, el("button", { type: "button", class: signOf(row.gain), onclick: () => go(row.ply) }, el("span", {}, words, el("small", {}, more))));
    });
    replace(
      host,
      el("h3", {}, "What each piece of knowledge was worth"),
      el("ol", { class: "judged" }, rows),
      el("details", {}, el("summary", {}, "How this was worked out"), found.how.map((text) => el("p", { class: "quiet" }, text))),
    );
  };
  const offer = () => {
    const ask = async () => {
      start.disabled = true;
      try {
        const found = await job(host, "Playing", path);
        if (found) show(found);
      } catch (error) {
        complain(error);
      } finally {
        start.disabled = false;
      }
    };
    const start = el("button", { type: "button", onclick: ask }, "What was each piece of knowledge worth?");
    replace(host, start);
  };
  if (head.valued) api(path).then(show).catch(complain);
  else if (head.hasWorth) offer();
  return host;
}
