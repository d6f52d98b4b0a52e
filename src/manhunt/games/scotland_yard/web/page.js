// Scotland Yard on the stage: moves by ticket, double moves in two steps, travel log, tickets, what can be known.

import { pieceBadge } from "/js/board_pieces.js";
import { capital, el, keep, plural, recall, refill, replace } from "/js/dom.js";
import { endingOn, pieceAt, unique } from "/js/picking.js";
import { Panels, announce, complain } from "/js/shell.js";
import { BoardGame } from "/js/board_game.js";
import { MoveDanger, percent } from "./danger.js";
import { LETTER, TravelLog } from "./travel_log.js";
import { drawnRoute } from "./whole_route.js";

const TICKETS = ["taxi", "bus", "underground", "secret", "double"];
const KNOWING = [
  ["off", "Off"],
  ["candidates", "Candidates"],
  ["belief", "Probabilities"],
];

export function create({ stage, side, context }) {
  return new ScotlandYard(stage, side, context);
}

class ScotlandYard extends BoardGame {
  constructor(stage, side, context) {
    super(stage, context);
    this.mine = context.seat === "evader";
    const panels = context.panels ?? new Panels(side);
    this.moves = panels.add("Moves");
    this.log = new TravelLog(panels.add("Travel log", { name: "log" }), { mine: this.mine, ask: () => this.answer("route", {}, { quiet: true }, () => {}) });
    this.help = context.help ?? "all";
    this.known = this.help === "none" ? null : panels.add(this.mine ? "What they can know" : "What can be known", { name: "known" });
    this.tickets = panels.add("Tickets");
    this.panels = panels;
    this.knowing = this.known ? recall(`knowing-${this.mine ? "mrx" : "detectives"}`, this.mine ? "off" : "candidates") : "off";
    if (this.knowing === "belief" && this.help !== "all") this.knowing = "candidates";
    const ask = () => this.answer("danger", {}, { words: "Weighing your moves", passing: true });
    this.danger = new MoveDanger(ask, this.mine && this.mayHint && recall("weighing", false));
    this.first = null;
    this.doubling = false;
    this.piece = null;
    if (this.known) this.buildKnown();
  }

  show(scene, { offers = [], acting = false, live = false, draft = null } = {}) {
    const before = this.scene;
    const moved = scene !== before;
    const isMyTurnNow = acting && (moved || !this.acting);
    const from = moved && live ? this.purse() : null;
    if (moved && live) this.celebrate(before, scene);
    this.scene = scene;
    this.acting = acting;
    this.offers = acting ? offers : [];
    this.singles = this.offers.filter((offer) => offer.action);
    this.doubles = this.offers.find((offer) => offer.double)?.double ?? null;
    this.board.marks(scene.marks);
    this.showDraft(draft);
    this.danger.see(scene, acting);
    if (moved || !acting) {
      this.first = null;
      this.doubling = false;
      this.piece = null;
      this.unpreview();
    }
    if (moved) {
      this.board.arrows([]);
      this.hint = null;
      this.board.closeMenu?.(null);
      this.why && replace(this.why);
      this.inform();
      this.log.show(scene);
      this.log.fly(before, scene, from);
      this.showTickets();
    }
    if (isMyTurnNow) this.lookNear();
    this.redraw();
    if (isMyTurnNow) this.weigh();
    if (scene.outcome && live) this.showRoute();
  }

  // On a small screen the picture goes to Mr X, or to the next detective who has not moved.
  lookNear() {
    if (!this.isSmall) return;
    if (!this.mine) this.piece = this.singles[0]?.piece ?? null;
    const own = this.singles.filter((offer) => !this.piece || offer.piece === this.piece);
    const here = this.mine ? this.here() : own[0]?.picks[0];
    this.approach(unique([here, ...own.map((offer) => offer.to)]));
  }

  // Where tickets come from when they are paid: Mr X on the board, else his row of tickets.
  purse() {
    const { svg } = this.board;
    const piece = svg?.querySelector("[data-piece=quarry], [data-piece=hidden]") ?? this.tickets.querySelector(".badge");
    return piece?.getBoundingClientRect() ?? null;
  }

  // The whole route and the turning point, when everybody may know.
  async showRoute() {
    if (this.route || !this.context.lookBack) return;
    this.route = this.context.lookBack("evader", "route").catch(() => null);
    const found = await this.route;
    if (!found || this.gone) return;
    this.drawn = drawnRoute(found);
    this.log.take(found);
    this.board.route(this.drawn.labels);
    if (this.isSmall) this.board.fit(this.drawn.labels);
    if (found.turning) this.context.note?.(found.turning.words);
    this.redraw();
  }

