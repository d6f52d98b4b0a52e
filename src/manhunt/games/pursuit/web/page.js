// Pursuit on the stage: moves on any board, joint moves piece by piece, solved values, candidates.

import { BoardPage } from "/js/board_page.js";
import { el, keep, recall, replace } from "/js/dom.js";
import { branchOf, endingOn } from "/js/picking.js";
import { announce } from "/js/shell.js";

export function create({ stage, side, context }) {
  return new Pursuit(stage, side, context);
}

class Pursuit extends BoardPage {
  constructor(stage, side, context) {
    super(stage, side, context);
    this.solving = recall("solving", false);
    this.picks = [];
  }

  news() {
    this.solved = null;
  }

  unpick() {
    super.unpick();
    this.picks = [];
  }

  // -- moves ----------------------------------------------------------------------------------------

  get joint() {
    return this.offers.find((offer) => offer.joint)?.joint ?? null;
  }

  get choices() {
    if (!this.joint) return super.choices;
    const branch = branchOf(this.joint.tree, this.picks);
    const id = this.joint.pieces[this.picks.length];
    const piece = this.scene.marks.pieces.find((p) => p.id === id);
    return Object.entries(branch).map(([to, next]) => ({
      to,
      piece: piece?.name,
      action: typeof next === "string" ? next : null,
      words: `${piece?.name} ${piece?.at === to ? "stays on" : "to"} ${to}`,
      picks: [piece?.at, to],
      isStep: typeof next !== "string",
      act: () => (typeof next === "string" ? this.move(next) : this.goOn(to)),
    }));
  }

  goOn(to) {
    this.picks.push(to);
    announce(`${this.choices[0]?.piece} is next`);
    this.redraw();
  }

  back() {
    if (!this.picks.length) {
      super.back();
      return;
    }
    if (this.board.closeMenu) return;
    this.picks.pop();
    this.redraw();
  }

  redraw() {
    super.redraw();
    this.showSolved(this.choices);
  }

  // Only the last step of a joint move is final.
  touch(choice, isTouch) {
    super.touch(choice, isTouch && !choice.isStep);
  }

  arrows() {
    if (!this.picks.length) return super.arrows();
    const at = (id) => this.scene.marks.pieces.find((piece) => piece.id === id)?.at;
    return this.picks.map((to, i) => [at(this.joint.pieces[i]), to]);
  }

  controls() {
    const back = el("button", { type: "button", class: "back", onclick: () => this.back() }, "Back");
    return [...(this.picks.length ? [back] : []), ...super.controls()];
  }

  lead() {
    if (!this.acting || this.scene.outcome) return super.lead();
    if (this.joint) return `All detectives move at once: choose for ${this.choices[0]?.piece}.`;
    return this.scene.placing ? "Choose a place." : "Choose a green node.";
  }

  note(choice) {
    return this.verdict(choice)?.words;
  }

  // -- what can be known ----------------------------------------------------------------------------

  showKnown() {
    if (!this.known || this.known.childElementCount) return;
    if (!this.scene.hidden && !this.mayHint) {
      replace(this.known, el("p", {}, "Nothing is hidden in this game."));
      return;
    }
    this.words = el("p", { class: "solved-words" });
    this.legend = el("div", { class: "legend" });
    replace(this.known, el("div", { class: "row" }, this.scene.hidden ? this.knowButton() : this.solveButton()), this.legend, this.words);
  }

  solveButton() {
    return this.toggle("Solved values", "solve", this.solving, (on) => {
      this.solving = on;
      keep("solving", on);
      this.inform();
      this.redraw();
    });
  }

  get question() {
    if (!this.known) return null;
    if (this.scene.hidden) return this.knowing ? "belief" : null;
    return this.solving && this.mayHint ? "solved" : null;
  }

  inform() {
    if (this.question !== "solved") {
      super.inform();
      return;
    }
    if (this.scene.outcome) {
      this.know(null);
      return;
    }
    this.learn(async () => {
      const found = await this.answer("solved", {}, { words: "Solving the board" });
      if (found) this.know(found);
    });
  }

  know(found) {
    if (this.words) {
      replace(this.words, found?.words);
      replace(this.legend);
    }
    this.solved = found?.known && this.solving ? found : null;
    if (found?.candidates) this.board.candidates(found.candidates);
    else if (!this.solved) {
      this.board.glow(null);
      this.board.badges({});
    }
    if (this.solved) replace(this.legend, "caught soon", el("span", { class: "bar solved", "aria-hidden": "true" }), "late", el("i", { class: "swatch free", "aria-hidden": "true" }), "never");
    if (found) this.redraw();
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
    if (!this.solved) {
      super.hover(label);
      return;
    }
    if (label === null) {
      this.board.say(null);
      this.glow(this.solved.heat);
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
}
