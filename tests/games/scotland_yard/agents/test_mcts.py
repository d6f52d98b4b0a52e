"""Monte Carlo tree search: its kernels against the rules, its answers, its limits, its secrets."""

from __future__ import annotations

import os
from random import Random
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.agents.registry import make_agent
from manhunt.boards.distance import distances
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import Seat
from manhunt.core.kernel_random import new_rng, next_bits
from manhunt.games.scotland_yard.agents.mcts import MctsAgent, root_of
from manhunt.games.scotland_yard.agents.mcts_search import iterate, playout
from manhunt.games.scotland_yard.agents.mcts_search.engine import Engine
from manhunt.games.scotland_yard.agents.mcts_search.moves import Filter, list_moves, public_key
from manhunt.games.scotland_yard.agents.mcts_search.worlds import (
    categorised_worlds,
    only_taxis,
    walking_distances,
)
from manhunt.games.scotland_yard.beliefs.models import CATEGORY_WEIGHTS
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import Double, Piece, Single, Ticket
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame, make_setup
from manhunt.games.scotland_yard.rules.kernels import CAPTURED
from manhunt.games.scotland_yard.rules.packed import (
    NO_NODE,
    OUTCOMES,
    QUARRY,
    decode,
    most_actions,
    pack,
    pack_table,
)
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.games.scotland_yard.rules.views import view
from manhunt.play.referee import Referee
from manhunt.search import tree
from manhunt.search.worlds import PlaceWeights, draw_place, known_place, no_place
from manhunt.testing.agents import check_agent
from scotland_yard_games import board_of, random_board, random_history, random_new_game
from scotland_yard_packed import encode, unpack

pytestmark = [
    pytest.mark.kernel,
    # the generator's arithmetic is meant to overflow; NumPy warns of it where nothing is compiled
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),
]

IS_COMPILED = os.environ.get("NUMBA_DISABLE_JIT") != "1"
GAME = ScotlandYardGame()
LONDON = GAME.make_config("standard")
BLOCK = board_of(
    "1-2:T 2-3:TB 3-4:T 1-5:T 2-6:TU 3-7:T 4-8:TB 5-6:T 6-7:TB 7-8:T "
    "5-9:TB 6-10:T 7-11:TU 8-12:T 9-10:T 10-11:T 11-12:TB 9-12:F 2-11:U"
)
SMALL = GAME.make_config(board=BLOCK, n_detectives=2, rounds=6, shown=[2, 5], mrx_starts=[], detective_starts=[])
FEW = 200 if IS_COMPILED else 20
seeds = st.integers(0, 2**32)


def some_state(seed: int) -> ScotlandYardState | None:
    """A position of a random game on a random board that goes on."""
    rng = Random(seed)
    states, _ = random_history(rng, random_new_game(rng, random_board(rng)))
    going = [state for state in states if rules.outcome(state) is None]
    return rng.choice(going) if going else None


def engine_for(state: ScotlandYardState, settings: iterate.MctsSettings | None = None, epsilon: float = 0.2) -> Engine:
    return Engine(state.config, settings or iterate.MctsSettings(1.0, 3.0, 0.25, 0), epsilon, thrift=True)


def replayed(state: ScotlandYardState, codes: list[int]) -> ScotlandYardState:
    for code in codes:
        state = rules.apply_action(state, decode(state.pieces, code))
    return state


def played_by_the_rules(state: ScotlandYardState, engine: Engine, assumed: int, seed: int) -> ScotlandYardState:
    """A playout in plain words: the same choices, each applied (and so checked) by the rules."""
    rng, table, habits = new_rng(seed), engine.table, engine.habits
    knows = assumed == NO_NODE
    while rules.outcome(state) is None:
        if not state.waiting:
            code = playout.flee(table, pack(state), habits, np.uint64(next_bits(rng)))
            is_shown = state.config.rounds[len(state.log)]
            state = replayed(state, [code])
            if not knows:
                stray = playout.stray
                assumed = state.quarry if is_shown else stray(table, pack(state), assumed, np.uint64(next_bits(rng)))
        goal = state.quarry if knows else assumed
        left = [state.seat_of(piece) for piece in state.waiting]
        seat = 1
        while seat <= len(state.pieces) and rules.outcome(state) is None:
            if seat in left:
                code = playout.chase(table, pack(state), habits, seat, goal, np.uint64(next_bits(rng)))
                if code >= 0:
                    state = replayed(state, [code])
                    left.remove(seat)
                    if min(left, default=9) < seat:
                        seat = 0
            seat += 1
    return state


