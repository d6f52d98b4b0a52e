// A table before, between and after its games: who sits where, the invitation, options, chat, start.

import { chatPanel } from "./chat.js";
import { el, replace } from "./dom.js";
import { invitation } from "./invitation.js";
import { askName, complain, playerName, rememberToken, shell } from "./shell.js";
import { TableLink, forgetTable } from "./table_link.js";
import { optionsForm, optionsWords } from "./table_options.js";
import { drawPlaces } from "./table_places.js";
import { api } from "./wire.js";

const $ = (id) => document.getElementById(id);
const [, , uid] = location.pathname.split("/");

class TablePage {
  constructor(games, server) {
    this.games = games;
    this.server = server;
    this.waiting = []; // what is to be done once this browser is a person at the table
    this.link = new TableLink(uid, {
      changed: (state) => this.draw(state),
      failed: complain,
      connection: (state, words) => this.connection(state, words),
    });
  }

  get game() {
    return this.games.find((game) => game.name === this.link.state.game);
  }

  connection(state, words) {
    document.body.classList.toggle("lost", state === "lost");
    if (state === "lost") $("who").textContent = words;
    if (state === "refused") this.refused(words);
  }

  refused(words) {
    forgetTable(uid);
    $("title").textContent = "This table cannot be opened";
    $("who").textContent = `${words}.`.replace(/\.\.$/, ".");
    replace($("go"), el("a", { class: "button primary", href: "/" }, "Back to the games"));
    replace($("places"));
    replace($("side"));
    replace($("options"));
  }

  // -- who I am -----------------------------------------------------------------------------------------

  // Does something that needs a person: asks for the name and joins first.
  async asPerson(act) {
    if (this.link.me !== null) return act();
    const name = await askName();
    if (!name) return;
    this.waiting.push(act);
    this.link.join(name);
  }

  async rename() {
    const name = await askName({ again: true });
    if (name) this.link.rename(name);
  }

  // -- drawing ------------------------------------------------------------------------------------------

  draw(state) {
    if (this.leaves(state)) return;
    if (!this.side) this.drawSide();
    if (this.link.me !== null) for (const act of this.waiting.splice(0)) act();
    document.title = `manhunt: ${state.title}, table`;
    $("title").textContent = state.title;
    $("who").textContent = this.words(state);
    replace($("news"), this.news(state));
    replace($("go"), this.buttons(state));
    drawPlaces($("places"), this.link, this.game, (act) => this.asPerson(act));
    this.drawPeople(state);
    this.drawOptions(state);
  }

  // Goes to the game when it begins, or at once if it runs and this person has a place in it.
  leaves(state) {
    const before = this.play;
    this.play = state.play;
    if (state.state !== "playing") return false;
    const begun = before !== undefined && before !== state.play;
    const stays = location.hash === "#stay" || new URLSearchParams(location.search).has("stay");
    const mine = this.link.places.length > 0 && !stays;
    if (!begun && !mine) return false;
    this.link.close();
    location.replace(`/play/${state.play}?table=${uid}`);
    return true;
  }

  words(state) {
    const host = this.link.person(state.host);
    const rules = [state.preset, state.board].filter(Boolean).join(", ");
    const whose = this.link.isHost ? "Your table" : `${host?.name ?? "A"}’s table`.replace("A’s", "A");
    return `${whose}${rules ? ` · rules: ${rules}` : ""}`;
  }

  // The game that runs or was played last, and the score.
  news(state) {
    if (state.state === "playing") {
      return el("div", { class: "card now" }, el("p", {}, "A game is being played at this table."), el("a", { class: "button primary", href: this.gameAddress }, this.link.places.length ? "Back to the game" : "Watch"));
    }
    const last = state.series?.at(-1);
    if (!last) return null;
    if (this.link.token) rememberToken(last.play, this.link.token);
    const score = state.score.filter((each) => each.wins || state.score.length <= 6).map((each) => el("li", {}, el("b", {}, each.wins), ` ${each.id === this.link.me ? "You" : each.name}`));
    return el(
      "div",
      { class: "card now" },
      el("div", {}, el("p", {}, `Game ${state.series.length}: ${last.words}`), el("ul", { class: "score", "aria-label": "Games won" }, score)),
      el("a", { class: "button", href: `/replay/${last.play}` }, "Replay"),
    );
  }

