// The buttons above the board.

import { el } from "./dom.js";
import { introduce } from "./intro.js";

// What can be done now, as the page of a game knows it.
export function headTools(page) {
  const button = (words, act, attrs = {}) => el("button", { type: "button", onclick: act, ...attrs }, words);
  const help = button("Help", () => introduce(page.game, page.page));
  if (page.ended) return [el("a", { class: "button", href: `/replay/${page.uid}` }, "Replay"), help];
  if (page.watching && page.room.spectators === "never") return [help]; // nothing comes before the end
  if (page.watching) {
    return [
      button(page.paused ? "Play on" : "Pause", () => page.pause(!page.paused), { title: "A: play on", "aria-pressed": String(page.paused) }),
      button("Next", () => page.step("ply"), { title: "N: next ply" }),
      button("Round", () => page.step("round"), { title: "R: to the end of the round" }),
      help,
    ];
  }
  const takeBack = button("Take back", () => page.say({ t: "takeback" }), { class: "takeback", disabled: Boolean(page.status.takeback) });
  return [page.room.options?.take_backs ? takeBack : null, button("Resign", () => page.resign()), help];
}
