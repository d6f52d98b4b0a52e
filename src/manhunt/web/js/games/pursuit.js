// Pursuit on the stage: moves on any board, joint moves piece by piece, solved values, candidates.

import { pieceBadge } from "../board_pieces.js";
import { capital, el, keep, recall, replace } from "../dom.js";
import { branchOf, endingOn, pieceAt, unique } from "../picking.js";
import { Panels, announce } from "../shell.js";
import { BoardGame } from "./board_game.js";

export function create({ stage, side, context }) {
  return new Pursuit(stage, side, context);
}

class Pursuit extends BoardGame {
  constructor(stage, side, context) {
    super(stage, context);
    const panels = context.panels ?? new Panels(side);
    this.moves = panels.add("Moves");
    this.known = panels.add("What can be known", { name: "known" });
    this.standing = panels.add("Pieces");
    this.solving = recall("solving", false);
    this.knowing = recall("knowing-pursuit", true);
    this.picks = [];
    this.piece = null;
  }

  show(scene, { offers = [], acting = false } = {}) {
    const moved = scene !== this.scene;
    this.scene = scene;
    this.acting = acting;
    this.offers = acting ? offers : [];
    this.singles = this.offers.filter((offer) => offer.action);
    this.joint = this.offers.find((offer) => offer.joint)?.joint ?? null;
    this.board.marks(scene.marks);
    if (moved || !acting) {
      this.picks = [];
      this.piece = null;
    }
    if (moved) {
      this.hint = null;
      this.solved = null;
      this.board.closeMenu?.(null);
      this.inform();
    }
    this.showPieces();
    this.showKnown();
    this.redraw();
  }

  // -- moves ----------------------------------------------------------------------------------------

  get choices() {
    if (!this.joint) return this.singles.map((offer) => ({ ...offer, act: () => this.move(offer.action) }));
    const branch = branchOf(this.joint.tree, this.picks);
    const id = this.joint.pieces[this.picks.length];
    const piece = this.scene.marks.pieces.find((p) => p.id === id);
    return Object.entries(branch).map(([to, next]) => ({
      to,
      piece: piece?.name,
      action: typeof next === "string" ? next : null,
      words: `${piece?.name} ${piece?.at === to ? "stays on" : "to"} ${to}`,
      picks: [piece?.at, to],
      act: () => (typeof next === "string" ? this.move(next) : this.goOn(to)),
    }));
  }

  goOn(to) {
    this.picks.push(to);
    announce(`${this.choices[0]?.piece} is next`);
    this.redraw();
  }

  back() {
    if (this.board.closeMenu) return;
    if (this.picks.length) this.picks.pop();
    else if (this.piece) this.piece = null;
    else return;
    this.redraw();
  }

  redraw() {
    const choices = this.choices;
    const reachable = unique(choices.map((choice) => choice.to));
    const of = this.piece ? choices.filter((choice) => choice.piece === this.piece).map((choice) => choice.to) : null;
    this.board.offers(reachable, null, { faint: of ? reachable.filter((label) => !of.includes(label)) : [] });
    this.board.arrows(this.picks.length ? this.picked() : (this.hint?.arrows ?? []));
    this.showMoves(choices);
    this.showSolved(choices);
  }

  picked() {
    const at = (id) => this.scene.marks.pieces.find((piece) => piece.id === id)?.at;
    return this.picks.map((to, i) => [at(this.joint.pieces[i]), to]);
  }

  async pick(label, offered) {
    const ending = endingOn(this.choices, label, this.piece);
    if (offered && ending.length) {
      const choice = ending.length === 1 ? ending[0] : await this.choose(label, ending);
      choice?.act();
      return;
    }
    const piece = pieceAt(this.singles, label);
    if (!piece) return;
    this.piece = this.piece === piece ? null : piece;
    this.redraw();
  }

  choose(label, ending) {
    const choices = ending.map((choice) => ({ value: choice, words: choice.piece, note: this.verdict(choice)?.words }));
    return this.board.ask(label, `Who goes to ${label}?`, choices);
  }

  showMoves(choices) {
    const controls = [];
    if (this.picks.length) controls.push(el("button", { type: "button", class: "back", onclick: () => this.back() }, "Back"));
    if (this.acting) controls.push(this.hintButton());
    const list = choices
      .filter((choice) => !this.piece || choice.piece === this.piece)
      .map((choice) => {
        const verdict = this.verdict(choice)?.words;
        return el(
          "button",
          { type: "button", onclick: choice.act, "data-action": choice.action, "aria-label": verdict ? `${choice.words}, ${verdict}` : choice.words },
          choice.words,
          verdict ? el("small", {}, verdict) : null,
        );
      });
    replace(
      this.moves,
      el("p", { class: "lead" }, this.lead()),
      controls.length ? el("div", { class: "row" }, controls) : null,
      this.hintBox(),
      list.length && list.length <= 400 ? el("div", { class: "moves", role: "group", "aria-label": "Moves offered" }, list) : null,
    );
  }

  lead() {
    if (this.scene.outcome) return `${capital(this.scene.outcome.words)}.`;
    if (!this.acting && (this.context.replay || this.context.seat === "spectator")) return this.scene.turn === "evader" ? "Mr X to move." : "The detectives to move.";
    if (!this.acting) return this.scene.turn ? "Not your turn." : "";
    if (this.joint) return `All detectives move at once: choose for ${this.choices[0]?.piece}.`;
    if (this.scene.placing) return "Choose a place.";
    return "Choose a green node.";
  }

