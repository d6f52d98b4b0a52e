// The fuller form of a new game: rules, board, who sits where, options.

import { capital, el, keep } from "./dom.js";
import { SEATS } from "./levels.js";
import { askName, busy, complain } from "./shell.js";
import { openTable } from "./table_link.js";
import { api } from "./wire.js";

const dots = (n) => "●".repeat(n) + "○".repeat(5 - n);
const FILE_WORDS = "CSV: first a line a,b (or a,b,transport), then one edge per line, such as 1,2.";
const SECONDS = [
  [0.2, "a fifth of a second"],
  [1, "one second"],
  [3, "three seconds"],
  [10, "ten seconds"],
];
const SPECTATORS = [
  ["live", "see what is public, at once"],
  ["delayed", "see it a few plies later"],
  ["never", "see nothing until the end"],
];

export class Form {
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
    if (!boards.length) options.push(["", "default"]);
    if (generators.length) options.push(["made", "custom size …"]);
    if (uploads) options.push(["upload", "your own file …"]);
    this.made = el("input", { type: "text", name: "made", list: "generators", placeholder: generators[0]?.example ?? "", "aria-label": "Board of a custom size", autocomplete: "off" });
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
      this.refused = null;
      this.said.textContent = `Board ${this.upload.name}: ${this.upload.nodes} nodes.`;
    } catch (error) {
      this.upload = null;
      this.refused = `${file.name} is not a valid board: ${error.message}`;
      complain(this.refused);
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
      el("option", { value: "link" }, "Friends, by link"),
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
      const words = { you: "", link: "A table opens, with a link to send." }[at(seat)] ?? `Strength ${agent.strength} of 5: ${agent.summary}.${agent.title ? ` Agent ${agent.spec}.` : ""}`;
      say(seat, words);
    }
    say("preset", this.game.presets.find((p) => p.name === at("preset"))?.summary ?? "");
    say("board", at("board") === "upload" ? FILE_WORDS : (this.game.boards.find((b) => b.name === at("board"))?.summary ?? ""));
    const both = SEATS.every((seat) => at(seat) === "you");
    const none = SEATS.every((seat) => at(seat) !== "you");
    this.said.textContent = both ? "You both play on this screen. It is covered between turns." : none ? "You watch." : "";
    if (this.extra) {
      this.made.hidden = at("board") !== "made";
      this.file.hidden = at("board") !== "upload";
    }
  }

  async start(event) {
    event.preventDefault();
    const at = (name) => this.element.elements[name]?.value;
    const body = { game: this.game.name, preset: at("preset") };
    const board = at("board");
    if (board === "made") body.board = this.made.value.trim() || this.game.generators[0].example;
    else if (board === "upload") {
      if (!this.upload) {
        complain(this.refused ?? `Choose a board file first: ${FILE_WORDS}`);
        return;
      }
      body.board = this.upload.board;
    } else if (board) body.board = board;
    const changed = this.changedOptions();
    if (Object.keys(changed).length) body.options = changed;
    keep("game", this.game.name);
    try {
      const address = await this.begin(body, { seconds: Number(at("seconds")), spectators: at("spectators") });
      if (address) location.assign(address);
    } catch (error) {
      complain(error);
    }
  }

  // Begins the game at a table, or without one if only agents play. Returns where to go.
  async begin(body, thinking) {
    const who = Object.fromEntries(SEATS.map((seat) => [seat, this.element.elements[seat].value]));
    const isOpen = Object.values(who).includes("link");
    const sit = SEATS.filter((seat) => who[seat] === "you");
    const work = (what) => busy(this.work, "Setting up the game", what);
    if (!isOpen && !sit.length) {
      const begun = await work((signal) => api("/api/games", { method: "POST", body: { ...body, ...thinking, seats: who }, signal }));
      return `/play/${begun.uid}`;
    }
    if (isOpen && !(await askName())) return null;
    const agents = Object.fromEntries(Object.entries(who).filter(([, spec]) => !["you", "link"].includes(spec)));
    return work((signal) => openTable({ ...body, sit, agents, table: thinking, start: !isOpen }, { signal }));
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
}