@given(seeds, st.booleans(), st.floats(0, 1))
def test_playouts_are_games_of_the_rule_book(seed: int, knows: bool, epsilon: float) -> None:
    state = some_state(seed)
    if state is None:
        return
    row, engine = pack(state), engine_for(state, epsilon=epsilon)
    assumed = NO_NODE if knows else Random(seed).randrange(state.config.board.n_nodes)
    code, catcher = playout.play_out(engine.table, row, engine.habits, assumed, new_rng(seed))
    end = played_by_the_rules(state, engine, assumed, seed)
    assert rules.outcome(end) == OUTCOMES[code]
    assert rules.passed_over(unpack(state.config, state.pieces, row, free=state.free)) == end
    assert (catcher > 0) == (code == CAPTURED)
    assert not catcher or end.pursuers[catcher - 1] == end.quarry


@given(seeds)
def test_greedy_steps_are_the_best_there_are(seed: int) -> None:
    state = some_state(seed)
    if state is None:
        return
    engine, hops = engine_for(state, epsilon=0.0), walking_distances(state.config.board)
    bits = np.uint64(Random(seed).getrandbits(64))
    moves = [m for m in rules.legal_actions(state) if isinstance(m, Single) and m.piece is rules.movers(state)[0]]
    if state.waiting:
        seat = state.seat_of(moves[0].piece)
        code = playout.chase(engine.table, pack(state), engine.habits, seat, state.quarry, bits)
        best = min(hops[state.quarry, move.to] for move in moves)
        assert hops[state.quarry, code >> 8] == best
    else:
        code = playout.flee(engine.table, pack(state), engine.habits, bits)
        plain = [move for move in moves if move.ticket is not Ticket.SECRET] or moves
        best = max(min(hops[move.to, node] for node in state.pursuers) for move in plain)
        assert min(hops[code >> 8, node] for node in state.pursuers) == best
    assert decode(state.pieces, code) in moves


@given(seeds)
def test_moves_without_filter_are_those_of_the_rules(seed: int) -> None:
    state = some_state(seed)
    if state is None:
        return
    board = state.config.board
    sieve = Filter(0, 3, 3.0, only_taxis(board), walking_distances(board))
    out = np.zeros(most_actions(state.config), np.int64)
    n = list_moves(pack_table(state.config), pack(state), sieve, out)
    legal = [action for action in rules.legal_actions(state) if action.piece in rules.movers(state)[:1]]
    assert [decode(state.pieces, int(code)) for code in out[:n]] == legal


def worth_a_look(state: ScotlandYardState, action: Single | Double) -> bool:
    """The move filter in the words of its authors."""
    board, place, log = state.config.board, state.quarry, len(state.log)
    hops = walking_distances(board)[list(state.pursuers), place]
    if isinstance(action, Double) and np.mean(hops) > 3:
        return False
    for ticket, to in rules.steps_of(action):
        idle = all(kind.name == "TAXI" for _, kind in board.steps(place))
        if ticket is Ticket.SECRET and (log < 2 or state.config.rounds[log] or idle):
            return False
        place, log = to, log + 1
    return True


@given(seeds)
def test_move_filter_saves_secret_and_double_tickets(seed: int) -> None:
    state = some_state(seed)
    if state is None or state.waiting:
        return
    engine, out = engine_for(state), np.zeros(most_actions(state.config), np.int64)
    n = list_moves(engine.table, pack(state), engine.sieve, out)
    legal = rules.legal_actions(state)
    expected = [action for action in legal if worth_a_look(state, action)]
    if not expected:
        expected = [action for action in legal if isinstance(action, Single)]
    assert [decode(state.pieces, int(code)) for code in out[:n]] == expected


def tree_paths(found: tree.SearchTree, root_place: int) -> list[tuple[list[int], int]]:
    """All ways from the root through the tree that one world allows, with their last edges."""
    paths, waiting = [], [(int(found.counts[tree.ROOT]), root_place, list[int]())]
    while waiting:
        node, place, codes = waiting.pop()
        block = int(found.first_block[node])
        while block != tree.NONE:
            if found.secret[block] in (tree.OPEN, place):
                first = int(found.first_edge[block])
                for edge in range(first, first + int(found.n_edges[block])):
                    code = int(found.action[edge])
                    then = place if code & 7 else code >> 24 if code & 32 else code >> 8
                    paths.append(([*codes, code], edge))
                    if found.child[edge] != tree.NONE:
                        waiting.append((int(found.child[edge]), then, [*codes, code]))
            block = int(found.next_block[block])
    return paths


