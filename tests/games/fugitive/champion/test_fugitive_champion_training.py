"""Training: the same net from the same seed, also after a kill; the command."""

import json
from pathlib import Path

import numpy as np
import pytest

from manhunt.cli.main import run
from manhunt.core.errors import ManhuntError
from manhunt.games.fugitive.champion.agent import net_of
from manhunt.games.fugitive.champion.features import FEATURES
from manhunt.games.fugitive.champion.selfplay import POOL, Exploration, ExploringFugitive, play
from manhunt.games.fugitive.champion.training import PlayedGames, Trainer, TrainingPlan, blank_net, fit
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.show.train_command import MARSHALS
from manhunt.search.value_net import hash_of, load_net, win_chances

SMALL = make_config("mini")
PLAN = TrainingPlan(seed=5, games=5, generation_games=2, marshals=tuple(POOL))


def quiet(report: object) -> None:
    """Nobody listens."""


def test_a_killed_training_ends_with_the_same_net(tmp_path: Path) -> None:
    whole = Trainer(SMALL, PLAN, tmp_path / "whole")
    whole.run(quiet)
    assert whole.is_done
    assert whole.games == 5
    folder = tmp_path / "killed"
    for generation in range(PLAN.generations):
        trainer = Trainer(SMALL, PLAN, folder)
        assert trainer.generation == generation
        _one_generation(trainer)
        (folder / f"games-{generation + 1:06d}.npz").write_bytes(b"half a file")  # written when the kill came
    last = Trainer(SMALL, PLAN, folder)
    assert last.is_done
    assert hash_of(last.net) == hash_of(whole.net) == hash_of(load_net(folder / "net.npz", FEATURES)[0])


def _one_generation(trainer: Trainer) -> None:
    class Killed(Exception):
        pass

    def kill(report: object) -> None:
        raise Killed

    with pytest.raises(Killed):
        trainer.run(kill)


def test_a_folder_of_another_training_is_refused(tmp_path: Path) -> None:
    Trainer(SMALL, PLAN, tmp_path / "a")
    with pytest.raises(ManhuntError, match="other options"):
        Trainer(SMALL, TrainingPlan(seed=6), tmp_path / "a")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter.txt").write_text("dear")
    with pytest.raises(ManhuntError, match="neither empty nor a training folder"):
        Trainer(SMALL, PLAN, tmp_path / "b")


def fugitive() -> ExploringFugitive:
    return ExploringFugitive(blank_net(), Exploration(0.5, 0.5), hedge=True)


@pytest.mark.parametrize("name", POOL)
def test_games_depend_on_the_seed_alone(name: str) -> None:
    first, again = (play(SMALL, fugitive(), POOL[name](), 7) for _ in range(2))
    np.testing.assert_array_equal(first.rows, again.rows)
    assert first.has_won == again.has_won
    assert first.rows.shape[1] == len(FEATURES)


def test_a_fit_finds_what_decides() -> None:
    rng = np.random.default_rng(1)
    rows = rng.random((5000, len(FEATURES))).astype(np.float32)
    won = (rows[:, 3] > 0.5).astype(np.float32)
    net, loss = fit(PlayedGames(rows, won, np.arange(5000, dtype=np.float32)), (1, 2))
    assert loss < 0.4
    assert ((win_chances(net, rows) > 0.5) == (won > 0.5)).mean() > 0.9


def test_a_blank_net_has_no_opinion() -> None:
    assert win_chances(blank_net(), np.ones((2, len(FEATURES)), np.float32)).tolist() == [0.5, 0.5]


def test_the_command_offers_the_whole_pool() -> None:
    assert tuple(POOL) == MARSHALS


def test_the_shipped_net_belongs_to_its_card() -> None:
    assert net_of("standard").w1.shape[0] == len(FEATURES)


COMMAND = ["train", "fugitive", "--games", "4", "--generation", "2", "--json", "--preset", "mini"]


def test_the_command_trains_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [*COMMAND, "--out", str(tmp_path / "net")]
    assert run([*command, "--minutes", "1e-9"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["games"] == 0
    assert run(command) == 0
    card = json.loads(capsys.readouterr().out)
    assert card["games"] == 4
    assert card["hash"] == hash_of(load_net(tmp_path / "net" / "net.npz", FEATURES)[0]) != first["hash"]
    assert run([*command, "--seed", "2"]) == 2
    assert "other options" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong", [["--minutes", "0"], ["--games", "0"], ["--preset", "chess"], ["--set", "reach=0"], ["--marshals", "l2"]]
)
def test_bad_input_is_one_line_and_code_2(wrong: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*COMMAND, "--out", str(tmp_path / "net"), *wrong]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not (tmp_path / "net").exists()
