// The line that says whose turn it is, and what is being waited for.

import { capital, el, plural, replace } from "./dom.js";
import { isPerson, seatWith, waitingWords } from "./play_words.js";

// After an installation an agent's first turn waits for the compiler.
const UNUSUAL_SECONDS = 15;

export class TurnLine {
  constructor(line) {
    this.line = line;
  }

  say({ words = "", kind = "", spin = false }) {
    const text = `${kind}|${words}`;
    if (this.line.dataset.text === text) return;
    this.line.dataset.text = text;
    this.line.className = `turn ${kind}`;
    replace(this.line, spin ? el("span", { class: "spinner", "aria-hidden": "true" }) : null, words);
  }
}

// What the line says; `yours` tells whether this player has something to choose, `draft` what a team's turn waits for.
export function turnWords({ lost, held, room, over, result, veiled, paused, watching, sent, yours, draft, presence, elapsed }) {
  const last = held?.last;
  if (lost) return { words: lost, kind: "lost", spin: true };
  if (!last || veiled) return {};
  if (over) return { words: result, kind: "over" };
  if (watching && paused) return { words: `Paused, ${plural(held.nPlies, "ply", "plies")} to come` };
  if (sent) return { words: "Sending your move …", spin: true };
  if (draft?.words) return { words: draft.words, kind: draft.isMine ? "yours" : "", spin: !draft.isMine };
  if (yours) return { words: "Your turn", kind: "yours" };
  if (held.go && !watching) return { words: "Waiting for your team", spin: true };
  if (last.thinking) {
    const withPeople = room.people?.[last.thinking]?.length; // their agents move the other pieces
    const who = withPeople ? `agents of ${room.called[last.thinking]}` : seatWith(room, last.thinking, room.names[last.thinking]);
    return { words: `${capital(who)}: thinking${elapsedWords(elapsed)}`, spin: true };
  }
  if (held.turn && isPerson(room.seats[held.turn]) && held.turn !== held.seat) return { words: waitingWords(room, held.turn, presence[held.turn] !== false), spin: true };
  return {};
}

export function elapsedWords(seconds) {
  if (seconds < 1) return " …";
  return ` … ${seconds} s${seconds < UNUSUAL_SECONDS ? "" : "; the first time takes longer"}`;
}
