"""rules-marshal and rules-fugitive: legal and fair in all decks, and every rule of the guide changes a move."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fugitive_games import fugitive_configs
from manhunt.agents.registry import make_agent
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import Seat, Side
from manhunt.core.registry import make_game
from manhunt.games.fugitive.agents.rules_fugitive import RulesFugitive
from manhunt.games.fugitive.agents.rules_marshal import RulesMarshal, had, has_bluffed
from manhunt.games.fugitive.rules import rules, views
from manhunt.games.fugitive.rules.actions import Hide, Pass
from manhunt.games.fugitive.rules.config import PRESETS, make_config
from manhunt.games.fugitive.rules.public import Guess, Phase, Public, Spot
from manhunt.games.fugitive.study.guide import AGENTS, RULES, spec_of, specs_of
from manhunt.testing import check_agent

GAME = make_game("fugitive")
STANDARD = make_config("standard")
NONE_DRAWN = (0, 0, 0)
BROKEN = [(side, spec) for side in Side for spec in specs_of(side)[1:]]


def play(config, fugitive, marshal, seed=0, on_turn=None):
    state, rng = GAME.start(config, GAME.deal(config, Random(seed))), Random(seed)
    agents = {Seat.EVADER: fugitive, Seat.PURSUERS: marshal}
    for each, agent in agents.items():
        agent.start(views.view(state, each))
    while (seat := rules.to_act(state)) is not None:
        view = views.view(state, seat)
        if on_turn is not None:
            on_turn(view)
        action = agents[seat].act(view, Limit(), rng).action
        assert action in view.legal
        state = rules.apply_action(state, action)
    return state


def table(*row, hand=(), guesses=(), phase=Phase.MARSHAL_GUESS):
    """What the Marshal sees: a row, her hand and what she has guessed."""
    view = views.view(GAME.new(STANDARD, Random(0)), Seat.PURSUERS)
    public = Public(STANDARD, row=row, guesses=guesses)
    return replace(view, public=public, row=row, marshal=hand, phase=phase, legal=())


def hidden(n_sprints=0, n_draws=NONE_DRAWN):
    return Spot(1, n_sprints, n_draws)


def turned_up(card, *sprints):
    return Spot(1, len(sprints), NONE_DRAWN, card, sprints)


def missed(*numbers, n_placed=1):
    return Guess(1, numbers, False, n_placed)


def guess(view, **options):
    return tuple(sorted(RulesMarshal(**options).guess(view, Random(0))))


def his_turn(hand, *row, shown=()):
    """What the Fugitive sees in a later round, with full piles and a row of his own cards without sprints."""
    view = views.view(GAME.new(STANDARD, Random(0)), Seat.EVADER)
    own = tuple(turned_up(card) for card in row)
    public = Public(STANDARD, row=tuple(spot if spot.card in shown else hidden() for spot in own))
    return replace(view, public=public, row=own, fugitive=tuple(sorted(hand)), round=5, legal=(Pass(),))


def placed(view, **options):
    found = RulesFugitive(**{"bluff": "never", **options}).placement(view, Random(1))
    return None if found is None else (found.hideout, tuple(sorted(found.sprints)))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_played_to_its_end_and_again(preset) -> None:
    config = make_config(preset)
    for seed in range(6):
        ends = [play(config, RulesFugitive(), RulesMarshal(), seed) for _ in range(2)]
        assert ends[0] == ends[1]
        assert ends[0].end is not None


@given(
    fugitive_configs(max_last=14),
    st.sampled_from(specs_of(Side.EVADER)),
    st.sampled_from(specs_of(Side.PURSUERS)),
    st.integers(0, 1000),
)
def test_any_deck_is_played_to_its_end_with_any_rules(config, fugitive, marshal, seed) -> None:
    assert play(config, make_agent(fugitive), make_agent(marshal), seed).end is not None


@pytest.mark.parametrize("side", list(Side))
def test_they_play_fair(side) -> None:
    seat = Seat.EVADER if side is Side.EVADER else Seat.PURSUERS
    report = check_agent(
        AGENTS[side], "fugitive", make_config("mini"), seat, games=4, positions=3, worlds=2, most_worlds=24
    )
    assert report.n_worlds > 0


@pytest.mark.parametrize(("side", "spec"), BROKEN)
def test_every_rule_of_the_guide_changes_a_move(side, spec) -> None:
    seat, changed = Seat.EVADER if side is Side.EVADER else Seat.PURSUERS, []
    players: list[Any] = [make_agent(spec_of(side, "")), make_agent(spec)]

    def look(view):
        if view.seat is seat and not view.pending and not changed:
            plans = [list(agent.plan(view, Random(view.round))) for agent in players]
            if plans[0] != plans[1]:
                changed.append(view)

    for seed in range(400):
        play(STANDARD, RulesFugitive(), RulesMarshal(), seed, look)
        if changed:
            return
    pytest.fail(f"{spec} plays as {AGENTS[side]} does")


@pytest.mark.parametrize("side", list(Side))
def test_every_option_is_measured(side) -> None:
    kind = type(make_agent(AGENTS[side]))
    names = set(kind.__init__.__annotations__) - {"return"}
    assert {
        item.split("=")[0] for rule in RULES[side] for text in rule[1:] for item in text.split(",") if item
    } == names


def test_a_sprint_card_points_to_a_long_step() -> None:
    view = table(hidden(1))
    possible, likely = RulesMarshal().lists(view)
    assert possible == {1: {1, 2, 3, 4, 5}}
    assert likely == {1: {4, 5}}
    assert guess(view) == (4,)
    assert guess(view, thrift="no") == (1,)
    assert RulesMarshal().lists(table(hidden(2)))[1] == {1: {5, 6, 7}}
    assert RulesMarshal(thrift="sure").lists(view) == (likely, likely)


def test_a_wrong_assumption_is_given_up() -> None:
    view = table(hidden(1), guesses=(missed(4), missed(5)))
    possible, likely = RulesMarshal(thrift="sure").lists(view)
    assert possible == likely == {1: {1, 2, 3}}


def test_a_failed_set_strikes_out_what_is_left_without_the_sure_ones() -> None:
    view = table(hidden(), hidden(), guesses=(missed(1), missed(2), missed(3, 4, n_placed=2)))
    assert guess(view) == (3, 5)
    assert guess(view, failed=False) == (3, 4)


@pytest.mark.parametrize(
    ("numbers", "named"), [("sure-and-one", (3, 5)), ("sure", (3,)), ("one", (3,)), ("two", (3, 5)), ("all", (3, 5, 6))]
)
def test_how_many_numbers_are_named(numbers, named) -> None:
    view = table(hidden(), hidden(), hidden(), guesses=(missed(1), missed(2)))
    assert guess(view, numbers=numbers) == named


def test_lists_are_narrowed_from_the_right_too() -> None:
    view = table(hidden(), turned_up(6))
    assert guess(view) == (3,)
    assert RulesMarshal(ranges=False).lists(view)[0] == {1: {1, 2, 3}}


def test_he_places_only_what_he_can_have_drawn() -> None:
    view = table(turned_up(27, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24), hidden())
    assert not had(view.public, 2, 30)
    assert RulesMarshal(piles=False).lists(view)[0] == {2: {28, 29, 30}}
    assert had(table(hidden(), hidden(n_draws=(0, 0, 1))).public, 2, 30)


def test_a_bluff_is_seen_between_two_known_hideouts() -> None:
    assert has_bluffed(table(turned_up(3, 1)).public)
    assert has_bluffed(table(turned_up(4, 1, 2)).public)
    assert not has_bluffed(table(turned_up(5, 2)).public)
    assert not has_bluffed(table(hidden(), turned_up(3, 1)).public)


def test_she_draws_where_her_lists_are() -> None:
    view = table(turned_up(13, 2, 4, 6, 8, 10), hidden(), phase=Phase.MARSHAL_DRAW)
    assert RulesMarshal().pile(view, (0, 1, 2), Random(0)) == 1
    assert [RulesMarshal(draw=draw).pile(view, (0, 1, 2), Random(0)) for draw in ("low", "middle", "high")] == [0, 1, 2]


def test_the_manhunt_begins_with_what_is_sure() -> None:
    escape = Spot(9, 0, NONE_DRAWN, 42)
    misses = (missed(40, n_placed=3), missed(41, n_placed=3))
    view = table(hidden(), turned_up(38, *range(2, 37, 2)), hidden(), escape, guesses=misses)
    assert RulesMarshal(piles=False).hunt(view, Random(0)) == 39
    assert RulesMarshal(piles=False, anywhere=False).hunt(view, Random(0)) == 1


def test_he_draws_from_the_pile_of_his_next_step() -> None:
    view = his_turn((42,), 3, 12)
    assert RulesFugitive().pile(view, (0, 1, 2), Random(0)) == 1
    assert RulesFugitive().pile(his_turn((42,), 3, 11), (0, 1, 2), Random(0)) == 0
    assert [RulesFugitive(draw=draw).pile(view, (0, 1, 2), Random(0)) for draw in ("low", "middle", "high")] == [
        0,
        1,
        2,
    ]


def test_he_takes_the_farthest_free_step_or_the_nearest_that_cards_behind_him_pay() -> None:
    view = his_turn((2, 4, 12, 13, 16, 42), 3, 11)
    assert placed(view) == (13, ())
    assert placed(view, step="far") == (16, (2,))
    assert placed(his_turn((2, 4, 16, 18, 42), 3, 11)) == (16, (2,))


def test_he_bluffs_with_a_card_behind_him() -> None:
    view = his_turn((1, 2, 13, 20, 42), 3, 11)
    assert placed(view) == (13, ())
    assert placed(view, bluff="always") == (13, (1,))
    assert placed(his_turn((13, 20, 42), 3, 11), bluff="always") == (13, ())


def test_cards_behind_him_pay_first_and_odd_ones_if_so_wanted() -> None:
    view = his_turn((1, 2, 15, 20, 22, 42), 3, 11)
    assert placed(view) == (15, (2,))
    assert placed(view, odd=True) == (15, (1,))


def test_he_waits_only_with_two_hideouts_face_down() -> None:
    view = his_turn((16, 20, 42), 3, 11)
    assert placed(view) == (16, (20,))
    assert placed(view, wait=True) is None
    assert placed(his_turn((16, 20, 42), 3, 11, shown=(3,)), wait=True) == (16, (20,))


def test_he_runs_with_enough_hideouts_face_down_or_a_clear_way() -> None:
    view = his_turn((1, 40, 41, 42), 31, 33, 38)
    assert placed(view) == (41, ())
    assert placed(view, run=3) == (42, (40,))
    assert placed(his_turn((1, 40, 41, 42), 31, 33, 38, shown=(31,))) == (42, (40,))
    assert placed(replace(view, pile_sizes=(0, 0, 0))) == (42, (40,))


def test_the_opening_has_two_hideouts_unless_told_otherwise() -> None:
    view = views.view(GAME.new(STANDARD, Random(3)), Seat.EVADER)
    assert len(RulesFugitive().opening(view, Random(0))) == 2
    steps = RulesFugitive(two=False).plan(view, Random(0))
    assert sum(isinstance(step, Hide) for step in steps) == 1


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("rules-marshal:numbers=three", "numbers of rules-marshal"),
        ("rules-marshal:thrift=yes", "thrift of rules-marshal"),
        ("rules-fugitive:bluff=often", "bluff of rules-fugitive"),
        ("rules-fugitive:run=0", "run must be from 1 to 60"),
    ],
)
def test_bad_options_are_refused(spec, words) -> None:
    with pytest.raises(BadAgent, match=words):
        make_agent(spec)
