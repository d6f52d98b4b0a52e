// Chat of a table: everybody's and one's team's, with quick reactions.

import { el, keyed, replace } from "./dom.js";

// The reactions that the server passes on.
export const SIGNS = [
  ["👍", "Well done"],
  ["👏", "Applause"],
  ["😂", "Laughing"],
  ["😮", "Surprised"],
  ["🤔", "Thinking"],
  ["😱", "Scared"],
  ["🔥", "Hot"],
  ["👋", "Hello"],
];
const LONGEST = 300;
const NAMES = { table: "Everyone", team: "Team" };

// An element with the chat of a TableLink; `unread(n)` hears how many messages of others nobody has looked at here.
// Whoever shows the element after it was hidden calls its `seen()`.
export function chatPanel(link, { unread = () => {} } = {}) {
  let shown = "table";
  const log = el("div", { class: "chat-log", role: "log", "aria-label": "Chat", tabindex: 0 });
  const tabs = el("div", { class: "chat-tabs", role: "tablist", "aria-label": "Who reads it" });
  const input = el("input", { type: "text", maxlength: LONGEST, autocomplete: "off", enterkeyhint: "send", "aria-label": "Message" });
  const form = el("form", { class: "chat-form", onsubmit: say }, input, el("button", { type: "submit" }, "Send"));
  const signs = el("div", { class: "chat-signs", role: "group", "aria-label": "Reactions" }, SIGNS.map(signButton));
  const panel = el("div", { class: "chat" }, tabs, log, signs, form);

  function signButton([sign, words]) {
    return el("button", { type: "button", title: words, "aria-label": words, onclick: () => link.react(sign) }, sign);
  }

  function say(event) {
    event.preventDefault();
    const text = input.value.trim();
    if (text && link.say(shown, text)) input.value = "";
  }

  function choose(name) {
    shown = name;
    draw();
  }

  function draw() {
    const names = hasTeam(link) ? ["table", "team"] : ["table"];
    if (!names.includes(shown)) shown = "table";
    if (!document.hidden && panel.offsetParent) link.markRead(shown);
    drawTabs(names);
    drawLog();
    input.placeholder = shown === "team" ? "To your team only" : "To everyone";
    form.hidden = signs.hidden = link.me === null;
    unread(names.reduce((sum, name) => sum + link.unread(name), 0));
  }

  function drawTabs(names) {
    const focused = tabs.contains(document.activeElement);
    const tab = (name) => {
      const missed = link.unread(name);
      const chosen = name === shown;
      return el("button", { type: "button", role: "tab", "aria-selected": String(chosen), tabindex: chosen ? 0 : -1, onclick: () => choose(name) }, NAMES[name], missed ? el("b", { class: "chat-missed", "aria-label": `${missed} new` }, missed) : null);
    };
    replace(tabs, names.map(tab));
    tabs.hidden = names.length < 2;
    if (focused) tabs.querySelector("[aria-selected=true]").focus();
  }

  function drawLog() {
    const lines = link.messages.filter((message) => message.to === shown);
    const none = shown === "team" ? "Nobody on the other side can read this." : "Nobody has said anything yet.";
    keyed(log, lines.length ? lines : [{ n: "none", text: none }], (message) => `${shown} ${message.n}`, line);
    log.scrollTop = log.scrollHeight;
  }

  function line({ id, name, text, at, sign }) {
    if (!name) return el("p", { class: "quiet" }, text);
    const mine = id === link.me;
    if (sign) return el("p", { class: "chat-sign" }, el("b", {}, mine ? "You" : name), " ", el("span", {}, sign));
    return el("p", { class: mine ? "mine" : null }, el("b", {}, mine ? "You" : name), " ", el("span", {}, text), " ", el("time", {}, clock(at)));
  }

  const away = link.listen({ changed: draw, said: draw, reacted: draw });
  panel.seen = draw;
  panel.close = away;
  document.addEventListener("visibilitychange", draw);
  draw();
  return panel;
}

// Two people or more on one's side of the game that runs.
function hasTeam(link) {
  if (!link.state || link.state.state === "waiting" || link.seat === null) return false;
  const holders = new Set(link.state.places.filter((place) => place.seat === link.seat).map((place) => place.holder));
  holders.delete(null);
  return holders.size > 1;
}

function clock(at) {
  const time = new Date(at * 1000);
  return time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}
