"""The arena of the web app: runs in a worker process, one at a time, cancelled, resumed, taken up again."""

import time
import urllib.parse
import urllib.request
from typing import Any

import pytest

from manhunt.arena.competition import run as running
from manhunt.arena.competition.file import parse_competition
from manhunt.arena.competition.run import made_with, run_competition
from manhunt.cli.arena import _plan, build_parser
from manhunt.server.arena_jobs import MatchUps, Run, _is_locked, arena_folder, load_run
from manhunt.server.jobs import JobState
from manhunt.server.settings import Settings
from manhunt.store.connect import open_store
from manhunt.store.tournaments import create_tournament
from sites import Site, running_site, start_site

QUICK = {
    "game": "pursuit",
    "board": "grid:3x3",
    "options": {"n_detectives": 1, "max_rounds": 4},
    "evaders": ["random", "greedy"],
    "pursuers": ["random"],
    "games": 3,
    "seed": 5,
}
LONG = {
    "game": "pursuit",
    "board": "grid:9x9",
    "options": {"n_detectives": 1, "max_rounds": 300},
    "evaders": ["random"],
    "pursuers": ["random"],
    "games": 5000,
}
EVENING = """name = "evening"
seed = 4
[[game]]
game = "pursuit"
board = "grid:3x3"
options = { n_detectives = 1, max_rounds = 4 }
[[bot]]
name = "ann"
agent = "random"
[[bot]]
name = "bob"
agent = "greedy"
"""


def until(site: Site, run_id: str, wanted, seconds: float = 300.0) -> dict:
    end = time.monotonic() + seconds
    while True:
        run = site.api(f"/api/arena/{run_id}")
        if wanted(run):
            return run
        assert time.monotonic() < end, run
        time.sleep(0.1)


def begin(site: Site, body: dict) -> str:
    return site.api("/api/arena", body)["id"]


def cancel(site: Site, run_id: str) -> dict:
    return site.api(f"/api/arena/{run_id}", method="DELETE")


def test_a_run_is_played_to_its_end_with_figures_and_games(site) -> None:
    run = until(site, begin(site, QUICK), lambda run: run["state"] == "done")
    assert (run["done"], run["total"]) == (6, 6)
    assert [(c["evader"], c["pursuers"], c["games"]) for c in run["summary"]["cells"]] == [
        ("random", "random", 3),
        ("greedy", "random", 3),
    ]
    assert {row["agent"] for row in run["summary"]["ratings"]["evader"]} == {"random", "greedy"}
    assert run["names"] == {"evader": "Mr X", "pursuers": "detectives"}
    assert run["asked"]["options"] == QUICK["options"]
    games = site.api(f"/api/arena/{run['id']}/games?evader=greedy")
    assert games["total"] == 3
    number = games["games"][0]["number"]
    kept = [site.api(f"/api/arena/{run['id']}/games/{number}", method="POST") for _ in range(2)]
    assert kept[0] == kept[1]
    assert kept[0]["link"] == f"/replay/{kept[0]['uid']}"
    assert site.api(f"/api/games/{kept[0]['uid']}")["state"] == "finished"
    with urllib.request.urlopen(f"{site.url}/api/arena/{run['id']}/report.html") as report:
        assert report.headers["content-disposition"].startswith("attachment")
        assert report.read().startswith(b"<!doctype html>")
    assert site.api("/api/arena")[0]["id"] == run["id"]
    assert site.api(f"/api/arena/{run['id']}?forget=true", method="DELETE")["state"] == "deleted"
    assert site.refusal(f"/api/arena/{run['id']}")[0] == 404
    assert not (arena_folder(Settings(site.store)) / run["id"]).exists()


def test_one_run_at_a_time_cancelled_and_resumed(tmp_path) -> None:
    with running_site(tmp_path / "games.db") as site:
        first, second = begin(site, LONG), begin(site, QUICK)
        waiting = site.api(f"/api/arena/{second}")
        assert (waiting["state"], waiting["ahead"]) == ("waiting", 1)
        assert site.refusal(f"/api/arena/{first}/resume", method="POST")[0] == 409
        running = until(site, first, lambda run: run["done"] > 2 and run["secondsLeft"] is not None)
        assert running["state"] == "running"
        assert site.refusal(f"/api/arena/{first}?forget=true", method="DELETE")[0] == 409
        assert cancel(site, first)["state"] == "cancelled"
        until(site, second, lambda run: run["state"] == "done")
        before = site.api(f"/api/arena/{first}")
        assert before["state"] == "cancelled"
        site.api(f"/api/arena/{first}/resume", method="POST")
        until(site, first, lambda run: run["done"] > before["done"])
        assert cancel(site, first)["state"] == "cancelled"
        over = site.refusal(f"/api/arena/{second}/resume", method="POST")
        assert over == (409, "this run is done; all its games have been played")


