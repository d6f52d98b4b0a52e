// Any hunt on a board: moves by node or from a list, where the quarry can be, hints, pieces. Games without a page of
// their own are shown by it; others build on it.

import { BoardGame } from "./board_game.js";
import { pieceBadge } from "./board_pieces.js";
import { capital, el, keep, recall, refill, replace } from "./dom.js";
import { endingOn, pieceAt, unique } from "./picking.js";
import { Panels, announce } from "./shell.js";

const MOST_LISTED = 400;

export function create({ stage, side, context }) {
  return new BoardPage(stage, side, context);
}

export class BoardPage extends BoardGame {
  constructor(stage, side, context) {
    super(stage, context);
    const panels = context.panels ?? new Panels(side);
    this.moves = panels.add("Moves");
    this.known = context.help === "none" ? null : panels.add("What can be known", { name: "known" });
    this.standing = panels.add("Pieces");
    this.knowing = recall(`knowing-${context.game}`, true);
    this.piece = null;
  }

  show(scene, { offers = [], acting = false, live = false, draft = null } = {}) {
    const moved = scene !== this.scene;
    const isMyTurnNow = acting && (moved || !this.acting);
    if (moved && live) this.celebrate(this.scene, scene);
    this.scene = scene;
    this.acting = acting;
    this.offers = acting ? offers : [];
    this.board.marks(scene.marks);
    this.showDraft(draft);
    if (moved || !acting) this.unpick();
    this.showKnown();
    if (moved) {
      this.hint = null;
      this.board.closeMenu?.(null);
      this.news();
      this.inform();
    }
    this.showPieces();
    this.redraw();
    if (isMyTurnNow) this.approach(unique(this.singles.flatMap((offer) => offer.picks)));
  }

  // What a game forgets when something has happened.
  news() {}

  // -- moves ------------------------------------------------------------------------------------------

  // What the next click may choose: [{to?, words, piece?, action?, act}]
  get choices() {
    return this.singles.map((offer) => ({ ...offer, act: () => this.move(offer.action) }));
  }

  get singles() {
    return this.offers.filter((offer) => offer.action);
  }

  unpick() {
    this.piece = null;
    this.unpreview();
  }

  back() {
    if (this.board.closeMenu || !(this.piece || this.previewed)) return;
    this.unpick();
    this.redraw();
  }

  redraw() {
    const { choices } = this;
    const reachable = unique(choices.filter((choice) => choice.to).map((choice) => choice.to));
    const of = this.piece ? choices.filter((choice) => choice.piece === this.piece).map((choice) => choice.to) : null;
    const chosen = this.previewed ? [this.previewed.to] : [];
    this.board.offers(reachable, null, { chosen, faint: of ? reachable.filter((label) => !of.includes(label)) : [] });
    this.board.arrows(this.arrows());
    this.showMoves(choices);
  }

  arrows() {
    if (this.previewed?.picks?.length > 1) return [this.previewed.picks];
    return [...this.draftArrows(), ...(this.hint?.arrows ?? [])];
  }

  async pick(label, offered, isTouch = false) {
    const ending = endingOn(this.choices, label, this.piece);
    if (offered && ending.length) {
      if (ending.length === 1) this.touch(ending[0], isTouch);
      else (await this.choose(label, ending))?.act();
      return;
    }
    if (this.previewed) {
      this.endPreview();
      return;
    }
    const piece = pieceAt(this.singles, label);
    if (!piece) return;
    this.piece = this.piece === piece ? null : piece;
    announce(this.piece ? `${piece} chosen` : "no piece chosen");
    this.redraw();
  }

  choose(label, ending) {
    const pieces = unique(ending.map((choice) => choice.piece));
    const words = (choice) => (pieces.length === ending.length ? choice.piece : choice.words);
    const choices = ending.map((choice) => ({ value: choice, words: words(choice), note: this.note(choice) }));
    return this.board.ask(label, pieces.length > 1 ? `Who goes to ${label}?` : `How to go to ${label}?`, choices);
  }

  // A few words on a move, where there is something to say.
  note() {
    return undefined;
  }

