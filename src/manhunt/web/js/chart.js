// Curves over the plies of a game: one picture, one cursor; by pointer, by keyboard and in words.

import { el, onceAFrame, replace, svg } from "./dom.js";
import { SIGNS } from "./replay_analysis.js";

const LEFT = 54;
const RIGHT = 14;
const TOP = 12;
const FOOT = 20;
const GRAPH = { evader: "curve-evader", pursuers: "curve-pursuers" };

// axis: {low, high, text(value), ticks: [values]}; curves: [{name, seat, points: [[ply, value, low, high]]}];
// marks: [{ply, seat, mark, words}]; `picked(ply)` when somebody points at a ply.
export class Chart {
  constructor({ title, axis, curves, marks = [], last, words, picked }) {
    Object.assign(this, { title, axis, curves, marks, last, words, picked });
    this.ply = 0;
    this.drawing = svg("svg", { class: "chart", tabindex: "0", role: "slider", "aria-label": title, "aria-valuemin": 0, "aria-valuemax": last });
    this.says = el("p", { class: "chart-says" });
    this.legend = el("p", { class: "chart-legend quiet" });
    this.element = el("div", { class: "chart-box" }, this.drawing, this.says);
    this.redraw = onceAFrame(() => this.#draw());
    this.resized = new ResizeObserver(() => this.redraw());
    this.resized.observe(this.element);
    this.drawing.addEventListener("pointerdown", (event) => this.#drag(event));
    this.drawing.addEventListener("pointermove", (event) => event.buttons && this.#point(event));
    this.drawing.addEventListener("keydown", (event) => this.#key(event));
    replace(
      this.legend,
      curves.length > 1
        ? curves.map((curve) => el("span", { class: "key" }, el("i", { class: GRAPH[curve.seat] ?? "curve-all", "aria-hidden": "true" }), curve.name))
        : curves[0]?.name,
    );
    this.at(0);
  }

  destroy() {
    this.redraw.cancel();
    this.resized.disconnect();
  }

  at(ply) {
    this.ply = ply;
    const text = this.words(ply);
    this.says.textContent = text;
    this.drawing.setAttribute("aria-valuenow", ply);
    this.drawing.setAttribute("aria-valuetext", `Ply ${ply}: ${text}`);
    this.redraw();
  }

  #drag(event) {
    this.drawing.setPointerCapture(event.pointerId);
    this.#point(event);
  }

  #point(event) {
    const box = this.drawing.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / Math.max(1, box.width - LEFT - RIGHT);
    this.picked(Math.round(Math.min(1, Math.max(0, share)) * this.last));
  }

  #key(event) {
    const to = { ArrowRight: this.ply + 1, ArrowUp: this.ply + 1, ArrowLeft: this.ply - 1, ArrowDown: this.ply - 1, Home: 0, End: this.last }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.picked(Math.min(this.last, Math.max(0, to)));
  }

  #draw() {
    const { width, height } = this.drawing.getBoundingClientRect();
    if (width < 40 || height < 40) return;
    const { low, high } = this.axis;
    const x = (ply) => LEFT + ((width - LEFT - RIGHT) * ply) / Math.max(1, this.last);
    const y = (value) => TOP + (height - TOP - FOOT) * (1 - (Math.min(high, Math.max(low, value)) - low) / Math.max(1e-9, high - low));
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    replace(this.drawing, this.#grid(x, y, width), this.curves.map((curve) => this.#curve(curve, x, y)), this.#cursor(x, height), this.#marks(x, y));
  }

  #grid(x, y, width) {
    const lines = this.axis.ticks.map((value) => [
      svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      svg("text", { class: "tick", x: LEFT - 12, y: y(value) + 4, "text-anchor": "end" }, this.axis.text(value)),
    ]);
    const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500].find((each) => this.last / each <= Math.max(3, width / 70)) ?? 1000;
    const plies = [];
    for (let ply = 0; ply <= this.last; ply += step) {
      plies.push(svg("text", { class: "tick", x: x(ply), y: y(this.axis.low) + 15, "text-anchor": "middle" }, ply));
    }
    return svg("g", { "aria-hidden": "true" }, lines, plies);
  }

  #curve(curve, x, y) {
    const { points } = curve;
    if (!points.length) return null;
    const seat = GRAPH[curve.seat] ?? "curve-all";
    const line = points.map(([ply, value], i) => `${i ? "L" : "M"}${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    const up = points.map(([ply, , , top], i) => `${i ? "L" : "M"}${x(ply).toFixed(1)} ${y(top).toFixed(1)}`).join("");
    const down = [...points].reverse().map(([ply, , bottom]) => `L${x(ply).toFixed(1)} ${y(bottom).toFixed(1)}`).join("");
    return svg(
      "g",
      { class: seat, "aria-hidden": "true" },
      svg("path", { class: "band", d: `${up}${down}Z` }),
      svg("path", { class: "line", d: line }),
      points.length === 1 ? svg("circle", { class: "dot", cx: x(points[0][0]), cy: y(points[0][1]), r: 3 }) : null,
    );
  }

  #marks(x, y) {
    return svg(
      "g",
      { "aria-hidden": "true" },
      this.marks.map((mark) => {
        const curve = this.curves.find((each) => each.seat === mark.seat) ?? this.curves[0];
        const value = curve?.points.filter(([ply]) => ply <= mark.ply).at(-1)?.[1] ?? this.axis.high;
        const [cx, cy] = [x(mark.ply), Math.max(y(value), TOP + 4)];
        return svg(
          "g",
          { class: `mark ${mark.mark}`, "data-ply": mark.ply },
          svg("title", {}, mark.words),
          svg("circle", { cx, cy, r: 8 }),
          svg("text", { x: cx, y: cy + 4, "text-anchor": "middle" }, SIGNS[mark.mark]),
        );
      }),
    );
  }

  #cursor(x, height) {
    const at = x(this.ply);
    return svg("line", { class: "cursor", x1: at, x2: at, y1: TOP - 6, y2: height - FOOT + 4, "aria-hidden": "true" });
  }
}
