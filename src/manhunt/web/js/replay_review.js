// Who looks at a finished game together, who leads, and whether this page follows: plain data, and what to do next.

export class Review {
  constructor() {
    this.me = null;
    this.token = null;
    this.people = [];
    this.leader = null;
    this.cursor = null; // where the leader looks
    this.following = true;
    this.told = "";
    this.wantsLead = false; // also after the server was started again
  }

  get leads() {
    return this.me !== null && this.leader === this.me;
  }

  // The name of whoever leads; null if nobody does, or if they are away for a moment.
  get leaderName() {
    return this.people.find((each) => each.id === this.leader)?.name ?? null;
  }

  // What the socket says; the answer is what the page has to do: {go: moment}, {reload: true}, {lead: true},
  // {say: words} or null.
  hear(message) {
    if (message.t === "you") {
      this.me = message.id;
      this.token = message.token;
      this.told = "";
    } else if (message.t === "here") {
      this.people = message.people;
      this.leader = message.leader;
      if (this.leader !== null) this.wantsLead = this.leads;
      else if (this.wantsLead) return { lead: true };
    } else if (message.t === "at") {
      const { variation, ply, track } = message;
      this.cursor = { variation, ply, track };
      if (this.following && !this.leads) return { go: this.cursor };
    } else if (message.t === "tree") return { reload: true };
    else if (message.t === "error") return { say: message.what };
    return null;
  }

  // This page shows another moment; `byHand` where its own person went there. The answer is what to send, or null.
  moved(moment, { byHand = true } = {}) {
    if (this.leads) {
      const text = JSON.stringify(moment);
      if (text === this.told) return null;
      this.told = text;
      return { t: "at", ...moment };
    }
    if (byHand && this.leader !== null && this.cursor && !same(moment, this.cursor)) this.following = false;
    return null;
  }

  // Follow again, or no longer. The answer is where to go, or null.
  follow(on) {
    this.following = on;
    return on && this.leader !== null && !this.leads ? this.cursor : null;
  }

  // Who is here, in a few words.
  get words() {
    const n = this.people.length;
    const others = n - 1;
    if (n <= 1) return "Only you are here.";
    return `${others} ${others === 1 ? "other is" : "others are"} here.`;
  }
}

function same(a, b) {
  return a.variation === b.variation && a.ply === b.ply && a.track === b.track;
}
