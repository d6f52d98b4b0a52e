// What is drawn on the ground of a board, layer by layer. Elements are reused by what they stand for.

import { drawPieces, piecesOf } from "./board_pieces.js";
import { keyed, set, svg } from "./dom.js";

export const EVEN = 0.3; // the glow of nodes that are all alike
const BEHIND = 0.08; // the same behind another glow
// from the lowest to the highest: the name of a layer, and the group of the picture it belongs to
const LAYERS = [
  ["glow", "under"], ["danger", "under"], ["route", "over"], ["arrows", "over"], ["offers", "over"], ["pieces", "over"],
  ["badges", "over"], ["focus", "over"], ["pulses", "over"],
];

export class BoardMarks {
  constructor(ground) {
    this.ground = ground;
    this.layers = {};
    ground.svg.prepend(patterns());
    for (const [name, home] of LAYERS) {
      this.layers[name] = svg("g", { class: `layer-${name}` });
      ground.svg.querySelector(`#${home}`).append(this.layers[name]);
    }
  }

  // `now` is what a board has been told to show: {marks, arrows, offers, chosen, faint, glow, badges, focus, ghosts, route}
  draw({ marks, arrows, offers, chosen, faint, glow, badges, focus, ghosts, route }) {
    const pieces = piecesOf(marks, this.ground);
    this.#glow(glow, marks.candidates ?? []);
    this.#danger(marks.danger ?? []);
    const judged = ["worse", "better"].flatMap((tone) => (marks[tone] ?? []).map(([a, b]) => [a, b, tone]));
    this.#arrows([...(marks.arrows ?? []), ...arrows, ...judged], pieces, offers);
    this.#offers(offers, chosen, faint);
    drawPieces(this.layers.pieces, pieces, this.ground);
    for (const g of this.layers.pieces.children) g.classList.toggle("ghost", ghosts.has(g.dataset.piece));
    this.#route(route);
    this.#badges(badges);
    this.#focus(focus);
  }

