"""kill -9 in the middle of running games: nothing that was acknowledged is lost, and nothing is left behind."""

import os
import time
from pathlib import Path

from killed_sites import pull_the_plug
from sites import running_site, start_site

N_GAMES = int(os.environ.get("MANHUNT_KILLED_GAMES", "8"))


def workers_of(pid: int) -> list[int]:
    """Its worker processes, by the system's list."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_text()
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid and "manhunt.workers.process" in command:
            found.append(int(folder.name))
    return found


def is_running(pid: int) -> bool:
    try:
        return (Path(f"/proc/{pid}") / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_acknowledged_moves_survive_and_games_go_on(tmp_path) -> None:
    drill = pull_the_plug(tmp_path / "games.db", N_GAMES, n_kills=2, seed=7)
    assert drill.faults == ()
    assert drill.n_acknowledged > N_GAMES
    assert drill.n_reconnects > 0


def test_workers_end_with_their_server_also_in_the_middle_of_a_task(tmp_path) -> None:
    site = start_site(tmp_path / "games.db")
    site.begin("scotland_yard", evader="mcts", pursuers="mcts", seconds=30)
    deadline = time.monotonic() + 300
    while not (workers := workers_of(site.process.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    workers = workers_of(site.process.pid)
    assert workers
    site.kill()
    while any(map(is_running, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, workers))


def test_games_of_two_agents_go_on_by_themselves(tmp_path) -> None:
    store = tmp_path / "games.db"
    site = start_site(store)
    uids = [site.begin("fugitive", evader="random", pursuers="random")["uid"] for _ in range(5)]
    site.kill()
    with running_site(store) as again:
        deadline = time.monotonic() + 300
        while again.api("/api/games?state=running") and time.monotonic() < deadline:
            time.sleep(0.1)
        assert {again.api(f"/api/games/{uid}")["state"] for uid in uids} == {"finished"}


def test_a_second_server_on_the_same_store_is_refused(tmp_path, capfd) -> None:
    store = tmp_path / "games.db"
    with running_site(store):
        try:
            start_site(store)
        except AssertionError:
            pass
        else:
            raise AssertionError("two servers would play on the same games")
        told = capfd.readouterr().err
        assert "another manhunt web is using the games of" in told
        assert told.count("\n") == 1
