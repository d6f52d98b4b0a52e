// The clocks of a game: what is left for each side, counted down here between the server's words.

import { el, replace } from "./dom.js";
import { SEATS } from "./play_words.js";
import { play } from "./sounds.js";

const SOON = 10;

// 7 -> "0:07", 3725 -> "1:02:05", 200000 -> "2 d 7 h"
export function clockText(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  const [d, h, m, s] = [Math.floor(left / 86400), Math.floor(left / 3600) % 24, Math.floor(left / 60) % 60, left % 60];
  if (d) return `${d} d ${h} h`;
  const two = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

export class Clocks {
  // `names` are the names of the seats.
  constructor(host, names) {
    this.host = host;
    this.names = names;
    this.clock = null;
  }

  // {left: {evader, pursuers}, turn, running} as the server says it, or null.
  hear(clock, now = performance.now()) {
    this.clock = clock;
    this.heardAt = now;
    this.draw(now);
  }

  // Seconds left: of the whole game, of the turn; null where there is no such limit.
  left(seat, now = performance.now()) {
    const { left, turn, running } = this.clock;
    const gone = running === seat ? (now - this.heardAt) / 1000 : 0;
    const minus = (value) => (value === null || value === undefined ? null : Math.max(0, value - gone));
    return { game: minus(left?.[seat]), turn: running === seat ? minus(turn) : null };
  }

  draw(now = performance.now(), mine = null) {
    this.host.hidden = !this.clock;
    if (!this.clock) return;
    const chips = SEATS.map((seat) => {
      const { game, turn } = this.left(seat, now);
      const nearest = Math.min(game ?? Infinity, turn ?? Infinity);
      if (nearest === Infinity) return null;
      const soon = seat === this.clock.running && nearest <= SOON;
      if (soon && seat === mine) this.#tick(Math.ceil(nearest));
      const both = game !== null && turn !== null ? `${clockText(game)} · turn ${clockText(turn)}` : clockText(nearest);
      const label = `${this.names[seat]}: ${both} left`;
      return el("span", { class: `clock-chip${seat === this.clock.running ? " running" : ""}${soon ? " soon" : ""}`, role: "timer", "aria-label": label }, el("small", {}, this.names[seat]), el("b", {}, both));
    });
    const text = chips.map((chip) => chip?.textContent).join("|") + this.clock.running;
    if (this.host.dataset.text === text) return;
    this.host.dataset.text = text;
    replace(this.host, chips);
  }

  #tick(second) {
    if (second === this.ticked || second < 1) return;
    this.ticked = second;
    play("tick");
  }
}