@given(seeds, st.booleans())
def test_moves_in_the_tree_are_legal_in_their_world(seed: int, knows_all: bool) -> None:
    """Of one world: what was visited can be played, and an edge's visits fit those of what follows."""
    state = some_state(seed)
    if state is None:
        return
    engine = engine_for(state, iterate.MctsSettings(1.0, 3.0, 0.25, int(knows_all)))
    engine.run(pack(state), known_place(state.quarry), no_place(), Limit(iterations=FEW), seed)
    for codes, edge in tree_paths(engine.tree, state.quarry)[:60]:
        if engine.tree.visits[edge] and knows_all:
            replayed(state, codes)
    block = tree.find_block(
        engine.tree, int(engine.tree.counts[tree.ROOT]), tree.OPEN if state.waiting else int(state.quarry)
    )
    first, n = engine.tree.first_edge[block], engine.tree.n_edges[block]
    assert engine.tree.visits[first : first + n].sum() == engine.tree.n_visits[block] == FEW
    assert (engine.tree.escapes[first : first + n] <= engine.tree.visits[first : first + n]).all()
    assert (engine.tree.score[first : first + n] <= engine.tree.visits[first : first + n]).all()


def test_coalition_reduction_pays_the_catcher_most() -> None:
    settings, worth = iterate.MctsSettings(1.0, 3.0, 0.25, 0), np.zeros(6)
    assert not iterate.judge(settings, CAPTURED, 2, worth)
    assert worth.tolist() == [0, 0.75, 1, 0.75, 0.75, 0.75]
    assert iterate.judge(settings, 2, 0, worth)
    assert worth.tolist() == [1, 0, 0, 0, 0, 0]


def test_categories_are_drawn_by_weight_and_places_evenly() -> None:
    board = board_of("1-2:T 2-3:T 2-4:T 3-5:T 5-6:T 6-7:T 7-8:T 8-9:T")
    places = [board.node(label) for label in ("2", "3", "4", "7", "9")]
    worlds = categorised_worlds(board, places, [board.node("1")])
    weights = np.diff(worlds.sums, prepend=0.0)
    w = CATEGORY_WEIGHTS  # hops 1, 2, 2, 5, 7
    assert weights == pytest.approx([w[0], w[1] / 2, w[1] / 2, w[4] / 2, w[4] / 2])


def test_draws_follow_the_weights() -> None:
    worlds = PlaceWeights(np.array([3, 5, 9], np.int32), np.array([1.0, 4.0, 4.5]))
    rng, n = new_rng(1), 4000
    drawn = [draw_place(worlds, rng) for _ in range(n)]
    for place, share in ((3, 1 / 4.5), (5, 3 / 4.5), (9, 0.5 / 4.5)):
        assert drawn.count(place) / n == pytest.approx(share, abs=0.04)


def test_walking_distances_are_hops_without_ferries() -> None:
    board = board_of("1-2:T 2-3:TB 3-4:F 4-5:U")
    table = walking_distances(board)
    assert table[0].tolist() == [0, 1, 2, 255, 255]
    dry = board_of("1-2:T 2-3:TB 3-4:U 4-5:T 5-1:B 5-6:T")
    assert (walking_distances(dry) == distances(dry)).all()


def test_public_key_hides_what_is_hidden() -> None:
    state = GAME.start(LONDON, make_setup(104, (117, 26, 29, 50, 53)))
    table, row = pack_table(LONDON), pack(state)
    board = LONDON.board
    one, two = (Single(Piece.MRX, Ticket.TAXI, board.node(label)) for label in ("86", "116"))
    keys = [public_key(table, row, encode(state, action)) for action in (one, two)]
    assert keys[0] == keys[1]
    row[1] = 2  # round 3 is shown
    assert public_key(table, row, encode(state, one)) != public_key(table, row, encode(state, two))


def test_detectives_catch_a_quarry_in_reach() -> None:
    config = GAME.make_config(
        board=board_of("1-2:T 2-3:T 3-4:T 4-5:T 5-6:T 6-1:T 2-5:B"),
        n_detectives=1,
        rounds=4,
        shown=[1],
        mrx_starts=[],
        detective_starts=[],
    )
    state = GAME.start(config, make_setup("4", ("2",)))
    state = rules.apply_action(state, Single(Piece.MRX, Ticket.TAXI, config.board.node("3")))
    advice = MctsAgent().act(view(state, Seat.PURSUERS), Limit(iterations=FEW), Random(1))
    assert advice.action == Single(Piece.RED, Ticket.TAXI, config.board.node("3"))
    assert advice.value == pytest.approx(-1.0, abs=0.2)


