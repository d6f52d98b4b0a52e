// Parts of the replay page: turns, judgement, what if, notes, downloads.

import { capital, el, plural, replace } from "./dom.js";
import { SIGNS } from "./replay_analysis.js";
import { announce, complain, rememberGame } from "./shell.js";
import { api, followJob } from "./wire.js";

// Work on the server with its progress and a cancel button in `host`; null if it was cancelled.
export async function job(host, words, path) {
  const control = new AbortController();
  const bar = el("progress", { max: 1, "aria-label": words });
  const says = el("span", { class: "clock" }, words);
  const strip = el("div", { class: "busy", role: "status" }, says, bar, el("button", { type: "button", onclick: () => control.abort() }, "Cancel"));
  host.prepend(strip);
  try {
    const begun = await api(path, { method: "POST", signal: control.signal });
    return await followJob(begun.job, {
      signal: control.signal,
      told: ({ done, total, words: now }) => {
        says.textContent = now ? `${words}: ${now}` : words;
        if (total) bar.value = done / total;
      },
    });
  } catch (error) {
    if (error.name === "AbortError") return null;
    throw error;
  } finally {
    strip.remove();
  }
}

// -- turns ------------------------------------------------------------------------------------------

export class Turns {
  constructor(head, go) {
    this.head = head;
    this.element = el("div", { class: "turns", tabindex: "0", role: "group", "aria-label": "All turns" });
    this.buttons = new Map();
    const rounds = new Map();
    for (const step of head.steps) {
      if (!rounds.has(step.round)) rounds.set(step.round, []);
      rounds.get(step.round).push(step);
    }
    for (const [round, steps] of rounds) {
      const row = steps.map((step) => {
        const button = el("button", { type: "button", class: step.seat ?? null, onclick: () => go(step.ply) });
        this.buttons.set(step.ply, button);
        return button;
      });
      this.element.append(el("div", { class: "turn-round" }, el("span", { class: "quiet" }, round), el("div", {}, row)));
    }
    this.marks = [];
  }

  show(now, track) {
    for (const { first, ply, told, seat } of this.head.steps) {
      const button = this.buttons.get(ply);
      const inside = this.marks.filter((move) => move.ply >= first && move.ply < ply);
      const mark = inside.sort((one, other) => other.lost - one.lost)[0];
      const seen = mark && (track === "truth" || track === seat) ? mark : null;
      button.textContent = `${told[track]}${seen ? ` ${SIGNS[seen.mark]}` : ""}`;
      for (const name of Object.keys(SIGNS)) button.classList.toggle(name, seen?.mark === name);
      button.title = seen ? seen.words : "";
      if (ply === now) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    const current = this.buttons.get(now);
    const box = this.element;
    box.scrollTop = current ? Math.max(0, current.offsetTop - box.clientHeight / 2) : 0;
  }
}

// -- what if ----------------------------------------------------------------------------------------

const SHOWN = 60;

export class WhatIf {
  // `attempt(action)` puts a move into the tree of variations.
  constructor(head, attempt) {
    this.head = head;
    this.ply = null;
    this.action = null;
    this.lead = el("p", { class: "quiet" });
    this.filter = el("input", { type: "text", placeholder: "Find a move", "aria-label": "Find a move", oninput: () => this.#list() });
    this.list = el("div", { class: "moves options", role: "group", "aria-label": "Possible moves" });
    this.agents = el("select", { "aria-label": "Agent on the other seat" });
    this.start = el("button", { type: "button", class: "primary", onclick: () => this.#begin() }, "Play on from here");
    this.other = el("label", { class: "field" }, el("span", {}), this.agents);
    this.attempt = el("button", { type: "button", onclick: () => attempt(this.action) }, "Add to the variations");
    this.element = el("div", { class: "stack" }, this.lead, this.filter, this.list, this.other, el("div", { class: "row" }, this.start, this.attempt));
    this.catalog = null;
  }

  // The ply that is shown; what can be done there is asked for when the panel is looked at.
  at(ply, variation) {
    if (ply === this.ply && variation === this.variation) return;
    this.ply = ply;
    this.variation = variation;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#load(ply, variation).catch(complain), 250);
  }

  async #load(ply, variation) {
    this.catalog ??= api("/api/catalog");
    const [here, catalog] = await Promise.all([api(`/api/games/${this.head.uid}/branches/${ply}?variation=${variation}`), this.catalog]);
    if (ply !== this.ply || variation !== this.variation) return;
    this.here = here;
    this.action = null;
    this.filter.value = "";
    const over = !here.seat || here.seat === "chance";
    this.filter.hidden = over || here.options.length <= 12;
    this.list.hidden = this.other.hidden = over;
    this.start.disabled = over;
    const { called } = this.head;
    const played = this.#words(here.played);
    this.lead.textContent = over
      ? here.seat ? "Chance acts here. Go to a player’s turn." : "The game is over here. Go back in the game and try another move."
      : `${capital(called[here.seat])} acted here${played ? ` (${played})` : ""}. Take this seat, choose another move if you like, and play on against an agent.`;
    if (!over) this.#fillAgents(catalog);
    this.#list();
  }

  #fillAgents(catalog) {
    const other = this.here.seat === "evader" ? "pursuers" : "evader";
    const found = catalog.games.find((game) => game.name === this.head.game)?.seats[other].agents ?? [];
    const old = this.agents.value;
    const own = this.head.seats[other];
    this.other.firstElementChild.textContent = `${this.head.names[other]} (the other seat)`;
    replace(this.agents, found.map((agent) => el("option", { value: agent.spec }, `${agent.title || agent.name} ${"●".repeat(agent.strength ?? 0)}`)));
    const best = found.some((agent) => agent.spec === old) ? old : found.some((agent) => agent.spec === own) ? own : found[0]?.spec;
    if (best) this.agents.value = best;
  }

  #list() {
    const { options = [], played } = this.here ?? {};
    const wanted = this.filter.value.trim().toLowerCase();
    const fitting = options.filter(({ action, words }) => `${action} ${words}`.toLowerCase().includes(wanted));
    const chosen = (action) => String(this.action === action);
    const rows = fitting.slice(0, SHOWN).map(({ action, words }) =>
      el(
        "button",
        { type: "button", "data-action": action, "aria-pressed": chosen(action), onclick: () => this.#choose(action) },
        words,
        action === played ? el("small", {}, "played") : null,
      ),
    );
    const more = fitting.length > SHOWN ? el("p", { class: "quiet" }, `${fitting.length - SHOWN} more: type to find them`) : null;
    replace(this.list, rows, more);
    this.attempt.disabled = !this.action;
    this.start.textContent = this.action ? `Play on: ${this.#words(this.action)}` : "Play on from here";
  }

  #choose(action) {
    this.action = this.action === action ? null : action;
    this.#list();
    this.list.querySelector(`[aria-pressed="true"]`)?.focus();
    announce(this.action ? `Chosen: ${this.#words(this.action)}` : "No move chosen");
  }

  #words(action) {
    return this.here.options.find((option) => option.action === action)?.words ?? action;
  }

