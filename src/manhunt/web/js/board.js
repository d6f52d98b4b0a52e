// A board that can be moved and marked. It draws what it is told; which nodes are offered is not its business.

import { el, keyed, onceAFrame, set, svg } from "./dom.js";

const CLICK_PIXELS = 6;
const MOST_ZOOM = 14;
const STEP = 1.35;
const STRONGEST = 0.72;
const EVEN = 0.3;
const documents = new Map();

async function documentOf(digest) {
  if (!documents.has(digest)) {
    const fetched = fetch(`/api/boards/${digest}.svg`).then(async (answer) => {
      if (!answer.ok) throw new Error("The board cannot be loaded.");
      return new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
    });
    documents.set(digest, fetched);
    fetched.catch(() => documents.delete(digest));
  }
  return documents.get(digest);
}

export class BoardView {
  constructor(stage, digest, { announce = () => {}, name = "Board" } = {}) {
    this.digest = digest;
    this.announce = announce;
    this.name = name;
    this.places = new Map();
    this.neighbours = new Map();
    this.now = { marks: {}, offers: [], chosen: new Set(), faint: new Set(), glow: new Map(), badges: {}, focus: null };
    this.offered = new Set();
    this.growth = 1;
    this.picked = null;
    this.hovered = () => {};
    this.said = null;
    this.redraw = onceAFrame(() => this.#draw());
    this.reframe = onceAFrame(() => this.#frame());
    this.box = el("div", { class: "board", "data-part": "board" }, el("p", { class: "wait" }, "Loading the board …"));
    stage.append(this.box);
    this.ready = this.load();
  }

  async load() {
    if (this.svg) return this;
    const drawn = (await documentOf(this.digest)).documentElement;
    if (this.gone) return this;
    this.svg = document.importNode(drawn, true);
    const [, , width, height] = this.svg.getAttribute("viewBox").split(" ").map(Number);
    this.whole = { x: 0, y: 0, w: width, h: height };
    this.r = Number(this.svg.dataset.radius) || 11;
    this.#readNodes();
    this.#enlarge();
    this.#crop();
    this.#prepare();
    this.box.querySelector(".wait").remove();
    this.box.prepend(this.svg);
    this.box.append(this.#buttons());
    this.#listen();
    this.resized = new ResizeObserver(() => this.reframe());
    this.resized.observe(this.box);
    this.fit();
    this.redraw();
    return this;
  }

  destroy() {
    this.gone = true;
    this.redraw.cancel();
    this.reframe.cancel();
    this.resized?.disconnect();
    this.box.remove();
  }

  #readNodes() {
    for (const g of this.svg.querySelectorAll("[data-node]")) {
      const [x, y] = g.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
      this.places.set(g.dataset.node, { x, y, g, title: g.querySelector("title")?.textContent ?? g.dataset.node });
    }
    for (const path of this.svg.querySelectorAll("[data-edge]")) {
      const [a, b] = path.dataset.edge.split(" ");
      for (const [from, to] of [[a, b], [b, a]]) {
        if (!this.neighbours.has(from)) this.neighbours.set(from, new Set());
        this.neighbours.get(from).add(to);
      }
    }
  }

  // Small discs grow as far as their neighbours leave room, so that numbers can be read on a whole board.
  #enlarge() {
    const all = [...this.places.values()];
    if (this.r >= 15 || all.length < 2 || all.length > 600) return;
    const gap = (p) => Math.min(...all.map((q) => (p === q ? Infinity : Math.hypot(p.x - q.x, p.y - q.y))));
    const narrow = all.map(gap).sort((a, b) => a - b)[Math.floor(all.length / 50)];
    const factor = Math.max(1, Math.min(1.28, (0.5 * narrow) / this.r));
    this.growth = factor;
    this.r *= factor;
    for (const { g } of all) g.setAttribute("transform", `${g.getAttribute("transform")} scale(${factor.toFixed(3)})`);
  }

  // What is shown as the whole board: the nodes with room for their rings and badges.
  #crop() {
    const xs = [...this.places.values()].map((p) => p.x);
    const ys = [...this.places.values()].map((p) => p.y);
    const pad = 2.6 * this.r;
    const [x, y] = [Math.min(...xs) - pad, Math.min(...ys) - pad];
    if (xs.length) this.whole = { x, y, w: Math.max(...xs) - x + pad, h: Math.max(...ys) - y + pad };
    this.window = { ...this.whole };
  }

