// The options of a table: a form for the host, words for the others.

import { capital, el } from "./dom.js";

const HELP = [
  ["none", "none"],
  ["candidates", "where the hidden side can be"],
  ["all", "everything, including hints"],
];
const CLOCKS = [
  ["none", "no clock", {}],
  ["turn-60", "1 minute a turn", { turn_seconds: 60 }],
  ["turn-180", "3 minutes a turn", { turn_seconds: 180 }],
  ["game-900", "15 minutes a side, plus 10 seconds a turn", { game_seconds: 900, increment_seconds: 10 }],
  ["game-2700", "45 minutes a side", { game_seconds: 2700 }],
  ["day-1", "1 day a turn", { turn_seconds: 86400 }],
  ["day-3", "3 days a turn", { turn_seconds: 259200 }],
  ["day-7", "a week a turn", { turn_seconds: 604800 }],
];
const NO_CLOCK = { turn_seconds: null, game_seconds: null, increment_seconds: 0 };
const TIMEOUTS = [
  ["lose", "loses the game"],
  ["random", "makes a random move"],
  ["agent", "gets a move from an agent"],
];
const ON_LEAVE = [
  ["host", "waits until the host frees it"],
  ["anyone", "can be taken over by anyone after a minute"],
  ["agent", "goes to an agent after a minute"],
];
const SPECTATORS = [
  ["live", "see what is public, at once"],
  ["delayed", "see it a few moves later"],
  ["never", "see nothing until the end"],
];
const SECONDS = [
  ["0.2", "a fifth of a second"],
  ["1", "one second"],
  ["3", "three seconds"],
  ["10", "ten seconds"],
];

// With days for a turn nobody need be here.
const isSlow = (options) => (options.turn_seconds ?? 0) >= 3600;
const sameClock = (options, wanted) => Object.entries({ ...NO_CLOCK, ...wanted }).every(([name, value]) => (options[name] ?? NO_CLOCK[name]) === value);
const clockOf = (options) => CLOCKS.find(([, , wanted]) => sameClock(options, wanted));

// The clock in words; also of one that this form does not offer.
export function clockWords(options) {
  const known = clockOf(options);
  if (known) return known[1];
  const parts = [];
  if (options.turn_seconds) parts.push(`${spell(options.turn_seconds)} a turn`);
  if (options.game_seconds) parts.push(`${spell(options.game_seconds)} a side`);
  if (options.increment_seconds) parts.push(`plus ${spell(options.increment_seconds)} a turn`);
  return parts.join(", ");
}

function spell(seconds) {
  for (const [size, name] of [[86400, "day"], [3600, "hour"], [60, "minute"]]) {
    if (seconds >= size && seconds % size === 0) return `${seconds / size} ${name}${seconds === size ? "" : "s"}`;
  }
  return `${seconds} seconds`;
}

const wordsFor = (pairs, value) => pairs.find(([key]) => key === String(value))?.[1] ?? String(value);

export function optionsWords(options, { hasTeam, lobby, called }) {
  const clock = clockWords(options);
  return [
    `Help while playing: ${wordsFor(HELP, options.help)}`,
    options.take_backs ? "Moves can be taken back, between people if the other side agrees" : "Moves cannot be taken back",
    hasTeam ? (options.confirm ? `${capital(called)} confirm their turn together` : "Every move counts at once") : null,
    clock === "no clock" ? "No clock" : `Clock: ${clock}`,
    clock === "no clock" ? null : `A player who runs out of time ${wordsFor(TIMEOUTS, options.on_timeout)}`,
    isSlow(options) ? null : `The place of somebody who leaves ${wordsFor(ON_LEAVE, options.on_leave)}`,
    `Spectators ${wordsFor(SPECTATORS, options.spectators)}`,
    lobby && options.public ? "Listed on the home page" : null,
  ].filter(Boolean);
}

// `changed(options)` hears what the host changes.
export function optionsForm(options, { hasTeam, lobby, called }, changed) {
  const select = (words, name, pairs, value, set) => {
    const input = el("select", { name, onchange: () => set(input.value) }, pairs.map(([key, text]) => el("option", { value: key, selected: key === String(value) }, text)));
    return el("label", { class: "field" }, el("span", {}, words), input);
  };
  const check = (words, name) => {
    const input = el("input", { type: "checkbox", name, checked: options[name], onchange: () => changed({ [name]: input.checked }) });
    return el("label", { class: "check" }, input, el("span", {}, words));
  };
  const clock = clockOf(options);
  const clocks = clock ? CLOCKS : [["other", clockWords(options), null], ...CLOCKS];
  const setClock = (key) => {
    const [, , wanted] = clocks.find(([name]) => name === key);
    if (wanted) changed({ ...NO_CLOCK, ...wanted });
  };
  return el(
    "form",
    { class: "stack options", onsubmit: (event) => event.preventDefault() },
    select("Help while playing", "help", HELP, options.help, (value) => changed({ help: value })),
    select("Clock", "clock", clocks, clock?.[0] ?? "other", setClock),
    clock?.[0] === "none" ? null : select("A player who runs out of time", "on_timeout", TIMEOUTS, options.on_timeout, (value) => changed({ on_timeout: value })),
    isSlow(options) ? null : select("The place of somebody who leaves", "on_leave", ON_LEAVE, options.on_leave, (value) => changed({ on_leave: value })),
    select("Spectators", "spectators", SPECTATORS, options.spectators, (value) => changed({ spectators: value })),
    select("Agents think at most", "seconds", SECONDS, options.seconds, (value) => changed({ seconds: Number(value) })),
    el(
      "div",
      { class: "checks" },
      check("Moves can be taken back (between people, if the other side agrees)", "take_backs"),
      hasTeam ? check(`${capital(called)} confirm their turn together`, "confirm") : null,
      lobby ? check("List this table on the home page", "public") : null,
    ),
  );
}
