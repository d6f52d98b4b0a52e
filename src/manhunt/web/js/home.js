// Home: pick a game and play, or say more exactly who sits where; running and finished games.

import { capital, el, keep, plural, recall, replace } from "./dom.js";
import { loadPicture } from "./game_files.js";
import { announce, busy, complain, rememberGame, shell } from "./shell.js";
import { api } from "./wire.js";

const SEATS = ["evader", "pursuers"];
const $ = (id) => document.getElementById(id);
const dots = (n) => "●".repeat(n) + "○".repeat(5 - n);
const SECONDS = [
  [0.2, "a fifth of a second"],
  [1, "one second"],
  [3, "three seconds"],
  [10, "ten seconds"],
];
const SPECTATORS = [
  ["live", "see what is public, at once"],
  ["delayed", "see it some plies later"],
  ["never", "see nothing until the end"],
];

const ENDS = {
  capture: "by capture",
  stranded: "the other side could not move",
  exhausted: "the other side could not move",
  survival: "the rounds were over",
  arrival: "the goal was reached",
  forfeit: "the other side gave up or failed",
};

// -- pick and play ------------------------------------------------------------------------------------

let catalog = [];
let chosen = null;

async function open() {
  shell("home");
  showLists();
  setInterval(() => !document.hidden && showLists(), 5000);
  try {
    ({ games: catalog } = await api("/api/catalog"));
  } catch (error) {
    complain(error);
    setTimeout(() => location.reload(), 4000);
    return;
  }
  replace($("games"), catalog.map(gameCard));
  $("games").addEventListener("keydown", stepThrough);
  showLists.shown = null;
  showLists();
  const last = recall("game");
  if (last && catalog.some((game) => game.name === last)) choose(last);
}

function gameCard(game) {
  return el(
    "button",
    { type: "button", class: "game", role: "radio", "aria-checked": "false", "data-game": game.name, onclick: () => choose(game.name, true) },
    loadPicture(game.picture),
    el("strong", {}, game.title),
    el("span", {}, game.summary),
  );
}

// Arrow keys go through the games, as through any group of which one is chosen.
function stepThrough(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const cards = [...$("games").children];
  const next = cards[(cards.indexOf(event.target.closest(".game")) + step + cards.length) % cards.length];
  choose(next.dataset.game);
  next.focus();
  event.preventDefault();
}

function choose(name, byHand = false) {
  chosen = catalog.find((game) => game.name === name);
  keep("game", name);
  for (const card of $("games").children) card.setAttribute("aria-checked", String(card.dataset.game === name));
  showChosen();
  if (byHand) {
    $("chosen").scrollIntoView({ block: "nearest" });
    $("chosen").querySelector(".primary").focus({ preventScroll: true });
  }
}

const other = (seat) => SEATS.find((s) => s !== seat);

function showChosen() {
  const { title } = chosen;
  const game = quickGame(chosen);
  const form = new Form(chosen);
  const work = el("div", {});
  const words = el("p", { class: "quiet", role: "status" }, quickWords(game));
  const say = () => (words.textContent = quickWords(game));
  const play = el("button", { type: "button", class: "primary big", onclick: () => quickPlay(game, work) }, `Play ${title}`);
  replace($("chosen"), el("div", { class: "quick" }, el("div", {}, el("h2", {}, title), levelPicker(game, say), words), play), work, el("details", {}, el("summary", {}, chosen.boards.length || chosen.generators.length ? "Choose rules, board, seats and opponents" : "Choose rules, seats and opponents"), form.element));
  $("chosen").hidden = false;
}

// The game that the button starts: as the game names it, or with the seat and level that were chosen last.
function quickGame({ name, quick, seats }) {
  const { you, level } = recall(`quick ${name}`) ?? {};
  const seat = SEATS.includes(you) && levelsFor(seats, you).length ? you : quick.you;
  const found = levelsFor(seats, seat).find((each) => each.title === level);
  return { you: found ? seat : quick.you, agent: found?.spec ?? quick.agent };
}

// The named levels of whoever plays against a seat, the weakest first.
const levelsFor = (seats, you) => seats[other(you)].agents.filter((agent) => agent.title).reverse();

