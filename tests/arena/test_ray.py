"""The same tournament on a Ray cluster of two nodes on this machine, one of which is killed in the middle."""

import json
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from manhunt.arena.schedule import make_plan
from manhunt.arena.tournament import run_tournament
from manhunt.cli.main import run

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="RAY IS NOT INSTALLED: pip install 'manhunt[ray]'")

SCRIPT = """
import json, os, subprocess, sys, time
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # listen on 127.0.0.1 alone
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
from ray.cluster_utils import Cluster

marks, out, *arguments = sys.argv[1:]
soon = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 3}
head = {"num_cpus": 1, "include_dashboard": False, "_system_config": soon}  # a dead node is noticed soon
cluster = Cluster(initialize_head=True, head_node_args=head)
try:
    second = cluster.add_node(num_cpus=1)
    command = [sys.executable, "-m", "manhunt", "arena", *arguments, "--out", out, "--json", "--ray", cluster.address]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    results = os.path.join(out, "results.jsonl")
    while run.poll() is None and (len(os.listdir(marks)) < 3 or open(results).read().count("\\n") < 6):
        time.sleep(0.02)  # until both nodes play; the third mark is of the command, which tries the agent
    before = open(results).read().count("\\n")
    cluster.remove_node(second, allow_graceful=False)
    answer, error = run.communicate(timeout=200)
    told = {"code": run.returncode, "answer": answer, "error": error, "before": before}
    print(json.dumps({**told, "address": cluster.address}))
finally:
    cluster.shutdown()
"""


@needs_ray
def test_two_nodes_one_killed(tmp_path, agents) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    spec = f"{agents}:Marks:folder={marks}"
    arguments = ["pursuit", "--mrx", "random", spec, "--detectives", spec, "--games", "40", "--seed", "4"]
    script = tmp_path / "cluster.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(marks), str(tmp_path / "cluster"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["code"] == 0, told["error"]
    assert json.loads(told["answer"])["finished"] == 80, "one document, and nothing of Ray's in it"
    assert told["address"].startswith("127.0.0.1:")
    assert 6 <= told["before"] < 80, "the node was killed in the middle"
    run_tournament(make_plan("pursuit", ["random", spec], [spec], 40, seed=4), out=tmp_path / "here", workers=2)
    for name in ("results.jsonl", "matrix.json"):
        assert (tmp_path / "cluster" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
    assert records(tmp_path / "cluster") == records(tmp_path / "here")


def records(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (folder / "records").iterdir()}


def test_an_address_that_does_not_answer(capsys) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"  # bound, but nobody listens
        assert run(["arena", "pursuit", "--mrx", "random", "--detectives", "random", "--ray", address]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"manhunt: no Ray cluster answers at {address}: Connection refused\n"


def test_an_address_that_is_none(capsys) -> None:
    assert run(["arena", "pursuit", "--mrx", "random", "--detectives", "random", "--ray", "somewhere"]) == 2
    assert capsys.readouterr().err == (
        "manhunt: 'somewhere' is not a Ray address; write HOST:PORT, or local to start a cluster here\n"
    )


def test_without_ray_the_extra_is_named(capsys, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert run(["arena", "pursuit", "--mrx", "random", "--detectives", "random", "--ray", "local"]) == 2
    line = ".venv/bin/pip install -c constraints.txt -e '.[ray]'"
    assert capsys.readouterr().err == f"manhunt: --ray needs the extra 'ray': {line}\n"
