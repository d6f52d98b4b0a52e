// The notebook for a real table: lines are kept in this browser, what can be known comes from the server.

import { BoardCanvas } from "./board.js";
import { boardUpload } from "./board_upload.js";
import { el, keep, plural, recall, replace } from "./dom.js";
import { loadPage } from "./game_files.js";
import { Keypad } from "./keypad.js";
import { NotebookExtras } from "./notebook_extras.js";
import { Panels, announce, askingWords, busy, complain, confirmed, copyButton, keepForOffline, shell } from "./shell.js";
import { api } from "./wire.js";

const $ = (id) => document.getElementById(id);

// A game's own parts (panels, fields of the table, notes on keys) are in its notebook.js, see NotebookExtras.
class NotebookPage {
  constructor(about, all) {
    const { name: game, title, example, page, uploads } = about;
    this.game = game;
    this.title = title;
    this.example = example;
    this.all = all;
    const kept = recall(`notebook-${game}`, {});
    this.options = kept.options ?? {};
    this.lines = kept.lines ?? [];
    this.ownBoard = uploads ? (kept.board ?? null) : null;
    this.uploads = uploads;
    this.version = 0;
    this.page = null;
    this.editing = null;
    this.panels = new Panels($("side"));
    this.work = el("div", { class: "work" });
    $("side").prepend(this.work);
    this.trouble = el("div", { class: "trouble", role: "alert" });
    this.work.after(this.trouble);
    this.buildEntries();
    this.tools();
    this.extras = new NotebookExtras(this);
    this.imported = this.load(page);
    this.refresh();
    // The service worker keeps answers from now on: let it have this one. What is on the page stays as it is.
    navigator.serviceWorker?.addEventListener("controllerchange", () => this.post().catch(() => {}));
  }

  async load(page) {
    const loading = loadPage(page);
    if (page.notebook) this.extras = (await import(page.notebook)).create(this);
    return loading;
  }

  // -- lines ------------------------------------------------------------------------------------------

  keep() {
    keep(`notebook-${this.game}`, { options: this.options, lines: this.lines, board: this.ownBoard });
    keep("notebook", this.game);
  }

  // Whoever wrote a wrong line writes it again; one farther up has to be mended first.
  add(text) {
    const lines = text.split(";").map((line) => line.trim()).filter(Boolean);
    if (!lines.length) return;
    const wrong = this.page?.entries.findIndex((entry, i) => entry.error && entry.text === this.lines[i]) ?? -1;
    if (wrong >= 0 && wrong === this.lines.length - 1) {
      this.change([...this.lines.slice(0, -1), ...lines]);
      return;
    }
    if (wrong >= 0) {
      complain(`First correct or delete line ${wrong + 1}.`);
      return;
    }
    this.change([...this.lines, ...lines]);
  }

  change(lines) {
    this.lines = lines;
    this.editing = null;
    this.keep();
    this.showLines();
    this.refresh();
  }

  undo() {
    if (!this.lines.length) return;
    announce(`Line ${this.lines.length} taken back`);
    this.change(this.lines.slice(0, -1));
  }

  async clear() {
    if (this.lines.length && !(await confirmed("Clear all lines and start a new table?", "Clear"))) return;
    this.change([]);
    this.panels.show("table");
  }

  set(options) {
    this.options = { ...this.options, ...options };
    this.keep();
    this.refresh();
  }

  // -- the server -------------------------------------------------------------------------------------

  post(ask, signal, entries = this.lines) {
    const board = this.ownBoard && { board: this.ownBoard.board };
    const body = { options: this.options, entries, ...board, ...(ask ? { ask } : {}) };
    return api(`/api/notebook/${this.game}`, { method: "POST", body, signal });
  }

