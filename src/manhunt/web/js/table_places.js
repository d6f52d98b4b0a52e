// The places of a table as cards, side by side for each seat, with who plays those that stay free.

import { capital, el, replace } from "./dom.js";
import { SEATS, agentName, levelWords } from "./levels.js";

// `asPerson(act)` does something that only a person at the table may do.
export function drawPlaces(host, link, game, asPerson) {
  const focus = document.activeElement?.dataset?.focus;
  replace(host, SEATS.map((seat) => side(seat, link, game, asPerson)));
  if (focus) host.querySelector(`[data-focus="${CSS.escape(focus)}"]`)?.focus();
}

function side(seat, link, game, asPerson) {
  const { state } = link;
  const places = state.places.filter((place) => place.seat === seat);
  const free = places.filter((place) => place.holder === null);
  const isOpen = state.state !== "playing";
  const all = isOpen && places.length > 1 && free.length > 1 ? el("button", { type: "button", "data-focus": `all ${seat}`, onclick: () => asPerson(() => link.sit(seat)) }, free.length === places.length ? "Take all" : "Take the rest") : null;
  return el(
    "section",
    { class: `card seat ${seat}`, "data-seat": seat },
    el("div", { class: "row between" }, el("h2", {}, game?.seats[seat].title ?? seat), all),
    el("div", { class: "cards" }, places.map((place) => placeCard(place, places.length === 1, link, asPerson))),
    free.length ? agentsRow(seat, places.length > 1 ? `${free.length} free` : "", link, game) : null,
  );
}

function placeCard(place, isOnly, link, asPerson) {
  const { state } = link;
  const holder = place.holder === null ? null : link.person(place.holder);
  const mine = place.holder !== null && place.holder === link.me;
  const who = mine ? "You" : (holder?.name ?? "Free");
  const classes = ["place", mine ? "mine" : "", holder ? "" : "free"].filter(Boolean).join(" ");
  const button = actionOf(place, holder, mine, link, asPerson);
  const hand = mine && state.state === "playing" && state.people.some((person) => person.here && person.id !== link.me) ? handOver(place, link) : null;
  return el("div", { class: classes, "data-place": place.id }, badge(place), el("div", { class: "who" }, isOnly ? null : el("span", { class: "quiet" }, capital(place.name)), el("b", {}, who), holder && !mine && !holder.here ? el("span", { class: "quiet" }, "not here") : null), el("div", { class: "row end" }, hand, button));
}

function badge({ letter, colour, on }) {
  const sign = el("span", { class: "badge", "aria-hidden": "true" }, letter);
  if (colour) {
    sign.style.setProperty("background", colour);
    sign.style.setProperty("color", on);
  }
  return sign;
}

// In a game one's own place is handed over.
function actionOf(place, holder, mine, link, asPerson) {
  const { state } = link;
  const isPlaying = state.state === "playing";
  const button = (words, act, more = {}) => el("button", { type: "button", "data-focus": place.id, "aria-label": `${words}: ${place.name}`, onclick: act, ...more }, words);
  if (mine) return isPlaying ? null : button("Leave", () => link.stand(place.id));
  if (link.mayTake(place)) return button(isPlaying || holder ? "Take over" : "Take", () => asPerson(() => link.sit(place.id)), isPlaying ? {} : { class: "primary" });
  return link.mayFree(place) ? button("Free the place", () => link.remove(place.id)) : null;
}

// Gives one's place to somebody else at the table.
function handOver(place, link) {
  const others = link.state.people.filter((person) => person.here && person.id !== link.me);
  const select = el("select", { "aria-label": `Hand over ${place.name}`, class: "hand", onchange: () => select.value && link.hand(place.id, Number(select.value)) }, el("option", { value: "" }, "Hand to …"), others.map((person) => el("option", { value: person.id }, person.name)));
  return select;
}

// Who plays the free places of a seat: the host chooses, others read it.
function agentsRow(seat, count, link, game) {
  const { spec, level } = link.state.agents[seat];
  const intro = count ? "Free places are played by" : "If nobody takes it, it is played by";
  if (!link.isHost || link.state.state === "playing" || !game) return el("p", { class: "quiet agents" }, `${intro} an agent: ${level || (game ? agentName(game, seat, spec) : spec)}.`);
  const agents = [...game.seats[seat].agents];
  const levels = agents.filter((agent) => agent.title).reverse();
  const others = agents.filter((agent) => !agent.title);
  const options = (list) => list.map((agent) => el("option", { value: agent.spec, selected: agent.spec === spec }, agent.title || agent.name));
  const known = agents.some((agent) => agent.spec === spec) ? null : el("option", { value: spec, selected: true }, level || spec);
  const select = el("select", { "data-focus": `agents ${seat}`, onchange: () => link.agents(seat, select.value) }, known, levels.length ? el("optgroup", { label: "Levels" }, options(levels)) : null, others.length ? el("optgroup", { label: levels.length ? "Other agents" : "Agents" }, options(others)) : null);
  const words = level ? levelWords(game, seat, level) : "";
  return el("div", { class: "agents" }, el("label", {}, el("span", {}, `${intro} an agent`), select), words ? el("p", { class: "quiet" }, words) : null);
}
