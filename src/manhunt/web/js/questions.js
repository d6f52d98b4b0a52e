// Questions about the moment that is shown. An answer that comes when the moment has passed is dropped.

export class Questions {
  // `ask(what, params, options)` asks the server, `moment()` is what is shown, `complain(error)` hears of failures.
  constructor({ ask, moment, complain }) {
    this.ask = ask;
    this.moment = moment;
    this.complain = complain;
    this.closed = false;
    this.learning = false;
    this.again = null;
  }

  // Nothing is answered any more.
  close() {
    this.closed = true;
  }

  // The answer; null if there is none, or if it comes too late.
  async answer(what, params = {}, options = {}, failed = this.complain) {
    const asked = this.moment();
    try {
      const found = await this.ask(what, params, options);
      return this.closed || asked !== this.moment() ? null : found;
    } catch (error) {
      failed(error);
      return null;
    }
  }

  // Runs `work`, one at a time: all that is wanted meanwhile is done by one call of the newest `again` at the end.
  async learn(work, again) {
    if (this.learning) {
      this.again = again;
      return;
    }
    this.learning = true;
    try {
      await work();
    } finally {
      this.learning = false;
      const { again: wanted } = this;
      this.again = null;
      if (wanted && !this.closed) wanted();
    }
  }
}
