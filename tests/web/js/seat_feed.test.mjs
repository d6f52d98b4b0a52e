// What a seat was sent, and when it is shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./package.mjs";

const { SeatFeed } = await load("web/js/seat_feed.js");
const observe = (v, sentences = [], scene = {}) => ({ t: "observe", v, sentences, scene: { turn: "evader", round: 1, ...scene } });
const GO = { t: "go", n: 1, offers: [] };

function feedOf(...messages) {
  const feed = new SeatFeed("evader");
  for (const message of messages) feed.hear(message);
  return feed;
}

function showAll(feed, now = 0) {
  while (feed.queue.length) feed.showNext(now);
}

test("the story has every sentence once, with its round", () => {
  const feed = feedOf(observe(2, ["a", "b"]), observe(4, ["c"], { round: 2 }), observe(4, []));
  showAll(feed);
  assert.deepEqual(feed.story, [
    { text: "a", round: 1 },
    { text: "b", round: 1 },
    { text: "c", round: 2 },
  ]);
});

test("what was offered is gone when something has happened", () => {
  const feed = feedOf(observe(1), GO);
  showAll(feed);
  assert.equal(feed.go, GO);
  assert.equal(feed.last.v, 1);
  feed.hear(observe(2));
  showAll(feed);
  assert.equal(feed.go, null);
  assert.equal(feed.last.v, 2);
});

test("whose turn it is", () => {
  const feed = feedOf();
  assert.equal(feed.turn, null);
  feed.hear(observe(1, [], { turn: "pursuers" }));
  showAll(feed);
  assert.equal(feed.turn, "pursuers");
});

test("the first moment is not news, the same again is not, a later one is", () => {
  const feed = feedOf(observe(3), observe(3), GO, observe(4), observe(2));
  const news = [];
  while (feed.queue.length) news.push(feed.showNext(0).isNews);
  assert.deepEqual(news, [false, false, false, true, false]);
  assert.equal(feed.showNext(0), null);
});

test("a new ply waits until the one before was seen", () => {
  const feed = feedOf(observe(1));
  assert.equal(feed.delay({ now: 1000, pace: 260 }), 0);
  feed.showNext(1000);
  assert.equal(feed.delay({ now: 1000, pace: 260 }), Infinity);
  feed.hear(GO);
  assert.equal(feed.delay({ now: 1000, pace: 260 }), 0);
  feed.showNext(1000);
  feed.hear(observe(2));
  assert.equal(feed.delay({ now: 1100, pace: 260 }), 160);
  assert.equal(feed.delay({ now: 1260, pace: 260 }), 0);
  assert.equal(feed.delay({ now: 5000, pace: 260 }), 0);
  assert.equal(feed.delay({ now: 1100, pace: 0 }), 0);
});

test("whoever is far behind is not made to wait", () => {
  const feed = feedOf(observe(1));
  feed.showNext(1000);
  for (let v = 2; v < 14; v += 1) feed.hear(observe(v));
  assert.equal(feed.queue.length, 12);
  assert.equal(feed.delay({ now: 1000, pace: 260 }), 260);
  feed.hear(observe(14));
  assert.equal(feed.delay({ now: 1000, pace: 260 }), 0);
});

test("a pause holds new plies, and nothing else", () => {
  const feed = feedOf(observe(1));
  assert.equal(feed.delay({ now: 0, pace: 260, paused: true }), 0);
  feed.showNext(0);
  feed.hear(observe(2));
  assert.equal(feed.delay({ now: 9000, pace: 260, paused: true }), Infinity);
  feed.hear(GO);
  assert.equal(feed.nPlies, 1);
});
