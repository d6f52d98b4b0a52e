// The link to a table: who one is there, what was said, what can be said.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { forgetSockets, installSockets, sockets } from "./fake_socket.mjs";
import { load } from "./package.mjs";

const kept = installSockets();
const { TableLink, rememberTable, tableToken } = await load("web/js/table_link.js");

const place = (id, holder = null) => ({ id, seat: id.split("/")[0], holder });
const TABLE = { t: "table", table: "abc", game: "any", host: 1, you: null, people: [{ id: 1, name: "Anna" }], places: [place("evader", 1), place("pursuers/0"), place("pursuers/1")], play: null };
const said = (n, to, at, id = 1) => ({ t: "said", n, id, name: "Anna", to, text: `words ${n}`, at });

function connect() {
  const heard = [];
  const note = (what) => (value) => heard.push([what, value]);
  const link = new TableLink("abc", { changed: note("changed"), said: note("said"), failed: note("failed"), connection: note("connection") });
  sockets[0].open();
  return { link, heard };
}

test("free places can be taken, also in a game by those who play no other side, and those of people who left", () => {
  const { link } = connect();
  const show = (more) => sockets[0].tell({ ...TABLE, options: { on_leave: "host" }, state: "playing", ...more });
  const people = [{ id: 1, name: "Anna", here: true }, { id: 2, name: "Ben", here: false, away: true }];
  const may = (what) => link.state.places.filter((each) => link[what](each)).map((each) => each.id);
  const places = [place("evader", 2), place("pursuers/0", 1), place("pursuers/1")];
  show({ you: 1, people, places });
  assert.deepEqual([may("mayTake"), may("mayFree")], [["pursuers/1"], ["evader"]]);
  show({ you: null, people, places, options: { on_leave: "anyone" } });
  assert.deepEqual([may("mayTake"), may("mayFree")], [["evader", "pursuers/1"], []]);
  show({ you: 2, people, places });
  assert.deepEqual(may("mayTake"), [], "the other side");
  show({ you: 2, people, places, state: "waiting", host: 2 });
  assert.deepEqual([may("mayTake"), may("mayFree")], [["pursuers/1"], []]);
});

beforeEach(() => {
  forgetSockets();
  kept.clear();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
});

test("a newcomer joins and is known from then on", () => {
  const { link } = connect();
  assert.deepEqual(sockets[0].said, [{ t: "hello", token: null }]);
  sockets[0].tell(TABLE);
  assert.equal(link.me, null);
  assert.equal(link.join("Ben"), true);
  sockets[0].tell({ t: "you", id: 2, token: "secret" });
  assert.equal(link.me, 2);
  assert.equal(tableToken("abc"), "secret");
  sockets[0].close(1006);
  mock.timers.tick(1000);
  sockets[1].open();
  assert.deepEqual(sockets[1].said, [{ t: "hello", token: "secret" }]);
});

test("somebody who was there before is known at once", () => {
  rememberTable("abc", { token: "mine", game: "any" });
  connect();
  assert.deepEqual(sockets[0].said, [{ t: "hello", token: "mine" }]);
});

test("the hundred newest tables are remembered", () => {
  for (let i = 0; i < 120; i += 1) rememberTable(`t${i}`, { token: `${i}`, game: "any" });
  rememberTable("t50", { token: "again", game: "any" });
  assert.equal(tableToken("t19"), null);
  assert.equal(tableToken("t20"), "20");
  assert.equal(tableToken("t50"), "again");
});

test("the seat is the side of all one's places", () => {
  const { link } = connect();
  sockets[0].tell({ ...TABLE, you: 2, places: [place("evader", 1), place("pursuers/0", 2), place("pursuers/1", 2)] });
  assert.equal(link.seat, "pursuers");
  assert.deepEqual(link.places.map(({ id }) => id), ["pursuers/0", "pursuers/1"]);
  assert.equal(link.isHost, false);
  sockets[0].tell({ ...TABLE, you: 1, places: [place("evader", 1), place("pursuers/0", 1)] });
  assert.equal(link.seat, null);
  assert.equal(link.isHost, true);
});

test("messages are told again after a reconnect, and stand once", () => {
  const { link } = connect();
  for (const message of [TABLE, said(1, "table", 10), said(2, "team", 11)]) sockets[0].tell(message);
  sockets[0].close(1006);
  mock.timers.tick(1000);
  sockets[1].open();
  for (const message of [TABLE, said(1, "table", 10), said(2, "team", 11), said(3, "table", 12)]) sockets[1].tell(message);
  assert.deepEqual(link.messages.map(({ n }) => n), [1, 2, 3]);
});

test("a team's words end with its game, the table's stay", () => {
  const { link } = connect();
  for (const message of [{ ...TABLE, play: "g1" }, said(1, "table", 10), said(2, "team", 11)]) sockets[0].tell(message);
  sockets[0].tell({ ...TABLE, play: "g1" });
  assert.equal(link.messages.length, 2);
  sockets[0].tell({ ...TABLE, play: "g2" });
  assert.deepEqual(link.messages.map(({ to }) => to), ["table"]);
});

test("unread are the words of others that came after the last look, also on another page", () => {
  rememberTable("abc", { token: "mine", game: "any" });
  const { link } = connect();
  sockets[0].tell({ ...TABLE, you: 2 });
  for (const message of [said(1, "table", 10), said(2, "table", 11, 2), said(3, "team", 12)]) sockets[0].tell(message);
  assert.deepEqual([link.unread("table"), link.unread("team")], [1, 1]);
  link.markRead("table");
  assert.deepEqual([link.unread("table"), link.unread("team")], [0, 1]);
  link.close();
  forgetSockets();
  const { link: other } = connect();
  for (const message of [{ ...TABLE, you: 2 }, said(1, "table", 10), said(4, "table", 13)]) sockets[0].tell(message);
  assert.equal(other.unread("table"), 1);
});

test("what cannot be sent is told, and so is what the server refuses", () => {
  const { link, heard } = connect();
  assert.equal(link.sit("evader"), false);
  assert.deepEqual(heard.at(-1), ["failed", "No connection at the moment."]);
  sockets[0].tell(TABLE);
  sockets[0].tell({ t: "error", what: "that place is taken" });
  assert.deepEqual(heard.at(-1), ["failed", "That place is taken"]);
});

test("more than one may listen, and stop", () => {
  const { link } = connect();
  const heard = [];
  const away = link.listen({ changed: (state) => heard.push(state.play) });
  sockets[0].tell({ ...TABLE, play: "g1" });
  away();
  sockets[0].tell({ ...TABLE, play: "g2" });
  assert.deepEqual(heard, ["g1"]);
});

test("every word has its message", () => {
  const { link } = connect();
  sockets[0].tell({ ...TABLE, you: 1 });
  link.rename("Cleo");
  link.stand("evader");
  link.hand("evader", "agent");
  link.agents("pursuers", "random");
  link.options({ help: "none" });
  link.start();
  link.remove("pursuers/0");
  link.say("team", "hello");
  link.react("x");
  link.rematch(true);
  assert.deepEqual(sockets[0].said.slice(1), [
    { t: "rename", name: "Cleo" },
    { t: "stand", place: "evader" },
    { t: "hand", place: "evader", to: "agent" },
    { t: "agents", seat: "pursuers", spec: "random" },
    { t: "options", help: "none" },
    { t: "start" },
    { t: "remove", place: "pursuers/0" },
    { t: "say", to: "team", text: "hello" },
    { t: "react", sign: "x" },
    { t: "rematch", swap: true },
  ]);
});
