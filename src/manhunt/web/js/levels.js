// Levels of a game's agents, from the catalogue.

import { capital } from "./dom.js";

export const SEATS = ["evader", "pursuers"];
export const other = (seat) => SEATS.find((each) => each !== seat);

// The levels that both sides of a game have, the weakest first.
export function levelNames({ seats }) {
  const [one, two] = SEATS.map((seat) => seats[seat].agents.filter((agent) => agent.title).map((agent) => agent.title));
  return one.filter((name) => two.includes(name)).reverse();
}

// The level that a game begins with when nobody has chosen one: that of its quick game.
export function usualLevel(game) {
  const quick = game.seats[other(game.quick.you)].agents.find((agent) => agent.spec === game.quick.agent);
  const names = levelNames(game);
  return names.includes(quick?.title) ? quick.title : (names[1] ?? names[0] ?? null);
}

// Who plays the places of each seat that nobody holds: {evader: spec, pursuers: spec}.
export function agentsAt(game, level) {
  return Object.fromEntries(SEATS.map((seat) => [seat, agentAt(game, seat, level)]));
}

function agentAt({ seats, quick }, seat, level) {
  const { agents } = seats[seat];
  const named = level === null ? null : agents.find((agent) => agent.title === level);
  if (named) return named.spec;
  if (seat !== quick.you) return quick.agent;
  return (agents.find((agent) => agent.strength <= 3) ?? agents.at(-1)).spec;
}

// One sentence about how a seat plays at a level; empty where it has no such level.
export function levelWords({ seats }, seat, level) {
  const agent = seats[seat].agents.find((each) => each.title === level);
  return agent ? `${capital(seats[seat].called)} ${agent.summary.split(";")[0]}.` : "";
}

// Who plays the seats of a game that has no levels, a sentence each.
export function agentWords(game) {
  return SEATS.map((seat) => {
    const spec = agentAt(game, seat, null);
    const agent = game.seats[seat].agents.find((each) => each.spec === spec);
    return `${capital(game.seats[seat].called)}: ${agent ? `${agent.name} (${agent.summary.split(";")[0]})` : spec}.`;
  });
}

// The name of an agent for people: its level, or what it is called.
export function agentName({ seats }, seat, spec) {
  const agent = seats[seat].agents.find((each) => each.spec === spec);
  return agent?.title || agent?.name || spec;
}
