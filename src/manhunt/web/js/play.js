// A running game: sockets of the seats held here, whose turn it is, and the game's own module on the stage.

import { BoardView } from "./board.js";
import { capital, el, plural, recall, replace } from "./dom.js";
import { introduce, introduceOnce } from "./intro.js";
import { Panels, announce, busy, complain, confirmed, copyButton, rememberGame, rememberedGame, shell } from "./shell.js";
import { Socket, api } from "./wire.js";

const SEATS = ["evader", "pursuers"];
const ASKING = { hint: "Thinking of a hint", belief: "Working out what can be known", solved: "Solving the board", danger: "Weighing your moves", why: "Looking for the reason", notes: "Counting the rows that fit", graph: "Drawing the steps that fit", bounds: "Looking for certified bounds; the first time takes half a minute" };
// After an installation an agent's first turn waits for the compiler.
const UNUSUAL_SECONDS = 15;
const PACE = recall("pace", 260);
const $ = (id) => document.getElementById(id);
const the = (name) => (name === "Mr X" ? name : `the ${name}`);

// One seat that is held here, with what it was told.
class Chair {
  constructor(seat, token, table) {
    this.seat = seat;
    this.token = token;
    this.queue = [];
    this.story = [];
    this.last = null;
    this.go = null;
    this.opened = null;
    this.socket = new Socket(table.uid, token, {
      heard: (message) => table.heard(this, message),
      changed: (state, words) => table.connection(this, state, words),
    });
  }

  get turn() {
    return this.last?.scene.turn ?? null;
  }
}

