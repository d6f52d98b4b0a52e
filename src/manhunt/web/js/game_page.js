// A running game: sockets of the seats held here, whose turn it is, and the game's own module on the stage.

import { BoardCanvas } from "./board.js";
import { documentOf } from "./board_ground.js";
import { capital, el, recall, replace } from "./dom.js";
import { loadPage } from "./game_files.js";
import { introduceOnce } from "./intro.js";
import { Asking } from "./play_asking.js";
import { Clocks } from "./play_clock.js";
import { drawCurtain, seatToShow } from "./play_curtain.js";
import { draftState, drawDraft, ownOffers } from "./play_draft.js";
import { drawEnd, rematchButtons } from "./play_end.js";
import { headTools } from "./play_head.js";
import { againButton, invitation } from "./play_links.js";
import { TablePeople } from "./play_people.js";
import { HeldSeat } from "./play_seat.js";
import { Signals } from "./play_signals.js";
import { drawTable, drawTakeBack } from "./play_table.js";
import { TurnLine, turnWords } from "./play_turn.js";
import { SEATS, otherSeat, resultWords, titleWords, whoWords } from "./play_words.js";
import { quit } from "./quit.js";
import { Panels, announce, complain, confirmed } from "./shell.js";
import { play } from "./sounds.js";

const PACE = recall("pace", 260);
const NOT_CONNECTED = "Not connected: please try again in a moment.";
const $ = (id) => document.getElementById(id);

export class GamePage {
  // `tokens` are those of seats; somebody at a table has one `token` for whatever they hold there.
  constructor(uid, { tokens = {}, table = null, token = null }) {
    this.uid = uid;
    this.presence = {};
    this.status = { takeback: null, takeBacks: null, clock: null };
    this.paused = false;
    this.unveiled = null;
    this.module = null;
    this.notes = [];
    this.panels = new Panels($("side"));
    for (const name of ["ending", "asking", "inviting", "drafting", "work"]) this[`${name}Box`] = el("div", { class: `top for-${name}` });
    $("side").prepend(this.endingBox, this.askingBox, this.invitingBox, this.draftingBox, this.workBox);
    this.turnLine = new TurnLine($("turn"));
    this.signals = new Signals(uid);
    this.asking = new Asking(uid, this.workBox);
    this.people = table ? new TablePeople(table, { uid, stage: $("stage"), signals: this.signals, changed: () => this.tableChanged() }) : null;
    this.heldSeats = [];
    const names = SEATS.filter((seat) => tokens[seat]);
    if (token) this.#hold(null, token);
    else if (names.length) for (const seat of names) this.#hold(seat, tokens[seat]);
    else this.#hold("spectator", null);
    this.shared = names.length === 2;
    if (!this.shared) this.unveiled = this.heldSeats[0];
    addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("visibilitychange", () => this.heldSeats.forEach((held) => this.pump(held)));
    setInterval(() => this.tick(), 500);
  }

