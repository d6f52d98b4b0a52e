"""`Game.deals` lists what `Game.deal` draws, with the odds that it draws them with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deal_checks import check_deals
from manhunt.core.deals import dealt_again
from manhunt.core.errors import BadConfig
from manhunt.core.ids import Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import make_game
from scotland_yard_games import board_of

SKETCH = "1-2:T 2-3:T 3-4:T 4-5:T 5-1:T 1-3:B"
SHARED = {"mrx_starts": ["1", "2"], "detective_starts": ["2", "3", "4"]}
CONFIGS: list[tuple[str, dict[str, Any]]] = [
    ("pursuit", {"board": "path:4", "n_detectives": 1}),
    ("pursuit", {"board": "path:4", "n_detectives": 2}),
    ("pursuit", {"board": "path:2", "n_detectives": 1}),
    ("pursuit", {"board": "path:3", "placement": "chosen"}),
    ("scotland_yard", {"board": board_of(SKETCH), "n_detectives": 2}),
    ("scotland_yard", {"board": board_of(SKETCH), "n_detectives": 1, "mrx_starts": ["1", "4"]}),
    ("scotland_yard", {"board": board_of(SKETCH), "n_detectives": 2, **SHARED}),
    ("fugitive", {"last": 8, "piles": [[3, 5], [6, 7]], "dealt": [1, 0], "max_rounds": 3}),
    ("shortest_path", {}),
]


@pytest.mark.parametrize(("name", "options"), CONFIGS, ids=[f"{name}-{i}" for i, (name, _) in enumerate(CONFIGS)])
def test_deals_are_listed_with_the_odds_that_they_are_drawn_with(name: str, options: dict[str, Any]) -> None:
    game = make_game(name)
    check_deals(game, game.make_config(None, **options))


@pytest.mark.parametrize("name", ["scotland_yard", "fugitive"])
def test_too_many_deals_are_refused_in_one_line(name: str) -> None:
    game = make_game(name)
    with pytest.raises(BadConfig, match="deals are too many to list") as refused:
        list(game.deals(game.make_config()))
    assert len(str(refused.value).splitlines()) == 1


class Places:
    """A game of one place, which is over at once at some of them."""

    def __init__(self, over: Sequence[bool]) -> None:
        self.over = over

    def start(self, config: None, setup: Mapping[str, int]) -> int:
        return setup["at"]

    def outcome(self, state: int) -> Outcome | None:
        return Outcome(Side.PURSUERS, Termination.CAPTURE) if self.over[state] else None

    def odds(self, odds: Sequence[float], tries: int) -> dict[int, float]:
        game: Any = self
        return {
            setup["at"]: p for setup, p in dealt_again(game, None, [({"at": i}, p) for i, p in enumerate(odds)], tries)
        }


def test_three_draws_end_with_a_deal_that_is_over_only_if_all_three_are() -> None:
    found = Places([True, True, False]).odds([0.5, 0.3, 0.2], 3)
    assert found == pytest.approx({0: 0.5 * 0.64, 1: 0.3 * 0.64, 2: 1 - 0.512})


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.integers(1, 100))
def test_the_odds_sum_to_one(over: list[bool], tries: int) -> None:
    assert sum(Places(over).odds([1 / len(over)] * len(over), tries).values()) == pytest.approx(1)
