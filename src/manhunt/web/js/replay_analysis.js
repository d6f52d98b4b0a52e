// What an analysis says at a moment of a replay: signs, arrows, rows, skill and luck. No rules, only figures of the server.

import { capital, el, replace } from "./dom.js";
import { SEATS } from "./play_words.js";

// Of marks, as chess players write them.
export const SIGNS = { slip: "?!", mistake: "?", blunder: "??", find: "!" };
export const MARK_WORDS = { slip: "slip", mistake: "mistake", blunder: "blunder", find: "find" };
const MINUS = "\u2212";

export const marked = (analysis) => analysis.moves.filter((move) => move.mark);

// Who looks at another seat's knowledge sees no marks of moves that this seat did not see.
export const mayRead = (move, track) => track === "truth" || track === move.seat;

// The marked move that is made next at a stop, the worst of its turn; null if there is none, or it is not to be read.
export function nextMarked(analysis, turn, track) {
  if (!analysis || !turn) return null;
  const inside = marked(analysis).filter((move) => move.ply >= turn.first && move.ply < turn.ply && mayRead(move, track));
  return inside.reduce((worst, move) => (worst && worst.lost >= move.lost ? worst : move), null);
}

// The scene with the judged move in red and the better one in green, in place of the arrows of the move before. Where no
// arrows can show them, the game's page reads both in notation.
export function withArrows(scene, move) {
  if (!move) return scene;
  const { played = [], best = [] } = move.arrows ?? {};
  const isFind = move.mark === "find";
  if (!played.length && !best.length) return { ...scene, judged: { worse: isFind ? "" : move.action, better: isFind ? move.action : (move.best ?? "") } };
  if (!scene.marks) return scene;
  const arrows = isFind ? { worse: [], better: played } : { worse: played, better: best };
  return { ...scene, marks: { ...scene.marks, arrows: [], ...arrows } };
}

// A change in the unit of the analysis: `+12`, `−3`; empty where it rounds to nothing.
export function amount(unit, value) {
  if (value === null || value === undefined) return "";
  const rounded = unit === "chance" ? Math.round(100 * value) : Number(value.toPrecision(3));
  if (!rounded || Math.abs(value) < 1e-9) return "";
  return `${rounded > 0 ? "+" : MINUS}${Math.abs(rounded)}`;
}

const UNITS = { chance: "points", rounds: "rounds", cost: "" };

// What a player reads of the whole game: [[name, figure]].
export function playerFacts(analysis, seat) {
  const player = analysis.players[seat];
  const { unit } = analysis.axis;
  const said = (value) => (value === null ? "unknown" : `${amount(unit, value) || "0"} ${UNITS[unit]}`.trim());
  const marks = Object.entries(SIGNS).flatMap(([mark, sign]) => (player.marks[mark] ? [`${player.marks[mark]} ${sign}`] : []));
  const facts = [["Accuracy", player.accuracy === null ? "no free decision" : `${Math.round(player.accuracy)} of 100`]];
  if (player.accuracy !== null) facts.push(["Decisions", String(player.decisions)]);
  if (marks.length) facts.push(["Marks", marks.join(", ")]);
  if (player.choice !== null) {
    facts.push(["Own choices", said(player.choice)], ["Other side's choices", said(player.opponent)]);
    if (hasLuck(analysis)) facts.push(["Luck", said(player.luck)]);
    if (player.open) facts.push(["Undecided", said(player.open)]);
    facts.push(["Together", said(player.result)]);
  }
  return facts;
}

export const hasLuck = (analysis) => (analysis.skill?.steps ?? []).some((step) => ["chance", "hidden", "reply"].includes(step.cause));

// One row a turn: [round, who, what, sign, choice, luck].
export function turnRows(analysis, names) {
  const { unit } = analysis.axis;
  return analysis.turns.map((turn) => ({
    first: turn.first,
    mark: turn.mark,
    cells: [turn.round, names[turn.seat] ?? "chance", turn.words, SIGNS[turn.mark] ?? "", amount(unit, turn.choice), amount(unit, turn.luck)],
  }));
}

// -- what a piece of knowledge was worth ------------------------------------------------------------

const percent = (chance) => `${Math.round(100 * chance)} %`;

// One row: [what it did, both chances and what would have been without it].
export const worthWords = ({ words, without, chance_with: ahead, chance_without: behind }) => [
  words,
  `${percent(ahead.mean)} with it; ${percent(behind.mean)} without: ${without}`,
];

// Whether it was certainly good or bad for the evader.
export const signOf = ({ low, high }) => (low > 0 ? "gain" : high < 0 ? "loss" : "open");

// -- drawn ------------------------------------------------------------------------------------------

// `go(ply)` shows the position before a move.
export function showJudgement(host, analysis, head, go) {
  const { names } = head;
  const list = marked(analysis).map((move) => {
    const turn = analysis.turns.find((each) => move.ply >= each.first && move.ply < each.ply);
    const who = `round ${turn?.round ?? 1}, ${names[move.seat]}, ${MARK_WORDS[move.mark]}`;
    const words = el("span", {}, el("small", {}, who), move.words);
    return el("li", {}, el("button", { type: "button", class: move.mark, onclick: () => go(turn?.first ?? move.ply) }, el("b", { "aria-hidden": "true" }, SIGNS[move.mark]), words));
  });
  replace(
    host,
    bothSides(analysis, names),
    list.length ? el("ol", { class: "judged" }, list) : el("p", {}, "No move is marked."),
    el("p", { class: "quiet" }, capital(analysis.stated)),
    el("details", {}, el("summary", {}, "How this was worked out"), analysis.how.map((text) => el("p", { class: "quiet" }, text)), table(analysis, names)),
  );
}

// One row a figure, one column a side.
function bothSides(analysis, names) {
  const sides = SEATS.map((seat) => new Map(playerFacts(analysis, seat)));
  const facts = [...new Set(sides.flatMap((side) => [...side.keys()]))];
  const head = el("tr", {}, el("td"), SEATS.map((seat) => el("th", { scope: "col" }, capital(names[seat]))));
  const rows = facts.map((name) => el("tr", {}, el("th", { scope: "row" }, name), sides.map((side) => el("td", {}, side.get(name) ?? "–"))));
  return el("table", { class: "both-sides" }, el("thead", {}, head), el("tbody", {}, rows));
}

function table(analysis, names) {
  const heads = ["Round", "Who", "What", "", "Choice", "Luck"];
  const rows = turnRows(analysis, names).map(({ mark, cells }) => el("tr", { class: mark }, cells.map((cell) => el("td", {}, cell))));
  const head = el("tr", {}, heads.map((name) => el("th", { scope: "col" }, name)));
  return el("div", { class: "scroll all-moves", tabindex: "0", role: "region", "aria-label": "All turns, judged" }, el("table", {}, el("thead", {}, head), el("tbody", {}, rows)));
}
