"""Insights for every game on a board: where the quarry can be, and what the strongest agent would do."""

from collections.abc import Mapping, Sequence
from typing import Any

from manhunt.analysis.insights import Help, Maker, ask_adviser, needs, take_number, takes
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.agent import Limit
from manhunt.core.game import AnyGame
from manhunt.core.ids import Seat
from manhunt.core.kit import Kit
from manhunt.core.registry import kit_of
from manhunt.draw.board_words import move_words, place_of

NO_TURN = "There is nothing to advise now; ask when it is your turn."


def makers_of(kit: Kit) -> dict[str, Maker]:
    """What can be asked about this game without its help."""
    if not kit.game.capabilities.board:
        return {}
    return {"hint": hint} if kit.belief is None else {"hint": hint, "belief": belief}


@needs(Help.CANDIDATES)
def belief(log: SeatLog, params: Mapping[str, str], level: Help = Help.ALL) -> dict[str, Any]:
    """Where the quarry can be for a seat that does not see it, with probabilities."""
    kit, view = kit_of(log.game), log.view
    label, game = view.config.board.label, kit.game
    if log.seat is Seat.EVADER:
        here = place_of(view, None)  # type: ignore[arg-type]
        places = [] if here is None else [label(here)]
        return {"candidates": places, "belief": dict.fromkeys(places, 1.0), "words": "You know where you are."}
    made = kit.belief
    assert made is not None
    followed = made()
    followed.start(log.opening)
    followed.observe(log.events)
    weights = {label(node): float(f"{p:.4g}") for node, p in sorted(followed.probabilities.items())}
    if level is not Help.ALL:
        weights = alike(weights)
    return {"candidates": list(weights), "belief": weights, "words": f"{_places_words(game, list(weights))}."}


def alike(weights: Mapping[str, float]) -> dict[str, float]:
    """All that is possible, without telling what is likelier."""
    return {name: float(f"{1 / len(weights):.4g}") for name in weights}


def _places_words(game: AnyGame, places: Sequence[str]) -> str:
    name = game.called(Seat.EVADER)
    who = name[0].upper() + name[1:]
    if len(places) == 1:
        return f"{who} can only be on {places[0]}"
    return f"{who} can be on {len(places)} nodes" if places else f"{who} is not on the board"


@takes("seconds")
def hint(log: SeatLog, params: Mapping[str, str]) -> dict[str, Any]:
    """What the strongest agent of this seat would do."""
    view: Any = log.view
    if not view.legal:
        return {"action": None, "arrows": [], "confidence": None, "words": NO_TURN}
    kit = kit_of(log.game)
    adviser = next(level for level in kit.levels if level.seat is log.seat)
    seconds = take_number(params, "seconds", 1.0, 0.05, 5.0)
    action = ask_adviser(adviser.spec, log, Limit(seconds=seconds)).action
    return {
        "action": kit.game.format_action(view.config, action),
        "arrows": _arrows(view, action),
        "confidence": None,
        "words": f"Try: {move_words(view, action)}. This is what {adviser.name} would do.",
    }


def _arrows(view: Any, action: Any) -> list[list[str]]:
    to = getattr(action, "to", None)
    here = None if to is None else place_of(view, action.piece)
    label = view.config.board.label
    return [] if here is None or here == to else [[label(here), label(to)]]
