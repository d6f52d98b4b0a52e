// The table of Fugitive: row, piles, hand, notepad; a turn is put together first and then sent step by step.

import { capital, el, keyed, plural, replace, set } from "/js/dom.js";
import { complain, Panels } from "/js/shell.js";
import { Known, percent } from "./known.js";
import * as turns from "./turn.js";

const TAGS = { fugitive: "his", marshal: "hers", shown: "up", hideout: "down", spent: "sprint", missed: "missed" };
const SIGNS = {
  fugitive: "his, dotted border: in the Fugitive’s hand",
  marshal: "hers, dotted border: in the Marshal’s hand",
  shown: "up, thick border: hideout, face up",
  hideout: "dark: hideout, face down",
  spent: "struck out: sprint card",
  missed: "missed: wrong guess since the last hideout",
};
const OWN = { fugitive: { evader: "yours" }, marshal: { pursuers: "yours" } };

export function create({ stage, side, context }) {
  return new FugitivePage(stage, side, context);
}

class FugitivePage {
  constructor(stage, side, context) {
    this.context = context;
    this.seat = context.seat;
    this.offers = turns.sorted([]);
    this.offered = [];
    this.draft = turns.emptyDraft();
    this.sending = new turns.Sending();
    this.notes = null;
    this.hinted = null;
    this.known = new Known(context, (notes) => this.#note(notes));
    this.row = el("ol", { class: "fg-row", "data-part": "row", "aria-label": "Row of hideouts, from the start" });
    this.piles = el("div", { class: "fg-piles", "data-part": "piles", role: "group", "aria-label": "Piles" });
    this.hands = el("div", { class: "fg-hands", "data-part": "hands" });
    this.bar = el("div", { class: "fg-bar", "data-part": "turn", role: "group", "aria-label": "Your turn" });
    this.says = el("p", { class: "fg-says" });
    this.chance = el("p", { class: "fg-chance quiet" });
    this.acts = el("div", { class: "fg-acts" });
    this.bar.append(el("div", { class: "fg-bar-words" }, this.says, this.chance), this.acts);
    this.pad = el("div", { class: "fg-pad", role: "group", "aria-label": "Notepad of all numbers" });
    this.legend = el("p", { class: "fg-legend quiet" });
    this.root = el(
      "div",
      { class: "fg", "data-part": "table" },
      this.row,
      this.piles,
      this.hands,
      this.bar,
      el("section", { class: "fg-padbox", "data-part": "pad", "aria-label": "Notepad" }, this.pad, this.legend),
      this.known.element,
    );
    stage.append(this.root);
    this.pad.addEventListener("keydown", (event) => this.#walk(event));
    this.#panels(side);
  }

  destroy() {
    this.sending.stop();
    this.known.destroy();
    this.root.remove();
    this.panels?.clear();
  }

  show(scene, { offers = [], acting = false, live = false, v = null } = {}) {
    this.scene = scene;
    const fresh = acting ? offers : [];
    if (JSON.stringify(fresh.map((o) => o.action)) !== JSON.stringify(this.offered.map((o) => o.action))) {
      this.draft = turns.emptyDraft();
      this.#forgetHint();
    }
    this.offered = fresh;
    this.offers = turns.sorted(fresh);
    this.known.show(scene, live ? v : null);
    const step = this.sending.next(fresh);
    if (!acting && scene.turn !== this.seat) this.sending.stop();
    this.#draw();
    if (step !== null) this.context.move(step);
  }

  // -- drawing -----------------------------------------------------------------------------------------

  #draw() {
    if (!this.scene) return;
    this.#drawRow();
    this.#drawPiles();
    this.#drawHands();
    this.#drawBar();
    this.#drawPad();
    this.#drawGuesses();
    this.hintButton.disabled = !this.offered.length || this.sending.busy;
  }

  #drawRow() {
    const start = { position: 0, card: 0, faceUp: true, escape: false, round: null, nSprints: 0, sprints: [] };
    keyed(
      this.row,
      [start, ...this.scene.row],
      (spot) => spot.position,
      () => el("li", { class: "fg-spot" }),
      (item, spot) => this.#drawSpot(item, spot),
    );
  }

