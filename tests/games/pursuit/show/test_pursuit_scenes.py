"""Pursuit for its page: every move is offered once, also joint ones; a hidden Mr X is not in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from followed import as_json, follow
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.draw.look import pursuer_look
from manhunt.games.pursuit.rules.notation import format_action
from manhunt.games.pursuit.rules.words import COLOURS, detective_name
from scene_pages import page_offers, page_scene

GAME = make_game("pursuit")
CONFIGS = {
    "seed": GAME.make_config("seed", max_rounds=6),
    "any order": GAME.make_config("seed", max_rounds=6, order="any", n_detectives=3),
    "at once, chosen places": GAME.make_config("cops-and-robbers", board="petersen", max_rounds=5),
    "sight": GAME.make_config("seed", board="grid:4x4", visibility="sight", max_rounds=8),
}


def leaves(tree: dict[str, Any] | str) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    else:
        for branch in tree.values():
            yield from leaves(branch)


def actions_of(offers: list[dict[str, Any]]) -> list[str]:
    singles = [offer["action"] for offer in offers if "action" in offer]
    return singles + [action for offer in offers if "joint" in offer for action in leaves(offer["joint"]["tree"])]


@pytest.mark.parametrize("name", CONFIGS)
def test_every_legal_move_is_reached_in_exactly_one_way(name: str) -> None:
    config = CONFIGS[name]
    for _, logs in follow("pursuit", config, seed=2):
        for log in logs.values():
            offers = as_json(page_offers(log.view))
            assert sorted(actions_of(offers)) == sorted(format_action(config, action) for action in log.view.legal)
            assert as_json(page_scene(log.view))["turn"] == (log.view.to_act and log.view.to_act.value)


def test_picks_lead_from_the_piece_to_the_destination_where_any_piece_may_move() -> None:
    moments = follow("pursuit", CONFIGS["any order"], seed=3)
    next(moments)
    view = next(moments).logs[Seat.PURSUERS].view
    label = view.config.board.label
    for offer in page_offers(view):
        place = label(view.pursuers[COLOURS.index(offer["piece"])])
        assert offer["picks"] == [place, offer["to"]]
        assert offer["stays"] is (place == offer["to"])


def test_a_joint_move_is_composed_in_the_order_of_the_pieces() -> None:
    view = next(
        logs[Seat.PURSUERS].view
        for _, logs in follow("pursuit", CONFIGS["at once, chosen places"], seed=4)
        if not logs[Seat.PURSUERS].view.placing and logs[Seat.PURSUERS].view.legal
    )
    (offer,) = page_offers(view)
    assert offer["joint"]["pieces"] == ["pursuer-0", "pursuer-1"]
    for first, rest in offer["joint"]["tree"].items():
        for second, action in rest.items():
            assert action == f"all:{first},{second}"


def test_a_hidden_mr_x_is_in_no_scene_of_the_detectives() -> None:
    n_hidden = 0
    for state, logs in follow("pursuit", CONFIGS["sight"], seed=5):
        for seat in (Seat.PURSUERS, Seat.SPECTATOR):
            scene = as_json(page_scene(logs[seat].view))
            ids = [piece["id"] for piece in scene["marks"]["pieces"]]
            assert ("quarry" in ids) is (logs[seat].view.quarry is not None)
            n_hidden += "quarry" not in ids
            assert scene["hidden"] is True
        assert page_scene(logs[Seat.EVADER].view)["marks"]["pieces"][0]["at"] == state.config.board.label(state.quarry)
    assert n_hidden > 0


def test_detectives_are_called_by_the_colours_of_their_pieces() -> None:
    assert [detective_name(i) for i in range(7)] == [pursuer_look(i).name for i in range(7)]