function quickWords({ you, agent: spec }) {
  const { seats } = chosen;
  const foe = seats[other(you)];
  const agent = foe.agents.find((a) => a.spec === spec);
  if (agent?.title) return `${agent.title}: ${foe.called} ${agent.summary.split(";")[0]}.`;
  return `You are ${seats[you].called}, against ${foe.called} played by ${agent ? `${agent.name} (strength ${agent.strength} of 5: ${agent.summary.split(";")[0]})` : spec}.`;
}

// Your seat and the level of the other one, for games that have named levels.
function levelPicker(game, changed) {
  const { name, seats } = chosen;
  if (!levelsFor(seats, game.you).length) return null;
  const box = el("div", { class: "levels" });
  const radio = (group, value, words, checked, onchange) => el("label", {}, el("input", { type: "radio", name: group, value, checked, onchange }), words);
  const set = (you, level) => {
    game.you = you;
    game.agent = level.spec;
    keep(`quick ${name}`, { you, level: level.title });
    changed();
  };
  const sit = (seat) => {
    const { title } = levelsFor(seats, game.you).find((level) => level.spec === game.agent) ?? {};
    const levels = levelsFor(seats, seat);
    set(seat, levels.find((level) => level.title === title) ?? levels[0]);
    draw();
    box.querySelector("[name=you]:checked").focus();
  };
  const draw = () => {
    const sides = SEATS.filter((seat) => levelsFor(seats, seat).length);
    replace(
      box,
      el("fieldset", {}, el("legend", {}, "You are"), sides.map((seat) => radio("you", seat, seats[seat].called, seat === game.you, () => sit(seat)))),
      el("fieldset", {}, el("legend", {}, "Level"), levelsFor(seats, game.you).map((level) => radio("level", level.title, level.title, level.spec === game.agent, () => set(game.you, level)))),
    );
  };
  draw();
  return box;
}

function quickPlay({ you, agent }, work) {
  const { name, quick } = chosen;
  begin({ game: name, preset: quick.preset, ...(quick.board ? { board: quick.board } : {}), seats: { [you]: "person", [other(you)]: agent } }, [you], work);
}

