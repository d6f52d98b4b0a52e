// Puzzles: the one of the day, and all others by game and level. The page of the game takes the answers; the server
// knows what is right.

import { BoardCanvas } from "./board.js";
import { capital, el, keep, plural, recall, replace } from "./dom.js";
import { loadPage } from "./game_files.js";
import { Attempt, emptyMemory, fitting, nextOf, remember, runOn } from "./puzzle_state.js";
import { Panels, announce, busy, complain, shell } from "./shell.js";
import { api } from "./wire.js";

const $ = (id) => document.getElementById(id);
const MARKS = { right: "✓", later: "✓", wrong: "✗" };
const MARK_WORDS = { right: "solved", later: "solved later", wrong: "not solved yet" };

class PuzzlePage {
  constructor(list) {
    this.list = list;
    this.memory = recall("puzzles", emptyMemory());
    this.choice = recall("puzzles-choice", { game: "", level: "" });
    this.panels = new Panels($("side"));
    this.result = el("div", { class: "top", "aria-live": "polite" });
    this.work = el("div", { class: "top" });
    $("side").prepend(this.result, this.work);
    addEventListener("keydown", (event) => this.#key(event));
    addEventListener("popstate", () => this.open(this.#asked()).catch(complain));
    this.#showStreak();
  }

  #asked() {
    return decodeURIComponent(location.pathname.split("/")[2] ?? "") || this.list.daily.puzzle;
  }

  // The puzzle of the address, else that of the day.
  begin() {
    return this.open(this.#asked());
  }

  go(id) {
    history.pushState(null, "", `/puzzles/${encodeURIComponent(id)}`);
    this.open(id).catch(complain);
  }

  async open(id) {
    this.wanted = id;
    const puzzle = await api(`/api/puzzles/${encodeURIComponent(id)}`);
    const { create } = await loadPage(puzzle.page);
    if (this.wanted !== id) return;
    this.attempt = new Attempt(puzzle);
    this.#build(create);
    this.show();
    announce(puzzle.question);
  }

  again() {
    this.open(this.attempt.puzzle.id).catch(complain);
  }

  next() {
    const id = nextOf(fitting(this.list.puzzles, this.choice), this.memory.done, this.attempt?.puzzle.id);
    if (id) this.go(id);
  }

  // -- the game's own module ------------------------------------------------------------------------

  #build(create) {
    const { puzzle } = this.attempt;
    this.module?.destroy();
    this.panels.clear();
    $("stage").replaceChildren();
    const made = create({
      stage: $("stage"),
      side: $("side"),
      context: {
        seat: puzzle.seat,
        room: { title: puzzle.gameTitle, seats: {}, names: puzzle.names, called: puzzle.called, spectators: "live" },
        game: puzzle.game,
        boardDigest: puzzle.board?.digest ?? null,
        panels: this.panels,
        help: "none",
        move: (action) => this.give(action).catch(complain),
        ask: () => Promise.reject(new DOMException("a puzzle gives no help", "AbortError")),
        announce,
        el,
        board: (stage) => new BoardCanvas(stage, puzzle.board.digest, { announce, name: `Board ${puzzle.board.name}` }),
      },
    });
    this.module = { show: made.show.bind(made), destroy: made.destroy.bind(made) };
    this.story = el("ol", { class: "story", tabindex: "0", "aria-label": "What happened before, newest first" });
    this.panels.add("Story").append(this.story);
    replace(this.story, [...puzzle.story].reverse().map((words) => el("li", {}, words)));
    this.chooser = this.panels.add("More puzzles", { name: "more" });
    this.#showChooser();
  }

  async give(action) {
    const { attempt } = this;
    const actions = attempt.give(action);
    if (!actions) return;
    try {
      const path = `/api/puzzles/${encodeURIComponent(attempt.puzzle.id)}/answer`;
      const answer = await busy(this.work, "Looking at your answer", (signal) => api(path, { method: "POST", body: { actions }, signal }));
      if (attempt !== this.attempt) return;
      attempt.hear(actions, answer);
      if (attempt.over) this.#end(answer.solved);
      announce([answer.words, ...answer.told].join(". "));
    } catch (error) {
      attempt.fail();
      complain(error);
    }
    if (attempt === this.attempt) this.show();
  }

  #end(solved) {
    this.memory = remember(this.memory, this.attempt.puzzle.id, solved, this.list.daily);
    keep("puzzles", this.memory);
    this.#showStreak();
    this.#showChooser();
  }

  // -- what is shown --------------------------------------------------------------------------------

  show() {
    const { puzzle, shown, acting } = this.attempt;
    const { title, gameTitle, level, rating, id } = puzzle;
    const isDaily = Object.values(this.list.daily.games).includes(id) || id === this.list.daily.puzzle;
    $("title").textContent = shown.question;
    $("who").textContent = [isDaily ? "Puzzle of the day" : null, gameTitle, title, `${level}, ${rating}`].filter(Boolean).join(" · ");
    document.title = `${title} ${gameTitle}: manhunt puzzles`;
    $("stage").dataset.state = this.attempt.over ? "over" : acting ? "acting" : "waiting";
    $("stage").dataset.puzzle = id;
    this.module.show(shown.scene, { offers: acting ? shown.offers : [], acting, live: false, v: this.attempt.actions.length });
    this.#showResult();
  }

  #showResult() {
    const { shown, over } = this.attempt;
    if (!over) {
      const lines = [shown.words, ...shown.told].filter(Boolean);
      replace(this.result, lines.length ? el("div", { class: "card going" }, lines.map((line) => el("p", {}, `${capital(line).replace(/\.$/, "")}.`))) : null);
      return;
    }
    const wasIt = shown.solved ? null : el("p", {}, "The answer was: ", el("b", {}, shown.best), ".");
    const next = el("button", { type: "button", class: "primary next", onclick: () => this.next(), title: "N" }, "Next puzzle");
    const again = el("button", { type: "button", class: "again", onclick: () => this.again(), title: "R" }, shown.solved ? "Once more" : "Try again");
    replace(
      this.result,
      el(
        "div",
        { class: `card ending ${shown.solved ? "won" : "lost"}`, "data-solved": String(shown.solved) },
        el("h2", {}, shown.solved ? "Solved" : "Not this time"),
        el("p", {}, shown.words),
        wasIt,
        shown.why.length ? el("ul", { class: "why-list" }, shown.why.map((line) => el("li", {}, line))) : null,
        el("div", { class: "row" }, next, again),
      ),
    );
    this.result.scrollIntoView({ block: "nearest" }); // on a phone it may be far below a table of cards
  }

