// What the page of a game says about people and results.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./package.mjs";

const { listed, playerOf, resultWords, titleWords, waitingWords, whoWords } = await load("web/js/play_words.js");
const { clockText, Clocks } = await load("web/js/play_clock.js");
const ROOM = {
  names: { evader: "Fox", pursuers: "hounds" },
  called: { evader: "the Fox", pursuers: "the hounds" },
  seats: { evader: "person:Anna", pursuers: "strong-1" },
  levels: { evader: "", pursuers: "Hard" },
  people: { evader: ["Anna"], pursuers: [] },
};
const PEOPLE = { ...ROOM, seats: { evader: "person:Anna", pursuers: "person:Ben, Cleo" }, people: { evader: ["Anna"], pursuers: ["Ben", "Cleo"] } };
const NAMELESS = { ...ROOM, seats: { evader: "person", pursuers: "person" }, people: undefined };

test("people are called by their names and agents by their levels", () => {
  assert.deepEqual(["evader", "pursuers"].map((seat) => playerOf(ROOM, seat)), ["Anna", "Hard"]);
  assert.equal(playerOf(PEOPLE, "pursuers"), "Ben and Cleo");
  assert.equal(playerOf({ ...ROOM, people: undefined }, "evader"), "Anna");
  assert.equal(playerOf(NAMELESS, "evader"), null);
  assert.equal(listed(["Ben", "Cleo", "Dan"]), "Ben, Cleo and Dan");
});

test("the line under the title names the other side and the help of the table", () => {
  assert.equal(whoWords(ROOM, { seat: "evader" }), "You play the Fox against the hounds (Hard).");
  assert.equal(whoWords(NAMELESS, { seat: "evader" }), "You play the Fox against the hounds (another player).");
  assert.equal(whoWords({ ...PEOPLE, options: { help: "none" } }, { seat: "pursuers" }), "You play the hounds against the Fox (Anna). No help.");
  assert.equal(whoWords({ ...PEOPLE, options: { help: "candidates" } }), "Fox (Anna) against hounds (Ben and Cleo). You are watching. Help: candidates.");
});

test("a player reads whether they won, and everybody how it ended and who that was", () => {
  const outcome = { winner: "evader", how: "survival", words: "the Fox wins (the Fox escaped)" };
  assert.deepEqual(resultWords(PEOPLE, outcome, { seat: "evader" }), { headline: "You won", detail: "The Fox (Anna) escaped.", mood: "won" });
  assert.deepEqual(resultWords(PEOPLE, outcome, { seat: "pursuers" }), { headline: "You lost", detail: "The Fox (Anna) escaped.", mood: "lost" });
  assert.deepEqual(resultWords(PEOPLE, outcome), { headline: "The Fox (Anna) won", detail: "The Fox (Anna) escaped.", mood: "over" });
  assert.equal(resultWords(PEOPLE, { ...outcome, words: "Fox won: nobody saw it" }, { seat: "evader" }).detail, "Fox (Anna) won: nobody saw it.");
});

test("a game that counts a cost is told in its own words", () => {
  const outcome = { winner: "evader", how: "arrival", words: "the Fox arrives and pays 5", cost: 5 };
  assert.deepEqual(resultWords(ROOM, outcome, { seat: "pursuers" }), { headline: "The Fox arrives and pays 5", detail: "", mood: "over" });
});

test("whoever gave up or ran out of time is named", () => {
  const outcome = { winner: "pursuers", how: "forfeit", words: "the hounds win (the Fox resigned)" };
  const detail = (room, options) => resultWords(room, outcome, options).detail;
  assert.equal(detail(PEOPLE, { seat: "pursuers", forfeit: { seat: "evader", why: "resign" } }), "The Fox (Anna) resigned.");
  assert.equal(detail(PEOPLE, { seat: "evader", forfeit: { seat: "evader", why: "resign" } }), "You resigned.");
  assert.equal(detail(PEOPLE, { seat: "pursuers", forfeit: { seat: "evader", why: "time" } }), "The Fox (Anna) ran out of time.");
  assert.equal(detail(NAMELESS, { seat: "pursuers" }), "The Fox resigned.");
  const byRule = { ...outcome, words: "the Fox forfeits: no moves left" };
  assert.equal(resultWords(PEOPLE, byRule, { seat: "evader" }).detail, "The Fox (Anna) forfeits: no moves left.", "nobody resigned");
});

test("a planned turn is not called over, and the result does not stand twice", () => {
  const scene = { title: "Hunt, round 2: the Fox to move", turn: "evader", turnWords: "the Fox to move", outcome: null };
  assert.equal(titleWords({ scene }), scene.title);
  assert.equal(titleWords({ scene, draft: { moves: [] } }), "Hunt, round 2: the team confirms its turn");
  assert.equal(titleWords({ scene: { ...scene, title: "Hunt, round 2: it ended", outcome: { words: "it ended" } } }), "Hunt, round 2");
});

test("nobody is said to be one where there are several", () => {
  assert.equal(waitingWords(NAMELESS, "pursuers", true), "Waiting for the hounds");
  assert.equal(waitingWords(PEOPLE, "pursuers", false), "Waiting for the hounds (Ben and Cleo): not connected");
});

test("clocks are read at a glance and run down between the server's words", () => {
  assert.deepEqual([7, 61.2, 3725, 200_000, -3].map(clockText), ["0:07", "1:02", "1:02:05", "2 d 7 h", "0:00"]);
  const clocks = new Clocks({ dataset: {}, replaceChildren() {}, append() {} }, ROOM.names);
  clocks.draw = () => {};
  clocks.hear({ left: { evader: 60, pursuers: 50 }, turn: 20, running: "evader" }, 1000);
  assert.deepEqual(clocks.left("evader", 6000), { game: 55, turn: 15 });
  assert.deepEqual(clocks.left("pursuers", 6000), { game: 50, turn: null });
  clocks.hear({ left: { evader: null, pursuers: null }, turn: 20, running: "evader" }, 1000);
  assert.deepEqual(clocks.left("evader", 99_000), { game: null, turn: 0 });
});
