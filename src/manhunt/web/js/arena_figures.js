// Figures of a run as tables: matrix with intervals, ratings, times.

import { el, plural } from "./dom.js";

const percent = (rate) => `${(100 * rate).toFixed(1)} %`;
const span = (interval) => `${(100 * interval.low).toFixed(0)} to ${(100 * interval.high).toFixed(0)}`;
const number = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));

export function seconds(value) {
  if (value === null || value === undefined) return "–";
  if (value >= 1) return `${value.toPrecision(3)} s`;
  return value >= 0.001 ? `${(1000 * value).toPrecision(3)} ms` : `${(1e6 * value).toFixed(0)} µs`;
}

// How long something will take, in words.
export function duration(value) {
  if (value < 90) return `${Math.max(1, Math.round(value))} s`;
  if (value < 5400) return `${Math.round(value / 60)} min`;
  return `${(value / 3600).toFixed(1)} h`;
}

// Heads of columns; those of numbers end with a space.
const heads = (...texts) => texts.map((text) => el("th", { scope: "col", class: text.endsWith(" ") ? "n" : null }, text.trim()));

// Evaders down, pursuers across; `open(evader, pursuers)` when a cell is chosen.
export function matrix(run, open) {
  const cells = new Map((run.summary?.cells ?? []).map((cell) => [`${cell.evader}\n${cell.pursuers}`, cell]));
  const costs = [...cells.values()].filter((cell) => cell.mean_cost).map((cell) => Math.log(cell.mean_cost.value));
  const range = costs.length ? [Math.min(...costs), Math.max(...costs)] : [0, 0];
  return el(
    "table",
    { class: "matrix" },
    el("caption", {}, run.costs ? `What the ${run.names.evader} pays on average on arrival` : `How often ${run.names.evader} wins`),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, `${run.names.evader} \\ ${run.names.pursuers}`), run.pursuers.map((name) => el("th", { scope: "col" }, name)))),
    el(
      "tbody",
      {},
      run.evaders.map((evader) =>
        el("tr", {}, el("th", { scope: "row" }, evader), run.pursuers.map((name) => cellOf(cells.get(`${evader}\n${name}`), run, range, () => open(evader, name)))),
      ),
    ),
  );
}

// How good the cell is for the evader, from 0 to 1: his rate, or how cheap he comes through.
function shade(cell, run, [least, most]) {
  if (!run.costs) return cell.evader_rate.value;
  if (!cell.mean_cost) return 0;
  return most > least ? (most - Math.log(cell.mean_cost.value)) / (most - least) : 0.5;
}

function cellOf(cell, run, costs, open) {
  if (!cell?.games) return el("td", { class: "empty" }, "no games yet");
  const rate = cell.evader_rate;
  const cost = run.costs ? cell.mean_cost : null;
  const main = run.costs ? (cost ? number(cost.value) : "never arrives") : percent(rate.value);
  const range = run.costs ? (cost && cost.low !== cost.high ? `${number(cost.low)} to ${number(cost.high)}` : " ") : span(rate);
  const words = run.costs ? `${main}, ${plural(cell.games, "game")}` : `${main} of ${plural(cell.games, "game")}, interval ${range}`;
  const td = el(
    "td",
    {},
    el(
      "button",
      { type: "button", "aria-label": `${cell.evader} against ${cell.pursuers}: ${words}. Show the games.`, onclick: open },
      el("b", {}, main),
      el("small", {}, range),
      el("small", {}, `${plural(cell.games, "game")}, ${cell.mean_rounds?.toFixed(1) ?? "–"} rounds`),
    ),
  );
  td.style.setProperty("--rate", String(shade(cell, run, costs)));
  return td;
}

export function ratings(run) {
  if (!run.summary) return null;
  const rows = ["evader", "pursuers"].flatMap((seat) => run.summary.ratings[seat].map((row) => ({ seat, ...row })));
  if (rows.length <= 2) return null;
  const ends = rows.flatMap((row) => (row.reference ? [0] : [row.low, row.high]));
  const [low, high] = [Math.min(...ends), Math.max(...ends, Math.min(...ends) + 1)];
  const at = (elo) => `${(100 * (elo - low)) / (high - low)}%`;
  return el(
    "table",
    { class: "ratings" },
    el("caption", {}, "Ratings (Elo, each role against its reference)"),
    el("thead", {}, el("tr", {}, heads("Role", "Agent", "Elo ", "95 % interval ", ""))),
    el(
      "tbody",
      {},
      rows.map((row) => {
        const bar = el("span", { class: `whisker ${row.seat}`, "aria-hidden": "true" }, el("i", {}), el("b", {}));
        bar.style.setProperty("--low", at(row.reference ? 0 : row.low));
        bar.style.setProperty("--high", at(row.reference ? 0 : row.high));
        bar.style.setProperty("--mid", at(row.elo));
        const elo = row.reference ? "0" : `${row.elo >= 0 ? "+" : ""}${row.elo.toFixed(0)}`;
        const range = row.reference ? "reference" : `${row.low.toFixed(0)} to ${row.high.toFixed(0)}${row.open ? " (every game had the same result)" : ""}`;
        return el("tr", {}, el("td", {}, run.names[row.seat]), el("th", { scope: "row" }, row.agent), el("td", { class: "n" }, elo), el("td", { class: "n" }, range), el("td", { class: "plot" }, bar));
      }),
    ),
  );
}

export function times(run) {
  if (!run.times.length) return null;
  return el(
    "table",
    { class: "plain" },
    el("caption", {}, "Time per decision"),
    el("thead", {}, el("tr", {}, heads("Role", "Agent", "mean ", "longest ", "decisions "))),
    el(
      "tbody",
      {},
      run.times.map((row) =>
        el("tr", {}, el("td", {}, run.names[row.seat]), el("th", { scope: "row" }, row.agent), [seconds(row.mean_seconds), seconds(row.longest_seconds), row.decisions.toLocaleString("en")].map((text) => el("td", { class: "n" }, text))),
      ),
    ),
  );
}
