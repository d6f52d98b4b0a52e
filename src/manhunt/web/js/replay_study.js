// The panel "Variations": trying moves, the best moves by the engine, names, and comments on the moment that is shown.

import { capital, el, replace } from "./dom.js";
import { announce, busy, complain, confirmed } from "./shell.js";
import { MAIN } from "./replay_tree.js";
import { api } from "./wire.js";

const LONGEST_NAME = 60;
const percent = (share) => `${Math.round(100 * share)} %`;

export class Study {
  // `page` has uid, token, head, tree, moment, trying, here (what can be done there), play(actions), setTrying(on),
  // reload() and go(ply, variation).
  constructor(page) {
    this.page = page;
    this.where = el("div", { class: "row where-am-i" });
    this.trying = el("button", { type: "button", class: "try", "aria-pressed": "false", onclick: () => page.setTrying(!page.trying) }, "Try moves");
    this.says = el("p", { class: "quiet" });
    this.chance = el("div", { class: "moves chances", role: "group", "aria-label": "Possible chance events" });
    this.lines = el("div", { class: "lines" });
    this.ask = el("button", { type: "button", onclick: () => this.#askLines().catch(complain) }, "Best moves here");
    this.comments = el("div", { class: "stack comments" });
    this.element = el("div", { class: "stack study" }, this.where, el("div", { class: "row" }, this.trying, this.ask), this.says, this.chance, this.lines, this.comments);
    this.key = "";
  }

  // Another moment, another tree, or another answer to what can be done.
  draw() {
    const { page } = this;
    const { variation, ply } = page.moment;
    const at = page.tree.home(variation, ply);
    const key = `${at.variation} ${at.ply}`;
    const line = page.tree.get(variation);
    this.#drawWhere(line, ply);
    this.trying.hidden = !page.tree.mine;
    this.trying.setAttribute("aria-pressed", String(page.trying));
    this.ask.disabled = !page.here || page.here.seat === null || page.here.seat === "chance";
    this.says.textContent = this.#situation();
    this.#drawChance();
    if (key !== this.key) replace(this.lines);
    this.#drawComments(key);
    this.key = key;
  }

  #situation() {
    const { tree, trying, here, head, moment } = this.page;
    if (!tree.mine) return "Only the players of this game can add variations and comments.";
    if (!trying) return "";
    if (!here) return "…";
    if (here.seat === null) return "The game is over here.";
    if (here.seat === "chance") return "Chance acts here: choose what it does, or let it draw.";
    const seen = moment.track === "truth" || moment.track === here.seat;
    return seen ? `${capital(head.called[here.seat] ?? head.names[here.seat])} to act: choose a move on the board or from the list.` : `${head.names[here.seat]} to act: show the truth or that seat to choose on the board.`;
  }

  #drawWhere(line, ply) {
    const { page } = this;
    if (line.number === MAIN) {
      replace(this.where, el("b", {}, "The game itself"));
      return;
    }
    const button = (words, act) => el("button", { type: "button", class: "small", onclick: act }, words);
    const after = ply > line.ply && ply < line.last;
    replace(
      this.where,
      el("b", {}, line.name || `Variation ${line.number}`),
      line.by ? el("small", { class: "quiet" }, `by ${page.head.names[line.by]}`) : null,
      button("Back to the game", () => page.go(page.tree.mainPly(line.number, ply), MAIN)),
      line.mine ? button("Name", () => this.#rename(line)) : null,
      line.mine && after ? button("Delete what follows", () => this.#delete(line, ply)) : null,
      line.mine ? button("Delete", () => this.#delete(line)) : null,
    );
  }

  #drawChance() {
    const { here, trying } = this.page;
    const isChance = trying && here?.seat === "chance";
    this.chance.hidden = !isChance;
    if (!isChance) return;
    const options = here.options.map(({ action, words, odds }) => el("button", { type: "button", title: words, onclick: () => this.page.play([action]) }, words, el("small", {}, percent(odds))));
    replace(this.chance, el("button", { type: "button", class: "primary", onclick: () => this.page.play([null]) }, "Draw"), options);
  }

  // -- names ------------------------------------------------------------------------------------------

  #rename(line) {
    const input = el("input", { type: "text", maxlength: LONGEST_NAME, value: line.name, "aria-label": "Name of the variation" });
    const save = async () => {
      if (input.dataset.done) return;
      input.dataset.done = "yes";
      await this.#change(`/tree/${line.number}`, "PATCH", { name: input.value });
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") save();
      if (event.key === "Escape") {
        input.dataset.done = "yes";
        this.draw();
      }
    });
    input.addEventListener("blur", save);
    replace(this.where, input);
    input.focus();
    input.select();
  }

