// A running game: sockets of the seats held here, whose turn it is, and the game's own module on the stage.

import { BoardCanvas } from "./board.js";
import { capital, el, plural, recall, replace } from "./dom.js";
import { loadPage } from "./game_files.js";
import { introduce, introduceOnce } from "./intro.js";
import { quit } from "./quit.js";
import { SeatFeed } from "./seat_feed.js";
import { Panels, announce, askingWords, busy, complain, confirmed, copyButton, rememberGame, rememberToken, rememberedGame, shell } from "./shell.js";
import { Socket, api } from "./wire.js";

const SEATS = ["evader", "pursuers"];
// After an installation an agent's first turn waits for the compiler.
const UNUSUAL_SECONDS = 15;
const PACE = recall("pace", 260);
const $ = (id) => document.getElementById(id);

// One seat that is held here, with what it was told.
class HeldSeat extends SeatFeed {
  constructor(seat, token, page) {
    super(seat);
    this.token = token;
    this.opened = null;
    this.socket = new Socket(page.uid, token, {
      heard: (message) => page.heard(this, message),
      changed: (state, words) => page.connection(this, state, words),
    });
  }
}

class GamePage {
  constructor(uid, tokens) {
    this.uid = uid;
    this.presence = {};
    this.waiting = new Map();
    this.paused = false;
    this.unveiled = null;
    this.module = null;
    this.panels = new Panels($("side"));
    this.work = el("div", { class: "work" });
    this.inviting = el("div", { class: "inviting" });
    $("side").prepend(this.inviting, this.work);
    this.heldSeats = [];
    const names = SEATS.filter((seat) => tokens[seat]);
    this.heldSeats = names.length ? names.map((seat) => new HeldSeat(seat, tokens[seat], this)) : [new HeldSeat("spectator", null, this)];
    this.shared = names.length === 2;
    if (!this.shared) this.unveiled = this.heldSeats[0];
    addEventListener("keydown", (event) => this.key(event));
    setInterval(() => this.tick(), 500);
  }

  // -- what comes in --------------------------------------------------------------------------------

  heard(held, message) {
    if (message.t === "new") this.opened(held, message);
    else if (message.t === "observe" || message.t === "go") {
      held.hear(message);
      this.pump(held);
    } else if (message.t === "presence") {
      this.presence = message.seats;
      this.showTurn();
      this.showInvitation();
    } else if (message.t === "error") {
      complain(message.what);
      this.sent = null;
      this.show();
    }
  }

  opened(held, message) {
    held.opened = message;
    if (this.game) return;
    this.game = message.game;
    this.room = message.room;
    this.title = message.room.title;
    this.page = message.page;
    this.imported = loadPage(message.page);
    this.tools();
    if (held.seat !== "spectator") introduceOnce(this.game, this.page.intro);
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
    if (isNews) this.giveUp();
    if (message.t === "observe") {
      this.sent = null;
      this.thinkingSince = Date.now();
      if (isNews && held === this.unveiled) announce(`${message.sentences.join("; ")}. ${message.scene.title}`);
    }
    this.show();
  }

  connection(held, state, words) {
    this.state = state;
    if (state === "refused") {
      replace($("stage"), el("div", { class: "notice" }, el("h2", {}, capital(words)), el("a", { href: "/", class: "button" }, "To the games")));
      $("title").textContent = "This game cannot be opened";
    } else if (state === "lost") announce(words);
    else if (state === "open" && held.wasLost) announce("Connected again");
    held.wasLost = state === "lost" || (held.wasLost && state !== "open");
    held.words = words;
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
    $("title").textContent = scene.outcome ? scene.title.replace(`: ${scene.outcome.words}`, "") : scene.title;
    document.title = scene.title;
    $("who").textContent = this.words(held);
    const offers = this.sent || this.state === "lost" ? [] : (held.go?.offers ?? []);
    const acting = offers.length > 0 && !this.over;
    Object.assign($("stage").dataset, { v: held.last.v, state: this.over ? "over" : acting ? "acting" : "waiting" });
    this.module.show(scene, { offers, acting, live: true, v: held.last.v });
    this.showStory(held);
    this.showTurn();
  }

  open(held, create) {
    this.close();
    const context = {
      seat: held.seat,
      room: this.room,
      game: this.game,
      boardDigest: held.opened?.board?.digest ?? null,
      panels: this.panels,
      move: (action) => this.move(held, action),
      ask: (what, params, options) => this.ask(held, what, params, options),
      announce,
      el,
      board: (stage) => new BoardCanvas(stage, held.opened.board.digest, { announce, name: `Board ${held.opened.board.name}` }),
    };
    const made = create({ stage: $("stage"), side: $("side"), context });
    this.module = { held, show: made.show.bind(made), destroy: made.destroy.bind(made) };
    this.storyList = el("ol", { class: "story", tabindex: "0", "aria-label": "What happened, newest first" });
    this.panels.add("Story").append(this.storyList);
    this.about = this.panels.add("Table");
    this.showTable();
  }

