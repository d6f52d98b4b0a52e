// What one seat has been sent: what waits to be shown, what is shown, and the story so far. Plain data.

// With so much waiting, nobody is made to wait for the plies one by one.
const MOST_WAITING = 12;

export class SeatFeed {
  constructor(seat) {
    this.seat = seat;
    this.queue = [];
    this.story = [];
    this.last = null;
    this.go = null;
    this.shownAt = 0;
  }

  // Moves were taken back: everything is told again from the beginning.
  reset() {
    this.queue = [];
    this.story = [];
    this.last = null;
    this.go = null;
  }

  // Whose turn it is; a scene after drafted moves looks as if the turn were over already.
  get turn() {
    if (this.last?.draft) return this.seat;
    return this.last?.scene.turn ?? null;
  }

  get nPlies() {
    return this.queue.filter((message) => message.t === "observe").length;
  }

  hear(message) {
    this.queue.push(message);
  }

  // Milliseconds until the next message may be shown: none before `pace` has passed since the last ply, unless it is
  // nothing new. Infinity where nothing waits, or where the next ply has to wait for somebody.
  delay({ now, pace, paused = false }) {
    const [message] = this.queue;
    if (!message) return Infinity;
    if (!this.#isNews(message)) return 0;
    if (paused) return Infinity;
    return this.queue.length > MOST_WAITING ? 0 : Math.max(0, this.shownAt + pace - now);
  }

  // The next message becomes what is shown: {message, isNews}; null if none waits.
  showNext(now) {
    const message = this.queue.shift();
    if (!message) return null;
    const isNews = this.#isNews(message);
    if (message.t === "go") {
      this.go = message;
    } else {
      this.last = message;
      this.go = null;
      this.shownAt = now;
      this.story.push(...message.sentences.map((text) => ({ text, round: message.scene.round })));
    }
    return { message, isNews };
  }

  #isNews(message) {
    return message.t === "observe" && this.last !== null && message.v > this.last.v;
  }
}
