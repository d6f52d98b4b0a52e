"""Ratings where the answer is known."""

import math
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.arena.anchors import anchors_of, check_anchor, fingerprint, spec_of
from manhunt.arena.competition.standings import RoleScore
from manhunt.arena.ratings import ELO, fit, rate, reference_index
from manhunt.arena.stats import Z95, Interval
from manhunt.core.errors import BadAgent
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kits


def logit(won: float, lost: float) -> float:
    return math.log((won + 0.5) / (lost + 0.5))


@given(st.integers(0, 500), st.integers(0, 500))
def test_one_cell_has_a_closed_form(won: int, lost: int) -> None:
    _, balance = fit(np.array([[float(won)]]), np.array([[float(lost)]]))
    error = math.sqrt(1 / (won + 0.5) + 1 / (lost + 0.5))
    assert balance.value == pytest.approx(ELO * logit(won, lost), abs=1e-3)
    assert balance.high - balance.value == pytest.approx(ELO * Z95 * error, rel=1e-4)


def test_two_evaders_have_a_closed_form() -> None:
    (evaders, _), _ = fit(np.array([[30.0], [70.0]]), np.array([[70.0], [30.0]]))
    error = math.sqrt(2 * (1 / 30.5 + 1 / 70.5))
    assert evaders[0] == (0, 0, 0)
    assert evaders[1].value == pytest.approx(ELO * 2 * logit(70, 30), abs=1e-3)
    assert evaders[1].high - evaders[1].value == pytest.approx(ELO * Z95 * error, rel=1e-4)


def test_true_strengths_are_found() -> None:
    e, p = np.array([0.0, 1.2, -0.4]), np.array([0.0, 0.7, 1.5, -0.2])
    chance = 1 / (1 + np.exp(-(0.3 + e[:, None] - p[None, :])))
    (evaders, pursuers), balance = fit(1e6 * chance, 1e6 * (1 - chance))
    assert [r.value / ELO for r in evaders] == pytest.approx(list(e), abs=1e-3)
    assert [r.value / ELO for r in pursuers] == pytest.approx(list(p), abs=1e-3)
    assert balance.value / ELO == pytest.approx(0.3, abs=1e-3)


def test_intervals_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(3)
    e, p = np.array([0.0, 0.8]), np.array([0.0, 0.5])
    chance = 1 / (1 + np.exp(-(e[:, None] - p[None, :])))
    hits = 0
    for _ in range(400):
        won = rng.binomial(100, chance).astype(float)
        (evaders, _), _ = fit(won, 100 - won)
        hits += evaders[1].low <= 0.8 * ELO <= evaders[1].high
    assert 0.92 <= hits / 400 <= 0.98


def test_perfect_scores_stay_finite() -> None:
    (evaders, pursuers), balance = fit(
        np.array([[1000.0, 0.0], [1000.0, 1000.0]]), np.array([[0.0, 1000.0], [0.0, 0.0]])
    )
    figures = [value for row in (*evaders, *pursuers, balance) for value in row]
    assert all(math.isfinite(value) for value in figures)
    assert evaders[1].low > 0


def test_whoever_won_or_lost_every_game_is_open() -> None:
    """Evaders: one wins all, one loses all, one does both. The pursuers meet all three."""
    wins, losses = [9, 0, 5], [0, 9, 4]
    cells = [SimpleNamespace(evader_wins=won, pursuers_wins=lost) for won, lost in zip(wins, losses, strict=True)]
    plan = SimpleNamespace(game="pursuit", evaders=("always", "never", "random"), pursuers=("random",))
    found = rate(cast(Any, SimpleNamespace(plan=plan, cells=cells)))
    assert {rating.agent: rating.is_open for rating in found.of(Seat.EVADER)} == {
        "always": True,
        "never": True,
        "random": False,
    }
    assert [rating.is_open for rating in found.of(Seat.PURSUERS)] == [False]
    assert [rating.agent for rating in found.of(Seat.EVADER)] == ["always", "random", "never"]
    assert found.reference(Seat.EVADER) == "random"


def test_a_tournament_says_who_won_or_lost_all() -> None:
    elo = Interval(300.0, -150.0, 900.0)
    told = [RoleScore(*counts, elo).elo_text for counts in ((3, 0, 0), (0, 0, 3), (2, 0, 1))]
    assert told == [("won all", "above -150"), ("lost all", "below +900"), ("+300", "-150 to +900")]


def test_the_reference_moves_all_alike() -> None:
    won, lost = np.array([[30.0, 10.0], [60.0, 45.0]]), np.array([[70.0, 90.0], [40.0, 55.0]])
    (first, _), _ = fit(won, lost, 0, 0)
    (second, _), _ = fit(won, lost, 1, 0)
    assert first[1].value == pytest.approx(-second[0].value, abs=1e-3)


def test_the_reference_is_the_first_anchor_that_plays() -> None:
    assert reference_index("scotland_yard", Seat.EVADER, ["mcts", "greedy@1", "random"]) == 2
    assert reference_index("scotland_yard", Seat.EVADER, ["mcts", "greedy-hide@1", "greedy@1"]) == 2
    assert reference_index("scotland_yard", Seat.PURSUERS, ["mcts", "mcts:iterations=5"]) == 0


def test_random_play_is_the_reference_where_nothing_is_frozen() -> None:
    assert reference_index("fugitive", Seat.PURSUERS, ["notepad", "exact", "random"]) == 2
    assert reference_index("shortest_path", Seat.EVADER, ["dijkstra", "random@1"]) == 1
    assert spec_of("random@1", "fugitive", Seat.EVADER) == "random"
    check_anchor("random@1", "fugitive", Seat.EVADER)
    with pytest.raises(BadAgent, match=r"unknown anchor 'greedy@1' .* known: random@1"):
        spec_of("greedy@1", "fugitive", Seat.EVADER)


@pytest.mark.parametrize("game", ["pursuit", "scotland_yard"])
def test_three_anchors_for_each_role(game: str) -> None:
    assert [len({anchor.label for anchor in anchors_of(game, seat)}) for seat in PLAYERS] == [3, 3]


ANCHORS = [(kit.name, anchor) for kit in kits() for anchor in kit.anchors]


@pytest.mark.parametrize(
    ("game", "anchor"), ANCHORS, ids=lambda v: v if isinstance(v, str) else f"{v.seat.value}-{v.label}"
)
def test_anchors_play_as_when_they_were_frozen(game: str, anchor) -> None:
    """A failure means that the agent changed: freeze it anew as the next version, do not change this one."""
    assert fingerprint(anchor, game) == anchor.fingerprint


def test_anchor_names() -> None:
    assert spec_of("random@1", "pursuit", Seat.EVADER) == "random"
    assert spec_of("mcts:iterations=3", "pursuit", Seat.EVADER) == "mcts:iterations=3"
    with pytest.raises(BadAgent, match=r"unknown anchor 'random@7' .* known: random@1, greedy@1"):
        spec_of("random@7", "pursuit", Seat.EVADER)


def test_a_changed_anchor_is_refused(monkeypatch) -> None:
    check_anchor("random@1", "pursuit", Seat.EVADER)
    monkeypatch.setattr("manhunt.agents.random.RandomAgent.act", _first)
    with pytest.raises(BadAgent, match="random@1 no longer plays pursuit as it did"):
        check_anchor("random@1", "pursuit", Seat.EVADER)


def _first(self, view, limit, rng):
    from manhunt.core.agent import Advice

    return Advice(view.legal[0])