  async #begin() {
    const { seat } = this.here;
    const body = { ply: this.ply, variation: this.variation, seat, agent: this.agents.value, ...(this.action ? { action: this.action } : {}) };
    this.start.disabled = true;
    try {
      const begun = await api(`/api/games/${this.head.uid}/branches`, { method: "POST", body });
      rememberGame({ uid: begun.uid, game: this.head.game, links: begun.links, at: Date.now() });
      location.assign(begun.links[seat]);
    } catch (error) {
      complain(error);
    } finally {
      this.start.disabled = false;
    }
  }
}

// -- notes ------------------------------------------------------------------------------------------

export class Notes {
  constructor(uid, token) {
    this.path = `/api/games/${uid}/notes`;
    this.token = token;
    this.area = el("textarea", { rows: 5, maxlength: 20000, "aria-label": "Notes on this game", disabled: true, oninput: () => this.#changed(), onblur: () => this.#save() });
    this.state = el("p", { class: "quiet", role: "status" }, "\u00a0");
    this.element = el("div", { class: "stack" }, this.area, this.state);
    this.#load();
  }

  async #load() {
    try {
      const { text, mine } = await api(this.path, { token: this.token });
      this.kept = this.area.value = text;
      this.area.disabled = !mine;
      if (!mine) this.state.textContent = "Only the players of this game can write here.";
    } catch (error) {
      this.state.textContent = error.message;
    }
  }

  #changed() {
    this.state.textContent = "Not saved yet";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#save(), 900);
  }

  async #save() {
    clearTimeout(this.timer);
    const text = this.area.value;
    if (text === this.kept || this.area.disabled) return;
    try {
      await api(this.path, { method: "PUT", body: { text }, token: this.token });
      this.kept = text;
      this.state.textContent = "Saved";
    } catch (error) {
      this.state.textContent = `Not saved: ${error.message}`;
      this.timer = setTimeout(() => this.#save(), 5000);
    }
  }
}

// -- downloads --------------------------------------------------------------------------------------

export function downloads(head, track) {
  const base = `/api/games/${head.uid}`;
  const host = el("div", { class: "stack" });
  const film = el("button", { type: "button", onclick: () => make() }, "GIF");
  const row = el(
    "div",
    { class: "row" },
    el("a", { class: "button", href: `${base}/record`, download: "" }, "Record"),
    el("a", { class: "button", href: `${base}/replay.html`, download: "" }, "Page"),
    el("a", { class: "button", href: `${base}/tree?download=true`, download: "" }, "Variations"),
    film,
  );
  const make = async () => {
    film.disabled = true;
    try {
      const made = await job(host, "Drawing", `${base}/film?track=${track()}`);
      if (!made) return;
      const link = el("a", { href: made.url, download: "", class: "button" }, `Save the GIF (${Math.ceil(made.bytes / 1024)} kB)`);
      film.replaceWith(link);
      link.focus();
      announce("The GIF is ready");
    } catch (error) {
      complain(error);
    } finally {
      film.disabled = false;
    }
  };
  host.append(
    row,
    el("p", { class: "quiet" }, `Record: text for manhunt's commands. Page: one HTML file that opens without a server, with the comments. Variations: JSON, with the comments. GIF: ${plural(head.steps.length + 1, "picture")} of what is shown now, ready in a moment.`),
    el("div", { class: "row" }, linkButton()),
  );
  return host;
}

// The address changes with the moment, so it is read when it is wanted.
function linkButton() {
  const button = el("button", { type: "button" }, "Copy link to this moment");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
      announce("Copied");
    } catch {
      button.textContent = "Copy the address by hand";
    }
    setTimeout(() => (button.textContent = "Copy link to this moment"), 2500);
  });
  return button;
}
