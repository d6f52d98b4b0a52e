// The travel log: double moves in brackets, Mr X's own stations, and the whole route at the end.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { installPage, settled } from "../../../web/js/fake_page.mjs";
import { load } from "../../../web/js/package.mjs";

const { element } = installPage();
const { TravelLog } = await load("games/scotland_yard/web/travel_log.js");
const { drawnRoute } = await load("games/scotland_yard/web/whole_route.js");
let asked, host, log;

const scene = (n, here = null) => ({
  log: Array.from({ length: 6 }, (_, i) => ({ round: i + 1, shown: i === 3, ticket: i < n ? "taxi" : null, at: i < n && i === 3 ? "50" : null })),
  marks: { pieces: here ? [{ kind: "quarry", at: here }] : [] },
  seen: null,
  nextShown: 4,
  outcome: null,
});
const words = () => host.withClass("chip").map((chip) => chip.withClass("unseen")[0].textContent);

function make(mine, answer) {
  asked = 0;
  host = element();
  log = new TravelLog(host, { mine, ask: async () => (asked++, answer) });
}

beforeEach(() => make(true, null));

test("Mr X sees his own stations as he goes", () => {
  log.show(scene(0, "10"));
  log.show(scene(1, "11"));
  log.show(scene(1, "11"));
  log.show(scene(2, "12"));
  assert.deepEqual(words().slice(0, 3), ["round 1: taxi, on 11", "round 2: taxi, on 12", "round 3"]);
  assert.equal(asked, 0);
});

test("two tickets at once are asked about, and bracketed if they were a double move", async () => {
  make(true, { doubles: [[2, 3]], stations: { 1: "11", 2: "12", 3: "13" } });
  log.show(scene(1, "11"));
  log.show(scene(3, "13"));
  await settled();
  assert.equal(asked, 1);
  assert.equal(words()[1], "round 2: taxi, first step of a double move, on 12");
  assert.equal(words()[2], "round 3: taxi, second step of a double move, on 13");
  log.show(scene(4, "50"));
  assert.equal(words()[3], "round 4: taxi, seen on 50");
  assert.equal(asked, 1);
});

test("a page that comes later asks once, and others than Mr X keep no stations", async () => {
  make(false, { doubles: [], stations: {} });
  log.show(scene(3));
  await settled();
  log.show(scene(4, "50"));
  assert.equal(asked, 1);
  assert.equal(words()[0], "round 1: taxi");
  assert.equal(words()[3], "round 4: taxi, seen on 50");
});

test("the whole route goes through all stations, and the turning point is marked", () => {
  const { labels, badges } = drawnRoute({ start: "35", stations: { 1: "65", 2: "63", 3: "65" }, turning: { round: 2, words: "" } });
  assert.deepEqual(labels, ["35", "65", "63", "65"]);
  assert.deepEqual(badges, { 35: { text: "start", tone: undefined }, 65: { text: "1·3", tone: undefined }, 63: { text: "★2", tone: "safe" } });
});

test("a station where he was often names only a few rounds, and the turning point", () => {
  const stations = { 1: "65", 2: "63", 3: "65", 5: "65", 7: "65", 9: "65" };
  assert.equal(drawnRoute({ start: null, stations, turning: { round: 9, words: "" } }).badges["65"].text, "1·3·5·★9…");
});