class Table {
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
    this.chairs = [];
    const held = SEATS.filter((seat) => tokens[seat]);
    this.chairs = held.length ? held.map((seat) => new Chair(seat, tokens[seat], this)) : [new Chair("spectator", null, this)];
    this.shared = held.length === 2;
    if (!this.shared) this.unveiled = this.chairs[0];
    addEventListener("keydown", (event) => this.key(event));
    setInterval(() => this.tick(), 500);
  }

  // -- what comes in --------------------------------------------------------------------------------

  heard(chair, message) {
    if (message.t === "new") this.opened(chair, message);
    else if (message.t === "observe" || message.t === "go") {
      chair.queue.push(message);
      this.pump(chair);
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

  opened(chair, message) {
    chair.opened = message;
    if (this.game) return;
    this.game = message.game;
    this.room = message.room;
    this.title = message.room.title;
    document.head.append(el("link", { rel: "stylesheet", href: `/css/games/${this.game}.css` }));
    this.imported = import(`./games/${this.game}.js`);
    this.tools();
    if (chair.seat !== "spectator") introduceOnce(this.game);
  }

  // Shows what has come, ply by ply; a short pause between plies lets people see each of them.
  pump(chair) {
    if (chair.pumping) return;
    if (this.wanted && chair.queue.length) {
      this.step(this.wanted);
      return;
    }
    chair.pumping = true;
    try {
      while (chair.queue.length) {
        const message = chair.queue[0];
        const isNews = message.t === "observe" && chair.last !== null && message.v > chair.last.v;
        if (isNews && ((this.watching && this.paused) || this.tooSoon(chair))) break;
        chair.queue.shift();
        this.take(chair, message, isNews);
      }
    } finally {
      chair.pumping = false;
    }
    this.showTurn();
  }

  tooSoon(chair) {
    const wait = (chair.shownAt ?? 0) + PACE - performance.now();
    if (wait <= 0 || chair.queue.length > 12 || document.hidden) return false;
    chair.timer ??= setTimeout(() => {
      chair.timer = null;
      this.pump(chair);
    }, wait);
    return true;
  }

  take(chair, message, isNews) {
    if (message.t === "go") {
      chair.go = message;
    } else {
      if (isNews) this.giveUp("hint", "danger");
      chair.last = message;
      chair.go = null;
      chair.shownAt = performance.now();
      this.sent = null;
      this.thinkingSince = Date.now();
      const words = message.told ?? [];
      if (words.length) chair.story.push(...words.map((text) => ({ text, round: message.scene.round })));
      if (isNews && chair === this.unveiled) announce(`${words.join(". ")}. ${message.scene.title}`);
    }
    this.show();
  }

  connection(chair, state, words) {
    this.state = state;
    if (state === "refused") {
      replace($("stage"), el("div", { class: "notice" }, el("h2", {}, capital(words)), el("a", { href: "/", class: "button" }, "To the games")));
      $("title").textContent = "This game cannot be opened";
    } else if (state === "lost") announce(words);
    else if (state === "open" && chair.wasLost) announce("Connected again");
    chair.wasLost = state === "lost" || (chair.wasLost && state !== "open");
    chair.words = words;
    this.showTurn();
  }

  // -- what is shown --------------------------------------------------------------------------------

  get watching() {
    return this.chairs[0].seat === "spectator";
  }

  get newest() {
    return this.chairs.reduce((best, chair) => ((chair.last?.v ?? -1) > (best.last?.v ?? -1) ? chair : best));
  }

  get over() {
    return this.chairs.some((chair) => chair.last?.over);
  }

  show() {
    if (this.shared) this.veil();
    const chair = this.unveiled;
    if (!chair?.last) return;
    const { scene } = chair.last;
    if (!scene.marks && !chair.last.view) {
      replace($("stage"), el("p", { class: "notice" }, scene.title));
      $("title").textContent = this.title;
      return;
    }
    this.present(chair).catch(complain);
  }

  async present(chair) {
    const { create } = await this.imported;
    if (chair !== this.unveiled || !chair.last) return;
    if (this.module?.chair !== chair) this.open(chair, create);
    const { scene, told } = chair.last;
    $("title").textContent = scene.outcome ? scene.title.replace(`: ${scene.outcome.words}`, "") : scene.title;
    document.title = scene.title;
    $("who").textContent = this.words(chair);
    const offers = this.sent || this.state === "lost" ? [] : (chair.go?.offers ?? []);
    const acting = offers.length > 0 && !this.over;
    Object.assign($("stage").dataset, { v: chair.last.v, state: this.over ? "over" : acting ? "acting" : "waiting" });
    this.module.show(scene, { offers, acting, live: true, told: told ?? [], v: chair.last.v });
    this.showStory(chair);
    this.showTurn();
  }

  open(chair, create) {
    this.close();
    const context = {
      seat: chair.seat,
      room: this.room,
      game: this.game,
      config: chair.opened?.config,
      boardDigest: chair.opened?.board?.digest ?? null,
      panels: this.panels,
      move: (action) => this.move(chair, action),
      ask: (what, params, options) => this.ask(chair, what, params, options),
      announce,
      el,
      board: (stage) => new BoardView(stage, chair.opened.board.digest, { announce, name: `Board ${chair.opened.board.name}` }),
    };
    const made = create({ stage: $("stage"), side: $("side"), context });
    this.module = { chair, show: made.show.bind(made), destroy: made.destroy.bind(made) };
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

  showStory(chair) {
    if (this.storyShown === `${chair.seat} ${chair.story.length}`) return;
    this.storyShown = `${chair.seat} ${chair.story.length}`;
    replace(this.storyList, chair.story.slice(-80).reverse().map(({ text }) => el("li", {}, text)));
  }

  words(chair) {
    const { names, seats } = this.room;
    if (this.watching) return `${names.evader} (${this.player("evader")}) against ${names.pursuers} (${this.player("pursuers")}). You are watching.`;
    if (this.shared) return `Both seats are on this screen. Now: ${names[chair.seat]}.`;
    const other = SEATS.find((seat) => seat !== chair.seat);
    const who = seats[other] === "person" ? "another person" : seats[other];
    return `You play ${the(names[chair.seat])} against ${the(names[other])} (${who}).`;
  }

  player(seat) {
    return this.room.seats[seat] === "person" ? "a person" : this.room.seats[seat];
  }

  showTurn() {
    if (!this.chairs.length) return;
    const line = $("turn");
    const chair = this.unveiled ?? this.newest;
    const last = chair?.last;
    const say = (words, kind = "", spin = false) => {
      const text = `${kind}|${words}`;
      if (line.dataset.text === text) return;
      line.dataset.text = text;
      line.className = `turn ${kind}`;
      replace(line, spin ? el("span", { class: "spinner", "aria-hidden": "true" }) : null, words);
    };
    const lost = this.chairs.find((c) => c.wasLost);
    if (lost) say(lost.words, "lost", true);
    else if (!last) say("");
    else if (this.over) this.showOver(say);
    else if (this.shared && !this.unveiled) say("");
    else if (this.watching && this.paused) say(`Paused, ${plural(chair.queue.filter((m) => m.t === "observe").length, "ply", "plies")} to come`);
    else if (this.sent) say("Sending your move …", "", true);
    else if (chair.go && !this.watching) say("Your turn", "yours");
    else if (last.thinking) say(`${this.room.names[last.thinking]} (${this.player(last.thinking)}): thinking${this.elapsed()}`, "", true);
    else if (chair.turn && this.room.seats[chair.turn] === "person" && chair.turn !== chair.seat) {
      const here = this.presence[chair.turn] !== false;
      say(`Waiting for ${the(this.room.names[chair.turn])}${here ? "" : ", who is not here yet"}`, "", true);
    } else say("");
  }

  showOver(say) {
    const chair = this.unveiled ?? this.newest;
    if (chair.queue.length) return;
    say(capital(chair.last.scene.outcome?.words ?? "The game is over"), "over");
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
    tools.push(button("Help", () => introduce(this.game)));
    replace($("tools"), tools);
  }

  showTable() {
    this.showInvitation();
    if (!this.about) return;
    const { names, spectators } = this.room;
    const see = { live: "everything public, at once", delayed: "the same, some plies later", never: "nothing until the end" };
    replace(
      this.about,
      el(
        "dl",
        { class: "facts" },
        SEATS.map((seat) => [el("dt", {}, names[seat]), el("dd", {}, this.player(seat))]),
        el("dt", {}, "Spectators see"),
        el("dd", {}, see[spectators] ?? spectators),
      ),
      el("div", { class: "row" }, copyButton(`${location.origin}/play/${this.uid}`, "Copy link for spectators")),
    );
  }

  showInvitation() {
    replace(this.inviting, this.room ? this.invitation() : null);
  }

  invitation() {
    if (this.over || this.shared || this.watching) return null;
    const other = SEATS.find((seat) => seat !== this.chairs[0].seat);
    const link = rememberedGame(this.uid)?.links?.[other];
    if (!link || this.room.seats[other] !== "person" || this.presence[other]) return null;
    const whole = location.origin + link;
    return el(
      "div",
      { class: "invite" },
      el("p", {}, `Send this link to whoever plays ${the(this.room.names[other])}:`),
      el("input", { type: "text", readonly: true, value: whole, "aria-label": "Link for the other person", onfocus: (event) => event.target.select() }),
      el("div", { class: "row" }, copyButton(whole)),
    );
  }

  // -- what goes out --------------------------------------------------------------------------------

  move(chair, action) {
    if (!chair.go || this.sent) return;
    if (!chair.socket.send({ t: "move", n: chair.go.n, action })) {
      complain("Not connected: the move was not sent. It can be made again in a moment.");
      return;
    }
    this.sent = action;
    this.show();
  }

  async resign() {
    if (!(await confirmed("Resign this game? The other side wins.", "Resign", "Play on"))) return;
    const chair = this.unveiled ?? this.newest;
    if (!chair.socket.send({ t: "resign" })) complain("Not connected: please try again in a moment.");
  }

  async again() {
    const { body, game } = rememberedGame(this.uid);
    try {
      const begun = await api("/api/games", { method: "POST", body });
      const held = this.chairs.filter((chair) => chair.token).map((chair) => chair.seat);
      rememberGame({ uid: begun.uid, game, links: begun.links, held, body, at: Date.now() });
      location.assign(`/play/${begun.uid}#${held.map((seat) => `${seat}=${begun.tokens[seat]}`).join("&")}`);
    } catch (error) {
      complain(error);
    }
  }

  // An insight for the seat that is shown; asking the same again gives up the first, unless it is quiet.
  ask(chair, what, params = {}, { quiet = false } = {}) {
    const query = new URLSearchParams(params).toString();
    const path = `/api/games/${this.uid}/insights/${what}${query ? `?${query}` : ""}`;
    const fetching = (signal) => api(path, { token: chair.token, signal });
    if (quiet) return fetching();
    this.waiting.get(what)?.abort();
    const mine = new AbortController();
    this.waiting.set(what, mine);
    return busy(this.work, ASKING[what] ?? "Working", (signal) => fetching(AbortSignal.any([signal, mine.signal])));
  }

  // Questions about a moment that has passed.
  giveUp(...questions) {
    for (const what of questions) this.waiting.get(what)?.abort();
  }

  // -- watching -------------------------------------------------------------------------------------

  pause(paused) {
    this.paused = paused;
    this.wanted = null;
    this.tools();
    this.pump(this.chairs[0]);
    this.showTurn();
  }

  // One ply on, or to the end of the round; what has not come yet is shown when it comes, if it was paused before.
  step(how) {
    const chair = this.chairs[0];
    const patient = this.paused;
    this.paused = true;
    this.wanted = null;
    this.tools();
    const { round } = chair.last?.scene ?? {};
    do {
      const message = chair.queue.shift();
      if (!message) {
        if (patient && !this.over) this.wanted = how;
        break;
      }
      this.take(chair, message, message.t === "observe");
    } while (how === "round" && chair.last.scene.round === round);
    this.showTurn();
  }

  key(event) {
    if (!this.watching || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, textarea, select, dialog")) return;
    const act = { n: () => this.step("ply"), r: () => this.step("round"), a: () => this.pause(false), q: () => location.assign("/") }[event.key.toLowerCase()];
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
    const turn = this.chairs.find((chair) => chair.seat === newest.turn);
    if (!turn || this.unveiled === turn) return;
    if (newest.last.scene.hidden === false || this.game === "shortest_path") {
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
    const name = this.room.names[turn.seat];
    const open = el("button", { type: "button", class: "primary big", onclick: () => this.unveil(turn) }, `Show what ${the(name)} may see`);
    replace($("stage"), el("div", { class: "curtain" }, el("h2", {}, `Pass the device to ${the(name)}`), el("p", {}, "Nobody else should look now."), open));
    announce(`Pass the device to ${the(name)}`);
    open.focus();
  }

  unveil(chair) {
    this.curtainFor = null;
    this.unveiled = chair;
    $("stage").replaceChildren();
    this.show();
    this.showTurn();
  }
}

shell("play");
const uid = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const tokens = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
new Table(uid, tokens);
addEventListener("hashchange", () => location.reload());
