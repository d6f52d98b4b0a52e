"""Finished games over REST: frames by track and ply, insights, analysis, branches, notes, downloads."""

from __future__ import annotations

import io
import re
import time
import urllib.request
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of
from manhunt.games.fugitive.rules.public import Phase
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import parse_record
from random_games import SMALL, keep_random_games
from scene_pages import page_scene
from sites import Site

LAST_CARD = kit_of("fugitive").game.make_config("mini").last
RUNNING = (
    "replay",
    "replay/truth",
    "replay/truth/0",
    "replay/truth/0/insights/belief",
    "analysis",
    "worth",
    "branches/0",
    "best",
    "notes",
    "record",
    "replay.html",
    "film.gif",
)


@pytest.fixture(scope="module")
def pasts(site: Site) -> dict[str, Hindsight]:
    """One finished game of each kind in the site's store; its uid is `past_` with the game's name."""
    return keep_random_games(site.store, SMALL, seed=3, prefix="past_")


def finished(site: Site, job: str) -> dict[str, Any]:
    for _ in range(3000):
        now: dict[str, Any] = site.api(f"/api/jobs/{job}")
        if now["state"] != "running":
            return now
        time.sleep(0.1)
    raise AssertionError(f"the job goes on: {now}")


def fetch(site: Site, path: str) -> tuple[bytes, str]:
    with urllib.request.urlopen(site.url + path, timeout=300) as answer:
        return answer.read(), answer.headers["Content-Disposition"]


@pytest.mark.parametrize("name", SMALL)
def test_the_head_tells_turns_and_tracks(site: Site, pasts: dict[str, Hindsight], name: str) -> None:
    head, past = site.api(f"/api/games/past_{name}/replay"), pasts[name]
    assert (head["game"], head["last"]) == (name, past.last)
    assert [step["ply"] for step in head["steps"]] == list(past.stops[1:])
    names = ["truth", "evader", "pursuers", "spectator"] if past.game.capabilities.hidden else ["truth"]
    assert [track["name"] for track in head["tracks"]] == names
    if name != "fugitive":
        as_listed = [past.game.format_turn([action], ()) for action in past.record.actions]
        assert [step["told"]["truth"] for step in head["steps"]] == as_listed
    assert (head["board"] is None) == (name == "fugitive")
    assert head["ending"]


@pytest.mark.parametrize("name", SMALL)
def test_frames_are_what_the_seat_saw(site: Site, pasts: dict[str, Hindsight], name: str) -> None:
    past = pasts[name]
    for track, seat in past.tracks.items():
        frames = site.api(f"/api/games/past_{name}/replay/{track}?first=0&n=40")["frames"]
        assert [frame["ply"] for frame in frames] == list(range(min(40, past.last + 1)))
        for frame in frames[:-1]:
            scene = page_scene(past.view(frame["ply"], seat))
            shown = {**frame["scene"], "marks": None}
            assert shown == {**scene, "marks": None}
            assert frame["scene"]["marks"].get("pieces") == scene["marks"].get("pieces")
        assert site.api(f"/api/games/past_{name}/replay/{track}/3") == frames[3]


def test_hidden_moves_are_hidden_on_the_others_tracks(site: Site, pasts: dict[str, Hindsight]) -> None:
    steps = site.api("/api/games/past_scotland_yard/replay")["steps"]
    hidden = [step["told"] for step in steps if step["seat"] == "evader" and step["told"]["pursuers"].endswith("?")]
    assert hidden
    assert all("?" not in told["evader"] and told["spectator"] == told["pursuers"] for told in hidden)
    frames = [site.api(f"/api/games/past_scotland_yard/replay/{track}/1") for track in pasts["scotland_yard"].tracks]
    quarry = [frame["scene"]["marks"]["pieces"][0]["kind"] for frame in frames]
    assert quarry == ["quarry", "quarry", "pursuer", "pursuer"]


def test_drawing_is_seen_by_all_and_placing_by_one(site: Site, pasts: dict[str, Hindsight]) -> None:
    steps = site.api("/api/games/past_fugitive/replay")["steps"]
    guessed = [step["told"] for step in steps if "guesses" in step["told"]["truth"]]
    placed = [step["told"] for step in steps if re.search(r"places \d", step["told"]["truth"])]
    assert guessed
    assert placed
    assert all(len(set(told.values())) == 1 for told in guessed)
    for told in placed:
        assert told["evader"] == told["truth"]
        assert (
            told["pursuers"]
            == told["spectator"]
            == re.sub(r"places (\d+)((?:\+\d+)*)", _as_others_see_it, told["truth"])
        )


def _as_others_see_it(found: re.Match[str]) -> str:
    n_sprints = found[2].count("+")
    what = found[1] if int(found[1]) == LAST_CARD else "a hideout"
    return f"places {what}+{n_sprints}?" if n_sprints else f"places {what}"