  get gameAddress() {
    return `/play/${this.link.state.play}?table=${uid}`;
  }

  buttons(state) {
    const { link } = this;
    if (link.me === null) return el("button", { type: "button", class: "primary big", onclick: () => this.asPerson(() => {}) }, playerName() ? `Join as ${playerName()}` : "Join the table");
    if (state.state === "over") return this.rematchButtons(state);
    if (state.state === "playing") return null;
    if (!link.isHost) return el("p", { class: "quiet" }, `${link.person(state.host)?.name ?? "The host"} starts the game.`);
    const nobody = state.places.every((place) => place.holder === null);
    return [el("button", { type: "button", class: "primary big", onclick: () => link.start(), disabled: nobody }, "Start the game"), nobody ? el("p", { class: "quiet" }, "Take a place first, or wait for others.") : null];
  }

  rematchButtons(state) {
    const { link } = this;
    const asked = state.rematch;
    const agreed = asked?.agreed.includes(link.me);
    const ask = (swap, words, primary) => el("button", { type: "button", class: primary ? "primary" : null, onclick: () => link.rematch(swap), disabled: agreed && asked.swap === swap }, words);
    const names = asked?.agreed.filter((id) => id !== link.me).map((id) => link.person(id)?.name);
    const words = !asked ? null : agreed ? "Waiting for the others to agree." : `${names.join(", ")} would like ${asked.swap ? "to swap sides and play again" : "a rematch"}.`;
    return [el("div", { class: "row" }, ask(false, "Rematch", !asked || !asked.swap), ask(true, "Swap sides", asked?.swap)), words ? el("p", { class: "quiet" }, words) : null];
  }

  drawSide() {
    this.people = el("section", { class: "card people" });
    this.options = el("section", { class: "card" });
    this.chat = el("section", { class: "card talk" }, el("h2", {}, "Chat"), chatPanel(this.link));
    this.side = [invitation(uid, this.server), this.people, this.chat];
    replace($("side"), this.side);
    replace($("options"), this.options);
  }

  drawPeople(state) {
    const rows = state.people.map((person) => {
      const mine = person.id === this.link.me;
      const about = [person.id === state.host ? "host" : "", person.here ? "" : "not here"].filter(Boolean).join(", ");
      return el("li", { class: person.here ? "here" : null }, el("i", { class: "dot", "aria-hidden": "true" }), el("b", {}, person.name), mine ? " (you)" : "", about ? el("span", { class: "quiet" }, ` ${about}`) : null, mine ? el("button", { type: "button", class: "plain", onclick: () => this.rename() }, "Change name") : null);
    });
    replace(this.people, el("h2", {}, "People"), rows.length ? el("ul", {}, rows) : el("p", { class: "quiet" }, "Nobody has joined yet."));
  }

  drawOptions(state) {
    const may = this.link.isHost && state.state !== "playing";
    const key = JSON.stringify([may, state.options, state.agents, state.state]);
    if (key === this.optionsShown) return;
    this.optionsShown = key;
    const hasTeam = state.places.filter((place) => place.seat === "pursuers").length > 1;
    const context = { hasTeam, lobby: this.server.lobby, called: this.game?.seats.pursuers.called ?? "the team" };
    const body = may ? optionsForm(state.options, context, (changed) => this.link.options(changed)) : el("ul", { class: "words" }, optionsWords(state.options, context).map((text) => el("li", {}, text)));
    replace(this.options, el("h2", {}, "Options"), body);
  }
}

async function open() {
  shell("home");
  try {
    const [{ games }, server] = await Promise.all([api("/api/catalog"), api("/api/server")]);
    new TablePage(games, server);
  } catch (error) {
    complain(error);
    setTimeout(() => location.reload(), 4000);
  }
}

open();
