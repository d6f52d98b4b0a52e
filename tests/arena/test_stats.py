"""Intervals and the sequential test against SciPy, brute force and simulation."""

import math
from collections import Counter
from random import Random
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats import t as student

from manhunt.arena.sequential import Comparison, Sprt, Verdict, elo_of_share, estimate_elo, share
from manhunt.arena.stats import Interval, PairCounts, count_pairs, mean_of, paired_difference, wilson
from manhunt.core.errors import BadConfig
from manhunt.core.ids import Seat, Side


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_scipys(case: tuple[int, int]) -> None:
    wins, n = case
    ours = wilson(wins, n)
    theirs = binomtest(wins, n).proportion_ci(method="wilson")
    assert ours.low == pytest.approx(theirs.low, abs=1e-12)
    assert ours.high == pytest.approx(theirs.high, abs=1e-12)
    assert 0 <= ours.low <= ours.value <= ours.high <= 1


def test_wilson_of_a_known_case() -> None:
    low, high = wilson(8, 10)[1:]  # Brown, Cai and DasGupta's formula by hand
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)


def test_wilson_needs_games() -> None:
    with pytest.raises(ValueError, match="0 wins in 0 games"):
        wilson(0, 0)


@given(st.lists(st.sampled_from([1.0, 2.5, 4.0, 7.25]), min_size=2, max_size=30))
def test_means_have_students_interval(values: list[float]) -> None:
    found = mean_of(Counter(values))
    assert found is not None
    assert found.value == pytest.approx(fmean(values))
    half = float(student.ppf(0.975, len(values) - 1)) * stdev(values) / math.sqrt(len(values))
    assert [found.low, found.high] == pytest.approx([found.value - half, found.value + half])


def test_the_mean_of_one_value_is_itself_and_of_none_is_nothing() -> None:
    assert mean_of({}) is None
    assert mean_of({3.5: 1}) == Interval(3.5, 3.5, 3.5)


SIDES = st.sampled_from([Side.EVADER, Side.PURSUERS, None])


@given(st.lists(st.tuples(SIDES, SIDES)))
def test_pairs_are_counted_deal_by_deal(pairs: list[tuple[Side | None, Side | None]]) -> None:
    counts = count_pairs(Side.EVADER, [a for a, _ in pairs], [b for _, b in pairs])
    known = [(a, b) for a, b in pairs if a and b]
    assert counts.n == len(known)
    assert counts.both == known.count((Side.EVADER, Side.EVADER))
    assert counts.first_only == known.count((Side.EVADER, Side.PURSUERS))
    assert counts.second_only == known.count((Side.PURSUERS, Side.EVADER))


def test_paired_difference_of_a_known_case() -> None:
    # Agresti and Min (2005): add 0.5 to each cell; 794, 150, 86, 570 is Agresti's table of the prime minister
    gap = paired_difference(PairCounts(794, 150, 86, 570))
    assert gap.value == pytest.approx(-64 / 1600)
    assert (round(gap.low, 3), round(gap.high, 3)) == (-0.059, -0.021)


@given(st.tuples(*[st.integers(0, 40)] * 4).filter(any))
def test_paired_difference_is_walds_interval_with_half_a_game_more_in_each_count(counts: tuple[int, ...]) -> None:
    both, first, second, neither = (count + 0.5 for count in counts)
    n = both + first + second + neither
    middle = (second - first) / n
    half = 1.959964 * math.sqrt(first + second - (second - first) ** 2 / n) / n
    gap = paired_difference(PairCounts(*counts))
    assert gap.low == pytest.approx(max(-1.0, middle - half), abs=1e-6)
    assert gap.high == pytest.approx(min(1.0, middle + half), abs=1e-6)


@given(st.tuples(*[st.integers(0, 300)] * 4).filter(any))
def test_paired_difference_flips_with_its_agents(counts: tuple[int, int, int, int]) -> None:
    both, first, second, neither = counts
    gap = paired_difference(PairCounts(both, first, second, neither))
    flipped = paired_difference(PairCounts(both, second, first, neither))
    assert gap.value == -flipped.value
    assert gap.low == pytest.approx(-flipped.high)
    assert -1 <= gap.low < gap.high <= 1


def test_a_difference_of_rates_is_at_most_one() -> None:
    assert paired_difference(PairCounts(0, 0, 1, 0)).high == 1.0
    assert paired_difference(PairCounts(0, 1, 0, 0)).low == -1.0


def test_pairing_narrows_the_interval() -> None:
    agree, unrelated = PairCounts(500, 20, 30, 450), PairCounts(255, 265, 275, 205)
    widths = [gap.high - gap.low for gap in map(paired_difference, (agree, unrelated))]
    assert widths[0] < widths[1] / 2


def simulate(test: Sprt, elo: float, rng: Random) -> tuple[Verdict, int]:
    """One sequential test at a true advantage; deals are easy or hard, and only differing ones are weighed."""
    better = worse = deals = 0
    while (verdict := test.verdict(better, worse)) is Verdict.UNDECIDED:
        deals += 1
        base = rng.choice((-1.5, 0.0, 1.5))  # how hard this deal is, in log-odds
        won_old = rng.random() < 1 / (1 + math.exp(-base))
        won_new = rng.random() < 1 / (1 + math.exp(-base - elo * math.log(10) / 400))
        better += won_new and not won_old
        worse += won_old and not won_new
    return verdict, deals


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, Verdict.H1), (60.0, Verdict.H0)])
def test_sprt_keeps_its_error_rates(elo: float, wrong: Verdict) -> None:
    rng = Random(5)
    verdicts = [simulate(Sprt(0.0, 60.0), elo, rng)[0] for _ in range(600)]
    errors = wilson(verdicts.count(wrong), len(verdicts))
    assert errors.value > 0.01
    assert errors.low <= 0.05


