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
import { Panels, announce, askingWords, busy, complain, shell } from "./shell.js";
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
};
const icon = (name) => svg("svg", { class: "sign", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

class Replay {
  constructor(head) {
    this.head = head;
    this.uid = head.uid;
    const query = new URLSearchParams(location.search);
    const asked = query.get("seat");
    this.wanted = query.has("analyse"); // a link to the analysis starts it
    this.track = head.tracks.some((track) => track.name === asked) ? asked : "truth";
    this.stops = [0, ...head.steps.map((step) => step.ply)];
    this.ply = this.#stop(Number.parseInt(query.get("ply") ?? "0", 10) || 0);
    this.frames = new Map();
    this.fetching = new Map();
    this.waiting = new Map();
    this.charts = null;
    this.work = el("div", { class: "work" });
    this.panels = new Panels($("side"));
    this.imported = loadPage(head.page);
    const go = (ply) => this.go(ply);
    this.turns = new Turns(head, go);
    this.whatIf = new WhatIf(head);
    this.notes = new Notes(this.uid);
    this.judged = el("div", { class: "stack" });
    this.saving = downloads(head, () => this.track);
    this.#controls();
    this.#tracks();
    this.#about();
    this.#analysis().catch(complain);
    addEventListener("keydown", (event) => this.#key(event));
    this.show().catch(complain);
  }

  // -- where we are ---------------------------------------------------------------------------------

  // A turn may be several plies; the replay stops where turns end.
  #stop(ply) {
    return this.stops.find((stop) => stop >= ply) ?? this.head.last;
  }

  get index() {
    return this.stops.indexOf(this.ply);
  }

  // So many turns on or back.
  turn(by) {
    this.go(this.stops[Math.min(this.stops.length - 1, Math.max(0, this.index + by))]);
  }

  go(ply) {
    const to = this.#stop(ply);
    if (to === this.ply) return;
    this.ply = to;
    this.show().catch(complain);
  }

  see(track) {
    if (track === this.track) return;
    this.track = track;
    for (const input of $("tracks").querySelectorAll("input")) input.checked = input.value === track;
    announce(`Shown: ${this.head.tracks.find((each) => each.name === track).title}`);
    this.show().catch(complain);
  }

  async show() {
    const { ply, track } = this;
    history.replaceState(null, "", `/replay/${encodeURIComponent(this.uid)}?ply=${ply}&seat=${track}`);
    const { index } = this;
    this.slider.value = index;
    const round = index ? this.head.steps[index - 1].round : null;
    this.where.textContent = `${index} / ${this.stops.length - 1}`;
    this.slider.setAttribute("aria-valuetext", `turn ${index} of ${this.stops.length - 1}${round === null ? "" : `, round ${round}`}`);
    this.turns.show(ply, track);
    this.whatIf.at(ply);
    for (const chart of this.charts ?? []) chart.at(ply);
    const [frame, { create }] = await Promise.all([this.#frame(track, ply), this.imported]);
    if (ply !== this.ply || track !== this.track) return;
    if (this.module?.track !== track) {
      this.#open(track, create);
      this.turns.show(ply, track);
    }
    $("title").textContent = frame.scene.title;
    document.title = `${frame.scene.title}: replay`;
    this.#follow(frame.scene);
    const judged = nextMarked(this.analysis, this.head.steps[index], track);
    this.module.show(withArrows(frame.scene, judged), { offers: [], acting: false, live: false, v: `${track} ${ply}` });
    const told = [...frame.sentences, ...(judged ? [`next ${SIGNS[judged.mark]} ${judged.words}`] : [])].join("; ");
    $("told").textContent = told || "\u00a0";
    $("told").title = told;
    if (!this.playing) announce(`${frame.sentences.join("; ")} ${frame.scene.title}`);
    this.#frame(track, this.stops[Math.min(this.stops.length - 1, index + 3)]).catch(() => {});
  }

  // Where the whole board is too small to be read, the window follows what moved; a button shows all.
  #follow(scene) {
    const { canvas } = this;
    const stage = $("stage").getBoundingClientRect();
    if (!canvas || Math.min(stage.width, stage.height) > SMALL_STAGE || this.head.board.nodes < MANY_NODES) return;
    const moved = (scene.marks?.arrows ?? []).flat();
    canvas.ready.then(() => canvas.fit(moved.length ? moved : null)).catch(() => {});
  }

  // Frames come in chunks and stay.
  async #frame(track, ply) {
    const key = `${track} ${ply}`;
    if (this.frames.has(key)) return this.frames.get(key);
    const first = ply - (ply % CHUNK);
    const chunk = `${track} ${first}`;
    if (!this.fetching.has(chunk)) {
      const path = `/api/games/${this.uid}/replay/${track}?first=${first}&n=${CHUNK}`;
      const fetched = api(path).then(({ frames }) => frames.forEach((frame) => this.frames.set(`${track} ${frame.ply}`, frame)));
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
    this.panels.add("Judgement").append(this.judged);
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
        move: () => {},
        ask: (what, params, options) => this.#ask(what, params, options),
        announce,
        el,
        board: (stage) => (this.canvas = new BoardCanvas(stage, board.digest, { announce, name: `Board ${board.name}` })),
      },
    });
    this.module = { track, show: made.show.bind(made), destroy: made.destroy.bind(made) };
    this.panels.add("What if").append(this.whatIf.element);
    this.panels.add("Notes").append(this.notes.element);
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
    const path = `/api/games/${this.uid}/replay/${this.track}/${this.ply}/insights/${what}${query ? `?${query}` : ""}`;
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
    this.player = button("play", "Play (space, A)", () => this.play(!this.playing));
    this.slider = el("input", { type: "range", min: 0, max: this.stops.length - 1, step: 1, "aria-label": "Turn", oninput: () => this.go(this.stops[Number(this.slider.value)]) });
    this.where = el("output", { class: "where" });
    replace(
      $("controls"),
      el(
        "div",
        { class: "buttons" },
        button("first", "Start (Home)", () => this.go(0)),
        button("back", "One turn back (left arrow)", () => this.turn(-1)),
        this.player,
        button("next", "One turn on (right arrow, N)", () => this.turn(1)),
        button("last", "End (End)", () => this.go(this.head.last)),
      ),
      this.slider,
      this.where,
      el("p", { id: "told", class: "quiet" }, "\u00a0"),
    );
  }

  play(on) {
    clearInterval(this.playing);
    this.playing = null;
    if (on) {
      if (this.ply === this.head.last) this.go(0);
      this.playing = setInterval(() => {
        this.turn(1);
        if (this.ply >= this.head.last) this.play(false);
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
      End: () => this.go(this.head.last),
      " ": () => this.play(!this.playing),
      f: () => this.#nextTrack(),
      n: () => this.#step(this.ply + 1),
      r: () => this.#step(this.#roundEnd()),
      a: () => this.ply < this.head.last && this.play(true),
      q: () => quit(() => this.play(false)),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || (event.key === " " && onButton) || (event.key.startsWith("Arrow") && (inBoard || event.target.matches?.("input")))) return;
    event.preventDefault();
    act();
  }

  #step(ply) {
    this.play(false);
    this.go(ply);
  }

  // The end of the round that the next turn belongs to.
  #roundEnd() {
    const { steps, last } = this.head;
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
      el("p", { class: "quiet" }, "Judges every move by what its seat could know then, and draws how the game went. It takes up to a minute."),
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
    showJudgement(this.judged, analysis, this.head, (ply) => this.go(ply));
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
      words: (ply) => valueWords(analysis, this.head.names, ply),
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

function valueWords(analysis, names, ply) {
  const { unit, high } = analysis.axis;
  const said = analysis.curves.flatMap(({ seat, points }) => {
    const at = points.filter(([n]) => n <= ply).at(-1);
    if (!at) return [];
    const [, value, least, most] = at;
    const whose = names.evader;
    if (unit === "chance") return [`${whose}'s chance as ${names[seat]} could know: ${percent(value)} (${Math.round(100 * least)} to ${percent(most)})`];
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
    const head = await busy($("stage"), "Opening the game", (signal) => api(`/api/games/${encodeURIComponent(uid)}/replay`, { signal }));
    new Replay(head);
  } catch (error) {
    $("title").textContent = "This game cannot be looked back on";
    const link = error.status === 403 ? el("a", { href: `/play/${encodeURIComponent(uid)}`, class: "button" }, "Watch it") : el("a", { href: "/", class: "button" }, "To the games");
    replace($("stage"), el("div", { class: "notice" }, el("h2", {}, capital(error.message)), el("div", { class: "row" }, link, recordButton())));
  }
}

open();