  #showStreak() {
    const { daily } = this.list;
    const { streak } = this.memory;
    const run = runOn(streak, daily.date);
    $("streak").hidden = streak.day === null;
    $("streak").textContent = `Daily: ${plural(run, "day")} in a row${streak.best > run ? `, best ${streak.best}` : ""}`;
  }

  // -- all puzzles ----------------------------------------------------------------------------------

  #showChooser() {
    const { games, levels, daily } = this.list;
    const select = (name, words, options) =>
      el(
        "label",
        { class: "field" },
        el("span", {}, words),
        el("select", { name, onchange: (event) => this.#choose({ [name]: event.target.value }) }, options.map(([value, text]) => el("option", { value, selected: this.choice[name] === value }, text))),
      );
    const today = [["", daily.puzzle, "All games"], ...games.map((game) => [game.name, daily.games[game.name], game.title])];
    const found = fitting(this.list.puzzles, this.choice);
    replace(
      this.chooser,
      el("p", { class: "quiet" }, `Today, ${daily.date}:`),
      el("div", { class: "row", role: "group", "aria-label": "Puzzles of the day" }, today.map(([, id, words]) => this.#button(id, words))),
      el(
        "div",
        { class: "row" },
        select("game", "Game", [["", "all games"], ...games.map((game) => [game.name, game.title])]),
        select("level", "Level", [["", "all levels"], ...levels.map((level) => [level, level])]),
      ),
      el("p", { class: "quiet" }, `${plural(found.length, "puzzle")}, ${found.filter((puzzle) => ["right", "later"].includes(this.memory.done[puzzle.id])).length} solved; easiest first.`),
      el("div", { class: "moves all-puzzles", role: "group", "aria-label": "Puzzles" }, found.map((puzzle) => this.#button(puzzle.id, String(puzzle.rating), this.#nameOf(puzzle)))),
    );
  }

  #nameOf(puzzle) {
    const game = this.list.games.find((each) => each.name === puzzle.game);
    return `${game.title}, ${game.kinds[puzzle.kind]} ${puzzle.level}, ${puzzle.rating}`;
  }

  #button(id, words, title = null) {
    const mark = this.memory.done[id];
    const label = `${title ?? words}${mark ? `, ${MARK_WORDS[mark]}` : ""}`;
    const here = id === this.attempt?.puzzle.id;
    return el("button", { type: "button", class: mark ?? null, title, "aria-label": label, "aria-current": here ? "true" : null, "data-id": id, onclick: () => this.go(id) }, mark ? `${MARKS[mark]} ${words}` : words);
  }

  #choose(news) {
    this.choice = { ...this.choice, ...news };
    keep("puzzles-choice", this.choice);
    this.#showChooser();
    this.chooser.querySelector(`select[name=${Object.keys(news)[0]}]`)?.focus();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !this.attempt) return;
    if (event.target.closest?.("input, textarea, select, dialog, [role=menu]")) return;
    const act = { n: () => this.next(), r: () => this.again() }[event.key.toLowerCase()];
    if (!act || !this.attempt.over) return;
    event.preventDefault();
    act();
  }
}

async function start() {
  shell("puzzles");
  try {
    const page = new PuzzlePage(await api("/api/puzzles"));
    await page.begin();
  } catch (error) {
    $("title").textContent = "This puzzle cannot be opened";
    replace($("stage"), el("div", { class: "notice" }, el("h2", {}, capital(error.message)), el("a", { class: "button", href: "/puzzles" }, "Go to the puzzle of the day")));
  }
}

start();
