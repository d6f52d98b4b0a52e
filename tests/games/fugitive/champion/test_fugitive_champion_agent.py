"""The agent `champion` of Fugitive: legal, honest, repeatable, within its budget, in any deck."""

import os
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from few_examples import at_most
from fugitive_games import fugitive_configs
from manhunt.agents.registry import make_agent
from manhunt.core.agent import Advice, Limit
from manhunt.core.arrays import Floats
from manhunt.core.errors import BadAgent
from manhunt.core.ids import PLAYERS, Seat
from manhunt.games.fugitive.agents.search_fugitive import TurnOption
from manhunt.games.fugitive.champion.agent import ChampionAgent, ChampionSettings, net_of
from manhunt.games.fugitive.champion.fugitive import ChampionFugitive
from manhunt.games.fugitive.rules import rules, views
from manhunt.games.fugitive.rules.actions import Action, Pass
from manhunt.games.fugitive.rules.config import PRESETS, Config, make_config
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.public import Phase
from manhunt.games.fugitive.rules.views import FugitiveView
from manhunt.testing import check_agent

# bit counts without compilation
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
GAME = FugitiveGame()
QUICK = ChampionSettings(hands=2, pile_hands=1, bluffs=1, worlds=20)
MINI = make_config("mini")


def play(config: Config, seed: int, settings: ChampionSettings = QUICK) -> list[tuple[Action, Advice]]:
    state, rng = GAME.new(config, Random(seed)), Random(seed)
    agents = {seat: ChampionAgent(settings) for seat in PLAYERS}
    for player, agent in agents.items():
        agent.start(views.view(state, player))
    moves = []
    while (seat := rules.to_act(state)) is not None:
        advice = agents[seat].act(views.view(state, seat), Limit(), rng)
        assert advice.action in rules.legal_actions(state)
        assert advice.value is None or -1 <= advice.value <= 1
        moves.append((advice.action, advice))
        state = rules.apply_action(state, advice.action)
    return moves


@pytest.mark.parametrize("seat", PLAYERS)
def test_it_cannot_tell_worlds_apart_and_behaves(seat: Seat) -> None:
    limit, n_games = Limit(iterations=4), 5 if seat is Seat.EVADER else 2
    report = check_agent(
        lambda: ChampionAgent(QUICK), "fugitive", MINI, seat, games=n_games, positions=3, worlds=2, limit=limit
    )
    assert report.n_worlds > 0


@pytest.mark.kernel
@given(config=fugitive_configs(), seed=st.integers(0, 2**32))
@at_most(4 if SLOW else 30)
def test_any_deck_is_played_to_its_end(config: Config, seed: int) -> None:
    assert play(config, seed)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_gives_the_same_game(preset: str) -> None:
    if SLOW and preset != "mini":
        pytest.skip("takes minutes without compilation")
    first, again = (play(make_config(preset), 5) for _ in range(2))
    assert first == again


@pytest.mark.parametrize("seat", PLAYERS)
def test_the_budget_of_iterations_is_kept(seat: Seat) -> None:
    state = GAME.new(MINI, Random(3))
    while rules.to_act(state) is not seat:
        state = rules.apply_action(state, rules.legal_actions(state)[-1])
    for n in (1, 3, 9):
        agent = ChampionAgent()
        agent.start(views.view(state, seat))
        advice = agent.act(views.view(state, seat), Limit(iterations=n), Random(1))
        assert advice.counters.get("iterations", 0) <= n
        assert advice.action in rules.legal_actions(state)


def test_advice_has_a_value_a_confidence_and_alternatives() -> None:
    moves = play(MINI, 1)
    said = [advice for _, advice in moves if advice.alternatives]
    assert said
    for advice in said:
        assert advice.value is not None
        assert advice.confidence is not None
        values = [each.value for each in advice.alternatives]
        assert values == sorted(values, reverse=True)
        assert all(value <= advice.value for value in values)
    assert any(advice.confidence is not None and not advice.alternatives for _, advice in moves)


def test_a_position_out_of_nowhere_is_answered() -> None:
    state = GAME.new(MINI, Random(2))
    rng = Random(2)
    for _ in range(12):
        legal = rules.legal_actions(state)
        if not legal:
            break
        seat = rules.to_act(state)
        assert seat is not None
        assert ChampionAgent(QUICK).act(views.view(state, seat), Limit(), rng).action in legal
        state = rules.apply_action(state, rng.choice(legal))


def test_an_opening_of_one_hideout_is_looked_at_where_the_rules_allow_it() -> None:
    fugitive = ChampionFugitive(net_of("standard"))
    for preset, sizes in (("standard", {1, 2}), ("exactly-two", {2})):
        view = views.view(GAME.new(make_config(preset), Random(1)), Seat.EVADER)
        assert {len(option.placements) for option in fugitive.openings(view)} == sizes


def test_an_opening_of_one_hideout_ends_with_a_pass() -> None:
    class OnlyOne(ChampionFugitive):
        def pick(self, view: FugitiveView, options: Sequence[TurnOption], values: Floats, rng: Random) -> int:
            return next(i for i, option in enumerate(options) if len(option.placements) == 1)

    state = GAME.new(MINI, Random(1))
    fugitive = OnlyOne(net_of("standard"), 1, 1)
    while state.phase is Phase.FUGITIVE_PLAY:
        action = fugitive.act(views.view(state, Seat.EVADER), Limit(), Random(1)).action
        state = rules.apply_action(state, action)
    assert action == Pass()
    assert len(state.row) == 1


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"hands": 0}, "hands"),
        ({"bluffs": -1}, "bluffs"),
        ({"worlds": 0}, "worlds"),
        ({"net": "none.npz"}, "cannot read"),
        ({"net": "best"}, "no net best"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], word: str) -> None:
    with pytest.raises(BadAgent, match=word):
        ChampionAgent(ChampionSettings(**options))  # type: ignore[arg-type]


def test_it_plays_no_other_game() -> None:
    agent = make_agent("champion:hands=1", "fugitive", Seat.EVADER)
    view = GAME.new(MINI, Random(1))

    class Other:
        game, seat = "pursuit", Seat.EVADER

    assert view is not None
    with pytest.raises(BadAgent, match="does not play pursuit"):
        agent.act(Other(), Limit(), Random(1))  # type: ignore[arg-type]


@pytest.mark.skipif(SLOW, reason="takes minutes without compilation")
def test_the_marshal_is_fair_with_the_whole_deck() -> None:
    limit = Limit(iterations=30)
    report = check_agent(
        lambda: ChampionAgent(QUICK), "fugitive", None, Seat.PURSUERS, games=1, positions=3, limit=limit
    )
    assert report.n_worlds > 0
