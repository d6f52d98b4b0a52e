"""What a reveal, a secret ticket and a double move were worth: equal to listing every game by the plain rules."""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from manhunt.analysis.worth import game_worth
from manhunt.core.errors import BadText
from manhunt.core.ids import Node, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.games.scotland_yard.champion import playouts
from manhunt.games.scotland_yard.champion.nets import shipped_nets
from manhunt.games.scotland_yard.champion.playouts import NetGames, plan_turn
from manhunt.games.scotland_yard.rules.actions import ScotlandYardAction, Ticket
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame, make_setup
from manhunt.games.scotland_yard.rules.packed import pack
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import Record
from scotland_yard_plain_playouts import belief_before, copy_of, exact_chance, mrx_value

pytestmark = pytest.mark.kernel
GAME, NETS = ScotlandYardGame(), shipped_nets()[0]
COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
FEW = make_config(
    n_detectives=1,
    rounds=6,
    shown=(2, 6),
    mrx_tickets={"taxi": 3, "bus": 1, "underground": 0, "secret": 1, "double": 1},
)
PLAYED = ("2:T46,T61", "R:T75", "S78", "R:T94")
GAVE_UP = Outcome(Side.PURSUERS, Termination.FORFEIT)


def record_of(*texts: str) -> Record:
    """Mr X from 45, red from 74; given up after these moves."""
    actions = [GAME.parse_action(FEW, text) for text in texts]
    return Record.of(GAME, FEW, make_setup("45", ["74"]), actions, outcome=GAVE_UP, fault="gave up")


def exact_gain(past: Hindsight, ply: int, state: ScotlandYardState, without: ScotlandYardAction) -> float:
    """What the turn at a ply changed against this state and move instead of its own."""
    before = belief_before(past.states[: ply + 1], past.actions)
    other = copy_of(before)
    other.public.config, other.public.tickets = state.config, list(state.tickets)
    with_it = exact_chance(NETS, past.states[ply], before, playouts.ROUNDS, past.actions[ply])
    return with_it - exact_chance(NETS, state, other, playouts.ROUNDS, without)


def poorer(state: ScotlandYardState, ticket: Ticket) -> ScotlandYardState:
    return replace(state, tickets=(state.tickets[0].plus(ticket, -1), *state.tickets[1:]))


def test_each_row_is_what_all_games_together_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "ROUNDS", 1)
    monkeypatch.setattr(playouts, "BLUR", 0.0)
    monkeypatch.setattr(playouts, "TEMPERATURE", 0.1)
    past = Hindsight(record_of(*PLAYED))
    start, later = past.states[0], past.states[2]
    unseen = replace(FEW, rounds=tuple(shown and i != 1 for i, shown in enumerate(FEW.rounds)))
    single = poorer(start, Ticket.DOUBLE)
    singles = [move for move in GAME.legal_actions(single) if len(GAME.format_action(FEW, move)) < 5]
    belief = belief_before([start], [])
    belief.public.tickets = list(single.tickets)
    best = max(singles, key=lambda move: mrx_value(NETS, single, belief, move))
    exact = {
        "reveal": exact_gain(past, 0, replace(start, config=unseen), past.actions[0]),
        "double": exact_gain(past, 0, single, best),
        "secret": exact_gain(past, 2, poorer(later, Ticket.SECRET), GAME.parse_action(FEW, "T78")),
    }
    rows = {row.kind: row for row in game_worth(past.record, pairs=600 if COMPILED else 60).rows}
    assert list(rows) == ["reveal", "double", "secret"]
    assert rows["double"].without == f"he goes {GAME.phrase_choice(single, (best,))}"
    for kind, row in rows.items():
        half = row.gain.high - row.gain.mean
        assert row.gain.mean == pytest.approx(exact[kind], abs=1.5 * half), kind  # three standard deviations
        assert 0.0 < half < (0.01 if COMPILED else 0.05)


def test_what_happened_in_one_turn_has_the_same_games_with_it() -> None:
    rows = game_worth(record_of(*PLAYED), pairs=4).rows
    assert [(row.ply, row.round, row.kind) for row in rows] == [(0, 2, "reveal"), (0, 2, "double"), (2, 3, "secret")]
    assert rows[0].chance_with == rows[1].chance_with != rows[2].chance_with
    assert rows[0].what == "the reveal in round 2 (on 61)"
    assert rows[2].without == "he goes by taxi to 78"


def test_without_a_plain_ticket_that_pays_he_makes_another_move() -> None:
    """The ferry takes secret tickets alone; a second one is for another move."""
    config = make_config(n_detectives=1, rounds=4, shown=(4,), mrx_tickets={"taxi": 1, "secret": 1})
    actions = [GAME.parse_action(config, "S115")]
    record = Record.of(GAME, config, make_setup("108", ["1"]), actions, outcome=GAVE_UP, fault="gave up")
    (row,) = game_worth(record, pairs=2).rows
    assert row.without.startswith("he goes by taxi to ")
    poor = make_config(n_detectives=1, rounds=4, shown=(4,), mrx_tickets={"secret": 1})
    record = Record.of(GAME, poor, make_setup("108", ["1"]), actions, outcome=GAVE_UP, fault="gave up")
    (row,) = game_worth(record, pairs=2).rows
    assert (row.without, row.chance_without.mean) == ("he cannot move", 0.0)


def test_the_detectives_plan_does_not_depend_on_where_mr_x_is() -> None:
    config = make_config()
    games = NetGames(config, NETS)
    state = GAME.apply_action(start := GAME.start(config, GAME.deal(config, Random(1))), GAME.legal_actions(start)[0])
    believed = np.random.default_rng(1).random(config.board.n_nodes)
    plans = set()
    for quarry in (state.quarry, *range(5)):
        games.room.state[:] = pack(replace(state, quarry=Node(quarry)))
        games.room.belief[:], games.room.rng[:] = believed / believed.sum(), 5
        plan_turn(games.players, games.room)
        plans.add((tuple(games.room.places.tolist()), tuple(games.room.tickets.tolist())))
    assert len(plans) == 1


def test_a_game_without_any_says_so() -> None:
    with pytest.raises(BadText, match=r"^there is nothing to value in this game: Mr X was never shown"):
        game_worth(record_of("T46"), pairs=2)