def test_a_turn_of_cards_is_one_step_and_tells_all_that_happened_in_it(site: Site, pasts: dict[str, Hindsight]) -> None:
    past, head = pasts["fugitive"], site.api("/api/games/past_fugitive/replay")
    seats = [step["seat"] for step in head["steps"] if past.states[step["ply"]].phase is not Phase.MANHUNT]
    assert all(a != b for a, b in pairwise(seats)), "seats take turns"
    assert len(head["steps"]) < past.last / 2
    step = head["steps"][1]
    frame = site.api(f"/api/games/past_fugitive/replay/truth/{step['ply']}")
    assert any("draws" in words for words in frame["sentences"])
    assert any("guess" in words for words in frame["sentences"])


def test_the_last_ply_has_an_arrow(site: Site, pasts: dict[str, Hindsight]) -> None:
    past = pasts["pursuit"]
    label = past.config.board.label
    marks = site.api("/api/games/past_pursuit/replay/truth/1")["scene"]["marks"]
    assert marks["arrows"] == [[label(past.states[0].quarry), label(past.states[1].quarry)]]
    assert site.api("/api/games/past_pursuit/replay/truth/0")["scene"]["marks"]["arrows"] == []


def test_insights_at_a_ply_are_the_seats(site: Site, pasts: dict[str, Hindsight]) -> None:
    past = pasts["scotland_yard"]
    base = "/api/games/past_scotland_yard/replay"
    for track in ("pursuers", "truth"):
        found = site.api(f"{base}/{track}/3/insights/belief")
        seat = Seat.PURSUERS if track == "pursuers" else Seat.SPECTATOR
        assert found["v"] == len(past.events_for(seat, 3))
        assert past.config.board.label(past.states[3].quarry) in found["belief"]
    assert site.refusal(f"{base}/pursuers/3/insights/nonsense")[0] == 404


@pytest.mark.parametrize("path", ["replay/mrx/0", "replay/truth/9999", "replay/truth?first=9999", "branches/9999"])
def test_what_is_not_there_is_said_in_one_line(site: Site, pasts: dict[str, Hindsight], path: str) -> None:
    status, error = site.refusal(f"/api/games/past_pursuit/{path}")
    assert status == 400
    assert "\n" not in error
    assert site.refusal("/api/games/nobody/replay")[0] == 404


def test_while_a_game_runs_nothing_of_it_is_shown(site: Site) -> None:
    uid = site.begin("scotland_yard", evader="person", pursuers="random")["uid"]
    for path in RUNNING:
        status, error = site.refusal(f"/api/games/{uid}/{path}")
        assert (status, "is not over" in error) == (403, True), path
    body = {"ply": 0, "seat": "evader", "agent": "random"}
    assert site.refusal(f"/api/games/{uid}/branches", body)[0] == 403
    assert site.refusal(f"/api/games/{uid}/notes", {"text": "x"}, method="PUT")[0] == 403
    for path in ("analysis", "worth", "film"):
        assert site.refusal(f"/api/games/{uid}/{path}", method="POST")[0] == 403


def test_an_analysis_is_a_job_and_is_kept(site: Site, pasts: dict[str, Hindsight]) -> None:
    path = "/api/games/past_pursuit/analysis"
    assert site.refusal(path)[0] == 404
    assert not site.api("/api/games/past_pursuit/replay")["analysed"]
    done = finished(site, site.api(path, method="POST")["job"])
    assert done["state"] == "done", done
    assert done["progress"]["done"] == done["progress"]["total"] > 0
    assert site.api(path) == done["result"]
    assert site.api("/api/games/past_pursuit/replay")["analysed"]


def test_an_analysis_can_be_cancelled(site: Site, pasts: dict[str, Hindsight]) -> None:
    job = site.api("/api/games/past_fugitive/analysis", method="POST")["job"]
    assert site.api("/api/games/past_fugitive/analysis", method="POST")["job"] == job
    assert site.api(f"/api/jobs/{job}", method="DELETE")["state"] == "cancelled"
    assert site.refusal("/api/games/past_fugitive/analysis")[0] == 404


def test_what_things_were_worth_is_a_job_and_is_kept(site: Site, pasts: dict[str, Hindsight]) -> None:
    path = "/api/games/past_scotland_yard/worth"
    assert site.refusal(path)[0] == 404
    head = site.api("/api/games/past_scotland_yard/replay")
    assert (head["hasWorth"], head["valued"]) == (True, False)
    first = site.api(path, method="POST")["job"]
    assert site.api(path, method="POST")["job"] == first
    assert site.api(f"/api/jobs/{first}", method="DELETE")["state"] == "cancelled"
    assert site.refusal(path)[0] == 404
    done = finished(site, site.api(path, method="POST")["job"])
    assert done["state"] == "done", done
    assert (
        done["progress"]["done"] == done["progress"]["total"] == done["result"]["pairs"] * len(done["result"]["rows"])
    )
    assert site.api(path) == done["result"]
    assert site.api("/api/games/past_scotland_yard/replay")["valued"]
    again = site.api(path, method="POST")["job"]
    assert site.api(f"/api/jobs/{again}")["result"] == done["result"]


