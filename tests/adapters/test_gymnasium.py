"""Gymnasium: one seat against an agent, for all games and presets, without a warning."""

from __future__ import annotations

import copy
import pickle
from random import Random

import pytest

from environment_cases import GAMES, PRESETS, SEATS, random_number, small_options
from manhunt.core.errors import ManhuntError
from manhunt.core.registry import kit_of

pytest.importorskip("gymnasium", reason="needs the extra rl: pip install 'manhunt[rl]'")

import gymnasium
from gymnasium.utils.env_checker import check_env

from manhunt.adapters.gymnasium import SeatEnv, env_id, register

pytestmark = pytest.mark.usefixtures("all_games")
AGENTS = {"pursuit": "greedy", "scotland_yard": "greedy", "fugitive": "random", "shortest_path": "random"}
"""Opponents that play every seat; those that hear events are among them."""


@pytest.mark.parametrize("seat", [seat.value for seat in SEATS])
@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_gymnasium_finds_no_fault(game: str, preset: str, seat: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert env_id(game) in register()
    made = gymnasium.make(env_id(game), preset=preset, seat=seat, render_mode="ansi")
    check_env(made.unwrapped)


@pytest.mark.parametrize("seat", [seat.value for seat in SEATS])
@pytest.mark.parametrize("game", GAMES)
def test_a_game_ends_with_the_reward_of_the_seat(game: str, seat: str) -> None:
    env = SeatEnv(game, seat=seat, opponent=AGENTS.get(game, "greedy"), **small_options(game))
    for seed in range(5):
        observation, info = env.reset(seed=seed)
        rng, done, rewards = Random(seed), False, []
        while not done:
            assert observation in env.observation_space
            assert observation["action_mask"].tobytes() == info["action_mask"].tobytes()
            observation, reward, terminated, truncated, info = env.step(random_number(info["action_mask"], rng))
            rewards.append(reward)
            done = terminated or truncated
        outcome = kit_of(game).game.outcome(env.episode.state)
        value = outcome.value if outcome.cost is None else 1 / (1 + outcome.cost)
        assert rewards == [0.0] * (len(rewards) - 1) + [value if seat == "evader" else -value]
        assert info["outcome"] == str(outcome)


@pytest.mark.parametrize("game", GAMES)
def test_copies_against_an_agent_have_the_same_future(game: str) -> None:
    env = SeatEnv(game, opponent=AGENTS.get(game, "greedy"))
    for seed in range(5):
        _, info = env.reset(seed=seed)
        rng, done = Random(seed), False
        for _ in range(rng.randrange(6)):
            if not done:
                _, _, terminated, truncated, info = env.step(random_number(info["action_mask"], rng))
                done = terminated or truncated
        twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.fork(), env]
        told = [_told(twin, seed, done) for twin in twins]
        assert all(each == told[0] for each in told)


def _told(env: SeatEnv, seed: int, done: bool) -> list[bytes]:
    rng, seen = Random(seed), []
    mask = env._mask
    for _ in range(8):
        if done:
            observation, _ = env.reset()
            done = False
        else:
            observation, _, terminated, truncated, _ = env.step(random_number(mask, rng))
            done = terminated or truncated
        mask = observation["action_mask"]
        seen.append(observation["observation"].tobytes() + mask.tobytes())
    return seen


def test_an_illegal_action_loses() -> None:
    env = SeatEnv("pursuit")
    _, info = env.reset(seed=1)
    _, reward, terminated, _, info = env.step(int(info["action_mask"].argmin()))
    assert (reward, terminated, info["illegal"]) == (-1.0, True, True)


def test_games_with_a_batch_are_vector_environments_too() -> None:
    register()
    made = gymnasium.make_vec(env_id("scotland_yard"), num_envs=3, vectorization_mode="vector_entry_point")
    assert made.num_envs == 3
    made.close()


def test_bad_options_are_one_clear_line() -> None:
    for options in ({"game": "chess"}, {"game": "pursuit", "seat": "x"}, {"game": "pursuit", "opponent": "x"}):
        with pytest.raises(ManhuntError) as caught:
            SeatEnv(**options)
        assert "\n" not in str(caught.value)