def test_sprt_decides_sooner_when_the_difference_is_larger() -> None:
    rng = Random(6)
    deals = [sum(simulate(Sprt(0.0, 60.0), elo, rng)[1] for _ in range(60)) for elo in (60.0, 150.0)]
    assert deals[1] < deals[0] / 2


def test_sprt_bounds_and_ratio() -> None:
    test = Sprt(0.0, 20.0)
    assert [test.lower, test.upper] == pytest.approx([-math.log(19), math.log(19)])
    assert test.llr(0, 0) == 0
    assert test.llr(10, 4) == pytest.approx(10 * math.log(2 * share(20)) + 4 * math.log(2 - 2 * share(20)))


def test_sprt_needs_more_proof_for_the_error_that_is_to_be_rarer() -> None:
    """alpha is the risk of H1 where H0 holds, beta that of H0 where H1 holds (Wald's bounds)."""
    careful = Sprt(0.0, 20.0, alpha=0.01, beta=0.2)
    assert careful.lower == pytest.approx(math.log(0.2 / 0.99))
    assert careful.upper == pytest.approx(math.log(0.8 / 0.01))


def test_sprt_keeps_unequal_error_rates() -> None:
    test, rng = Sprt(0.0, 100.0, alpha=0.02, beta=0.3), Random(7)
    false_h1 = [simulate(test, 0.0, rng)[0] for _ in range(400)].count(Verdict.H1) / 400
    false_h0 = [simulate(test, 100.0, rng)[0] for _ in range(400)].count(Verdict.H0) / 400
    assert false_h1 <= 0.03
    assert 0.1 < false_h0 <= 0.33


def test_sprt_refuses_nonsense() -> None:
    with pytest.raises(BadConfig, match="elo0 must be the smaller"):
        Sprt(20, 20)
    with pytest.raises(BadConfig, match="alpha is 0"):
        Sprt(alpha=0)


@given(st.floats(-800, 800))
def test_elo_and_share_are_inverse(elo: float) -> None:
    assert elo_of_share(share(elo)) == pytest.approx(elo, abs=1e-6)


def test_elo_estimate() -> None:
    assert estimate_elo(0, 0) is None
    even = estimate_elo(50, 50)
    assert even is not None
    assert even.value == 0
    assert even.low == pytest.approx(-even.high)
    swept = estimate_elo(10, 0)
    assert swept is not None
    assert swept.value == math.inf
    assert 0 < swept.low < math.inf


E, P = Side.EVADER, Side.PURSUERS


def compared(seat: Seat, *pairs: tuple[Side | None, Side | None], finished: int | None = None) -> Comparison:
    """A comparison that has weighed these pairs (old, new); games from the number `finished` on are not over."""
    games = [winner for pair in pairs for winner in pair]
    known = len(games) if finished is None else finished
    plan = SimpleNamespace(n_cells=2, n_games=len(pairs), game="any", seed=None)
    plan.evaders, plan.pursuers = (("old", "new"), ("x",)) if seat is Seat.EVADER else (("x",), ("old", "new"))
    ledger = SimpleNamespace(is_finished=lambda i: i < known, winner=lambda i: games[i] if i < known else None)
    made = Comparison(cast(Any, plan), seat, Sprt())
    made.is_decided(cast(Any, ledger))
    return made


@pytest.mark.parametrize(("seat", "won", "lost"), [(Seat.EVADER, E, P), (Seat.PURSUERS, P, E)])
def test_a_comparison_counts_pairs_for_the_seat_of_its_agents(seat: Seat, won: Side, lost: Side) -> None:
    pairs = [(won, won), (won, lost), (lost, won), (lost, won), (lost, lost), (None, won), (won, None)]
    made = compared(seat, *pairs)
    assert made.counts == PairCounts(1, 1, 2, 1)
    told = made.to_json()
    assert (told["seat"], told["old"], told["new"], told["against"]) == (seat.value, "old", "new", "x")
    assert (told["deals"], told["both_won"], told["old_only"], told["new_only"], told["both_lost"]) == (5, 1, 1, 2, 1)
    assert told["rate_difference"] == paired_difference(PairCounts(1, 1, 2, 1))._asdict()
    assert told["llr"] == round(Sprt().llr(2, 1), 6)


def test_a_comparison_weighs_the_unbroken_row_of_pairs_alone() -> None:
    pairs = [(P, E)] * 4
    assert [compared(Seat.EVADER, *pairs, finished=n).counts.n for n in range(9)] == [0, 0, 1, 1, 2, 2, 3, 3, 4]


def test_a_comparison_without_a_difference_or_with_one_side_alone_is_json() -> None:
    assert compared(Seat.EVADER).to_json()["rate_difference"] is None
    assert compared(Seat.EVADER, (E, E)).to_json()["elo"] is None
    swept = compared(Seat.EVADER, *[(P, E)] * 5).to_json()["elo"]
    assert swept["value"] is None
    assert swept["low"] > 0


def test_a_comparison_stops_when_it_is_sure() -> None:
    made = compared(Seat.EVADER, *[(P, E)] * 400)
    assert made.verdict is Verdict.H1
    assert made.counts.n == math.ceil(Sprt().upper / Sprt().llr(1, 0))
