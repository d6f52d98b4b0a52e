// A small menu at a place of a board. One is open at a time; Escape and a press beside it close it without an answer.

import { el } from "./dom.js";

export class BoardMenu {
  // `host` is the element over which menus open; `closed` is told whenever one has gone.
  constructor(host, closed) {
    this.host = host;
    this.closed = closed;
    this.close = null; // close(value) while a menu is open
  }

  // [{words, value, note?, swatch?}] at a pixel of the host -> the chosen value, or null.
  ask(place, question, choices) {
    this.close?.(null);
    return new Promise((answer) => {
      const menu = this.#build(question, choices);
      const outside = (event) => {
        if (!menu.contains(event.target)) this.close(null);
      };
      this.close = (value) => {
        this.close = null;
        removeEventListener("pointerdown", outside, true);
        menu.remove();
        this.closed();
        answer(value);
      };
      menu.addEventListener("keydown", (event) => this.#key(event, menu));
      addEventListener("pointerdown", outside, true);
      this.host.append(menu);
      this.#put(menu, place);
      menu.querySelector("button").focus();
    });
  }

  #build(question, choices) {
    return el(
      "div",
      { class: "ask", role: "menu", "aria-label": question },
      el("p", {}, question),
      choices.map((choice) =>
        el(
          "button",
          { type: "button", role: "menuitem", onclick: () => this.close(choice.value) },
          choice.swatch ? el("i", { class: `swatch ${choice.swatch}`, "aria-hidden": "true" }) : null,
          choice.words,
          choice.note ? el("small", {}, choice.note) : null,
        ),
      ),
    );
  }

  // Below the place if there is room, else above it; never beyond the sides.
  #put(menu, place) {
    const room = this.host.getBoundingClientRect();
    const size = menu.getBoundingClientRect();
    const left = Math.max(8, Math.min(place.x - size.width / 2, room.width - size.width - 8));
    const below = place.y + 18 + size.height < room.height;
    const top = below ? place.y + 18 : Math.max(8, place.y - size.height - 18);
    menu.style.setProperty("left", `${left}px`);
    menu.style.setProperty("top", `${top}px`);
  }

  #key(event, menu) {
    const buttons = [...menu.querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") this.close(null);
    else if (step) buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
