"""What authors of bots find in the wheel."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVED = "from manhunt.games.shortest_path.show.serve_command import sample_game; print(sample_game().board.n_nodes)"


def test_the_wheel_brings_the_classic_client_the_samples_and_the_sample_game(tmp_path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    for command in (["-m", "manhunt.samples.classic_player", "-h"], ["-m", "manhunt.samples.classic_adversary", "-h"]):
        ran = subprocess.run([sys.executable, *command], env=environment, cwd=tmp_path, capture_output=True, text=True)
        assert "--port" in ran.stdout, ran.stderr
    ran = subprocess.run(
        [sys.executable, "-c", SERVED], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ran.stdout == "300\n"
