"""Puzzles of Pursuit: catch Mr X within some rounds, or find the way out. All values are exact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from manhunt.core.ids import Seat, Side
from manhunt.core.puzzle import Judged, Posed, Puzzle
from manhunt.draw.scenes import scene_of
from manhunt.games.pursuit.puzzles.words import after_words, first_word, name_of, rounds_words
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.actions import PursuitAction
from manhunt.games.pursuit.rules.config import PursuitConfig, make_config
from manhunt.games.pursuit.rules.game import PursuitGame
from manhunt.games.pursuit.rules.notation import format_action
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.solvers.probe import Probe
from manhunt.games.pursuit.solvers.tables import FOREVER, solved_table
from manhunt.play.position import Position

NEEDS_SOLVER = True
KINDS = {"catch": "Catch him in time", "escape": "The way out"}
BOARDS = (("town-50", 2), ("town-50", 3), ("top-right-20", 2), ("london", 2))
ROUNDS = (2, 2, 3, 3, 4, 4, 5, 6)
"""In so many he can be caught; short hunts are drawn more often."""
LONGEST_GAME = 10
"""Rounds of the game that a position is taken from."""
LONGEST_ESCAPE = 8
"""All other moves must lose within so many rounds, or nobody could see that they lose."""
LEAST_GAP = 2
"""So many rounds longer than after the second-best move."""
GAME = PursuitGame()


# -- the puzzle --------------------------------------------------------------------------------------------


def pose(puzzle: Puzzle, position: Position) -> Posed:
    if puzzle.kind == "catch":
        n, piece = position.config.max_rounds - position.state.round + 1, first_word(position.state)
        begun = "Mr X has moved. " if len(position.actions) == len(puzzle.actions) else ""
        within = "in this round" if n == 1 else f"within {n} rounds, this one included"
        question = f"{begun}Catch him {within}, whatever he does. The next to move is {piece}."
    else:
        question = "You are Mr X. Which move keeps you free the longest against the best play of the detectives?"
    return Posed(question, scene_of(position.view(puzzle.seat)))


def judge(puzzle: Puzzle, position: Position, text: str) -> Judged:
    """A detectives' puzzle goes on with Mr X's longest reply until he is caught."""
    values = values_of(position)
    after = position.play(text)
    answer = after.texts[-1]
    mine, best = values[answer], _best(puzzle.seat, values)
    words = after_words(position.state, answer, mine)
    if mine != values[best]:
        return Judged(False, after, f"No: {words}.", tuple(_why(position, values)))
    if puzzle.kind == "escape":
        return Judged(True, after, f"Yes: {words}.", tuple(_why(position, values)))
    if rules.outcome(after.state) is None and not after.state.waiting:
        after = after.act(_probe(after.config).best_action(after.state)[0])
    end = rules.outcome(after.state)
    if end is None:
        return Judged(None, after, f"Right: {words}.")
    assert end.winner is Side.PURSUERS
    start = Position.of(puzzle.game, puzzle.config, puzzle.setup, puzzle.actions)
    return Judged(True, after, "Caught, and in time.", tuple(_why(start, puzzle.values)))


def values_of(position: Position) -> dict[str, int | None]:
    """By move, in how many rounds from now on Mr X is caught under best play, this round counted; None for never.

    The solver counts the rounds that he survives, so he is caught in the one after those.
    """
    found = _probe(position.config).action_values(position.state)
    return {_text(position.state, action): None if survived >= FOREVER else survived + 1 for action, survived in found}


def check(puzzle: Puzzle, position: Position) -> bool:
    """Whether the values are those of the solver, and one answer is the best."""
    values = values_of(position)
    return values == dict(puzzle.values) and unique_best(puzzle.seat, values) == puzzle.best


def unique_best(seat: Seat, values: Mapping[str, int | None]) -> str | None:
    best = _best(seat, values)
    return best if list(values.values()).count(values[best]) == 1 else None


def _best(seat: Seat, values: Mapping[str, int | None]) -> str:
    def rounds(text: str) -> int:
        value = values[text]
        return FOREVER if value is None else value

    return max(values, key=rounds) if seat is Seat.EVADER else min(values, key=rounds)


def _probe(config: PursuitConfig) -> Probe:
    return Probe(solved_table(config))


def _text(state: PursuitState, action: PursuitAction) -> str:
    return format_action(state.config, action)


def _why(position: Position, values: Mapping[str, int | None]) -> Iterator[str]:
    seat = Seat.PURSUERS if position.state.waiting else Seat.EVADER
    order = sorted(values, key=lambda text: ((values[text] is None) == (seat is Seat.PURSUERS) and FOREVER) or 0)
    best = _best(seat, values)
    yield f"Best: {after_words(position.state, best, values[best])}."
    by_value: dict[int | None, list[str]] = {}
    for text in order:
        if text != best:
            by_value.setdefault(values[text], []).append(name_of(position.state, text))
    for value, names in by_value.items():
        yield f"{', '.join(names)}: {'he gets away' if value is None else f'caught {rounds_words(value)}'}."


# -- where they come from -----------------------------------------------------------------------------------


def find(kind: str, rng: Random) -> list[dict[str, Any]]:
    """The first puzzle in a game between pieces that play best one time in two; it begins with its round."""
    board, n = rng.choice(BOARDS)
    state = GAME.new(make_config("seed", board, n_detectives=n), rng)
    for _ in range(LONGEST_GAME * (n + 1)):
        if rules.outcome(state) is not None:
            break
        if not state.waiting:
            made = _catch(state, rng) if kind == "catch" else _escape(state)
            if made is not None:
                return [made]
        state = GAME.apply_action(state, _half_best(state, rng))
    return []


def _half_best(state: PursuitState, rng: Random) -> PursuitAction:
    if rng.random() < 0.5:
        return _probe(state.config).best_action(state)[0]
    return rng.choice(rules.legal_actions(state))


def _catch(state: PursuitState, rng: Random) -> dict[str, Any] | None:
    moves, wanted = list(rules.legal_actions(state)), rng.choice(ROUNDS)
    rng.shuffle(moves)
    for move in moves:
        made = _draft(state, Seat.PURSUERS, (_text(state, move),))
        if made and len(made["values"]) > 2 and made["values"][made["best"]] == wanted:
            made["config"] = GAME.config_to_json(replace(state.config, max_rounds=wanted))
            return made
    return None


def _escape(state: PursuitState) -> dict[str, Any] | None:
    made = _draft(state, Seat.EVADER, ())
    if made is None or len(made["values"]) < 3:
        return None
    best, others = made["values"][made["best"]], [v for text, v in made["values"].items() if text != made["best"]]
    is_clear = best is None or best >= max(others) + LEAST_GAP
    return made if is_clear and 2 < max(others) <= LONGEST_ESCAPE else None


def _draft(state: PursuitState, seat: Seat, actions: tuple[str, ...]) -> dict[str, Any] | None:
    label = state.config.board.label
    assert state.quarry is not None
    setup = {"mrx": label(state.quarry), "detectives": [label(node) for node in state.pursuers]}
    config = GAME.config_to_json(state.config)
    position = Position.of(GAME.name, config, setup, actions)
    if rules.to_act(position.state) is not seat:
        return None
    values = values_of(position)
    best = unique_best(seat, values) if len(values) > 1 else None
    if best is None:
        return None
    return {
        "seat": seat.value, "config": config, "setup": setup, "actions": list(actions), "best": best, "values": values
    }  # fmt: skip