  close() {
    this.module?.destroy();
    this.module = null;
    this.panels.clear();
    $("stage").replaceChildren();
  }

  showStory(held) {
    if (this.storyShown === `${held.seat} ${held.story.length}`) return;
    this.storyShown = `${held.seat} ${held.story.length}`;
    replace(this.storyList, held.story.slice(-80).reverse().map(({ text }) => el("li", {}, text)));
  }

  words(held) {
    const { names, called, seats } = this.room;
    if (this.watching) return `${names.evader} (${this.player("evader")}) against ${names.pursuers} (${this.player("pursuers")}). You are watching.`;
    if (this.shared) return `Both seats are on this screen. Now: ${names[held.seat]}.`;
    const other = SEATS.find((seat) => seat !== held.seat);
    const who = seats[other] === "person" ? "another person" : this.player(other);
    return `You play ${called[held.seat]} against ${called[other]} (${who}).`;
  }

  player(seat) {
    return this.room.seats[seat] === "person" ? "a person" : this.room.levels[seat] || this.room.seats[seat];
  }

  showTurn() {
    if (!this.heldSeats.length) return;
    const line = $("turn");
    const held = this.unveiled ?? this.newest;
    const last = held?.last;
    const say = (words, kind = "", spin = false) => {
      const text = `${kind}|${words}`;
      if (line.dataset.text === text) return;
      line.dataset.text = text;
      line.className = `turn ${kind}`;
      replace(line, spin ? el("span", { class: "spinner", "aria-hidden": "true" }) : null, words);
    };
    const lost = this.heldSeats.find((c) => c.wasLost);
    if (lost) say(lost.words, "lost", true);
    else if (!last) say("");
    else if (this.over) this.showOver(say);
    else if (this.shared && !this.unveiled) say("");
    else if (this.watching && this.paused) say(`Paused, ${plural(held.nPlies, "ply", "plies")} to come`);
    else if (this.sent) say("Sending your move …", "", true);
    else if (held.go && !this.watching) say("Your turn", "yours");
    else if (last.thinking) say(`${this.room.names[last.thinking]} (${this.player(last.thinking)}): thinking${this.elapsed()}`, "", true);
    else if (held.turn && this.room.seats[held.turn] === "person" && held.turn !== held.seat) {
      const here = this.presence[held.turn] !== false;
      say(`Waiting for ${this.room.called[held.turn]}${here ? "" : ", who is not here yet"}`, "", true);
    } else say("");
  }

  showOver(say) {
    const held = this.unveiled ?? this.newest;
    if (held.queue.length) return;
    say(capital(held.last.scene.outcome?.words ?? "The game is over"), "over");
    if (!this.ended) {
      this.ended = true;
      this.tools();
    }
  }

  elapsed() {
    const seconds = Math.floor((Date.now() - (this.thinkingSince ?? Date.now())) / 1000);
    if (seconds < 1) return " …";
    return ` … ${seconds} s${seconds < UNUSUAL_SECONDS ? "" : "; the first time takes longer"}`;
  }

  tick() {
    if (this.unveiled?.last?.thinking) this.showTurn();
  }

  // -- the head's buttons and the table's panel -----------------------------------------------------

  tools() {
    const button = (words, act, attrs = {}) => el("button", { type: "button", onclick: act, ...attrs }, words);
    const tools = [];
    if (this.ended) {
      tools.push(el("a", { class: "button primary", href: `/replay/${this.uid}` }, "Replay and analysis"));
      if (rememberedGame(this.uid)?.body) tools.push(button("Play again", () => this.again()));
    } else if (this.watching && this.room.spectators === "never") {
      // nothing comes before the end
    } else if (this.watching) {
      tools.push(
        button(this.paused ? "Play on" : "Pause", () => this.pause(!this.paused), { title: "A: play on", "aria-pressed": String(this.paused) }),
        button("Next", () => this.step("ply"), { title: "N: next ply" }),
        button("Round", () => this.step("round"), { title: "R: to the end of the round" }),
      );
    } else {
      tools.push(button("Resign", () => this.resign()));
    }
    tools.push(button("Help", () => introduce(this.game, this.page.intro)));
    replace($("tools"), tools);
  }