// Begins a game and goes to it with the seats that are held here.
async function begin(body, held, work) {
  try {
    const begun = await busy(work, "Setting up the game", (signal) => api("/api/games", { method: "POST", body, signal }));
    rememberGame({ uid: begun.uid, game: body.game, links: begun.links, held, body, at: Date.now() });
    const hash = held.map((seat) => `${seat}=${begun.tokens[seat]}`).join("&");
    location.assign(`/play/${begun.uid}${hash ? `#${hash}` : ""}`);
  } catch (error) {
    complain(error);
  }
}

// -- the fuller form ----------------------------------------------------------------------------------

class Form {
  constructor(game) {
    this.game = game;
    this.upload = null;
    this.work = el("div", { class: "wide" });
    const parts = [this.preset(), this.board(), ...SEATS.map((seat) => this.seat(seat)), ...game.options.map((option) => this.option(option)), this.seconds(), this.spectators()];
    const submit = el("div", { class: "wide row" }, el("button", { type: "submit", class: "primary" }, "Start"), (this.said = el("span", { class: "note" })));
    this.element = el("form", { class: "form", onsubmit: (event) => this.start(event) }, parts, this.work, submit);
    this.tell();
    this.element.addEventListener("change", () => this.tell());
  }

  field(words, input, note = null) {
    return el("label", { class: "field" }, el("span", {}, words), input, note);
  }

  note(name) {
    return el("span", { class: "note", "data-note": name });
  }

  select(name, options, value = null) {
    return el("select", { name }, options.map(([key, words]) => el("option", { value: key, selected: key === value }, words)));
  }

  preset() {
    return this.field("Rules", this.select("preset", this.game.presets.map((p) => [p.name, p.name])), this.note("preset"));
  }

  board() {
    const { boards, generators, uploads } = this.game;
    if (!boards.length && !generators.length) return null;
    const options = boards.map((b) => [b.name, b.name]);
    if (!boards.length) options.push(["", "as usual"]);
    if (generators.length) options.push(["made", "made to measure …"]);
    if (uploads) options.push(["upload", "your own file …"]);
    this.made = el("input", { type: "text", name: "made", list: "generators", placeholder: generators[0]?.example ?? "", "aria-label": "Board made to measure", autocomplete: "off" });
    const known = el("datalist", { id: "generators" }, generators.map((g) => el("option", { value: g.example }, g.summary)));
    this.file = el("input", { type: "file", accept: ".csv,.txt,text/csv,text/plain", "aria-label": "Board file", onchange: () => this.send() });
    this.extra = el("span", { class: "stack" }, this.note("board"), this.made, known, this.file);
    return this.field("Board", this.select("board", options, this.game.quick.board), this.extra);
  }

  async send() {
    const [file] = this.file.files;
    if (!file) return;
    try {
      const name = file.name.replace(/\.[^.]*$/, "").slice(0, 80) || "uploaded";
      this.upload = await api("/api/boards", { method: "POST", body: { name, text: await file.text() } });
      this.said.textContent = `Board ${this.upload.name}: ${this.upload.nodes} nodes.`;
    } catch (error) {
      this.upload = null;
      complain(error);
    }
  }

  seat(seat) {
    const { title, agents } = this.game.seats[seat];
    const mine = this.game.quick.you === seat;
    const usual = mine ? "you" : this.game.quick.agent;
    const select = el(
      "select",
      { name: seat },
      el("option", { value: "you", selected: usual === "you" }, "You, on this screen"),
      el("option", { value: "link" }, "Another person, by link"),
      this.opponents("Levels", agents.filter((a) => a.title).reverse(), usual),
      this.opponents(agents.some((a) => a.title) ? "Other agents, the strongest first" : "Agents, the strongest first", agents.filter((a) => !a.title), usual),
    );
    return this.field(title, select, this.note(seat));
  }

  opponents(label, agents, usual) {
    if (!agents.length) return null;
    return el("optgroup", { label }, agents.map((a) => el("option", { value: a.spec, selected: a.spec === usual }, `${dots(a.strength)} ${a.title || a.name}`)));
  }

  option(option) {
    if (option.kind === "choice") return this.field(option.title, this.select(`option-${option.name}`, option.choices.map((c) => [c.value, c.words]), option.usual));
    return this.field(option.title, el("input", { type: "number", name: `option-${option.name}`, min: option.least, max: option.most, value: option.usual }));
  }

  seconds() {
    return this.field("Agents think at most", this.select("seconds", SECONDS.map(([n, words]) => [String(n), words]), "1"));
  }

  spectators() {
    return this.field("Spectators", this.select("spectators", SPECTATORS));
  }

  tell() {
    const at = (name) => this.element.elements[name]?.value;
    const say = (name, words) => {
      const note = this.element.querySelector(`[data-note="${name}"]`);
      if (note) note.textContent = capital(words);
    };
    for (const seat of SEATS) {
      const agent = this.game.seats[seat].agents.find((a) => a.spec === at(seat));
      const words = { you: "", link: "You get a link to send." }[at(seat)] ?? `Strength ${agent.strength} of 5: ${agent.summary}.${agent.title ? ` Agent ${agent.spec}.` : ""}`;
      say(seat, words);
    }
    say("preset", this.game.presets.find((p) => p.name === at("preset"))?.summary ?? "");
    say("board", this.game.boards.find((b) => b.name === at("board"))?.summary ?? "");
    const both = SEATS.every((seat) => at(seat) === "you");
    const none = SEATS.every((seat) => at(seat) !== "you");
    this.said.textContent = both ? "Both of you on this screen: a curtain falls between turns." : none ? "You watch." : "";
    if (this.extra) {
      this.made.hidden = at("board") !== "made";
      this.file.hidden = at("board") !== "upload";
    }
  }

  start(event) {
    event.preventDefault();
    const at = (name) => this.element.elements[name]?.value;
    const body = { game: this.game.name, preset: at("preset"), seconds: Number(at("seconds")), spectators: at("spectators"), seats: {} };
    for (const seat of SEATS) body.seats[seat] = ["you", "link"].includes(at(seat)) ? "person" : at(seat);
    const board = at("board");
    if (board === "made") body.board = this.made.value.trim() || this.game.generators[0].example;
    else if (board === "upload") {
      if (!this.upload) {
        complain("Choose a board file first: CSV with the first line a,b (or a,b,transport), then one edge a line, such as 1,2.");
        return;
      }
      body.board = this.upload.board;
    } else if (board) body.board = board;
    const changed = this.changedOptions();
    if (Object.keys(changed).length) body.options = changed;
    const held = SEATS.filter((seat) => at(seat) === "you");
    if (SEATS.every((seat) => at(seat) === "link")) {
      this.links(body);
      return;
    }
    begin(body, held, this.work);
  }

  changedOptions() {
    const out = {};
    for (const option of this.game.options) {
      const { value } = this.element.elements[`option-${option.name}`];
      const real = option.kind === "number" ? Number(value) : value;
      if (value !== "" && real !== option.usual) out[option.name] = real;
    }
    return out;
  }

  // Two other people play: their links, and the one for watching.
  async links(body) {
    try {
      const begun = await busy(this.work, "Setting up the game", (signal) => api("/api/games", { method: "POST", body, signal }));
      rememberGame({ uid: begun.uid, game: body.game, links: begun.links, held: [], body, at: Date.now() });
      const rows = Object.entries(begun.links).map(([seat, link]) =>
        el("label", { class: "row" }, el("span", {}, this.game.seats[seat]?.title ?? "Watch"), el("input", { type: "text", readonly: true, value: location.origin + link, onfocus: (event) => event.target.select() })),
      );
      replace(this.work, el("div", { class: "links" }, el("p", {}, "Send each player their link:"), rows));
      announce("The links are ready");
    } catch (error) {
      complain(error);
    }
  }
}

// -- games that run or are over -----------------------------------------------------------------------

async function showLists() {
  let running;
  let finished;
  try {
    [running, finished] = await Promise.all([api("/api/games?state=running&limit=12"), api("/api/games?state=finished&limit=12")]);
  } catch {
    return;
  }
  const text = JSON.stringify([running, finished, recall("games", []).length]);
  if (text === showLists.shown) return;
  showLists.shown = text;
  replace($("lists"), gameList("Running", running, runningLink, "No game is running."), gameList("Finished", finished, finishedLink, "No game is over yet. Finished games can be replayed and analysed here."));
}

function gameList(title, games, linkOf, empty) {
  const rows = games.map((game) =>
    el("li", {}, el("div", {}, el("b", {}, game.title), el("br"), el("span", { class: "quiet" }, `${who(game, "evader")} against ${who(game, "pursuers")}, ${outcomeOf(game)}`)), linkOf(game)),
  );
  return el("section", {}, el("h2", {}, title), games.length ? el("ul", {}, rows) : el("p", { class: "quiet" }, empty));
}

function who(game, seat) {
  if (game[seat] === "person") return "a person";
  const agents = catalog.find((known) => known.name === game.game)?.seats[seat].agents;
  return agents?.find((agent) => agent.spec === game[seat])?.title || game[seat];
}

function outcomeOf(game) {
  if (!game.outcome) return `round ${game.round}`;
  const [winner, how] = game.outcome.split(" ");
  const name = catalog.find((known) => known.name === game.game)?.seats[winner]?.title ?? winner;
  return `${name} won after ${plural(game.round, "round")}${ENDS[how] ? `, ${ENDS[how]}` : ""}`;
}

function runningLink(game) {
  const mine = recall("games", []).find((entry) => entry.uid === game.uid);
  const held = (mine?.held ?? SEATS).filter((seat) => mine?.links?.[seat]);
  if (!held.length) return el("a", { class: "button", href: `/play/${game.uid}` }, "Watch");
  const href = `/play/${game.uid}#${held.map((seat) => mine.links[seat].split("#")[1]).join("&")}`;
  return el("a", { class: "button primary", href }, "Play on");
}

const finishedLink = (game) => el("a", { class: "button", href: `/replay/${game.uid}` }, "Replay");

open();
