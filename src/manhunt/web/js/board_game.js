// What games on a board have in common: the board and its hands, Escape as the way back, questions and hints.

import { el } from "./dom.js";
import { Questions } from "./questions.js";
import { announce, complain } from "./shell.js";

// A game adds show(scene, ...), redraw(), pick(label, isOffered), hover(label), back(), and inform() if it uses `learn`.
export class BoardGame {
  constructor(stage, context) {
    this.context = context;
    this.board = context.board(stage);
    this.board.onPick((label, offered) => this.pick(label, offered));
    this.board.onHover((label) => this.hover(label));
    this.offers = [];
    this.hint = null;
    this.questions = new Questions({ ask: (...asked) => context.ask(...asked), moment: () => this.moment, complain });
    this.escape = (event) => event.key === "Escape" && this.back();
    addEventListener("keydown", this.escape);
  }

  destroy() {
    removeEventListener("keydown", this.escape);
    this.gone = true;
    this.questions.close();
    this.board.destroy();
  }

  move(action) {
    this.context.move(action);
  }

  // -- questions --------------------------------------------------------------------------------------

  // What is shown, to be compared: an answer about another moment comes too late.
  get moment() {
    return this.scene;
  }

  // The answer to a question; null if there is none, or if it comes too late.
  answer(what, params, options, failed) {
    return this.questions.answer(what, params, options, failed);
  }

  // Runs `work`, one at a time: what is asked meanwhile is asked by one more `inform` at the end.
  learn(work) {
    return this.questions.learn(work, () => this.inform());
  }

  // -- hints ------------------------------------------------------------------------------------------

  hintButton(words = "Hint") {
    return el("button", { type: "button", class: "hint", onclick: () => this.askHint() }, words);
  }

  async askHint(params = {}) {
    const hint = await this.answer("hint", params, { passing: true });
    if (hint) this.takeHint(hint);
  }

  takeHint(hint) {
    this.hint = hint;
    announce(hint.words);
    this.redraw();
  }

  // The move of a hint, as a button where it can be made.
  playHint() {
    const { action } = this.hint;
    return action && this.acting ? el("button", { type: "button", onclick: () => this.move(action) }, "Play this move") : null;
  }
}
