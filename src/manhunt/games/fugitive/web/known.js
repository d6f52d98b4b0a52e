// What can be known in Fugitive: chances by position and number, the graph of steps, and why a number cannot be.

import { capital, el, keep, recall, replace } from "/js/dom.js";

const WAYS = [
  ["table", "Chances"],
  ["graph", "Graph"],
  ["off", "Off"],
];
const NARROW = 640;

// A chance in per cent that fits into a cell; what is possible is never shown as nothing.
export function percent(share) {
  if (share <= 0) return "";
  if (share < 0.005) return "<1";
  return String(Math.min(Math.round(share * 100), share < 1 - 1e-9 ? 99 : 100));
}

export class Known {
  // `told(notes)` hears the newest notes, null when they are switched off.
  constructor(context, told) {
    this.context = context;
    this.told = told;
    this.isAllowed = (context.help ?? "all") === "all";
    this.way = this.isAllowed ? recall("fugitive-known", "table") : "off";
    this.notes = null;
    this.scene = null;
    this.asked = "";
    this.buttons = WAYS.map(([name, words]) =>
      el("button", { type: "button", "aria-pressed": "false", onclick: () => this.choose(name) }, words),
    );
    this.whose = el("p", { class: "quiet fg-whose" });
    this.body = el("div", { class: "fg-known-body" });
    this.words = el("p", { class: "fg-why", role: "status" });
    this.form = this.#form();
    this.element = el(
      "section",
      { class: "fg-known", "data-part": "known", "aria-label": "What can be known", hidden: !this.isAllowed },
      el(
        "div",
        { class: "fg-known-head" },
        el("h2", {}, "What can be known"),
        this.whose,
        el("div", { class: "fg-switch", role: "group", "aria-label": "Show" }, this.buttons),
      ),
      this.words,
      this.body,
      this.form,
    );
    this.watcher = new ResizeObserver(() => this.#turned());
    this.watcher.observe(this.element);
    this.#press();
  }

  destroy() {
    this.watcher.disconnect();
    this.count = null;
  }

  // `v` is the number of the newest event that is shown; null where no game goes on.
  show(scene, v = null) {
    this.scene = scene;
    this.v = v;
    const key = JSON.stringify([scene.row, scene.guesses, scene.hands.marshal, scene.outcome]);
    if (key === this.asked) return;
    this.asked = key;
    replace(this.words);
    if (scene.row.length && this.body.querySelector(".fg-none")) replace(this.body, el("p", { class: "quiet fg-none" }, "Counting …"));
    this.#ask();
  }

  choose(way) {
    this.way = way;
    keep("fugitive-known", way);
    this.#press();
    this.#ask();
  }

  #press() {
    WAYS.forEach(([name], i) => this.buttons[i].setAttribute("aria-pressed", String(name === this.way)));
    this.element.classList.toggle("off", this.way === "off");
  }

