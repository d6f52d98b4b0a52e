// Questions to the server about the game that is shown.

import { askingWords, busy } from "./shell.js";
import { api } from "./wire.js";

export class Asking {
  // `host` is where it says that something takes a while.
  constructor(uid, host) {
    this.uid = uid;
    this.host = host;
    this.waiting = new Map();
  }

  // An insight for the seat that is shown; asking the same again gives up the first, unless it is quiet. A `passing`
  // question is of no use after the next move; `words` say what is being worked out. Whoever looks at an earlier moment
  // than the newest asks about that one.
  ask(held, what, params = {}, { quiet = false, passing = false, words } = {}) {
    const then = held.nPlies ? { v: held.last.v } : {};
    const seat = held.wants ? { seat: held.wants } : {};
    const query = new URLSearchParams({ ...params, ...then, ...seat }).toString();
    const path = `/api/games/${this.uid}/insights/${what}${query ? `?${query}` : ""}`;
    const fetching = (signal) => api(path, { token: held.token, signal });
    if (quiet) return fetching();
    this.waiting.get(what)?.abort();
    const mine = Object.assign(new AbortController(), { passing });
    this.waiting.set(what, mine);
    return busy(this.host, askingWords(what, words), (signal) => fetching(AbortSignal.any([signal, mine.signal])));
  }

  // Questions about a moment that has passed.
  giveUp() {
    for (const asked of this.waiting.values()) if (asked.passing) asked.abort();
  }

  // What a seat could have found out at the end of a finished game.
  async lookBack(seat, what) {
    this.last ??= api(`/api/games/${this.uid}/replay`).then((head) => head.last);
    return api(`/api/games/${this.uid}/replay/${seat}/${await this.last}/insights/${what}`);
  }
}