  #prepare() {
    set(this.svg, {
      width: null,
      height: null,
      role: "application",
      tabindex: "0",
      preserveAspectRatio: "xMidYMid meet",
      "aria-label": `${this.name}. Arrow keys go from node to node, Enter chooses, plus and minus zoom, 0 shows all.`,
    });
    this.svg.querySelector("title")?.remove();
    const defs = svg(
      "defs",
      {},
      svg(
        "pattern",
        { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        svg("rect", { width: 5, height: 5, fill: "var(--surface)" }),
        svg("rect", { width: 2.4, height: 5, fill: "var(--ink)" }),
      ),
      svg(
        "marker",
        { id: "head", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" },
        svg("path", { d: "M0 0L10 5L0 10z", fill: "var(--ink)" }),
      ),
    );
    this.svg.prepend(defs);
    this.layers = {};
    for (const [name, home] of [
      ["glow", "under"], ["danger", "under"], ["arrows", "over"], ["offers", "over"], ["pieces", "over"],
      ["badges", "over"], ["focus", "over"],
    ]) {
      const layer = svg("g", { class: `layer-${name}` });
      this.svg.querySelector(`#${home}`).append(layer);
      this.layers[name] = layer;
    }
  }

  // -- what is shown ----------------------------------------------------------------------------------

  // {pieces, lastSeen, candidates, arrows, danger}, as scenes have them
  marks(marks) {
    this.now.marks = marks ?? {};
    this.redraw();
  }

  arrows(arrows) {
    this.now.arrows = arrows;
    this.redraw();
  }

  // The nodes that may be picked, with rings; `chosen` ones are filled, `faint` ones pale.
  offers(labels, picked = null, { chosen = [], faint = [] } = {}) {
    this.offered = new Set(labels);
    this.now.offers = [...this.offered];
    this.now.chosen = new Set(chosen);
    this.now.faint = new Set(faint);
    if (picked) this.picked = picked;
    this.redraw();
  }

  // Every click or Enter on a node goes to `picked(label, isOffered)`.
  onPick(picked) {
    this.picked = picked;
  }

  // `hovered(label)` when the pointer or the keyboard comes to a node, `hovered(null)` when it leaves.
  onHover(hovered) {
    this.hovered = hovered;
  }

  // Probabilities by label, by the square root of their share of the largest; null takes the glow away.
  belief(weights) {
    const most = Math.max(1e-12, ...Object.values(weights ?? {}));
    const rows = Object.entries(weights ?? {}).filter(([, p]) => p > 0);
    this.glow(new Map(rows.map(([label, p]) => [label, { level: STRONGEST * Math.sqrt(p / most), p }])));
  }

  candidates(labels) {
    this.glow(new Map(labels.map((label) => [label, { level: EVEN }])));
  }

  // Map label -> {level 0..1, tone?: "danger" | "safe"}
  glow(map) {
    this.now.glow = map ?? new Map();
    this.redraw();
  }

  // {label: {text, tone?: "danger" | "safe"}}: small words under nodes
  badges(badges) {
    this.now.badges = badges ?? {};
    this.redraw();
  }

  // A line at the foot of the board about what is under the cursor.
  say(words) {
    if (!words) {
      this.said?.remove();
      this.said = null;
      return;
    }
    if (!this.said) {
      this.said = el("p", { class: "under-cursor" });
      this.box.append(this.said);
    }
    this.said.textContent = words;
  }

  // A small menu at a node: [{words, value, note?, swatch?}] -> the chosen value, or null.
  ask(label, question, choices) {
    this.closeMenu?.(null);
    return new Promise((answer) => {
      const place = this.clientPlace(label);
      const menu = el(
        "div",
        { class: "ask", role: "menu", "aria-label": question },
        el("p", {}, question),
        choices.map((choice) =>
          el(
            "button",
            { type: "button", role: "menuitem", onclick: () => this.closeMenu(choice.value) },
            choice.swatch ? el("i", { class: `swatch ${choice.swatch}`, "aria-hidden": "true" }) : null,
            choice.words,
            choice.note ? el("small", {}, choice.note) : null,
          ),
        ),
      );
      const outside = (event) => {
        if (!menu.contains(event.target)) this.closeMenu(null);
      };
      this.closeMenu = (value) => {
        this.closeMenu = null;
        removeEventListener("pointerdown", outside, true);
        menu.remove();
        this.svg.focus({ preventScroll: true });
        answer(value);
      };
      menu.addEventListener("keydown", (event) => this.#menuKey(event, menu));
      addEventListener("pointerdown", outside, true);
      this.box.append(menu);
      const room = this.box.getBoundingClientRect();
      const size = menu.getBoundingClientRect();
      const left = Math.max(8, Math.min(place.x - size.width / 2, room.width - size.width - 8));
      const below = place.y + 18 + size.height < room.height;
      const top = below ? place.y + 18 : Math.max(8, place.y - size.height - 18);
      menu.style.setProperty("left", `${left}px`);
      menu.style.setProperty("top", `${top}px`);
      menu.querySelector("button").focus();
    });
  }

  #menuKey(event, menu) {
    const buttons = [...menu.querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") this.closeMenu(null);
    else if (step) buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // -- drawing ----------------------------------------------------------------------------------------

  #draw() {
    if (!this.svg || this.gone) return;
    const { marks, offers, glow, badges } = this.now;
    this.#drawGlow(glow, marks.candidates ?? []);
    this.#drawDanger(marks.danger ?? []);
    this.#drawArrows([...(marks.arrows ?? []), ...(this.now.arrows ?? [])]);
    this.#drawOffers(offers);
    this.#drawPieces(marks);
    this.#drawBadges(badges);
    this.#drawFocus();
  }

  #known(labels) {
    return labels.filter((label) => this.places.has(label));
  }

  #drawGlow(glow, candidates) {
    const all = new Map(candidates.map((label) => [label, { level: glow.size ? 0.08 : EVEN }]));
    for (const [label, item] of glow) all.set(label, item);
    keyed(
      this.layers.glow,
      this.#known([...all.keys()]),
      (label) => label,
      (label) => svg("circle", { "data-node-mark": label, cx: this.places.get(label).x, cy: this.places.get(label).y, r: 1.95 * this.r }),
      (circle, label) => {
        const item = all.get(label);
        set(circle, { opacity: item.level.toFixed(3), class: item.tone ?? null, "data-weight": item.p ?? null });
      },
    );
  }

