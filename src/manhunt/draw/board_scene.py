"""The scene of a hunt on a board, for games that bring none of their own, and the parts that such scenes share.

It works from a `BoardView`, and from actions that are `BoardMove`s; any other action can only be chosen from a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from manhunt.core.game import BoardView, Sighting
from manhunt.core.ids import Node, Seat
from manhunt.core.registry import make_game
from manhunt.core.scene import Scene, SceneOffer, ScenePiece
from manhunt.draw.board_words import ending_of, move_words, place_of, title_of, turn_of
from manhunt.draw.look import pursuer_look, quarry_letter


def scene(view: BoardView) -> Scene:
    game = make_game(view.game)
    name = game.seat_names[Seat.EVADER]
    names = [pursuer_look(i).name for i in range(len(view.pursuers))]
    return Scene(
        title=title_of(view),
        round=view.round,
        turn=view.to_act,
        outcome=view.outcome,
        turn_words=turn_of(game, view),
        ending="" if view.outcome is None else ending_of(game, view.outcome),
        board=view.config.board,
        pieces=hunt_pieces(view, name, quarry_letter(name), names),
        offers=offers(view),
        page={"hidden": game.capabilities.hidden},
    )


def hunt_pieces(view: BoardView, name: str, letter: str, names: Sequence[str]) -> tuple[ScenePiece, ...]:
    """The quarry of this name where the seat sees it, else where it was seen last, and the pursuers."""
    sighting: Sighting | None = getattr(view, "sighting", None)
    quarry = quarry_piece(view.quarry, sighting, name, letter)
    return (*quarry, *(ScenePiece(node, "pursuer", i, name=names[i]) for i, node in enumerate(view.pursuers)))


def quarry_piece(at: Node | None, sighting: Sighting | None, name: str, letter: str) -> tuple[ScenePiece, ...]:
    if at is not None:
        return (ScenePiece(at, "quarry", letter=letter, name=name),)
    return () if sighting is None else (ScenePiece(sighting.node, "hidden", name=name, text=f"round {sighting.round}"),)


def offers(view: BoardView) -> tuple[SceneOffer, ...]:
    """One for each legal action. Where several pieces may move, the piece's node is picked first."""
    pick_piece = len({getattr(action, "piece", None) for action in view.legal}) > 1
    return tuple(_offer(view, action, pick_piece) for action in view.legal)


def _offer(view: BoardView, action: Any, pick_piece: bool) -> SceneOffer:
    words = move_words(view, action)
    name = "" if getattr(action, "piece", None) is None else pursuer_look(action.piece).name
    return move_offer(view, action, words, name, place_of(view, getattr(action, "piece", None)), pick_piece)


def move_offer(view: BoardView, action: Any, words: str, name: str, here: Node | None, pick_piece: bool) -> SceneOffer:
    """The offer of one move from `here`; an action without a destination can only be chosen from a list."""
    text = make_game(view.game).format_action(view.config, action)
    to: Node | None = getattr(action, "to", None)
    if to is None:
        return SceneOffer(text, words)
    label = view.config.board.label
    way = (here, to) if pick_piece and here is not None else (to,)
    more: dict[str, Any] = {"to": label(to), "stays": here == to}
    if action.piece is not None:
        more |= {"piece": name, "id": f"pursuer-{action.piece}"}
    return SceneOffer(text, words, tuple(map(label, way)), (to,), more)
