// A WebSocket that does what the test says, and as much of a page as a socket listens to.

export let sockets = [];
export const listeners = new Map();

export class FakeSocket {
  static OPEN = 1;
  static CLOSED = 3;

  constructor(url) {
    this.url = url;
    this.readyState = 0;
    this.said = [];
    sockets.push(this);
  }

  send(text) {
    this.said.push(JSON.parse(text));
  }

  close(code = 1005) {
    this.readyState = FakeSocket.CLOSED;
    this.onclose?.({ code });
  }

  open() {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }

  tell(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

export function installSockets() {
  const kept = new Map();
  const listening = {
    addEventListener: (name, act) => listeners.set(name, act),
    removeEventListener: (name) => listeners.delete(name),
  };
  Object.assign(globalThis, {
    WebSocket: FakeSocket,
    location: { protocol: "http:", host: "here" },
    document: { ...listening, visibilityState: "visible" },
    localStorage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, value),
      removeItem: (key) => kept.delete(key),
    },
    ...listening,
  });
  return kept;
}

export const forgetSockets = () => (sockets = []);
