"""Small games as Gambit's extensive-form text (.efg), which Gambit, OpenSpiel and others read."""

from __future__ import annotations

from collections.abc import Iterator

from manhunt.core.ids import PLAYERS
from manhunt.solvers.equilibrium.tree import HistoryTree, Kind


def export_efg(tree: HistoryTree) -> str:
    """The whole tree in Gambit's EFG format. Player 1 is the evader, and infoset i of a player is `tree.infosets[player
    - 1][i - 1]`; actions are named by the game's notation.
    """
    return "\n".join(_lines(tree)) + "\n"


def _lines(tree: HistoryTree) -> Iterator[str]:
    game, nodes = tree.game, tree.nodes
    names = " ".join(_quoted(game.seat_names.get(seat, seat.value)) for seat in PLAYERS)
    yield f"EFG 2 R {_quoted(f'{game.title}: {game.describe_config(tree.config)}')} {{ {names} }}"
    actions = [[_choices(tree, infoset.actions) for infoset in side] for side in tree.infosets]
    odds = _odds(tree)
    n_chance = 0
    for node, (kind, infoset) in enumerate(zip(nodes.kind.tolist(), nodes.infoset.tolist(), strict=True)):
        if kind == Kind.END:
            payoff = float(nodes.payoff[node])
            yield f't "" {1 if payoff > 0 else 2} "" {{ {payoff:g}, {-payoff:g} }}'
        elif kind == Kind.CHANCE:
            n_chance += 1
            outcomes = " ".join(f'"{i}" {p!r}' for i, p in enumerate(odds[node], 1))
            yield f'c "" {n_chance} "" {{ {outcomes} }} 0'
        else:
            yield f'p "" {kind + 1} {infoset + 1} "" {{ {actions[kind][infoset]} }} 0'


def _choices(tree: HistoryTree, actions: tuple[object, ...]) -> str:
    return " ".join(_quoted(tree.game.format_action(tree.config, action)) for action in actions)


def _odds(tree: HistoryTree) -> dict[int, list[float]]:
    """By chance node the probabilities of its branches, in their order."""
    found: dict[int, list[float]] = {}
    for parent, p in zip(tree.nodes.parent.tolist(), tree.nodes.odds.tolist(), strict=True):
        if parent >= 0 and tree.nodes.kind[parent] == Kind.CHANCE:
            found.setdefault(parent, []).append(p)
    return found


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
