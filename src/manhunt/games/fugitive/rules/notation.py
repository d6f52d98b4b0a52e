"""Text for the game: `draw:low`, `hide:7`, `sprint:4`, `done`, `pass`, `name:12`, `ask`; a space does for the colon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from manhunt.core.errors import BadText
from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom, number_of
from manhunt.games.fugitive.rules.config import Config
from manhunt.games.fugitive.rules.public import Card, Spot

if TYPE_CHECKING:
    from manhunt.games.fugitive.rules.state import State
    from manhunt.games.fugitive.rules.views import FugitiveView

_BARE: dict[str, Action] = {"done": Done(), "pass": Pass(), "ask": Ask()}
_WITH_CARD: dict[str, type[Hide | Sprint | Name]] = {"hide": Hide, "sprint": Sprint, "name": Name}
_WORD_OF: dict[type, str] = {type(action): word for word, action in _BARE.items()}
_WORD_OF |= {kind: word for word, kind in _WITH_CARD.items()}
_HOW = "write draw:PILE, hide:CARD, sprint:CARD, done, pass, name:NUMBER or ask"


def format_action(config: Config, action: Action) -> str:
    if isinstance(action, TakeFrom):
        known = 0 <= action.pile < len(config.piles)
        return f"draw:{config.pile_names[action.pile] if known else action.pile}"
    word = _WORD_OF[type(action)]
    return word if word in _BARE else f"{word}:{number_of(action)}"


def parse_action(config: Config, text: str) -> Action:
    """The inverse of `format_action`; a space will do for the colon."""
    word, _, rest = text.strip().lower().replace(":", " ").partition(" ")
    rest = rest.strip()
    if word in _BARE and not rest:
        return _BARE[word]
    if word == "draw":
        if rest not in config.pile_names:
            raise BadText(f"{text!r}: no pile {rest!r}; the piles are {', '.join(config.pile_names) or 'none'}")
        return TakeFrom(config.pile_names.index(rest))
    if word in _WITH_CARD:
        return _WITH_CARD[word](_parse_card(config, rest, text))
    raise BadText(f"{text!r} is not a move; {_HOW}")


def _parse_card(config: Config, word: str, text: str) -> Card:
    if not (word.isascii() and word.isdigit() and int(word) <= config.last):
        raise BadText(f"{text!r}: {word!r} is not a card; they are numbered 0 to {config.last}")
    return int(word)


def format_state(state: State) -> str:
    """`round 3 marshal guess; row 3 (7+4+9); fugitive 1,2,42; marshal 5,20; piles 6.8/15/29.30; pending -`.

    Cards in parentheses lie face down, sprint cards follow their hideout; a pile's next card comes first.
    """
    row = [_spot(h.card, h.sprints, len(h.sprints), face_up=h.face_up) for h in state.row]
    piles = [".".join(map(str, pile)) or "-" for pile in state.piles]
    return _line(state, row, [_cards(state.fugitive), _cards(state.marshal)], piles)


def format_view(view: FugitiveView) -> str:
    """As the state, with `?` for what the seat does not know and `?*4` for a hand or pile known by its size."""
    shown = view.public.row
    row = [_spot_seen(own, seen) for own, seen in zip(view.row, shown, strict=True)]
    hands = [
        _cards(hand) if hand is not None else f"?*{size}"
        for hand, size in zip((view.fugitive, view.marshal), view.hand_sizes, strict=True)
    ]
    return _line(view, row, hands, [f"?*{size}" for size in view.pile_sizes])


def _line(seen: State | FugitiveView, row: Sequence[str], hands: Sequence[str], piles: Sequence[str]) -> str:
    return "; ".join(
        [
            f"round {seen.round} {seen.phase.value}{' (bonus)' if seen.bonus else ''}",
            f"row {' '.join(row) or '-'}",
            f"fugitive {hands[0]}",
            f"marshal {hands[1]}",
            f"piles {'/'.join(piles) or '-'}",
            f"pending {_cards(seen.pending)}",
        ]
    )


def _spot_seen(own: Spot, seen: Spot) -> str:
    return _spot(own.card, own.sprints, own.n_sprints, face_up=seen.card is not None)


def _spot(card: Card | None, sprints: Iterable[Card] | None, n_sprints: int, *, face_up: bool) -> str:
    parts: Sequence[object] = ["?" if card is None else card, *(["?"] * n_sprints if sprints is None else sprints)]
    text = "+".join(map(str, parts))
    return text if face_up else f"({text})"


def _cards(cards: Iterable[Card]) -> str:
    return ",".join(map(str, cards)) or "-"


def format_turn(texts: Sequence[str], events: Sequence[Mapping[str, Any]]) -> str:
    """Draws, placements and guesses of one turn in short words."""
    draws = [text.partition(":")[2] for text in texts if text.startswith("draw:")]
    parts, cards = [f"draws {' '.join(draws)}"] if draws else [], list[str]()
    placed = iter(event for event in events if event.get("t") == "placed")
    for text in texts:
        step, _, what = text.partition(":")
        if step in ("hide", "sprint"):
            cards.append(what)
        elif step == "done":
            parts.append(f"places {'+'.join(cards) or _unknown(next(placed, {}))}")
            cards = []
        elif step == "pass":
            parts.append("passes")
    for event in events:
        if event.get("t") == "guessed":
            parts.append(f"guesses {' '.join(map(str, event['numbers']))}" if event["numbers"] else "makes no guess")
    return ", ".join(parts)


def _unknown(placed: Mapping[str, Any]) -> str:
    what = "a hideout" if placed.get("card") is None else str(placed["card"])
    return f"{what}+{placed['sprints']}?" if placed.get("sprints") else what
