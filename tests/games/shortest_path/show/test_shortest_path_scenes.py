"""Scenes and offers of Adversarial Shortest Path: every edge can be raised, costs are those of the rules."""

from __future__ import annotations

from typing import Any

import pytest

from followed import as_json, follow
from manhunt.core.ids import Seat
from manhunt.games.shortest_path.rules.config import PRESETS, make_config
from manhunt.games.shortest_path.rules.costs import cheapest_ways, cost_of, edge_index
from manhunt.games.shortest_path.rules.notation import format_action
from manhunt.games.shortest_path.rules.views import ShortestPathView
from manhunt.games.shortest_path.show.scene import LEVELS, MOST_LISTED, WIDTHS, level_of
from scene_pages import page_offers, page_scene

SMALL, LARGE = "contest:24:44:separation=5:cut=3:seed=1", "contest:90:240:separation=8:cut=3:seed=2"


def offered(view: ShortestPathView) -> list[str]:
    """All actions that the offers reach, those of the group too."""
    found = []
    for offer in page_offers(view):
        found += list(offer["edges"]) if offer.get("kind") == "others" else [offer["action"]]
    return found


@pytest.mark.parametrize("board", [SMALL, LARGE])
@pytest.mark.parametrize("preset", PRESETS)
def test_every_legal_action_is_reached_by_exactly_one_offer(board: str, preset: str) -> None:
    config = make_config(preset, board)
    for moment in follow("shortest_path", config, 1, most=24):
        for seat, log in moment.logs.items():
            view: Any = log.view
            as_json([page_scene(view), page_offers(view)])
            legal = [format_action(config, action) for action in view.legal]
            assert sorted(offered(view)) == sorted(legal)
            assert bool(page_offers(view)) == (view.to_act is seat)


def test_many_raises_are_offered_in_short_and_the_interesting_ones_in_full() -> None:
    _, moment, *_ = follow("shortest_path", make_config(None, LARGE), 1, most=4)
    made = page_offers(moment.logs[Seat.PURSUERS].view)
    full = [offer for offer in made if offer["kind"] == "raise"]
    assert 0 < len(full) <= MOST_LISTED
    assert {offer["why"] for offer in full} <= {
        "on the cheapest way", "at the target", "at the traveller", "raised before",
    }  # fmt: skip
    (others,) = (offer["edges"] for offer in made if offer["kind"] == "others")
    assert len(full) + len(others) == len(moment.state.config.board.edges)
    assert len(str(others)) < 60 * len(others)
    assert made[-1]["kind"] == "pass"


def test_costs_ways_and_words_are_those_of_the_rules() -> None:
    config = make_config(None, SMALL)
    board, index = config.board, edge_index(config.board)
    for moment in follow("shortest_path", config, 3, most=40):
        state, scene = moment.state, page_scene(moment.logs[Seat.SPECTATOR].view)
        ways = cheapest_ways(config, state.raises)
        assert scene["paid"] == state.total
        assert scene["cheapest"]["cost"] == ways.distance[state.quarry]
        raised = {i for i, n in enumerate(state.raises) if n}
        marked = {index[board.node(a), board.node(b)] for a, b in (key.split() for key in scene["marks"]["edges"])}
        assert marked == raised
        for key, mark in scene["marks"]["edges"].items():
            a, b = map(board.node, key.split())
            assert a < b
            assert mark["cost"] == cost_of(config, state.raises, index[a, b])
            assert mark["width"] == WIDTHS[mark["level"]]
        assert set(scene["marks"]["edges"]) <= set(scene["marks"]["matter"])
        for step in scene["here"]:
            assert step["cost"] == cost_of(config, state.raises, index[state.quarry, board.node(step["to"])])


def test_levels_rise_with_costs() -> None:
    assert level_of(1.0) == 0
    assert [level_of(limit) for limit in LEVELS] == list(range(len(LEVELS)))
    assert [level_of(limit * 1.01) for limit in LEVELS] == list(range(1, len(LEVELS) + 1))
    assert level_of(1e300) == len(WIDTHS) - 1


def test_all_seats_see_the_same() -> None:
    for moment in follow("shortest_path", make_config(None, SMALL), 5, most=12):
        scenes = [page_scene(log.view) for log in moment.logs.values()]
        assert scenes[0] == scenes[1] == scenes[2]
