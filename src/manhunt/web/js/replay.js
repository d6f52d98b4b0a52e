// A finished game: any moment, seen with anybody's knowledge; what it was worth, and what else could have been done.

import { BoardCanvas } from "./board.js";
import { Chart } from "./chart.js";
import { capital, el, replace, svg } from "./dom.js";
import { loadPage } from "./game_files.js";
import { SEATS, playerOf } from "./play_words.js";
import { endsServer, quit } from "./quit.js";
import { recordButton, takeDrops } from "./record_drop.js";
import { SIGNS, nextMarked, showJudgement, withArrows } from "./replay_analysis.js";
import { Notes, Turns, WhatIf, downloads, job } from "./replay_parts.js";
import { Study } from "./replay_study.js";
import { Together } from "./replay_together.js";
import { worthPanel } from "./replay_worth.js";
import { MAIN, Tree, addressOf, momentOf } from "./replay_tree.js";
import { drawVariations } from "./replay_turns.js";
import { Panels, announce, askingWords, busy, complain, shell, tokenOf } from "./shell.js";
import { api } from "./wire.js";

const CHUNK = 16;
const PLAY_SECONDS = 0.9;
const ASK_AFTER = 150;
// Below so many pixels, labels of a board with many nodes cannot be read.
const SMALL_STAGE = 480;
const MANY_NODES = 60;
const $ = (id) => document.getElementById(id);
const percent = (p) => `${Math.round(100 * p)} %`;

