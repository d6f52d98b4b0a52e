"""What can be known in Fugitive: the notepad with exact chances, its graph, why not, and an agent's advice.

The Marshal's notes are made from what she sees. Everybody else gets the notes of a Marshal whose hand nobody knows:
that is all that follows from what is public.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from manhunt.analysis.insights import Help, ask_adviser, needs, percent, take_number, takes
from manhunt.core.agent import Limit
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.ids import Seat
from manhunt.draw.page_style import PAGE
from manhunt.games.fugitive.beliefs.notes import MarshalNotes
from manhunt.games.fugitive.rules.actions import Action, Hide, Name, Sprint, TakeFrom
from manhunt.games.fugitive.rules.notation import format_action
from manhunt.games.fugitive.rules.public import Card, Phase, Public, Spot
from manhunt.games.fugitive.rules.views import FugitiveView, known_to
from manhunt.games.fugitive.rules.words import listed, ordinal, sprint_text
from manhunt.games.fugitive.show.notepad import was_found
from manhunt.games.fugitive.show.notes_drawing import draw_notes

if TYPE_CHECKING:
    from manhunt.analysis.insights import Maker
    from manhunt.analysis.seat_log import SeatLog
    from manhunt.games.fugitive.beliefs.worlds import Worlds

ADVISERS = {Seat.EVADER: "fugitive-search", Seat.PURSUERS: "exact"}
HINT_SECONDS, MOST_SECONDS = 1.0, 20.0
SMALLEST = 1e-6
"""A chance that is not none is shown as at least this."""


def _seen(log: SeatLog) -> FugitiveView:
    assert isinstance(log.view, FugitiveView)
    return log.view


@lru_cache(maxsize=8)
def worlds_of(public: Public, hand: tuple[Card, ...]) -> Worlds:
    from manhunt.games.fugitive.beliefs.worlds import Worlds

    return Worlds(public, hand)


def _belief(view: FugitiveView) -> Worlds | None:
    """None where there is nothing to find out, or too much to be counted."""
    if not view.public.n_hidden:
        return None
    try:
        return worlds_of(*known_to(view))
    except ManhuntError:
        return None


def _whose(view: FugitiveView) -> str:
    if view.outcome is not None and not view.public.n_hidden:
        return "all cards, now that the game is over"
    return {
        Seat.PURSUERS: "what you can know from the table and your hand",
        Seat.EVADER: "what anybody can tell from the table; the Marshal also knows her own hand",
    }.get(view.seat, "what anybody can tell from the table")


@needs(Help.CANDIDATES)
def _notes(log: SeatLog, params: Mapping[str, str], level: Help = Help.ALL) -> dict[str, Any]:
    """Position by number with exact chances; where they cannot be counted, which numbers the quick notes allow."""
    view = _seen(log)
    worlds = _belief(view)
    positions = [_position(view, i, worlds) for i in range(1, len(view.public.row) + 1)]
    numbers: dict[str, float] = {}
    if worlds is not None:
        numbers = {str(card): _rounded(worlds.hideouts[card]) for card in range(1, view.config.last)}
    n_rows = None if worlds is None else len(worlds.trails.weights)
    if level is not Help.ALL:
        positions = [{**each, "chances": {}} for each in positions]
        worlds, numbers, n_rows = None, {}, None
    return {
        "whose": _whose(view),
        "exact": worlds is not None or not view.public.n_hidden,
        "nRows": n_rows,
        "last": view.config.last,
        "positions": positions,
        "numbers": numbers,
    }


def _position(view: FugitiveView, position: int, worlds: Worlds | None) -> dict[str, Any]:
    spot = view.public.row[position - 1]
    entry: dict[str, Any] = {"position": position, "nSprints": spot.n_sprints, "card": spot.card}
    entry["faceUp"] = _is_up(view, spot)
    if spot.card is not None:
        return entry | {"chances": {str(spot.card): 1.0}, "candidates": [spot.card]}
    if worlds is None:
        candidates = sorted(MarshalNotes.of(*known_to(view)).candidates(position))
        return entry | {"chances": {}, "candidates": candidates}
    line = worlds.marginals[position]
    chances = {card: _rounded(float(share)) for card, share in enumerate(line) if share > 0}
    return entry | {"chances": {str(card): share for card, share in chances.items()}, "candidates": list(chances)}


def _is_up(view: FugitiveView, spot: Spot) -> bool:
    """After the end all cards are known, but those that nobody found still lie face down."""
    return spot.card is not None and (view.outcome is None or was_found(view, spot.card))


def _rounded(share: float) -> float:
    """Enough digits for a page; what is possible stays possible."""
    return 0.0 if share <= 0 else max(round(float(share), 6), SMALLEST)


@needs(Help.CANDIDATES)
def _graph(log: SeatLog, params: Mapping[str, str], level: Help = Help.ALL) -> dict[str, Any]:
    """The layered graph as SVG whose colours are the page's variables."""
    view = _seen(log)
    public, hand = known_to(view)
    worlds = _belief(view)
    notes = MarshalNotes.of(public, hand)
    layers = [
        notes.candidates(i) if worlds is None else worlds.candidates(i) & notes.candidates(i)
        for i in range(notes.n_positions + 1)
    ]
    edges = [(a, b, i) for (i, a), (_, b) in notes.edges() if a in layers[i] and b in layers[i + 1]]
    face_up = {0: 0} | {i: spot.card for i, spot in enumerate(public.row, 1) if spot.card is not None}
    shares = None if worlds is None or level is not Help.ALL else worlds.marginals.tolist()
    svg = draw_notes(layers, edges, view.config.last, face_up, shares=shares, theme=PAGE, title="Steps that fit")
    return {"svg": svg, "whose": _whose(view), "nEdges": len(edges), "nRows": notes.count_chains()}