  hintBox() {
    if (!this.hint) return null;
    const play = this.playHint();
    return el("div", { class: "told hinted" }, el("p", {}, this.hint.words), play ? el("div", { class: "row" }, play) : null);
  }

  // -- what can be known ----------------------------------------------------------------------------

  showKnown() {
    if (this.known.childElementCount) return;
    this.words = el("p", { class: "solved-words" });
    this.legend = el("div", { class: "legend" });
    const toggle = (words, name, pressed, act) => el("button", { type: "button", class: name, "aria-pressed": String(pressed), onclick: act }, words);
    const solve = toggle("Solved values", "solve", this.solving, () => {
      this.solving = !this.solving;
      keep("solving", this.solving);
      solve.setAttribute("aria-pressed", String(this.solving));
      this.inform();
      this.redraw();
    });
    const see = toggle("Candidates", "candidates", this.knowing, () => {
      this.knowing = !this.knowing;
      keep("knowing-pursuit", this.knowing);
      see.setAttribute("aria-pressed", String(this.knowing));
      this.inform();
    });
    replace(this.known, el("div", { class: "row" }, this.scene.hidden ? see : solve), this.legend, this.words);
  }

  inform() {
    const what = this.scene.hidden ? (this.knowing ? "belief" : null) : this.solving ? "solved" : null;
    if (!what || this.scene.outcome) {
      this.solved = null;
      this.board.glow(null);
      this.board.badges({});
      if (this.words) {
        replace(this.words);
        replace(this.legend);
      }
      return;
    }
    this.learn(async () => {
      const found = await this.answer(what, {}, { quiet: what === "belief" });
      if (!found) return;
      replace(this.words, found.words);
      if (what === "belief") this.board.candidates(found.candidates);
      else this.solved = found.known && this.solving ? found : null;
      if (this.solved) replace(this.legend, "caught soon", el("span", { class: "bar solved", "aria-hidden": "true" }), "late", el("i", { class: "swatch free", "aria-hidden": "true" }), "never");
      this.redraw();
    });
  }

  verdict(choice) {
    return (choice.action && this.solved?.moves[choice.action]) || null;
  }

  showSolved(choices) {
    if (!this.solved) {
      if (!this.scene.hidden) {
        this.board.glow(null);
        this.board.badges({});
      }
      return;
    }
    const mine = this.scene.turn === "evader";
    const badges = {};
    for (const choice of choices) {
      const verdict = this.verdict(choice);
      if (!verdict || (this.piece && choice.piece !== this.piece)) continue;
      const better = (a, b) => (mine ? (a ?? 1e9) > (b ?? 1e9) : (a ?? 1e9) < (b ?? 1e9));
      if (badges[choice.to] && !better(verdict.rounds, badges[choice.to].rounds)) continue;
      const good = mine ? verdict.rounds === null : verdict.rounds !== null;
      badges[choice.to] = { rounds: verdict.rounds, text: verdict.rounds === null ? "∞" : String(verdict.rounds), tone: good ? "safe" : "danger" };
    }
    this.board.badges(badges);
    this.glow(this.solved.heat);
  }

  // Nodes by how soon a Mr X who stood there would be caught.
  glow(heat) {
    const rounds = Object.values(heat).filter((n) => n !== null && n > 0);
    const most = Math.max(1, ...rounds);
    const level = (n) => 0.12 + 0.6 * (1 - (n - 1) / Math.max(1, most));
    const rows = Object.entries(heat).filter(([, n]) => n !== 0);
    this.board.glow(new Map(rows.map(([label, n]) => [label, n === null ? { level: 0.4, tone: "safe" } : { level: level(n), tone: "danger", p: n }])));
  }

  hover(label) {
    if (label === null) {
      this.board.say(null);
      if (this.solved) this.glow(this.solved.heat);
      return;
    }
    if (!this.solved) {
      this.board.say(this.board.places.get(label).title);
      return;
    }
    const choice = endingOn(this.choices, label, this.piece)[0];
    const after = choice?.action ? this.solved.after[choice.action] : null;
    this.glow(after ?? this.solved.heat);
    const n = this.solved.heat[label];
    const fate = n === 0 ? "caught" : n === null ? "never caught in time" : n === 1 ? "caught in this round" : `caught in ${n} rounds`;
    const verdict = this.verdict(choice ?? {})?.words;
    this.board.say(verdict ? `${choice.words}: ${verdict}` : `Mr X on ${label}: ${fate}`);
  }

  // -- pieces ---------------------------------------------------------------------------------------

  showPieces() {
    const { marks, facts } = this.scene;
    const rows = marks.pieces.map((piece) => el("li", {}, pieceBadge(piece), `${piece.name} on ${piece.at}`));
    if (marks.lastSeen) rows.push(el("li", {}, el("span", { class: "badge", "aria-hidden": "true" }, "?"), `Mr X was last seen on ${marks.lastSeen.at}, ${marks.lastSeen.words}`));
    replace(this.standing, el("ul", { class: "standing" }, rows), el("ul", { class: "settled quiet" }, (facts ?? []).map((fact) => el("li", {}, fact))));
  }
}