  // -- moves ----------------------------------------------------------------------------------------

  // What the next click may choose: [{to, ticket, words, piece?, act}]
  get choices() {
    if (!this.doubling) return this.singles.map((offer) => ({ ...offer, act: () => this.move(offer.action) }));
    if (!this.first) {
      return Object.entries(this.doubles ?? {}).map(([key, step]) => ({ ...step, act: () => this.goOn(key) }));
    }
    return Object.entries(this.doubles[this.first].then).map(([action, [ticket, to]]) => ({
      action,
      ticket,
      to,
      words: `${ticket === "secret" ? "secret ticket" : ticket} to ${to}`,
      act: () => this.move(action),
    }));
  }

  redraw() {
    const choices = this.choices;
    const reachable = unique(choices.map((choice) => choice.to));
    const of = this.piece ? choices.filter((choice) => choice.piece === this.piece).map((choice) => choice.to) : null;
    const chosen = this.first ? [this.doubles[this.first].to] : this.previewed ? [this.previewed.to] : [];
    this.board.offers([...reachable, ...chosen.filter((label) => !reachable.includes(label))], null, {
      chosen,
      faint: of ? reachable.filter((label) => !of.includes(label)) : [],
    });
    this.board.arrows(this.arrows(chosen));
    this.board.badges(this.drawn?.badges ?? this.danger.badges(choices));
    this.showMoves(choices);
  }

  arrows(chosen) {
    const way = this.first ? [[this.here(), chosen[0]]] : [];
    if (this.previewed) return [...way, [this.first ? chosen[0] : (this.previewed.piece ? this.previewed.picks[0] : this.here()), this.previewed.to]];
    if (this.doubling) return way;
    return [...this.draftArrows(), ...(this.hint?.arrows ?? [])];
  }

  here() {
    return this.scene.marks.pieces.find((piece) => piece.kind === "quarry")?.at;
  }

  async pick(label, offered, isTouch = false) {
    const ending = endingOn(this.choices, label, this.piece);
    if (offered && ending.length) {
      if (ending.length === 1) this.touch(ending[0], isTouch && Boolean(ending[0].action));
      else (await this.choose(label, ending))?.act();
      return;
    }
    const piece = pieceAt(this.singles, label);
    if (piece) this.choosePiece(piece);
    else if (this.previewed) this.endPreview();
    else this.askWhy(label);
  }

  choosePiece(piece) {
    this.piece = this.piece === piece ? null : piece;
    this.unpreview();
    announce(this.piece ? `${piece} chosen` : "no piece chosen");
    this.redraw();
    const own = this.singles.filter((offer) => offer.piece === this.piece);
    if (this.isSmall && own.length) this.approach(unique([own[0].picks[0], ...own.map((offer) => offer.to)]));
  }

  choose(label, ending) {
    const pieces = unique(ending.map((choice) => choice.piece));
    const question = pieces.length > 1 ? `Who goes to ${label}?` : `To ${label} by which ticket?`;
    return this.board.ask(
      label,
      question,
      ending.map((choice) => ({
        value: choice,
        swatch: choice.ticket,
        words: choice.piece && pieces.length > 1 ? `${choice.piece}, ${choice.ticket}` : choice.ticket,
        note: this.danger.note(choice),
      })),
    );
  }

  goOn(first) {
    this.first = first;
    announce(`First step ${this.doubles[first].words}. Now the second step.`);
    this.redraw();
  }

  back() {
    if (this.board.closeMenu) return;
    if (this.previewed) this.unpreview();
    else if (this.first) this.first = null;
    else if (this.doubling) this.doubling = false;
    else if (this.piece) this.piece = null;
    else return;
    this.redraw();
  }

  showMoves(choices) {
    const controls = [];
    if (this.doubles) {
      controls.push(
        el(
          "button",
          { type: "button", class: "double", "aria-pressed": String(this.doubling), onclick: () => this.toggleDouble() },
          "Double move",
        ),
      );
      if (this.doubling) controls.push(el("button", { type: "button", class: "back", onclick: () => this.back() }, "Back"));
    }
    if (this.mayHint && this.mayAdvise()) {
      const words = this.mine || this.context.seat === "pursuers" ? "Hint" : "Detectives' plan";
      controls.push(this.hintButton(words));
    }
    if (this.mine && this.acting && this.mayHint) {
      controls.push(
        el("button", { type: "button", class: "weigh", "aria-pressed": String(this.danger.isOn), onclick: () => this.toggleDanger() }, "Danger"),
      );
    }
    const lead = el("p", { class: "lead", tabindex: "-1" }, this.lead());
    refill(this.moves, lead, el("div", { class: "row" }, controls), this.hintBox(), this.dangerBox(), this.pieceRow(), this.list(choices));
  }

