// The player's name and what lists say about games.

import assert from "node:assert/strict";
import { test } from "node:test";

import { installPage } from "./fake_page.mjs";
import { load } from "./package.mjs";

const { kept } = installPage();
const { keepName, playerName } = await load("web/js/shell.js");
const { resultWords, sideWords } = await load("web/js/home_lists.js");
const { agentsAt, levelNames, levelWords, usualLevel } = await load("web/js/levels.js");

const agent = (title, spec, strength, summary = "moves; measured") => ({ title, spec, strength, summary, name: spec.split(":")[0] });
const GAME = {
  seats: {
    evader: { title: "Fox", called: "the fox", agents: [agent("Hard", "good", 5, "runs well; won 9 of 10"), agent("", "plain", 3), agent("Easy", "weak", 1)] },
    pursuers: { title: "Hounds", called: "the hounds", agents: [agent("Hard", "best:n=2", 5, "hunt well"), agent("Easy", "slow", 1)] },
  },
  quick: { you: "pursuers", agent: "weak" },
};
const BARE = { ...GAME, seats: { ...GAME.seats, pursuers: { ...GAME.seats.pursuers, agents: [agent("", "wild", 1)] } } };

test("a name loses what is not printed, and what is too long", () => {
  assert.equal(playerName(), null);
  assert.equal(keepName("  An\u0000na\t \u202e of  Bonn "), "Anna of Bonn");
  assert.equal(playerName(), "Anna of Bonn");
  assert.equal(keepName("x".repeat(30)), "x".repeat(24));
  assert.equal(keepName("🦊".repeat(30)), "🦊".repeat(24));
});

test("nothing is no name, and the old one stays", () => {
  keepName("Ben");
  assert.equal(keepName(" \n "), null);
  assert.equal(playerName(), "Ben");
  kept.clear();
});

test("levels are those that both sides have, the weakest first", () => {
  assert.deepEqual(levelNames(GAME), ["Easy", "Hard"]);
  assert.equal(usualLevel(GAME), "Easy");
  assert.deepEqual(agentsAt(GAME, "Hard"), { evader: "good", pursuers: "best:n=2" });
  assert.equal(levelWords(GAME, "evader", "Hard"), "The fox runs well.");
});

test("without levels the quick game's agent plays, and a middling one on the other side", () => {
  assert.deepEqual(levelNames(BARE), []);
  assert.equal(usualLevel(BARE), null);
  assert.deepEqual(agentsAt(BARE, null), { evader: "weak", pursuers: "wild" });
});

test("lists name people, and agents by their level", () => {
  assert.equal(sideWords("person:Anna, Ben", "pursuers", GAME), "Anna, Ben (Hounds)");
  assert.equal(sideWords("person", "evader", GAME), "Fox");
  assert.equal(sideWords("good", "evader", GAME), "Fox (Hard)");
  assert.equal(sideWords("plain", "evader", GAME), "Fox (plain)");
  assert.equal(sideWords("else:a=1", "evader", GAME), "Fox (else:a=1)");
});

test("results have the words of the game and its round", () => {
  assert.equal(resultWords({ outcome: "evader survival", words: "The fox wins", round: 7 }), "The fox wins, round 7");
  assert.equal(resultWords({ outcome: null, round: 3 }), "Round 3");
  assert.equal(resultWords({ outcome: null, round: 0 }), "Just started");
});
