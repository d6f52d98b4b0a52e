// Mr X's whole route, drawn when the game is over, with the turning point.

// {labels, badges, turning} for the board from {start, stations: {round: label}, turning: {round, words} | null}.
export function drawnRoute({ start, stations, turning }) {
  const rounds = Object.keys(stations).map(Number).sort((a, b) => a - b);
  const labels = [...(start === null ? [] : [start]), ...rounds.map((round) => stations[round])];
  const badges = {};
  const add = (label, text, tone) => {
    const old = badges[label];
    badges[label] = { text: old ? `${old.text}·${text}` : text, tone: tone ?? old?.tone };
  };
  if (start !== null) add(start, "start");
  for (const round of rounds) {
    const isTurn = round === turning?.round;
    add(stations[round], isTurn ? `★${round}` : String(round), isTurn ? "safe" : undefined);
  }
  return { labels, badges, turning };
}
