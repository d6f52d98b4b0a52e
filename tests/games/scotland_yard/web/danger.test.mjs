// How dangerous the offered moves are: asked once a turn, never kept beyond it.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { FakeBoard, FakeServer, installPage, settled } from "../../../web/js/fake_page.mjs";
import { load } from "../../../web/js/package.mjs";

const { kept } = installPage();
const { MoveDanger, percent } = await load("games/scotland_yard/web/danger.js");
const { create } = await load("games/scotland_yard/web/page.js");
const FOUND = { moves: { a: { caught: 0.5, reach: 2 }, b: { caught: 0.1, reach: 0 }, c: { caught: 0.2, reach: 1 }, d: { caught: 0.25, reach: 0 } }, model: "guessed" };

function asking(...answers) {
  const asked = [];
  return { asked, ask: async () => (asked.push(answers[asked.length]), answers[asked.length - 1]) };
}

test("it is asked once a turn, and again in the next one", async () => {
  const { asked, ask } = asking(FOUND, { moves: {}, model: "new" });
  const danger = new MoveDanger(ask, true);
  const [one, two] = [{}, {}];
  danger.see(one, true);
  assert.equal(await danger.weigh(), true);
  danger.see(one, true);
  assert.equal(await danger.weigh(), false);
  assert.equal(danger.words, "guessed");
  danger.see(two, true);
  assert.equal(danger.words, null);
  assert.equal(danger.of({ action: "a" }), null);
  assert.equal(await danger.weigh(), true);
  assert.equal(danger.words, "new");
  assert.equal(asked.length, 2);
});

test("it is asked for where it is wanted, and in one's own turn alone", async () => {
  const { asked, ask } = asking(FOUND);
  const danger = new MoveDanger(ask, false);
  danger.see({}, true);
  assert.equal(await danger.weigh(), false);
  danger.isOn = true;
  danger.see({}, false);
  assert.equal(await danger.weigh(), false);
  assert.equal(asked.length, 0);
});

test("an answer about a turn that has passed is dropped", async () => {
  let give;
  const danger = new MoveDanger(() => new Promise((go) => (give = go)), true);
  danger.see({}, true);
  const weighing = danger.weigh();
  danger.see({}, true);
  give(FOUND);
  assert.equal(await weighing, false);
  assert.equal(danger.found, null);
});

test("no answer leaves nothing to show", async () => {
  const danger = new MoveDanger(async () => null, true);
  danger.see({}, true);
  assert.equal(await danger.weigh(), false);
  assert.equal(danger.words, null);
});

test("notes and badges tell the least danger of a node", async () => {
  const danger = new MoveDanger(async () => FOUND, true);
  danger.see({}, true);
  await danger.weigh();
  const choices = [
    { to: "1", action: "a" },
    { to: "1", action: "c" },
    { to: "2", action: "b" },
    { to: "3", action: "unknown" },
    { to: "4", then: { a: [], c: [] } },
    { to: "5", action: "a" },
    { to: "6", action: "d" },
    { to: "1", action: "a" },
  ];
  assert.deepEqual(choices.map((choice) => danger.note(choice)), ["50 %, 2 near", "20 %, 1 near", "10 %", null, "20 %, 1 near", "50 %, 2 near", "25 %", "50 %, 2 near"]);
  assert.deepEqual(danger.badges(choices), {
    1: { p: 0.2, text: "20%", tone: undefined },
    2: { p: 0.1, text: "10%", tone: "safe" },
    4: { p: 0.2, text: "20%", tone: undefined },
    5: { p: 0.5, text: "50%", tone: "danger" },
    6: { p: 0.25, text: "25%", tone: "danger" },
  });
  danger.isOn = false;
  assert.deepEqual(danger.badges(choices), {});
  assert.equal(danger.words, null);
});

test("a small chance is not none", () => {
  assert.deepEqual([0, 0.001, 0.005, 0.25, 1].map(percent), ["0 %", "<1 %", "1 %", "25 %", "100 %"]);
});

// -- on the page ------------------------------------------------------------------------------------------

const scene = () => ({ turn: "evader", round: 1, outcome: null, log: [], tickets: [], marks: { pieces: [{ kind: "quarry", at: "9" }] } });
const OFFERS = [{ action: "a", to: "1", ticket: "taxi", picks: ["1"], words: "taxi to 1" }];
let page, board, server;

beforeEach(() => {
  kept.clear();
  kept.set("manhunt-weighing", "true");
  [board, server] = [new FakeBoard(), new FakeServer()];
  page = create({ stage: null, side: null, context: server.context(board) });
});

test("the page asks about danger in each of its turns", async () => {
  page.show(scene(), { offers: OFFERS, acting: true });
  await server.answer("danger", FOUND);
  assert.equal(board.shown.badges[1].text, "50%");
  page.show(scene(), { offers: [], acting: false });
  assert.deepEqual(board.shown.badges, {});
  page.show(scene(), { offers: OFFERS, acting: true });
  assert.deepEqual(board.shown.badges, {});
  await server.answer("danger", { moves: { a: { caught: 0.7, reach: 1 } }, model: "" });
  assert.equal(board.shown.badges[1].text, "70%");
});

test("the same scene again asks nothing anew", async () => {
  const same = scene();
  page.show(same, { offers: OFFERS, acting: true });
  await server.answer("danger", FOUND);
  page.show(same, { offers: OFFERS, acting: true });
  await settled();
  assert.deepEqual(server.asked.filter(({ what }) => what === "danger"), []);
  assert.equal(board.shown.badges[1].text, "50%");
});

test("the page shows no belief of a moment that has passed", async () => {
  page.know("belief");
  page.show(scene(), { acting: false });
  page.show(scene(), { acting: false });
  await server.answer("belief", { belief: { 1: 1 }, candidates: ["1"], words: "old" });
  assert.notDeepEqual(board.shown.belief, { 1: 1 });
  await server.answer("belief", { belief: { 2: 1 }, candidates: ["2"], words: "new" });
  assert.deepEqual(board.shown.belief, { 2: 1 });
});

test("the page shows no reason about a moment that has passed", async () => {
  page.show(scene(), { acting: false });
  page.askWhy("5");
  page.show(scene(), { acting: false });
  await server.answer("why", { node: "5", possible: true, way: ["1", "5"], words: ["so"] });
  assert.deepEqual(board.shown.arrows, []);
});

test("a double move is put together in two steps", () => {
  const double = { x: { to: "2", words: "taxi to 2", then: { xy: ["bus", "3"] } } };
  page.show(scene(), { offers: [...OFFERS, { double }], acting: true });
  assert.deepEqual(board.shown.offers, ["1"]);
  page.toggleDouble();
  assert.deepEqual(board.shown.offers, ["2"]);
  page.choices[0].act();
  assert.deepEqual(board.shown.offers, ["3", "2"]);
  page.back();
  assert.deepEqual(board.shown.offers, ["2"]);
  page.choices[0].act();
  page.choices[0].act();
  assert.deepEqual(server.moves, ["xy"]);
});