  showTable() {
    this.showInvitation();
    if (!this.about) return;
    const { names, spectators, commitment } = this.room;
    const see = { live: "everything public, at once", delayed: "the same, some plies later", never: "nothing until the end" };
    replace(
      this.about,
      el(
        "dl",
        { class: "facts" },
        SEATS.map((seat) => [el("dt", {}, names[seat]), el("dd", {}, this.player(seat))]),
        el("dt", {}, "Spectators see"),
        el("dd", {}, see[spectators] ?? spectators),
        commitment ? [el("dt", {}, "Deal fixed by"), el("dd", { class: "digits", title: "SHA-256 of the deal; the replay checks it" }, commitment)] : null,
      ),
      el("div", { class: "row" }, copyButton(`${location.origin}/play/${this.uid}`, "Copy link for spectators")),
    );
  }

  showInvitation() {
    replace(this.inviting, this.room ? this.invitation() : null);
  }

  invitation() {
    if (this.over || this.shared || this.watching) return null;
    const other = SEATS.find((seat) => seat !== this.heldSeats[0].seat);
    const link = rememberedGame(this.uid)?.links?.[other];
    if (!link || this.room.seats[other] !== "person" || this.presence[other]) return null;
    const whole = location.origin + link;
    return el(
      "div",
      { class: "invite" },
      el("p", {}, `Send this link to whoever plays ${this.room.called[other]}:`),
      el("input", { type: "text", readonly: true, value: whole, "aria-label": "Link for the other person", onfocus: (event) => event.target.select() }),
      el("div", { class: "row" }, copyButton(whole)),
    );
  }

  // -- what goes out --------------------------------------------------------------------------------

  move(held, action) {
    if (!held.go || this.sent) return;
    if (!held.socket.send({ t: "move", n: held.go.n, action })) {
      complain("Not connected: the move was not sent. It can be made again in a moment.");
      return;
    }
    this.sent = action;
    this.show();
  }

  async resign() {
    if (!(await confirmed("Resign this game? The other side wins.", "Resign", "Play on"))) return;
    const held = this.unveiled ?? this.newest;
    if (!held.socket.send({ t: "resign" })) complain("Not connected: please try again in a moment.");
  }

  async again() {
    const { body, game } = rememberedGame(this.uid);
    try {
      const begun = await api("/api/games", { method: "POST", body });
      const seats = this.heldSeats.filter((held) => held.token).map((held) => held.seat);
      rememberGame({ uid: begun.uid, game, links: begun.links, held: seats, body, at: Date.now() });
      location.assign(`/play/${begun.uid}#${seats.map((seat) => `${seat}=${begun.tokens[seat]}`).join("&")}`);
    } catch (error) {
      complain(error);
    }
  }

  // An insight for the seat that is shown; asking the same again gives up the first, unless it is quiet. A `passing`
  // question is of no use after the next move; `words` say what is being worked out.
  ask(held, what, params = {}, { quiet = false, passing = false, words } = {}) {
    const query = new URLSearchParams(params).toString();
    const path = `/api/games/${this.uid}/insights/${what}${query ? `?${query}` : ""}`;
    const fetching = (signal) => api(path, { token: held.token, signal });
    if (quiet) return fetching();
    this.waiting.get(what)?.abort();
    const mine = Object.assign(new AbortController(), { passing });
    this.waiting.set(what, mine);
    return busy(this.work, askingWords(what, words), (signal) => fetching(AbortSignal.any([signal, mine.signal])));
  }

  // Questions about a moment that has passed.
  giveUp() {
    for (const asked of this.waiting.values()) if (asked.passing) asked.abort();
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

  // The seat that acts is shown after its person has said so; in between nothing of the game is on the page.
  veil() {
    const newest = this.newest;
    if (!newest.last) return;
    if (this.over) {
      this.unveiled ??= newest;
      return;
    }
    const turn = this.heldSeats.find((held) => held.seat === newest.turn);
    if (!turn || this.unveiled === turn) return;
    if (newest.last.scene.hidden === false) {
      this.unveiled = turn;
      return;
    }
    if (this.curtainFor === turn) return;
    this.unveiled = null;
    this.curtainFor = turn;
    this.close();
    $("stage").dataset.state = "veiled";
    this.about = null;
    this.storyShown = null;
    $("title").textContent = this.title;
    document.title = this.title;
    $("who").textContent = "Both seats are on this screen.";
    const name = this.room.called[turn.seat];
    const open = el("button", { type: "button", class: "primary big", onclick: () => this.unveil(turn) }, `Show what ${name} may see`);
    replace($("stage"), el("div", { class: "curtain" }, el("h2", {}, `Pass the device to ${name}`), el("p", {}, "Nobody else should look now."), open));
    announce(`Pass the device to ${name}`);
    open.focus();
  }

  unveil(held) {
    this.curtainFor = null;
    this.unveiled = held;
    $("stage").replaceChildren();
    this.show();
    this.showTurn();
  }
}

shell("play");
const uid = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const tokens = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
for (const seat of SEATS) if (tokens[seat]) rememberToken(uid, tokens[seat]);
new GamePage(uid, tokens);
addEventListener("hashchange", () => location.reload());
