"""Where can Mr X be? Five stations, one of which is unlike the others: the exact candidates decide.

How hard such a puzzle is, is measured by readers of the travel log who each know a little more than the one before:
how many steps he made; where the last ticket can lead; where all tickets lead one after the other; that no detective
stands there now; everything. Each of them answers by lot among the stations that it cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

from manhunt.boards.distance import distances
from manhunt.core.errors import BadText, one_of
from manhunt.core.ids import Node, Seat
from manhunt.core.puzzle import Judged, Puzzle
from manhunt.core.scene import Scene, SceneOffer
from manhunt.draw.scenes import scene_of
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.puzzles.games import GAME, play_game
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.games.scotland_yard.show.known_places import Chronicle
from manhunt.play.position import Position

WHERE = "where"
N_OPTIONS = 5
MOST_SINCE = 4
LEAST_CANDIDATES, MOST_CANDIDATES = 5, 60


def is_possible(puzzle: Puzzle) -> bool:
    """Whether the one station is asked for where he can be; else the one where he cannot be."""
    return bool(puzzle.more["possible"])


def question(puzzle: Puzzle, position: Position) -> str:
    state: ScotlandYardState = position.state
    seen, paid = _since(state)
    since = f"Since then he paid {', '.join(paid)}."
    at = state.config.board.label(state.log[seen].node)  # type: ignore[arg-type]
    asked = "At which one of the marked stations CAN he be now?" if is_possible(puzzle) else (
        "At which one of the marked stations can he NOT be now?"
    )  # fmt: skip
    return f"Mr X was seen on {at} in round {seen + 1}. {since} {asked}"


def scene(puzzle: Puzzle, position: Position) -> Scene:
    """The detectives' scene, with the stations as offers."""
    board = position.config.board
    can = "he can be" if is_possible(puzzle) else "he cannot be"
    offers = tuple(
        SceneOffer(label, f"{can} on {label}", (label,), (board.node(label),), {"ticket": "", "to": label})
        for label in puzzle.values
    )
    shown = scene_of(position.view(Seat.PURSUERS))
    return replace(shown, offers=offers, page={**shown.page, "lead": "Choose one of the green stations."})


def candidates(position: Position) -> list[Node]:
    """Where Mr X can be for all that the detectives know."""
    belief = Support()
    belief.start(position.at(0).view(Seat.PURSUERS))
    belief.observe(position.events(Seat.PURSUERS))
    return sorted(belief.candidates)


def values_of(puzzle_values: Iterable[str], position: Position) -> dict[str, bool]:
    """By station, whether Mr X can be there."""
    label, possible = position.config.board.label, candidates(position)
    at = {label(node) for node in possible}
    return {station: station in at for station in puzzle_values}


def judge(puzzle: Puzzle, position: Position, text: str) -> Judged:
    if text not in puzzle.values:
        raise BadText(f"{text[:20]!r} is not one of the answers; choose one of {one_of(puzzle.values)}")
    solved, can = text == puzzle.best, puzzle.values[text]
    words = f"{'Yes' if solved else 'No'}: Mr X can{'' if can else 'not'} be on {text}."
    chronicle = Chronicle(position.at(0).view(Seat.PURSUERS), position.events(Seat.PURSUERS))  # type: ignore[arg-type]
    board = position.config.board
    shown = (text, *([] if solved else [puzzle.best]))
    why = [line for station in shown for line in _reason(chronicle, board.node(station))]
    places = sorted(chronicle.candidates)
    why.append(f"He can be on {board.text(places)}.")
    end = scene_of(position.view(Seat.PURSUERS))
    lead = "The shaded stations are where he can be."
    end = replace(end, offers=(), candidates=tuple(places), page={**end.page, "lead": lead})
    return Judged(solved, position, words, tuple(dict.fromkeys(why)), scene=end)


