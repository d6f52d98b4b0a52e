"""Which move traps Mr X? Exact over everything that can happen next."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from manhunt.boards.distance import distances
from manhunt.core.ids import Node, Seat
from manhunt.core.puzzle import Judged, Puzzle
from manhunt.games.scotland_yard.puzzles.games import GAME
from manhunt.games.scotland_yard.puzzles.nets import look_of, n_covered, open_looks
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import Double, Single, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig, make_config
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.games.scotland_yard.rules.notation import format_action, parse_action
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.games.scotland_yard.show.scene import words_of
from manhunt.play.position import Position

TRAP = "trap"
SHOWN = (1, 6, 11, 16, 21, 24)
MOST_TRIES = 40
"""Positions that are laid out for one try at finding a trap."""
NEAR_HOPS = (2, 4)
MOST_NAMED = 4


def question(position: Position) -> str:
    state: ScotlandYardState = position.state
    node = state.log[-1].node
    assert node is not None
    return (
        f"Mr X has just shown himself on {state.config.board.label(node)}, and only {state.waiting[0]} has not moved. "
        "Which move makes sure that he is caught in the next turn, whatever he does?"
    )


def values_of(position: Position) -> dict[str, int]:
    """By move: to how many of the places that Mr X may have after his next move no detective is free to go, added over
    all that the travel log may show; with 0 he is surely caught."""
    state: ScotlandYardState = position.state
    values = {}
    for move in rules.legal_actions(state):
        assert isinstance(move, Single)
        after = rules.detective_moved(state, move)
        open_ends = open_looks([after]).values() if move.to != state.quarry else ()
        lost = rules.outcome(after) == rules.EXHAUSTED
        n_open = sum(len(nodes) - n_covered(after, nodes) for nodes in open_ends)
        values[format_action(state.config, move)] = n_open + lost
    return values


def unique_best(values: Mapping[str, int]) -> str | None:
    """The only trap."""
    right = [text for text, value in values.items() if value == 0]
    return right[0] if len(right) == 1 else None


def judge(puzzle: Puzzle, position: Position, text: str) -> Judged:
    action = parse_action(position.config, text)
    after = position.act(action)
    text = format_action(position.config, action)
    solved = text == puzzle.best
    words = f"{'Yes' if solved else 'No'}: {_verdict(puzzle, position, text)}."
    others = [other for other in dict.fromkeys((puzzle.best, *puzzle.values)) if other != text]
    why = [f"{_verdict(puzzle, position, other)}." for other in others[:MOST_NAMED]]
    return Judged(solved, after, words, tuple(line[:1].upper() + line[1:] for line in why))


def _verdict(puzzle: Puzzle, position: Position, text: str) -> str:
    move: Any = parse_action(position.config, text)
    name = words_of(position.view(puzzle.seat), move)  # type: ignore[arg-type]
    if puzzle.values[text] == 0:
        return f"after {name} every way that Mr X can take is covered"
    return f"after {name} Mr X can get away{_way_out(rules.detective_moved(position.state, move))}"


def _way_out(state: ScotlandYardState) -> str:
    """The first move of Mr X that the detectives have no sure answer to, in words."""
    looks = open_looks([state])
    action = next((action for action in rules.legal_actions(state) if look_of(state, action) in looks), None)
    if action is None:
        return ""
    tickets = " and ".join(str(ticket) for ticket, _ in rules.steps_of(action))
    nodes = sorted(looks[look_of(state, action)])
    n, of = n_covered(state, nodes), len(nodes)
    reached = "no detective gets there" if of == 1 else f"the detectives can cover {n} of these {of}"
    return f" with {tickets}: then he can be on {state.config.board.text(nodes)}, and {reached}"


# -- where they come from ----------------------------------------------------------------------------------------------


def find(rng: Random) -> list[dict[str, Any]]:
    """Five detectives laid out near Mr X, who shows himself at once; four come nearer, and one is left."""
    tickets = Tickets(4, 3, 2, rng.choice((0, 0, 1, 2)), rng.choice((0, 0, 0, 1)))
    config = make_config("standard", mrx_tickets=tickets, shown=SHOWN)
    for _ in range(MOST_TRIES):
        laid = _laid_out(config, rng)
        if laid is not None and (made := _draft(*laid)):
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
    position = Position.begin(GAME, config, setup)
    singles = [move for move in rules.legal_actions(position.state) if not isinstance(move, Double)]
    if not singles:
        return None
    position = position.act(rng.choice(singles))
    while len(position.state.waiting) > 1:
        state = position.state
        moves = [move for move in rules.detective_moves(state) if move.to != state.quarry]
        piece = rng.choice(state.waiting)
        own = sorted((m for m in moves if m.piece is piece), key=lambda m: int(hops[m.to, state.quarry]))
        if not own:
            return None
        position = position.act(own[0] if rng.random() < 0.7 else rng.choice(own))
    return dict(setup), position


def _draft(setup: dict[str, Any], position: Position) -> dict[str, Any] | None:
    """None where he can be caught at once, or where there is too little to choose from."""
    state: ScotlandYardState = position.state
    if rules.to_act(state) is not Seat.PURSUERS:
        return None
    legal = rules.legal_actions(state)
    if len(legal) < 3 or any(move.to == state.quarry for move in legal):
        return None
    values = values_of(position)
    best = unique_best(values)
    if best is None:
        return None
    return {
        "seat": Seat.PURSUERS.value,
        "config": GAME.config_to_json(position.config),
        "setup": setup,
        "actions": list(position.texts),
        "best": best,
        "values": values,
    }
