"""Equilibria that `manhunt.solvers` found, as policies that OpenSpiel can judge and play."""

from __future__ import annotations

from typing import Any

import pyspiel

from manhunt.adapters.openspiel.game import ManhuntGame
from manhunt.adapters.openspiel.positions import Position, Rules
from manhunt.core.ids import PLAYERS
from manhunt.solvers.equilibrium.cfr import Equilibrium, policy_of
from manhunt.solvers.equilibrium.tree import HistoryTree, Infoset


def tabular_policy(game: ManhuntGame, tree: HistoryTree, equilibrium: Equilibrium) -> Any:
    """Both sides' probabilities by information state, as a `pyspiel.TabularPolicy` of the same config."""
    table: dict[str, list[tuple[int, float]]] = {}
    sides = (tree.form.evader, equilibrium.evader), (tree.form.pursuers, equilibrium.pursuers)
    for seat, infosets, (side, weights) in zip(PLAYERS, tree.infosets, sides, strict=True):
        chances = policy_of(side, weights)
        for infoset in infosets:
            position = _position_of(game.rules, tree, infoset)
            numbers = [game.rules.encoder.number_of(action) for action in infoset.actions]
            row = chances[infoset.first : infoset.first + len(numbers)].tolist()
            table[position.told(seat)] = list(zip(numbers, row, strict=True))
    _add_forced(game.rules.root, table)
    return pyspiel.TabularPolicy(table)


def _position_of(rules: Rules, tree: HistoryTree, infoset: Infoset) -> Position:
    first, plies, _ = tree.history_of(infoset.node)
    position = Position(rules, first)
    for ply in plies:
        position = position.after_action(ply.action)
    return position


def _add_forced(root: Any, table: dict[str, list[tuple[int, float]]]) -> None:
    """Information states with one action, which a tree leaves out."""
    waiting = [root]
    while waiting:
        at = waiting.pop()
        if isinstance(at, Position):
            if at.is_over:
                continue
            if at.seat in PLAYERS and len(at.actions) == 1:
                table.setdefault(at.told(at.seat), [(next(iter(at.actions)), 1.0)])
            waiting += [at.after(number) for number in at.actions]
        else:
            waiting += [at.after(number) for number, _ in at.odds]
