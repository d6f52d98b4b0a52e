// A team's turn before it is final: who has moved what, who has confirmed, and what this player can do about it.

import { el, replace } from "./dom.js";
import { listed } from "./play_words.js";

// The offers that are this player's: of the pieces they hold; `places` is null for all.
export function ownOffers(offers, places) {
  return places ? offers.filter((offer) => !offer.place || places.includes(offer.place)) : offers;
}

// {isMine, words, mayConfirm, hasConfirmed}: what the turn waits for. Null where nothing is drafted.
export function draftState(draft, { me, nameOf }) {
  if (!draft) return null;
  const { moves, confirmed, needed, open } = draft;
  const hasConfirmed = confirmed.includes(me);
  const state = (words, isMine = false, mayConfirm = false) => ({ isMine, mayConfirm, hasConfirmed, words });
  const waiting = (people, what) => (people.length ? `Waiting for ${listed(people.map(nameOf))} to ${what}` : "Waiting for the team");
  if (open.includes(me)) return state(moves.length ? "Your turn: move or undo" : "Your turn", true);
  if (open.length) return state(waiting(open, "move"));
  if (needed.includes(me) && !hasConfirmed) return state("Confirm the turn", true, true);
  return state(waiting(needed.filter((id) => !confirmed.includes(id)), "confirm"));
}

// The card with the drafted moves; `act` has undo(place), confirm(), unconfirm().
export function drawDraft(host, draft, state, { me, nameOf, act }) {
  if (!draft || (!draft.moves.length && !state.mayConfirm && !state.hasConfirmed)) {
    replace(host);
    return;
  }
  const mark = (id) => el("li", { class: draft.confirmed.includes(id) ? "yes" : null }, draft.confirmed.includes(id) ? "✓ " : "○ ", id === me ? "you" : nameOf(id));
  replace(
    host,
    el(
      "section",
      { class: "draft card", "aria-label": "This turn, not final yet" },
      el("h2", {}, "This turn"),
      el(
        "ul",
        { class: "drafted" },
        draft.moves.map((move) =>
          el("li", {}, el("span", {}, move.words), el("button", { type: "button", class: "undo", "data-undo": move.place, "aria-label": `Undo: ${move.words}`, onclick: once(() => act.undo(move.place)) }, "Undo")),
        ),
      ),
      draft.needed.length > 1 ? el("ul", { class: "confirmations", "aria-label": "Confirmed by" }, el("li", { "aria-hidden": "true" }, "Confirmed:"), draft.needed.map(mark)) : null,
      confirmation(draft, state, act),
    ),
  );
}

// A second press before the answer has come would be refused.
function once(act) {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

// Whoever moves all pieces alone has nobody to wait for: the turn happens with its last move.
function confirmation({ needed }, { mayConfirm, hasConfirmed }, act) {
  if (needed.length < 2 && !mayConfirm && !hasConfirmed) return el("p", { class: "quiet" }, "The turn is final when the last piece has moved.");
  const button = hasConfirmed
    ? el("button", { type: "button", onclick: once(act.unconfirm) }, "Change something")
    : el("button", { type: "button", class: "primary confirm", disabled: !mayConfirm, onclick: once(act.confirm) }, "Confirm turn");
  return el("div", { class: "row" }, button);
}
