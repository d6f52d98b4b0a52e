// The lists of the home page: games of this browser, tables with free places, games to watch, games that are over.

import { capital, el, plural, recall, replace } from "./dom.js";
import { agentName, SEATS } from "./levels.js";
import { playerName } from "./shell.js";
import { GUEST, forgetTable } from "./table_link.js";
import { api } from "./wire.js";

const MOST_ASKED = 30;
const MOST_MINE = 6;
const MOST_OVER = 3;
const PERSON = "person";
const shown = new WeakMap();

// Draws into `host` if there is anything new to be drawn.
function drawIfNew(host, data, draw) {
  const text = JSON.stringify(data);
  if (shown.get(host) === text) return;
  shown.set(host, text);
  const focused = host.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  replace(host, draw());
  if (focused) host.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
}

// -- games of this browser ----------------------------------------------------------------------------

export async function drawMine(host, games) {
  const tables = Object.entries(recall("tables", {})).slice(-MOST_ASKED);
  let mine = [];
  try {
    mine = tables.length ? await api("/api/tables/mine", { method: "POST", body: { tables: tables.map(([table, { token }]) => ({ table, token })) } }) : [];
  } catch {
    return;
  }
  for (const [table, { at }] of tables) {
    const isOld = Date.now() - at > 3600_000;
    if (isOld && !mine.some((entry) => entry.table === table)) forgetTable(table);
  }
  const entries = [...mine.map(fromTable), ...(await olderGames(games, mine))].sort(byUrgency);
  const over = entries.filter((entry) => entry.rank === 3).slice(0, MOST_OVER);
  const list = [...entries.filter((entry) => entry.rank < 3), ...over].slice(0, MOST_MINE);
  host.hidden = !list.length;
  drawIfNew(host, list, () => [el("h2", {}, "Your games"), el("ul", {}, list.map(mineCard))]);
}

const byUrgency = (a, b) => a.rank - b.rank || b.at - a.at;

function fromTable({ table, play, title, state, yourTurn, people, words, at }) {
  const names = (people ?? []).filter((name) => name !== (playerName() ?? GUEST));
  const others = names.length ? `With ${names.join(", ")}` : "";
  const game = play ? `/play/${play}?table=${table}` : `/table/${table}`;
  if (state === "waiting") return { key: table, rank: 1, title, words: words || "Waiting to start", others, at, link: "Open the table", href: `/table/${table}` };
  if (state === "over") return { key: table, rank: 3, title, words: words || "Over", others, at, link: "Look back", href: game };
  return { key: table, rank: yourTurn ? 0 : 2, title, words: words || "Running", others, at, link: yourTurn ? "Your turn" : "Continue", href: game, isTurn: yourTurn };
}

// Games of this browser that were begun without a table and still run.
async function olderGames(games, mine) {
  const known = recall("games", []).filter((entry) => !mine.some((each) => each.play === entry.uid));
  if (!known.length) return [];
  const running = await api("/api/games?state=running&limit=50").catch(() => []);
  return known.flatMap((entry) => {
    const game = running.find((each) => each.uid === entry.uid);
    const held = (entry.held ?? SEATS).filter((seat) => entry.links?.[seat]);
    if (!game || !held.length) return [];
    const href = `/play/${entry.uid}#${held.map((seat) => entry.links[seat].split("#")[1]).join("&")}`;
    return [{ key: entry.uid, rank: 2, title: game.title, words: roundWords(game), others: "", at: entry.at / 1000, link: "Continue", href }];
  });
}

function mineCard({ title, words, others, link, href, isTurn }) {
  return el("li", { class: isTurn ? "turn" : null }, el("div", {}, el("b", {}, title), el("span", {}, capital(words)), others ? el("small", {}, others) : null), el("a", { class: isTurn ? "button primary" : "button", href, "aria-label": `${link}: ${title}` }, link));
}

// -- everybody's games --------------------------------------------------------------------------------

export async function drawLists(host, games, server) {
  let data;
  try {
    data = await Promise.all([server.lobby ? api("/api/tables") : [], api("/api/games?state=running&limit=8"), api("/api/games?state=finished&limit=8")]);
  } catch {
    return;
  }
  const [tables, running, finished] = data;
  const mine = new Set([...Object.keys(recall("tables", {})), ...recall("games", []).map((entry) => entry.uid)]);
  const strange = tables.filter((table) => !mine.has(table.table));
  const link = (href, words, title) => el("a", { class: "button", href, "aria-label": `${words} ${title}` }, words);
  const left = () => [
    server.lobby ? list("Open tables", strange.map(tableRow), "No table is waiting for players. Open one with “Play with friends”.") : null,
    running.length ? list("Being played", running.map((game) => row(game, games, link(`/play/${game.uid}`, "Watch", game.title)))) : null,
  ].filter(Boolean);
  const played = () => list("Played", finished.map((game) => row(game, games, link(`/replay/${game.uid}`, "Replay", game.title))), "Finished games can be replayed and analysed here.");
  drawIfNew(host, [strange, running, finished], () => {
    const sections = left();
    host.classList.toggle("one", !sections.length);
    return [sections.length ? el("div", {}, sections) : null, played()];
  });
}

function list(title, rows, empty = "") {
  return el("section", {}, el("h2", {}, title), rows.length ? el("ul", {}, rows) : el("p", { class: "quiet" }, empty));
}

function row(game, games, link) {
  const known = games.find((each) => each.name === game.game);
  const sides = SEATS.map((seat) => sideWords(game[seat], seat, known)).join(" against ");
  return el("li", {}, el("div", {}, el("b", {}, game.title), el("span", {}, resultWords(game)), el("small", {}, sides)), link);
}

function tableRow({ table, title, people = [], places = [] }) {
  const free = places.filter((place) => place.holder === null).length;
  const host = people[0]?.name ?? people[0];
  return el("li", {}, el("div", {}, el("b", {}, title), el("span", {}, host ? `${host}’s table` : "A table"), el("small", {}, `${plural(free, "free place")}`)), el("a", { class: "button", href: `/table/${table}`, "aria-label": `Join ${title}` }, "Join"));
}

// Who played a seat: the names of people, or the level of an agent, with the side.
export function sideWords(spec, seat, game) {
  const title = game?.seats[seat].title ?? seat;
  const name = spec.startsWith(`${PERSON}:`) ? spec.slice(PERSON.length + 1) : null;
  if (name) return `${name} (${title})`;
  if (spec === PERSON || !game) return title;
  return `${title} (${agentName(game, seat, spec)})`;
}

export function resultWords(game) {
  if (!game.outcome) return roundWords(game);
  const after = game.round ? `, round ${game.round}` : "";
  return `${game.words ?? game.outcome}${after}`;
}

const roundWords = ({ round }) => (round ? `Round ${round}` : "Just started");