  async refresh() {
    this.control?.abort();
    clearTimeout(this.again);
    const control = (this.control = new AbortController());
    try {
      const page = await busy(this.work, "Working out what can be known", (signal) => this.post(null, AbortSignal.any([signal, control.signal])));
      if (control.signal.aborted) return;
      this.page = page;
      this.version += 1;
      replace(this.trouble);
      await this.show();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.status === 0) {
        replace(this.trouble, el("p", { class: "quiet" }, "No connection. Your lines are kept and worked out as soon as the server answers."));
        this.again = setTimeout(() => this.refresh(), 3000);
        if (!this.page) await this.showKnown();
      } else {
        const back = this.ownBoard && el("button", { type: "button", onclick: () => this.useBoard(null) }, "Use the default board");
        replace(this.trouble, el("p", { class: "fault" }, error.message), back);
      }
    }
  }

  // Without a connection: what is known of as many lines as possible (the service worker keeps answers).
  async showKnown() {
    for (let n = this.lines.length - 1; n >= 0 && !this.page; n -= 1) {
      this.page = await this.post(null, undefined, this.lines.slice(0, n)).catch(() => null);
    }
    if (this.page) await this.show();
  }

  ask(what, params = {}, { quiet = false, words, signal: outer } = {}) {
    const known = this.extras.answer(what);
    if (known) return Promise.resolve(known);
    const asking = (signal) => this.post({ what, ...Object.fromEntries(Object.entries(params).map(([k, v]) => [k, String(v)])) }, signal).then((page) => page.answer);
    if (quiet) return asking(outer);
    return busy(this.work, askingWords(what, words), (signal) => asking(outer ? AbortSignal.any([signal, outer]) : signal));
  }

  // -- what is shown ----------------------------------------------------------------------------------

  async show() {
    const { page } = this;
    const { create } = await this.imported;
    if (page !== this.page) return;
    if (!this.module) this.open(create);
    const { scene } = page;
    $("title").textContent = scene.title;
    document.title = `Notebook: ${scene.title}`;
    $("who").textContent = `${this.title} on a real board. ${plural(page.entries.length, "line")}; they stay in this browser.`;
    const wrong = page.entries.some((entry) => entry.error);
    const offers = wrong || this.placing !== undefined ? [] : page.offers;
    this.acting = offers.length > 0;
    this.module.show(scene, { offers, acting: this.acting, live: true, told: [], v: this.version });
    this.keypad.show(wrong ? [] : page.next);
    if (wrong) replace(this.keypad.host, el("p", { class: "quiet" }, "One line is wrong. Correct or delete it; the lines after it are then read again."));
    this.showLines();
    this.showBegin();
    this.showTable();
    this.extras.show(wrong);
  }

  open(create) {
    const { board } = this.page;
    const own = this;
    const context = {
      seat: "pursuers",
      room: { names: {}, called: {}, seats: {} },
      game: this.game,
      boardDigest: board?.digest ?? null,
      panels: {
        add: (title, options) => (title === "Hint" ? el("div") : this.panels.add(title, options)),
        show: (name) => this.panels.show(name),
        clear: () => {},
      },
      get replay() {
        return !own.acting;
      },
      move: (action) => this.add(action),
      ask: (what, params, options) => this.ask(what, params, options),
      announce,
      el,
      board: (stage) => (this.board = new BoardCanvas(stage, board.digest, { announce, name: `Board ${board.name}` })),
    };
    this.extras.open();
    this.module = create({ stage: $("stage"), side: $("side"), context });
    this.buildTable();
    this.modulePick = this.board?.picked ?? null;
    this.board?.onPick((label, offered) => (this.tapped ? this.tapped(label, offered) : this.modulePick?.(label, offered)));
    this.panels.show("entries");
  }

  // Before the first line: how the table is set, and the way to change it.
  showBegin() {
    if (this.lines.length) {
      replace(this.begin);
      return;
    }
    const words = this.extras.begin();
    const change = () => {
      this.panels.show("table");
      const panel = $("panel-table");
      panel.scrollIntoView({ block: "nearest" });
      panel.querySelector("select")?.focus();
    };
    replace(this.begin, el("p", {}, words), el("button", { type: "button", onclick: change }, "Change"));
  }

  // Labels that the keypad wants are offered on the board until one is picked.
  picking(labels, take) {
    if (!this.board) return;
    if (!labels) {
      if (this.tapped && this.placing === undefined) {
        this.tapped = null;
        this.board.offers([]);
        this.module?.redraw?.();
      }
      return;
    }
    this.board.offers(labels);
    this.tapped = (label, offered) => {
      if (offered) take(label);
      else announce(`${label} is not possible here`);
    };
  }

  buildEntries() {
    const body = this.panels.add("Entries", { first: true, name: "entries" });
    const pad = el("div", { class: "keypad" });
    this.keypad = new Keypad(pad, {
      enter: (line) => this.add(line),
      picking: (labels, take) => this.picking(labels, take),
      note: (label, button) => this.extras.note(label, button),
    });
    this.begin = el("div", { class: "begin" });
    const input = el("input", { type: "text", id: "line", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": "A line as text", placeholder: "type a line" });
    const form = el(
      "form",
      {
        class: "row typed",
        onsubmit: (event) => {
          event.preventDefault();
          this.add(input.value);
          input.value = "";
        },
      },
      input,
      el("button", { type: "submit" }, "Add"),
    );
    this.list = el("ol", { class: "lines", reversed: true, "aria-label": "Lines, newest first" });
    this.advice = el("div", { class: "advice" });
    body.append(this.begin, pad, form, el("p", { class: "quiet" }, this.example), this.advice, this.list);
  }

  showLines() {
    const entries = this.lines.map((text, i) => {
      const read = this.page?.entries[i];
      return read?.text === text ? read : { text };
    });
    replace(this.list, entries.map((entry, i) => this.line(entry, i)).reverse());
    this.undoButton.disabled = !this.lines.length;
  }

  line(entry, i) {
    if (this.editing === i) return this.editor(entry, i);
    const kind = entry.error ? "wrong" : entry.unread ? "unread" : "";
    return el(
      "li",
      { class: kind, value: i + 1 },
      el(
        "div",
        {},
        el("b", {}, entry.text),
        el("span", { class: entry.error ? "fault" : "quiet" }, entry.error ?? entry.words ?? (entry.unread ? "not read yet" : "…")),
      ),
      el("button", { type: "button", class: "icon", "aria-label": `Edit line ${i + 1}`, title: "Edit", onclick: () => this.edit(i) }, "✎"),
      el("button", { type: "button", class: "icon", "aria-label": `Delete line ${i + 1}`, title: "Delete", onclick: () => this.change(this.lines.toSpliced(i, 1)) }, "✕"),
    );
  }

  edit(i) {
    this.editing = i;
    this.showLines();
    this.list.querySelector("input")?.select();
  }

  editor(entry, i) {
    const input = el("input", { type: "text", value: entry.text, "aria-label": `Line ${i + 1}`, autocomplete: "off" });
    const save = (event) => {
      event.preventDefault();
      const text = input.value.trim();
      this.change(text ? this.lines.with(i, text) : this.lines.toSpliced(i, 1));
    };
    const stop = () => {
      this.editing = null;
      this.showLines();
    };
    input.addEventListener("keydown", (event) => event.key === "Escape" && stop());
    return el(
      "li",
      { class: "editing", value: i + 1 },
      el("form", { class: "row", onsubmit: save }, input, el("button", { type: "submit" }, "Save"), el("button", { type: "button", onclick: stop }, "Cancel")),
    );
  }

  // -- the table's options ----------------------------------------------------------------------------

  buildTable() {
    this.form = this.panels.add("Table", { name: "table" });
    this.fields = el("div", { class: "stack" });
    this.form.append(this.fields);
  }

  showTable() {
    const { table } = this.page;
    const focused = this.fields.contains(document.activeElement) ? document.activeElement : null;
    const [name, text] = [focused?.getAttribute("aria-label"), focused?.value];
    const edited = focused?.tagName === "INPUT" && focused.dataset.was !== undefined && focused.dataset.was !== text;
    const preset = this.field("Rules", this.select(table.presets, this.options.preset ?? table.presets[0], (value) => this.choosePreset(value)));
    replace(this.fields, preset, this.uploads && this.boardField(), this.extras.fields());
    const again = name && this.fields.querySelector(`[aria-label="${CSS.escape(name)}"]`);
    if (!again) return;
    if (edited) again.value = text;
    again.focus();
  }

  // Another board is another table: the page begins anew with it.
  useBoard(board) {
    this.ownBoard = board && { board: board.board, name: board.name };
    this.options = this.options.preset ? { preset: this.options.preset } : {};
    this.lines = [];
    this.keep();
    location.reload();
  }

  boardField() {
    const own = el("span", { class: "stack" }, boardUpload((board) => board && this.useBoard(board)));
    own.hidden = true;
    const choose = (event) => {
      own.hidden = event.target.value !== "file";
      if (event.target.value === "usual" && this.ownBoard) this.useBoard(null);
    };
    const choices = [["usual", "default"], ...(this.ownBoard ? [["own", this.ownBoard.name]] : []), ["file", "your own file …"]];
    const chosen = this.ownBoard ? "own" : "usual";
    const select = el("select", { "aria-label": "Board", onchange: choose }, choices.map(([value, words]) => el("option", { value, selected: value === chosen }, words)));
    return el("div", { class: "stack" }, this.field("Board", select), own);
  }

  choosePreset(preset) {
    this.options = { preset };
    this.keep();
    this.refresh();
  }

  field(title, control) {
    return el("label", { class: "field" }, el("span", {}, title), control);
  }

  select(values, chosen, changed) {
    return el("select", { onchange: (event) => changed(event.target.value) }, values.map((value) => el("option", { value, selected: value === chosen }, value)));
  }

  check(words, checked, changed) {
    return el("label", { class: "row tick" }, el("input", { type: "checkbox", checked, onchange: (event) => changed(event.target.checked) }), el("span", {}, words));
  }

  tools() {
    this.undoButton = el("button", { type: "button", disabled: true, onclick: () => this.undo() }, "Undo");
    const links = this.all.map(({ name, title }) => el("a", { class: "button", href: `/notebook/${name}`, "aria-current": name === this.game ? "page" : null }, title));
    const copy = el("button", { type: "button", onclick: () => copyButton(this.lines.join("\n")).click() }, "Copy");
    copy.classList.add("spare");
    replace($("tools"), links, this.undoButton, copy, el("button", { type: "button", onclick: () => this.clear() }, "New table"));
  }
}

async function open() {
  shell("notebook");
  keepForOffline();
  try {
    const { games } = await api("/api/notebook");
    const named = (name) => games.find((game) => game.name === name);
    new NotebookPage(named(location.pathname.split("/")[2]) ?? named(recall("notebook")) ?? games[0], games);
  } catch (error) {
    complain(error);
    setTimeout(() => location.reload(), 4000);
  }
}

open();