  #hold(seat, token, wants = null) {
    const held = new HeldSeat(seat, token, {
      uid: this.uid,
      wants,
      heard: (from, message) => this.heard(from, message),
      changed: (from, state, words) => this.connection(from, state, words),
    });
    this.heldSeats.push(held);
  }

  // -- what comes in --------------------------------------------------------------------------------

  heard(held, message) {
    if (message.t === "new") this.opened(held, message);
    else if (message.t === "observe" || message.t === "go") {
      if (message.v > (held.last?.v ?? 0)) this.forgetRequest(held);
      held.hear(message);
      this.pump(held);
    } else if (message.t === "presence") {
      this.presence = message.seats;
      this.showTurn();
      this.showInvitation();
    } else if (message.t === "status") this.hearStatus(held, message);
    else if (message.t === "rewound") this.startOver(held);
    else if (message.t === "error") {
      complain(capital(message.what));
      this.sent = null;
      this.show();
    }
  }

  opened(held, message) {
    const before = held.seat;
    held.open(message);
    this.room = message.room;
    if (held.seats.length === 2 && !this.shared) this.#shareScreen(held);
    if (this.game) {
      if (held.seat !== before) this.close();
      this.tools();
      this.showTable();
      return;
    }
    this.game = message.game;
    this.title = message.room.title;
    this.page = message.page;
    this.imported = loadPage(message.page);
    if (message.board) documentOf(message.board.digest).catch(() => {}); // the board says it when it is drawn
    this.clocks = new Clocks($("clocks"), message.room.names);
    this.tools();
    if (held.seat !== "spectator") introduceOnce(this.game, this.page);
  }

  // Somebody who holds both seats of a table: one socket a seat, and a curtain in between.
  #shareScreen(held) {
    this.shared = true;
    this.unveiled = null;
    held.wants = held.seat;
    this.#hold(otherSeat(held.seat), held.token, otherSeat(held.seat));
  }

  startOver(held) {
    held.startOver();
    this.forgetRequest(held);
    this.sent = null;
    this.ended = false;
    this.notes = [];
    replace(this.endingBox);
    this.close();
    this.tools();
  }

  hearStatus(held, { t: _, ...status }) {
    const asked = status.takeback && !this.status.takeback && status.takeback.seat !== held.seat;
    const refused = this.status.takeback?.seat === held.seat && !status.takeback;
    this.status = status;
    this.clocks.hear(this.over ? null : (status.clock ?? null));
    drawTakeBack(this.askingBox, status.takeback, held.seat, (yes) => this.say({ t: "answer", yes }));
    if (asked) this.signals.mention("Take back?", `${status.takeback.name || "The other side"} asks to take back a turn`, "turn");
    if (refused) complain("Your turn was not taken back: the other side did not agree.");
    this.showTable();
    this.tools();
  }

  // The game has gone on or back: nobody has to answer any more.
  forgetRequest(held) {
    if (this.status.takeback?.seat === held.seat) this.status = { ...this.status, takeback: null };
  }

  // Shows what has come, ply by ply; a short pause between plies lets people see each of them.
  pump(held) {
    if (held.pumping) return;
    if (this.wanted && held.queue.length) {
      this.step(this.wanted);
      return;
    }
    held.pumping = true;
    try {
      while (this.delay(held) === 0) this.take(held);
    } finally {
      held.pumping = false;
    }
    this.pumpLater(held, this.delay(held));
    this.showTurn();
  }

  delay(held) {
    return held.delay({ now: performance.now(), pace: document.hidden ? 0 : PACE, paused: this.watching && this.paused });
  }

  pumpLater(held, delay) {
    if (delay === Infinity) return;
    held.timer ??= setTimeout(() => {
      held.timer = null;
      this.pump(held);
    }, delay);
  }

  take(held) {
    const { message, isNews } = held.showNext(performance.now());
    if (isNews) this.asking.giveUp();
    if (message.t === "observe") {
      this.sent = null;
      this.thinkingSince = Date.now();
      if (isNews && held === this.unveiled) {
        announce(`${message.sentences.join("; ")}. ${message.scene.title}`);
        play("move");
      }
    }
    this.show();
  }

  connection(held, state, words) {
    held.state = state;
    if (state === "refused") {
      replace($("stage"), el("div", { class: "notice" }, el("h2", {}, capital(words)), el("a", { href: "/", class: "button" }, "Back to the games")));
      $("title").textContent = "This game cannot be opened";
    } else if (state === "lost") announce(words);
    else if (state === "open" && held.wasLost) announce("Connected again");
    const wasLost = held.wasLost;
    held.wasLost = state === "lost" || (held.wasLost && state !== "open");
    held.words = words;
    if (wasLost !== held.wasLost) this.show();
    this.showTurn();
  }

  // -- what is shown --------------------------------------------------------------------------------

  get watching() {
    return this.heldSeats[0].seat === "spectator";
  }

  get newest() {
    return this.heldSeats.reduce((best, held) => ((held.last?.v ?? -1) > (best.last?.v ?? -1) ? held : best));
  }

  get over() {
    return this.heldSeats.some((held) => held.last?.over);
  }

  // What this player may choose now: nothing while a move is on its way or the connection is lost.
  offersOf(held) {
    if (this.sent || held.wasLost || this.over || this.watching) return [];
    return ownOffers(held.go?.offers ?? [], held.places);
  }

  draftOf(held) {
    const draft = held?.last?.draft;
    if (!draft || this.over || this.watching) return null;
    return draftState(draft, { me: held.person, nameOf: (id) => this.people?.nameOf(id) ?? "a teammate" });
  }

  show() {
    if (this.shared) this.veil();
    const held = this.unveiled;
    if (!held?.last) return;
    const { scene } = held.last;
    if (held.last.closed) {
      replace($("stage"), el("p", { class: "notice" }, scene.title));
      $("title").textContent = this.title;
      return;
    }
    this.present(held).catch(complain);
  }

  async present(held) {
    const { create } = await this.imported;
    if (held !== this.unveiled || !held.last) return;
    if (this.module?.held !== held) this.open(held, create);
    const { scene } = held.last;
    $("title").textContent = titleWords(held.last);
    $("who").textContent = whoWords(this.room, { seat: held.seat, shared: this.shared });
    const offers = this.offersOf(held);
    const acting = offers.length > 0;
    Object.assign($("stage").dataset, { v: held.last.v, state: this.over ? "over" : acting ? "acting" : "waiting" });
    this.module.show(scene, { offers, acting, live: true, v: held.last.v, draft: held.last.draft ?? null });
    this.showDraft(held);
    this.showStory(held);
    this.showTurn();
  }

  open(held, create) {
    this.close();
    const page = this;
    const context = {
      seat: held.seat,
      room: this.room,
      game: this.game,
      get help() {
        return page.over ? "all" : (page.room.options?.help ?? "all");
      },
      boardDigest: held.opened?.board?.digest ?? null,
      panels: this.panels,
      move: (action) => this.move(held, action),
      ask: (what, params, options) => this.asking.ask(held, what, params, options),
      lookBack: (seat, what) => this.asking.lookBack(seat, what),
      note: (words) => this.note(words),
      sound: (name) => held === this.unveiled && play(name),
      announce,
      el,
      board: (stage) => new BoardCanvas(stage, held.opened.board.digest, { announce, name: `Board ${held.opened.board.name}` }),
    };
    const made = create({ stage: $("stage"), side: $("side"), context });
    this.module = { held, show: made.show.bind(made), destroy: made.destroy.bind(made) };
    this.storyList = el("ol", { class: "story", tabindex: "0", "aria-label": "What happened, newest first" });
    this.panels.add("Story").append(this.storyList);
    this.about = this.panels.add("Table");
    this.storyShown = null;
    this.showTable();
    this.showChat();
  }

  // Whoever plays alone needs none.
  showChat() {
    if (!this.module || this.module.chats || !this.people || this.people.isAlone) return;
    this.module.chats = true;
    this.people.addChat(this.panels);
  }

  close() {
    this.module?.destroy();
    this.module = null;
    this.about = null;
    this.panels.clear();
    replace(this.draftingBox);
    $("stage").replaceChildren();
  }

  showStory(held) {
    if (this.storyShown === `${held.seat} ${held.story.length}`) return;
    this.storyShown = `${held.seat} ${held.story.length}`;
    replace(this.storyList, held.story.slice(-80).reverse().map(({ text }) => el("li", {}, text)));
  }

  showDraft(held) {
    const { draft } = held.last;
    const state = this.draftOf(held);
    if (!state) {
      replace(this.draftingBox);
      return;
    }
    const act = {
      undo: (place) => this.say({ t: "undo", place }),
      confirm: () => this.say({ t: "confirm" }),
      unconfirm: () => this.say({ t: "unconfirm" }),
    };
    drawDraft(this.draftingBox, draft, state, { me: held.person, nameOf: (id) => this.people?.nameOf(id) ?? "a teammate", act });
  }

  showTurn() {
    if (!this.heldSeats.length || !this.room) return;
    const held = this.unveiled ?? this.newest;
    const veiled = this.shared && !this.unveiled;
    const result = this.over && !held.queue.length && held.last?.scene.outcome ? this.result(held) : null;
    const draft = veiled ? null : this.draftOf(held);
    const yours = !veiled && Boolean(held.last) && (this.offersOf(held).length > 0 || Boolean(draft?.isMine));
    this.turnLine.say(
      turnWords({
        lost: this.heldSeats.find((each) => each.wasLost)?.words,
        held, room: this.room, over: this.over, veiled, paused: this.paused, watching: this.watching, sent: this.sent, yours, draft,
        result: result?.headline ?? "", presence: this.presence, elapsed: Math.floor((Date.now() - (this.thinkingSince ?? Date.now())) / 1000),
      }),
    );
    this.signals.show({ title: result ? `${result.headline}: ${this.title}` : (held.last && !veiled ? titleWords(held.last) : this.title), yours, isNews: Boolean(this.wasShown) });
    this.wasShown ||= Boolean(held.last);
    if (result) this.showEnd(held, result);
  }

  tick() {
    if (this.unveiled?.last?.thinking) this.showTurn();
    this.clocks?.draw(performance.now(), this.unveiled?.seat);
  }

  // -- the end --------------------------------------------------------------------------------------

  result(held) {
    const { scene, forfeit } = held.last;
    return resultWords(this.room, scene.outcome, { seat: held.seat, shared: this.shared, forfeit });
  }

  showEnd(held, result) {
    const isFirst = !this.ended;
    this.ended = true;
    const { state: table, link } = this.people ?? {};
    const shown = JSON.stringify([result, this.notes, table?.rematch, table?.score, table?.state, link?.connection]);
    if (this.endShown !== shown) {
      this.endShown = shown;
      drawEnd(this.endingBox, { ...result, notes: this.notes }, this.nextSteps(), table);
    }
    if (!isFirst) return;
    this.tools();
    this.showTable();
    this.clocks.hear(null);
    if (result.mood !== "over" && this.wasPlayed) play(result.mood);
    announce(`${result.headline}. ${result.detail}`);
  }

  nextSteps() {
    const replay = el("a", { class: "button", href: `/replay/${this.uid}` }, "Replay and analysis");
    if (this.people?.plays) return [...rematchButtons(this.people.link), replay];
    const seats = this.heldSeats.filter((held) => held.token).map((held) => held.seat);
    return [this.people ? null : againButton(this.uid, seats), replay, el("a", { class: "button", href: "/" }, "Other games")];
  }

  // A line for the end of the game that only the game's module can know.
  note(words) {
    if (this.notes.includes(words)) return;
    this.notes.push(words);
    this.showTurn();
  }

  // -- the head's buttons and the table's panel -----------------------------------------------------

  tools() {
    if (this.room) replace($("tools"), headTools(this));
  }

  showTable() {
    this.showInvitation();
    if (this.about) drawTable(this.about, { room: this.room, uid: this.uid, link: this.people?.link ?? null, takeBacks: this.status.takeBacks, over: this.over });
  }

  showInvitation() {
    const closed = !this.room || this.over || this.shared || this.watching || this.people;
    replace(this.invitingBox, closed ? null : invitation(this.uid, this.room, this.heldSeats[0].seat, this.presence));
  }

  // Everybody goes on to the next game of their table.
  tableChanged() {
    if (!this.people?.state) return;
    const { nextGame } = this.people;
    if (this.ended && nextGame) {
      if (!this.leaving) location.assign(nextGame);
      this.leaving = true;
      return;
    }
    if (this.room) this.showTable();
    this.showChat();
    if (this.module?.held.last) this.showDraft(this.module.held);
    this.showTurn();
  }

  // -- what goes out --------------------------------------------------------------------------------

  say(message, held = this.unveiled ?? this.newest) {
    if (held.socket.send(message)) return true;
    complain(NOT_CONNECTED);
    return false;
  }

  move(held, action) {
    if (!held.go || this.sent) return;
    if (!this.say({ t: "move", n: held.go.n, action }, held)) return;
    this.sent = action;
    this.wasPlayed = true;
    this.show();
  }

  async resign() {
    if (await confirmed("Resign this game? The other side wins.", "Resign", "Play on")) this.say({ t: "resign" });
  }

  // -- watching -------------------------------------------------------------------------------------

  pause(paused) {
    this.paused = paused;
    this.wanted = null;
    this.tools();
    this.pump(this.heldSeats[0]);
    this.showTurn();
  }

  // One ply on, or to the end of the round; what has not come yet is shown when it comes, if it was paused before.
  step(how) {
    const held = this.heldSeats[0];
    const patient = this.paused;
    this.paused = true;
    this.wanted = null;
    this.tools();
    const { round } = held.last?.scene ?? {};
    do {
      if (!held.queue.length) {
        if (patient && !this.over) this.wanted = how;
        break;
      }
      this.take(held);
    } while (how === "round" && held.last.scene.round === round);
    this.showTurn();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, textarea, select, dialog")) return;
    const watching = { n: () => this.step("ply"), r: () => this.step("round"), a: () => this.pause(false) };
    const leaving = () => quit(() => this.heldSeats.forEach((held) => held.socket.close()));
    const act = { ...(this.watching ? watching : {}), q: leaving }[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // -- one screen for two ---------------------------------------------------------------------------

  veil() {
    const { shown, next } = seatToShow({ heldSeats: this.heldSeats, shown: this.unveiled, newest: this.newest, over: this.over });
    if (shown || !next) {
      this.unveiled = shown;
      return;
    }
    if (this.curtainFor === next) return;
    this.unveiled = null;
    this.curtainFor = next;
    this.close();
    $("stage").dataset.state = "veiled";
    $("title").textContent = this.title;
    $("who").textContent = "Both seats are on this screen.";
    drawCurtain($("stage"), this.room.called[next.seat], () => this.unveil(next));
  }

  unveil(held) {
    this.curtainFor = null;
    this.unveiled = held;
    $("stage").replaceChildren();
    this.show();
    this.showTurn();
  }
}
