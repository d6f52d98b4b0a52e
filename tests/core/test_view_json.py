"""What bots read, the JSON of a view, says what the view says, in every game and for every seat."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from manhunt.core.game import AnyGame
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import BUILT_IN, kit_of

TABLES: list[tuple[str, Mapping[str, Any]]] = [
    *((name, kit_of(name).small) for name in BUILT_IN),
    ("pursuit", {"board": "grid:3x4", "visibility": "rounds", "reveal_rounds": [2], "max_rounds": 4}),
    ("pursuit", {"preset": "cops-and-robbers", "board": "grid:3x3", "max_rounds": 4}),
    ("fugitive", {}),
]


def states(game: AnyGame, config: Any, seed: int) -> Iterator[Any]:
    rng = Random(seed)
    state = game.start(config, game.deal(config, rng))
    yield state
    while game.outcome(state) is None:
        state = game.apply_action(state, rng.choice(game.legal_actions(state)))
        yield state


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_the_json_of_a_view_says_what_the_view_says(name: str, options: Mapping[str, Any]) -> None:
    game = kit_of(name).game
    config = game.make_config(**options)
    n_sightings = 0
    for seed in range(6):
        for state in states(game, config, seed):
            for seat in (*PLAYERS, Seat.SPECTATOR):
                view: Any = game.view(state, seat)
                told = game.view_to_json(view)
                assert json.loads(json.dumps(told)) == told
                check_common(view, told)
                n_sightings += check_places(view, told)
                check_cards(view, told)
    assert n_sightings or not {"reveal_rounds", "shown"} & options.keys()


def check_common(view: Any, told: Mapping[str, Any]) -> None:
    assert told["seat"] == view.seat.value
    assert told["round"] == view.round
    assert told["to_act"] == (None if view.to_act is None else view.to_act.value)
    assert told["outcome"] == (None if view.outcome is None else str(view.outcome))


def check_places(view: Any, told: Mapping[str, Any]) -> int:
    """The quarry and where it was seen, of games on a board; returns how often it was seen."""
    if not hasattr(view, "quarry"):
        return 0
    label = view.config.board.label
    place = told["quarry"] if "quarry" in told else told["at"]
    assert place == (None if view.quarry is None else label(view.quarry))
    sighting = getattr(view, "sighting", None)
    assert told.get("sighting") == (sighting and {"at": label(sighting.node), "round": sighting.round})
    return sighting is not None


def check_cards(view: Any, told: Mapping[str, Any]) -> None:
    """The cards of games with hands: each hand as the seat knows it, and the row."""
    for hand in ("fugitive", "marshal"):
        if hasattr(view, hand):
            cards = getattr(view, hand)
            assert told[hand] == (None if cards is None else list(cards))
    for spot, shown in zip(getattr(view, "row", ()), told.get("row", ()), strict=True):
        assert shown["card"] == spot.card
        assert shown["sprints"] == (None if spot.sprints is None else list(spot.sprints))
        assert shown["n_sprints"] == spot.n_sprints
