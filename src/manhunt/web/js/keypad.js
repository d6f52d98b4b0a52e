// The next entry by buttons: a tree from the server is gone through, and the way is the line.
// A button is {text, words, colour?, left?, piece?, pick?: {from, n, words, then?}, then?: [buttons]}.

import { pieceBadge } from "./board_pieces.js";
import { el, plural, replace } from "./dom.js";

const FEW = 14;

export class Keypad {
  // `enter(line)` takes a finished line; `picking(labels | null, take)` may offer the labels elsewhere, too.
  // `note(label)` gives a word below a number, or nothing.
  constructor(host, { enter, picking = () => {}, note = () => null }) {
    this.host = host;
    this.note = note;
    this.enter = enter;
    this.picking = picking;
    this.show([]);
  }

  show(buttons, { reset = true } = {}) {
    this.root = buttons;
    if (reset) this.start();
  }

  start() {
    this.words = [];
    this.buttons = this.root;
    this.asked = null;
    this.chosen = new Set();
    this.picking(null);
    this.draw();
  }

  draw() {
    const path = this.words.length || this.asked;
    replace(
      this.host,
      path
        ? el(
            "div",
            { class: "keypad-path row" },
            el("b", {}, [...this.words, ...(this.asked ? [this.asked.text] : []), ...this.chosen, "…"].join(" ")),
            el("button", { type: "button", class: "back", onclick: () => this.start() }, "Back"),
          )
        : null,
      this.asked ? this.picks() : this.keys(),
    );
  }

  keys() {
    if (!this.buttons.length) return null;
    return el(
      "div",
      { class: "keys", role: "group", "aria-label": "Next entry" },
      this.buttons.map((button) =>
        el(
          "button",
          { type: "button", class: `key ${button.colour ?? ""}`, "data-text": button.text, onclick: () => this.press(button) },
          button.piece ? pieceBadge(button.piece) : null,
          el("span", {}, button.words),
          button.left === undefined ? null : el("small", {}, plural(button.left, "left", "left")),
          button.piece ? el("small", {}, `on ${button.piece.at}`) : null,
        ),
      ),
    );
  }

  press(button) {
    if (button.pick) {
      this.asked = button;
      this.chosen = new Set();
      if (button.pick.n === 1) this.picking(button.pick.from, (label) => this.take([label]), button.pick.words);
      this.draw();
      // On a phone a focused field would bring up its keyboard over the board.
      if (matchMedia("(pointer: fine)").matches) this.host.querySelector("input")?.focus({ preventScroll: true });
      return;
    }
    this.go([...this.words, button.text], button.then);
  }

  // What was picked becomes part of the line.
  take(labels) {
    const { asked } = this;
    if (!asked) return;
    const then = asked.pick.then?.[labels[0]] ?? asked.then;
    this.go([...this.words, asked.text, ...labels], then);
  }

  go(words, then) {
    this.picking(null);
    if (!then) {
      this.start();
      this.enter(words.join(" "));
      return;
    }
    this.words = words;
    this.buttons = then;
    this.asked = null;
    this.chosen = new Set();
    this.draw();
    this.host.querySelector(".key")?.focus({ preventScroll: true });
  }

  picks() {
    const { pick } = this.asked;
    const many = pick.n !== 1;
    const grid = pick.from.length <= FEW || many || pick.from.every((label) => Number(label) < 63) ? this.grid(pick, many) : null;
    const wanted = pick.n === null ? "one or more" : pick.n;
    return el(
      "div",
      { class: "picks" },
      el("p", {}, many ? `${pick.words} (${wanted}):` : `${pick.words} …`),
      grid,
      grid ? null : this.typed(pick),
      many ? this.done(pick) : null,
    );
  }

  grid(pick, many) {
    return el(
      "div",
      { class: "numbers", role: "group", "aria-label": pick.words },
      pick.from.map((label) =>
        el(
          "button",
          {
            type: "button",
            "data-pick": label,
            "aria-pressed": many ? String(this.chosen.has(label)) : null,
            onclick: () => (many ? this.toggle(label) : this.take([label])),
          },
          el("span", {}, label),
          this.note(label, this.asked) ? el("small", {}, this.note(label, this.asked)) : null,
        ),
      ),
    );
  }

  toggle(label) {
    if (!this.chosen.delete(label)) this.chosen.add(label);
    this.draw();
    this.host.querySelector(`[data-pick="${CSS.escape(label)}"]`)?.focus({ preventScroll: true });
  }

  done(pick) {
    const n = this.chosen.size;
    const ready = pick.n === null ? n > 0 : n === pick.n;
    const order = [...this.chosen].sort((a, b) => pick.from.indexOf(a) - pick.from.indexOf(b));
    return el("button", { type: "button", class: "primary done", disabled: !ready, onclick: () => this.take(order) }, "OK");
  }

  typed(pick) {
    const input = el("input", { type: "text", inputmode: "numeric", size: 6, "aria-label": pick.words, autocomplete: "off" });
    const note = el("small", { role: "status" });
    const submit = (event) => {
      event.preventDefault();
      const label = input.value.trim();
      if (pick.from.includes(label)) this.take([label]);
      else note.textContent = label ? `${label} is not possible here.` : "";
    };
    return el("form", { class: "row", onsubmit: submit }, input, el("button", { type: "submit" }, "OK"), el("span", { class: "quiet" }, "or tap it on the board"), note);
  }
}
