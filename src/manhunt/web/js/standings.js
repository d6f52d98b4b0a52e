// The standings of a tournament, live: the page asks again every few seconds while it is played.

import { el, plural, replace } from "./dom.js";
import { complain, shell } from "./shell.js";
import { api } from "./wire.js";

const SECONDS = 3;
const NEWEST = 12;
const SWISS = "swiss";
const LEGEND = "A win is one point, a draw half a point. A fault is a turn without a legal move in time; a forfeit is a fault that cost the game.";
const TIES = " Ties go to the bot that met stronger opponents (Buchholz: their mean share of the points), then to direct games.";
const $ = (id) => document.getElementById(id);
const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;
const when = (at) => new Date(1000 * at).toLocaleTimeString([], { timeStyle: "short" });

let name = null;
let ranks = new Map(); // by bot, as they were when the order last changed
let moved = new Map(); // by bot, "up" or "down" since then
let look = ""; // what is drawn
let lostBy = ""; // whose lost games are listed; empty for all games
let most = NEWEST; // how many of them

function columns(table) {
  const role = ({ won, drawn, lost }) => `${won}–${drawn}–${lost}`;
  const count = (n) => (n ? el("span", { class: "fault" }, n) : "");
  return [
    ["", (row) => row.rank],
    ["Bot", (row) => row.bot],
    ["Points", (row) => [row.points, el("small", {}, `of ${row.games}`)]],
    ["Share", (row) => (row.games ? percent(row.share) : "–")],
    ...(table.format === SWISS ? [["Buchholz", (row) => (row.buchholz === undefined ? "–" : percent(row.buchholz, 1)), "extra"]] : []),
    ["As evader (won–drawn–lost)", (row) => role(row.evader), "extra"],
    ["As pursuers", (row) => role(row.pursuers), "extra"],
    ["Forfeits", (row) => count(row.forfeits)],
    ["Faults", (row) => count(Object.values(row.faults).reduce((sum, n) => sum + n, 0))],
  ];
}

function drawTable(table) {
  const shown = columns(table);
  const cell = (row, [title, value, kind], i) =>
    i === 1 ? el("th", { scope: "row" }, value(row)) : el("td", { class: i === 0 ? (moved.get(row.bot) ?? null) : (kind ?? null) }, value(row));
  replace(
    $("table").querySelector(".scroll"),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, shown.map(([title, , kind]) => el("th", { scope: "col", class: kind ?? null }, title)))),
      el("tbody", {}, table.standings.map((row) => el("tr", {}, shown.map((column, i) => cell(row, column, i))))),
    ),
  );
  $("legend").textContent = LEGEND + (table.format === SWISS ? TIES : "");
  $("table").hidden = false;
}

function noteMoves(table) {
  const now = new Map(table.standings.map((row) => [row.bot, row.rank]));
  const changed = [...now].filter(([bot, rank]) => ranks.has(bot) && ranks.get(bot) !== rank);
  if (changed.length) moved = new Map(changed.map(([bot, rank]) => [bot, rank < ranks.get(bot) ? "up" : "down"]));
  if (table.finished) moved = new Map();
  ranks = now;
}

function drawGames(table) {
  const found = table.results.filter((game) => !lostBy || game.loser === lostBy);
  const games = found.slice(0, most);
  const again = (bot, n) => {
    [lostBy, most] = [bot, n];
    drawGames(table);
  };
  const option = (value, words) => el("option", { value, selected: value === lostBy }, words);
  const bots = table.standings.map((row) => row.bot);
  replace(
    $("which"),
    el("select", { "aria-label": "Which games", onchange: (event) => again(event.target.value, NEWEST) }, option("", "all games"), bots.map((bot) => option(bot, `lost by ${bot}`))),
    found.length > most ? el("button", { type: "button", onclick: () => again(lostBy, most + 4 * NEWEST) }, "Show more") : null,
    found.length ? null : el("span", { class: "quiet" }, "none"),
  );
  replace(
    $("newest").querySelector("ul"),
    games.map((game) =>
      el(
        "li",
        {},
        el("span", { class: "n" }, game.number),
        el("span", { class: "what" }, el("b", {}, game.words ?? "could not be played"), el("small", {}, `${game.game}: ${game.evader} against ${game.pursuers}, ${plural(game.rounds, "round")}`)),
        game.uid ? el("a", { class: "button", href: `/replay/${game.uid}`, "aria-label": `Replay game ${game.number}` }, "Replay") : null,
        game.uid && game.analysis ? el("a", { class: "button", href: `/replay/${game.uid}?analyse`, "aria-label": `Analyse game ${game.number}` }, "Analyse") : null,
      ),
    ),
  );
  $("newest").hidden = !table.results.length;
}

function draw(table) {
  const rounds = table.rounds ? `, round ${table.rounds[0]} of ${table.rounds[1]}` : "";
  const state = table.finished ? `finished at ${when(table.finished)}` : "being played";
  $("name").textContent = table.name;
  document.title = `Standings: ${table.name}`;
  $("state").textContent = `${table.played} of ${plural(table.expected, "game")}${rounds}, ${state}; ${table.games.join(", ")}`;
  $("far").hidden = Boolean(table.finished);
  $("far").value = table.expected ? table.played / table.expected : 0;
  const next = JSON.stringify([table.played, table.finished, table.standings]);
  if (next === look) return;
  look = next;
  noteMoves(table);
  drawTable(table);
  drawGames(table);
}

function drawOthers(all) {
  const others = all.filter((each) => each.name !== name);
  replace(
    $("others").querySelector("ul"),
    others.map((each) => el("li", {}, el("a", { href: `#${encodeURIComponent(each.name)}` }, each.name), ` ${plural(each.played, "game")}, ${each.finished ? "finished" : "being played"}`)),
  );
  $("others").hidden = !others.length;
}

// The tournament of the address; without one, the newest.
async function show() {
  const all = await api("/api/tournaments");
  const asked = decodeURIComponent(location.hash.slice(1)) || all[0]?.name;
  if (asked !== name) [name, ranks, moved, look, lostBy, most] = [asked, new Map(), new Map(), "", "", NEWEST];
  drawOthers(all);
  if (name === undefined) {
    $("state").textContent = "No tournament in this store yet. Start one with: manhunt tournament run FILE";
    return;
  }
  draw(await api(`/api/tournaments/${encodeURIComponent(name)}`));
}

async function watch() {
  for (;;) {
    try {
      if (!document.hidden) await show();
    } catch (error) {
      if (error.status === 404) $("state").textContent = error.message;
      else complain(error);
    }
    await new Promise((next) => setTimeout(next, 1000 * SECONDS));
  }
}

shell("arena");
addEventListener("hashchange", () => show().catch(complain));
watch();
