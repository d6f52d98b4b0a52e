"""The Gymnasium environment that steps many games at once."""

import copy
import subprocess
import sys

import numpy as np
import pytest

from manhunt.core.errors import BadConfig, IllegalAction
from manhunt.core.registry import kits

gymnasium = pytest.importorskip("gymnasium", reason="needs the extra 'rl'")

from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics  # noqa: E402

from manhunt.adapters.gymnasium import register  # noqa: E402
from manhunt.adapters.vector import GameVectorEnv  # noqa: E402

NAME = "scotland_yard"
SMALL = {"n_detectives": 2, "rounds": 3, "shown": (2,)}


def make(n=4, **options):
    return GameVectorEnv(NAME, n, **{**SMALL, **options})


def first_legal(observation):
    return observation["action_mask"].argmax(axis=1)


def trace(env, seed, n_steps=25):
    """Bytes of everything that the environment hands out, playing the first legal action."""
    observation, infos = env.reset(seed=seed)
    found = []
    for _ in range(n_steps):
        observation, rewards, over, truncated, infos = env.step(first_legal(observation))
        found.append([a.tobytes() for a in (*observation.values(), rewards, over, truncated, infos["to_act"])])
    return found


def test_what_it_hands_out_fits_its_spaces() -> None:
    env = make(belief=True)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert "observation_space" not in env.__dict__, "the bounds of thousands of masks are large"
    observation, infos = env.reset(seed=1)
    for _ in range(20):
        assert env.observation_space.contains(observation)
        assert observation["action_mask"] is infos["action_mask"]
        actions = env.sample_actions()
        assert env.action_space.contains(actions)
        running = infos["to_act"] >= 0
        assert observation["action_mask"][running, actions[running]].all()
        observation, rewards, over, truncated, infos = env.step(actions)
        assert (rewards.shape, rewards.dtype, over.dtype, truncated.any()) == ((4,), np.float64, np.bool_, False)
        assert ((rewards != 0) == over).all()
    single = env.single_observation_space
    assert single.contains({name: array[0] for name, array in observation.items()})


def test_a_game_that_is_over_begins_anew_with_the_next_step() -> None:
    env = make(2)
    observation, _ = env.reset(seed=3)
    over = np.zeros(2, bool)
    n_over = 0
    for _ in range(60):
        before, (observation, rewards, over, _, infos) = over, env.step(first_legal(observation))
        assert not (before & over).any()
        assert (rewards[before] == 0).all()
        assert not observation["action_mask"][over].any()
        assert (infos["to_act"][before] == 0).all(), "Mr X moves first in a new game"
        n_over += over.sum()
    assert n_over >= 4


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    for options in ({}, {"seat": "evader"}, {"seat": "pursuers", "belief": True}):
        env = make(3, **options)
        first = trace(env, 7)
        assert trace(env, 7) == first == trace(make(3, **options), [7, 8, 9])
        assert trace(env, 8) != first


def test_sampled_actions_are_seeded_too() -> None:
    env, runs = make(5), []
    for _ in range(2):
        env.reset(seed=2)
        runs.append([env.step(env.sample_actions())[0]["observation"].tobytes() for _ in range(10)])
    assert runs[0] == runs[1]


def test_some_games_can_be_reset_alone() -> None:
    env = make(4)
    observation, _ = env.reset(seed=5)
    observation = env.step(first_legal(observation))[0]
    mask = np.array([True, False, False, True])
    again, infos = env.reset(options={"reset_mask": mask})
    assert (infos["to_act"] == np.where(mask, 0, 1)).all()
    assert np.array_equal(again["observation"][~mask], observation["observation"][~mask])
    _, infos = env.reset(seed=[1, None, 3, None])
    assert (infos["to_act"] == 0).all()


