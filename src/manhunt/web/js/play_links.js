// Games without a table: the link for the other player, and the same game once more.

import { el } from "./dom.js";
import { isPerson, otherSeat } from "./play_words.js";
import { complain, copyButton, rememberGame, rememberedGame } from "./shell.js";
import { api } from "./wire.js";

// A card with the link of the other seat, as long as nobody is there; null where there is none to give.
export function invitation(uid, room, seat, presence) {
  const other = otherSeat(seat);
  const link = rememberedGame(uid)?.links?.[other];
  if (!link || !isPerson(room.seats[other]) || presence[other]) return null;
  const whole = location.origin + link;
  return el(
    "div",
    { class: "invite" },
    el("p", {}, `Send this link to the person who plays ${room.called[other]}:`),
    el("input", { type: "text", readonly: true, value: whole, "aria-label": "Link for the other person", onfocus: (event) => event.target.select() }),
    el("div", { class: "row" }, copyButton(whole)),
  );
}

// A button that begins the game anew, where this browser began it.
export function againButton(uid, seats) {
  if (!rememberedGame(uid)?.body) return null;
  return el("button", { type: "button", class: "primary", onclick: () => again(uid, seats) }, "Play again");
}

async function again(uid, seats) {
  const { body, game } = rememberedGame(uid);
  try {
    const begun = await api("/api/games", { method: "POST", body });
    rememberGame({ uid: begun.uid, game, links: begun.links, held: seats, body, at: Date.now() });
    location.assign(`/play/${begun.uid}#${seats.map((seat) => `${seat}=${begun.tokens[seat]}`).join("&")}`);
  } catch (error) {
    complain(error);
  }
}
