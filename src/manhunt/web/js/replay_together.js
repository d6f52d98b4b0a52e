// The panel for looking at a game together: who is here, who leads, follow or not; and its socket.

import { capital, el, replace } from "./dom.js";
import { Review } from "./replay_review.js";
import { announce, askName, complain, copyButton, playerName } from "./shell.js";
import { Socket } from "./wire.js";

export class Together {
  // `page` has uid, moment (variation, ply, track), visit(moment), reload() and address(moment).
  constructor(page) {
    this.page = page;
    this.review = new Review();
    this.socket = null;
    this.state = "closed";
    this.element = el("div", { class: "stack together" });
    this.draw();
  }

  get isOn() {
    return this.socket !== null;
  }

  open() {
    if (this.socket) return;
    const { uid } = this.page;
    this.socket = new Socket(uid, null, {
      path: `/api/games/${uid}/review`,
      greeting: "you",
      hello: () => ({ name: playerName() ?? "", token: this.review.token }),
      heard: (message) => this.#hear(message),
      changed: (state, words) => this.#connection(state, words),
    });
    this.page.addressed();
  }

  close() {
    this.socket?.close();
    this.socket = null;
    this.review = new Review();
    this.state = "closed";
    this.page.addressed();
    this.draw();
  }

  // The page shows another moment.
  moved(byHand) {
    if (!this.socket) return;
    const before = this.review.following;
    const message = this.review.moved(this.page.moment, { byHand });
    if (message) this.socket.send(message);
    if (before && !this.review.following) {
      announce("You no longer follow");
      this.draw();
    }
  }

  #connection(state, words) {
    this.state = state;
    this.says = words;
    if (state === "open") this.page.reload().catch(complain); // what was added meanwhile
    if (state === "refused") complain(capital(words));
    this.draw();
  }

  #hear(message) {
    const led = this.review.leads;
    const todo = this.review.hear(message);
    if (todo?.go) this.page.visit(todo.go).catch(complain);
    if (todo?.reload) this.page.reload().catch(complain);
    if (todo?.lead) this.socket.send({ t: "lead", on: true });
    if (todo?.say) complain(capital(todo.say));
    if (this.review.leads && (!led || !this.review.told)) this.moved(false);
    if (message.t !== "at") this.draw();
  }

  async #lead(on) {
    if (on && !playerName()) await askName({ why: "The others see who leads. It stays in this browser." });
    if (playerName()) this.socket?.send({ t: "name", name: playerName() });
    this.review.wantsLead = on;
    this.socket?.send({ t: "lead", on });
  }

  #follow(on) {
    const to = this.review.follow(on);
    announce(on ? "You follow" : "You no longer follow");
    if (to) this.page.visit(to).catch(complain);
    this.draw();
  }

  draw() {
    if (!this.socket) {
      replace(
        this.element,
        el("p", { class: "quiet" }, "Review this game with others: one of you leads, and everyone else’s page follows."),
        el("div", { class: "row" }, el("button", { type: "button", onclick: () => this.open() }, "Review together")),
      );
      return;
    }
    const { review } = this;
    const button = (words, act, more = {}) => el("button", { type: "button", onclick: act, ...more }, words);
    const lead = review.leads
      ? button("Stop leading", () => this.#lead(false))
      : review.leader === null
        ? button("Lead", () => this.#lead(true), { class: "primary" })
        : null;
    const follow = review.leader !== null && !review.leads ? button(review.following ? "Following" : "Follow", () => this.#follow(!review.following), { "aria-pressed": String(review.following), class: "follow" }) : null;
    const names = review.people.map(({ id, name }) => {
      const more = [id === review.me ? "you" : null, id === review.leader ? "leads" : null].filter(Boolean);
      return el("li", { class: id === review.leader ? "leads" : null }, name, more.length ? el("small", { class: "quiet" }, ` ${more.join(", ")}`) : null);
    });
    replace(
      this.element,
      el("p", { role: "status", class: "here" }, this.state === "open" ? review.words : this.says),
      el("ul", { class: "people", "aria-label": "Who is here" }, names),
      el("div", { class: "row" }, lead, follow, copyButton(this.page.address({ together: true }), "Copy link for the others"), button("Leave", () => this.close())),
    );
  }
}
