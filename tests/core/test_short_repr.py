"""What values show of themselves: one line, no more than a seat may know, no secret, and escaped HTML."""

import html
import re
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.agents.registry import make_agent
from manhunt.arena import make_plan, run_arena
from manhunt.arena.ledger import Ledger
from manhunt.boards.build import build_board
from manhunt.boards.catalog import load_board
from manhunt.core.html import html_table
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import game_names, kit_of
from manhunt.core.seeds import new_secret
from manhunt.core.short_repr import line_repr, shorten
from manhunt.play.referee import Referee

MOST = 200
EVIL = "<script>alert(1)</script>&\"'"


def one_line(value: object) -> str:
    text = repr(value)
    assert len(text) <= MOST, text
    assert "\n" not in text
    return text


def states_of(game: str, seed: int) -> list:
    rules, rng = kit_of(game).game, Random(seed)
    states = [rules.new(rules.make_config(), rng)]
    while rules.to_act(states[-1]) is not None and len(states) < 60:
        states.append(rules.apply_action(states[-1], rng.choice(rules.legal_actions(states[-1]))))
    return states


@pytest.mark.parametrize("game", game_names())
def test_values_of_a_game_are_one_line(game: str) -> None:
    rules = kit_of(game).game
    one_line(kit_of(game))
    for preset in (None, *rules.presets):
        one_line(rules.make_config(preset))
    for state in states_of(game, seed=5):
        one_line(state)
        for seat in Seat:
            assert seat.value in one_line(rules.view(state, seat))


@pytest.mark.parametrize("game", game_names())
def test_two_views_that_are_equal_look_alike(game: str) -> None:
    """A view tells what is in it: states that differ in what a seat cannot see give the same line."""
    rules = kit_of(game).game
    config, rng = rules.make_config(), Random(7)
    setup = rules.deal(config, rng)
    first = rules.start(config, setup)
    for _ in range(10):
        other = rules.start(config, rules.redeal(config, setup, rng))
        for seat in PLAYERS:
            if rules.view(first, seat) == rules.view(other, seat):
                assert repr(rules.view(first, seat)) == repr(rules.view(other, seat))


def test_a_hidden_piece_is_in_no_pursuers_line() -> None:
    rules = kit_of("scotland_yard").game
    state = states_of("scotland_yard", seed=1)[1]
    place = f"X@{state.config.board.label(state.quarry)}"
    assert place in repr(state)
    assert place in repr(rules.view(state, Seat.EVADER))
    assert "X@" not in repr(rules.view(state, Seat.PURSUERS))


def test_a_value_that_is_wrong_can_still_be_shown() -> None:
    state = states_of("pursuit", seed=1)[0]
    assert repr(replace(state, quarry=10_000)) == "<PursuitState: not a valid one>"


def test_plans_ledgers_and_records_are_one_line_without_secrets() -> None:
    ledger = run_arena("pursuit", ["random", "greedy"], ["random", "greedy"], 2, workers=0)
    secret = ledger.plan.seed
    for value in (ledger, ledger.plan, ledger.plan.match(0), Ledger(ledger.plan)):
        assert secret.hex not in one_line(value) + getattr(value, "_repr_html_", str)()
    rules = kit_of("pursuit").game
    agents = {seat: make_agent("random", "pursuit", seat) for seat in PLAYERS}
    referee = Referee(rules, rules.make_config(), agents, seed=new_secret())
    for record in (referee.record(), referee.run() and referee.record()):
        assert record.seed.hex not in one_line(record) + record._repr_html_()
    assert one_line(referee.outcome) == f"<Outcome {referee.outcome}>"


def test_many_agents_and_long_names_stay_one_line() -> None:
    evaders = [f"greedy:style={'x' * i}" for i in range(3)]
    plan = replace(make_plan("pursuit", ["random"], ["random"], 5), evaders=(*evaders, "y" * 300))
    one_line(plan)
    one_line(Ledger(plan))
    one_line(replace(load_board("london"), name="z" * 500))


def test_html_of_a_record_an_outcome_and_a_matrix() -> None:
    ledger = run_arena("pursuit", "random", ["random", "greedy"], 2, seed=1, workers=0)
    assert "<th>greedy</th>" in ledger._repr_html_()
    assert "4 of 4 games" in ledger._repr_html_()
    rules = kit_of("pursuit").game
    referee = Referee(rules, rules.make_config(), {s: make_agent("random", "pursuit", s) for s in PLAYERS}, seed=1)
    referee.run()
    record = referee.record()
    cells = re.findall(r"<td>(.*?)</td>", record._repr_html_())
    assert cells == [" ".join(texts) for texts in record.rounds]
    assert f"<b>{referee.outcome.winner.value}</b>" in referee.outcome._repr_html_()


def test_names_and_labels_from_outside_are_escaped() -> None:
    board = build_board(EVIL, [("<b>", "&x", None)])
    plan = replace(make_plan("pursuit", ["random"], ["random"], 1), evaders=(EVIL,), pursuers=(EVIL,))
    rules = kit_of("pursuit").game
    referee = Referee(rules, rules.make_config(), {s: make_agent("random", "pursuit", s) for s in PLAYERS}, seed=1)
    named = replace(referee.record(), seats={"evader": EVIL, "pursuers": EVIL}, rounds=((EVIL,),))
    for text in (board._repr_html_(), Ledger(plan)._repr_html_(), named._repr_html_()):
        assert "<script" not in text
        assert "<b>" not in text
        assert "&lt;script&gt;" in text
    assert board._repr_html_().startswith("<figure><svg")


@given(st.lists(st.text(), min_size=1, max_size=3), st.text())
def test_tables_escape_everything(cells: list[str], caption: str) -> None:
    text = html_table(cells, [cells], caption)
    assert html.unescape(re.sub(r"<[^>]*>", "", text)) == caption + 2 * "".join(cells)


@given(st.text(), st.integers(4, 30))
def test_shortened_text_fits(text: str, most: int) -> None:
    short = shorten(text, most)
    assert len(short) <= most
    assert short == text or (short.endswith("...") and text.startswith(short[:-3]))


def test_a_line_names_the_class_and_the_seat() -> None:
    assert line_repr(7, str) == "<int: 7>"
