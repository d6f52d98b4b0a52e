// What a browser remembers of puzzles, and one puzzle while it is being solved: plain data.

const DAY = 24 * 3600 * 1000;

export function emptyMemory() {
  return { done: {}, streak: { day: null, run: 0, best: 0 } };
}

// Whether one day is the day after another; both are such as "2027-01-31".
export function follows(day, before) {
  return before !== null && Date.parse(day) - Date.parse(before) === DAY;
}

// The days in a row on which the daily puzzle was solved at the first try; only the first answer of a day counts.
export function streakAfter(streak, day, solved) {
  if (streak.day !== null && Date.parse(streak.day) >= Date.parse(day)) return streak;
  const run = solved ? (follows(day, streak.day) ? streak.run : 0) + 1 : 0;
  return { day, run, best: Math.max(streak.best, run) };
}

// How long the streak is on a day: a day that was left out ends it.
export function runOn(streak, day) {
  return streak.day === day || follows(day, streak.day) ? streak.run : 0;
}

// The memory after a puzzle has ended. The first try is the one that is kept, but what is solved later is marked, too.
// The puzzle of the day counts for the streak also where it was met on another day.
export function remember(memory, id, solved, daily) {
  const before = memory.done[id];
  const mark = solved ? (before && before !== "right" ? "later" : "right") : (before ?? "wrong");
  const streak = id === daily.puzzle ? streakAfter(memory.streak, daily.date, solved) : memory.streak;
  return { done: { ...memory.done, [id]: before === "right" ? before : mark }, streak };
}

// Those of a game and a level; an empty choice is all of them.
export function fitting(puzzles, { game = "", level = "" }) {
  return puzzles.filter((puzzle) => (!game || puzzle.game === game) && (!level || puzzle.level === level));
}

// The next one that was not solved yet, from the present one on; the present one is never next unless it is the only one.
export function nextOf(puzzles, done, id) {
  const here = puzzles.findIndex((puzzle) => puzzle.id === id);
  const order = [...puzzles.slice(here + 1), ...puzzles.slice(0, Math.max(0, here))];
  return (order.find((puzzle) => !done[puzzle.id]) ?? order[0] ?? puzzles[0])?.id ?? null;
}

// One try: the answers so far, and what is shown.
export class Attempt {
  constructor(puzzle) {
    this.puzzle = puzzle;
    this.actions = [];
    this.shown = { question: puzzle.question, scene: puzzle.scene, offers: puzzle.offers, solved: null, words: "", why: [], best: "", told: [] };
    this.waiting = false;
  }

  get over() {
    return this.shown.solved !== null;
  }

  get acting() {
    return !this.over && !this.waiting;
  }

  // The answers to send for one more; null where none is expected.
  give(action) {
    if (!this.acting) return null;
    this.waiting = true;
    return [...this.actions, action];
  }

  hear(actions, answer) {
    this.waiting = false;
    this.actions = actions;
    this.shown = { ...answer, question: answer.question || this.puzzle.question };
  }

  // The answer was refused: everything as before.
  fail() {
    this.waiting = false;
  }
}