@pytest.mark.parametrize("is_killed", [False, True])
def test_after_a_restart_a_run_goes_on(tmp_path, is_killed) -> None:
    site = start_site(tmp_path / "games.db")
    run_id = begin(site, LONG)
    before = until(site, run_id, lambda run: run["done"] > 2)
    out = arena_folder(Settings(site.store)) / run_id
    if not is_killed:
        site.process.terminate()
        site.process.wait()
        assert not _is_locked(out / "arena" / ".lock"), "its process ends with the server"
    site.kill()
    kept = load_run(out)
    assert kept is not None
    assert kept.state is JobState.RUNNING
    with running_site(tmp_path / "games.db") as again:
        after = until(again, run_id, lambda run: run["state"] == "running" and run["done"] > before["done"] + 2)
        assert after["total"] == 5000
        cancel(again, run_id)
        until(again, run_id, lambda run: not _is_locked(out / "arena" / ".lock"))
        assert again.api(f"/api/arena/{run_id}")["state"] == "cancelled"


@pytest.mark.parametrize(
    ("change", "status", "reason"),
    [
        ({"game": "chess"}, 400, "unknown game 'chess'"),
        ({"evaders": ["my/bot.py:Bot"]}, 400, "unknown agent for Mr X 'my/bot.py:Bot'"),
        ({"pursuers": ["cmd:./bot"]}, 400, "unknown agent for detectives"),
        ({"evaders": ["policy:path=x"]}, 400, "unknown agent for Mr X"),
        ({"evaders": ["minimax"]}, 400, "unknown agent for Mr X 'minimax'"),
        ({"board": "upload:123"}, 400, "was uploaded here"),
        ({"board": "/etc/passwd"}, 400, "unknown board"),
        ({"options": {"what": 1}}, 400, "unknown option of pursuit"),
        ({"games": 19_999}, 400, "max 20,000"),
        ({"games": 0}, 400, "games"),
        ({"seconds": 31}, 400, "seconds"),
        ({"evaders": []}, 400, "evaders"),
        ({"more": 1}, 400, "more"),
        ({"evaders": ["greedy:model=/somewhere/fitted.json"]}, 400, "is not allowed on the web"),
        ({"game": "scotland_yard", "evaders": ["mcts:iterations=1000000000000"]}, 400, "is not allowed on the web"),
        ({"options": {"max_rounds": None}}, 400, "a game between two agents needs an end"),
        ({"options": {"n_detectives": 8, "order": "at-once"}}, 400, "moves to choose from"),
        ({"options": {"max_rounds": 2001}}, 400, "too many rounds: 2001 (max 2000)"),
    ],
)
def test_bad_requests_are_refused_in_one_line(site, change, status, reason) -> None:
    before = site.api("/api/arena")
    found, error = site.refusal("/api/arena", {**QUICK, **change})
    assert found == status
    assert reason in error
    assert "\n" not in error
    assert site.api("/api/arena") == before


def test_what_is_not_there_is_404(site) -> None:
    for path in ("/api/arena/x", "/api/arena/x/games", "/api/arena/x/report.html", "/api/tournaments/x"):
        assert site.refusal(path)[0] == 404
    assert site.refusal("/api/arena/x/games/0", method="POST")[0] == 404
    assert site.refusal("/api/arena/x", method="DELETE")[0] == 404


