// A lesson: the game's own page with a position, a task beside it, and the server as the judge of every move.

import { BoardCanvas } from "./board.js";
import { el, isCalm, recall, replace } from "./dom.js";
import { loadPage } from "./game_files.js";
import { drawLesson, endingOf } from "./lesson_panel.js";
import { LessonRun, keepLesson, keptLesson, progressOf } from "./lesson_run.js";
import { Panels, announce, complain, shell } from "./shell.js";
import { play } from "./sounds.js";
import { api } from "./wire.js";

const PACE = recall("pace", 700);
const $ = (id) => document.getElementById(id);

class LessonPage {
  constructor(lesson) {
    this.lesson = lesson;
    this.path = `/api/lessons/${lesson.game}/${lesson.number}`;
    this.run = new LessonRun(lesson.steps.length, keptLesson(lesson.game, lesson.number).answers ?? undefined);
    this.panels = new Panels($("side"));
    this.imported = loadPage(lesson.page);
    this.module = null;
    this.busy = false;
    this.waiting = null;
    $("title").textContent = lesson.title;
    document.title = `${lesson.title}: ${lesson.gameTitle}`;
    replace($("tools"), el("a", { class: "button", href: "/learn" }, "All lessons"));
    addEventListener("keydown", (event) => this.#key(event));
    this.#open();
  }

  async #open() {
    if (await this.#send(this.run.answers)) return;
    if (this.run.number) await this.#send([[]]); // the lesson has changed since
  }

  // -- the server -------------------------------------------------------------------------------------

  // Sends answers and shows what comes of them; false if they were refused.
  async #send(answers) {
    if (this.busy) return false;
    this.busy = true;
    this.hint = null;
    this.#draw();
    try {
      const said = await api(`${this.path}/step`, { method: "POST", body: { answers } });
      const isNew = !this.run.said || answers.length !== this.run.answers.length;
      this.run.hear(said, answers);
      keepLesson(this.lesson.game, this.lesson.number, this.run);
      await this.#show(said, isNew);
      return true;
    } catch (error) {
      complain(error);
      this.#again();
      return false;
    } finally {
      this.busy = false;
      this.#draw();
      this.#sayStep();
      const { waiting } = this;
      this.waiting = null;
      if (waiting && this.run.verdict === "open") this.move(waiting);
    }
  }

