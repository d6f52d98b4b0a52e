"""Where Fugitive's puzzles come from, and how they are checked: all worlds are counted."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from manhunt.agents.registry import make_agent
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.puzzle import Puzzle
from manhunt.games.fugitive.beliefs.models import CHANCE_ONLY, PlayModel, SensiblePlay
from manhunt.games.fugitive.beliefs.worlds import worlds_or_none
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.public import Phase
from manhunt.games.fugitive.rules.state import State
from manhunt.games.fugitive.rules.views import FugitiveView
from manhunt.play.position import Position

RUNNERS, HUNTERS = ("hr-1", "bir-1", "l1"), ("hr-1c", "hr-1.1c", "notepad")
CLEAR, STILL_CLEAR = 0.12, 0.04
"""The lead in chance of the best number, by counting alone and by the model of sensible play, which must agree."""
LEAST_CHANCE, MOST_CHANCE = 0.25, 0.98
"""Of the best number: what is certain is no puzzle."""
DIGITS, CLOSE = 6, 1e-5
GAME = FugitiveGame()


def is_exact(puzzle: Puzzle, position: Position) -> bool:
    """Whether the chances are exact, and one number is clearly the best."""
    values = values_of(position) or {}
    same = values.keys() == puzzle.values.keys()
    exact = same and all(abs(chance - puzzle.values[number]) < CLOSE for number, chance in values.items())
    return exact and clear_best(position) == puzzle.best


def values_of(position: Position, model: PlayModel = CHANCE_ONLY) -> dict[str, float] | None:
    """By number that may be a hideout, its chance; None where nothing is hidden, or the worlds are too many."""
    view: Any = position.view(Seat.PURSUERS)
    assert isinstance(view, FugitiveView)
    worlds = worlds_or_none(view.public, view.hand, model)
    if worlds is None:
        return None
    return {str(n): round(float(p), DIGITS) for n, p in enumerate(worlds.hideouts) if round(float(p), DIGITS) > 0}


def clear_best(position: Position) -> str | None:
    """The best number, if it is clearly the best by counting, and still the best where sensible play weighs more."""
    found = [
        _leader(values_of(position, model), gap) for model, gap in ((CHANCE_ONLY, CLEAR), (SensiblePlay(), STILL_CLEAR))
    ]
    return found[0] if found[0] == found[1] else None


def _leader(values: Mapping[str, float] | None, gap: float) -> str | None:
    if values is None or len(values) < 3:
        return None
    best, second = sorted(values, key=lambda number: -values[number])[:2]
    return best if max(LEAST_CHANCE, values[second] + gap) <= values[best] <= MOST_CHANCE else None


# -- where they come from -----------------------------------------------------------------------------------


def find_in_game(rng: Random) -> list[dict[str, Any]]:
    """At most one puzzle in a game between two quick agents."""
    game = _play(rng)
    plies = [
        ply
        for ply, state in enumerate(game.states)
        if state.end is None and state.phase is Phase.MARSHAL_GUESS and not state.pending
    ]
    rng.shuffle(plies)
    for ply in plies[:4]:
        position = game.at(ply)
        best = clear_best(position) if len(position.state.row) > 1 else None
        if best is not None:
            return [_draft(position, best)]
    return []


def _play(rng: Random) -> Position:
    config = make_config("standard")
    start = Position(GAME, config, (GAME.new(config, rng),))
    agents = {
        seat: make_agent(rng.choice(names), GAME.name, seat)
        for seat, names in zip(PLAYERS, (RUNNERS, HUNTERS), strict=True)
    }
    return start.play_out(agents, rng)


def _draft(position: Position, best: str) -> dict[str, Any]:
    first: State = position.states[0]
    config = position.config
    dealt = [[c for c in first.fugitive if config.pile_of[c] == pile] for pile in range(len(config.piles))]
    return {
        "seat": Seat.PURSUERS.value,
        "config": GAME.config_to_json(config),
        "setup": {"dealt": dealt, "piles": [list(pile) for pile in first.piles]},
        "actions": list(position.texts),
        "best": best,
        "values": values_of(position),
    }
