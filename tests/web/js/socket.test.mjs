// A seat's socket: what it says when it comes back, and what it tells the page.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { FakeSocket, forgetSockets, installSockets, listeners, sockets } from "./fake_socket.mjs";
import { load } from "./package.mjs";

installSockets();
const { Socket, api, followJob } = await load("web/js/wire.js");
const NEW = { t: "new" };
const observe = (v, ...sentences) => ({ t: "observe", v, sentences, scene: {} });

function connect() {
  const heard = [];
  const states = [];
  const socket = new Socket("abc", "secret", { heard: (message) => heard.push(message), changed: (...state) => states.push(state) });
  return { socket, heard, states };
}

beforeEach(() => {
  forgetSockets();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
});

test("it begins with its token and without any events", () => {
  connect();
  sockets[0].open();
  assert.equal(sockets[0].url, "ws://here/api/games/abc/socket");
  assert.deepEqual(sockets[0].said, [{ t: "hello", token: "secret", since: 0 }]);
});

test("after a reconnect it asks for what it has not heard yet", () => {
  const { heard } = connect();
  sockets[0].open();
  for (const message of [NEW, observe(3, "a"), observe(7, "b")]) sockets[0].tell(message);
  sockets[0].close(1006);
  mock.timers.tick(1000);
  assert.equal(sockets.length, 2);
  sockets[1].open();
  assert.deepEqual(sockets[1].said[0], { t: "hello", token: "secret", since: 7 });
  sockets[1].tell(NEW);
  sockets[1].tell(observe(9, "c"));
  sockets[1].close(1006);
  mock.timers.tick(1000);
  sockets[2].open();
  assert.equal(sockets[2].said[0].since, 9);
  assert.deepEqual(heard.flatMap((message) => message.sentences ?? []), ["a", "b", "c"]);
});

test("it waits longer from try to try, and not at all long after it was connected", () => {
  mock.method(Math, "random", () => 0.5);
  connect();
  for (const wait of [300, 600, 1200, 2400, 4800, 8000, 8000]) {
    sockets.at(-1).close(1006);
    const n = sockets.length;
    mock.timers.tick(wait - 1);
    assert.equal(sockets.length, n);
    mock.timers.tick(1);
    assert.equal(sockets.length, n + 1);
  }
  sockets.at(-1).open();
  sockets.at(-1).tell(NEW);
  sockets.at(-1).close(1006);
  const n = sockets.length;
  mock.timers.tick(300);
  assert.equal(sockets.length, n + 1);
  mock.restoreAll();
});

test("messages go out only between the greeting and the end", () => {
  const { socket, states } = connect();
  sockets[0].open();
  assert.equal(socket.send({ t: "move" }), false);
  sockets[0].tell(NEW);
  assert.equal(socket.send({ t: "move" }), true);
  assert.deepEqual(sockets[0].said.at(-1), { t: "move" });
  sockets[0].close(1006);
  assert.equal(socket.send({ t: "move" }), false);
  assert.deepEqual(states.map(([state]) => state), ["connecting", "open", "lost"]);
});

test("a refusal is told once, and nobody tries again", () => {
  const { heard, states } = connect();
  sockets[0].open();
  sockets[0].tell({ t: "error", what: "there is no such game" });
  sockets[0].close(4404);
  mock.timers.tick(60_000);
  assert.equal(sockets.length, 1);
  assert.deepEqual(states.at(-1), ["refused", "there is no such game"]);
  assert.deepEqual(heard, []);
});

for (const code of [4400, 4403, 4404]) {
  test(`the code ${code} is final where words came with it, others are not`, () => {
    connect();
    sockets[0].close(code);
    mock.timers.tick(1000);
    assert.equal(sockets.length, 2);
    sockets[1].open();
    sockets[1].tell({ t: "error", what: "no" });
    sockets[1].close(1006);
    mock.timers.tick(1000);
    assert.equal(sockets.length, 3);
    sockets[2].open();
    sockets[2].tell({ t: "error", what: "no" });
    sockets[2].close(code);
    mock.timers.tick(60_000);
    assert.equal(sockets.length, 3);
  });
}

