"""The table of Fugitive for a page: row, piles, hands, notepad, guesses, and the steps that may be taken now.

The steps of a placement or of a guess are final one by one, so a page lets its user put the whole turn together first.
What it needs for that comes with each offer: the step that finishes the turn, and to hide what the sprint cards must
be worth, what each is worth, and which cards a first placement must leave for a second one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from manhunt.draw.fugitive import Mark, ending, notepad, title_of, turn_of, was_found
from manhunt.games.fugitive import placing
from manhunt.games.fugitive.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom
from manhunt.games.fugitive.config import Opening, sprint_value
from manhunt.games.fugitive.notation import format_action
from manhunt.games.fugitive.public import Card, Phase, Spot
from manhunt.games.fugitive.views import View
from manhunt.ids import Seat, Side
from manhunt.server.scenes import pieces

_SIGNS = {mark: mark.name.lower() for mark in Mark} | {Mark.OWN_HIDEOUT: "hideout"}
_BARE = {Done: "done", Pass: "pass", Ask: "ask"}


def scene(view: View) -> dict[str, Any]:
    return {
        **pieces.head(view, view.round, title_of(view), ending),
        "turnWords": turn_of(view),
        "marks": {},
        "phase": view.phase.value,
        "last": view.config.last,
        "row": _row(view),
        "piles": _piles(view),
        "hands": _hands(view),
        "pad": [{"number": number, "mark": _SIGNS[mark], "words": _words(mark)} for number, mark in _pad(view)],
        "guesses": [{"round": g.round, "numbers": list(g.numbers), "hit": g.hit} for g in view.public.guesses],
        "pending": list(view.pending),
        "drawsLeft": view.n_left,
        "rules": _rules(view),
    }


def offers(view: View) -> list[dict[str, Any]]:
    """One for each legal step; `picks` names the card, number or pile that means it."""
    keep = _kept_for_second(view)
    return [_offer(view, action, keep) for action in view.legal]


def _row(view: View) -> list[dict[str, Any]]:
    pairs = zip(view.row, view.public.row, strict=True)
    return [_spot(view, position, own, seen) for position, (own, seen) in enumerate(pairs, 1)]


def _spot(view: View, position: int, own: Spot, seen: Spot) -> dict[str, Any]:
    """`card` is None where the seat does not know it; a card may be known and yet lie face down."""
    is_up = seen.card is not None and (view.outcome is None or was_found(view, seen.card))
    return {
        "position": position,
        "card": own.card,
        "faceUp": is_up,
        "escape": seen.card == view.config.last,
        "round": own.round,
        "nSprints": own.n_sprints,
        "sprints": None if own.sprints is None else list(own.sprints),
    }


def _piles(view: View) -> list[dict[str, Any]]:
    config = view.config
    drawn = {side: [0] * len(config.piles) for side in Side}
    for draw in view.public.draws:
        drawn[draw.side][draw.pile] += 1
    return [
        {
            "name": name,
            "low": low,
            "high": high,
            "size": view.pile_sizes[i],
            "dealt": config.dealt[i],
            "fugitive": drawn[Side.EVADER][i],
            "marshal": drawn[Side.PURSUERS][i],
        }
        for i, (name, (low, high)) in enumerate(zip(config.pile_names, config.piles, strict=True))
    ]


def _hands(view: View) -> dict[str, Any]:
    hands = {"fugitive": view.fugitive, "marshal": view.marshal}
    return {
        name: {"size": size, "cards": None if cards is None else list(cards)}
        for (name, cards), size in zip(hands.items(), view.hand_sizes, strict=True)
    }


def _pad(view: View) -> Sequence[tuple[Card, Mark]]:
    return list(notepad(view).items())


def _words(mark: Mark) -> str:
    return "" if mark is Mark.OPEN else mark.value


def _rules(view: View) -> dict[str, Any]:
    config = view.config
    return {
        "reach": config.reach,
        "manhuntBelow": config.manhunt_below,
        "mustGuess": config.must_guess,
        "passBonus": config.pass_bonus,
        "opening": config.opening_hideouts.value,
    }


def _offer(view: View, action: Action, keep: Mapping[Card, list[dict[str, int]]]) -> dict[str, Any]:
    offer: dict[str, Any] = {"action": format_action(view.config, action)}
    if isinstance(action, TakeFrom):
        name = view.config.pile_names[action.pile]
        return offer | {"kind": "draw", "words": f"draw from the {name} pile", "picks": [name], "pile": name}
    if isinstance(action, Hide):
        return offer | _hiding(view, action.card) | {"keep": keep.get(action.card) if keep else None}
    if isinstance(action, Sprint):
        words = f"add {action.card} as a sprint card, worth {sprint_value(action.card)}"
        return offer | {"kind": "sprint", "words": words, "picks": [str(action.card)]}
    if isinstance(action, Name):
        alone = view.phase is Phase.MANHUNT
        words = f"{'guess' if alone else 'name'} {action.number}"
        finish = None if alone else format_action(view.config, Ask())
        return offer | {"kind": "name", "words": words, "picks": [str(action.number)], "finish": finish}
    return offer | {"kind": _BARE[type(action)], "words": _bare_words(view, action), "picks": []}


def _hiding(view: View, card: Card) -> dict[str, Any]:
    before = _newest(view)
    need = placing.need_of(view.config, before, card)
    words = "escape with" if card == view.config.last else "hide at"
    price = f", {card - before} after {before}: sprint cards worth {need}" if need else ""
    sprints = placing.sprint_cards(view.config, view.hand, card)
    return {
        "kind": "hide",
        "words": f"{words} {card}{price}",
        "picks": [str(card)],
        "need": need,
        "sprints": [_payment(view, each) for each in sprints],
        "finish": format_action(view.config, Done()),
    }


def _payment(view: View, card: Card) -> dict[str, Any]:
    return {"card": card, "worth": sprint_value(card), "action": format_action(view.config, Sprint(card))}


def _bare_words(view: View, action: Action) -> str:
    if isinstance(action, Done):
        hideout, *sprints = view.pending
        return f"place {hideout}" + (f" with {' '.join(map(str, sprints))} under it" if sprints else "")
    if isinstance(action, Ask):
        return f"ask for {' '.join(map(str, view.pending))}" if view.pending else "make no guess"
    if view.bonus:
        return "leave the bonus card"
    return "place no second hideout" if view.round == 1 and view.row else "pass, place no hideout"


def _newest(view: View) -> Card:
    """The newest card of the Fugitive's row; 0 while there is only the start."""
    return (view.row[-1].card or 0) if view.row else 0


