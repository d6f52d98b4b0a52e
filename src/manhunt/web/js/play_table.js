// The panel about the table: who plays what, what was agreed, handing over, and this browser's switches.

import { el, replace } from "./dom.js";
import { signalSwitches } from "./play_signals.js";
import { SEATS, helpWords, isPerson, playerOf } from "./play_words.js";
import { copyButton } from "./shell.js";

const SEE = { live: "everything public, at once", delayed: "the same, a few plies later", never: "nothing until the end" };
const TIMEOUT = { lose: "loses the game", random: "a random move is made", agent: "an agent moves" };

// `table` is {room, uid, link: TableLink or null, takeBacks: {evader, pursuers} or null, over}.
export function drawTable(host, { room, uid, link, takeBacks, over }) {
  const options = room.options ?? {};
  const fact = (name, ...words) => [el("dt", {}, name), el("dd", {}, words)];
  const places = link?.state?.places ?? [];
  replace(
    host,
    el(
      "dl",
      { class: "facts" },
      places.length ? places.map((place) => fact(place.name, holderOf(link, place, over))) : SEATS.map((seat) => fact(room.names[seat], playerOf(room, seat) ?? "a player")),
      room.options ? fact("Help", helpWords(options.help)) : null,
      options.take_backs ? fact("Take back", takeBackWords(room, takeBacks)) : null,
      options.turn_seconds || options.game_seconds ? fact("Out of time", TIMEOUT[options.on_timeout] ?? "") : null,
      fact("Spectators see", SEE[room.spectators] ?? room.spectators),
      room.seeded ? fact("Deal", "from a seed that somebody chose; anyone who knows the seed knows the deal") : null,
      room.commitment ? [el("dt", {}, "Deal committed as"), el("dd", { class: "digits", title: "SHA-256 of the deal; the replay checks it" }, room.commitment)] : null,
    ),
    el("div", { class: "row" }, copyButton(`${location.origin}/play/${uid}`, "Copy link for spectators"), link ? el("a", { class: "button", href: `/table/${link.uid}#stay` }, "To the table") : null),
    signalSwitches(),
  );
}

function takeBackWords(room, takeBacks) {
  const asked = SEATS.every((seat) => isPerson(room.seats[seat])) ? "if the other side agrees" : "at any time";
  const counts = SEATS.filter((seat) => takeBacks?.[seat]).map((seat) => `${room.names[seat]} ${takeBacks[seat]}`);
  return counts.length ? `${asked}; used: ${counts.join(", ")}` : asked;
}

// The holder's name, with a way to give one's own place away, to take one over or to free it.
function holderOf(link, place, over) {
  const person = place.holder === null ? null : link.person(place.holder);
  const mine = person !== null && person.id === link.me;
  const away = !person || person.here ? null : el("small", { class: "away" }, " not here");
  const agent = link.state.agents[place.seat];
  const words = [person ? (mine ? `${person.name} (you)` : person.name) : agent?.level || agent?.spec || "an agent", away];
  const button = (name, act) => [" ", el("button", { type: "button", class: "hand", "aria-label": `${name}: ${place.name}`, onclick: act }, name)];
  if (over || link.me === null) return words;
  if (mine) return [...words, button("Hand over", () => handOver(link, place))];
  if (link.mayTake(place)) return [...words, button("Take over", () => link.sit(place.id))];
  return link.mayFree(place) ? [...words, button("Free the place", () => link.remove(place.id))] : words;
}

// To whom? Whoever has held the other side in this game is refused by the server.
function handOver(link, place) {
  const others = link.state.people.filter((person) => person.id !== link.me);
  const give = (to) => {
    link.hand(place.id, to);
    dialog.close();
  };
  const dialog = el(
    "dialog",
    { class: "small", "aria-label": `Hand over ${place.name}` },
    el("h2", {}, `Hand over ${place.name}`),
    el("div", { class: "stack" }, others.map((person) => el("button", { type: "button", onclick: () => give(person.id) }, person.name)), el("button", { type: "button", onclick: () => give("agent") }, "Let an agent take over")),
    el("div", { class: "row end" }, el("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Cancel")),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// A question of the other side, or the answer that is being waited for; nothing where nobody asks.
export function drawTakeBack(host, takeback, seat, answer) {
  if (!takeback || seat === "spectator") {
    replace(host);
    return;
  }
  const mine = takeback.seat === seat;
  const who = takeback.name || "The other side";
  replace(
    host,
    el(
      "section",
      { class: "asking card", role: "alert" },
      el("p", {}, mine ? "You asked to take back your last turn. Waiting for the other side." : `${who} would like to take back the last turn.`),
      mine ? null : el("div", { class: "row" }, el("button", { type: "button", class: "primary allow", onclick: () => answer(true) }, "Allow"), el("button", { type: "button", class: "refuse", onclick: () => answer(false) }, "Refuse")),
    ),
  );
}
