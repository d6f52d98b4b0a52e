// The travel log: tickets round by round, brackets around double moves, and for Mr X his own stations.

import { el, isCalm, replace } from "/js/dom.js";

export const LETTER = { taxi: "T", bus: "B", underground: "U", secret: "S", double: "2" };
const FLIGHT_MS = 420;

export class TravelLog {
  // `ask()` gives {doubles: [[4, 5]], stations: {4: "46"}} as far as the seat knows them, or null; `mine` is Mr X's own log.
  constructor(host, { ask, mine }) {
    this.host = host;
    this.ask = ask;
    this.mine = mine;
    this.known = 0; // slots of which is known whether they belong to a double move
    this.shown = 0;
    this.doubles = new Set();
    this.stations = new Map();
  }

  show(scene) {
    this.scene = scene;
    const n = scene.log.filter((slot) => slot.ticket).length;
    const isNext = n === this.known + 1 && this.shown === this.known;
    if (isNext) {
      const here = scene.marks.pieces.find((piece) => piece.kind === "quarry")?.at;
      if (this.mine && here) this.stations.set(n, here);
      this.known = n;
    }
    this.shown = n;
    this.draw();
    if (n > this.known) this.#learn(n);
  }

  async #learn(n) {
    const found = await this.ask();
    if (!found) return;
    this.known = Math.max(this.known, n);
    this.take(found);
  }

  // Tells it what is known about the route.
  take({ doubles, stations }) {
    this.doubles = new Set(doubles.map(([first]) => first));
    for (const [round, at] of Object.entries(stations)) this.stations.set(Number(round), at);
    this.draw();
  }

  // "first" or "second" half of a double move, or null.
  half(round) {
    if (this.doubles.has(round)) return "first";
    return this.doubles.has(round - 1) ? "second" : null;
  }

  draw() {
    const { log, nextShown, seen, outcome } = this.scene;
    const last = seen ? `Last seen on ${seen.at} in round ${seen.round}.` : "Not seen yet.";
    const next = nextShown && !outcome ? ` Shown next in round ${nextShown}.` : "";
    const own = this.mine && !outcome && this.stations.size ? " Only you see the stations in grey." : "";
    replace(this.host, el("ol", { class: "chips" }, log.map((slot) => this.#chip(slot))), el("p", { class: "quiet" }, last + next + own));
  }

  #chip(slot) {
    const half = slot.ticket ? this.half(slot.round) : null;
    const own = slot.ticket && !slot.at ? this.stations.get(slot.round) : null;
    const parts = [slot.ticket, half && `${half} step of a double move`, slot.at ? `seen on ${slot.at}` : own && `on ${own}`].filter(Boolean);
    const words = `round ${slot.round}${slot.ticket ? `: ${parts.join(", ")}` : slot.shown ? ", he shows himself" : ""}`;
    return el(
      "li",
      { class: ["chip", slot.ticket, slot.shown && "marked", half].filter(Boolean).join(" "), title: words, "data-round": slot.round },
      el("span", { class: "unseen" }, words),
      el("small", { "aria-hidden": "true" }, slot.round),
      el("b", { "aria-hidden": "true" }, slot.ticket ? LETTER[slot.ticket] : "\u00a0"),
      el("i", { class: own ? "own" : null, "aria-hidden": "true" }, slot.at ?? own ?? "\u00a0"),
    );
  }

  // Tickets that were paid since an earlier scene fly to their slots, or to the tab behind which the log is.
  fly(before, now, from) {
    if (!before || isCalm() || !from) return;
    now.log.forEach((slot, i) => {
      if (!slot.ticket || before.log[i]?.ticket) return;
      const chip = this.host.querySelector(`[data-round="${slot.round}"] b`);
      const to = chip?.offsetParent ? chip : document.querySelector("[aria-controls=panel-log]");
      if (to) flight(slot.ticket, from, to.getBoundingClientRect());
    });
  }
}

function flight(ticket, from, to) {
  const paper = el("span", { class: `flying fare ${ticket}`, "aria-hidden": "true" }, LETTER[ticket]);
  if (!paper.animate || !to.width) return;
  document.body.append(paper);
  const place = ({ left, top, width, height }) => `translate(${left + width / 2 - 12}px, ${top + height / 2 - 10}px)`;
  const steps = [{ transform: `${place(from)} scale(1.8)`, opacity: 0 }, { opacity: 1, offset: 0.25 }, { transform: `${place(to)} scale(1)`, opacity: 1 }];
  paper.animate(steps, { duration: FLIGHT_MS, easing: "cubic-bezier(.4, 0, .3, 1)" }).finished.finally(() => paper.remove());
}