  // A button for each detective who may move; the list below has the moves of the chosen one.
  pieceRow() {
    const names = unique(this.singles.map((offer) => offer.piece).filter(Boolean));
    if (names.length < 2) return null;
    const button = (name) => {
      const { letter, colour, on } = this.scene.tickets.find((row) => row.name === name) ?? { letter: name[0] };
      return el("button", { type: "button", class: `who-moves ${name}`, "aria-pressed": String(this.piece === name), "aria-label": `Moves of ${name}`, onclick: () => this.choosePiece(name) }, pieceBadge({ letter, colour, on }));
    };
    return el("div", { class: "row movers", role: "group", "aria-label": "Whose moves" }, names.map(button));
  }

  lead() {
    if (this.scene.outcome && this.drawn) return `The purple line is Mr X’s route, with the round at each station.${this.drawn.turning ? " ★ marks the turning point." : ""}`;
    if (this.scene.outcome) return `${capital(this.scene.outcome.words)}.`;
    if (this.scene.lead) return this.scene.lead;
    const ask = this.known ? "Click a station to ask about it." : "";
    if (this.context.replay || this.context.seat === "spectator") return ask;
    if (!this.acting && this.draft) return "You have moved. Until the team has confirmed, every move can be undone.";
    if (!this.acting) return this.scene.turn ? `Not your turn. ${ask}` : "";
    if (this.doubling && this.first) return `First ${this.doubles[this.first].words}. Choose the second step.`;
    if (this.doubling) return "Double move: choose the first step.";
    const shown = this.scene.log[this.scene.round - 1]?.shown && this.mine;
    if (shown) return "Choose a green station. In this round you show yourself.";
    return this.mine ? "Choose a green station." : unique(this.singles.map((offer) => offer.piece)).length > 1 ? "Choose a green station, or pick a detective first." : "Choose a green station.";
  }

  mayAdvise() {
    if (!this.scene.turn) return false;
    return this.mine ? this.acting : this.scene.turn === "pursuers";
  }

  list(choices) {
    if (!choices.length) return null;
    const groups = new Map();
    for (const choice of choices) {
      if (this.piece && choice.piece !== this.piece) continue;
      const name = choice.piece ?? choice.ticket;
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(choice);
    }
    const order = (name) => (TICKETS.includes(name) ? TICKETS.indexOf(name) : 0);
    const names = [...groups.keys()].sort((a, b) => order(a) - order(b));
    return el(
      "div",
      { class: "moves", role: "group", "aria-label": "Moves offered" },
      names.map((name) => [
        el("h3", {}, groups.get(name)[0].piece ? name : name === "secret" ? "secret ticket" : name),
        groups.get(name).map((choice) =>
          el(
            "button",
            { type: "button", onclick: choice.act, "aria-label": this.danger.note(choice) ? `${choice.words}, ${this.danger.note(choice)}` : choice.words, "data-action": choice.action ?? null },
            el("i", { class: `fare ${choice.ticket}`, "aria-hidden": "true" }, LETTER[choice.ticket]),
            choice.to,
            el("small", {}, this.danger.note(choice)),
          ),
        ),
      ]),
    );
  }

  toggleDouble() {
    this.doubling = !this.doubling;
    this.first = null;
    announce(this.doubling ? "Double move: choose the first step." : "Single move.");
    this.redraw();
    this.moves.querySelector(".double")?.focus();
  }

  // -- advice ---------------------------------------------------------------------------------------

  takeHint(hint) {
    this.doubling = false;
    this.first = null;
    super.takeHint(hint);
  }

  hintBox() {
    if (!this.hint) return null;
    const { clear, words, plan, reasons, alternatives } = this.hint;
    if (!plan) return el("div", { class: "told hinted" }, el("p", {}, words));
    const sure = el("meter", { min: 0, max: 1, value: clear, "aria-label": "How clear the plan is" });
    return el(
      "div",
      { class: "told hinted" },
      el("p", {}, el("b", {}, plan.length > 1 ? "Plan: " : "Best: "), plan.join("; ")),
      reasons.map((reason) => el("p", {}, reason)),
      alternatives.length ? el("p", {}, "Or:") : null,
      el("ul", { class: "others" }, alternatives.map((other) => el("li", {}, other.words))),
      el("div", { class: "row" }, sure, this.playHint()),
    );
  }

  async toggleDanger() {
    this.danger.isOn = !this.danger.isOn;
    keep("weighing", this.danger.isOn);
    await this.danger.weigh();
    this.redraw();
  }

  async weigh() {
    if (await this.danger.weigh()) this.redraw();
  }

