"""The opponents as players: published games repeated, the same seed the same game, legal and fair in all decks."""

import os
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from few_examples import at_most
from fugitive_games import fugitive_configs
from manhunt.agents.registry import make_agent
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import Seat, Side
from manhunt.core.registry import make_game
from manhunt.games.fugitive.agents.hr_1c import size_chances
from manhunt.games.fugitive.agents.l1 import L1Fugitive
from manhunt.games.fugitive.agents.l2 import L2Marshal
from manhunt.games.fugitive.rules import rules, views
from manhunt.games.fugitive.rules.actions import Ask, Name
from manhunt.games.fugitive.rules.config import PRESETS, make_config
from manhunt.games.fugitive.rules.public import Phase
from manhunt.testing import check_agent
from reference_deals import MersenneTwister64, lowest_pile_deal, shuffled_deal

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),  # bit counts without compilation
]
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
GAME = make_game("fugitive")
FUGITIVES = ("hr-1", "bir-1", "continuation", "l1", "l1:sprints=3")
MARSHALS = ("hr-1c", "hr-1.1c", "bir-2u:particles=60", "l2", "l2:mode=certain_only,guard=wait", "l2:mode=argmax_only")


def play(config, setup, fugitive, marshal, seed=0, on_guess=None):
    """A whole game; every action is checked by the rules."""
    state, actions, rng = GAME.start(config, setup), [], Random(seed)
    agents = {Seat.EVADER: fugitive, Seat.PURSUERS: marshal}
    for each, agent in agents.items():
        agent.start(views.view(state, each))
    while (seat := rules.to_act(state)) is not None:
        view = views.view(state, seat)
        advice = agents[seat].act(view, Limit(), rng)
        if on_guess and view.phase is Phase.MARSHAL_GUESS and not view.pending:
            on_guess(state, advice)
        actions.append(advice.action)
        state = rules.apply_action(state, advice.action)
    return state, actions


def test_the_twister_gives_the_words_that_its_authors_print() -> None:
    chance = MersenneTwister64(5489)
    words = [chance.next_word() for _ in range(10_000)]
    assert words[0] == 14514284786278117030
    assert words[9_999] == 9981545732273789042


def test_reference_deals() -> None:
    assert lowest_pile_deal(0)["dealt"] == [[5, 14, 4], [23, 22], []]
    assert lowest_pile_deal(1)["dealt"] == [[5, 6, 10], [15, 20], []]
    config = make_config("exactly-two")
    for deal in (lowest_pile_deal, shuffled_deal):
        assert len(GAME.start(config, deal(7)).fugitive) == 9
    assert shuffled_deal(1) != shuffled_deal(2)


@pytest.mark.skipif(SLOW, reason="two hundred games need compiled kernels")
def test_the_deterministic_pair_repeats_its_published_games() -> None:
    """The first 200 of 10,000 games whose counts are all as published; see the benchmark of the same name."""
    config, n = make_config("exactly-two"), {"rounds": 0, "all": 0, "mixed": 0, "failed": 0, "lost": 0, "won": 0}

    def count(state, advice):
        numbers = {step.number for step in advice.line if isinstance(step, Name)}
        hidden = {hideout.card for hideout in state.row if not hideout.face_up}
        n_certain = int(advice.counters["certain"])
        n["all"] += len(numbers) == len(hidden)
        if 0 < n_certain < len(numbers):
            n["mixed"] += 1
            n["failed"] += not numbers <= hidden
            n["lost"] += 0 if numbers <= hidden else n_certain

    for seed in range(200):
        state, _ = play(config, lowest_pile_deal(seed), L1Fugitive(), L2Marshal(), on_guess=count)
        n["won"] += state.end.winner is Side.PURSUERS
        n["rounds"] += state.round
    assert n == {"won": 200, "rounds": 1001, "all": 318, "mixed": 182, "failed": 52, "lost": 58}


