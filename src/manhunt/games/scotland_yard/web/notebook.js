// The notebook of Scotland Yard: where Mr X can be, and where the detectives began.

import { pieceBadge } from "/js/board_pieces.js";
import { el, keep, plural, recall, replace } from "/js/dom.js";
import { NotebookExtras } from "/js/notebook_extras.js";
import { announce } from "/js/shell.js";

const MOST_LISTED = 60;
const percent = (p) => (p > 0 && p < 0.005 ? "<1 %" : `${Math.round(100 * p)} %`);

export function create(notebook) {
  return new YardNotebookExtras(notebook);
}

class YardNotebookExtras extends NotebookExtras {
  constructor(notebook) {
    super(notebook);
    if (recall("knowing-detectives") === null) keep("knowing-detectives", "belief");
  }

  open() {
    this.places = this.notebook.panels.add("Where he can be", { name: "places" });
  }

  begin() {
    const { table } = this.page;
    return `Rules: ${table.preset}. The detectives begin on ${table.detectives.map((piece) => piece.at).join(" ")}.`;
  }

  show() {
    const rows = Object.entries(this.page.belief).sort((a, b) => b[1] - a[1]);
    const most = rows[0]?.[1] ?? 1;
    const more = rows.length - MOST_LISTED;
    replace(
      this.places,
      el("p", {}, rows.length ? `${plural(rows.length, "station")}.` : "Nowhere: the game is over."),
      el(
        "ol",
        { class: "places", tabindex: "0", "aria-label": "Stations, the likeliest first" },
        rows.slice(0, MOST_LISTED).map(([label, p]) => {
          const bar = el("i", { "aria-hidden": "true" });
          bar.style.setProperty("--share", String(p / most));
          return el("li", { "data-station": label }, el("b", {}, label), bar, el("span", {}, percent(p)));
        }),
      ),
      more > 0 ? el("p", { class: "quiet" }, `and ${more} less likely ones`) : null,
    );
  }

  // -- the table's form -------------------------------------------------------------------------------

  fields() {
    const { notebook } = this;
    const { table } = this.page;
    const n = table.detectives.length;
    const counts = Array.from({ length: table.mostDetectives }, (_, i) => String(i + 1));
    return [
      notebook.field("Detectives", notebook.select(counts, String(n), (value) => notebook.set({ n_detectives: Number(value), starts: null }))),
      notebook.field("Rounds", el("input", { type: "number", min: 1, max: 60, value: table.rounds, onchange: (event) => notebook.set({ rounds: Number(event.target.value) }) })),
      notebook.check("Mr X began on one of his start places", !table.free, (on) => notebook.set({ free: !on })),
      el("fieldset", { class: "starts" }, el("legend", {}, "Where the detectives began"), table.detectives.map((piece, i) => this.start(piece, i))),
      el("p", { class: "quiet" }, `He shows himself in round${table.shown.length === 1 ? "" : "s"} ${table.shown.join(", ")}.`),
    ];
  }

  start(piece, i) {
    const { notebook } = this;
    const { table } = this.page;
    const before = notebook.options.starts ?? table.detectives.map((each) => each.at);
    const set = (label) => notebook.set({ n_detectives: table.detectives.length, starts: before.map((at, j) => (j === i ? label : at)) });
    const input = el("input", { type: "text", inputmode: "numeric", size: 4, value: piece.at, "data-was": piece.at, "aria-label": `${piece.name} began on`, onchange: (event) => set(event.target.value.trim()) });
    const isPlacing = notebook.placing === i;
    const tap = el("button", { type: "button", "aria-pressed": String(isPlacing), onclick: () => this.place(i, set) }, isPlacing ? "Tap a station" : "Tap");
    return el("div", { class: "row" }, pieceBadge(piece), el("span", { class: "name" }, piece.name), input, tap);
  }

  // The next tap on the board says where a detective began.
  place(i, set) {
    const { notebook } = this;
    const stop = () => {
      notebook.placing = undefined;
      notebook.tapped = null;
    };
    if (notebook.placing === i) {
      stop();
      notebook.show();
      return;
    }
    notebook.placing = i;
    notebook.tapped = (label) => {
      stop();
      set(label);
    };
    notebook.show();
    announce("Tap the station on the board");
  }
}
