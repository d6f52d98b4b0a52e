// One screen for two: the seat that acts is shown after its player has said so. In between nothing of the game is shown.

import { el, replace } from "./dom.js";
import { announce } from "./shell.js";

// The seat that may be shown now, of `heldSeats`; null means that the curtain must be drawn for `next`.
export function seatToShow({ heldSeats, shown, newest, over }) {
  if (!newest?.last) return { shown };
  if (over) return { shown: shown ?? newest };
  const next = heldSeats.find((held) => held.seat === newest.turn);
  if (!next || shown === next) return { shown };
  return newest.last.scene.hidden === false ? { shown: next } : { shown: null, next };
}

export function drawCurtain(stage, name, open) {
  const button = el("button", { type: "button", class: "primary big", onclick: open }, `Show what ${name} may see`);
  replace(stage, el("div", { class: "curtain" }, el("h2", {}, `Pass the device to ${name}`), el("p", {}, "Nobody else should look now."), button));
  announce(`Pass the device to ${name}`);
  button.focus();
}
