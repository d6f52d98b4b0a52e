"""Events of Fugitive in a few words, as those may read them who saw the event."""

from collections.abc import Mapping, Sequence
from typing import Any

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
WHO = {"evader": "the Fugitive", "pursuers": "the Marshal"}


def tell(event: Mapping[str, Any]) -> str | None:
    """None for events that need no words, and for hidden ones."""
    teller = _TELLERS.get(event.get("t", ""))
    return None if teller is None else teller(event)


def sprint_text(cards: Sequence[int] | None, n: int) -> str:
    """`+4+9`, or `+2?` for two cards that are not known."""
    return "".join(f"+{card}" for card in cards) if cards is not None else f"+{n}?" if n else ""


def listed(texts: Sequence[str]) -> str:
    """`9, 24 and 28`."""
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def ordinal(n: int) -> str:
    """`first`, `tenth`, `11th`, `22nd`."""
    if n <= len(_ORDINALS):
        return _ORDINALS[n - 1]
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def _begun(event: Mapping[str, Any]) -> str:
    piles = ", ".join(f"{name} {n}" for name, n in event["piles"].items())
    return f"cards 0 to {event['last']}; the Fugitive holds {event['fugitive']}; piles: {piles or 'none'}"


def _placed(event: Mapping[str, Any]) -> str:
    sprints = f" with {event['sprints']} sprint card{'' if event['sprints'] == 1 else 's'}"
    what = f"the {ordinal(event['position'])} hideout" if event["card"] is None else f"{event['card']}: the escape"
    return f"the Fugitive places {what}{sprints if event['sprints'] else ''}"


def _guessed(event: Mapping[str, Any]) -> str:
    if not event["numbers"]:
        return "the Marshal does not guess"
    return f"the Marshal guesses {' '.join(map(str, event['numbers']))}: {'found' if event['hit'] else 'missed'}"


def _over(event: Mapping[str, Any]) -> str:
    row = " ".join(f"{each['card']}{sprint_text(each['sprints'], 0)}" for each in event["row"])
    return f"the row was {row or 'empty'}"


_TELLERS = {
    "begun": _begun,
    "hand": lambda event: f"the Fugitive's hand is {' '.join(map(str, event['cards']))}",
    "drew": lambda event: f"{WHO[event['side']]} draws from the {event['pile']} pile",
    "card": lambda event: f"the card is {event['card']}",
    "placed": _placed,
    "guessed": _guessed,
    "revealed": lambda event: (
        f"the {ordinal(event['position'])} hideout is {event['card']}{sprint_text(event['sprints'], 0)}"
    ),
    "passed": lambda event: "the Fugitive passes",
    "over": _over,
}
