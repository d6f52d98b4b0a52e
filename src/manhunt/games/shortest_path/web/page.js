// Adversarial Shortest Path on the stage: steps by nodes, raises by edges, costs as width, colour and number.

import { capital, el, keep, onceAFrame, plural, recall, refill, replace, svg } from "/js/dom.js";
import { Panels, announce, complain } from "/js/shell.js";
import { BoardGame } from "/js/board_game.js";
import { api } from "/js/wire.js";
import { chart } from "./chart.js";
import { RouteLines, money } from "./lines.js";

const CLICK_PIXELS = 6;
const NARROW = 600;
const SECONDS = [1, 2, 5, 20];
const LEVELS = ["1", "to 2", "to 4", "to 8", "to 32", "more"];
const WIDTHS = [2, 4, 5.5, 7, 9, 11];

export function create({ stage, side, context }) {
  return new CrossingPage(stage, side, context);
}

class CrossingPage extends BoardGame {
  constructor(stage, side, context) {
    super(stage, context);
    this.first = null;
    this.route = null;
    this.seconds = recall("bounds-seconds", 2);
    this.panels(context.panels ?? new Panels(side));
    this.board.ready.then(() => this.ready()).catch(complain);
  }

  // The same moment may come again as another scene.
  get moment() {
    return this.v;
  }

