// What happened between two scenes that deserves a moment.

// [{kind: "seen" | "caught", at}]: the quarry showed itself, or the game ended with its capture.
export function momentsOf(before, now) {
  if (!before || before === now) return [];
  const moments = [];
  const [old, seen] = [before, now].map((scene) => scene.seen ?? scene.marks?.lastSeen);
  if (seen && (seen.at !== old?.at || seen.round !== old?.round || seen.words !== old?.words)) moments.push({ kind: "seen", at: seen.at });
  const at = now.marks?.pieces?.find((piece) => piece.kind === "quarry")?.at;
  if (now.outcome?.how === "capture" && !before.outcome && at) moments.push({ kind: "caught", at });
  return moments;
}

// The piece of a place at a table: "pursuers/2" moves "pursuer-2".
export function pieceOfPlace(place) {
  return place.startsWith("pursuers/") ? `pursuer-${place.slice("pursuers/".length)}` : place;
}
