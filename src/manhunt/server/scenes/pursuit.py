"""Pursuit for its page: pieces on any board; moves by node, joint moves piece by piece."""

from __future__ import annotations

from typing import Any

from manhunt.draw.pursuit import ending, picks_of, title_of
from manhunt.games.pursuit.actions import Action, JointMove, Move
from manhunt.games.pursuit.config import Visibility
from manhunt.games.pursuit.notation import format_action
from manhunt.games.pursuit.views import View
from manhunt.server.scenes import pieces


def scene(view: View) -> dict[str, Any]:
    label = view.config.board.label
    pursuers = [pieces.pursuer(i, label(node), f"d{i}") for i, node in enumerate(view.pursuers)]
    return {
        **pieces.head(view, view.round, title_of(view), ending),
        "rounds": view.config.max_rounds,
        "marks": pieces.marks(view, pursuers),
        "waiting": [f"pursuer-{i}" for i in view.waiting],
        "placing": view.placing,
        "hidden": view.config.visibility is not Visibility.ALWAYS,
        "facts": _facts(view),
    }


def _facts(view: View) -> list[str]:
    """What is settled about this game, in words."""
    config, board = view.config, view.config.board
    see = {
        Visibility.ALWAYS: "everybody sees everything",
        Visibility.ROUNDS: f"Mr X is seen in rounds {', '.join(map(str, config.reveal_rounds)) or '(none)'}",
        Visibility.SIGHT: f"the detectives see {config.sight_hops} step{'s' * (config.sight_hops != 1)} far",
    }
    first = "Mr X moves first" if config.first.value == "evader" else "the detectives move first"
    end = "no limit of rounds" if config.max_rounds is None else f"Mr X wins after {config.max_rounds} rounds"
    return [f"{board.name}: {board.n_nodes} nodes, {len(board.edges)} edges", see[config.visibility], first, end]


def offers(view: View) -> list[dict[str, Any]]:
    """Moves one by one; all joint moves in one offer, as a tree of destinations in the order of the pieces.

    `{"words": ..., "joint": {"pieces": [ids], "tree": {"12": {"5": "all:12,5"}}}}`.
    """
    singles = [_single(view, action) for action in view.legal if isinstance(action, Move)]
    joint = [action for action in view.legal if isinstance(action, JointMove)]
    return [*singles, _joint(view, joint)] if joint else singles


def _single(view: View, action: Move) -> dict[str, Any]:
    label = view.config.board.label
    here = _place_of(view, action)
    offer = {
        "action": format_action(view.config, action),
        "words": words_of(view, action),
        "picks": [label(node) for node in picks_of(view, action)],
        "to": label(action.to),
        "stays": here == action.to,
    }
    if action.piece is not None:
        offer |= {"piece": f"d{action.piece}", "id": f"pursuer-{action.piece}"}
    return offer


def _joint(view: View, actions: list[JointMove]) -> dict[str, Any]:
    label = view.config.board.label
    tree: dict[str, Any] = {}
    for action in actions:
        branch = tree
        *before, last = action.to_all
        for node in before:
            branch = branch.setdefault(label(node), {})
        branch[label(last)] = format_action(view.config, action)
    ids = [f"pursuer-{i}" for i in range(len(view.pursuers))]
    return {"words": "all detectives at once", "joint": {"pieces": ids, "tree": tree}}


def _place_of(view: View, action: Move) -> int | None:
    if view.placing:
        return None
    return view.quarry if action.piece is None else view.pursuers[action.piece]


def words_of(view: View, action: Action) -> str:
    """A move in words: `to 8`, `d0 to 12`, `d1 stays on 5`."""
    label = view.config.board.label
    if isinstance(action, JointMove):
        return ", ".join(f"d{i} to {label(node)}" for i, node in enumerate(action.to_all))
    how = "stays on" if _place_of(view, action) == action.to else "to"
    who = "" if action.piece is None else f"d{action.piece} "
    return f"{who}{how} {label(action.to)}"