  #go(answers) {
    this.#send(answers).catch(complain);
  }

  // A page that sends its turn step by step may do so while the last step is still being shown.
  move(action) {
    if (this.busy) this.waiting = action;
    else this.#go(this.run.withMove(action));
  }

  async askHint() {
    if (this.busy) return;
    this.busy = true;
    this.#draw();
    try {
      const { hint } = await api(`${this.path}/step`, { method: "POST", body: { answers: this.run.answers, hint: true } });
      this.hint = hint.words;
    } catch (error) {
      complain(error);
    } finally {
      this.busy = false;
      this.#draw();
    }
  }

  ask(what, params = {}, { signal } = {}) {
    const texts = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]));
    return api(`${this.path}/insights/${what}`, { method: "POST", body: { answers: this.run.answers, params: texts }, signal });
  }

  // -- what is shown ----------------------------------------------------------------------------------

  // One frame after the other; the last one with what may be done now.
  async #show(said, isNew) {
    const { create } = await this.imported;
    if (!this.module || this.digest !== (said.board?.digest ?? null) || (isNew && this.lesson.steps[said.step].isNew)) this.#begin(create, said.board);
    for (const [i, frame] of said.frames.entries()) {
      if (i) await new Promise((go) => setTimeout(go, isCalm() ? PACE / 2 : PACE));
      const isLast = i + 1 === said.frames.length;
      const offers = isLast ? said.offers : [];
      this.#frame(frame, offers, isLast);
      if (frame.sentences.length && !isNew) announce(frame.sentences.join("; "));
    }
    if (said.verdict === "done") play("move");
  }

  #frame(frame, offers, isLast) {
    const acting = offers.length > 0;
    this.frame = frame;
    $("who").textContent = frame.scene.title;
    Object.assign($("stage").dataset, { v: frame.v, step: this.run.number, state: isLast ? this.run.verdict : "moving" });
    this.module.show(frame.scene, { offers, acting, live: true, v: `${this.run.number} ${frame.v}` });
  }

  // After a refusal: everything as it was, so that it can be tried again.
  #again() {
    if (this.module && this.frame) this.module.show(this.frame.scene, { offers: [...(this.run.said?.offers ?? [])], acting: Boolean(this.run.said?.offers.length), live: true, v: `${this.run.number} ${this.frame.v}` });
  }

  #begin(create, board) {
    this.module?.destroy();
    this.panels.clear();
    $("stage").replaceChildren();
    this.digest = board?.digest ?? null;
    const { lesson } = this;
    const made = create({
      stage: $("stage"),
      side: $("side"),
      context: {
        seat: lesson.seat,
        room: { title: lesson.gameTitle, seats: { evader: "person", pursuers: "person" }, names: lesson.names, called: lesson.calledAll, spectators: "live" },
        game: lesson.game,
        help: lesson.help,
        lesson: true,
        boardDigest: this.digest,
        panels: this.panels,
        move: (action) => this.move(action),
        ask: (what, params, options) => this.ask(what, params, options),
        sound: play,
        announce,
        el,
        board: (stage) => new BoardCanvas(stage, this.digest, { announce, name: `Board ${board.name}` }),
      },
    });
    this.module = { show: made.show.bind(made), destroy: made.destroy.bind(made) };
  }

  #draw() {
    const { run, lesson } = this;
    if (!run.said) return;
    const act = { next: () => this.#go(run.next()), back: () => this.#go(run.back()), again: () => this.#go(run.again()), hint: () => this.askHint() };
    const ending = run.isFinished ? endingOf(lesson, this.#nextLesson()) : [];
    drawLesson($("lesson"), lesson, run, { busy: this.busy, hint: this.hint, act, ending });
    const words = run.verdict === "open" || run.verdict === "wrong" ? "Your move" : "";
    $("turn").textContent = words;
    $("turn").className = words ? "turn yours" : "turn";
  }

  // The lesson after this one that is not done yet, else any that is not done.
  #nextLesson() {
    const { lessons, number, game } = this.lesson;
    const later = progressOf(game, lessons.filter((each) => each.number > number)).next;
    return later ?? progressOf(game, lessons).next;
  }

  // A new step is read out, its button takes the keyboard, and the part that it is about is marked.
  #sayStep() {
    const { run, lesson } = this;
    const { text, task, show } = lesson.steps[run.number];
    for (const part of document.querySelectorAll(".pointed")) part.classList.remove("pointed");
    if (show) document.querySelector(`[data-part="${show}"]`)?.classList.add("pointed");
    const key = `${run.number} ${run.verdict}`;
    if (key === this.saidStep) return;
    if (!this.saidStep?.startsWith(`${run.number} `)) {
      announce(`${text} ${task}`);
      const names = this.panels.all.map(({ name }) => name);
      if (names.length) this.panels.show(names.includes(show) ? show : names[0]);
    }
    this.saidStep = key;
    if (run.canGoOn) $("lesson").querySelector(".next")?.focus({ preventScroll: true });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest?.("input, textarea, select, dialog")) return;
    const acts = { n: () => this.run.canGoOn && this.#go(this.run.next()), h: () => this.run.said && !this.run.isDone && this.askHint() };
    const act = acts[event.key.toLowerCase()];
    if (!act || this.busy) return;
    event.preventDefault();
    act();
  }
}

async function open() {
  shell("learn");
  const [, , game, number] = location.pathname.split("/");
  try {
    new LessonPage(await api(`/api/lessons/${encodeURIComponent(game)}/${encodeURIComponent(number)}`));
  } catch (error) {
    $("title").textContent = "Lesson not found";
    replace($("stage"), el("div", { class: "notice" }, el("h2", {}, error.message), el("a", { href: "/learn", class: "button" }, "Back to the lessons")));
  }
}

open();