  #drawSpot(item, spot) {
    const look = JSON.stringify(spot);
    if (item.dataset.look === look) return;
    item.dataset.look = look;
    const known = spot.card === null ? "?" : String(spot.card);
    const foot = spot.position === 0 ? "start" : spot.escape ? "escape" : `round ${spot.round}`;
    const state = spot.faceUp ? "face up" : "face down";
    const under = spot.nSprints ? `, ${plural(spot.nSprints, "sprint card")} under it${spot.sprints?.length ? `: ${spot.sprints.join(" ")}` : ""}` : "";
    const words = spot.position === 0 ? "Start: 0" : `Position ${spot.position}: ${spot.card === null ? "unknown" : spot.card}, ${state}${under}, ${foot}`;
    const sprints = Array.from({ length: spot.nSprints }, (_, i) => spot.sprints?.[i] ?? "?");
    replace(
      item,
      el("span", { class: "unseen" }, words),
      el(
        "div",
        { class: `fg-card ${spot.faceUp ? "up" : "down"}${spot.escape ? " escape" : ""}`, "aria-hidden": "true" },
        spot.position > 0 && el("span", { class: "fg-place" }, spot.position),
        el("b", {}, known),
        el("span", { class: "fg-foot" }, foot),
      ),
      el(
        "div",
        { class: "fg-sprints", "aria-hidden": "true" },
        sprints.map((card) => el("span", { class: `fg-sprint ${spot.faceUp && card !== "?" ? "up" : "down"}` }, card)),
      ),
    );
  }

  #drawPiles() {
    keyed(
      this.piles,
      this.scene.piles,
      (pile) => pile.name,
      (pile) =>
        el(
          "button",
          { type: "button", class: "fg-pile", "data-pile": pile.name, onclick: () => this.#drawCard(pile.name) },
          el("span", { class: "fg-stack", "aria-hidden": "true" }, el("i"), el("i"), el("i")),
          el("span", { class: "fg-pile-words" }, el("b", {}), el("span", {}), el("small", {})),
        ),
      (button, pile) => {
        const offer = this.offers.draw.get(pile.name);
        const [name, size, drew] = button.querySelector(".fg-pile-words").children;
        name.textContent = pile.name;
        size.textContent = `${pile.low}–${pile.high}, ${pile.size ? `${pile.size} left` : "empty"}`;
        const his = `${pile.dealt ? `${pile.dealt} dealt, ` : ""}${pile.fugitive} drawn`;
        replace(drew, el("span", {}, `${this.seat === "evader" ? "You" : "Fugitive"}: ${his}`), el("span", {}, `${this.seat === "pursuers" ? "You" : "Marshal"}: ${pile.marshal} drawn`));
        const free = Boolean(offer) && !this.sending.busy;
        set(button, { disabled: !free });
        button.classList.toggle("offer", free);
        button.classList.toggle("hinted", this.hinted?.line[0] === offer?.action && Boolean(offer));
        button.classList.toggle("empty", !pile.size);
        button.style.setProperty("--depth", String(Math.min(3, Math.ceil(pile.size / 4))));
      },
    );
  }

  #drawHands() {
    const { fugitive, marshal } = this.scene.hands;
    const hands = [
      { name: "fugitive", title: this.seat === "evader" ? "Your hand" : "Fugitive’s hand", ...fugitive },
      { name: "marshal", title: this.seat === "pursuers" ? "Your hand" : "Marshal’s hand", ...marshal },
    ];
    if (this.seat === "pursuers") hands.reverse();
    keyed(
      this.hands,
      hands,
      (hand) => hand.name,
      (hand) => el("div", { class: "fg-hand", "data-hand": hand.name }, el("h2", {}), el("div", { class: "fg-cards" })),
      (element, hand) => {
        const left = hand.cards === null ? hand.size : hand.cards.length;
        element.firstChild.textContent = `${hand.title}: ${plural(left, "card")}`;
        this.#drawCards(element.lastChild, hand);
      },
    );
  }

  #drawCards(host, hand) {
    const own = (hand.name === "fugitive" ? "evader" : "pursuers") === this.seat;
    const cards = hand.cards ?? [];
    keyed(
      host,
      cards.map(String),
      (card) => card,
      (card) => (own && hand.name === "fugitive" ? this.#cardButton(card) : el("span", { class: "fg-held" }, el("b", {}, card))),
      (element, card) => own && hand.name === "fugitive" && this.#dressCard(element, card),
    );
  }

  #cardButton(card) {
    return el(
      "button",
      { type: "button", class: "fg-held", "data-card": card, onclick: () => this.#pickCard(card) },
      el("b", {}, card),
      el("small", {}),
    );
  }

  #dressCard(button, card) {
    const { draft, offers, scene } = this;
    const pending = scene.pending.map(String);
    let [use, words, pressed] = ["", "", null];
    if (pending.includes(card)) [use, words, pressed] = ["fixed", pending[0] === card ? "hideout" : "sprint", true];
    else if (offers.sprint.has(card)) [use, words] = ["offer", "add"];
    else if (draft.hideout === card) [use, words, pressed] = ["hideout", "hideout", true];
    else if (draft.hideout !== null) {
      const each = offers.hide.get(draft.hideout).sprints.find((one) => String(one.card) === card);
      if (each) [use, words, pressed] = [draft.cards.has(card) ? "sprint" : "offer", `+${each.worth}`, draft.cards.has(card)];
    } else if (offers.hide.has(card)) {
      const { need } = offers.hide.get(card);
      [use, words, pressed] = ["offer", need ? `needs ${need}` : "free", false];
    }
    const free = ["offer", "hideout", "sprint"].includes(use) && !this.sending.busy;
    set(button, { disabled: !free, "aria-pressed": pressed === null ? null : String(pressed), "data-use": use || null });
    button.lastChild.textContent = words;
    const name = draft.hideout !== null || pending.length ? `${card}, ${words || "not now"}` : offers.hide.get(card)?.words ?? card;
    button.setAttribute("aria-label", name);
    button.classList.toggle("hinted", Boolean(this.hinted) && draft.hideout === null && offers.hide.get(card)?.action === this.hinted.line[0]);
  }

  // -- the bar: what to do now ---------------------------------------------------------------------------

  #drawBar() {
    const { words, buttons, state = "" } = this.#situation();
    if (this.says.textContent !== words) this.says.textContent = words;
    this.bar.dataset.state = state;
    keyed(
      this.acts,
      buttons.filter(Boolean),
      (button) => button.key,
      (button) => el("button", { type: "button", "data-act": button.key, onclick: () => this.#press(button.key) }),
      (element, button) => {
        element.textContent = button.words;
        set(element, { class: button.main ? "primary" : null, disabled: button.disabled || this.sending.busy });
      },
    );
    this.presses = new Map(buttons.filter(Boolean).map((button) => [button.key, button.act]));
    this.#drawChance();
  }

  #press(key) {
    this.presses.get(key)?.();
  }

  #situation() {
    const { scene, offers, draft } = this;
    if (scene.outcome) return { words: `${capital(scene.outcome.words)}.`, buttons: [], state: "over" };
    if (this.sending.busy) return { words: "Sending your turn …", buttons: [], state: "busy" };
    if (!this.offered.length) return { words: `${capital(scene.turnWords)}.`, buttons: [], state: "waiting" };
    const pass = offers.pass && { key: "pass", words: capital(offers.pass.words), act: () => this.#send([offers.pass.action]) };
    if (offers.draw.size) {
      const left = scene.drawsLeft > 1 ? ` You draw ${scene.drawsLeft} cards, one after the other.` : "";
      return { words: `Choose a pile to draw from.${left}`, buttons: [pass], state: "acting" };
    }
    if (offers.name.size || offers.ask) return this.#guessing();
    if (scene.pending.length) return this.#halfPlaced();
    if (draft.hideout !== null) return this.#placing();
    const words = offers.hide.size ? "Choose the card of your next hideout." : "None of your cards can be placed now.";
    return { words, buttons: [pass], state: "acting" };
  }

  #placing() {
    const { draft, offers } = this;
    const pay = turns.payment(draft, offers);
    const offer = offers.hide.get(draft.hideout);
    const price = pay.need ? `It needs sprint cards worth ${pay.need}; chosen: ${pay.worth}.` : `It needs no sprint cards${pay.worth ? `; chosen: ${pay.worth}` : ""}.`;
    const more = pay.paid ? (pay.leaves ? " More would be a bluff." : " This leaves no second hideout, which the opening requires.") : " Choose cards to pay.";
    const words = `${capital(offer.words.split(",")[0])}. ${price}${more}`;
    const steps = () => turns.stepsOfPlacement(draft, offers);
    return {
      words,
      state: "acting",
      buttons: [
        { key: "place", main: true, words: `Place ${draft.hideout}`, disabled: !pay.enough, act: () => this.#send(steps()) },
        { key: "back", words: "Back", act: () => this.#redo(turns.emptyDraft()) },
      ],
    };
  }

  // A placement whose first steps are on the server already, after a reload say.
  #halfPlaced() {
    const { done } = this.offers;
    const [hideout, ...sprints] = this.scene.pending;
    return {
      words: `You are placing ${hideout}${sprints.length ? ` with ${sprints.join(" ")} under it` : ""}. Add sprint cards${done ? ", or place it" : ": it is not paid yet"}.`,
      state: "acting",
      buttons: [{ key: "place", main: true, words: `Place ${hideout}`, disabled: !done, act: () => this.#send([done.action]) }],
    };
  }

  #guessing() {
    const { scene, offers, draft } = this;
    const hunt = scene.phase === "manhunt";
    const chosen = [...scene.pending.map(String), ...[...draft.cards].sort((a, b) => a - b)];
    const list = chosen.join(" and ");
    const words = hunt
      ? chosen.length ? `Name ${list}? A miss loses the game.` : "Manhunt: name one number at a time. A miss loses."
      : chosen.length ? `Ask for ${list}${chosen.length > 1 ? " together: all must be right" : ""}?` : "Choose one or more numbers and ask. All must be right to turn them up.";
    const skip = offers.ask && !chosen.length && { key: "skip", words: capital(offers.ask.words), act: () => this.#send([offers.ask.action]) };
    const steps = () => (draft.cards.size ? turns.stepsOfGuess(draft, offers) : [offers.ask.action]);
    return {
      words,
      state: hunt ? "hunt" : "acting",
      buttons: [
        { key: "ask", main: true, words: hunt ? `Name ${list || "it"}` : `Ask${chosen.length ? ` for ${list}` : ""}`, disabled: !chosen.length, act: () => this.#send(steps()) },
        draft.cards.size > 0 && { key: "back", words: "Clear", act: () => this.#redo(turns.emptyDraft()) },
        skip,
      ],
    };
  }

  // How likely the chosen numbers are all right; asked of the server, and only where chances are shown.
  async #drawChance() {
    const numbers = [...this.draft.cards].filter((number) => this.offers.name.has(number)).sort((a, b) => a - b);
    const all = [...this.scene.pending.map(String), ...numbers].join(",");
    const wanted = this.notes && this.offers.name.size && numbers.length ? all : "";
    if (wanted === this.chanceOf) return;
    this.chanceOf = wanted;
    this.chance.textContent = "";
    if (!wanted) return;
    try {
      const found = await this.context.ask("chance", { numbers: wanted }, { quiet: true });
      if (this.chanceOf === wanted) this.chance.textContent = capital(`${found.words}.`);
    } catch {
      // the page lives without it
    }
  }

  // -- the notepad ----------------------------------------------------------------------------------------

  #drawPad() {
    const { scene, offers, draft } = this;
    const naming = offers.name.size > 0;
    const pending = scene.pending.map(String);
    const used = new Set();
    const [worse, better] = turns.judgedNumbers(scene.judged);
    keyed(
      this.pad,
      scene.pad,
      (cell) => cell.number,
      (cell) =>
        el(
          "button",
          { type: "button", class: "fg-number", "data-number": cell.number, tabindex: "-1", onclick: () => this.#pickNumber(String(cell.number)) },
          el("b", {}, cell.number),
          el("small", {}),
        ),
      (button, cell) => {
        const number = String(cell.number);
        const share = this.notes?.numbers[number];
        const open = cell.mark === "open" || cell.mark === "missed" || (this.seat === "evader" && share > 0);
        const tag = OWN[cell.mark]?.[this.seat] ?? TAGS[cell.mark] ?? "";
        const note = open && share !== undefined ? (share > 0 ? `${percent(share)} %` : tag || "–") : tag;
        if (cell.mark !== "open") used.add(cell.mark);
        const chosen = draft.cards.has(number) || (naming && pending.includes(number));
        const free = naming && offers.name.has(number) && !this.sending.busy;
        button.dataset.mark = cell.mark;
        button.lastChild.textContent = note;
        button.style.setProperty("--shade", String(open && share ? Math.sqrt(share) : 0));
        set(button, { "aria-disabled": String(!free), "aria-pressed": naming ? String(chosen) : null });
        button.classList.toggle("free", free);
        button.classList.toggle("worse", worse.includes(number));
        button.classList.toggle("better", better.includes(number));
        button.classList.toggle("hinted", Boolean(this.hinted) && offers.name.has(number) && this.hinted.line.includes(offers.name.get(number).action));
        const chance = open && share !== undefined ? `, chance ${share > 0 ? percent(share) : 0} per cent` : "";
        const judged = worse.includes(number) ? ", played" : better.includes(number) ? ", better" : "";
        button.setAttribute("aria-label", `${number}${judged}${cell.words ? `, ${cell.words}` : ""}${chance}${chosen ? ", chosen" : ""}`);
      },
    );
    if (!this.pad.querySelector("[tabindex='0']")) this.pad.firstElementChild?.setAttribute("tabindex", "0");
    const own = { fugitive: this.seat === "evader" && "dotted border: in your hand", marshal: this.seat === "pursuers" && "dotted border: in your hand" };
    const shade = this.notes?.nRows ? ["%: chance of a face-down hideout (darker is likelier)"] : [];
    const legend = [...[...used].map((mark) => own[mark] || SIGNS[mark]), ...shade, ...(worse.length ? ["red: played"] : []), ...(better.length ? ["green: better"] : [])].join(" · ");
    if (this.legend.textContent !== legend) this.legend.textContent = legend;
  }

  // Arrow keys go over the notepad.
  #walk(event) {
    const here = event.target.closest(".fg-number");
    if (!here) return;
    const cells = [...this.pad.children];
    const across = getComputedStyle(this.pad).gridTemplateColumns.split(" ").length;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = cells[cells.indexOf(here) + step];
    if (!next) return;
    here.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  #note(notes) {
    this.notes = notes;
    if (this.scene) {
      this.#drawPad();
      this.chanceOf = null;
      this.#drawChance();
    }
  }

  // -- what the user does --------------------------------------------------------------------------------

  #redo(draft) {
    this.draft = draft;
    this.#draw();
  }

  #pickCard(card) {
    const sprint = this.offers.sprint.get(card);
    if (sprint) this.#send([sprint.action]);
    else this.#redo(turns.pickCard(this.draft, this.offers, card));
  }

  #pickNumber(number) {
    const cell = this.pad.querySelector(`[data-number="${number}"]`);
    for (const other of this.pad.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    cell.tabIndex = 0;
    if (cell.classList.contains("free")) this.#redo(turns.pickNumber(this.draft, this.offers, number));
  }

  #drawCard(pile) {
    const offer = this.offers.draw.get(pile);
    if (offer) this.#send([offer.action]);
  }

  #send(steps) {
    const first = this.sending.begin(steps, this.offered);
    this.#draw();
    this.context.move(first);
  }

  // -- panels --------------------------------------------------------------------------------------------

  #panels(side) {
    this.panels = this.context.panels ?? new Panels(side);
    this.hintButton = el("button", { type: "button", class: "hint", disabled: true, onclick: () => this.#askHint() }, "What would you do?");
    this.hintWords = el("div", { class: "fg-hint", role: "status" });
    if (this.seat !== "spectator" && (this.context.help ?? "all") === "all") this.panels.add("Hint").append(this.hintButton, this.hintWords);
    this.guessList = el("ol", { class: "fg-guesses", reversed: true, tabindex: "0", "aria-label": "Guesses, newest first" });
    this.noGuess = el("p", { class: "quiet" }, "None yet.");
    this.panels.add("Guesses").append(this.noGuess, this.guessList);
  }

  #drawGuesses() {
    const guesses = this.scene.guesses.map((guess, i) => ({ ...guess, i })).reverse();
    this.noGuess.hidden = guesses.length > 0;
    keyed(
      this.guessList,
      guesses,
      (guess) => guess.i,
      (guess) =>
        el(
          "li",
          { value: guess.i + 1, class: guess.hit ? "hit" : "miss" },
          el("span", { class: "fg-sign", "aria-hidden": "true" }, guess.hit ? "✓" : "✕"),
          ` ${guess.numbers.join(" ")} `,
          el("span", { class: "quiet" }, `round ${guess.round}, ${guess.hit ? "found" : "missed"}`),
        ),
    );
  }

  async #askHint() {
    const asked = this.offered;
    try {
      const hint = await this.context.ask("hint", { seconds: 2 }, { passing: true });
      if (asked !== this.offered) return;
      this.hinted = hint;
      const chance = hint.winning === null ? null : `${Math.round(hint.winning * 100)} % to win`;
      const sure = hint.confidence === null ? null : `confidence ${Math.round(hint.confidence * 100)} %`;
      const draft = turns.draftOf(hint.line, this.offers);
      replace(
        this.hintWords,
        el("p", {}, el("b", {}, capital(hint.words)), "."),
        el("p", { class: "quiet" }, [`Suggested by ${hint.agent}`, chance, sure].filter(Boolean).join(", "), "."),
        draft && el("button", { type: "button", onclick: () => this.#redo(draft) }, "Use it"),
      );
      this.#draw();
    } catch (error) {
      complain(error);
    }
  }

  #forgetHint() {
    this.hinted = null;
    replace(this.hintWords);
  }
}