def test_mrx_does_not_step_next_to_a_detective_without_need() -> None:
    config = GAME.make_config(
        board=board_of("1-2:T 2-3:T 3-4:T 4-5:T 5-6:T 6-7:T 7-8:T"),
        n_detectives=1,
        rounds=1,
        shown=[1],
        mrx_starts=[],
        detective_starts=[],
    )
    state = GAME.start(config, make_setup("4", ("2",)))
    advice = MctsAgent().act(view(state, Seat.EVADER), Limit(iterations=FEW), Random(1))
    assert advice.action == Single(Piece.MRX, Ticket.TAXI, config.board.node("5"))
    assert advice.value == pytest.approx(1.0, abs=0.2)
    assert advice.line[0] == advice.action


@given(seeds)
def test_advice_is_legal_whatever_the_position(seed: int) -> None:
    state = some_state(seed)
    if state is None:
        return
    seat = rules.to_act(state)
    assert seat is not None
    advice = MctsAgent(filtering=seed % 3 > 0).act(view(state, seat), Limit(iterations=20), Random(seed))
    assert advice.action in rules.legal_actions(state)
    assert advice.value is not None
    assert advice.confidence is not None
    assert -1 <= advice.value <= 1
    assert 0 <= advice.confidence <= 1
    assert advice.line[0] == advice.action
    assert advice.counters["iterations"] == 20


def test_a_line_of_mrx_can_be_played() -> None:
    state = GAME.start(LONDON, make_setup(104, (117, 26, 29, 50, 53)))
    advice = MctsAgent().act(view(state, Seat.EVADER), Limit(iterations=5 * FEW), Random(2))
    assert len(advice.line) > 1
    for action in advice.line:
        state = rules.apply_action(state, action)


@pytest.mark.parametrize("seat", [Seat.EVADER, Seat.PURSUERS])
def test_same_seed_same_advice(seat: Seat) -> None:
    def game() -> list[object]:
        agents = {s: MctsAgent() for s in (Seat.EVADER, Seat.PURSUERS)}
        referee = Referee(GAME, SMALL, agents, seed=5, limit=Limit(iterations=30))
        told = list[object]()
        while not referee.over:
            is_ours = referee.to_act is seat
            referee.step()
            assert referee.advice is not None
            counters = dict(referee.advice.counters) | {"iterations_per_second": 0.0}
            if is_ours:
                told.append((referee.advice.action, referee.advice.value, referee.advice.line, counters))
        assert referee.fault is None
        return told

    assert game() == game()


@pytest.mark.parametrize("spec", ["mcts", "mcts:infosets=no", "mcts:reuse=yes", "mcts:filtering=no,categories=no"])
@pytest.mark.parametrize("seat", [Seat.EVADER, Seat.PURSUERS])
def test_no_leak(spec: str, seat: Seat) -> None:
    games = 3 if IS_COMPILED else 2
    check_agent(spec, GAME, SMALL, seat, games=games, positions=8, worlds=2, limit=Limit(iterations=15))


def test_a_shared_view_gives_a_shared_answer_on_london() -> None:
    """Two truths with the same public moves: the detectives get equal views, and say the same."""
    board = LONDON.board
    answers = []
    for mrx, first in (("104", "116"), ("127", "116")):
        state = GAME.start(LONDON, make_setup(mrx, (26, 29, 50, 53, 91), free=False))
        agent = MctsAgent()
        agent.start(view(state, Seat.PURSUERS))
        agent.observe([event.seen_by(Seat.PURSUERS) for event in GAME.opening_events(state)])
        action = Single(Piece.MRX, Ticket.TAXI, board.node(first))
        after = rules.apply_action(state, action)
        agent.observe([event.seen_by(Seat.PURSUERS) for event in GAME.events(state, action, after)])
        advice = agent.act(view(after, Seat.PURSUERS), Limit(iterations=FEW), Random(3))
        answers.append((advice.action, advice.value, advice.line))
        assert len(agent.tracker.candidates) > 10
    assert answers[0] == answers[1]


