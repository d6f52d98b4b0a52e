"""The parts of minimax one by one: each term of the value, who is planned first, hypotheses, reveals, the table."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.games.scotland_yard.agents.minimax_search.arrays import CENTROID, N_ZONE
from manhunt.games.scotland_yard.agents.minimax_search.config import MinimaxSettings
from manhunt.games.scotland_yard.agents.minimax_search.deepening import Deepening, SearchBudget
from manhunt.games.scotland_yard.agents.minimax_search.plans import likeliest, measure, measure_others
from manhunt.games.scotland_yard.agents.minimax_search.search import PlanSearch, Position
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Piece, Tickets
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game
from scotland_yard_games import board_of

pytestmark = pytest.mark.kernel
PARTS = (
    "cornered", "squeezed", "covered", "near", "centroid", "entropy", "tickets", "clump", "choke", "forecast",
)  # fmt: skip
LINE = "1-2:T 2-3:T 3-4:T 4-5:T 5-6:T 6-7:T 7-8:T 8-9:T"
HIDDEN, SHOWN_NEXT = (False,) * 8, (False, True, *(False,) * 6)


def searched(edges, places, rounds=HIDDEN, **options) -> PlanSearch:
    board = board_of(edges)
    team = [StartingPlayer(piece, Tickets(9, 9, 9), at) for piece, at in zip(DETECTIVES, places, strict=False)]
    mrx = StartingPlayer(Piece.MRX, Tickets(9, 9, 9), board.labels[-1])
    return PlanSearch(new_game(board, rounds, mrx, team).config, MinimaxSettings(**options))


def position_with(search, belief, places, counts=None) -> Position:
    board = search.game.board
    chances = np.array([belief.get(label, 0.0) for label in board.labels])
    nodes = np.array([board.node(label) for label in places], np.int32)
    held = np.array(counts or [(9, 9, 9)] * len(places), np.int32)
    return Position(chances, nodes, held, np.array((9, 9, 9, 0, 0), np.int32), 1, (1 << len(places)) - 1)


def values(part, edges, belief, places, counts=None, rounds=HIDDEN) -> dict[str, float]:
    """The value of every plan if nothing counts but this part."""
    search = searched(edges, places, rounds, **dict.fromkeys(PARTS, 0.0) | ({part: 1.0} if part else {}))
    plans = search.plans(position_with(search, belief, places, counts), 16)
    label = search.game.board.label
    return {" ".join(map(label, plan.places)): round(plan.value, 9) for plan in plans}


@pytest.mark.parametrize(
    ("part", "edges", "belief", "places", "better", "worse", "more"),
    [
        ("near", LINE, {"9": 1.0}, ["5"], "6", "4", {}),
        ("centroid", LINE, {"9": 1.0}, ["5"], "6", "4", {}),
        ("covered", LINE, {"9": 1.0}, ["6"], "7", "5", {}),
        ("cornered", LINE, {"9": 1.0}, ["6"], "7", "5", {}),
        ("squeezed", LINE, {"5": 1.0}, ["8"], "7", "9", {}),
        ("entropy", LINE, {"5": 1.0}, ["8"], "7", "9", {}),
        ("tickets", "1-2:T 1-3:B 2-4:T 3-4:T", {"4": 1.0}, ["1"], "3", "2", {"counts": [(1, 8, 0)]}),
        ("clump", LINE, {"1": 0.5, "9": 0.5}, ["3", "7"], "2 8", "4 6", {}),
        ("choke", "1-2:T 1-3:T 3-4:T 3-5:T 3-6:T 6-7:T", {"7": 1.0}, ["1"], "3", "2", {}),
        ("forecast", LINE, {"9": 1.0}, ["5", "6"], "6 7", "4 7",
         {"counts": [(9, 1, 0), (9, 0, 0)], "rounds": SHOWN_NEXT}),
    ],
)  # fmt: skip
def test_each_part_of_the_value_prefers_what_its_name_says(part, edges, belief, places, better, worse, more) -> None:
    found = values(part, edges, belief, places, **more)
    assert found[better] > found[worse]
    alike = values(None, edges, belief, places, **more)
    assert alike[better] == alike[worse]


def test_without_a_reveal_to_come_nothing_is_forecast() -> None:
    found = values("forecast", LINE, {"9": 1.0}, ["5", "6"], [(9, 1, 0), (9, 0, 0)])
    assert found["6 7"] == found["4 7"]


@pytest.mark.parametrize(("places", "order"), [(["1", "7"], [1, 0]), (["7", "1"], [0, 1])])
def test_the_detective_who_is_nearest_in_hops_is_planned_first(places, order) -> None:
    search = searched(LINE, places)
    found = search.run(position_with(search, {"9": 1.0}, places), SearchBudget(1, float("inf")))
    assert found.movers == order


def test_the_centroid_has_the_least_expected_distance() -> None:
    search = searched(LINE, ["2"])
    search.plans(position_with(search, {"1": 0.3, "5": 0.4, "9": 0.3}, ["2"]), 1)
    assert search.game.board.label(search.scratch.outlook.facts[CENTROID]) == "5"


@given(st.integers(0, 2**32))
def test_hops_measured_for_one_mover_are_those_of_the_whole_team(seed) -> None:
    rng = Random(seed)
    places = rng.sample(range(1, 10), 4)
    search = searched(LINE, list(map(str, places)))
    position = position_with(search, {str(n): rng.random() for n in range(1, 10)}, list(map(str, places)))
    search.plans(position, 4)
    turn, outlook = search.turn(position, 4), search.scratch.outlook
    tickets, pending, mover = np.zeros(4, np.int32), rng.randrange(16), rng.randrange(4)
    pending &= ~(1 << mover)
    others = measure_others(search.graph, outlook, turn, position.places, tickets, pending, mover)
    his = measure(search.graph, outlook, search.scratch.safety, turn, position.places[mover], 0, mover)
    label = search.game.board.label
    slack = [pending >> d & 1 for d in range(4)]
    middle = int(label(outlook.facts[CENTROID]))
    assert others + his == sum(max(abs(place - middle) - slack[d], 0) for d, place in enumerate(places))
    for z, node in enumerate(outlook.zone[: outlook.facts[N_ZONE]]):
        hops = sorted(max(abs(place - int(label(node))) - slack[d], slack[d]) for d, place in enumerate(places))
        assert [outlook.near[z], outlook.second[z]] == hops[:2]
        assert outlook.safe[z] == search.scratch.safety[hops[0], hops[1]]


def test_the_likeliest_nodes_stand_for_the_belief() -> None:
    nodes, weights = np.zeros(2, np.int32), np.zeros(2)
    assert likeliest(np.array([0.1, 0.4, 0.0, 0.2, 0.3]), 2, nodes, weights) == 2
    assert (nodes.tolist(), weights.tolist()) == ([1, 4], [0.4, 0.3])
    search = searched(LINE, ["1"], hypotheses=1)
    after = position_with(search, {"5": 0.4, "7": 0.3, "9": 0.3}, ["1"])
    answers, covered = search.answers(after)
    assert covered == pytest.approx(0.4)
    assert {search.game.board.label(n) for _, p in answers for n in np.flatnonzero(p.belief)} == {"4", "6"}


@pytest.mark.parametrize(("rounds", "n_nodes"), [(SHOWN_NEXT, {1}), (HIDDEN, {2})])
def test_in_a_shown_round_replies_are_known_by_their_nodes(rounds, n_nodes) -> None:
    search = searched(LINE, ["1"], rounds)
    answers, _ = search.answers(position_with(search, {"5": 1.0}, ["1"]))
    assert {np.count_nonzero(p.belief) for _, p in answers} == n_nodes


def test_the_key_of_the_table_tells_positions_apart() -> None:
    search = searched(LINE, ["1", "7"])
    position = position_with(search, {"5": 0.5, "9": 0.5}, ["1", "7"])
    others = [
        position_with(search, {"5": 0.5, "9": 0.5}, ["1", "8"]),
        position_with(search, {"5": 0.4, "9": 0.6}, ["1", "7"]),
        position_with(search, {"5": 0.5, "9": 0.5}, ["1", "7"], [(9, 9, 9), (8, 9, 9)]),
        replace(position, mrx_counts=np.array((8, 9, 9, 0, 0), np.int32)),
        replace(position, n_logged=2),
        replace(position, waiting=1),
    ]
    assert len({position.key, *(other.key for other in others)}) == 1 + len(others)
    assert position.key == replace(position).key


def test_the_table_answers_only_what_it_knows() -> None:
    table = Deepening()
    assert table.known(("a",), 0.0, 1.0) is None
    assert table.keep(("a",), 0.5, 0.0, 1.0) == 0.5  # within the window: exact
    assert table.known(("a",), 0.6, 0.7) == 0.5
    table.keep(("b",), 0.5, 0.0, 0.4)  # cut at beta: at least 0.5
    assert (table.known(("b",), 0.0, 0.5), table.known(("b",), 0.0, 0.9)) == (0.5, None)
    table.keep(("c",), 0.5, 0.6, 1.0)  # not above alpha: at most 0.5
    assert (table.known(("c",), 0.5, 1.0), table.known(("c",), 0.3, 1.0)) == (0.5, None)
    assert table.hits == 3