const ICONS = {
  first: "M3 3v10M13 3L6 8l7 5z",
  back: "M11 3L4 8l7 5z",
  play: "M4 2.5L13.5 8L4 13.5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  next: "M5 3l7 5l-7 5z",
  last: "M13 3v10M3 3l7 5l-7 5z",
  branch: "M4 14V2M4 10c0-4 8-2 8-7M9.5 5L12 2.5L14.5 5",
};
const icon = (name) => svg("svg", { class: "sign", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

class Replay {
  constructor(head, kept) {
    this.head = head;
    this.uid = head.uid;
    this.token = tokenOf(head.uid) ?? null; // it proves that this person played
    this.tree = new Tree(head, kept);
    this.wanted = new URLSearchParams(location.search).has("analyse"); // a link to the analysis starts it
    const asked = momentOf(location.search);
    this.track = head.tracks.some((track) => track.name === asked.track) ? asked.track : "truth";
    const { variation, ply } = this.tree.clamp(asked.variation, asked.ply);
    this.variation = variation;
    this.inside = null; // a ply in the middle of a turn that is looked at all the same
    this.ply = this.#stop(ply);
    this.trying = false;
    this.options = new Map();
    this.frames = new Map();
    this.fetching = new Map();
    this.waiting = new Map();
    this.charts = null;
    this.work = el("div", { class: "work" });
    this.panels = new Panels($("side"));
    this.imported = loadPage(head.page);
    this.turns = new Turns(head, (ply) => this.go(ply, MAIN));
    this.whatIf = new WhatIf(head, (action) => this.play([action]));
    this.study = new Study(this);
    this.together = new Together(this);
    this.notes = new Notes(this.uid, this.token);
    this.judged = el("div", { class: "stack" });
    this.worth = worthPanel(head, (ply) => this.go(ply, MAIN));
    this.saving = downloads(head, () => this.track);
    this.#controls();
    this.#tracks();
    this.#about();
    this.#analysis().catch(complain);
    addEventListener("keydown", (event) => this.#key(event));
    this.show().catch(complain);
    if (asked.together) this.together.open();
  }

  // -- where we are ---------------------------------------------------------------------------------

  // A turn may be several plies; the replay stops where turns end.
  #stop(ply) {
    return this.stops.find((stop) => stop >= ply) ?? this.last;
  }

  get stops() {
    return this.tree.stops(this.variation, this.inside);
  }

  get steps() {
    return this.tree.steps(this.variation);
  }

  get last() {
    return this.tree.get(this.variation).last;
  }

  get moment() {
    return { variation: this.variation, ply: this.ply, track: this.track };
  }

  get index() {
    return this.stops.indexOf(this.ply);
  }

  // So many turns on or back.
  turn(by) {
    this.go(this.stops[Math.min(this.stops.length - 1, Math.max(0, this.index + by))]);
  }

  // To a ply of a variation; `exactly` also stops in the middle of a turn.
  go(ply, variation = this.variation, { exactly = false, byHand = true } = {}) {
    const before = `${this.variation} ${this.ply}`;
    this.variation = variation;
    this.inside = exactly ? ply : null;
    this.ply = this.#stop(ply);
    if (before === `${this.variation} ${this.ply}`) return;
    this.show({ byHand }).catch(complain);
  }

  see(track, byHand = true) {
    if (track === this.track) return;
    this.track = track;
    for (const input of $("tracks").querySelectorAll("input")) input.checked = input.value === track;
    announce(`Shown: ${this.head.tracks.find((each) => each.name === track).title}`);
    this.show({ byHand }).catch(complain);
  }

  // The address says what is shown.
  addressed() {
    history.replaceState(null, "", this.address({ together: this.together.isOn }));
  }

  address(more = {}) {
    return `${location.origin}/replay/${encodeURIComponent(this.uid)}${addressOf({ ...this.moment, ...more })}`;
  }

  async show({ byHand = true } = {}) {
    const { ply, track, variation } = this;
    this.addressed();
    this.together.moved(byHand);
    const { index, stops } = this;
    this.slider.max = stops.length - 1;
    this.slider.value = index;
    const round = index ? this.steps.find((step) => step.ply >= ply)?.round : null;
    this.where.textContent = `${index} / ${stops.length - 1}`;
    this.slider.setAttribute("aria-valuetext", `turn ${index} of ${stops.length - 1}${round ? `, round ${round}` : ""}`);
    this.#drawTurns();
    this.whatIf.at(ply, variation);
    this.here = this.options.get(this.#placeOf(ply)) ?? null;
    this.study.draw();
    for (const chart of this.charts ?? []) chart.at(this.tree.mainPly(variation, ply));
    const [frame, { create }] = await Promise.all([this.#frame(track, ply), this.imported, this.trying ? this.#lookAround() : null]);
    if (ply !== this.ply || track !== this.track || variation !== this.variation || !frame) return;
    if (this.module?.track !== track) {
      this.#open(track, create);
      this.#drawTurns();
    }
    $("title").textContent = frame.scene.title;
    document.title = `${frame.scene.title}: replay`;
    this.#follow(frame.scene);
    this.frame = frame;
    this.#present(frame);
    if (this.here) this.study.draw();
    const judged = this.#judged();
    const told = [...frame.sentences, ...(judged ? [`next ${SIGNS[judged.mark]} ${judged.words}`] : [])].join("; ");
    $("told").textContent = told || "\u00a0";
    $("told").title = told;
    if (!this.playing) announce(`${frame.sentences.join("; ")} ${frame.scene.title}`);
    this.#frame(track, stops[Math.min(stops.length - 1, index + 3)]).catch(() => {});
    if (!this.here && !this.playing) await this.#lookLater();
  }

  // -- variations -----------------------------------------------------------------------------------

  #placeOf(ply) {
    const at = this.tree.home(this.variation, ply);
    return `${at.variation} ${at.ply}`;
  }

  #drawTurns() {
    const { ply, track, variation, tree } = this;
    const inGame = tree.home(variation, ply).variation === MAIN;
    this.turns.show(inGame ? ply : null, track);
    drawVariations(this.turns, tree, tree.home(variation, ply), track, (to, number) => this.go(to, number, { exactly: true }));
  }

  // The game's page with the moves that can be tried; whose turn it is is seen on that seat's track and on the truth.
  #present(frame) {
    const { ply, track, variation, here } = this;
    const sees = this.trying && this.tree.mine && here && (track === "truth" || track === here.seat);
    const offers = sees ? here.offers : [];
    this.offered = offers.length ? `${variation} ${ply}` : null;
    $("stage").dataset.offered = this.offered ?? "";
    this.module.show(withArrows(frame.scene, this.#judged()), { offers, acting: offers.length > 0, live: false, v: `${track} ${variation} ${ply}` });
  }

  // The marked move that was made next, where the game itself is shown.
  #judged() {
    return this.variation === MAIN ? nextMarked(this.analysis, this.head.steps[this.index], this.track) : null;
  }

  // What can be done here, by all who could act.
  async #lookAround() {
    const { ply, variation } = this;
    const place = this.#placeOf(ply);
    if (!this.options.has(place)) this.options.set(place, await api(`/api/games/${this.uid}/branches/${ply}?variation=${variation}`));
    if (place === this.#placeOf(this.ply)) this.here = this.options.get(place) ?? null;
  }

  // The same, once whoever goes through the game has stopped.
  async #lookLater() {
    const { frame } = this;
    await new Promise((go) => setTimeout(go, this.trying ? 0 : ASK_AFTER));
    if (frame !== this.frame) return;
    await this.#lookAround();
    if (frame !== this.frame) return;
    this.#present(frame);
    this.study.draw();
  }

  setTrying(on) {
    this.trying = on && this.tree.mine;
    this.autoplay(false);
    this.tryButton.setAttribute("aria-pressed", String(this.trying));
    announce(this.trying ? "Trying moves: what you choose becomes a variation" : "No longer trying moves");
    if (this.frame && this.here) this.#present(this.frame);
    else if (this.frame) this.#lookLater().catch(complain);
    this.study.draw();
  }

  // A click on what was offered at another moment, before this one is shown, means nothing.
  #choose(action) {
    if (this.offered === `${this.variation} ${this.ply}` && !this.playingMoves) this.play([action]).catch(complain);
  }

  // Makes moves from here, one after the other; null lets chance draw. Those that are there already are followed.
  async play(actions) {
    this.playingMoves = true;
    try {
      await this.#playAll(actions);
    } finally {
      this.playingMoves = false;
    }
  }

  async #playAll(actions) {
    for (const action of actions) {
      const { variation, ply } = this;
      let to = action === null ? null : this.tree.following(variation, ply, action);
      if (!to) {
        try {
          to = await api(`/api/games/${this.uid}/tree/moves`, { method: "POST", body: { variation, ply, action }, token: this.token });
        } catch (error) {
          complain(error);
          if (this.frame) this.#present(this.frame);
          return;
        }
        await this.reload();
      }
      this.go(to.ply, to.variation, { exactly: true });
    }
  }

  // The tree has changed, here or elsewhere.
  async reload() {
    const kept = await api(`/api/games/${this.uid}/tree`, { token: this.token });
    this.tree = new Tree(this.head, kept);
    for (const known of [this.frames, this.fetching, this.options]) {
      for (const key of [...known.keys()]) if (!key.startsWith(`${MAIN} `)) known.delete(key);
    }
    const { variation, ply } = this.tree.clamp(this.variation, this.ply);
    if (variation !== this.variation || ply !== this.ply) this.go(ply, variation, { exactly: true, byHand: false });
    else {
      const { stops } = this;
      this.slider.max = stops.length - 1;
      this.where.textContent = `${this.index} / ${stops.length - 1}`;
      this.#drawTurns();
      this.study.draw();
    }
  }

  // Where a leader looks.
  async visit({ variation, ply, track }) {
    if (!this.tree.has(variation) || this.tree.get(variation).last < ply) await this.reload();
    const to = this.tree.clamp(variation, ply);
    this.autoplay(false);
    if (this.head.tracks.some((each) => each.name === track)) this.see(track, false);
    this.go(to.ply, to.variation, { exactly: true, byHand: false });
  }

  // Where the whole board is too small to be read, the window follows what moved; a button shows all.
  #follow(scene) {
    const { canvas } = this;
    const { worse = [], better = [], arrows = [] } = withArrows(scene, this.#judged()).marks ?? {};
    const stage = $("stage").getBoundingClientRect();
    if (!canvas || Math.min(stage.width, stage.height) > SMALL_STAGE || this.head.board.nodes < MANY_NODES) return;
    const moved = [...arrows, ...worse, ...better].flat();
    canvas.ready.then(() => canvas.fit(moved.length ? moved : null)).catch(() => {});
  }

  // Frames come in chunks and stay.
  async #frame(track, ply) {
    const { variation } = this.tree.home(this.variation, ply);
    const key = `${variation} ${track} ${ply}`;
    if (this.frames.has(key)) return this.frames.get(key);
    const first = ply - (ply % CHUNK);
    const chunk = `${variation} ${track} ${first}`;
    if (!this.fetching.has(chunk)) {
      const path = `/api/games/${this.uid}/replay/${track}?first=${first}&n=${CHUNK}${variation === MAIN ? "" : `&variation=${variation}`}`;
      const fetched = api(path).then(({ frames }) => frames.forEach((frame) => this.frames.set(`${variation} ${track} ${frame.ply}`, frame)));
      this.fetching.set(chunk, fetched);
      fetched.catch(() => this.fetching.delete(chunk));
    }
    await this.fetching.get(chunk);
    return this.frames.get(key);
  }

  // -- the game's own module ------------------------------------------------------------------------

  #open(track, create) {
    this.module?.destroy();
    this.panels.clear();
    $("stage").replaceChildren();
    this.panels.add("Turns").append(this.turns.element);
    this.panels.add("Variations").append(this.study.element);
    this.panels.add("Judgement").append(this.judged, this.worth);
    const { board, names, called, seats, title, deal } = this.head;
    const made = create({
      stage: $("stage"),
      side: $("side"),
      context: {
        seat: track === "truth" ? "spectator" : track,
        room: { title, seats, names, called, spectators: "live" },
        game: this.head.game,
        boardDigest: board?.digest ?? null,
        panels: this.panels,
        replay: true,
        move: (action) => this.#choose(action),
        ask: (what, params, options) => this.#ask(what, params, options),
        announce,
        el,
        board: (stage) => (this.canvas = new BoardCanvas(stage, board.digest, { announce, name: `Board ${board.name}` })),
      },
    });
    this.module = { track, show: made.show.bind(made), destroy: made.destroy.bind(made) };
    this.panels.add("What if").append(this.whatIf.element);
    this.panels.add("Notes").append(this.notes.element);
    this.panels.add("Together").append(this.together.element);
    this.panels.add("Download").append(this.saving);
    this.panels.add("Deal").append(el("p", { class: `digits ${deal.check === "broken" ? "fault" : "quiet"}` }, deal.words));
    $("stage").append(this.work);
  }

  // What the shown seat could have found out here. Whoever hurries through the plies asks nothing.
  #ask(what, params = {}, { quiet = false, words } = {}) {
    this.waiting.get(what)?.abort();
    const mine = new AbortController();
    this.waiting.set(what, mine);
    const query = new URLSearchParams(params).toString();
    const track = what === "hint" && this.track === "truth" && this.frame?.acting ? this.frame.acting : this.track;
    const at = this.variation === MAIN ? "" : `variation=${this.variation}`;
    const asked = [query, at].filter(Boolean).join("&");
    const path = `/api/games/${this.uid}/replay/${track}/${this.ply}/insights/${what}${asked ? `?${asked}` : ""}`;
    const later = new Promise((go) => setTimeout(go, quiet ? ASK_AFTER : 0));
    const fetching = async (signal) => {
      await later;
      signal.throwIfAborted();
      return api(path, { signal });
    };
    if (quiet) return fetching(mine.signal);
    return busy(this.work, askingWords(what, words), (signal) => fetching(AbortSignal.any([signal, mine.signal])));
  }

  // -- controls -------------------------------------------------------------------------------------

  #controls() {
    const button = (sign, words, act) => el("button", { type: "button", class: "icon", title: words, "aria-label": words, onclick: act }, icon(sign));
    this.player = button("play", "Play (space, A)", () => this.autoplay(!this.playing));
    this.tryButton = button("branch", "Try moves (B)", () => this.setTrying(!this.trying));
    this.tryButton.setAttribute("aria-pressed", "false");
    this.tryButton.hidden = !this.tree.mine;
    this.slider = el("input", { type: "range", min: 0, max: this.stops.length - 1, step: 1, "aria-label": "Turn", oninput: () => this.go(this.stops[Number(this.slider.value)]) });
    this.where = el("output", { class: "where" });
    replace(
      $("controls"),
      el(
        "div",
        { class: "buttons" },
        button("first", "Start (Home)", () => this.go(0)),
        button("back", "Back one turn (left arrow)", () => this.turn(-1)),
        this.player,
        button("next", "Forward one turn (right arrow, N)", () => this.turn(1)),
        button("last", "End (End)", () => this.go(this.last)),
        this.tryButton,
      ),
      this.slider,
      this.where,
      el("p", { id: "told", class: "quiet", tabindex: "0" }, "\u00a0"),
    );
  }

  autoplay(on) {
    clearInterval(this.playing);
    this.playing = null;
    if (on) {
      if (this.ply === this.last) this.go(0);
      this.playing = setInterval(() => {
        this.turn(1);
        if (this.ply >= this.last) this.autoplay(false);
      }, PLAY_SECONDS * 1000);
    }
    const words = this.playing ? "Pause (space)" : "Play (space, A)";
    replace(this.player, icon(this.playing ? "pause" : "play"));
    this.player.title = words;
    this.player.setAttribute("aria-label", words);
  }

  #tracks() {
    const host = $("tracks");
    if (this.head.tracks.length < 2) return;
    host.hidden = false;
    host.title = "f: next";
    replace(
      host,
      this.head.tracks.map(({ name, title }) =>
        el("label", {}, el("input", { type: "radio", name: "track", value: name, checked: name === this.track, onchange: () => this.see(name) }), el("span", {}, title)),
      ),
    );
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest?.("input[type=text], textarea, select, dialog, [role=menu], [role=tablist]")) return;
    const onButton = event.target.closest?.("button, a, input, summary");
    const inBoard = event.target.closest?.("#stage [tabindex]");
    const acts = {
      ArrowLeft: () => this.turn(-1),
      ArrowRight: () => this.turn(1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      " ": () => this.autoplay(!this.playing),
      f: () => this.#nextTrack(),
      n: () => this.#step(this.ply + 1),
      r: () => this.#step(this.#roundEnd()),
      a: () => this.ply < this.last && this.autoplay(true),
      b: () => this.setTrying(!this.trying),
      q: () => quit(() => this.autoplay(false)),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || (event.key === " " && onButton) || (event.key.startsWith("Arrow") && (inBoard || event.target.matches?.("input")))) return;
    event.preventDefault();
    act();
  }

  #step(ply) {
    this.autoplay(false);
    this.go(ply);
  }

  // The end of the round that the next turn belongs to.
  #roundEnd() {
    const { steps, last } = this;
    const later = steps.findIndex((step, i) => i > this.index && step.round !== steps[this.index].round);
    return later < 0 ? last : steps[later].first;
  }

  #nextTrack() {
    const names = this.head.tracks.map((track) => track.name);
    this.see(names[(names.indexOf(this.track) + 1) % names.length]);
  }

  #about() {
    const { names, ending, fault } = this.head;
    const who = SEATS.map((seat) => `${names[seat]}: ${playerOf(this.head, seat) ?? "a person"}`);
    const end = `${ending}${fault ? `: ${fault}` : ""}`;
    $("who").textContent = [...who, ...(endsServer ? [] : [end])].join(" · "); // who came to watch has not seen the end
    const { origin } = this.head;
    if (!origin) return;
    const href = `/replay/${encodeURIComponent(origin.uid)}${addressOf({ ...origin, track: "truth" })}`;
    $("who").append(" · ", el("a", { href, class: "origin" }, `Played on from ${origin.variation === MAIN ? "another game" : "a variation of another game"}`));
  }

  // -- analysis -------------------------------------------------------------------------------------

  async #analysis() {
    if (!this.head.hasAnalysis) replace(this.judged, el("p", { class: "quiet" }, "There is no analysis for this game."));
    else if (this.head.analysed) this.#found(await api(`/api/games/${this.uid}/analysis`));
    else this.#offer();
  }

  #offer() {
    const start = el("button", { type: "button", class: "primary", onclick: () => analyse() }, "Analyse this game");
    const box = el(
      "div",
      { class: "offer" },
      start,
      el("p", { class: "quiet" }, "Judges every move by what its player could know at the time, and draws how the game went. It takes up to a minute."),
    );
    const analyse = async () => {
      start.disabled = true;
      try {
        const found = await job(box, "Analysing", `/api/games/${this.uid}/analysis`);
        if (found) this.#found(found);
      } catch (error) {
        complain(error);
      } finally {
        start.disabled = false;
      }
    };
    replace($("curves"), box);
    if (this.wanted) analyse();
    replace(this.judged, el("p", { class: "quiet" }, "Not analysed yet."));
  }

  #found(analysis) {
    this.analysis = analysis;
    const marked = analysis.moves.filter((move) => move.mark);
    this.turns.marks = marked;
    this.turns.show(this.ply, this.track);
    showJudgement(this.judged, analysis, this.head, (ply) => this.go(ply, MAIN));
    this.#draw(analysis, marked);
    this.show().catch(complain);
  }

  #draw(analysis, marked) {
    for (const chart of this.charts ?? []) chart.destroy();
    const value = new Chart({
      title: sentence(analysis.axis.name),
      axis: axisOf(analysis.axis),
      curves: analysis.curves,
      marks: marked,
      last: this.head.last,
      words: (ply) => valueWords(analysis, ply),
      picked: (ply) => this.go(ply),
    });
    const parts = [["Value", value]];
    if (analysis.surprise) {
      const most = Math.max(1, ...analysis.surprise.map(([, bits]) => bits));
      const top = Math.ceil(most);
      const surprise = new Chart({
        title: analysis.surprise_how,
        axis: { low: 0, high: top, ticks: [0, top / 2, top], text: (bits) => `${bits % 1 ? bits.toFixed(1) : bits} bit` },
        curves: [{ name: analysis.surprise_how, seat: null, points: analysis.surprise.map(([ply, bits]) => [ply, bits, 0, bits]) }],
        last: this.head.last,
        words: (ply) => surpriseWords(analysis, ply),
        picked: (ply) => this.go(ply),
      });
      parts.push(["Surprise", surprise]);
    }
    this.charts = parts.map(([, chart]) => chart);
    const heading = el("h2", {});
    const legend = el("div", { class: "legends" });
    const shown = (name) => {
      for (const [title, chart] of parts) chart.element.hidden = title !== name;
      const chart = parts.find(([title]) => title === name)[1];
      heading.textContent = name === "Value" ? chart.title : name;
      replace(legend, chart.legend);
    };
    const choice = el(
      "fieldset",
      { class: "choice", "aria-label": "Which curve" },
      parts.map(([name], i) => el("label", {}, el("input", { type: "radio", name: "curve", value: name, checked: i === 0, onchange: () => shown(name) }), el("span", {}, name))),
    );
    replace($("curves"), el("div", { class: "curves-head" }, heading, legend, parts.length > 1 ? choice : null), this.charts.map((chart) => chart.element));
    shown("Value");
    for (const chart of this.charts) chart.at(this.ply);
  }
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function axisOf({ unit, low, high }) {
  if (unit === "chance") return { low, high, ticks: [0, 0.25, 0.5, 0.75, 1], text: percent };
  const text = (value) => (unit === "rounds" ? (value === high ? "never" : `${value}`) : `${Number(value.toPrecision(3))}`);
  const ticks = unit === "rounds" ? [low, Math.round((low + high) / 2), high] : [low, (low + high) / 2, high];
  return { low, high, ticks, text };
}

