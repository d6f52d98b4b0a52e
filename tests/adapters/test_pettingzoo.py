"""PettingZoo: its own checks pass without a warning for all games and presets, and copies have the same future."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from environment_cases import GAMES, N_COPIES, PRESETS, play_randomly, random_number, seen_by_all, small_options
from manhunt.core.errors import BadConfig, IllegalAction, ManhuntError
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of

pytest.importorskip("pettingzoo", reason="needs the extra rl: pip install 'manhunt[rl]'")

from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils import wrappers

from manhunt.adapters import pettingzoo as environments

pytestmark = pytest.mark.usefixtures("all_games")
EACH = [("pursuit", "seed"), ("pursuit", "cops-and-robbers"), ("scotland_yard", "standard")]
EACH += [("scotland_yard", "ravensburger"), ("night_chase", "standard")]
WAYS: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "fork": lambda env: env.fork(),
}


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """PettingZoo warns of masks in observations, except for its own environments, which it lists by name."""
    module = sys.modules[api_test.__module__]
    names = [f"{game}_v0" for game in GAMES]
    for exempt in ("env_obs_dicts", "env_obs_space", "env_all_zeros_obs"):
        monkeypatch.setattr(module, exempt, [*getattr(module, exempt), *names])


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_petting_zoo_finds_no_fault(game: str, preset: str) -> None:
    api_test(environments.env(game, preset), num_cycles=60)
    api_test(environments.raw_env(game, preset), num_cycles=20)
    seed_test(lambda: environments.env(game, preset), num_cycles=60)


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize(("game", "preset"), EACH)
def test_each_pursuer_can_be_an_agent(game: str, preset: str) -> None:
    api_test(environments.env(game, preset, pursuers="each"), num_cycles=60)
    seed_test(lambda: environments.env(game, preset, pursuers="each"), num_cycles=60)
    made = environments.env(game, preset, pursuers="each")
    n = kit_of(game).size_of(made.episode.config).pieces
    assert made.possible_agents == ["evader_0", *(f"pursuer_{piece}" for piece in range(n))]


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize("game", ["scotland_yard", "fugitive", "night_chase"])
def test_agents_can_share_a_belief(game: str) -> None:
    kinds = [{}] if game == "fugitive" else [{}, {"pursuers": "each"}]
    for kind in kinds:
        made = environments.env(game, belief=True, **kind)
        api_test(made, num_cycles=40)
        made.reset(seed=3)
        play_randomly(made, Random(3), 12)
        encoder = made.episode.encoder
        assert made.episode.belief is not None
        tails = [made.observe(agent)["observation"][encoder.observation_size :] for agent in made.agents]
        assert all(tail.tobytes() == encoder.belief_planes(made.episode.belief).tobytes() for tail in tails)
        if game != "fugitive":
            assert tails[0][made.episode.view(Seat.EVADER).quarry] == 1


@pytest.mark.parametrize("game", GAMES)
def test_petting_zoo_can_render(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    custom = {"svg": lambda drawn: drawn.startswith("<svg") and drawn.rstrip().endswith("</svg>")}
    render_test(lambda **options: environments.env(game, **options), custom_tests=custom)
    assert kit_of(game).title.split()[-1] in capsys.readouterr().out
    with pytest.raises(ManhuntError, match="did you mean ansi"):
        environments.env(game, render_mode="ansy")


def test_pursuers_who_move_at_once_are_a_parallel_environment() -> None:
    parallel_api_test(environments.parallel_env("pursuit", "cops-and-robbers"), num_cycles=100)
    parallel_seed_test(lambda: environments.parallel_env("pursuit", "cops-and-robbers"), num_cycles=50)
    with pytest.raises(BadConfig, match="no pieces move at the same time"):
        environments.parallel_env("pursuit", "seed")


def test_a_parallel_game_is_the_game_by_the_rules() -> None:
    env, rng = environments.parallel_env("pursuit", "cops-and-robbers", max_cycles=60), Random(5)
    for seed in range(5):
        observations, _ = env.reset(seed=seed)
        while env.agents:
            before = env.episode.state
            twin = env.fork()
            chosen = {agent: random_number(seen["action_mask"], rng) for agent, seen in observations.items()}
            observations, rewards, terminations, _, _ = env.step(chosen)
            assert env.episode.state in _next_states(env.episode.kit.game, before)
            assert twin.episode.state == before
            if any(terminations.values()):
                assert sorted(rewards.values()) == [-1.0, 1.0, 1.0]


def _next_states(game: Any, state: Any) -> list[Any]:
    return [game.apply_action(state, action) for action in game.legal_actions(state)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("way", WAYS)
def test_a_copy_in_the_middle_of_a_game_has_the_same_future(game: str, way: str) -> None:
    env = environments.env(game)
    for seed in range(N_COPIES):
        rng = Random(f"{way} {seed}")
        env.reset(seed=seed)
        play_randomly(env, rng, rng.randrange(60))
        twin = WAYS[way](env)
        before = seen_by_all(env)
        assert seen_by_all(twin) == before
        future = rng.getrandbits(32)
        told = _told(twin, future)
        assert seen_by_all(env) == before, "the copy must be independent"
        assert _told(env, future) == told


def _told(env: Any, seed: int) -> list[Any]:
    """What agents see of the next plies, of the end, and of a new game without a seed."""
    rng, seen = Random(seed), []
    for _ in range(15):
        play_randomly(env, rng, 1)
        seen.append(seen_by_all(env))
    env.reset()
    return [*seen, seen_by_all(env)]


@pytest.mark.parametrize("game", ["scotland_yard", "fugitive"])
def test_copies_keep_the_belief(game: str) -> None:
    env, rng = environments.env(game, belief=True), Random(1)
    for seed in range(3):
        env.reset(seed=seed)
        play_randomly(env, rng, 20)
        told = [_told(way(env), seed) for way in WAYS.values()]
        assert told[0] == told[1] == told[2] == _told(env, seed)


@pytest.mark.parametrize("game", GAMES)
def test_rewards_are_those_of_the_outcome(game: str) -> None:
    env = environments.env(game, **small_options(game))
    for seed in range(10):
        env.reset(seed=seed)
        play_randomly(env, Random(seed), 5000)
        outcome = env.episode.outcome
        assert outcome is not None
        value = outcome.value if outcome.cost is None else 1 / (1 + outcome.cost)
        assert env.rewards == {"evader_0": value, "pursuers_0": -value}
        assert env.infos["evader_0"]["outcome"] == str(env.episode.kit.game.outcome(env.episode.state))
        assert env.infos["evader_0"].get("cost") == outcome.cost


def test_a_payoff_of_your_own_is_used() -> None:
    env = environments.env("pursuit", payoff=lambda outcome: 7.0)
    env.reset(seed=1)
    play_randomly(env, Random(1), 5000)
    assert env.rewards == {"evader_0": 7.0, "pursuers_0": -7.0}


def test_an_endless_game_is_cut_off() -> None:
    env = environments.env("pursuit", "cops-and-robbers", max_plies=5)
    env.reset(seed=1)
    play_randomly(env, Random(1), 50)
    assert env.n_plies == 5
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("game", GAMES)
def test_checks_do_what_petting_zoos_wrappers_do(game: str) -> None:
    checked, raw = environments.env(game), environments.raw_env(game)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1))
    for env in (checked, wrappers.OrderEnforcingWrapper(wrapped)):
        with pytest.raises(AssertionError, match="reset"):
            env.step(0)
        with pytest.raises(AttributeError):
            env.agents  # noqa: B018
    for seed in range(3):
        for env in (checked, wrapped):
            env.reset(seed=seed)
            play_randomly(env, Random(seed), 4)
            with pytest.raises(AssertionError, match="not in action space"):
                env.step(checked.episode.encoder.n_actions)
        illegal: int | None = int(np.flatnonzero(checked.infos[checked.agent_selection]["action_mask"] == 0)[0])
        while checked.agents:
            for env in (checked, wrapped):
                env.step(illegal)
            assert seen_by_all(checked) == seen_by_all(wrapped)
            illegal = None
        assert not wrapped.agents


def test_without_checks_an_illegal_action_is_one_clear_line() -> None:
    env = environments.raw_env("fugitive")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="action 0 is not legal for evader_0; legal: "):
        env.step(0)


def test_environments_have_versioned_names() -> None:
    for game in GAMES:
        namespace = getattr(environments, f"{game}_v0")
        assert str(namespace.env()) == str(namespace.raw_env()) == f"{game}_v0"
    for name in ("fugitive_v1", "chess_v0", "fugitive"):
        with pytest.raises(AttributeError, match=name):
            getattr(environments, name)


def test_bad_options_are_one_clear_line() -> None:
    for options in (
        {"game": "chess"},
        {"game": "fugitive", "preset": "x"},
        {"game": "fugitive", "pursuers": "each"},
        {"game": "pursuit", "pursuers": "all"},
        {"game": "pursuit", "belief": True},
        {"game": "pursuit", "render_seat": "x"},
    ):
        with pytest.raises(ManhuntError) as caught:
            environments.env(**options)
        assert "\n" not in str(caught.value)