def _reason(chronicle: Chronicle, node: Node) -> list[str]:
    label = chronicle.board.label
    if node not in chronicle.candidates:
        return chronicle.why_not(node)[1:]
    way = chronicle.way_to(node)
    layers = chronicle.layers[chronicle.known() + 1 :]
    steps = [f"{layer.ticket} to {label(at)}" for layer, at in zip(layers, way[1:], strict=True)]
    return [f"A way to {label(node)}: from {label(way[0])} by {', '.join(steps)}."]


def attempt(puzzle: Puzzle, position: Position, reader: int, rng: Random) -> bool:
    """Whether one of the readers answers right, from 0 (the weakest) to 4."""
    label = position.config.board.label
    thought = {label(node) for node in read(position, reader)}
    fits = [station for station in puzzle.values if (station in thought) == is_possible(puzzle)]
    return rng.choice(fits or list(puzzle.values)) == puzzle.best


def read(position: Position, reader: int) -> frozenset[Node]:
    """Where a reader thinks that Mr X can be; never fewer places than are possible."""
    if reader >= 4:
        return frozenset(candidates(position))
    state: ScotlandYardState = position.state
    board, (seen, _) = state.config.board, _since(state)
    start, log = state.log[seen].node, state.log[seen + 1 :]
    assert start is not None
    if reader >= 2:
        nodes = frozenset({start})
        for entry in log:
            nodes = frozenset(to for node in nodes for ticket, to in rules.fares(board)[node] if ticket is entry.ticket)
        return nodes - frozenset(state.pursuers) if reader == 3 else nodes
    near = frozenset(node for node in board.nodes() if distances(board)[start, node] <= len(log))
    if reader == 1:
        last = log[-1].ticket
        near = frozenset(node for node in near if any(ticket is last for ticket, _ in rules.fares(board)[node]))
    return near


def _since(state: ScotlandYardState) -> tuple[int, list[str]]:
    """The slot of the last sighting, and what was paid since."""
    seen = max(i for i, entry in enumerate(state.log) if entry.node is not None)
    return seen, [str(entry.ticket) for entry in state.log[seen + 1 :]]


# -- where they come from ----------------------------------------------------------------------------------------------


def find(rng: Random) -> list[dict[str, Any]]:
    """At most one puzzle in a game between greedy agents, after a move of Mr X."""
    config = make_config("standard")
    game = play_game(config, rng)
    plies = [ply for ply, state in enumerate(game.states) if _may_ask(state)]
    rng.shuffle(plies)
    reader, possible = rng.randrange(4), rng.random() < 0.4
    for ply in plies:
        position = game.at(ply)
        options = _options(position, reader, possible, rng)
        if options:
            return [_draft(position, options, possible)]
    return []


def _may_ask(state: ScotlandYardState) -> bool:
    if len(state.waiting) != len(state.pieces) or rules.outcome(state) is not None:
        return False
    return any(entry.node is not None for entry in state.log) and 1 <= len(_since(state)[1]) <= MOST_SINCE


def _options(position: Position, reader: int, possible: bool, rng: Random) -> list[Node]:
    """The odd one first; the impossible ones are those that the reader takes for possible."""
    can = candidates(position)
    wrong = sorted(read(position, reader) - frozenset(can))
    odd, others = (can, wrong) if possible else (wrong, can)
    if not (LEAST_CANDIDATES <= len(can) <= MOST_CANDIDATES) or not odd or len(others) < N_OPTIONS - 1:
        return []
    return [rng.choice(odd), *rng.sample(others, N_OPTIONS - 1)]


def _draft(position: Position, options: list[Node], possible: bool) -> dict[str, Any]:
    first: ScotlandYardState = position.states[0]
    label = first.config.board.label
    held = zip(first.pieces, first.pursuers, strict=True)
    values = values_of([label(node) for node in sorted(options)], position)
    return {
        "seat": Seat.PURSUERS.value,
        "config": GAME.config_to_json(first.config),
        "setup": {
            "mrx": {"at": label(first.quarry)},
            "detectives": [{"piece": str(piece), "at": label(node)} for piece, node in held],
            "free": first.free,
        },
        "actions": list(position.texts),
        "best": label(options[0]),
        "values": values,
        "more": {"possible": possible},
    }
