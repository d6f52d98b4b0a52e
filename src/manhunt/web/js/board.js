// A board that can be moved and marked. It draws what it is told; which nodes are offered is not its business.

import { boxAround, leastGap, loadGround } from "./board_ground.js";
import { BoardHands, zoomButtons } from "./board_hands.js";
import { BoardMarks, EVEN } from "./board_marks.js";
import { BoardMenu } from "./board_menu.js";
import { BoardWindow } from "./board_window.js";
import { el, onceAFrame, set } from "./dom.js";

const STRONGEST = 0.72;
const NO_GROUND = { svg: null, places: new Map(), neighbours: new Map() };

export class BoardCanvas {
  constructor(stage, digest, { announce = () => {}, name = "Board" } = {}) {
    this.digest = digest;
    this.announce = announce;
    this.name = name;
    this.ground = NO_GROUND;
    this.now = { marks: {}, arrows: [], offers: new Set(), chosen: new Set(), faint: new Set(), glow: new Map(), badges: {}, focus: null, ghosts: new Set(), route: [] };
    this.picked = null;
    this.hovered = () => {};
    this.said = null;
    this.redraw = onceAFrame(() => this.#draw());
    this.reframe = onceAFrame(() => this.#frame());
    this.box = el("div", { class: "board", "data-part": "board" }, el("p", { class: "wait" }, "Loading the board …"));
    this.menu = new BoardMenu(this.box, () => this.svg.focus({ preventScroll: true }));
    stage.append(this.box);
    this.ready = this.load();
  }

  async load() {
    if (this.svg) return this;
    const ground = await loadGround(this.digest, this.box.clientWidth || Infinity);
    if (this.gone) return this;
    this.ground = ground;
    set(this.svg, {
      width: null,
      height: null,
      role: "application",
      tabindex: "0",
      preserveAspectRatio: "xMidYMid meet",
      "aria-label": `${this.name}. Arrow keys go from node to node, Enter selects, plus and minus zoom, 0 shows the whole board.`,
    });
    this.svg.querySelector("title")?.remove();
    this.layers = new BoardMarks(ground);
    this.window = new BoardWindow(this.svg, ground.whole, this.reframe);
    this.box.querySelector(".wait").remove();
    this.box.prepend(this.svg);
    this.box.append(zoomButtons(this));
    this.hands = new BoardHands(this);
    this.resized = new ResizeObserver(() => this.reframe());
    this.resized.observe(this.svg);
    this.fit();
    this.redraw();
    return this;
  }

  destroy() {
    this.gone = true;
    this.redraw.cancel();
    this.reframe.cancel();
    this.resized?.disconnect();
    this.hands?.destroy();
    this.box.remove();
  }

  // -- the ground ---------------------------------------------------------------------------------------

  // The picture; null before it is loaded.
  get svg() {
    return this.ground.svg;
  }

  // Map label -> {x, y, g, title}
  get places() {
    return this.ground.places;
  }

  // Map label -> Set of labels
  get neighbours() {
    return this.ground.neighbours;
  }

  // The radius of the discs.
  get r() {
    return this.ground.r;
  }

  // -- what is shown ------------------------------------------------------------------------------------

  #draw() {
    if (this.svg && !this.gone) this.layers.draw(this.now);
  }

  #show(news) {
    Object.assign(this.now, news);
    this.redraw();
  }

  // {pieces, lastSeen, candidates, arrows, danger}, as scenes have them
  marks(marks) {
    this.#show({ marks: marks ?? {} });
  }

  // [[from, to]], besides those of the marks
  arrows(arrows) {
    this.#show({ arrows: arrows ?? [] });
  }

  // The nodes that may be picked, with rings; `chosen` ones are filled, `faint` ones pale.
  offers(labels, picked = null, { chosen = [], faint = [] } = {}) {
    if (picked) this.picked = picked;
    this.#show({ offers: new Set(labels), chosen: new Set(chosen), faint: new Set(faint) });
  }

  // Every click, tap or Enter on a node goes to `picked(label, isOffered, isTouch)`.
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
    this.#show({ glow: map ?? new Map() });
  }

  // {label: {text, tone?: "danger" | "safe"}}: small words under nodes
  badges(badges) {
    this.#show({ badges: badges ?? {} });
  }

  // Ids of pieces whose place is not final.
  ghosts(ids) {
    this.#show({ ghosts: new Set(ids ?? []) });
  }

  // Nodes in the order in which a piece went over them; [] takes the line away.
  route(labels) {
    this.#show({ route: labels ?? [] });
  }

  // A ring that widens around a node for a moment; `tone` is "seen" or "caught".
  async pulse(label, tone) {
    await this.ready;
    if (!this.gone) this.layers.pulse(label, tone);
  }

  // A move that waits for a second tap, with buttons: {words, go(), back()}; null takes it away.
  preview(move) {
    this.previewBar?.remove();
    this.previewBar = null;
    if (!move) return;
    const button = (words, act, name) => el("button", { type: "button", class: name, onclick: act }, words);
    this.previewBar = el("div", { class: "preview", role: "group", "aria-label": "Move to confirm" }, el("span", {}, move.words), button("Go", move.go, "primary go"), button("✕", move.back, "icon back"));
    this.previewBar.lastChild.setAttribute("aria-label", "Not this move");
    this.box.append(this.previewBar);
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
    return this.menu.ask(this.clientPlace(label), question, choices);
  }

  // closeMenu(value) while a menu is open, else null
  get closeMenu() {
    return this.menu.close;
  }

  // -- moving the picture -------------------------------------------------------------------------------

  // Shows some nodes with what is around them, or the whole board.
  fit(labels = null) {
    this.window?.fit(boxAround(this.#placesOf(labels), 7 * this.r));
  }

  // The same for fingers: nodes are at least so many pixels apart, even if not all fit then; the first one always does.
  // Where they are far enough apart on the whole board, all of it is shown.
  fitForFingers(labels, pixels = 44) {
    const near = this.#placesOf(labels);
    if (!this.window || leastGap(near) * this.window.scaleOfWhole >= pixels) this.fit();
    else this.window.fit(boxAround(near, 3 * this.r), { apart: pixels, gap: leastGap(near), about: near[0] });
  }

  #placesOf(labels) {
    return (labels ?? []).filter((label) => this.places.has(label)).map((label) => this.places.get(label));
  }

  zoom(factor, at = null) {
    this.window?.zoom(factor, at);
  }

  pan(dx, dy) {
    this.window?.pan(dx, dy);
  }

  #frame() {
    this.window.keepNear();
    const { x, y, w, h } = this.window.wanted;
    this.svg.setAttribute("viewBox", `${x} ${y} ${w} ${h}`);
  }

  // Where a node is, in pixels of the stage.
  clientPlace(label) {
    return this.window.pixelOf(this.places.get(label));
  }
}