def test_l1_opens_with_three_and_goes_on_with_dead_cards() -> None:
    config = make_config("exactly-two")
    state, _ = play(config, lowest_pile_deal(0), L1Fugitive(), make_agent("random"), seed=3)
    assert [(hideout.card, hideout.sprints) for hideout in state.row[:2]] == [(3, ()), (5, ())]
    later = [hideout for hideout in state.row[2:] if hideout.card < 42]
    assert all(len(hideout.sprints) <= 1 for hideout in later)


def test_l2_names_the_certain_numbers_and_one_more() -> None:
    config = make_config("exactly-two")
    seen = []

    def look(state, advice):
        numbers = [step.number for step in advice.line if isinstance(step, Name)]
        seen.append((len(numbers), advice.counters["certain"], advice.counters["hidden"]))
        assert advice.line[-1] == Ask()

    for seed in range(2 if SLOW else 12):
        play(config, lowest_pile_deal(seed), L1Fugitive(), L2Marshal(), on_guess=look)
    assert all(n == min(certain + 1, hidden) for n, certain, hidden in seen)


def test_a_guard_leaves_high_hideouts_alone() -> None:
    config, named = make_config("exactly-two"), []

    def look(state, advice):
        numbers = [step.number for step in advice.line if isinstance(step, Name)]
        if len(numbers) < advice.counters["hidden"]:
            named.append(max(numbers))

    for seed in range(2 if SLOW else 8):
        setup, fugitive = shuffled_deal(seed), make_agent("hr-1")
        play(config, setup, fugitive, L2Marshal("argmax_only", "wait"), seed, look)
    assert named
    assert max(named) < 30


def test_sizes_of_guesses() -> None:
    assert size_chances(1) == [1.0]
    assert size_chances(2) == pytest.approx([0.9, 0.1])
    assert size_chances(3) == pytest.approx([0.9, 0.09, 0.01])


@pytest.mark.parametrize("preset", PRESETS)
def test_every_pair_plays_every_preset_to_its_end(preset) -> None:
    config = make_config(preset)
    if SLOW and preset != "mini":
        config = make_config("mini", pass_bonus=config.pass_bonus, opening_hideouts=config.opening_hideouts)
    for i, fugitive in enumerate(FUGITIVES):
        marshal = MARSHALS[i % len(MARSHALS)]
        for seed in range(2):
            setup = GAME.deal(config, Random(seed))
            games = [play(config, setup, make_agent(fugitive), make_agent(marshal), seed) for _ in range(2)]
            assert games[0] == games[1]
            assert games[0][0].end is not None


@at_most(15 if SLOW else 60)
@given(fugitive_configs(max_last=16), st.sampled_from(FUGITIVES), st.sampled_from(MARSHALS), st.integers(0, 1000))
def test_any_deck_is_played_to_its_end(config, fugitive, marshal, seed) -> None:
    state, _ = play(config, GAME.deal(config, Random(seed)), make_agent(fugitive), make_agent(marshal), seed)
    assert state.end is not None


@pytest.mark.parametrize("name", FUGITIVES[:4] + MARSHALS[:4])
def test_opponents_play_fair(name) -> None:
    seat = Seat.EVADER if name in FUGITIVES else Seat.PURSUERS
    config = make_config("mini" if SLOW or seat is Seat.EVADER else "exactly-two")
    report = check_agent(name, "fugitive", config, seat, games=2, positions=3, worlds=2, most_worlds=24)
    assert report.n_worlds > 0


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("l1:sprints=-1", "sprints must be from 0 to 60"),
        ("bir-2u:particles=0", "particles must be from 1 to 1000000"),
        ("l2:mode=best", "mode of l2"),
        ("l2:guard=yes", "guard of l2"),
        ("l2:worlds=0", "worlds must be from 1 to 4096"),
    ],
)
def test_bad_options_are_refused(spec, words) -> None:
    with pytest.raises(BadAgent, match=words):
        make_agent(spec)
