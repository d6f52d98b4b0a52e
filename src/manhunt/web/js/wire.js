// The ways to the server: requests, and a socket that comes back by itself.

class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

// JSON from a path; every failure is an ApiError with one line of words (or the abort of `signal`).
export async function api(path, { method = "GET", body, token, signal, type = "application/json" } = {}) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = type;
  let answer;
  try {
    const sent = body === undefined || type !== "application/json" ? body : JSON.stringify(body);
    answer = await fetch(path, { method, headers, body: sent, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server is not responding. Is it still running?", 0);
  }
  const text = await answer.text();
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    data = null;
  }
  if (!answer.ok) throw new ApiError(data?.error ?? `The server answered ${answer.status}.`, answer.status);
  return data;
}

// A job on the server until it is done: `told` hears its progress; an abort of `signal` cancels it there, too.
export async function followJob(id, { told = () => {}, signal, token } = {}) {
  signal?.addEventListener("abort", () => {
    api(`/api/jobs/${id}`, { method: "DELETE", token }).catch(() => {});
  });
  for (let wait = 150; ; wait = Math.min(1000, wait * 1.4)) {
    const job = await api(`/api/jobs/${id}`, { signal, token });
    told(job.progress ?? {});
    if (job.state === "done") return job.result;
    if (job.state !== "running") throw new ApiError(job.error ?? `The task was ${job.state}.`, 0);
    await new Promise((go) => setTimeout(go, wait));
  }
}

const PING_SECONDS = 20;
const SILENCE_SECONDS = 12;
const LONGEST_WAIT = 8000;

// One seat's socket. `heard(message)` gets every message, `changed(state, words)` the state of the connection:
// "connecting", "open", "lost" (it tries again by itself) or "refused" (it does not).
// Other sockets have another `path`, `greeting` (the message that opens the conversation) and `hello` (what is said first).
export class Socket {
  constructor(uid, token, { heard, changed, path = `/api/games/${uid}/socket`, greeting = "new", hello = () => ({ since: this.since }) }) {
    this.uid = uid;
    this.token = token;
    this.heard = heard;
    this.changed = changed;
    this.path = path;
    this.greeting = greeting;
    this.hello = hello;
    this.since = 0;
    this.tries = 0;
    this.ended = false;
    this.refusal = null;
    this.wake = () => this.#hurry();
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#connect();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN && this.greeted;
  }

  send(message) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.ended = true;
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    clearTimeout(this.timer);
    clearInterval(this.pinging);
    this.socket?.close();
  }

  #connect() {
    clearTimeout(this.timer);
    this.greeted = false;
    this.refusal = null;
    if (this.tries === 0) this.changed("connecting", "Connecting …");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ t: "hello", token: this.token, ...this.hello() }));
    socket.onmessage = (event) => socket === this.socket && this.#hear(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.#closed(event.code);
  }

  #hear(message) {
    this.heardAt = Date.now();
    if (message.t === "pong") return;
    if (message.t === "error" && !this.greeted) this.refusal = message.what;
    if (message.t === this.greeting) {
      this.greeted = true;
      this.tries = 0;
      this.changed("open", "Connected");
      this.#startPinging();
    }
    if (message.t === "observe") this.since = message.v;
    if (message.t !== "error" || this.greeted) this.heard(message);
  }

  #startPinging() {
    clearInterval(this.pinging);
    this.pinging = setInterval(() => {
      const silent = (Date.now() - this.heardAt) / 1000;
      if (silent > PING_SECONDS + SILENCE_SECONDS) this.socket.close();
      else if (this.isOpen) this.send({ t: "ping" });
    }, PING_SECONDS * 1000);
  }

  #closed(code) {
    clearInterval(this.pinging);
    this.greeted = false;
    if (this.ended) return;
    if ((code === 4403 || code === 4404 || code === 4400) && this.refusal) {
      this.ended = true;
      this.changed("refused", this.refusal);
      return;
    }
    const wait = Math.min(LONGEST_WAIT, 300 * 2 ** this.tries) * (0.8 + 0.4 * Math.random());
    this.tries += 1;
    this.changed("lost", "Connection lost. Trying again …");
    this.timer = setTimeout(() => this.#connect(), wait);
  }

  #hurry() {
    const waiting = !this.ended && this.socket.readyState === WebSocket.CLOSED;
    if (waiting && (document.visibilityState === "visible" || navigator.onLine)) this.#connect();
  }
}