  #known(labels) {
    return labels.filter((label) => this.ground.places.has(label));
  }

  // A ring or disc around a node.
  #round(label, r, attrs) {
    const { x, y } = this.ground.places.get(label);
    return svg("circle", { cx: x, cy: y, r, ...attrs });
  }

  #glow(glow, candidates) {
    const all = new Map(candidates.map((label) => [label, { level: glow.size ? BEHIND : EVEN }]));
    for (const [label, item] of glow) all.set(label, item);
    keyed(
      this.layers.glow,
      this.#known([...all.keys()]),
      (label) => label,
      (label) => this.#round(label, 1.95 * this.ground.r, { "data-node-mark": label }),
      (circle, label) => {
        const item = all.get(label);
        set(circle, { opacity: item.level.toFixed(3), class: item.tone ?? null, "data-weight": item.p ?? null });
      },
    );
  }

  #danger(labels) {
    const { places, r } = this.ground;
    const size = 0.62 * r + 3;
    keyed(this.layers.danger, this.#known(labels), (label) => label, (label) => {
      const { x, y } = places.get(label);
      const [cx, cy] = [x - 1.15 * r - size / 2, y + 1.15 * r - size / 2];
      return svg(
        "g",
        {},
        this.#round(label, 1.38 * r, { "fill-opacity": 0.22, "stroke-width": 0.16 * r }),
        svg("path", { d: `M${cx} ${cy}l${size} ${size}m0 ${-size}l${-size} ${size}`, "stroke-width": 0.2 * r }),
      );
    });
  }

  // From rim to rim of what stands at both ends.
  #arrows(arrows, pieces, offers) {
    const { places, r } = this.ground;
    const reach = (label) => {
      const n = pieces.filter((piece) => piece.at === label).length;
      if (n) return 1.02 + 0.58 * n;
      return offers.has(label) ? 1.6 : 1.15;
    };
    const shown = arrows.filter(([a, b]) => a !== b && places.has(a) && places.has(b));
    const width = Math.max(2.2, 0.24 * r);
    keyed(
      this.layers.arrows,
      shown.map(([a, b, tone = ""], i) => ({ a, b, tone, key: `${a} ${b} ${tone} ${i}` })),
      (arrow) => arrow.key,
      ({ tone }) => {
        const wide = tone ? 1.5 * width : width;
        const shaft = svg("path", { class: "shaft", "stroke-width": wide, "marker-end": `url(#head${tone && `-${tone}`})` });
        return svg("g", { class: tone || null }, svg("path", { class: "halo", "stroke-width": wide + 4 }), shaft);
      },
      (g, { a, b }) => {
        const from = places.get(a);
        const to = places.get(b);
        const length = Math.max(Math.hypot(to.x - from.x, to.y - from.y), 1e-9);
        const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
        const [start, end] = [a, b].map((label) => Math.min(r * reach(label), 0.38 * length));
        const d = `M${from.x + ux * start} ${from.y + uy * start}L${to.x - ux * end} ${to.y - uy * end}`;
        for (const path of g.children) path.setAttribute("d", d);
        g.dataset.arrow = `${a} ${b}`;
      },
    );
  }

  // One line over all nodes in order, with heads that say in which direction; the end is stronger than the beginning.
  #route(labels) {
    const { places, r } = this.ground;
    const steps = this.#known(labels).slice(1).map((to, i) => ({ from: this.#known(labels)[i], to, i }));
    keyed(
      this.layers.route,
      steps.filter(({ from, to }) => from !== to),
      ({ from, to, i }) => `${i} ${from} ${to}`,
      ({ from, to, i }) => {
        const [a, b] = apart(places.get(from), places.get(to), 1.1 * r);
        const [mx, my] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
        const age = 0.45 + (0.55 * (i + 1)) / steps.length;
        const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
        const head = svg("path", { d: "M-5 -4L5 0L-5 4z", transform: `translate(${mx} ${my}) rotate(${angle}) scale(${0.11 * r})` });
        return svg("g", { opacity: age.toFixed(2), "data-route": `${from} ${to}` }, svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, "stroke-width": 0.42 * r }), head);
      },
    );
  }

  pulse(label, tone) {
    const [known] = this.#known([label]);
    if (!known) return;
    const { x, y } = this.ground.places.get(known);
    for (const late of [0, 0.18]) {
      const ring = svg("circle", { class: `pulse ${tone}`, r: 1.4 * this.ground.r, "stroke-width": 0.4 * this.ground.r });
      ring.style.setProperty("animation-delay", `${late}s`);
      const g = svg("g", { transform: `translate(${x} ${y})`, "data-pulse": tone }, ring);
      this.layers.pulses.append(g);
      ring.addEventListener("animationend", () => g.remove());
    }
  }

  #offers(offers, chosen, faint) {
    const { places, r } = this.ground;
    const dashes = { "stroke-width": 0.3 * r, "stroke-dasharray": `${0.52 * r} ${0.3 * r}` };
    keyed(
      this.layers.offers,
      this.#known([...offers]),
      (label) => label,
      (label) => this.#round(label, 1.3 * r, { "data-offer": label, ...dashes }),
      (circle, label) => set(circle, { class: chosen.has(label) ? "chosen" : faint.has(label) ? "faint" : null }),
    );
    for (const [label, place] of places) place.g.classList.toggle("can", offers.has(label));
  }

  #badges(badges) {
    const { places, r } = this.ground;
    const font = Math.max(7.5, 0.78 * r);
    keyed(
      this.layers.badges,
      this.#known(Object.keys(badges)),
      (label) => label,
      (label) => {
        const { x, y } = places.get(label);
        return svg("g", { "data-badge": label, transform: `translate(${x} ${y + 1.75 * r})` }, svg("rect"), svg("text", { y: 0.36 * font, "font-size": font }));
      },
      (g, label) => {
        const { text, tone } = badges[label];
        const width = Math.max(1.6 * font, 0.62 * font * text.length + 0.7 * font);
        g.setAttribute("class", tone ?? "");
        set(g.firstChild, { x: -width / 2, y: -0.75 * font, width, height: 1.5 * font, rx: 0.75 * font });
        g.lastChild.textContent = text;
      },
    );
  }

  // Where the keyboard is, as long as the board has it.
  #focus(label) {
    const { places, r, svg: picture } = this.ground;
    const shown = label !== null && picture.matches(":focus-visible") && places.has(label) ? [label] : [];
    keyed(
      this.layers.focus,
      shown,
      () => "focus",
      () => svg("g", {}, [0.42, 0.24].map((width) => svg("circle", { r: 2.15 * r, "stroke-width": width * r }))),
      (g) => {
        const { x, y } = places.get(label);
        set(g, { transform: `translate(${x} ${y})`, "data-focus": label });
      },
    );
  }
}

// The line between two places without what their discs cover.
function apart(a, b, room) {
  const length = Math.max(Math.hypot(b.x - a.x, b.y - a.y), 1e-9);
  const [dx, dy] = [a.x - b.x, a.y - b.y].map((d) => (d / length) * Math.min(room, 0.4 * length));
  return [{ x: a.x - dx, y: a.y - dy }, { x: b.x + dx, y: b.y + dy }];
}

// Hatching for what is hidden, and the head of arrows.
function patterns() {
  return svg(
    "defs",
    {},
    svg(
      "pattern",
      { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { width: 5, height: 5, fill: "var(--surface)" }),
      svg("rect", { width: 2.4, height: 5, fill: "var(--ink)" }),
    ),
    [["head", "ink"], ["head-worse", "danger"], ["head-better", "offer"]].map(([id, colour]) =>
      svg(
        "marker",
        { id, viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" },
        svg("path", { d: "M0 0L10 5L0 10z", fill: `var(--${colour})` }),
      ),
    ),
  );
}