  showMoves(choices) {
    const controls = this.controls();
    const list = choices.filter((choice) => !this.piece || choice.piece === this.piece).map((choice) => this.button(choice));
    refill(
      this.moves,
      el("p", { class: "lead", tabindex: "-1" }, this.lead()),
      controls.length ? el("div", { class: "row" }, controls) : null,
      this.hintBox(),
      list.length && list.length <= MOST_LISTED ? el("div", { class: "moves", role: "group", "aria-label": "Moves offered" }, list) : null,
    );
  }

  controls() {
    return this.acting && this.mayHint ? [this.hintButton()] : [];
  }

  button(choice) {
    const note = this.note(choice);
    const attrs = { type: "button", onclick: choice.act, "data-action": choice.action, "aria-label": note ? `${choice.words}, ${note}` : choice.words };
    return el("button", attrs, choice.words, note ? el("small", {}, note) : null);
  }

  lead() {
    const { outcome, turn } = this.scene;
    if (outcome) return `${capital(outcome.words)}.`;
    if (this.acting) return "Choose a green node, or a move from the list.";
    if (this.context.replay || this.context.seat === "spectator") return turn ? `${capital(this.context.room.called[turn] ?? turn)} to move.` : "";
    return turn ? "Not your turn." : "";
  }

  hintBox() {
    if (!this.hint) return null;
    const play = this.playHint();
    return el("div", { class: "told hinted" }, el("p", {}, this.hint.words), play ? el("div", { class: "row" }, play) : null);
  }

  // -- what can be known ------------------------------------------------------------------------------

  showKnown() {
    if (!this.known || this.known.childElementCount) return;
    if (!this.scene.hidden) {
      replace(this.known, el("p", {}, "Nothing is hidden in this game."));
      return;
    }
    this.words = el("p", { class: "known-words" });
    this.legend = el("div", { class: "legend" });
    replace(this.known, el("div", { class: "row" }, this.knowButton()), this.legend, this.words);
  }

  knowButton() {
    return this.toggle("Candidates", "candidates", this.knowing, (on) => {
      this.knowing = on;
      keep(`knowing-${this.context.game}`, on);
      this.inform();
    });
  }

  toggle(words, name, pressed, act) {
    const button = el("button", { type: "button", class: name, "aria-pressed": String(pressed) }, words);
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      act(on);
    });
    return button;
  }

  // What is asked about the shown moment; null where nothing is to be known.
  get question() {
    return this.known && this.scene.hidden && !this.isSeen && this.knowing ? "belief" : null;
  }

  get isSeen() {
    return this.scene.marks.pieces.some((piece) => piece.kind === "quarry");
  }

  // Why there is nothing to work out, where that is so.
  get nothingToKnow() {
    if (this.scene.outcome) return "The game is over.";
    return this.isSeen ? "Everything is visible here." : null;
  }

  inform() {
    const what = this.question;
    if (!what || this.scene.outcome) {
      this.know(null);
      return;
    }
    this.learn(async () => {
      const found = await this.answer(what, {}, { quiet: true });
      if (found) this.know(found);
    });
  }

  // Shows an answer; null takes it away. Where all places are equally likely, none needs the strongest colour.
  know(found) {
    const even = unique(Object.values(found?.belief ?? {})).length === 1;
    if (even) this.board.candidates(found.candidates);
    else this.board.belief(found?.belief ?? null);
    if (this.words) replace(this.words, found?.words ?? this.nothingToKnow);
  }

  hover(label) {
    this.board.say(label === null ? null : this.board.places.get(label).title);
  }

  // -- pieces -----------------------------------------------------------------------------------------

  showPieces() {
    const { marks, facts } = this.scene;
    const rows = marks.pieces.map((piece) => el("li", {}, pieceBadge(piece), `${piece.name} on ${piece.at}`));
    const { lastSeen } = marks;
    if (lastSeen) rows.push(el("li", {}, el("span", { class: "badge", "aria-hidden": "true" }, "?"), `${lastSeen.name} was last seen on ${lastSeen.at}, ${lastSeen.words}`));
    replace(this.standing, el("ul", { class: "standing" }, rows), el("ul", { class: "settled quiet" }, (facts ?? []).map((fact) => el("li", {}, fact))));
  }
}