def test_reuse_keeps_the_statistics_of_the_move_played() -> None:
    state = GAME.start(LONDON, make_setup(104, (26, 29, 50, 53, 91), free=False))
    board = LONDON.board
    agent = MctsAgent(reuse=True)
    agent.start(view(state, Seat.PURSUERS))

    def play(state: ScotlandYardState, action: object) -> ScotlandYardState:
        after = rules.apply_action(state, action)  # type: ignore[arg-type]
        agent.observe([event.seen_by(Seat.PURSUERS) for event in GAME.events(state, action, after)])  # type: ignore[arg-type]
        return after

    state = play(state, Single(Piece.MRX, Ticket.TAXI, board.node("116")))
    advice = agent.act(view(state, Seat.PURSUERS), Limit(iterations=3 * FEW), Random(3))
    state = play(state, advice.action)
    engine = agent._engine
    assert engine is not None
    nodes_before = int(engine.tree.counts[tree.N_NODES])
    second = agent.act(view(state, Seat.PURSUERS), Limit(iterations=1), Random(4))
    assert second.action.piece is Piece.GREEN
    assert second.counters["nodes"] >= nodes_before > 1
    block = tree.find_block(engine.tree, int(engine.tree.counts[tree.ROOT]), tree.OPEN)
    assert engine.tree.n_visits[block] > 1


def test_tree_stops_growing_when_the_pool_is_full() -> None:
    state = GAME.start(LONDON, make_setup(104, (117, 26, 29, 50, 53)))
    engine = engine_for(state)
    engine.tree = tree.new_tree(100)
    engine.forget()
    found = engine.run(pack(state), known_place(state.quarry), no_place(), Limit(iterations=3 * FEW), 1)
    assert found.n_iterations == 3 * FEW
    assert engine.tree.counts[tree.N_EDGES] <= 100
    assert decode(state.pieces, found.action) in rules.legal_actions(state)


def test_seconds_bound_the_search() -> None:
    """No exact times here: it must end, and more time means more iterations."""
    state = GAME.start(LONDON, make_setup(104, (117, 26, 29, 50, 53)))
    agent = MctsAgent()
    agent.start(view(state, Seat.EVADER))
    began = perf_counter()
    counts = [
        agent.act(view(state, Seat.EVADER), Limit(seconds=s), Random(1)).counters["iterations"] for s in (0.001, 0.3)
    ]
    assert perf_counter() - began < 30
    assert counts[0] < counts[1]


def test_superset_of_candidates_without_events() -> None:
    state = GAME.start(LONDON, make_setup(104, (117, 26, 29, 50, 53), free=False))
    state = rules.apply_action(state, Single(Piece.MRX, Ticket.TAXI, LONDON.board.node("116")))
    agent = MctsAgent()
    agent.act(view(state, Seat.PURSUERS), Limit(iterations=1), Random(1))
    assert state.quarry in agent.tracker.candidates


def test_a_hidden_quarry_is_not_in_the_root() -> None:
    state = GAME.start(LONDON, make_setup(104, (117, 26, 29, 50, 53)))
    state = rules.apply_action(state, Single(Piece.MRX, Ticket.TAXI, LONDON.board.node("116")))
    assert root_of(view(state, Seat.PURSUERS))[QUARRY] == 0
    assert root_of(view(state, Seat.EVADER))[QUARRY] == pack(state)[QUARRY] == state.quarry


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("seconds=0", "seconds must be more than 0, not 0"),
        ("iterations=0", "iterations must be 1 or more, not 0"),
        ("iterations=2.5", "iterations must be 1 or more"),
        ("epsilon=1.5", "epsilon must be from 0 to 1, not 1.5"),
        ("coalition=-1", "coalition must be from 0 to 1, not -1"),
        ("history=-3", "history must be 0 or more, not -3"),
        ("history=nan", "history must be 0 or more, not nan"),
        ("c=-1", "c must be 0 or more, not -1"),
        ("depth=3", "has no option 'depth'"),
        ("greedy=perhaps", "greedy must be true or false"),
    ],
)
def test_bad_options_are_one_line(options: str, words: str) -> None:
    with pytest.raises(BadAgent, match=words) as caught:
        make_agent(f"mcts:{options}")
    assert "\n" not in str(caught.value)


def test_other_games_and_seats_are_refused() -> None:
    with pytest.raises(BadAgent, match="does not play pursuit"):
        make_agent("mcts", "pursuit", Seat.EVADER)
    with pytest.raises(BadAgent, match="does not play the seat spectator"):
        make_agent("mcts", "scotland_yard", Seat.SPECTATOR)
    state = GAME.start(LONDON, make_setup(104, (117, 26, 29, 50, 53)))
    with pytest.raises(BadAgent, match="whose turn it is not"):
        MctsAgent().act(view(state, Seat.PURSUERS), Limit(iterations=1), Random(1))
