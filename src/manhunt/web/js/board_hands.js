// Hands on a board: pointers pick, drag and pinch, the wheel zooms, keys go from node to node.

import { el } from "./dom.js";

const CLICK_PIXELS = 6;
const STEP = 1.35;
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class BoardHands {
  #fingers = new Map();
  #travelled = 0;
  #last = null;
  #under = null;

  // They move the window of the board and its focus, and tell it what is picked and what is under them.
  constructor(board) {
    this.board = board;
    const on = (name, act, options) => board.svg.addEventListener(name, act, options);
    on("wheel", (event) => this.#wheel(event), { passive: false });
    on("pointerdown", (event) => this.#down(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.#lift(event));
    on("pointercancel", (event) => this.#lift(event));
    on("pointerleave", () => !this.#fingers.size && this.#hover(null));
    on("keydown", (event) => this.#key(event));
    on("focus", () => board.redraw());
    on("blur", () => this.#leave());
    // A pointer that leaves fast may leave without a word.
    this.away = (event) => !board.svg.contains(event.target) && !this.#fingers.size && this.#hover(null);
    this.gone = () => this.#hover(null);
    document.addEventListener("pointermove", this.away);
    document.documentElement.addEventListener("pointerleave", this.gone);
  }

  destroy() {
    document.removeEventListener("pointermove", this.away);
    document.documentElement.removeEventListener("pointerleave", this.gone);
  }

  #leave() {
    this.#hover(null);
    this.board.redraw();
  }

  // -- pointers -----------------------------------------------------------------------------------------

  #wheel(event) {
    event.preventDefault();
    const { window } = this.board;
    window.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), window.placeOf(event));
  }

  #down(event) {
    if (event.button > 0) return;
    this.#fingers.set(event.pointerId, event);
    if (this.#fingers.size === 1) this.#travelled = 0;
    this.#last = spreadOf(this.#fingers);
    this.board.svg.setPointerCapture(event.pointerId);
  }

  #move(event) {
    if (!this.#fingers.has(event.pointerId)) {
      this.#hover(this.#nodeAt(event));
      return;
    }
    this.#fingers.set(event.pointerId, event);
    const last = this.#last;
    const now = spreadOf(this.#fingers);
    this.#travelled += Math.hypot(now.x - last.x, now.y - last.y) + Math.abs(now.gap - last.gap);
    if (this.#travelled > CLICK_PIXELS) {
      const { box, window } = this.board;
      box.classList.add("dragging");
      const { scale } = window.placeOf(event);
      window.pan((last.x - now.x) * scale, (last.y - now.y) * scale);
      if (now.gap && last.gap) window.zoom(now.gap / last.gap, window.placeOf({ clientX: now.x, clientY: now.y }));
    }
    this.#last = now;
  }

  #lift(event) {
    if (!this.#fingers.delete(event.pointerId)) return;
    if (this.#fingers.size) {
      this.#last = spreadOf(this.#fingers);
      return;
    }
    this.board.box.classList.remove("dragging");
    if (event.type === "pointerup" && this.#travelled <= CLICK_PIXELS) this.#click(event);
  }

  #click(event) {
    const label = this.#nodeAt(event);
    if (label === null) return;
    this.board.now.focus = label;
    this.#pick(label, event.pointerType === "touch");
  }

  // The node at a pointer: within its disc, or near it; fingers reach farther, and offered nodes come first.
  #nodeAt(event) {
    const { places, r, now, window } = this.board;
    const point = window.placeOf(event);
    const reach = Math.max(1.25 * r, (event.pointerType === "touch" ? 26 : 9) * point.scale);
    let best = null;
    for (const [label, { x, y }] of places) {
      const distance = Math.hypot(x - point.x, y - point.y);
      const cost = distance - (now.offers.has(label) ? 0.6 * r : 0);
      if (distance <= reach && (!best || cost < best.cost)) best = { label, cost };
    }
    return best?.label ?? null;
  }

  #pick(label, isTouch = false) {
    this.board.picked?.(label, this.board.now.offers.has(label), isTouch);
  }

  #hover(label) {
    if (label === this.#under) return;
    this.#under = label;
    this.board.hovered(label);
  }

  // -- keys ---------------------------------------------------------------------------------------------

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const { focus } = this.board.now;
    if (WAYS[key]) this.#step(WAYS[key]);
    else if ((key === "Enter" || key === " ") && focus !== null) this.#pick(focus);
    else if (key === "+" || key === "=") this.board.zoom(STEP);
    else if (key === "-") this.board.zoom(1 / STEP);
    else if (key === "0") this.board.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Among the offered nodes if there are any, else to neighbours: the nearest in that direction.
  #step([dx, dy]) {
    const { places, neighbours } = this.board;
    const { offers, focus } = this.board.now;
    const here = places.get(focus);
    let targets = [...offers].filter((label) => places.has(label));
    if (!targets.length) targets = here ? [...(neighbours.get(focus) ?? [])] : [...places.keys()];
    if (!here || (offers.size && !offers.has(focus))) {
      this.#focus(targets[0] ?? null);
      return;
    }
    const cost = (label) => {
      const place = places.get(label);
      const along = (place.x - here.x) * dx + (place.y - here.y) * dy;
      const across = Math.abs((place.x - here.x) * dy) + Math.abs((place.y - here.y) * dx);
      return along <= 0.1 ? Infinity : along + 1.6 * across;
    };
    const best = targets.filter((label) => label !== focus).sort((a, b) => cost(a) - cost(b))[0];
    if (best !== undefined && cost(best) < Infinity) this.#focus(best);
  }

  #focus(label) {
    const { board } = this;
    board.now.focus = label;
    if (label === null) return;
    const place = board.places.get(label);
    board.window.reveal(place);
    board.announce(`${place.title}${board.now.offers.has(label) ? ", offered" : ""}`);
    this.#under = label;
    board.hovered(label);
    board.redraw();
  }
}

// The middle of all fingers, and how far the first two are apart.
function spreadOf(fingers) {
  const all = [...fingers.values()];
  const x = all.reduce((sum, f) => sum + f.clientX, 0) / all.length;
  const y = all.reduce((sum, f) => sum + f.clientY, 0) / all.length;
  const gap = all.length < 2 ? 0 : Math.hypot(all[0].clientX - all[1].clientX, all[0].clientY - all[1].clientY);
  return { x, y, gap };
}

export function zoomButtons(board) {
  const button = (sign, words, act) => el("button", { type: "button", class: "icon", "aria-label": words, title: words, onclick: act }, sign);
  return el(
    "div",
    { class: "zoom", role: "group", "aria-label": "Zoom" },
    button("+", "Closer", () => board.zoom(STEP)),
    button("−", "Farther", () => board.zoom(1 / STEP)),
    button("⤢", "Show the whole board", () => board.fit()),
  );
}
