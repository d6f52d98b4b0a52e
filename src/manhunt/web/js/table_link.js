// A table of people: its socket, what stands there now, and what can be said to it.

import { capital, keep, recall } from "./dom.js";
import { playerName } from "./shell.js";
import { Socket, api } from "./wire.js";

const MOST_TABLES = 100;
export const GUEST = "Guest";

// -- tables of this browser: {uid: {token, game, at, read: when the chat was read last}} --------------

export function rememberTable(uid, { token, game }) {
  const tables = recall("tables", {});
  const others = Object.entries(tables).filter(([old]) => old !== uid);
  const entry = { ...tables[uid], token, game: game ?? tables[uid]?.game, at: Date.now() };
  keep("tables", Object.fromEntries([...others.slice(1 - MOST_TABLES), [uid, entry]]));
}

export function forgetTable(uid) {
  keep("tables", Object.fromEntries(Object.entries(recall("tables", {})).filter(([old]) => old !== uid)));
}

// The secret by which this browser is known at a table; null for somebody new.
export function tableToken(uid) {
  return recall("tables", {})[uid]?.token ?? null;
}

// Makes a table and returns where to go: to its game if that begins at once, else to the table.
// `body` is that of POST /api/tables.
export async function openTable(body, { signal } = {}) {
  const { table, token, play } = await api("/api/tables", { method: "POST", body: { name: playerName() ?? GUEST, ...body }, signal });
  rememberTable(table, { token, game: body.game });
  return play ? `/play/${play}?table=${table}` : `/table/${table}`;
}

// -- the link to one table ----------------------------------------------------------------------------

// Listeners may have changed(state), said(message), reacted(message), failed(words) and
// connection(state, words), where state is "connecting", "open", "lost" or "refused", as for wire.js's Socket.
export class TableLink {
  #listeners = new Set();
  #read;
  #signs = 0;

  constructor(uid, listener = {}) {
    this.uid = uid;
    this.state = null;
    this.messages = []; // all that this person may read, and reactions, the oldest first
    this.connection = "connecting";
    this.#read = recall("tables", {})[uid]?.read ?? {};
    this.listen(listener);
    this.socket = new Socket(uid, tableToken(uid), {
      path: `/api/tables/${uid}/socket`,
      greeting: "table",
      hello: () => {
        this.messages = []; // the server tells them again
        return {};
      },
      heard: (message) => this.#hear(message),
      changed: (state, words) => {
        this.connection = state;
        this.#tell("connection", state, words);
      },
    });
  }

  // One more listener; the answer takes it away again.
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close() {
    this.socket.close();
    this.#listeners.clear();
  }

  // This person's number, or null before joining.
  get me() {
    return this.state?.you ?? null;
  }

  get token() {
    return this.socket.token;
  }

  get isHost() {
    return this.me !== null && this.me === this.state.host;
  }

  person(id) {
    return this.state?.people.find((person) => person.id === id) ?? null;
  }

  // Places that this person holds.
  get places() {
    return this.me === null ? [] : this.state.places.filter((place) => place.holder === this.me);
  }

  // Whether whoever has no place on the other side of the game that runs may take this one.
  mayTake({ holder, seat }) {
    const { options, state } = this.state;
    const isFree = holder === null || (options.on_leave === "anyone" && holder !== this.me && this.person(holder)?.away);
    return Boolean(isFree) && (state !== "playing" || this.places.every((place) => place.seat === seat));
  }

  // Whether this person, as the host, may free a place whose holder is not here.
  mayFree({ holder }) {
    return this.isHost && holder !== null && holder !== this.me && !this.person(holder)?.here;
  }

  // The seat of this person's team: null without a place, or with places on both sides.
  get seat() {
    const seats = new Set(this.places.map((place) => place.seat));
    return seats.size === 1 ? [...seats][0] : null;
  }

  // Messages of others that have come since this chat ("table" or "team") was read.
  unread(to) {
    const read = this.#read[to] ?? 0;
    return this.messages.filter((message) => message.to === to && message.id !== this.me && message.at > read).length;
  }

  markRead(to) {
    const last = this.messages.findLast((message) => message.to === to && message.at);
    if (!last || last.at <= (this.#read[to] ?? 0)) return;
    this.#read[to] = last.at;
    const tables = recall("tables", {});
    if (tables[this.uid]) keep("tables", { ...tables, [this.uid]: { ...tables[this.uid], read: this.#read } });
  }

  join = (name) => this.#send({ t: "join", name });
  rename = (name) => this.#send({ t: "rename", name });
  sit = (place) => this.#send({ t: "sit", place });
  stand = (place) => this.#send({ t: "stand", place });
  hand = (place, to) => this.#send({ t: "hand", place, to });
  agents = (seat, spec) => this.#send({ t: "agents", seat, spec });
  options = (changed) => this.#send({ t: "options", ...changed });
  start = () => this.#send({ t: "start" });
  remove = (place) => this.#send({ t: "remove", place });
  say = (to, text) => this.#send({ t: "say", to, text });
  react = (sign) => this.#send({ t: "react", sign });
  rematch = (swap = false) => this.#send({ t: "rematch", swap });

  #send(message) {
    if (this.socket.send(message)) return true;
    this.#tell("failed", "No connection at the moment.");
    return false;
  }

  #hear(message) {
    if (message.t === "table") this.#show(message);
    else if (message.t === "you") this.#joined(message);
    else if (message.t === "said") {
      this.messages.push(message);
      this.#tell("said", message);
    } else if (message.t === "reacted") {
      this.messages.push({ ...message, n: `sign ${(this.#signs += 1)}`, to: "table" });
      this.#tell("reacted", message);
    } else if (message.t === "error") this.#tell("failed", capital(message.what));
  }

  #show({ t: _, ...state }) {
    const another = this.state !== null && state.play !== this.state.play;
    if (another) this.messages = this.messages.filter((message) => message.to === "table"); // a team's words end with its game
    this.state = state;
    this.#tell("changed", state);
  }

  #joined({ id, token = this.socket.token }) {
    this.socket.token = token;
    if (this.state) this.state = { ...this.state, you: id };
    rememberTable(this.uid, { token, game: this.state?.game ?? null });
  }

  #tell(what, ...words) {
    for (const listener of [...this.#listeners]) listener[what]?.(...words);
  }
}
