// What the page of a game says about people and results. Plain functions of what the server sent.

import { capital } from "./dom.js";

export const SEATS = ["evader", "pursuers"];
export const otherSeat = (seat) => SEATS.find((each) => each !== seat);
const HELP = { none: "No help", candidates: "Help: candidates", all: null };
const WHY = { resign: "resigned", timeout: "ran out of time", time: "ran out of time" };

export function isPerson(spec) {
  return spec === "person" || spec.startsWith("person:");
}

// ["Ben", "Cleo", "Dan"] -> "Ben, Cleo and Dan"
export function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

// Who plays a seat: names of people, the level of an agent; null for a person without a name.
export function playerOf(room, seat) {
  const names = room.people?.[seat] ?? [];
  if (names.length) return listed(names);
  const spec = room.seats[seat];
  if (!isPerson(spec)) return room.levels?.[seat] || spec;
  return spec.startsWith("person:") ? spec.slice("person:".length) : null;
}

// "the Fox (Anna)", or the seat alone where there is no name.
export function seatWith(room, seat, words = room.called[seat]) {
  const player = playerOf(room, seat);
  return player ? `${words} (${player})` : words;
}

// The title of a scene: how it ended stands elsewhere, and a drafted turn is not over before it is confirmed.
export function titleWords({ scene, draft }) {
  if (scene.outcome) return scene.title.replace(`: ${scene.outcome.words}`, "");
  const isPlanned = draft && scene.turn !== "pursuers";
  return isPlanned && scene.turnWords ? scene.title.replace(scene.turnWords, "the team confirms its turn") : scene.title;
}

// The line under the title: who plays whom, and the help that the table has.
export function whoWords(room, { seat = "spectator", shared = false } = {}) {
  const help = HELP[room.options?.help ?? "all"];
  const end = help ? ` ${help}.` : "";
  if (shared) return `Both seats are on this screen. Now: ${room.names[seat]}.${end}`;
  if (seat === "spectator") return `${seatWith(room, "evader", room.names.evader)} against ${seatWith(room, "pursuers", room.names.pursuers)}. You are watching.${end}`;
  const other = otherSeat(seat);
  const player = playerOf(room, other) ?? "another player";
  return `You play ${room.called[seat]} against ${room.called[other]} (${player}).${end}`;
}

// What a table's help means, for the panel about the table.
export function helpWords(help = "all") {
  if (help === "none") return "none: no candidates, no hints";
  return help === "candidates" ? "where the hidden side can be; no hints" : "everything";
}

// {headline, detail, mood}: "You won", then how; for those who watch the winner. `forfeit` is {seat, why} or null.
// A game that counts a cost is not won or lost: its own words say what was paid.
export function resultWords(room, outcome, { seat = "spectator", shared = false, forfeit = null } = {}) {
  const { winner } = outcome;
  const plays = seat !== "spectator" && !shared;
  if (outcome.how !== "forfeit" && Number.isFinite(outcome.cost)) return { headline: capital(outcome.words), detail: "", mood: "over" };
  const won = plays && winner === seat;
  const headline = plays ? (won ? "You won" : "You lost") : `${capital(seatWith(room, winner))} won`;
  return { headline, detail: `${capital(howWords(room, outcome, { seat: plays ? seat : null, forfeit }))}.`, mood: plays ? (won ? "won" : "lost") : "over" };
}

// How it ended. Rules say "the Fox wins (the Fox escaped)": what stands in brackets, else all of it.
function howWords(room, { winner, how, words }, { seat, forfeit }) {
  if (how !== "forfeit" || !forfeit) return named(room, words.match(/\(([^()]*)\)$/)?.[1] ?? words);
  const loser = otherSeat(winner);
  const who = loser === seat ? "you" : seatWith(room, loser);
  return `${who} ${WHY[forfeit?.why] ?? (isPerson(room.seats[loser]) ? "resigned" : "could not move on")}`;
}

// The name of the player is added where their seat is named first.
function named(room, words) {
  for (const seat of SEATS) {
    const name = room.names[seat];
    const player = playerOf(room, seat);
    const at = words.indexOf(name);
    if (player && at >= 0) return `${words.slice(0, at + name.length)} (${player})${words.slice(at + name.length)}`;
  }
  return words;
}

// What a player waits for: the other side, whether they are here or not.
export function waitingWords(room, seat, isHere) {
  const player = playerOf(room, seat);
  const who = player ? seatWith(room, seat) : room.called[seat];
  return isHere ? `Waiting for ${who}` : `Waiting for ${who}: not connected`;
}
