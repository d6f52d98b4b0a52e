// Mr X's whole route, drawn when the game is over, with the turning point.

const MOST = 3; // rounds written at one station

// {labels, badges, turning} for the board from {start, stations: {round: label}, turning: {round, words} | null}.
export function drawnRoute({ start, stations, turning }) {
  const rounds = Object.keys(stations).map(Number).sort((a, b) => a - b);
  const labels = [...(start === null ? [] : [start]), ...rounds.map((round) => stations[round])];
  const at = new Map();
  const add = (label, text) => at.set(label, [...(at.get(label) ?? []), text]);
  if (start !== null) add(start, "start");
  for (const round of rounds) add(stations[round], round === turning?.round ? `★${round}` : String(round));
  return { labels, badges: Object.fromEntries([...at].map(([label, texts]) => [label, badge(texts)])), turning };
}

// The rounds at one station; of many only the first ones, but always the turning point.
function badge(texts) {
  const turn = texts.find((text) => text.startsWith("★"));
  const few = texts.filter((text, i) => i < MOST || text === turn);
  return { text: few.join("·") + (few.length < texts.length ? "…" : ""), tone: turn && "safe" };
}
