// What all pages share: head, foot, theme, announcements, errors, dialogs, panels, work that takes a while.

import { el, keep, recall, replace } from "./dom.js";

const FOOT = "manhunt is an independent project, not affiliated with any game publisher.";
const PLACES = [
  ["home", "/", "Play"],
  ["learn", "/learn", "Learn"],
  ["puzzles", "/puzzles", "Puzzles"],
  ["notebook", "/notebook", "Notebook"],
  ["arena", "/arena", "Arena"],
];
const THEMES = { auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" };
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };

// Fills <header id="top"> and <footer id="foot">; `here` names the page in the navigation.
export function shell(here) {
  const links = PLACES.map(([name, href, text]) =>
    el("a", { href, "aria-current": name === here ? "page" : null }, text),
  );
  const top = document.getElementById("top");
  replace(
    top,
    el("a", { class: "skip", href: "#main" }, "Skip to content"),
    el("a", { class: "brand", href: "/" }, el("span", { class: "brand-sign", "aria-hidden": "true" }, "X"), "manhunt"),
    el("nav", { "aria-label": "Pages" }, links),
    themeButton(),
  );
  const foot = document.getElementById("foot");
  if (foot) replace(foot, el("p", {}, FOOT));
  if (matchMedia("(display-mode: standalone)").matches) keepForOffline();
  live();
}