@needs(Help.CANDIDATES)
@takes("position", "value")
def _why(log: SeatLog, params: Mapping[str, str], level: Help = Help.ALL) -> dict[str, Any]:
    """Why a position cannot be a number, or how likely it is, with a row in which it is."""
    view = _seen(log)
    position = _whole(params, "position", 1, max(1, len(view.public.row)))
    value = _whole(params, "value", 0, view.config.last)
    if not view.row:
        raise ManhuntError("the row is empty: there is no position to ask about")
    spot = view.public.row[position - 1]
    if spot.card is not None:
        lies = "lies face up" if _is_up(view, spot) else "lay face down to the end"
        words = f"the {ordinal(position)} hideout {lies}: it is {spot.card}"
        return {"position": position, "value": value, "possible": spot.card == value, "words": words, "example": None}
    worlds = _belief(view)
    if worlds is None:
        possible = value in MarshalNotes.of(*known_to(view)).candidates(position)
        words = f"position {position} {'may be' if possible else 'cannot be'} {value}, by the quick notes"
        return {"position": position, "value": value, "possible": possible, "words": words, "example": None}
    words, example = worlds.why(position, value), None
    possible = value in worlds.candidates(position)
    if possible:
        if level is Help.ALL:
            words += f", with a chance of {percent(float(worlds.marginals[position][value]))}"
        world = worlds.witness(position, value)
        cards = zip(world.row, world.sprints, strict=True)
        example = "0 " + " ".join(f"{card}{sprint_text(sprints, 0)}" for card, sprints in cards)
    if view.seat is not Seat.PURSUERS:
        words = words.replace("you guessed", "the Marshal guessed")
    return {"position": position, "value": value, "possible": possible, "words": words, "example": example}


@takes("numbers")
def _chance(log: SeatLog, params: Mapping[str, str]) -> dict[str, Any]:
    """How likely a guess of these numbers is right."""
    view = _seen(log)
    text = params.get("numbers", "")
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and 1 <= int(part) < view.config.last for part in parts):
        raise BadText(f"numbers={text}: expected numbers from 1 to {view.config.last - 1} such as 7,12")
    worlds = _belief(view)
    if worlds is None:
        return {"chance": None, "words": "no chance can be given now"}
    chance = worlds.probability(int(part) for part in parts)
    return {"chance": _rounded(chance), "words": f"right with a chance of {percent(chance)}"}


def _whole(params: Mapping[str, str], name: str, least: int, most: int) -> int:
    text = params.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 5 and least <= int(text) <= most):
        raise BadText(f"{name}={text}: expected a whole number from {least} to {most}")
    return int(text)


@takes("seconds")
def _hint(log: SeatLog, params: Mapping[str, str]) -> dict[str, Any]:
    """An agent's advice for the seat that is to act."""
    view = _seen(log)
    if view.to_act is not log.seat or not view.legal:
        raise ManhuntError("there is no hint now: it is not this seat's turn")
    seconds = take_number(params, "seconds", HINT_SECONDS, 0.05, MOST_SECONDS)
    advice = ask_adviser(ADVISERS[log.seat], log, Limit(seconds=seconds))
    line = _one_turn(advice.line or (advice.action,))
    own = 1 if log.seat is Seat.EVADER else -1
    sure = not view.pending  # what it says belongs to a whole turn
    return {
        "agent": ADVISERS[log.seat],
        "action": format_action(view.config, advice.action),
        "line": [format_action(view.config, step) for step in line],
        "words": _advice_words(view, line),
        "value": advice.value if sure else None,
        "winning": None if advice.value is None or not sure else round((1 + own * advice.value) / 2, 4),
        "confidence": None if advice.confidence is None or not sure else round(advice.confidence, 4),
    }


def _one_turn(steps: tuple[Action, ...]) -> tuple[Action, ...]:
    """The steps up to the next one that begins something new: an opening may be planned as two placements."""
    for i, step in enumerate(steps[1:], 1):
        if isinstance(step, Hide | TakeFrom):
            return steps[:i]
    return steps


def _advice_words(view: FugitiveView, line: tuple[Action, ...]) -> str:
    first = line[0]
    if isinstance(first, TakeFrom):
        return f"draw from the {view.config.pile_names[first.pile]} pile"
    if isinstance(first, Hide):
        sprints = [str(step.card) for step in line if isinstance(step, Sprint)]
        verb = "escape with" if first.card == view.config.last else "hide at"
        return f"{verb} {first.card}" + (f" with {listed(sprints)} under it" if sprints else "")
    if isinstance(first, Name):
        numbers = [str(step.number) for step in line if isinstance(step, Name)]
        verb = "name" if view.phase is Phase.MANHUNT else "guess"
        return f"{verb} {listed(numbers)}" + (" together" if len(numbers) > 1 else "")
    if isinstance(first, Sprint):
        return f"add {first.card} as a sprint card"
    return {"pass": "pass", "done": "place it as it is", "ask": "ask now"}[format_action(view.config, first)]


MAKERS: dict[str, Maker] = {
    "notes": _notes,
    "graph": _graph,
    "why": _why,
    "chance": _chance,
    "hint": _hint,
}
