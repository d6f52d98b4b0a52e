"""Puzzles of Scotland Yard against the rules alone: every world that the detectives cannot tell from the truth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from manhunt.analysis.puzzles import position_of
from manhunt.core.ids import Node, Seat
from manhunt.core.puzzle import Puzzle
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.play.position import Position
from puzzle_samples import some_puzzles
from scotland_yard_surely_caught import by_brute_force


def shown(state: ScotlandYardState) -> tuple[object, ...]:
    """All that is public in a state."""
    return state.pursuers, state.tickets, state.log, state.waiting, rules.outcome(state)


def after_ply(nodes: Iterable[Node], position: Position, ply: int) -> set[Node]:
    """Where Mr X may be after the next action of a game; of his own moves any that looks the same may be it."""
    before, action, truth = position.states[ply], position.actions[ply], position.states[ply + 1]
    is_seen = rules.to_act(before) is Seat.PURSUERS
    worlds = [replace(before, quarry=node) for node in nodes]
    moved = (
        rules.apply_action(world, move)
        for world in worlds
        for move in ((action,) if is_seen else rules.legal_actions(world))
    )
    return {each.quarry for each in moved if shown(each) == shown(truth)}


def places(position: Position) -> set[str]:
    """Where Mr X may be."""
    first: ScotlandYardState = position.states[0]
    board, starts = first.config.board, first.config.mrx_starts
    free = [board.node(label) for label in starts] if starts and not first.free else board.nodes()
    nodes = {Node(node) for node in free if node not in first.pursuers}
    for ply in range(len(position.actions)):
        nodes = after_ply(nodes, position, ply)
    return {board.label(node) for node in nodes}


def check_where(puzzle: Puzzle, position: Position) -> None:
    can = places(position)
    assert {station: station in can for station in puzzle.values} == puzzle.values
    odd = [station for station, possible in puzzle.values.items() if possible is puzzle.more["possible"]]
    assert odd == [puzzle.best]


def check_trap(puzzle: Puzzle, position: Position) -> None:
    traps = []
    assert set(puzzle.values) == {position.text_of(action) for action in position.legal}
    for answer in puzzle.values:
        after = position.play(answer).state
        end = rules.outcome(after)
        if by_brute_force(after) if end is None else end.winner.value == "pursuers":
            traps.append(answer)
    assert traps == [puzzle.best]


@pytest.mark.parametrize(("kind", "check", "n"), [("where", check_where, 3), ("trap", check_trap, 2)])
def test_puzzles_are_right_by_the_rules_alone(kind, check, n: int) -> None:
    for puzzle in some_puzzles("scotland_yard", n, kind):
        print(puzzle.id)
        check(puzzle, position_of(puzzle))
