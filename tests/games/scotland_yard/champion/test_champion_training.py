"""Training: the same nets from the same seed, also after a kill; targets; nets in files."""

import json
from pathlib import Path

import numpy as np
import pytest

from manhunt.cli.main import run
from manhunt.core.errors import BadText, ManhuntError
from manhunt.games.scotland_yard.champion.nets import (
    hash_of,
    load_nets,
    new_nets,
    save_nets,
    win_chance,
)
from manhunt.games.scotland_yard.champion.selfplay import POOL, Choice, GameRows, SelfPlay, Team
from manhunt.games.scotland_yard.champion.training import LAMBDA, SHAPED, Trainer, TrainingPlan, targets_of
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.search.value_net import Adam, fit_batch, win_chances

SMALL = make_config(n_detectives=2, rounds=4, shown=(2,))
PLAN = TrainingPlan(seed=5, games=10, informed_games=5, generation_games=5)


def quiet(report: object) -> None:
    """Nobody listens."""


def test_a_killed_training_ends_with_the_same_nets(tmp_path: Path) -> None:
    whole = Trainer(SMALL, PLAN, tmp_path / "whole")
    whole.run(quiet)
    assert whole.is_done
    assert whole.games == 15
    folder = tmp_path / "killed"
    for generation in range(PLAN.generations):
        trainer = Trainer(SMALL, PLAN, folder)
        assert trainer.generation == generation
        _one_generation(trainer)
        (folder / f"games-{generation + 1:06d}.npz").write_bytes(b"half a file")  # written when the kill came
    last = Trainer(SMALL, PLAN, folder)
    assert last.is_done
    assert hash_of(last.nets) == hash_of(whole.nets)
    assert hash_of(load_nets(folder / "nets.npz")[0]) == hash_of(whole.nets)


def _one_generation(trainer: Trainer) -> None:
    class Killed(Exception):
        pass

    def kill(report: object) -> None:
        raise Killed

    with pytest.raises(Killed):
        trainer.run(kill)


@pytest.mark.parametrize(("side", "learner"), [("mrx", 2), ("detectives", 1)])
def test_a_response_trains_one_net_and_is_the_same_after_a_kill(side: str, learner: int, tmp_path: Path) -> None:
    begin = new_nets(9)
    plan = TrainingPlan(seed=5, games=4, generation_games=2, responds=side, begins_with=hash_of(begin))
    whole = Trainer(SMALL, plan, tmp_path / "whole", begin)
    whole.run(quiet)
    _one_generation(Trainer(SMALL, plan, tmp_path / "killed", begin))
    last = Trainer(SMALL, plan, tmp_path / "killed", begin)
    last.run(quiet)
    assert hash_of(last.nets) == hash_of(whole.nets)
    assert hash_of(begin) == plan.begins_with
    for i in range(3):
        same = all((one == other).all() for one, other in zip(whole.nets[i], begin[i], strict=True))
        assert same is (i != learner)


def test_a_folder_of_another_training_is_refused(tmp_path: Path) -> None:
    Trainer(SMALL, PLAN, tmp_path / "a")
    with pytest.raises(ManhuntError, match="other options"):
        Trainer(SMALL, TrainingPlan(seed=6), tmp_path / "a")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter.txt").write_text("dear")
    with pytest.raises(ManhuntError, match="neither empty nor a training folder"):
        Trainer(SMALL, PLAN, tmp_path / "b")


@pytest.mark.kernel
@pytest.mark.parametrize("plan", ["beam", "noisy", "gather", "chase", "net"])
def test_games_depend_on_the_seed_alone(plan: str) -> None:
    nets, player = new_nets(1), SelfPlay(SMALL)
    team = Team(plan, nets, informed=plan == "net")
    first, again = (player.play(nets.after_mrx, team, Choice(0.1, 0.05), 7) for _ in range(2))
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, other)
    assert 1 <= len(first.values) <= SMALL.n_rounds
    assert {team.plan for team in POOL} <= {"beam", "noisy", "gather", "chase"}


def rows(values: list[float], is_best: list[float], has_won: bool) -> GameRows:
    empty = np.zeros((len(values), 1), np.float32)
    return GameRows(empty, empty, np.array(values), np.array(is_best), 6, has_won)


def test_targets_mix_the_end_with_what_the_net_said_later() -> None:
    made = targets_of([rows([0.4, 0.8], [1, 1], True)], None)
    before_last = (1 - LAMBDA) * 0.8 + LAMBDA
    np.testing.assert_allclose(made.after_targets, [before_last, 1.0], rtol=1e-6)
    np.testing.assert_allclose(made.before_targets, [(1 - LAMBDA) * 0.4 + LAMBDA * before_last, before_last], rtol=1e-6)


def test_exploration_does_not_count_for_what_was_before() -> None:
    made = targets_of([rows([0.4, 0.2], [1, 0], False)], None)
    assert made.after_targets.tolist() == pytest.approx([0.2, 0.0])


def test_a_loss_of_the_second_stage_counts_by_how_long_he_lasted() -> None:
    assert targets_of([rows([0.4], [1], False)], 24).after_targets[0] == pytest.approx(SHAPED * 6 / 24)


def test_the_kernel_says_what_the_batch_says_and_fitting_lowers_the_loss() -> None:
    net = new_nets(2).after_mrx
    rng = np.random.default_rng(1)
    data = rng.random((256, net.w1.shape[0])).astype(np.float32)
    hidden = np.zeros(len(net.b1), np.float32)
    chances = [win_chance(net, row, hidden) for row in data]
    np.testing.assert_allclose(chances, win_chances(net, data), rtol=1e-4)
    targets = (data[:, 0] > 0.5).astype(np.float32)
    adam = Adam(net, 1e-2)
    losses = [fit_batch(net, adam, data, targets) for _ in range(200)]
    assert losses[-1] < 0.3 < losses[0]


def test_nets_and_card_belong_together(tmp_path: Path) -> None:
    nets, file = new_nets(1), tmp_path / "mine.npz"
    save_nets(nets, file, {"games": 0})
    loaded, card = load_nets(file)
    assert hash_of(loaded) == hash_of(nets) == card["hash"]
    card["hash"] = "0" * 16
    file.with_suffix(".json").write_text(json.dumps(card))
    with pytest.raises(BadText, match="do not belong together"):
        load_nets(file)
    file.write_bytes(b"no zip")
    with pytest.raises(BadText, match="holds no champion nets"):
        load_nets(file)


COMMAND = ["train", "scotland_yard", "--games", "6", "--generation", "3", "--json"]
SMALL_GAME = ["--set", "n_detectives=2", "--set", "rounds=4", "--set", "shown=[2]"]


def test_the_command_trains_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [*COMMAND, *SMALL_GAME, "--out", str(tmp_path / "nets")]
    assert run([*command, "--minutes", "1e-9"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["games"] == 0
    assert run(command) == 0
    card = json.loads(capsys.readouterr().out)
    assert card["games"] == 6
    assert card["hash"] == hash_of(load_nets(tmp_path / "nets" / "nets.npz")[0]) != first["hash"]
    assert run([*command, "--seed", "2"]) == 2
    assert "other options" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong", [["--minutes", "0"], ["--games", "0"], ["--preset", "chess"], ["--board", "atlantis"], ["--begin", "none"]]
)
def test_bad_input_is_one_line_and_code_2(wrong: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*COMMAND, "--out", str(tmp_path / "nets"), *wrong]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not (tmp_path / "nets").exists()
