"""`manhunt learn`: exit codes, resuming, JSON, and what it says without PyTorch."""

import json
import subprocess
import sys

import pytest

from manhunt.cli.main import run

torch = pytest.importorskip("torch", reason="needs the extra 'learn'")

TINY = ["--board", "ring:6", "--set", "n_detectives=1", "--games", "4", "--steps", "8", "--width", "8", "--block", "2"]


def learn(folder, *more):
    return run(["learn", "pursuit", "--as", "evader", "--out", str(folder), *TINY, *more])


def test_it_learns_resumes_and_its_agent_plays_in_the_arena(tmp_path, capsys):
    folder = tmp_path / "run"
    assert learn(folder, "--updates", "2", "--json") == 0
    assert json.loads(capsys.readouterr().out)["updates"] == 2
    assert learn(folder, "--updates", "4", "--json") == 0
    assert json.loads(capsys.readouterr().out)["updates"] == 4
    assert learn(folder, "--updates", "4") == 0
    assert f"learned:file={folder}" in capsys.readouterr().out.replace("\n", "")
    setting = ["--board", "ring:6", "--set", "n_detectives=1", "--workers", "0"]
    spec = f"learned:file={folder / 'policy.npz'},sample=false"
    assert run(["arena", "pursuit", "--evader", spec, "--pursuers", "random", "--games", "4", *setting]) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["learn", "pursiut", "--as", "evader", "--out", "x"], "pursuit"),
        (["learn", "pursuit", "--as", "queen", "--out", "x"], "unknown seat"),
        (["learn", "pursuit", "--as", "evader", "--out", "x", "--against", "nobody"], "unknown agent"),
        (["learn", "pursuit", "--as", "evader", "--out", "x", "--against", "snapshots"], "let both seats learn"),
        (["learn", "pursuit", "--as", "evader", "--out", "no/such/x"], "does not exist"),
        (["learn", "pursuit", "--as", "evader", "--out", "x", "--minutes", "0"], "more than 0"),
        (["learn", "pursuit", "--as", "evader", "--out", "x", "--rate", "much"], "not a number"),
    ],
)
def test_bad_input_is_one_line(tmp_path, monkeypatch, capsys, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_a_changed_setting_is_refused(tmp_path, capsys):
    assert learn(tmp_path / "run", "--updates", "2") == 0
    assert learn(tmp_path / "run", "--updates", "2", "--seed", "7") == 2
    assert "another seed" in capsys.readouterr().err


def test_without_pytorch_one_line_says_what_to_install(tmp_path):
    code = (
        "import sys; sys.modules['torch'] = None; from manhunt.cli.main import run; "
        f"sys.exit(run(['learn', 'pursuit', '--as', 'evader', '--out', {str(tmp_path / 'run')!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    line = ".venv/bin/pip install -c constraints.txt -e '.[learn]'"
    assert done.stderr == f"manhunt: PyTorch is not installed; get it with: {line}\n"
    assert not (tmp_path / "run").exists()


def test_ctrl_c_keeps_finished_blocks(tmp_path, monkeypatch, capsys):
    from manhunt.learning import training

    block, seen = training.Training._run_block, []

    def interrupted(self):
        if seen:
            raise KeyboardInterrupt
        seen.append(self)
        block(self)

    monkeypatch.setattr(training.Training, "_run_block", interrupted)
    assert learn(tmp_path / "run", "--updates", "8") == 130
    monkeypatch.undo()
    assert training.Training(seen[0].settings, tmp_path / "run").n_updates == 2