function valueWords(analysis, ply) {
  const { unit, high } = analysis.axis;
  const said = analysis.curves.flatMap(({ name, points }) => {
    const at = points.filter(([n]) => n <= ply).at(-1);
    if (!at) return [];
    const [, value, least, most] = at;
    const range = least === most ? "" : ` (${Math.round(100 * least)} to ${percent(most)})`;
    if (unit === "chance") return [`${name}: ${percent(value)}${range}`];
    if (unit === "rounds") return [value >= high ? "never caught with best play" : `caught in round ${value + 1} with best play`];
    return [least === most ? `costs ${short(value)} in all` : `costs ${short(least)} to ${short(most)} in all`];
  });
  const judged = analysis.moves.find((move) => move.ply === ply && move.mark);
  return [...said, ...(judged ? [`next: ${judged.words}`] : [])].join(" · ") || "\u00a0";
}

function surpriseWords(analysis, ply) {
  const at = analysis.surprise.filter(([n]) => n <= ply).at(-1);
  if (!at) return "\u00a0";
  const odds = 2 ** at[1];
  return at[1] < 0.05 ? "The truth was known." : `${at[1].toFixed(1)} bits: the truth had 1 chance in ${odds < 10 ? odds.toFixed(1) : Math.round(odds)}.`;
}

const short = (value) => Number(value.toPrecision(4));

async function open() {
  shell("replay");
  takeDrops();
  const uid = decodeURIComponent(location.pathname.split("/")[2] ?? "");
  try {
    const path = `/api/games/${encodeURIComponent(uid)}`;
    const asking = async (signal) => {
      const head = await api(`${path}/replay`, { signal });
      return [head, await api(`${path}/tree`, { signal, token: tokenOf(uid) })];
    };
    const [head, tree] = await busy($("stage"), "Opening the game", asking);
    new Replay(head, tree);
  } catch (error) {
    $("title").textContent = "This game cannot be replayed";
    const link = error.status === 403 ? el("a", { href: `/play/${encodeURIComponent(uid)}`, class: "button" }, "Watch it") : el("a", { href: "/", class: "button" }, "Back to the games");
    replace($("stage"), el("div", { class: "notice" }, el("h2", {}, capital(error.message)), el("div", { class: "row" }, link, recordButton())));
  }
}

open();