  #drawDanger(labels) {
    const r = this.r;
    const size = 0.62 * r + 3;
    keyed(this.layers.danger, this.#known(labels), (label) => label, (label) => {
      const { x, y } = this.places.get(label);
      const [cx, cy] = [x - 1.15 * r - size / 2, y + 1.15 * r - size / 2];
      return svg(
        "g",
        {},
        svg("circle", { cx: x, cy: y, r: 1.38 * r, "fill-opacity": 0.22, "stroke-width": 0.16 * r }),
        svg("path", { d: `M${cx} ${cy}l${size} ${size}m0 ${-size}l${-size} ${size}`, "stroke-width": 0.2 * r }),
      );
    });
  }

  #drawOffers(labels) {
    const r = this.r;
    const { chosen, faint } = this.now;
    keyed(
      this.layers.offers,
      this.#known(labels),
      (label) => label,
      (label) =>
        svg("circle", {
          "data-offer": label,
          cx: this.places.get(label).x,
          cy: this.places.get(label).y,
          r: 1.3 * r,
          "stroke-width": 0.3 * r,
          "stroke-dasharray": `${0.52 * r} ${0.3 * r}`,
        }),
      (circle, label) => set(circle, { class: chosen.has(label) ? "chosen" : faint.has(label) ? "faint" : null }),
    );
    for (const [label, place] of this.places) place.g.classList.toggle("can", this.offered.has(label));
  }

  #drawArrows(arrows) {
    const shown = arrows.filter(([a, b]) => a !== b && this.places.has(a) && this.places.has(b));
    const width = Math.max(2.2, 0.24 * this.r);
    keyed(
      this.layers.arrows,
      shown.map(([a, b], i) => ({ a, b, key: `${a} ${b} ${i}` })),
      (arrow) => arrow.key,
      () => svg("g", {}, svg("path", { class: "halo", "stroke-width": width + 4 }), svg("path", { class: "shaft", "stroke-width": width, "marker-end": "url(#head)" })),
      (g, { a, b }) => {
        const from = this.places.get(a);
        const to = this.places.get(b);
        const length = Math.max(Math.hypot(to.x - from.x, to.y - from.y), 1e-9);
        const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
        const [start, end] = [a, b].map((label) => Math.min(this.r * this.#reach(label), 0.38 * length));
        const d = `M${from.x + ux * start} ${from.y + uy * start}L${to.x - ux * end} ${to.y - uy * end}`;
        for (const path of g.children) path.setAttribute("d", d);
        g.dataset.arrow = `${a} ${b}`;
      },
    );
  }

  #reach(label) {
    const n = this.#pieces().filter((piece) => piece.at === label).length;
    if (n) return 1.02 + 0.58 * n;
    return this.offered.has(label) ? 1.6 : 1.15;
  }

  #pieces() {
    const { pieces = [], lastSeen = null } = this.now.marks;
    const hidden = lastSeen && { id: "hidden", at: lastSeen.at, kind: "hidden", letter: "?", name: "Mr X, last seen", words: lastSeen.words };
    return (hidden ? [hidden, ...pieces] : pieces).filter((piece) => this.places.has(piece.at));
  }

  #drawPieces() {
    const level = new Map();
    const rows = this.#pieces().map((piece) => {
      const n = level.get(piece.at) ?? 0;
      level.set(piece.at, n + 1);
      return { ...piece, level: n };
    });
    rows.sort((a, b) => b.level - a.level);
    keyed(
      this.layers.pieces,
      rows,
      (piece) => piece.id,
      (piece) => svg("g", { class: `piece ${piece.kind}`, "data-piece": piece.id }),
      (g, piece) => this.#placePiece(g, piece),
    );
  }

  #placePiece(g, piece) {
    const { x, y } = this.places.get(piece.at);
    g.style.setProperty("transform", `translate(${x}px, ${y}px)`);
    g.dataset.at = piece.at;
    const look = `${piece.level} ${piece.colour} ${piece.letter} ${piece.words ?? ""} ${piece.at}`;
    if (g.dataset.look === look) return;
    g.dataset.look = look;
    const r = this.r;
    const hidden = piece.kind === "hidden";
    const width = 0.4 * r;
    const radius = 1.22 * r + piece.level * 1.45 * width;
    const size = Math.max(6.5, 0.68 * r);
    const angle = ((75 * piece.level - 45) * Math.PI) / 180;
    const [bx, by] = [(radius + 0.5 * size) * Math.cos(angle), (radius + 0.5 * size) * Math.sin(angle)];
    const font = piece.letter.length === 1 ? 1.3 * size : (2 * size) / piece.letter.length;
    const label = this.places.get(piece.at).g.querySelector("text.label");
    const parts = [svg("title", {}, `${piece.name} on ${piece.at}${piece.words ? `, ${piece.words}` : ""}`)];
    if (piece.kind === "quarry") {
      parts.push(svg("circle", { r, fill: piece.colour }));
      if (label && Number(label.getAttribute("y")) * this.growth < r) {
        const text = label.cloneNode(true);
        set(text, { fill: piece.on, transform: `scale(${this.growth})` });
        parts.push(text);
      }
    }
    parts.push(
      svg("circle", { class: "rim", r: radius, "stroke-width": width + 2.4 }),
      svg("circle", { class: "ring", r: radius, stroke: hidden ? "url(#hatch)" : piece.colour, "stroke-width": width }),
      svg("circle", { cx: bx, cy: by, r: size, fill: hidden ? "var(--surface)" : piece.colour, stroke: hidden ? "var(--ink)" : "var(--piece_rim)", "stroke-width": 1.2 }),
      svg("text", { x: bx, y: by + 0.36 * font, "font-size": font, fill: hidden ? "var(--ink)" : piece.on }, piece.letter),
    );
    if (piece.words) parts.push(this.#beside(piece, radius + width));
    g.replaceChildren(...parts);
  }

  // The words of a piece, on the side where they hide the fewest nodes.
  #beside(piece, gap) {
    const here = this.places.get(piece.at);
    const width = 7.2 * piece.words.length;
    const sides = [
      [gap + 4, 4.5, "start", gap + 4], [-gap - 4, 4.5, "end", -gap - 4 - width],
      [0, gap + 14, "middle", -width / 2], [0, -gap - 5, "middle", -width / 2],
    ];
    const hides = ([, dy, , left]) => {
      const [x0, x1, y] = [here.x + left, here.x + left + width, here.y + dy - 5];
      const { whole } = this;
      let n = x0 < whole.x || x1 > whole.x + whole.w || y < whole.y + 8 || y > whole.y + whole.h - 8 ? 100 : 0;
      for (const place of this.places.values()) {
        const across = Math.max(x0 - place.x, 0, place.x - x1);
        if (place !== here && Math.hypot(across, Math.max(0, Math.abs(place.y - y) - 7)) < this.r) n += 1;
      }
      return n;
    };
    const [x, y, anchor] = sides.reduce((best, side) => (hides(side) < hides(best) ? side : best));
    return svg("text", { class: "beside", x, y, "text-anchor": anchor }, piece.words);
  }

  #drawBadges(badges) {
    const font = Math.max(7.5, 0.78 * this.r);
    keyed(
      this.layers.badges,
      this.#known(Object.keys(badges)),
      (label) => label,
      (label) => {
        const { x, y } = this.places.get(label);
        return svg("g", { "data-badge": label, transform: `translate(${x} ${y + 1.75 * this.r})` }, svg("rect"), svg("text", { y: 0.36 * font, "font-size": font }));
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

  #drawFocus() {
    const label = this.now.focus;
    const shown = label !== null && document.activeElement === this.svg && this.places.has(label) ? [label] : [];
    keyed(
      this.layers.focus,
      shown,
      () => "focus",
      () => svg("g", {}, svg("circle", { r: 2.15 * this.r, "stroke-width": 0.42 * this.r }), svg("circle", { r: 2.15 * this.r, "stroke-width": 0.24 * this.r })),
      (g) => {
        const { x, y } = this.places.get(label);
        set(g, { transform: `translate(${x} ${y})`, "data-focus": label });
      },
    );
  }

  // -- moving the picture -----------------------------------------------------------------------------

  fit(labels = null) {
    if (!this.svg) return;
    this.window = { ...this.whole };
    const near = this.#known(labels ?? []).map((label) => this.places.get(label));
    if (near.length) {
      const xs = near.map((p) => p.x);
      const ys = near.map((p) => p.y);
      const pad = 7 * this.r;
      const w = Math.min(this.whole.w, Math.max(...xs) - Math.min(...xs) + 2 * pad);
      const h = Math.min(this.whole.h, Math.max(...ys) - Math.min(...ys) + 2 * pad);
      const x = (Math.min(...xs) + Math.max(...xs)) / 2 - w / 2;
      const y = (Math.min(...ys) + Math.max(...ys)) / 2 - h / 2;
      this.window = { x, y, w, h };
    }
    this.reframe();
  }

  zoom(factor, at = null) {
    if (!this.svg) return;
    const box = this.#shownBox();
    const w = Math.min(this.whole.w * 1.15, Math.max(this.whole.w / MOST_ZOOM, box.w / factor));
    const real = box.w / w;
    const point = at ?? { x: box.x + box.w / 2, y: box.y + box.h / 2 };
    const h = box.h / real;
    this.window = { x: point.x - (point.x - box.x) / real, y: point.y - (point.y - box.y) / real, w, h };
    this.reframe();
  }

  pan(dx, dy) {
    this.window = { ...this.#shownBox() };
    this.window.x += dx;
    this.window.y += dy;
    this.reframe();
  }

  // The part of the canvas that is visible, with the shape of the element.
  #shownBox() {
    const { width, height } = this.box.getBoundingClientRect();
    const shape = width && height ? width / height : 1;
    const { x, y, w, h } = this.window;
    return w / h > shape ? { x, y: y - (w / shape - h) / 2, w, h: w / shape } : { x: x - (h * shape - w) / 2, y, w: h * shape, h };
  }

  #frame() {
    const { x, y, w, h } = this.window;
    const slackX = w / 2;
    const slackY = h / 2;
    const { whole } = this;
    this.window.x = Math.min(whole.x + whole.w - w + slackX, Math.max(whole.x - slackX, x));
    this.window.y = Math.min(whole.y + whole.h - h + slackY, Math.max(whole.y - slackY, y));
    this.svg.setAttribute("viewBox", `${this.window.x} ${this.window.y} ${w} ${h}`);
  }

  // Where a node is, in pixels of the stage.
  clientPlace(label) {
    const box = this.#shownBox();
    const { width } = this.box.getBoundingClientRect();
    const scale = width / box.w;
    const { x, y } = this.places.get(label);
    return { x: (x - box.x) * scale, y: (y - box.y) * scale };
  }

  #canvasPoint(event) {
    const rect = this.box.getBoundingClientRect();
    const box = this.#shownBox();
    const scale = box.w / rect.width;
    return { x: box.x + (event.clientX - rect.left) * scale, y: box.y + (event.clientY - rect.top) * scale, scale };
  }

  #buttons() {
    const button = (sign, words, act) => el("button", { type: "button", class: "icon", "aria-label": words, title: words, onclick: act }, sign);
    return el(
      "div",
      { class: "zoom", role: "group", "aria-label": "Zoom" },
      button("+", "Closer", () => this.zoom(STEP)),
      button("−", "Farther", () => this.zoom(1 / STEP)),
      button("⤢", "Show the whole board", () => this.fit()),
    );
  }

  // -- hands ------------------------------------------------------------------------------------------

  #listen() {
    const fingers = new Map();
    let travelled = 0;
    let last = null;
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), this.#canvasPoint(event));
    }, { passive: false });
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      fingers.set(event.pointerId, event);
      if (fingers.size === 1) travelled = 0;
      last = this.#spread(fingers);
      this.svg.setPointerCapture(event.pointerId);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) {
        this.#hover(event);
        return;
      }
      fingers.set(event.pointerId, event);
      const now = this.#spread(fingers);
      travelled += Math.hypot(now.x - last.x, now.y - last.y) + Math.abs(now.gap - last.gap);
      if (travelled > CLICK_PIXELS) {
        this.box.classList.add("dragging");
        const { scale } = this.#canvasPoint(event);
        this.pan((last.x - now.x) * scale, (last.y - now.y) * scale);
        if (now.gap && last.gap) this.zoom(now.gap / last.gap, this.#canvasPoint({ clientX: now.x, clientY: now.y }));
      }
      last = now;
    });
    const lift = (event) => {
      if (!fingers.delete(event.pointerId)) return;
      if (fingers.size) {
        last = this.#spread(fingers);
        return;
      }
      this.box.classList.remove("dragging");
      if (event.type === "pointerup" && travelled <= CLICK_PIXELS) this.#click(event);
    };
    this.svg.addEventListener("pointerup", lift);
    this.svg.addEventListener("pointercancel", lift);
    this.svg.addEventListener("pointerleave", () => !fingers.size && this.#hoverAt(null));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focus", () => this.redraw());
    this.svg.addEventListener("blur", () => this.redraw());
  }

  #spread(fingers) {
    const all = [...fingers.values()];
    const x = all.reduce((sum, f) => sum + f.clientX, 0) / all.length;
    const y = all.reduce((sum, f) => sum + f.clientY, 0) / all.length;
    const gap = all.length < 2 ? 0 : Math.hypot(all[0].clientX - all[1].clientX, all[0].clientY - all[1].clientY);
    return { x, y, gap };
  }

  // The node at a pointer: within its disc, or near it; fingers reach farther, and offered nodes come first.
  #nodeAt(event) {
    const point = this.#canvasPoint(event);
    const reach = Math.max(1.25 * this.r, (event.pointerType === "touch" ? 26 : 9) * point.scale);
    let best = null;
    for (const [label, { x, y }] of this.places) {
      const distance = Math.hypot(x - point.x, y - point.y);
      const cost = distance - (this.offered.has(label) ? 0.6 * this.r : 0);
      if (distance <= reach && (!best || cost < best.cost)) best = { label, cost };
    }
    return best?.label ?? null;
  }

  #click(event) {
    const label = this.#nodeAt(event);
    if (label !== null) {
      this.now.focus = label;
      this.#pick(label);
    }
  }

  #pick(label) {
    this.picked?.(label, this.offered.has(label));
  }

  #hover(event) {
    this.#hoverAt(this.#nodeAt(event));
  }

  #hoverAt(label) {
    if (label === this.under) return;
    this.under = label;
    this.hovered(label);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const { key } = event;
    if (ways[key]) this.#step(ways[key]);
    else if ((key === "Enter" || key === " ") && this.now.focus !== null) this.#pick(this.now.focus);
    else if (key === "+" || key === "=") this.zoom(STEP);
    else if (key === "-") this.zoom(1 / STEP);
    else if (key === "0") this.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Among the offered nodes if there are any, else to neighbours: the nearest in that direction.
  #step([dx, dy]) {
    const here = this.places.get(this.now.focus);
    let targets = this.now.offers.filter((label) => this.places.has(label));
    if (!targets.length) targets = here ? [...(this.neighbours.get(this.now.focus) ?? [])] : [...this.places.keys()];
    if (!here || (this.now.offers.length && !this.offered.has(this.now.focus))) {
      this.#focus(targets[0] ?? null);
      return;
    }
    const cost = (label) => {
      const place = this.places.get(label);
      const along = (place.x - here.x) * dx + (place.y - here.y) * dy;
      const across = Math.abs((place.x - here.x) * dy) + Math.abs((place.y - here.y) * dx);
      return along <= 0.1 ? Infinity : along + 1.6 * across;
    };
    const best = targets.filter((label) => label !== this.now.focus).sort((a, b) => cost(a) - cost(b))[0];
    if (best !== undefined && cost(best) < Infinity) this.#focus(best);
  }

  #focus(label) {
    this.now.focus = label;
    if (label === null) return;
    const place = this.places.get(label);
    const box = this.#shownBox();
    const out = place.x < box.x || place.x > box.x + box.w || place.y < box.y || place.y > box.y + box.h;
    if (out) this.pan(place.x - box.x - box.w / 2, place.y - box.y - box.h / 2);
    const offered = this.offered.has(label) ? ", offered" : "";
    this.announce(`${place.title}${offered}`);
    this.under = label;
    this.hovered(label);
    this.redraw();
  }
}