  ready() {
    if (this.gone) return;
    this.lines = new RouteLines(this.board);
    let down = null;
    this.board.svg.addEventListener("pointerdown", (event) => (down = event));
    this.board.svg.addEventListener("click", (event) => {
      const still = down && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) <= CLICK_PIXELS;
      if (still) this.pickLine(this.lines.at(event, down.pointerType === "touch" ? 18 : 9));
    });
    let moved = null;
    const look = onceAFrame(() => !this.gone && this.overLine(moved));
    this.board.svg.addEventListener("pointermove", (event) => {
      moved = event;
      if (!event.buttons) look();
    });
    this.board.svg.addEventListener("pointerleave", () => {
      look.cancel();
      this.line = null;
      this.board.say(null);
    });
    if (this.scene) {
      this.frame();
      this.redraw();
    }
  }

  show(scene, { offers = [], acting = false, live = false, v = null } = {}) {
    const moved = v === null || v !== this.v || scene.title !== this.scene?.title;
    const opening = !this.scene;
    const isMyTurnNow = acting && (moved || !this.acting);
    this.scene = scene;
    this.v = v;
    this.live = live;
    this.acting = acting;
    this.offers = acting ? offers : [];
    this.others = this.offers.find((offer) => offer.kind === "others")?.edges ?? {};
    this.board.marks({ ...scene.marks, arrows: [] });
    if (moved || !acting) this.unpreview();
    if (moved) {
      this.first = null;
      this.hint = null;
      this.board.closeMenu?.(null);
      if (this.found?.of === "now") this.found = null;
      this.retrace();
    }
    if (opening) this.showCosts();
    if (scene.outcome && !this.context.lesson) this.askBest();
    if (this.lines) {
      this.frame();
      this.redraw();
    } else this.showMoves();
    if (isMyTurnNow && this.steps.length) this.approach([scene.at, ...this.steps.map((offer) => offer.picks[0])]);
  }

  // What best play would have cost; the server works it out once.
  async askBest() {
    if (this.best !== undefined) return;
    this.best = null;
    try {
      const { words } = await api(`/api/games/${location.pathname.split("/")[2]}/best`);
      if (this.gone) return;
      this.best = words;
      this.context.note?.(words);
      this.showMoves();
    } catch {
      this.best = undefined; // not kept yet, or no connection: the next look asks again
    }
  }

  // On a crowded board the part that matters is brought near: at the beginning, and when the traveller is out of sight.
  frame() {
    if (!this.scene.crowded) return;
    const box = this.board.box.getBoundingClientRect();
    const place = this.board.clientPlace(this.scene.at);
    const seen = place.x > 0 && place.y > 0 && place.x < box.width && place.y < box.height;
    if (this.framed && seen) return;
    this.framed = true;
    const { way } = this.scene.cheapest;
    this.board.fit([...(box.width < NARROW ? way.slice(0, 5) : way), ...this.scene.here.map((step) => step.to)]);
  }

  // -- what may be done -------------------------------------------------------------------------------

  get raising() {
    return this.acting && this.scene.turn === "pursuers";
  }

  get steps() {
    return this.offers.filter((offer) => offer.kind === "step");
  }

  // The raise of the edge between two nodes, as it was offered: {action, words}.
  raiseOf(a, b) {
    const same = ([x, y]) => (x === a && y === b) || (x === b && y === a);
    const full = this.offers.find((offer) => offer.kind === "raise" && same(offer.picks));
    if (full) return full;
    const found = Object.entries(this.others).find(([, [x, y]]) => same([x, y]));
    if (!found) return null;
    const [action, [x, y, cost, after]] = found;
    return { action, cost, after, picks: [x, y], words: `raise ${x}-${y} from ${money(cost)} to ${money(after)}` };
  }

  pick(label, _, isTouch = false) {
    const step = this.steps.find((offer) => offer.picks[0] === label);
    if (step) this.touch({ ...step, act: () => this.move(step.action) }, isTouch);
    else if (this.previewed) this.endPreview();
    else if (this.raising) this.pickEnd(label);
  }

  // An edge by its two ends; the first one again is a way back.
  pickEnd(label) {
    if (this.first === label) {
      this.first = null;
    } else if (this.first !== null && this.board.neighbours.get(this.first)?.has(label)) {
      const raise = this.raiseOf(this.first, label);
      if (raise) this.move(raise.action);
      return;
    } else {
      this.first = label;
      announce(`Edge from ${label}: choose its other end`);
    }
    this.redraw();
  }

  async pickLine(key) {
    if (!key || !this.raising || this.board.closeMenu) return;
    const [a, b] = key.split(" ");
    const raise = this.raiseOf(a, b);
    if (!raise) return;
    this.chosen = key;
    this.redraw();
    const sure = await this.board.ask(b, `Edge ${a}–${b}`, [{ value: true, words: "Raise it", note: `${money(raise.cost)} → ${money(raise.after)}` }]);
    this.chosen = null;
    if (sure) this.move(raise.action);
    else this.redraw();
  }

  back() {
    if ((this.first === null && !this.previewed) || this.board.closeMenu) return;
    this.unpreview();
    this.first = null;
    this.redraw();
  }

  move(action) {
    this.first = null;
    this.ends = null;
    super.move(action);
  }

  // -- drawing ----------------------------------------------------------------------------------------

  redraw() {
    const { scene } = this;
    const near = this.first === null ? [] : [...(this.board.neighbours.get(this.first) ?? [])];
    const labels = this.raising ? (this.first === null ? [] : [this.first, ...near]) : this.steps.map((offer) => offer.picks[0]);
    const chosen = this.previewed ? [this.previewed.picks[0]] : this.first === null ? [] : [this.first];
    const goal = this.previewed ?? (scene.turn === "evader" ? this.hint : null);
    this.board.offers(labels, null, { chosen });
    this.board.arrows(goal ? [[scene.at, goal.picks[0]]] : []);
    this.board.badges(this.badges());
    this.drawLines();
    this.showMoves();
  }

  drawLines() {
    const { scene } = this;
    this.lines?.draw({
      edges: scene.marks.edges,
      matter: scene.marks.matter,
      crowded: scene.crowded,
      way: scene.marks.arrows,
      route: this.routeKeys(),
      hinted: this.hint && this.hint.picks.length === 2 ? this.lines.between(...this.hint.picks) : null,
      chosen: this.chosen,
    });
  }

  // What each step costs stands at its node; where labels are not printed, the label too.
  badges() {
    const crowded = this.board.r < 6.5;
    return Object.fromEntries(this.steps.map((offer) => [offer.picks[0], { text: crowded ? `${offer.picks[0]}: ${money(offer.cost)}` : money(offer.cost) }]));
  }

  routeKeys() {
    const nodes = this.route?.nodes ?? [];
    return nodes.slice(1).map((node, i) => this.lines.between(nodes[i], node)).filter(Boolean);
  }

  hover(label) {
    this.overNode = label;
    if (label === null) {
      this.board.say(null);
      return;
    }
    const step = this.scene?.here.find((each) => each.to === label);
    const words = step ? `${label}: the step costs ${money(step.cost)}, the cheapest way from there ${money(step.left)}` : label;
    this.board.say(label === this.scene?.target ? `${words} (target)` : words);
  }

  overLine(event) {
    if (!this.lines || !this.scene || (this.overNode ?? null) !== null) return;
    const key = this.lines.at(event, 7);
    if (key === this.line) return;
    this.line = key;
    if (!key) {
      this.board.say(null);
      return;
    }
    const [a, b] = key.split(" ");
    const raised = this.scene.marks.edges[key];
    const raise = this.raising ? this.raiseOf(a, b) : null;
    const now = raised ? `${a}–${b} costs ${money(raised.cost)}, raised ${raised.raises === 1 ? "once" : `${raised.raises} times`}` : `${a}–${b} costs 1`;
    this.board.say(raise ? `${now}; a raise makes it ${money(raise.after)}` : now);
  }

  // -- panels -----------------------------------------------------------------------------------------

  panels(panels) {
    this.movesHost = panels.add("Moves");
    this.costsHost = panels.add("Costs");
    this.boundsHost = this.mayHint ? panels.add("Bounds") : null;
    this.legend = el("div", { class: "sp-legend", role: "img", "aria-label": "The more an edge costs, the wider and redder its line; the cost is written on it" }, LEVELS.map(sample));
    if (this.boundsHost) this.showBounds();
  }

  showMoves() {
    const { scene } = this;
    const controls = [];
    if (this.first !== null) controls.push(el("button", { type: "button", class: "back", onclick: () => this.back() }, "Back"));
    if (this.acting && this.mayHint) controls.push(this.hintButton());
    const pass = this.offers.find((offer) => offer.kind === "pass");
    if (pass) controls.push(el("button", { type: "button", "data-action": pass.action, onclick: () => this.move(pass.action) }, capital(pass.words)));
    refill(
      this.movesHost,
      el("p", { class: "lead", tabindex: "-1" }, this.lead()),
      controls.length ? el("div", { class: "row" }, controls) : null,
      this.hintBox(),
      scene.turn === "pursuers" ? this.raiseList() : this.stepList(),
    );
  }

  lead() {
    const { scene } = this;
    if (scene.outcome) return `${capital(scene.outcome.words)}. ${this.best ?? ""}`.trim();
    if (!this.acting) return `${capital(scene.turnWords)}.`;
    if (scene.turn === "evader") return `Go to a green node. The target is at least ${plural(scene.hops, "step")} away.`;
    if (this.first !== null) return `Edge from ${this.first}: choose its other end.`;
    return "Raise an edge: click its line, or its two ends, or choose it from the list.";
  }

  stepList() {
    const list = this.steps.map((offer) =>
      el("button", { type: "button", "data-action": offer.action, onclick: () => this.move(offer.action), "aria-label": `${offer.words}, then at least ${money(offer.left)} at current costs` }, `to ${offer.picks[0]}`, el("small", {}, `${money(offer.cost)} + ${money(offer.left)}`)),
    );
    if (!list.length) return null;
    return [el("div", { class: "moves", role: "group", "aria-label": "Steps offered" }, list), el("p", { class: "quiet" }, "Cost of the step + cheapest way from there, at current costs.")];
  }

  // The interesting edges one by one under their reason, and any other by its ends.
  raiseList() {
    const raises = this.offers.filter((offer) => offer.kind === "raise");
    if (!raises.length) return null;
    const reasons = [...new Set(raises.map((offer) => offer.why))];
    const parts = reasons.map((why) => [
      el("h3", {}, capital(why || "other edges")),
      raises
        .filter((offer) => offer.why === why)
        .map((offer) => el("button", { type: "button", "data-action": offer.action, onclick: () => this.move(offer.action), "aria-label": offer.words }, offer.picks.join("–"), el("small", {}, `${money(offer.cost)} → ${money(offer.after)}`))),
    ]);
    return [el("div", { class: "moves sp-raises", role: "group", "aria-label": "Raises offered" }, parts), (this.ends ??= this.endsForm())];
  }

  // It stays until a move is made: what was typed is not lost when a hint comes.
  endsForm() {
    const [a, b] = ["from", "to"].map((word) => el("input", { type: "text", "aria-label": `Edge ${word} node`, autocomplete: "off", spellcheck: "false" }));
    const send = (event) => {
      event.preventDefault();
      const raise = this.raiseOf(a.value.trim(), b.value.trim());
      if (raise) this.move(raise.action);
      else complain(`There is no edge between ${a.value || "?"} and ${b.value || "?"}.`);
    };
    return el("form", { class: "sp-ends", onsubmit: send }, "Any edge: ", a, "–", b, el("button", { type: "submit" }, "Raise"));
  }

  askHint() {
    return super.askHint({ seconds: 2 });
  }

  hintBox() {
    if (!this.hint) return null;
    const { words, agent } = this.hint;
    const play = this.playHint();
    return el("div", { class: "told hinted" }, el("p", {}, `${capital(words)}.`), el("p", { class: "quiet" }, `Suggested by ${agent}.`), play ? el("div", { class: "row" }, play) : null);
  }

  // -- costs ------------------------------------------------------------------------------------------

  async retrace() {
    const route = await this.answer("route", {}, { quiet: true });
    this.costsHost.classList.toggle("no-route", !(route ?? this.route)); // a puzzle has none
    if (!route || this.isAhead(route)) return;
    this.route = route;
    this.showCosts();
    this.drawLines();
  }

  // Whether an answer belongs to a later moment than the one that is shown.
  isAhead(answer) {
    return this.live && answer.v !== this.v;
  }

  showCosts() {
    const { scene, route } = this;
    const { cheapest } = scene;
    const start = this.found?.of === "start" ? this.found.total : null;
    replace(
      this.costsHost,
      el(
        "dl",
        { class: "facts sp-facts" },
        el("dt", {}, "Paid"),
        el("dd", { class: "sp-paid" }, money(scene.paid), el("span", { class: "quiet" }, ` in ${plural(scene.turn === "evader" ? scene.round - 1 : scene.round, "move")}, ${scene.movesLeft.evader} left`)),
        cheapest.way.length > 1 && [el("dt", {}, "Cheapest now"), el("dd", {}, `${money(cheapest.cost)}: ${short(cheapest.way).join(" ")}`)],
        route && route.nodes.length > 1 && [el("dt", {}, "Route"), el("dd", { class: "sp-route-words" }, short(route.nodes, true).join(" "))],
      ),
      el("div", { class: "sp-chartbox" }, route ? chart(route.points, start) : null),
      el("p", { class: "quiet sp-keys" }, key("paid", "paid"), key("likely", "with the cheapest way to the target"), start && key("band", "best play")),
      this.legend,
      scene.dear.length ? el("p", { class: "quiet" }, `Most expensive: ${scene.dear.slice(0, 6).map((each) => `${each.edge.replace("-", "–")} ${money(each.cost)}`).join(", ")}${scene.nRaised > 6 ? `, ${scene.nRaised - 6} more raised` : ""}`) : null,
    );
  }

  // -- bounds -----------------------------------------------------------------------------------------

  showBounds() {
    const choice = el(
      "select",
      { "aria-label": "Seconds to look for bounds", onchange: () => keep("bounds-seconds", (this.seconds = Number(choice.value))) },
      SECONDS.map((n) => el("option", { value: n, selected: n === this.seconds }, `${n} s`)),
    );
    this.boundsWords = el("div", { role: "status", class: "sp-bounds" });
    replace(
      this.boundsHost,
      el("p", { class: "quiet" }, "What best play costs, proved from both sides."),
      el(
        "div",
        { class: "row" },
        el("button", { type: "button", "data-bounds": "now", onclick: () => this.askBounds("now") }, "From here"),
        el("button", { type: "button", "data-bounds": "start", onclick: () => this.askBounds("start") }, "From the start"),
        choice,
      ),
      this.boundsWords,
    );
  }

  async askBounds(of) {
    const { v } = this;
    try {
      const found = await this.context.ask("bounds", { of, seconds: this.seconds }, { words: "Looking for certified bounds; the first time takes half a minute" });
      if (this.gone || (of === "now" && (v !== this.v || this.isAhead(found)))) return;
      this.found = found;
      const { total } = found;
      const whole = total.upper === null ? `at least ${money(total.lower)}` : Math.abs(total.upper - total.lower) < 1e-9 ? money(total.upper) : `${money(total.lower)} to ${money(total.upper)}`;
      const sum = of === "now" && found.paid > 0 && found.lower > 0 ? `With the ${money(found.paid)} paid: ${whole} in all.` : null;
      replace(this.boundsWords, el("p", {}, el("b", {}, capital(found.words)), "."), sum && el("p", {}, sum), found.verdict && el("p", {}, capital(found.verdict), "."), el("p", { class: "quiet" }, `Round ${this.scene.round}${found.solved ? ", solved" : ""}.`));
      this.showCosts();
    } catch (error) {
      if (error.name === "AbortError") replace(this.boundsWords, el("p", { class: "quiet" }, "Cancelled."));
      else complain(error);
    }
  }
}

function sample(words, level) {
  return el("span", { "aria-hidden": "true" }, svg("svg", { viewBox: "0 0 26 14" }, svg("path", { d: "M2 7H24", "stroke-width": WIDTHS[level], "data-level": level })), words);
}

function key(name, words) {
  return el("span", {}, el("i", { class: `sp-key ${name}`, "aria-hidden": "true" }), words);
}

// A long way with its middle left out, or its beginning.
function short(labels, end = false) {
  if (labels.length <= 14) return labels;
  return end ? ["…", ...labels.slice(-13)] : [...labels.slice(0, 7), "…", ...labels.slice(-6)];
}
