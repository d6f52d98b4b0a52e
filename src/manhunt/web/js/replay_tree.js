// The tree of variations of a finished game as plain data: which moments there are, and how to get from one to another.
// A moment is a variation and a ply, counted from the start of the game. Variation 0 is the game itself.

export const MAIN = 0;

export class Tree {
  // `head` is that of the replay, `kept` the answer of /api/games/UID/tree.
  constructor(head, kept = {}) {
    this.main = { number: MAIN, parent: null, ply: 0, last: head.last, steps: head.steps, name: "", mine: false };
    this.variations = new Map((kept.variations ?? []).map((each) => [each.number, each]));
    this.comments = kept.comments ?? [];
    this.mine = Boolean(kept.mine); // whether this person may add something
    this.longest = kept.longest ?? 2000;
  }

  has(number) {
    return number === MAIN || this.variations.has(number);
  }

  get(number) {
    return number === MAIN ? this.main : this.variations.get(number);
  }

  // The same moment by the variation that it belongs to: up to where one leaves its parent, it is its parent's.
  home(number, ply) {
    let at = number;
    while (at !== MAIN && ply <= this.get(at).ply) at = this.get(at).parent;
    return { variation: at, ply };
  }

  // The moment of the game itself at which this one has left it, or the moment if it has not.
  mainPly(number, ply) {
    let found = ply;
    for (let at = number; at !== MAIN; at = this.get(at).parent) found = Math.min(found, this.get(at).ply);
    return found;
  }

  // All turns from the start to the end of a variation.
  steps(number) {
    const { parent, ply, steps } = this.get(number);
    return parent === null ? steps : [...this.steps(parent).filter((step) => step.ply <= ply), ...steps];
  }

  // The plies at which one stops; `more` is one in the middle of a turn that is being looked at.
  stops(number, more = null) {
    const found = new Set([0, ...this.steps(number).map((step) => step.ply)]);
    if (more !== null && more <= this.get(number).last) found.add(more);
    return [...found].sort((a, b) => a - b);
  }

  // The variations that begin at a moment, or anywhere in a variation, the oldest first.
  children(number, ply = null) {
    return [...this.variations.values()].filter((each) => each.parent === number && (ply === null || each.ply === ply));
  }

  said(number, ply) {
    const at = this.home(number, ply);
    return this.comments.filter((each) => each.variation === at.variation && each.ply === at.ply);
  }

  // The nearest moment that is still there, for an address or a leader that is out of date.
  clamp(number, ply) {
    const variation = this.has(number) ? number : MAIN;
    return { variation, ply: Math.max(0, Math.min(ply, this.get(variation).last)) };
  }

  // Where a move leads that is there already; null if it would be new.
  following(number, ply, action) {
    const at = this.home(number, ply);
    const here = this.get(at.variation);
    if (here.actions?.[at.ply - here.ply] === action) return { variation: at.variation, ply: ply + 1 };
    const child = this.children(at.variation, at.ply).find((each) => each.actions[0] === action);
    return child ? { variation: child.number, ply: ply + 1 } : null;
  }
}

// The part of the address that names a moment.
export function addressOf({ variation, ply, track, together = false }) {
  return `?ply=${ply}&seat=${track}${variation === MAIN ? "" : `&variation=${variation}`}${together ? "&together=1" : ""}`;
}

// What an address asks for; what it does not say is the start of the game.
export function momentOf(search) {
  const query = new URLSearchParams(search);
  const number = (name) => Math.max(0, Number.parseInt(query.get(name) ?? "0", 10) || 0);
  return { variation: number("variation"), ply: number("ply"), track: query.get("seat"), together: query.get("together") === "1" };
}
