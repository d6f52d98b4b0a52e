"""Our trees and solutions judged by OpenSpiel, through the EFG text."""

from __future__ import annotations

from typing import Any

import pytest

from manhunt.adapters.efg import export_efg
from manhunt.core.arrays import Floats
from manhunt.solvers.equilibrium.cfr import Equilibrium, policy_of
from manhunt.solvers.equilibrium.tree import HistoryTree

pyspiel: Any = pytest.importorskip("pyspiel", reason="NOT CHECKED: no open-spiel")


def load(tree: HistoryTree) -> Any:
    return pyspiel.load_efg_game(export_efg(tree))


def policy_for(game: Any, tree: HistoryTree, found: Equilibrium) -> Any:
    """The policies behind both sides' weights, in OpenSpiel's terms."""
    policies = (policy_of(tree.form.evader, found.evader), policy_of(tree.form.pursuers, found.pursuers))
    table: dict[str, list[tuple[int, float]]] = {}
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            table.setdefault(state.information_state_string(), _row(state, tree, policies))
        waiting.extend(state.child(action) for action in state.legal_actions())
    return pyspiel.TabularPolicy(table)


def _row(state: Any, tree: HistoryTree, policies: tuple[Floats, Floats]) -> list[tuple[int, float]]:
    player = state.current_player()
    infoset = tree.infosets[player][int(state.information_state_string().split("-")[2]) - 1]
    names = [tree.game.format_action(tree.config, action) for action in infoset.actions]
    odds = policies[player]
    return [
        (action, float(odds[infoset.first + names.index(state.action_to_string(player, action))]))
        for action in state.legal_actions()
    ]


def value_and_gap(game: Any, policy: Any) -> tuple[float, float]:
    """The evader's payoff when both play a policy, and what both together could still gain."""
    state = game.new_initial_state()
    return float(pyspiel.expected_returns(state, policy, -1, True)[0]), float(pyspiel.nash_conv(game, policy))
