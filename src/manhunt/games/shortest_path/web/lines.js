// The lines of a board: their shapes, which one is under a point, and costs drawn upon them.

import { keyed, set, svg } from "/js/dom.js";

const BITS = 10;
const MOST_LABELS = 60;

export class RouteLines {
  constructor(board) {
    this.board = board;
    this.shapes = new Map();
    for (const path of board.svg.querySelectorAll("[data-edge]")) this.shapes.set(path.dataset.edge, shapeOf(path));
    this.under = svg("g", { class: "sp-lines" });
    this.way = svg("g", { class: "sp-way" });
    this.over = svg("g", { class: "sp-costs" });
    board.svg.querySelector("#under").prepend(this.under);
    board.svg.querySelector("#over").prepend(this.way, this.over);
  }

  // The name of the edge between two nodes, as the board has it.
  between(a, b) {
    return [`${a} ${b}`, `${b} ${a}`].find((key) => this.shapes.has(key)) ?? null;
  }

  // The edge nearest to a point of the window, within some pixels; null when a node is nearer.
  at(event, pixels) {
    const matrix = this.board.svg.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const reach = pixels / matrix.a;
    const disc = Math.max(1.25 * this.board.r, 9 / matrix.a);
    for (const place of this.board.places.values()) if (Math.hypot(place.x - point.x, place.y - point.y) <= disc) return null;
    let best = null;
    for (const [edge, { points }] of this.shapes) {
      const gap = gapTo(points, point, best?.gap ?? reach);
      if (gap !== null) best = { edge, gap };
    }
    return best?.edge ?? null;
  }

  // {edges: {key: {cost, level, width, raises}}, matter: [key]}, the cheapest way as pairs, the route as keys, the
  // hinted and the chosen key
  draw({ edges, matter, way, route, crowded, hinted, chosen }) {
    this.board.svg.classList.toggle("sp-crowded", crowded);
    const rows = [
      ...(crowded ? matter.filter((key) => !edges[key]).map((key) => ({ key, kind: "plain" })) : []),
      ...[...new Set(route)].map((key) => ({ key, kind: "route" })),
      ...Object.keys(edges).map((key) => ({ key, kind: "raised" })),
      ...[hinted].filter(Boolean).map((key) => ({ key, kind: "hinted" })),
      ...[chosen].filter(Boolean).map((key) => ({ key, kind: "chosen" })),
    ].filter(({ key }) => this.shapes.has(key));
    const unit = this.#unit();
    keyed(
      this.under,
      rows,
      ({ key, kind }) => `${kind} ${key}`,
      ({ key, kind }) => svg("path", { d: this.shapes.get(key).d, "data-line": key, class: kind }),
      (path, { key, kind }) => {
        const width = { plain: 1.6, route: (edges[key]?.width ?? 2) + 7, hinted: (edges[key]?.width ?? 2) + 5, chosen: (edges[key]?.width ?? 2) + 5 }[kind] ?? edges[key].width;
        set(path, { "stroke-width": (width * unit).toFixed(2), "data-level": kind === "raised" ? edges[key].level : null });
      },
    );
    this.#drawWay(way);
    this.#labels(edges, crowded ? new Set(matter) : null);
  }

  // The cheapest way as arrows that follow their lines, thin enough to leave the colours of the lines to be seen.
  #drawWay(way) {
    const gap = 1.35 * this.board.r;
    keyed(
      this.way,
      way.filter(([a, b]) => this.between(a, b)),
      ([a, b]) => `${a} ${b}`,
      ([a, b]) => svg("path", { d: this.#arrow(a, b, gap), "stroke-width": Math.max(1.3, 0.15 * this.board.r), "marker-end": "url(#head)", "data-way": `${a} ${b}` }),
    );
  }

  #arrow(a, b, gap) {
    const key = this.between(a, b);
    let points = this.shapes.get(key).points;
    if (key !== `${a} ${b}`) points = [...points].reverse();
    const far = (p, q) => Math.hypot(p.x - q.x, p.y - q.y);
    const [from, to] = [points[0], points.at(-1)];
    const room = Math.min(gap, 0.3 * far(from, to));
    const inner = points.filter((p) => far(p, from) > room && far(p, to) > room);
    const toward = (p, q) => {
      const size = Math.max(1e-9, far(p, q));
      return { x: p.x + ((q.x - p.x) * room) / size, y: p.y + ((q.y - p.y) * room) / size };
    };
    const all = [toward(from, inner[0] ?? to), ...inner, toward(to, inner.at(-1) ?? from)];
    return all.map((p, i) => `${i ? "L" : "M"}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("");
  }

  // On crowded boards lines are thin, so that they do not cover the nodes.
  #unit() {
    return Math.max(0.45, Math.min(1, this.board.r / 11));
  }

  #labels(edges, near) {
    const font = Math.max(6.5, Math.min(12, 0.85 * this.board.r));
    const shown = Object.entries(edges)
      .filter(([key]) => this.shapes.has(key) && (!near || near.has(key)))
      .sort(([, a], [, b]) => b.cost - a.cost)
      .slice(0, MOST_LABELS);
    keyed(
      this.over,
      shown,
      ([key]) => key,
      ([key]) => {
        const { points } = this.shapes.get(key);
        const { x, y } = points[Math.floor(points.length / 2)];
        return svg("text", { x, y: y + 0.36 * font, "font-size": font, "stroke-width": 0.35 * font, "data-cost": key });
      },
      (text, [, { cost }]) => (text.textContent = money(cost)),
    );
  }
}

// A cost in a few signs.
export function money(cost) {
  if (cost >= 1e6) return cost.toExponential(1).replace("e+", "e");
  const digits = cost >= 100 ? 0 : cost >= 10 ? 1 : 2;
  return String(Number(cost.toFixed(digits)));
}

function shapeOf(path) {
  const d = path.getAttribute("d");
  const n = d.match(/-?\d+(\.\d+)?/g).map(Number);
  const [from, to] = [{ x: n[0], y: n[1] }, { x: n.at(-2), y: n.at(-1) }];
  if (n.length < 6) return { d, points: [from, { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }, to] };
  const points = Array.from({ length: BITS + 1 }, (_, i) => {
    const t = i / BITS;
    const mix = (a, b, c) => (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t ** 2 * c;
    return { x: mix(from.x, n[2], to.x), y: mix(from.y, n[3], to.y) };
  });
  return { d, points };
}

// The distance from a point to a line of bits if it is below `most`, else null.
function gapTo(points, p, most) {
  let best = null;
  for (let i = 1; i < points.length; i += 1) {
    const [a, b] = [points[i - 1], points[i]];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const t = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / Math.max(1e-9, dx * dx + dy * dy)));
    const gap = Math.hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
    if (gap < (best ?? most)) best = gap;
  }
  return best;
}
