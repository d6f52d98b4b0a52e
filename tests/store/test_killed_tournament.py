"""A tournament of good and bad bots, killed (kill -9) and resumed on both databases: every game once, one table."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from manhunt.core.errors import ManhuntError
from manhunt.store.connect import open_store
from manhunt.store.games import list_games
from manhunt.store.tournaments import count_results, find_tournament, load_results

BAD_BOT = Path(__file__).parents[1] / "support" / "bad_bot.py"
EVENING = f"""name = "evening"
seed = 2
[clock]
cap = 20.0
[[game]]
game = "pursuit"
board = "grid:3x3"
options = {{ n_detectives = 1, max_rounds = 4 }}
games = 1
[[game]]
game = "shortest_path"
[[bot]]
name = "ann"
agent = "random"
[[bot]]
name = "bob"
agent = "random@1"
[[bot]]
name = "resigns"
command = "{sys.executable} -S {BAD_BOT} resign"
[[bot]]
name = "crashes"
command = "{sys.executable} -S {BAD_BOT} crash"
[[bot]]
name = "missing"
command = "./there-is-no-such-bot"
"""
N_GAMES = 10 * 2 * (1 + 1)


def command(verb: str, file: Path, where: str, *more: str) -> list[str]:
    return [sys.executable, "-m", "manhunt", "tournament", verb, str(file), "--store", where, "--json", *more]


def n_played(where: str) -> int:
    try:
        store = open_store(where, create=False)
    except ManhuntError:
        return 0
    try:
        kept = find_tournament(store, "evening")
        return 0 if kept is None else count_results(store, kept)
    finally:
        store.close()


def table(text: str) -> dict:
    return json.loads(text)


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> dict:
    """The table of a run that nobody killed."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "evening.toml").write_text(EVENING)
    done = subprocess.run(
        command("run", folder / "evening.toml", str(folder / "a.db"), "--workers", "1"), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return table(done.stdout)


def test_killed_twice_and_resumed_by_one_at_a_time(url, tmp_path, whole) -> None:
    file = tmp_path / "evening.toml"
    file.write_text(EVENING)
    for verb, until in (("run", N_GAMES // 8), ("resume", N_GAMES // 2)):
        with subprocess.Popen(
            command(verb, file, url, "--workers", "1"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as runner:
            while runner.poll() is None:  # it stands still while it is looked at, however slow that is
                os.kill(runner.pid, signal.SIGCONT)
                time.sleep(0.02)
                os.kill(runner.pid, signal.SIGSTOP)
                if n_played(url) >= until:
                    break
            if verb == "run":
                second = subprocess.run(command("resume", file, url), capture_output=True, text=True)
            assert runner.poll() is None, "it ended before it could be killed"
            os.kill(runner.pid, signal.SIGKILL)
        assert until <= n_played(url) < N_GAMES
        if verb == "run":
            assert second.returncode == 2
            assert f"'evening' is being played by process {runner.pid} on " in second.stderr
            assert len(second.stderr.splitlines()) == 1
    done = subprocess.run(command("resume", file, url, "--workers", "1"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert table(done.stdout) == whole
    assert whole["played"] == N_GAMES
    store = open_store(url)
    kept = find_tournament(store, "evening")
    results = load_results(store, kept)
    assert [result.number for result in results] == list(range(N_GAMES))
    assert len({(r.entry, r.deal, r.evader, r.pursuers) for r in results}) == N_GAMES
    assert sorted(game.uid for game in list_games(store, limit=1000)) == sorted(r.game_uid for r in results)  # type: ignore[type-var]
    store.close()


def test_the_table_is_right_about_bots_that_never_play(whole) -> None:
    by_name = {row["bot"]: row for row in whole["standings"]}
    for name, kind in (("resigns", "resign"), ("crashes", "crash"), ("missing", "crash")):
        row = by_name[name]
        assert set(row["faults"]) == {kind}
        assert row["forfeits"] == row["faults"][kind]
    assert by_name["ann"]["forfeits"] == by_name["bob"]["forfeits"] == 0
    assert sum(row["points"] for row in whole["standings"]) == N_GAMES
    assert {row["bot"] for row in whole["standings"][:2]} == {"ann", "bob"}
