"""Which move traps Mr X, and which of his moves gets out of a trap: exact over everything that can happen next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from manhunt.boards.distance import distances
from manhunt.core.ids import Node, Seat
from manhunt.core.puzzle import Judged, Puzzle
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.puzzles.games import GAME, play_game
from manhunt.games.scotland_yard.puzzles.nets import ends_by_look, look_of, n_covered, open_looks
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import Double, ScotlandYardAction, Single, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig, make_config
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.games.scotland_yard.rules.notation import format_action, parse_action
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.games.scotland_yard.show.scene import words_of
from manhunt.play.position import Position

TRAP, ESCAPE = "trap", "escape"
TRAP_SHOWN = (1, 6, 11, 16, 21, 24)
ESCAPE_SHOWN = (2, 5, 8, 11, 14, 17, 20, 24)
ESCAPE_TICKETS = Tickets(taxi=8, bus=6, underground=4)
MOST_TRIES = 40
"""Positions that are laid out for one try at finding a trap."""
NEAR_HOPS = (2, 4)
MOST_PLACES = 30
"""Where Mr X may be; with more he is safe."""
MOST_NAMED = 4


def question(puzzle: Puzzle, position: Position) -> str:
    state: ScotlandYardState = position.state
    label = state.config.board.label
    if puzzle.kind == TRAP:
        piece = state.waiting[0]
        return (
            f"Mr X has just shown himself on {label(state.log[-1].node)}, and only {piece} has not moved. "  # type: ignore[arg-type]
            "Which move makes sure that he is caught in the next turn, whatever he does?"
        )
    places = len(candidates(position))
    known = "know where you are" if places == 1 else f"think you could be on {places} stations"
    return (
        f"You are Mr X on {label(state.quarry)}; the detectives {known}. "
        "After every move but one they are sure to catch you in their next turn. Which move is it?"
    )


def values_of(kind: str, position: Position) -> dict[str, int]:
    """By move: how many places Mr X may have then to which no detective is free to go; with 0 he is surely caught.

    For a trap the places of all his ways on are added; for an escape they are those that look like this move.
    """
    state: ScotlandYardState = position.state
    values: dict[str, int] = {}
    if kind == TRAP:
        for move in rules.legal_actions(state):
            assert isinstance(move, Single)
            after = rules.detective_moved(state, move)
            open_ends = open_looks([after]).values() if move.to != state.quarry else ()
            lost = rules.outcome(after) == rules.EXHAUSTED
            n_open = sum(len(nodes) - n_covered(after, nodes) for nodes in open_ends)
            values[format_action(state.config, move)] = n_open + lost
        return values
    ends = ends_by_look([replace(state, quarry=node) for node in candidates(position)])
    for action in rules.legal_actions(state):
        nodes = ends[look_of(state, action)]
        values[format_action(state.config, action)] = len(nodes) - n_covered(state, nodes)
    return values


def unique_best(kind: str, values: Mapping[str, int]) -> str | None:
    """The only trap, or the only way out."""
    right = [text for text, value in values.items() if (value == 0) == (kind == TRAP)]
    return right[0] if len(right) == 1 else None


def candidates(position: Position) -> list[Node]:
    """Where Mr X can be for all that the detectives know."""
    belief = Support()
    belief.start(position.view(Seat.PURSUERS, 0))
    belief.observe(position.events_for(Seat.PURSUERS))
    return sorted(belief.candidates)


def judge(puzzle: Puzzle, position: Position, text: str) -> Judged:
    action = parse_action(position.config, text)
    after = position.played(action)
    text = format_action(position.config, action)
    solved = text == puzzle.best
    words = f"{'Yes' if solved else 'No'}: {_verdict(puzzle, position, action, puzzle.values[text])}."
    return Judged(solved, after, words, tuple(_why(puzzle, position)))


def _verdict(puzzle: Puzzle, position: Position, action: ScotlandYardAction, value: int) -> str:
    name = _name(puzzle, position, action)
    if puzzle.kind == ESCAPE:
        if value == 0:
            return f"after {name} the detectives can reach every place where you can be"
        return f"after {name} {_places(value)} where you can be stay{'s' if value == 1 else ''} out of their reach"
    if value == 0:
        return f"after {name} every way that Mr X can take is covered"
    state = position.state
    after = rules.detective_moved(state, action)  # type: ignore[arg-type]
    return f"after {name} Mr X can get away, {_way_out(after)}"


def _way_out(state: ScotlandYardState) -> str:
    """The first move of Mr X that the detectives have no sure answer to, in words."""
    looks = open_looks([state])
    action = next(action for action in rules.legal_actions(state) if look_of(state, action) in looks)
    tickets = " and ".join(str(ticket) for ticket, _ in rules.steps_of(action))
    nodes = looks[look_of(state, action)]
    return (
        f"with {tickets}: then he can be on {state.config.board.text(sorted(nodes))}, "
        f"and the detectives reach {n_covered(state, nodes)} of these {len(nodes)} in one turn"
    )


def _why(puzzle: Puzzle, position: Position) -> list[str]:
    config = position.config
    best = parse_action(config, puzzle.best)
    lines = [f"Best: {_verdict(puzzle, position, best, puzzle.values[puzzle.best])}."]
    others = [parse_action(config, text) for text in puzzle.values if text != puzzle.best]
    if puzzle.kind == ESCAPE:
        names = ", ".join(_name(puzzle, position, action) for action in others[: 2 * MOST_NAMED])
        return [*lines, f"Surely caught after: {names}{' and others' if len(others) > 2 * MOST_NAMED else ''}."]
    lines += [f"{_verdict(puzzle, position, action, 1).capitalize()}." for action in others[:MOST_NAMED]]
    return lines


def _name(puzzle: Puzzle, position: Position, action: ScotlandYardAction) -> str:
    return words_of(position.view(puzzle.seat), action)  # type: ignore[arg-type]


def _places(n: int) -> str:
    return f"{n} place{'' if n == 1 else 's'}"


# -- where they come from ---------------------------------------------------------------------------------------------


def find(kind: str, rng: Random) -> list[dict[str, Any]]:
    return _find_trap(rng) if kind == TRAP else _find_escape(rng)


def _find_trap(rng: Random) -> list[dict[str, Any]]:
    """Five detectives laid out near Mr X, who shows himself at once; four come nearer, and one is left."""
    tickets = Tickets(4, 3, 2, rng.choice((0, 0, 1, 2)), rng.choice((0, 0, 0, 1)))
    config = make_config("standard", mrx_tickets=tickets, shown=TRAP_SHOWN)
    for _ in range(MOST_TRIES):
        laid = _laid_out(config, rng)
        if laid is not None and (made := _draft(TRAP, Seat.PURSUERS, *laid)):
            return [made]
    return []


def _laid_out(config: ScotlandYardConfig, rng: Random) -> tuple[dict[str, Any], Position] | None:
    board, hops = config.board, distances(config.board)
    here = Node(rng.randrange(board.n_nodes))
    near = [node for node in board.nodes() if NEAR_HOPS[0] <= hops[here, node] <= NEAR_HOPS[1]]
    if len(near) < config.n_detectives:
        return None
    places = [board.label(node) for node in rng.sample(near, config.n_detectives)]
    setup = make_setup(board.label(here), places, free=True)
    position = Position(GAME, (), (GAME.start(config, setup),))
    singles = [move for move in rules.legal_actions(position.state) if not isinstance(move, Double)]
    position = position.played(rng.choice(singles))
    while len(position.state.waiting) > 1:
        state = position.state
        moves = [move for move in rules.detective_moves(state) if move.to != state.quarry]
        piece = rng.choice(state.waiting)
        own = sorted((m for m in moves if m.piece is piece), key=lambda m: int(hops[m.to, state.quarry]))
        if not own:
            return None
        position = position.played(own[0] if rng.random() < 0.7 else rng.choice(own))
    return dict(setup), position


def _find_escape(rng: Random) -> list[dict[str, Any]]:
    config = make_config("standard", mrx_tickets=ESCAPE_TICKETS, shown=ESCAPE_SHOWN)
    game = play_game(config, rng)
    found = []
    setup = {
        "mrx": {"at": config.board.label(game.states[0].quarry)},
        "detectives": [
            {"piece": str(piece), "at": config.board.label(node)}
            for piece, node in zip(game.states[0].pieces, game.states[0].pursuers, strict=True)
        ],
        "free": game.states[0].free,
    }
    for ply, state in enumerate(game.states):
        if not state.waiting and rules.outcome(state) is None:
            position = Position(GAME, game.actions[:ply], game.states[: ply + 1])
            if len(candidates(position)) <= MOST_PLACES and (made := _draft(ESCAPE, Seat.EVADER, setup, position)):
                found.append(made)
    return found[:1]


def _draft(kind: str, seat: Seat, setup: dict[str, Any], position: Position) -> dict[str, Any] | None:
    state: ScotlandYardState = position.state
    if rules.to_act(state) is not seat:
        return None
    legal = rules.legal_actions(state)
    if len(legal) < 3 or (kind == TRAP and any(move.to == state.quarry for move in legal)):
        return None
    values = values_of(kind, position)
    best = unique_best(kind, values)
    if best is None:
        return None
    return {
        "seat": seat.value,
        "config": GAME.config_to_json(position.config),
        "setup": setup,
        "actions": list(position.texts),
        "best": best,
        "values": values,
    }
