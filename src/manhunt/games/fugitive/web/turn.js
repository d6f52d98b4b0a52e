// A turn of Fugitive while it is put together: plain data, made from what the server offers.

// The offers by kind: `draw`, `hide`, `sprint`, `name` are maps from the pick to the offer, the others an offer or null.
export function sorted(offers) {
  const found = { draw: new Map(), hide: new Map(), sprint: new Map(), name: new Map(), done: null, pass: null, ask: null };
  for (const offer of offers) {
    if (found[offer.kind] instanceof Map) found[offer.kind].set(offer.picks[0], offer);
    else found[offer.kind] = offer;
  }
  return found;
}

export function emptyDraft() {
  return { hideout: null, cards: new Set() };
}

// A card of the hand was picked: the hideout first (again: put back), then sprint cards in and out.
export function pickCard(draft, offers, card) {
  if (draft.hideout === card) return emptyDraft();
  if (draft.hideout === null) return offers.hide.has(card) ? { hideout: card, cards: new Set() } : draft;
  const known = offers.hide.get(draft.hideout).sprints.some((each) => String(each.card) === card);
  return known ? { ...draft, cards: toggled(draft.cards, card) } : draft;
}

// A number of the notepad was picked: in or out of the guess; in the manhunt there is only one.
export function pickNumber(draft, offers, number) {
  const offer = offers.name.get(number);
  if (!offer) return draft;
  if (offer.finish !== null) return { ...draft, cards: toggled(draft.cards, number) };
  return { ...draft, cards: draft.cards.has(number) ? new Set() : new Set([number]) };
}

// What the sprint cards of a placement are worth, what they must be, and whether it can be placed.
export function payment(draft, offers) {
  const offer = offers.hide.get(draft.hideout);
  const chosen = offer.sprints.filter((each) => draft.cards.has(String(each.card)));
  const worth = chosen.reduce((sum, each) => sum + each.worth, 0);
  const leaves = offer.keep === null || offer.keep.some((each) => !draft.cards.has(String(each.card)) && worth <= each.most);
  return { worth, need: offer.need, paid: worth >= offer.need, leaves, enough: worth >= offer.need && leaves };
}

export function stepsOfPlacement(draft, offers) {
  const offer = offers.hide.get(draft.hideout);
  const chosen = offer.sprints.filter((each) => draft.cards.has(String(each.card)));
  return [offer.action, ...chosen.map((each) => each.action), offer.finish];
}

export function stepsOfGuess(draft, offers) {
  const chosen = [...offers.name.values()].filter((offer) => draft.cards.has(offer.picks[0]));
  const finish = chosen.at(-1)?.finish;
  return [...chosen.map((offer) => offer.action), ...(finish ? [finish] : [])];
}

// The draft that an advised line of steps means; null for steps that need none (draws, passes).
export function draftOf(line, offers) {
  for (const [card, offer] of offers.hide) {
    if (offer.action !== line[0]) continue;
    const cards = offer.sprints.filter((each) => line.includes(each.action)).map((each) => String(each.card));
    return { hideout: card, cards: new Set(cards) };
  }
  const numbers = [...offers.name].filter(([, offer]) => line.includes(offer.action)).map(([number]) => number);
  return numbers.length ? { hideout: null, cards: new Set(numbers) } : null;
}

function toggled(set, item) {
  const copy = new Set(set);
  if (!copy.delete(item)) copy.add(item);
  return copy;
}

// Steps that go out one by one: the next one when the server offers it, none when it offers something else.
export class Sending {
  constructor() {
    this.steps = [];
    this.answered = null;
  }

  get busy() {
    return this.steps.length > 0 || this.answered !== null;
  }

  // The first of these steps, to be sent now; `offers` are those that it was chosen from.
  begin(steps, offers) {
    this.steps = steps.slice(1);
    this.answered = offers;
    return steps[0];
  }

  // What to send now that these offers are here: a step, or null. The same offers again mean that a step was refused.
  next(offers) {
    if (!offers.length) return null;
    if (offers === this.answered) this.steps = [];
    this.answered = null;
    const step = this.steps[0];
    if (step === undefined) return null;
    if (!offers.some((offer) => offer.action === step)) {
      this.steps = [];
      return null;
    }
    this.steps.shift();
    this.answered = offers;
    return step;
  }

  stop() {
    this.steps = [];
    this.answered = null;
  }
}

// The numbers that a judged move names and a better one does not, and the other way round: [played, better].
export function judgedNumbers({ worse = "", better = "" } = {}) {
  const [played, best] = [worse, better].map((text) => [...text.matchAll(/(?:hide|sprint|name):(\d+)/g)].map(([, number]) => number));
  return [played.filter((number) => !best.includes(number)), best.filter((number) => !played.includes(number))];
}
