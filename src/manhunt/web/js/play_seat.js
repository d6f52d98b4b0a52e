// One seat that is held on this page, or a spectator: its socket, and what it was sent.

import { SeatFeed } from "./seat_feed.js";
import { Socket } from "./wire.js";

export class HeldSeat extends SeatFeed {
  // `seat` may be null for somebody at a table: the server says which seat they hold. `wants` names one of several.
  constructor(seat, token, { uid, heard, changed, wants = null }) {
    super(seat ?? "spectator");
    this.token = token;
    this.wants = wants;
    this.opened = null;
    this.places = null;
    this.person = null;
    this.socket = new Socket(uid, token, {
      heard: (message) => heard(this, message),
      changed: (state, words) => changed(this, state, words),
      hello: () => ({ since: this.socket?.since ?? 0, ...(this.wants ? { seat: this.wants } : {}) }),
    });
  }

  // The first message, also after each time the connection was lost.
  open(message) {
    this.opened = message;
    const { you } = message.room;
    if (you?.seat) this.seat = you.seat;
    this.person = you?.person ?? null;
    this.places = you?.places ?? null;
  }

  // All seats of this person, where a table says so.
  get seats() {
    return this.opened?.room.you?.seats ?? [];
  }

  startOver() {
    this.reset();
    this.socket.since = 0;
  }
}
