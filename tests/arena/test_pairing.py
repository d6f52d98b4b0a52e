"""Who meets whom: everybody once in a round robin, and no avoidable rematch in Swiss rounds."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from manhunt.arena.competition.model import GAUNTLET, ROUND_ROBIN, SWISS, Competition, ProgrammeGame, TournamentBot
from manhunt.arena.competition.pairing import (
    BYE,
    expected_matches,
    fixed_pairs,
    matches_of_round,
    swiss_pairs,
)
from manhunt.core.ids import Seat

PURSUIT, OTHER = ProgrammeGame("pursuit", "pursuit", {}, 2), ProgrammeGame("other", "pursuit", {}, 1)


def competition(n_bots: int, format_: str = ROUND_ROBIN, rounds: int = 1, seed: int = 0, **more) -> Competition:
    bots = tuple(TournamentBot(f"b{i}", "random") for i in range(n_bots))
    return Competition("c", seed, (PURSUIT, OTHER), bots, format_, rounds, **more)


@given(st.integers(2, 9))
def test_a_round_robin_has_every_pair_on_both_sides_of_every_deal(n: int) -> None:
    made = competition(n)
    pairs = fixed_pairs(made)
    assert {frozenset(pair) for pair in pairs} == {frozenset(p) for p in combinations([b.name for b in made.bots], 2)}
    matches = list(matches_of_round(made, 0, pairs, 0))
    assert [match.number for match in matches] == list(range(len(matches)))
    assert len(matches) == len(pairs) * 2 * (2 + 1) == expected_matches(made)
    keys = {match.key for match in matches}
    assert len(keys) == len(matches)
    assert all(match.mirror in keys for match in matches)
    assert len({(m.entry, m.deal) for m in matches}) == 3


def test_a_gauntlet_is_the_challengers_against_the_others() -> None:
    pairs = fixed_pairs(competition(5, GAUNTLET, challengers=("b1", "b3")))
    assert len(pairs) == 6
    assert all(("b1" in pair) + ("b3" in pair) == 1 for pair in pairs)


def test_a_bot_plays_only_what_it_is_entered_for() -> None:
    bots = (
        TournamentBot("all", "random"),
        TournamentBot("hunter", "x", ("other",), (Seat.PURSUERS,)),
        TournamentBot("idle", "x", ("none",)),
    )
    made = Competition("c", 0, (PURSUIT, OTHER), bots)
    matches = list(matches_of_round(made, 0, fixed_pairs(made), 0))
    assert [(m.entry, m.evader, m.pursuers) for m in matches] == [(1, "all", "hunter")]


@given(st.integers(2, 12), st.integers(0, 5), st.data())
def test_swiss_rounds(n: int, seed: int, data: st.DataObject) -> None:
    """Nobody twice in a round, no rematch while one can be avoided, rounds off shared out, the same again."""
    made = competition(n, SWISS, rounds=4, seed=seed)
    names = [bot.name for bot in made.bots]
    earlier: list[list[tuple[str, str]]] = []
    points = dict.fromkeys(names, 0)
    slots = n if n % 2 else n - 1  # so many rounds can go without a rematch
    for _ in range(min(4, slots)):
        pairs = swiss_pairs(made, points, earlier)
        assert pairs == swiss_pairs(made, dict(points), earlier)
        assert Counter(name for pair in pairs for name in pair if name != BYE) == Counter(names)
        assert sum(BYE in pair for pair in pairs) == n % 2
        earlier.append(pairs)
        for pair in pairs:
            for name in pair:
                if name != BYE:
                    points[name] += data.draw(st.integers(0, 6))
    met = Counter(frozenset(pair) for pairs in earlier for pair in pairs)
    if len(earlier) <= n // 2:  # after that a greedy choice of rounds may leave none without a rematch
        assert max(met.values()) == 1


def test_swiss_rounds_pair_like_with_like() -> None:
    made = competition(6, SWISS, rounds=3)
    points = {"b0": 9, "b1": 9, "b2": 5, "b3": 5, "b4": 0, "b5": 0}
    pairs = [frozenset(pair) for pair in swiss_pairs(made, points, [])]
    assert pairs == [frozenset({"b0", "b1"}), frozenset({"b2", "b3"}), frozenset({"b4", "b5"})]
    again = [frozenset(pair) for pair in swiss_pairs(made, points, [[("b0", "b1"), ("b2", "b3"), ("b4", "b5")]])]
    assert not set(again) & set(pairs)


def test_the_round_off_goes_to_the_last_who_had_none() -> None:
    made = competition(3, SWISS, rounds=3)
    first = swiss_pairs(made, {"b0": 4, "b1": 2, "b2": 0}, [])
    assert ("b2", BYE) in first
    second = swiss_pairs(made, {"b0": 4, "b1": 2, "b2": 0}, [first])
    assert ("b1", BYE) in second


def test_all_have_met_so_there_are_rematches() -> None:
    made = competition(2, SWISS, rounds=3)
    assert [frozenset(p) for p in swiss_pairs(made, {}, [[("b0", "b1")]])] == [frozenset({"b0", "b1"})]