  dangerBox() {
    const { words } = this.danger;
    return words && el("p", { class: "quiet" }, words);
  }

  // -- what can be known ----------------------------------------------------------------------------

  buildKnown() {
    const name = `knowing-${Math.random().toString(36).slice(2)}`;
    const choice = el(
      "fieldset",
      { class: "choice", "aria-label": "Show on the board" },
      KNOWING.filter(([value]) => value !== "belief" || this.help === "all").map(([value, words]) =>
        el("label", {}, el("input", { type: "radio", name, value, checked: value === this.knowing, onchange: () => this.know(value) }), el("span", {}, words)),
      ),
    );
    this.legend = el("div", { class: "legend" });
    this.words = el("p", {});
    this.why = el("div", { class: "why", "aria-live": "polite" });
    const station = el("input", { type: "text", inputmode: "numeric", size: 5, "aria-label": "Station" });
    const form = el("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      if (station.value.trim()) this.askWhy(station.value.trim());
    } }, el("label", { class: "row" }, "Why not on ", station), el("button", { type: "submit" }, "Ask"));
    replace(this.known, choice, this.legend, this.words, form, this.why);
  }

  know(value) {
    this.knowing = value;
    keep(`knowing-${this.mine ? "mrx" : "detectives"}`, value);
    this.inform();
  }

  inform() {
    if (this.knowing === "off" || !this.scene || this.scene.outcome) {
      this.board.glow(null);
      if (this.words) replace(this.words);
      if (this.legend) replace(this.legend);
      return;
    }
    this.learn(() => this.askBelief());
  }

  async askBelief() {
    const belief = await this.answer("belief", {}, { quiet: true }, (error) => {
      if ([0, 429, 503].includes(error.status)) setTimeout(() => !this.gone && this.inform(), 2000);
      else complain(error);
    });
    if (!belief || this.knowing === "off") return;
    this.belief = belief;
    if (this.knowing === "belief") this.board.belief(belief.belief);
    else this.board.candidates(belief.candidates);
    replace(this.words, belief.words);
    this.showLegend(belief);
  }

  showLegend(belief) {
    if (this.knowing !== "belief") {
      replace(this.legend, el("i", { class: "swatch even", "aria-hidden": "true" }), plural(belief.candidates.length, "station"));
      return;
    }
    const most = Math.max(0, ...Object.values(belief.belief));
    replace(this.legend, "0 %", el("span", { class: "bar", "aria-hidden": "true" }), percent(most));
  }

  async askWhy(label) {
    if (!this.why) return;
    const why = await this.answer("why", { node: label }, { words: "Looking for the reason" });
    if (!why) return;
    const way = why.way ?? [];
    this.board.arrows(way.slice(1).map((to, i) => [way[i], to]));
    replace(this.why, el("div", { class: "told" }, el("strong", {}, why.possible ? `${why.node}: possible` : `Why not ${why.node}?`), why.words.map((line) => el("p", {}, line))));
    this.panels.show?.("known");
  }

  hover(label) {
    if (label === null) {
      this.board.say(null);
      return;
    }
    const p = this.knowing === "off" ? undefined : this.belief?.belief[label];
    const rides = this.board.places.get(label).title;
    const odds = this.knowing === "belief" && p !== undefined ? `, ${percent(p)}` : "";
    this.board.say(rides + odds);
  }

  // -- tickets ----------------------------------------------------------------------------------------

  // The picture around a station and what is next to it.
  lookAt(label) {
    this.board.fit([label, ...(this.board.neighbours.get(label) ?? [])]);
  }

  showTickets() {
    const columns = TICKETS;
    const head = el("tr", {}, el("th", { scope: "col" }, el("span", { class: "unseen" }, "Piece")), el("th", { scope: "col" }, "on"), columns.map((name) =>
      el("th", { scope: "col", title: name }, el("span", { class: `fare ${name}`, "aria-hidden": "true" }, LETTER[name]), el("span", { class: "unseen" }, name)),
    ));
    const rows = this.scene.tickets.map((row) =>
      el(
        "tr",
        { class: row.moves ? "moving" : null },
        el("th", { scope: "row" }, pieceBadge(row), el("span", {}, row.name), row.moves ? el("span", { class: "unseen" }, " to move") : null),
        el("td", { class: "at" }, row.at ? el("button", { type: "button", class: "place", title: "Show on the board", "aria-label": `${row.at}, show on the board`, onclick: () => this.lookAt(row.at) }, row.at) : "?"),
        columns.map((name) => el("td", { class: row.held[name] ? null : "none" }, row.held[name] ?? "")),
      ),
    );
    replace(this.tickets, el("table", { class: "tickets" }, el("thead", {}, head), el("tbody", {}, rows)));
  }
}
