// A game on the home page: its picture, a level, and buttons that begin it.

import { capital, el, keep, recall, replace } from "./dom.js";
import { loadPicture } from "./game_files.js";
import { SEATS, agentWords, agentsAt, levelNames, levelWords, usualLevel } from "./levels.js";
import { askName, busy, complain } from "./shell.js";
import { openTable } from "./table_link.js";

export function gameCard(game, isFirst) {
  const names = levelNames(game);
  const work = el("div", { class: "work" });
  const words = el("p", { class: "quiet says" });
  let level = recall(`level ${game.name}`);
  if (!names.includes(level)) level = usualLevel(game);

  const setLevel = (name) => {
    level = name;
    replace(words, SEATS.map((seat) => levelWords(game, seat, name)).filter(Boolean).map((text) => el("span", {}, text)));
  };
  const select = el("select", { "aria-label": `Level of your opponents in ${game.title}`, onchange: () => (setLevel(select.value), keep(`level ${game.name}`, select.value)) }, names.map((name) => el("option", { value: name, selected: name === level }, name)));
  setLevel(level);

  const begin = (body) => start(game, { agents: agentsAt(game, level), ...body }, work);
  const play = SEATS.map((seat) => el("button", { type: "button", class: "primary", "data-seat": seat, onclick: () => begin({ sit: [seat], start: true }) }, `Play ${game.seats[seat].called}`));
  const friends = el("button", { type: "button", class: "friends", onclick: () => invite(begin) }, "Play with friends");
  const more = el("button", { type: "button", class: "plain", onclick: () => moreOptions(game) }, "More options");
  const about = el("button", { type: "button", class: "plain", onclick: () => aboutLevels(game) }, "About the levels");
  return el(
    "article",
    { class: isFirst ? "game first" : "game", "data-game": game.name, "aria-label": game.title },
    loadPicture(game.picture),
    el(
      "div",
      { class: "about" },
      el("h2", {}, game.title),
      el("p", {}, game.summary),
      names.length ? el("div", { class: "level" }, el("label", {}, el("span", {}, "Level"), select), words) : el("p", { class: "quiet says" }, agentWords(game).map((text) => el("span", {}, text))),
      el("div", { class: "start" }, play, friends),
      el("div", { class: "links" }, game.lessons ? el("a", { class: "plain", href: game.lessons }, "Learn to play") : null, names.length ? about : null, more),
      work,
    ),
  );
}

async function invite(begin) {
  if (await askName()) begin({ sit: [], start: false });
}

// Makes the table and goes there.
export async function start(game, body, work) {
  keep("game", game.name);
  const { preset, board } = game.quick;
  try {
    const usual = { game: game.name, preset, ...(board ? { board } : {}) };
    location.assign(await busy(work, "Setting up the game", (signal) => openTable({ ...usual, ...body }, { signal })));
  } catch (error) {
    complain(error);
  }
}

function dialogOf(title, ...content) {
  const dialog = el("dialog", { class: "sheet", "aria-label": title }, el("div", { class: "sheet-head" }, el("h2", {}, title), el("button", { type: "button", class: "icon", "aria-label": "Close", onclick: () => dialog.close() }, "✕")), content);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function aboutLevels(game) {
  const rows = levelNames(game).map((name) => el("li", {}, el("h3", {}, name), SEATS.map((seat) => levelWords(game, seat, name)).filter(Boolean).map((text) => el("p", {}, text)), details(game, name)));
  dialogOf(`Levels of ${game.title}`, el("ol", { class: "levels" }, rows));
}

// Who plays at a level, and what was measured.
function details(game, level) {
  const lines = SEATS.map((seat) => {
    const agent = game.seats[seat].agents.find((each) => each.title === level);
    const [, measured] = agent?.summary.split("; ") ?? [];
    return agent && el("p", {}, `${capital(game.seats[seat].called)}: agent `, el("code", {}, agent.spec), measured ? `, ${measured}` : "", ".");
  });
  return el("details", { class: "quiet" }, el("summary", {}, "Details"), lines);
}

async function moreOptions(game) {
  const { Form } = await import("./game_form.js");
  dialogOf(game.title, new Form(game).element);
}
