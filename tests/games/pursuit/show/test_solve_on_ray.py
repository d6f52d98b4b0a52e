"""`manhunt solve --folder DIR --ray ADDRESS`: two Ray nodes on this machine, one of which is killed in the middle."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from manhunt.cli.main import run

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="RAY IS NOT INSTALLED: pip install 'manhunt[ray]'")
ALL = ["solve", "--all-starts", "--n-detectives", "2"]

SCRIPT = """
import json, os, subprocess, sys, time
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # listen on 127.0.0.1 alone
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_raylet_start_wait_time_s"] = "200"  # nodes start slowly on a busy machine
from ray.cluster_utils import Cluster

folder, *arguments = sys.argv[1:]
soon = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 3}
head = {"num_cpus": 1, "include_dashboard": False, "_system_config": soon}  # a dead node is noticed soon
cluster = Cluster(initialize_head=True, head_node_args=head)
try:
    second = cluster.add_node(num_cpus=1)
    command = [sys.executable, "-m", "manhunt", "solve", *arguments, "--folder", folder, "--ray", cluster.address]
    run = subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    rounds = os.path.join(folder, "rounds.jsonl")
    while run.poll() is None and (not os.path.exists(rounds) or open(rounds).read().count("\\n") < 3):
        time.sleep(0.01)
    cluster.remove_node(second, allow_graceful=False)
    before = open(rounds).read().count("\\n")
    answer, error = run.communicate(timeout=900)
    print(json.dumps({"code": run.returncode, "answer": answer, "error": error, "before": before}))
finally:
    cluster.shutdown()
"""


@needs_ray
def test_two_nodes_one_killed_in_the_middle(tmp_path: Path) -> None:
    script, arguments = tmp_path / "cluster.py", ["--board", "grid:6x6", "--all-starts", "--n-detectives", "3"]
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(tmp_path / "rounds"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1000)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["code"] == 0, told["error"]
    found = json.loads(told["answer"])
    assert 3 <= told["before"] <= len(found["survivors_by_round"]), "the node was killed in the middle"
    here = subprocess.run(
        [sys.executable, "-m", "manhunt", "solve", *arguments, "--json"], capture_output=True, text=True, check=True
    )
    whole = json.loads(here.stdout)
    for answer in (found, whole):
        del answer["seconds"], answer["peak_rss_mb"]
    assert found == whole


def test_ray_needs_a_folder_and_its_extra(capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert run([*ALL, "--ray", "local", "--folder", str(tmp_path)]) == 2
    line = ".venv/bin/pip install -c constraints.txt -e '.[ray]'"
    assert capsys.readouterr().err == f"manhunt: --ray needs the extra 'ray': {line}\n"
    assert run([*ALL, "--ray", "local"]) == 2
    assert "--ray needs --folder DIR" in capsys.readouterr().err
