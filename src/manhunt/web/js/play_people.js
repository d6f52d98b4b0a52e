// The people at the table of a game: chat, reactions, the next game.

import { chatPanel } from "./chat.js";
import { el } from "./dom.js";
import { announce, complain } from "./shell.js";
import { TableLink } from "./table_link.js";

const OLD_SECONDS = 30;

export class TablePeople {
  // `changed()` hears that something at the table is different now, `signals` call for the player.
  constructor(table, { uid, stage, signals, changed }) {
    this.uid = uid;
    this.stage = stage;
    this.signals = signals;
    this.link = new TableLink(table, { changed, connection: changed, said: (message) => this.#said(message), reacted: (message) => this.#reacted(message), failed: complain });
  }

  get state() {
    return this.link.state;
  }

  nameOf(id) {
    return this.link.person(id)?.name ?? "a teammate";
  }

  // Whether this person plays in the game that the table is at.
  get plays() {
    return Boolean(this.state) && this.link.places.length > 0 && this.state.play === this.uid;
  }

  // Where the table has gone on to, when another game has begun; null while it is at this one.
  get nextGame() {
    const { play, state } = this.state ?? {};
    return play && play !== this.uid && state === "playing" ? `/play/${play}?table=${this.link.uid}` : null;
  }

  get isAlone() {
    return (this.state?.people.length ?? 1) < 2;
  }

  // The chat as the second of the panels; on a phone its tab counts what was not read.
  addChat(panels) {
    const [first] = panels.all;
    const body = panels.add("Chat");
    const { tab, section } = panels.all.at(-1);
    first.tab.after(tab);
    first.section.after(section);
    const count = (n) => (tab.textContent = n ? `Chat (${n})` : "Chat");
    this.chat?.close();
    this.chat = chatPanel(this.link, { unread: count });
    body.append(this.chat);
    tab.addEventListener("click", () => this.chat.seen());
  }

  #said({ id, name, text, at }) {
    if (id !== this.link.me && Date.now() / 1000 - at < OLD_SECONDS) this.signals.mention(`${name} says`, text);
  }

  // Over the board for a moment.
  #reacted({ name, sign }) {
    const bubble = el("div", { class: "reaction", "aria-hidden": "true" }, el("span", {}, sign), el("small", {}, name));
    bubble.style.setProperty("left", `${8 + 70 * Math.random()}%`);
    this.stage.append(bubble);
    setTimeout(() => bubble.remove(), 2600);
    announce(`${name}: ${sign}`);
  }
}