def test_what_has_no_worth_is_said_in_one_line(site: Site, pasts: dict[str, Hindsight]) -> None:
    assert not site.api("/api/games/past_pursuit/replay")["hasWorth"]
    ended = finished(site, site.api("/api/games/past_pursuit/worth", method="POST")["job"])
    assert (ended["state"], ended["error"]) == ("failed", "worth is not available for Pursuit")


@pytest.mark.parametrize("name", SMALL)
def test_another_move_begins_a_game_that_can_be_played_on(site: Site, pasts: dict[str, Hindsight], name: str) -> None:
    past = pasts[name]
    ply = next(p for p in range(past.last) if len(past.options(p)) > 1)
    here = site.api(f"/api/games/past_{name}/branches/{ply}")
    assert here["played"] in [option["action"] for option in here["options"]]
    other = next(
        option["action"]
        for option in here["options"]
        if option["action"] != here["played"]
        and past.game.outcome(
            past.game.apply_action(past.states[ply], past.game.parse_action(past.config, option["action"]))
        )
        is None
    )
    body = {"ply": ply, "seat": here["seat"], "agent": "random", "action": other}
    begun = site.api(f"/api/games/past_{name}/branches", body)
    with site.sit(begun["uid"], begun["tokens"][here["seat"]]) as seat:
        last = seat.play(Random(1))
        assert last["over"]
    record = parse_record(fetch(site, f"/api/games/{begun['uid']}/record")[0].decode())
    assert record.setup == past.record.setup
    assert record.actions[: ply + 1] == (*past.record.actions[:ply], other)


def test_branches_that_cannot_be(site: Site, pasts: dict[str, Hindsight]) -> None:
    past, path = pasts["pursuit"], "/api/games/past_pursuit/branches"
    body = {"ply": 0, "seat": "evader", "agent": "random"}
    assert site.refusal(path, {**body, "ply": past.last})[0] == 409
    for change in (
        {"action": "X:99"},
        {"agent": "cmd:sh"},
        {"agent": "nobody"},
        {"seat": "pursuers", "action": "d0:1"},
    ):
        status, error = site.refusal(path, {**body, **change})
        assert status == 400, error
    assert set(site.api(path, body)["tokens"]) == {"evader"}


def test_notes_are_kept(site: Site, pasts: dict[str, Hindsight]) -> None:
    path = "/api/games/past_fugitive/notes"
    assert site.api(path) == {"text": "", "mine": True}
    text = "Why not 17?\n<b>ü</b>"
    site.api(path, {"text": text}, method="PUT")
    assert site.api(path) == {"text": text, "mine": True}
    assert site.refusal(path, {"text": "x" * 20_001}, method="PUT")[0] == 400
    assert site.api(path, {"text": "a\0b"}, method="PUT") == {"text": "ab", "mine": True}
    site.api(path, {"text": ""}, method="PUT")
    assert site.api(path) == {"text": "", "mine": True}


def test_record_and_page_can_be_downloaded(site: Site, pasts: dict[str, Hindsight]) -> None:
    for name, past in pasts.items():
        text, how = fetch(site, f"/api/games/past_{name}/record")
        assert parse_record(text.decode()) == past.record
        assert how == f'attachment; filename="manhunt-past_{name}.txt"'
    page, how = fetch(site, "/api/games/past_pursuit/replay.html")
    assert page.startswith(b"<!doctype html>")
    assert "attachment" in how


@pytest.mark.parametrize("name", ["pursuit", "fugitive"])
def test_films_are_made_by_a_job(site: Site, pasts: dict[str, Hindsight], name: str) -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    assert site.refusal(f"/api/games/past_{name}/film.gif")[0] == 404
    done = finished(site, site.api(f"/api/games/past_{name}/film?track=truth", method="POST")["job"])
    assert done["state"] == "done", done
    film, how = fetch(site, done["result"]["url"])
    assert how == f'attachment; filename="manhunt-past_{name}.gif"'
    picture = image.open(io.BytesIO(film))
    assert picture.format == "GIF"
    assert 1 < picture.n_frames <= pasts[name].last + 1


def test_a_finished_game_with_costs_says_what_best_play_costs_everywhere(
    site: Site, pasts: dict[str, Hindsight]
) -> None:
    words = site.api("/api/games/past_shortest_path/best")["words"]
    assert re.fullmatch(r"Best play costs [\d.]+( exactly| to [\d.]+) \(certified\)\.", words)
    listed = {game["uid"]: game["words"] for game in site.api("/api/games?state=finished&limit=200")}
    assert listed["past_shortest_path"].endswith(words[1:-1])
    assert site.api("/api/games/past_pursuit/best") == {"words": ""}
    assert "best" not in listed["past_pursuit"]
