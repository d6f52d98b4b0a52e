"""What a seat of Fugitive sees: row, piles, hands, notepad, guesses, and the steps that may be taken now.

The steps of a placement or of a guess are final one by one, so a page lets its user put the whole turn together first.
What it needs for that comes with each offer: the step that finishes the turn, and to hide what the sprint cards must
be worth, what each is worth, and which cards a first placement must leave for a second one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination, forfeit_words
from manhunt.core.scene import CardPile, CardTable, RowCard, Scene, SceneOffer
from manhunt.games.fugitive.rules import placing
from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom
from manhunt.games.fugitive.rules.config import Opening, sprint_value
from manhunt.games.fugitive.rules.notation import format_action
from manhunt.games.fugitive.rules.public import Card, Phase, Spot
from manhunt.games.fugitive.rules.views import FugitiveView
from manhunt.games.fugitive.show.notepad import Mark, notepad, pad_cells, pad_legend, was_found

MOST_GUESSES = 4
_SIGNS = {mark: mark.name.lower() for mark in Mark} | {Mark.OWN_HIDEOUT: "hideout"}
_BARE = {Done: "done", Pass: "pass", Ask: "ask"}


def scene(view: FugitiveView) -> Scene:
    row, piles, pad = _row(view), _piles(view), notepad(view)
    keep = _kept_for_second(view)
    return Scene(
        title=f"Fugitive, round {view.round}: {turn_of(view)}",
        round=view.round,
        turn=view.to_act,
        outcome=view.outcome,
        turn_words=turn_of(view),
        ending="" if view.outcome is None else ending(view.outcome),
        table=CardTable(
            row=(RowCard("0", True, "start"), *map(_row_card, row)),
            piles=tuple(map(_pile, piles)),
            lines=(
                ("Fugitive", _hand_text(view.fugitive, view.hand_sizes[0])),
                ("Marshal", _hand_text(view.marshal, view.hand_sizes[1])),
            ),
            pad=pad_cells(pad),
            legend=pad_legend(pad),
            notes=_guess_lines(view),
            notes_title="Guesses",
        ),
        offers=tuple(_offer(view, action, keep) for action in view.legal),
        page={
            "phase": view.phase.value,
            "last": view.config.last,
            "row": row,
            "piles": piles,
            "hands": _hands(view),
            "pad": [{"number": number, "mark": _SIGNS[mark], "words": _words(mark)} for number, mark in pad.items()],
            "guesses": [{"round": g.round, "numbers": list(g.numbers), "hit": g.hit} for g in view.public.guesses],
            "pending": list(view.pending),
            "drawsLeft": view.n_left,
            "rules": _rules(view),
        },
    )


def turn_of(view: FugitiveView) -> str:
    """Who acts now, or how the game ended."""
    if view.outcome is not None:
        return ending(view.outcome)
    if view.bonus:
        return "the Fugitive may draw the bonus card"
    if view.phase is Phase.FUGITIVE_PLAY and view.round == 1 and not view.row:
        return "the Fugitive to hide"
    return {
        Phase.FUGITIVE_DRAW: "the Fugitive to draw",
        Phase.FUGITIVE_PLAY: _play_words(view),
        Phase.MARSHAL_DRAW: "the Marshal to draw",
        Phase.MARSHAL_GUESS: "the Marshal to guess",
        Phase.MANHUNT: "manhunt, the Marshal names a number",
    }[view.phase]


def _play_words(view: FugitiveView) -> str:
    """In the first turn a hideout must be placed; passing means something only after it."""
    if view.round > 1:
        return "the Fugitive to hide or pass"
    return "the Fugitive to hide again or stop" if view.row else "the Fugitive to hide"


def ending(outcome: Outcome) -> str:
    who = "the Fugitive wins" if outcome.winner is Side.EVADER else "the Marshal wins"
    loser = "the Marshal" if outcome.winner is Side.EVADER else "the Fugitive"
    how = {
        Termination.CAPTURE: "every hideout is face up",
        Termination.ARRIVAL: "the Fugitive has escaped",
        Termination.SURVIVAL: "the rounds are over and the Fugitive has not escaped",
        Termination.STRANDED: "the Fugitive has given up",
        Termination.FORFEIT: forfeit_words(outcome, loser),
    }
    return f"{who} ({how.get(outcome.termination, outcome.termination.value)})"


def _guess_lines(view: FugitiveView) -> tuple[str, ...]:
    """The newest guesses first: `round 3: 12 and 15, missed`."""
    lines = [
        f"round {guess.round}: {' '.join(map(str, guess.numbers))}{', found' if guess.hit else ', missed'}"
        for guess in reversed(view.public.guesses[-MOST_GUESSES:])
    ]
    n_more = len(view.public.guesses) - MOST_GUESSES
    return (*lines, f"and {n_more} before") if n_more > 0 else tuple(lines)


def _hand_text(cards: Sequence[Card] | None, size: int) -> str:
    n = f"{size} card{'' if size == 1 else 's'}"
    return n if cards is None or not cards else f"{n}: {' '.join(map(str, cards))}"


def _row(view: FugitiveView) -> list[dict[str, Any]]:
    pairs = zip(view.row, view.public.row, strict=True)
    return [_spot(view, position, own, seen) for position, (own, seen) in enumerate(pairs, 1)]


def _spot(view: FugitiveView, position: int, own: Spot, seen: Spot) -> dict[str, Any]:
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


def _row_card(spot: Mapping[str, Any]) -> RowCard:
    under = spot["sprints"] if spot["sprints"] is not None else ["?"] * spot["nSprints"]
    return RowCard(
        text="?" if spot["card"] is None else str(spot["card"]),
        is_up=spot["faceUp"],
        note=f"round {spot['round']}",
        under=tuple(map(str, under)),
        is_strong=spot["escape"],
    )


def _pile(pile: Mapping[str, Any]) -> CardPile:
    name = f"{pile['name']} {pile['low']}-{pile['high']}"
    return CardPile(pile["name"], pile["size"], (name, f"{pile['size']} left", f"Fugitive drew {pile['fugitive']}"))


def _piles(view: FugitiveView) -> list[dict[str, Any]]:
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


def _hands(view: FugitiveView) -> dict[str, Any]:
    hands = {"fugitive": view.fugitive, "marshal": view.marshal}
    return {
        name: {"size": size, "cards": None if cards is None else list(cards)}
        for (name, cards), size in zip(hands.items(), view.hand_sizes, strict=True)
    }


def _words(mark: Mark) -> str:
    return "" if mark is Mark.OPEN else mark.value


def _rules(view: FugitiveView) -> dict[str, Any]:
    config = view.config
    return {
        "reach": config.reach,
        "manhuntBelow": config.manhunt_below,
        "mustGuess": config.must_guess,
        "passBonus": config.pass_bonus,
        "opening": config.opening_hideouts.value,
    }


def _offer(view: FugitiveView, action: Action, keep: Mapping[Card, list[dict[str, int]]]) -> SceneOffer:
    """One legal step; `picks` names the card, number or pile that means it."""
    text = format_action(view.config, action)
    if isinstance(action, TakeFrom):
        name = view.config.pile_names[action.pile]
        return SceneOffer(text, f"draw from the {name} pile", (name,), more={"kind": "draw", "pile": name})
    if isinstance(action, Hide):
        words, more = _hiding(view, action.card)
        more["keep"] = keep.get(action.card) if keep else None
        return SceneOffer(text, words, (str(action.card),), more=more)
    if isinstance(action, Sprint):
        words = f"add {action.card} as a sprint card, worth {sprint_value(action.card)}"
        return SceneOffer(text, words, (str(action.card),), more={"kind": "sprint"})
    if isinstance(action, Name):
        alone = view.phase is Phase.MANHUNT
        finish = None if alone else format_action(view.config, Ask())
        words = f"{'guess' if alone else 'name'} {action.number}"
        return SceneOffer(text, words, (str(action.number),), more={"kind": "name", "finish": finish})
    return SceneOffer(text, _bare_words(view, action), more={"kind": _BARE[type(action)]})


def _hiding(view: FugitiveView, card: Card) -> tuple[str, dict[str, Any]]:
    before = _newest(view)
    need = placing.need_of(view.config, before, card)
    words = "escape with" if card == view.config.last else "hide at"
    price = f", {card - before} after {before}: sprint cards worth {need}" if need else ""
    sprints = [_payment(view, each) for each in placing.sprint_cards(view.config, view.hand, card)]
    more = {"kind": "hide", "need": need, "sprints": sprints, "finish": format_action(view.config, Done())}
    return f"{words} {card}{price}", more


def _payment(view: FugitiveView, card: Card) -> dict[str, Any]:
    return {"card": card, "worth": sprint_value(card), "action": format_action(view.config, Sprint(card))}


def _bare_words(view: FugitiveView, action: Action) -> str:
    if isinstance(action, Done):
        hideout, *sprints = view.pending
        return f"place {hideout}" + (f" with {' '.join(map(str, sprints))} under it" if sprints else "")
    if isinstance(action, Ask):
        return f"ask for {' '.join(map(str, view.pending))}" if view.pending else "make no guess"
    if view.bonus:
        return "leave the bonus card"
    return "place no second hideout" if view.round == 1 and view.row else "pass, place no hideout"


def _newest(view: FugitiveView) -> Card:
    """The newest card of the Fugitive's row; 0 while there is only the start."""
    return (view.row[-1].card or 0) if view.row else 0


def _kept_for_second(view: FugitiveView) -> dict[Card, list[dict[str, int]]]:
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


def _seconds(view: FugitiveView, hideout: Card) -> list[dict[str, int]]:
    config, hand, found = view.config, view.hand, []
    for second in hand:
        others = [card for card in placing.sprint_cards(config, hand, hideout) if card != second]
        most = placing.total_value(others) - placing.need_of(config, hideout, second)
        if second > hideout and most >= 0:
            found.append({"card": second, "most": most})
    return found


def _is_payable(view: FugitiveView, hideout: Card, second: Mapping[str, int]) -> bool:
    options = [c for c in placing.sprint_cards(view.config, view.hand, hideout) if c != second["card"]]
    least = placing.least_payment(placing.need_of(view.config, 0, hideout), options)
    return least is not None and least <= second["most"]