test("an error in a game that goes on is for the page", () => {
  const { heard } = connect();
  sockets[0].open();
  sockets[0].tell(NEW);
  sockets[0].tell({ t: "error", what: "not your turn" });
  assert.deepEqual(heard.at(-1), { t: "error", what: "not your turn" });
});

test("a server that falls silent is left, one that answers is not", () => {
  connect();
  sockets[0].open();
  sockets[0].tell(NEW);
  for (let i = 1; i < 6; i += 1) {
    mock.timers.tick(20_000);
    assert.equal(sockets[0].said.filter(({ t }) => t === "ping").length, i);
    sockets[0].tell({ t: "pong" });
  }
  mock.timers.tick(20_000);
  assert.equal(sockets[0].readyState, FakeSocket.OPEN);
  mock.timers.tick(20_000);
  assert.equal(sockets[0].readyState, FakeSocket.CLOSED);
});

test("a closed socket stays closed, and words of an old one are not heard", () => {
  const { socket, heard } = connect();
  sockets[0].open();
  sockets[0].tell(NEW);
  const [old] = sockets;
  old.close(1006);
  mock.timers.tick(1000);
  old.tell(observe(99, "late"));
  assert.equal(heard.length, 1);
  socket.close();
  mock.timers.tick(60_000);
  assert.equal(sockets.length, 2);
  assert.equal(listeners.size, 0);
});

test("when the network is back it does not wait", () => {
  connect();
  sockets[0].close(1006);
  Object.defineProperty(globalThis, "navigator", { value: { onLine: true }, configurable: true });
  listeners.get("online")();
  assert.equal(sockets.length, 2);
  listeners.get("online")();
  assert.equal(sockets.length, 2);
  sockets[1].close(1006);
  Object.assign(document, { visibilityState: "hidden" });
  navigator.onLine = false;
  listeners.get("visibilitychange")();
  assert.equal(sockets.length, 2);
  document.visibilityState = "visible";
  listeners.get("visibilitychange")();
  assert.equal(sockets.length, 3);
});

test("requests carry the token and come back as JSON or as words", async () => {
  const sent = [];
  const answers = [
    { ok: true, status: 200, text: async () => '{"a": 1}' },
    { ok: false, status: 403, text: async () => '{"error": "not yours"}' },
    { ok: false, status: 502, text: async () => "<html>" },
  ];
  globalThis.fetch = async (path, options) => {
    sent.push([path, options]);
    return answers.shift();
  };
  assert.deepEqual(await api("/api/x", { method: "POST", body: { b: 2 }, token: "t" }), { a: 1 });
  assert.deepEqual(sent[0][1].headers, { Authorization: "Bearer t", "Content-Type": "application/json" });
  assert.equal(sent[0][1].body, '{"b":2}');
  await assert.rejects(api("/api/x"), { message: "not yours", status: 403 });
  await assert.rejects(api("/api/x"), { message: "The server answered 502.", status: 502 });
  globalThis.fetch = async () => {
    throw new TypeError("no network");
  };
  await assert.rejects(api("/api/x"), { message: "The server is not responding. Is it still running?", status: 0 });
});

test("a job is followed to its end", async () => {
  mock.timers.reset();
  const states = [
    { state: "running", progress: { done: 1 } },
    { state: "done", progress: { done: 2 }, result: "all" },
    { state: "failed", error: "out of memory" },
    { state: "cancelled" },
  ];
  globalThis.fetch = async () => ({ ok: true, status: 200, text: async () => JSON.stringify(states.shift()) });
  const told = [];
  assert.equal(await followJob("j", { told: (progress) => told.push(progress.done) }), "all");
  assert.deepEqual(told, [1, 2]);
  await assert.rejects(followJob("j"), { message: "out of memory" });
  await assert.rejects(followJob("j"), { message: "The task was cancelled." });
});