def test_rewards_are_for_the_evader_or_for_your_seat() -> None:
    """The first legal action all along; who wins is what the batch says of the evader."""
    for seat, sign in ((None, 1), ("evader", 1), ("pursuers", -1)):
        env, ends = make(16, seat=seat), 0
        observation, _ = env.reset(seed=1)
        for _ in range(40):
            observation, rewards, over, _, infos = env.step(first_legal(observation))
            assert np.array_equal(rewards, sign * env.batch.values)
            assert set(np.abs(rewards[over])) <= {1}
            if seat:
                assert set(infos["to_act"].tolist()) <= {-1, ("evader", "pursuers").index(seat)}
            ends += over.sum()
        assert ends > 16


def test_without_copies_the_arrays_are_those_of_the_batch() -> None:
    env = make(copy=False, observations=False)
    observation, _ = env.reset(seed=1)
    assert list(observation) == ["action_mask"]
    assert observation["action_mask"] is env.batch.masks
    kept, _ = make().reset(seed=1)
    env.step(first_legal(observation))
    assert not np.array_equal(observation["action_mask"], kept["action_mask"])


def test_a_deep_copy_has_the_same_future() -> None:
    env = make(3, belief=True)
    observation, _ = env.reset(seed=4)
    env.step(first_legal(observation))
    twin = copy.deepcopy(env)
    for _ in range(15):
        actions = env.sample_actions()
        assert np.array_equal(actions, twin.sample_actions())
        one, other = env.step(actions), twin.step(actions)
        assert one[0]["observation"].tobytes() == other[0]["observation"].tobytes()


def test_wrappers_of_gymnasium_understand_it() -> None:
    inner = make(4)
    env = RecordEpisodeStatistics(inner)
    env.reset(seed=1)
    lengths = []
    for _ in range(40):
        *_, infos = env.step(inner.sample_actions())
        lengths += infos["episode"]["l"][infos["_episode"]].tolist() if "episode" in infos else []
    assert lengths
    assert 1 <= min(lengths) <= max(lengths) <= 9
    listed = DictInfoToList(make(2))
    assert [info["to_act"] for info in listed.reset(seed=1)[1]] == [0, 0]


def test_bad_input_is_one_clear_line() -> None:
    env = make(2)
    observation, _ = env.reset(seed=1)
    for actions in ([0], [0.5, 1.0], [[1, 2]]):
        with pytest.raises(IllegalAction, match="actions must be 2 whole numbers, one for each game, not "):
            env.step(actions)
    wrong = first_legal(observation)
    wrong[1] = env.single_action_space.n - 1
    with pytest.raises(IllegalAction, match=r"is not legal in game 1 for the evader; legal: \d"):
        env.step(wrong)
    with pytest.raises(BadConfig, match="3 seeds for 2 games"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(BadConfig, match="reset_mask must be 2 bools"):
        env.reset(options={"reset_mask": [1, 0]})
    with pytest.raises(BadConfig, match="unknown seat 'chance'; known: evader, pursuers"):
        make(seat="chance")
    with pytest.raises(BadConfig, match=f"pursuit cannot be stepped in batches; games that can: {NAME}"):
        GameVectorEnv("pursuit", 2)


def test_a_missing_extra_is_one_clear_line() -> None:
    hide = "import sys; sys.modules['gymnasium.spaces'] = sys.modules['gymnasium'] = None\n"
    code = hide + "try:\n import manhunt.adapters.vector\nexcept Exception as error: print(type(error).__name__, error)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    line = ".venv/bin/pip install -c constraints.txt -e '.[rl]'"
    assert said == f"MissingExtra Gymnasium is not installed; get it with: {line}\n"


def test_every_game_with_a_batch_is_registered() -> None:
    ids = dict(zip((kit.name for kit in kits()), register(), strict=True))
    for kit in kits():
        if kit.has("batch"):
            env = gymnasium.make_vec(ids[kit.name], num_envs=2, **kit.small)
            assert isinstance(env.unwrapped, GameVectorEnv)
            observation, _ = env.reset(seed=1)
            env.step(first_legal(observation))