def test_tournaments_of_the_store_are_listed_with_their_tables(tmp_path) -> None:
    store = open_store(tmp_path / "games.db")
    competition = parse_competition(EVENING, "evening.toml")
    kept = create_tournament(
        store, competition.name, competition.spec(), competition.run_id, EVENING, made_with(competition)
    )
    run_competition(store, kept, competition, workers=0)
    store.close()
    with running_site(tmp_path / "games.db") as site:
        (row,) = site.api("/api/tournaments")
        assert (row["name"], row["bots"]) == ("evening", ["ann", "bob"])
        assert row["finished"] is not None
        table = site.api("/api/tournaments/evening")
        assert sorted(standing["bot"] for standing in table["standings"]) == ["ann", "bob"]
        assert table["played"] == row["played"] == len(table["results"])
        assert site.api(f"/api/games/{table['results'][0]['uid']}")["state"] == "finished"


def test_a_tournament_that_is_played_shows_its_standings_and_keeps_its_games_closed(tmp_path, monkeypatch) -> None:
    """The same deals come again in it, so a finished game tells nothing before the end."""
    monkeypatch.setattr(running, "GROUP_SECONDS", 0.0)

    class Cut(Exception):
        pass

    def cut(progress: Any) -> None:
        if progress.n_played >= 1:
            raise Cut

    store = open_store(tmp_path / "games.db")
    competition = parse_competition(EVENING.replace('"evening"', '"an evening/2"'), "evening.toml")
    kept = create_tournament(
        store, competition.name, competition.spec(), competition.run_id, EVENING, made_with(competition)
    )
    with pytest.raises(Cut):
        run_competition(store, kept, competition, workers=0, watch=cut)
    with running_site(tmp_path / "games.db") as site:
        name = urllib.parse.quote(competition.name, safe="")
        table = site.api(f"/api/tournaments/{name}")
        assert 0 < table["played"] < table["expected"]
        assert all(row["faults"] == {} and row["forfeits"] == 0 for row in table["standings"])
        assert {game["uid"] for game in table["results"]} == {None}
        uid = f"{competition.run_id}-{table['results'][0]['number']:06d}"
        for path in (f"/api/games/{uid}", f"/api/games/{uid}/replay", f"/api/games/{uid}/record"):
            status, words = site.refusal(path)
            assert status == 403, path
            assert "the tournament of this game is not over" in words
        run_competition(store, kept, competition, workers=0)
        table = site.api(f"/api/tournaments/{name}")
        assert table["played"] == table["expected"]
        assert table["results"][0]["uid"] is not None
        assert site.api(f"/api/games/{uid}")["state"] == "finished"
    store.close()


def test_the_plan_of_a_run_says_everything_that_was_asked() -> None:
    what = MatchUps("pursuit", ("random",), ("greedy",), 7, 3, 0.5, "seed", "grid:3x3", {"n_detectives": 2})
    plan = what.plan()
    assert (plan.game, plan.evaders, plan.pursuers) == ("pursuit", ("random",), ("greedy",))
    assert (plan.n_games, plan.seed, plan.limit.seconds, plan.records) == (7, 3, 0.5, True)
    assert plan.config["board"]["name"] == "grid:3x3"
    arguments = ["pursuit", "--evader", "random", "--pursuers", "greedy", "--games", "7", "--seed", "3", "--out", "out"]
    arguments += ["--seconds", "0.5", "--preset", "seed", "--board", "grid:3x3", "--set", "n_detectives=2"]
    options = build_parser(arguments).parse_args(arguments)
    assert _plan(options, options.evader, options.pursuers, options.games) == plan, "as the command would play it"


def test_a_folder_that_is_none_of_ours_is_left_alone(tmp_path) -> None:
    assert load_run(tmp_path) is None
    (tmp_path / "run.json").write_text("{}")
    assert load_run(tmp_path) is None
    run = Run("a", MatchUps("pursuit", ("random",), ("random",), 1), tmp_path, 1.0)
    run.save()
    again = load_run(tmp_path)
    assert again is not None
    assert again.what == run.what


def test_a_run_on_an_uploaded_board_is_played_and_can_be_asked_for_again(site) -> None:
    board = site.api("/api/boards", {"name": "my ladder", "text": "a,b\n1,2\n2,3\n3,4\n4,5\n5,6\n6,1\n2,5\n"})["board"]
    run = until(site, begin(site, {**QUICK, "board": board}), lambda run: run["state"] == "done")
    assert (run["done"], run["total"]) == (6, 6)
    assert run["asked"]["board"] == board
    assert "place" not in run["asked"]
    again = {key: value for key, value in run["asked"].items() if value is not None}
    assert begin(site, {**again, "games": 1})
