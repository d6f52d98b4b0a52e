"""What a seat of Pursuit sees: pieces on any board; moves by node, joint moves piece by piece."""

from __future__ import annotations

from typing import Any

from manhunt.core.ids import Node, Seat, Side
from manhunt.core.outcome import Outcome, Termination, forfeit_words
from manhunt.core.scene import Scene, SceneOffer
from manhunt.draw.board_scene import hunt_pieces, move_offer
from manhunt.games.pursuit.rules.actions import JointMove, PursuitAction, PursuitMove
from manhunt.games.pursuit.rules.config import PursuitOrder, Visibility
from manhunt.games.pursuit.rules.notation import format_action
from manhunt.games.pursuit.rules.views import PursuitView
from manhunt.games.pursuit.rules.words import detective_name


def scene(view: PursuitView) -> Scene:
    config = view.config
    rounds = "" if config.max_rounds is None else f" of {config.max_rounds}"
    names = [detective_name(i) for i in range(len(view.pursuers))]
    return Scene(
        title=f"Pursuit, round {round_played(view)}{rounds}: {turn_of(view)}",
        round=round_played(view),
        turn=view.to_act,
        outcome=view.outcome,
        turn_words=turn_of(view),
        ending="" if view.outcome is None else ending(view.outcome),
        board=config.board,
        pieces=hunt_pieces(view, "Mr X", "X", names),
        offers=offers(view),
        page={
            "rounds": config.max_rounds,
            "waiting": [f"pursuer-{i}" for i in view.waiting],
            "placing": view.placing,
            "hidden": config.visibility is not Visibility.ALWAYS,
            "facts": _facts(view),
        },
    )


def round_played(view: PursuitView) -> int:
    """The round that is being played, or the last one."""
    if view.outcome is not None or view.placing:
        return max(1, view.round)
    has_begun = view.config.first is Side.EVADER and bool(view.waiting)
    return view.round if has_begun else view.round + 1


def turn_of(view: PursuitView) -> str:
    """Who acts now, or how the game ended."""
    if view.outcome is not None:
        return ending(view.outcome)
    verb = "choose a place" if view.placing else "move"
    if view.to_act is Seat.EVADER:
        return f"Mr X to {verb}"
    if view.placing:
        return f"{detective_name(len(view.pursuers))} to {verb}"
    if view.config.order is PursuitOrder.IN_ORDER and view.waiting:
        return f"{detective_name(view.waiting[0])} to {verb}"
    return f"detectives to {verb}"


def ending(outcome: Outcome) -> str:
    loser = "the detectives" if outcome.winner is Side.EVADER else "Mr X"
    how = {
        Termination.CAPTURE: "Mr X is caught",
        Termination.STRANDED: "Mr X cannot move",
        Termination.SURVIVAL: "Mr X survived all rounds",
        Termination.FORFEIT: forfeit_words(outcome, loser),
    }
    who = "Mr X wins" if outcome.winner is Side.EVADER else "the detectives win"
    return f"{who} ({how.get(outcome.termination, outcome.termination.value)})"


def _facts(view: PursuitView) -> list[str]:
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


def offers(view: PursuitView) -> tuple[SceneOffer, ...]:
    """Moves one by one; all joint moves in one offer, as a tree of destinations in the order of the pieces.

    In free order the piece's node is picked before its destination. The group is
    `{"words": ..., "joint": {"pieces": [ids], "tree": {"12": {"5": "all:12,5"}}}}`.
    """
    pick_piece = view.config.order is PursuitOrder.ANY and view.to_act is Seat.PURSUERS and not view.placing
    singles = tuple(
        move_offer(view, action, words_of(view, action), _name_of(action), _place_of(view, action), pick_piece)
        for action in view.legal
        if isinstance(action, PursuitMove)
    )
    joint = [action for action in view.legal if isinstance(action, JointMove)]
    return (*singles, _joint(view, joint)) if joint else singles


def _joint(view: PursuitView, actions: list[JointMove]) -> SceneOffer:
    label = view.config.board.label
    tree: dict[str, Any] = {}
    for action in actions:
        branch = tree
        *before, last = action.to_all
        for node in before:
            branch = branch.setdefault(label(node), {})
        branch[label(last)] = format_action(view.config, action)
    ids = [f"pursuer-{i}" for i in range(len(view.pursuers))]
    to = tuple({node for action in actions for node in action.to_all})
    return SceneOffer("", "all detectives at once", to=to, more={"joint": {"pieces": ids, "tree": tree}})


def _place_of(view: PursuitView, action: PursuitMove) -> Node | None:
    if view.placing:
        return None
    return view.quarry if action.piece is None else view.pursuers[action.piece]


def _name_of(action: PursuitMove) -> str:
    return "Mr X" if action.piece is None else detective_name(action.piece)


def words_of(view: PursuitView, action: PursuitAction) -> str:
    """A move in words: `to 8`, `red to 12`, `green stays on 5`."""
    label = view.config.board.label
    if isinstance(action, JointMove):
        return ", ".join(f"{detective_name(i)} to {label(node)}" for i, node in enumerate(action.to_all))
    how = "stays on" if _place_of(view, action) == action.to else "to"
    who = "" if action.piece is None else f"{detective_name(action.piece)} "
    return f"{who}{how} {label(action.to)}"
