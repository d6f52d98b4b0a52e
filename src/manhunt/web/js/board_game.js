// What games on a board have in common: the board and its hands, Escape as the way back, questions and hints.

import { capital, el } from "./dom.js";
import { momentsOf, pieceOfPlace } from "./board_moments.js";
import { Questions } from "./questions.js";
import { announce, complain } from "./shell.js";

const SMALL = 620;

// A game adds show(scene, ...), redraw(), pick(label, isOffered), hover(label), back(), and inform() if it uses `learn`.
export class BoardGame {
  constructor(stage, context) {
    this.context = context;
    this.board = context.board(stage);
    this.board.onPick((label, offered, isTouch) => this.pick(label, offered, isTouch));
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
    this.unpreview();
    this.context.move(action);
  }

  // -- fingers ----------------------------------------------------------------------------------------

  // A tap shows the move first; the second tap on the same node, or the button, makes it. Other hands make it at once.
  // Moves of a team's draft can be undone and are made at once, too.
  touch(choice, isTouch) {
    if (!isTouch || this.draft || this.previewed?.words === choice.words) {
      this.unpreview();
      choice.act();
      return;
    }
    this.previewed = choice;
    this.board.preview({ words: capital(choice.words), go: () => this.touch(choice, false), back: () => this.endPreview() });
    announce(`${choice.words}: tap again to go`);
    this.redraw();
  }

  unpreview() {
    this.previewed = null;
    this.board.preview?.(null);
  }

  endPreview() {
    this.unpreview();
    this.redraw();
  }

  // -- moments ----------------------------------------------------------------------------------------

  // What is worth more than a line in the story: the quarry is seen, or caught.
  celebrate(before, now) {
    for (const { kind, at } of momentsOf(before, now)) {
      this.board.pulse?.(at, kind);
      this.context.sound?.(kind);
    }
  }

  // The pieces that a team has moved and not confirmed: pale, with arrows from where they stood.
  showDraft(draft) {
    this.draft = draft;
    this.board.ghosts?.(draft?.moves.map((move) => pieceOfPlace(move.place)) ?? []);
  }

  draftArrows() {
    return (this.draft?.moves ?? []).map((move) => move.picks ?? []).filter((picks) => picks.length > 1);
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

  // -- fingers see near ----------------------------------------------------------------------------------

  get isSmall() {
    return this.board.box.clientWidth <= SMALL;
  }

  // On a small screen the picture goes to what can be chosen now, with room for fingers.
  async approach(labels) {
    if (!this.isSmall || !labels.length) return;
    const { scene } = this;
    await this.board.ready;
    if (!this.gone && scene === this.scene) this.board.fitForFingers(labels);
  }

  // -- hints ------------------------------------------------------------------------------------------

  // Whether this table allows advice.
  get mayHint() {
    return (this.context.help ?? "all") === "all";
  }

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