function themeButton() {
  const button = el("button", { type: "button", class: "icon theme" });
  const show = (name) => {
    button.textContent = SIGNS[name];
    button.setAttribute("aria-label", THEMES[name]);
    button.title = THEMES[name];
  };
  let now = document.documentElement.dataset.theme ?? "auto";
  show(now);
  button.addEventListener("click", () => {
    const names = Object.keys(THEMES);
    now = names[(names.indexOf(now) + 1) % names.length];
    if (now === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = now;
    try {
      localStorage.setItem("manhunt-theme", now);
    } catch {
      // it lasts as long as this page
    }
    show(now);
    announce(THEMES[now]);
  });
  return button;
}

// The notebook works without a connection from its second visit on, the installed app from its first.
export function keepForOffline() {
  navigator.serviceWorker?.register("/service_worker.js").catch(() => {}); // without one it needs the server
}

// -- words for everybody ------------------------------------------------------------------------------

function live() {
  let region = document.getElementById("live");
  if (!region) {
    region = el("div", { id: "live", class: "unseen", "aria-live": "polite", role: "status" });
    document.body.append(region);
  }
  return region;
}

// Read out by screen readers; the newest words stand.
export function announce(text) {
  if (!text) return;
  const region = live();
  replace(region, el("span", {}, text));
}

// An error in words at the foot of the page; it goes away by itself or by its button.
export function complain(error) {
  if (error?.name === "AbortError") return;
  const words = typeof error === "string" ? error : error.message;
  document.querySelector(".toast")?.remove();
  const toast = el(
    "div",
    { class: "toast", role: "alert" },
    el("span", {}, words),
    el("button", { type: "button", class: "icon", "aria-label": "Dismiss", onclick: () => toast.remove() }, "✕"),
  );
  (document.querySelector("dialog[open]") ?? document.body).append(toast); // a dialog lies upon everything else
  setTimeout(() => toast.remove(), 9000);
}

// -- dialogs ------------------------------------------------------------------------------------------

// Asks a question; true if the first answer was chosen.
export function confirmed(question, yes, no = "Cancel") {
  return new Promise((answer) => {
    const dialog = el(
      "dialog",
      { class: "small", "aria-label": question },
      el("p", {}, question),
      el(
        "div",
        { class: "row end" },
        el("button", { type: "button", onclick: () => dialog.close("no"), autofocus: true }, no),
        el("button", { type: "button", class: "danger", onclick: () => dialog.close("yes") }, yes),
      ),
    );
    dialog.addEventListener("close", () => {
      answer(dialog.returnValue === "yes");
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

// A button that puts a text into the clipboard.
export function copyButton(text, words = "Copy link") {
  const button = el("button", { type: "button" }, words);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
      announce("Copied");
    } catch {
      button.textContent = "Select it and copy by hand";
    }
    setTimeout(() => (button.textContent = words), 2500);
  });
  return button;
}

// -- panels: side by side with the board, tabs on a phone ---------------------------------------------

export class Panels {
  constructor(side) {
    this.side = side;
    side.classList.add("panels");
    this.bar = el("div", { class: "tabs", role: "tablist", "aria-label": "Panels" });
    side.prepend(this.bar);
    this.all = [];
  }

  // A section with a heading; on a phone it is one of the tabs. Returns the element for its content.
  add(title, { name = title.toLowerCase().replace(/\W+/g, "-"), first = false } = {}) {
    const id = `panel-${name}`;
    const body = el("div", { class: "panel-body" });
    const section = el("section", { id, class: "panel", "data-part": name }, el("h2", {}, title), body);
    const tab = el(
      "button",
      { type: "button", role: "tab", "aria-controls": id, "aria-selected": "false", onclick: () => this.show(name) },
      title,
    );
    const entry = { name, section, tab };
    if (first) {
      this.all.unshift(entry);
      this.bar.prepend(tab);
      this.bar.after(section);
    } else {
      this.all.push(entry);
      this.bar.append(tab);
      this.side.append(section);
    }
    this.show(this.all[0].name);
    return body;
  }

  show(name) {
    for (const entry of this.all) {
      const chosen = entry.name === name;
      entry.tab.setAttribute("aria-selected", String(chosen));
      entry.tab.tabIndex = chosen ? 0 : -1;
      entry.section.classList.toggle("chosen", chosen);
    }
  }

  clear() {
    for (const entry of this.all) {
      entry.tab.remove();
      entry.section.remove();
    }
    this.all = [];
  }
}

// Arrow keys go through the tabs of a tab list.
document.addEventListener("keydown", (event) => {
  const list = event.target.closest?.("[role=tablist]");
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!list || !step) return;
  const tabs = [...list.children];
  const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
  event.preventDefault();
});

// -- work that takes longer than a moment -------------------------------------------------------------

// What is said while a question is worked out that every game may have; others bring their own words.
const ASKING = { hint: "Thinking of a hint", belief: "Working out what can be known" };

export function askingWords(what, words) {
  return words ?? ASKING[what] ?? "Working";
}

// Runs work(signal) and shows `words`, the seconds and a cancel button in `host` once it takes longer than a moment.
// Returns what the work returns; cancelling rejects with an AbortError.
export async function busy(host, words, work) {
  const control = new AbortController();
  const began = Date.now();
  const clock = el("span", { class: "clock" });
  const says = el("span", {}, words);
  const strip = el(
    "div",
    { class: "busy", role: "status" },
    el("span", { class: "spinner", "aria-hidden": "true" }),
    says,
    clock,
    el("button", { type: "button", onclick: () => control.abort() }, "Cancel"),
  );
  const tick = () => {
    const seconds = (Date.now() - began) / 1000;
    if (seconds > 0.45 && !strip.isConnected) host.prepend(strip);
    clock.textContent = seconds >= 1 ? `${Math.floor(seconds)} s` : "";
  };
  const timer = setInterval(tick, 150);
  try {
    return await work(control.signal, (text) => (says.textContent = text));
  } finally {
    clearInterval(timer);
    strip.remove();
  }
}

// -- the player's name --------------------------------------------------------------------------------

const LONGEST_NAME = 24;

// The name that was given here, or null.
export function playerName() {
  return recall("name");
}

// Keeps a name; spaces at its ends and signs that are not printed go away. Returns it, or null if nothing is left.
export function keepName(text) {
  const name = [...text.replace(/\p{C}+/gu, "").replace(/\s+/g, " ").trim()].slice(0, LONGEST_NAME).join("").trim();
  if (name) keep("name", name);
  return name || null;
}

// The player's name, asked for the first time; null if no answer was given.
export async function askName({ again = false, why = "Other players see it. It is kept in this browser." } = {}) {
  const known = playerName();
  if (known && !again) return known;
  return new Promise((answer) => {
    const input = el("input", { type: "text", name: "name", maxlength: LONGEST_NAME, autocomplete: "nickname", value: known ?? "", required: true, autofocus: true });
    const dialog = el(
      "dialog",
      { class: "small naming", "aria-label": "Your name" },
      el(
        "form",
        { method: "dialog", class: "stack" },
        el("label", { class: "field" }, el("span", {}, "Your name"), input),
        el("p", { class: "quiet" }, why),
        el("div", { class: "row end" }, el("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), el("button", { type: "submit", class: "primary", value: "yes" }, "OK")),
      ),
    );
    dialog.addEventListener("close", () => {
      answer(dialog.returnValue === "yes" ? keepName(input.value) : null);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
    input.select();
  });
}

// -- games of this browser ----------------------------------------------------------------------------

// Links of games that were begun here, so that one finds back: {uid, game, links, body, at}.
export function rememberGame(entry) {
  keep("games", [entry, ...recall("games", []).filter((old) => old.uid !== entry.uid)].slice(0, 60));
}

export function rememberedGame(uid) {
  return recall("games", []).find((entry) => entry.uid === uid) ?? null;
}

// Secrets of seats that were held and of runs that were begun here: they prove later that it was us.
export function rememberToken(id, token) {
  const others = Object.entries(recall("tokens", {})).filter(([old]) => old !== id);
  keep("tokens", Object.fromEntries([...others.slice(-100), [id, token]]));
}

export function tokenOf(id) {
  return recall("tokens", {})[id];
}