  async #ask() {
    if (this.way === "off" || !this.scene) {
      this.count = null;
      this.told(null);
      replace(this.body);
      replace(this.whose, "Chances are off: you keep your own notes.");
      return;
    }
    const asked = (this.count = {});
    try {
      const notes = await this.context.ask("notes", {}, { words: "Counting the rows that fit" });
      const graph = this.way === "graph" ? await this.context.ask("graph", {}, { words: "Drawing the steps that fit" }) : null;
      if (this.count !== asked || this.way === "off") return;
      if (this.v !== null && notes.v !== undefined && notes.v !== this.v) this.#wait();
      else this.#take(notes, graph);
    } catch (error) {
      if (this.count === asked) replace(this.whose, error.name === "AbortError" ? "Not counted." : error.message);
    }
  }

  // The game is ahead of what is shown: its answer would tell what is still to come.
  #wait() {
    this.asked = "";
    replace(this.whose, "Chances appear when you are back at the newest move.");
  }

  #take(notes, graph) {
    this.notes = notes;
    this.told(notes);
    const rows = notes.nRows === null ? "" : ` ${notes.nRows === 1 ? "One row fits" : `${grouped(notes.nRows)} rows fit`}.`;
    const loose = notes.exact ? "" : " There are too many to count, so these are quick notes without chances.";
    replace(this.whose, `${capital(notes.whose)}.${rows}${loose}`);
    this.#formFor(notes);
    if (graph) this.#drawGraph(graph.svg);
    else this.#drawTable();
  }

  // -- the table -----------------------------------------------------------------------------------------

  #turned() {
    const narrow = this.element.clientWidth > 0 && this.element.clientWidth < NARROW;
    if (narrow === this.narrow) return;
    this.narrow = narrow;
    if (this.notes && this.way === "table") this.#drawTable();
  }

  #drawTable() {
    const notes = { ...this.notes, positions: this.notes.positions.filter((line) => line.card !== this.notes.last) };
    if (!notes.positions.length) {
      replace(this.body, el("p", { class: "quiet fg-none" }, "No hideouts yet."));
      return;
    }
    const focused = this.body.querySelector("td[tabindex='0']")?.dataset;
    const table = this.narrow ? this.#tall(notes) : this.#wide(notes);
    replace(this.body, el("div", { class: "fg-scroll" }, table));
    const cells = [...table.querySelectorAll("td[data-value]")];
    const same = (cell) => cell.dataset.position === focused?.position && cell.dataset.value === focused?.value;
    (cells.find(same) ?? cells[0])?.setAttribute("tabindex", "0");
    table.addEventListener("click", (event) => this.#clicked(event));
    table.addEventListener("keydown", (event) => this.#moved(event, table));
  }

  #wide(notes) {
    const numbers = range(1, notes.last);
    const head = numbers.map((n) => el("th", { scope: "col" }, n));
    const lines = notes.positions.map((line) =>
      el("tr", {}, this.#name(line), numbers.map((n) => this.#cell(line, n))),
    );
    return this.#grid(el("tr", {}, el("th", { scope: "col" }, "position"), head), lines, "wide");
  }

  // For a phone: one line a number, and only those that some position may still be.
  #tall(notes) {
    const open = range(1, notes.last).filter((n) => notes.positions.some((line) => line.candidates.includes(n)));
    const head = notes.positions.map((line) => this.#name(line, "col"));
    const lines = open.map((n) =>
      el("tr", {}, el("th", { scope: "row" }, n), notes.positions.map((line) => this.#cell(line, n))),
    );
    return this.#grid(el("tr", {}, el("th", { scope: "col" }, "number"), head), lines, "tall");
  }

  #grid(head, lines, shape) {
    const down = this.notes.positions.some((line) => line.card !== null && !line.faceUp) ? ", ▽ lay face down to the end" : "";
    const caption = `Chance of each number at each position, in per cent; ▲ lies face up${down}. Choose a cell to ask why.`;
    return el(
      "table",
      { class: `fg-chances ${shape}`, role: "grid" },
      el("caption", {}, caption),
      el("thead", {}, head),
      el("tbody", {}, lines),
    );
  }

  #name(line, scope = "row") {
    const extra = line.nSprints ? `+${line.nSprints}` : "";
    const title = `position ${line.position}, ${line.nSprints} sprint cards`;
    return el("th", { scope, title }, line.position, extra && el("small", {}, ` ${extra}`));
  }

  #cell(line, number) {
    const share = line.chances[number] ?? 0;
    const possible = line.candidates.includes(number);
    const known = line.card === number;
    const up = known && line.faceUp;
    const text = up ? "▲" : known ? "▽" : possible ? percent(share) || "?" : "";
    const words = up ? "face up" : known ? "face down to the end" : possible ? (share ? `${percent(share)} per cent` : "possible") : "not possible";
    const cell = el(
      "td",
      {
        class: known ? "up" : possible ? "may" : "no",
        tabindex: "-1",
        "data-position": line.position,
        "data-value": number,
        "aria-label": `position ${line.position}, number ${number}: ${words}`,
      },
      text,
    );
    cell.style.setProperty("--shade", String(known ? 0 : Math.sqrt(share)));
    return cell;
  }

  #clicked(event) {
    const cell = event.target.closest("td[data-value]");
    if (cell) this.#choose(cell);
  }

  #choose(cell) {
    for (const other of this.body.querySelectorAll("td[tabindex='0']")) other.tabIndex = -1;
    for (const other of this.body.querySelectorAll("td.asked")) other.classList.remove("asked");
    cell.tabIndex = 0;
    cell.classList.add("asked");
    cell.focus();
    this.#why(cell.dataset.position, cell.dataset.value);
  }

  #moved(event, table) {
    const cell = event.target.closest("td[data-value]");
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(cell);
      return;
    }
    const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] ?? [];
    if (down === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const lines = [...table.tBodies[0].rows];
    const line = lines[lines.indexOf(cell.parentElement) + down];
    const next = line?.cells[cell.cellIndex + right];
    if (!next?.dataset.value) return;
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  // -- why -----------------------------------------------------------------------------------------------

  #form() {
    this.position = el("select", { "aria-label": "Position" });
    this.value = el("input", { type: "number", min: 1, "aria-label": "Number", required: true });
    const ask = (event) => {
      event.preventDefault();
      if (this.value.value) this.#why(this.position.value, this.value.value);
    };
    return el(
      "form",
      { class: "fg-form", onsubmit: ask },
      el("label", {}, "Can position ", this.position),
      el("label", {}, " be ", this.value),
      el("button", { type: "submit" }, "Why?"),
    );
  }

  #formFor(notes) {
    const before = this.position.value;
    replace(this.position, notes.positions.map((line) => el("option", { value: line.position }, line.position)));
    if ([...this.position.options].some((option) => option.value === before)) this.position.value = before;
    this.value.max = notes.last - 1;
    this.form.hidden = !notes.positions.length;
  }

  async #why(position, value) {
    const { asked } = this;
    try {
      const found = await this.context.ask("why", { position, value }, { words: "Looking for the reason" });
      if (asked !== this.asked) return;
      replace(
        this.words,
        el("strong", {}, `${found.possible ? "✓" : "✕"} ${value} at position ${position}: `),
        found.words,
        found.example && [". For example the row ", el("span", { class: "fg-example" }, found.example)],
        ".",
      );
    } catch (error) {
      replace(this.words, error.message);
    }
  }

  // -- the graph -----------------------------------------------------------------------------------------

  #drawGraph(text) {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    const picture = document.importNode(parsed, true);
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    replace(this.body, el("div", { class: "fg-scroll fg-graph", tabindex: "0", role: "region", "aria-label": "Graph of steps" }, picture));
  }
}

function range(first, end) {
  return Array.from({ length: end - first }, (_, i) => first + i);
}

function grouped(n) {
  return n.toLocaleString("en");
}