def _kept_for_second(view: View) -> dict[Card, list[dict[str, int]]]:
    """Where the opening demands a second hideout: for each first one which second ones could follow, and how much the
    sprint cards of the first may be worth for that. Empty where nothing is demanded."""
    config = view.config
    hides = [action.card for action in view.legal if isinstance(action, Hide)]
    if view.seat is not Seat.EVADER or view.row or view.round > 1 or config.opening_hideouts is not Opening.EXACTLY_TWO:
        return {}
    seconds = {card: _seconds(view, card) for card in hides}
    if not any(_is_payable(view, card, second) for card in hides for second in seconds[card]):
        return {}
    return seconds


def _seconds(view: View, hideout: Card) -> list[dict[str, int]]:
    config, hand, found = view.config, view.hand, []
    for second in hand:
        others = [card for card in placing.sprint_cards(config, hand, hideout) if card != second]
        most = placing.total_value(others) - placing.need_of(config, hideout, second)
        if second > hideout and most >= 0:
            found.append({"card": second, "most": most})
    return found


def _is_payable(view: View, hideout: Card, second: Mapping[str, int]) -> bool:
    options = [c for c in placing.sprint_cards(view.config, view.hand, hideout) if c != second["card"]]
    least = placing.least_payment(placing.need_of(view.config, 0, hideout), options)
    return least is not None and least <= second["most"]