  async #delete(line, after = null) {
    const what = after === null ? "Delete this variation and everything that branches off it?" : "Delete the moves after this one?";
    if (!(await confirmed(what, "Delete", "Keep it"))) return;
    const { page } = this;
    const { ply } = page.moment;
    if (after === null) page.go(page.tree.mainPly(line.number, ply), MAIN);
    await this.#change(`/tree/${line.number}${after === null ? "" : `?after=${after}`}`, "DELETE");
  }

  async #change(path, method, body) {
    const { page } = this;
    try {
      await api(`/api/games/${page.uid}${path}`, { method, body, token: page.token });
    } catch (error) {
      complain(error);
    }
    await page.reload().catch(complain);
  }

  // -- the engine -------------------------------------------------------------------------------------

  async #askLines() {
    const { page, key } = this;
    const { variation, ply } = page.moment;
    this.ask.disabled = true;
    try {
      const path = `/api/games/${page.uid}/lines/${ply}?variation=${variation}`;
      const found = await busy(this.lines, "Looking for the best moves", (signal) => api(path, { signal }));
      if (key === this.key) this.#drawLines(found);
    } finally {
      this.draw();
    }
  }

  #drawLines({ seat, how, lines }) {
    const { page } = this;
    const row = ({ actions, words, chance, worth }) => {
      const value = chance ? `${percent(chance[0])}` : worth;
      const range = chance ? `${Math.round(100 * chance[1])} to ${percent(chance[2])}` : "";
      const inner = [el("span", { class: "line-words" }, words), value ? el("b", { class: "digits" }, value) : null, range ? el("small", { class: "quiet digits" }, range) : null];
      const act = () => page.play(actions).catch(complain);
      return el("li", {}, page.tree.mine ? el("button", { type: "button", onclick: act, "data-actions": actions.join(" ") }, inner) : el("p", {}, inner));
    };
    const head = lines.some((line) => line.chance) ? `${page.head.names[seat]}: chance to win` : `Best moves of ${page.head.called[seat] ?? page.head.names[seat]}`;
    const list = lines.length ? el("ol", { class: "engine" }, lines.map(row)) : el("p", {}, "No move was found.");
    replace(this.lines, el("p", {}, el("b", {}, head)), list, el("p", { class: "quiet" }, how));
    announce(lines[0] ? `Best: ${lines[0].words}` : "No move was found");
  }

  // -- comments ---------------------------------------------------------------------------------------

  #drawComments(key) {
    const { tree, moment, head } = this.page;
    const said = tree.said(moment.variation, moment.ply);
    const own = said.find((each) => each.mine);
    const others = said.filter((each) => each !== own);
    const kept = `${key} ${tree.mine} ${JSON.stringify(said)}`;
    if (kept === this.said) return;
    const typing = this.area && document.activeElement === this.area && key === this.key;
    this.said = kept;
    if (typing) return; // what is being written stays
    const shown = others.map((each) => el("p", { class: "said" }, each.by ? el("b", {}, `${head.names[each.by]}: `) : null, each.text));
    this.area = el("textarea", { rows: 3, maxlength: tree.longest, placeholder: "A comment on this moment", "aria-label": "Comment on this moment", value: own?.text ?? "" });
    const { area } = this;
    const at = tree.home(moment.variation, moment.ply);
    const save = async () => {
      const text = area.value.trim();
      if (text === (own?.text ?? "")) return;
      await this.#change("/tree/comments", "PUT", { ...at, text });
      announce("Saved");
    };
    area.addEventListener("change", save);
    replace(this.comments, shown, tree.mine ? area : null);
  }
}
