"""Records that visitors bring: the replay that they get, what is refused, and what strangers may send."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from manhunt.core.errors import BadBoard, BadText, ManhuntError
from manhunt.play.record import parse_record
from manhunt.server.addresses import Addresses, TooMany
from manhunt.server.record_uploads import MOST_PLIES, check_record
from manhunt.server.settings import Limits
from random_games import SMALL, random_record
from sites import Site

GOLDEN = Path(__file__).parents[1] / "golden"
TEXT = (GOLDEN / "pursuit-hidden-cops.record.txt").read_text(encoding="utf-8")


def send(site: Site, data: bytes | str) -> dict[str, Any]:
    body = data.encode() if isinstance(data, str) else data
    request = urllib.request.Request(f"{site.url}/api/replays", body, {"Content-Type": "text/plain"}, method="POST")
    with urllib.request.urlopen(request, timeout=300) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def refusal(site: Site, data: bytes | str) -> tuple[int, str]:
    with pytest.raises(urllib.error.HTTPError) as refused:
        send(site, data)
    with refused.value as answer:
        return answer.code, json.load(answer)["error"]


@pytest.mark.parametrize("name", SMALL)
def test_a_record_of_any_game_gets_its_replay(site: Site, name: str) -> None:
    record = random_record(name, 11, **SMALL[name])
    sent = send(site, record.format())
    assert sent["link"] == f"/replay/{sent['uid']}"
    head = site.api(f"/api/games/{sent['uid']}/replay")
    assert (head["game"], head["last"], head["outcome"]) == (name, len(record.actions), str(record.outcome))
    assert head["hasAnalysis"]
    frame = site.api(f"/api/games/{sent['uid']}/replay/truth/{head['last']}")
    assert frame["scene"]
    with urllib.request.urlopen(f"{site.url}/api/games/{sent['uid']}/record") as answer:
        assert parse_record(answer.read().decode()) == record


def test_the_same_record_has_the_same_link_and_is_on_no_list(site: Site) -> None:
    first = send(site, TEXT)
    assert send(site, b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode()) == first
    listed = [game["uid"] for game in site.api("/api/games?state=finished&limit=200")]
    assert first["uid"] not in listed
    assert site.api(f"/api/games/{first['uid']}")["state"] == "finished"


def test_what_is_no_finished_game_is_refused_in_one_line(site: Site) -> None:
    unfinished = TEXT.replace("outcome: pursuers capture", "outcome: unfinished").replace("all:3,1", "")
    forged = TEXT.replace("outcome: pursuers capture", "outcome: evader survival")
    illegal = TEXT.replace("all:3,1", "all:9,9")
    for text, words in (
        (unfinished, "the record: the game is not over; this would show what is still hidden"),
        (forged, "the record: the moves lead to pursuers capture, but the record says evader survival"),
        (illegal, "the record, round 2, all:9,9"),
        ("a letter", "the record line 1: expected 'manhunt record 1'"),
        (b"\xff\xfe", "the record is not text in UTF-8"),
        (TEXT.replace("game: pursuit", "game: chess"), "the record is of a game that is not installed"),
        (TEXT.replace("RandomAgent", "Random\0Agent", 1), "the record is not a text file"),
        ("", "the record line 1"),
    ):
        status, error = refusal(site, text)
        assert status == 400
        assert error.startswith(words)
        assert "\n" not in error
    assert refusal(site, "x" * (site_limit() + 1))[0] == 413


def site_limit() -> int:
    return Limits.at_home().body_bytes


def test_a_running_game_stays_closed(site: Site) -> None:
    """Its uid is of another kind, and its moves without the outcome are no finished game."""
    begun = site.begin("pursuit", seed=3)
    assert site.refusal(f"/api/games/{begun['uid']}/replay")[0] == 403
    sent = send(site, random_record("pursuit", 3).format())
    assert sent["uid"] != begun["uid"]
    assert site.refusal(f"/api/games/{begun['uid']}/replay")[0] == 403


def check(text: str, **limits: int) -> None:
    check_record(text, Limits(**limits))  # type: ignore[arg-type]


def test_larger_games_than_are_played_here_are_refused() -> None:
    with pytest.raises(ManhuntError, match="max 5 nodes"):
        check(TEXT, board_nodes=5)
    with pytest.raises(ManhuntError, match="moves to choose from"):
        check(TEXT, legal_actions=1)
    moves = " ".join(["all:3,1"] * MOST_PLIES)
    with pytest.raises(BadText, match="max 5,000"):
        check(TEXT.replace("all:3,1", f"{moves} all:3,1"))
    with pytest.raises(BadText, match="the name of a player is too long"):
        check(TEXT.replace("RandomAgent", "R" * 201))
    with pytest.raises(BadText, match="unknown seat 'judge'"):
        check(TEXT.replace('"evader": "RandomAgent"', '"judge": "RandomAgent"'))


def test_bounds_that_somebody_wrote_are_not_believed() -> None:
    record = random_record("shortest_path", 5)
    text = record.format().replace("\n\n", '\nbounds: {"lower": {"value": 1}}\n\n', 1)
    assert parse_record(text).bounds is not None
    assert parse_record(check_record(text, Limits()).record).bounds is None


def test_an_address_may_send_so_much_a_day_and_one_at_a_time() -> None:
    addresses = Addresses(Limits(records_per_day=2, record_bytes_per_day=100))
    with addresses.upload_record("a", 10), pytest.raises(TooMany, match="still being checked"):
        addresses.upload_record("a", 10).__enter__()
    with addresses.upload_record("b", 90), addresses.upload("b", 10):
        pass
    with pytest.raises(TooMany, match="2 records and 100 bytes"), addresses.upload_record("b", 90):
        pass


@pytest.mark.parametrize("name", ["/etc/hostname", "/dev/zero", "board.csv"])
def test_a_record_names_no_file_of_the_server(name: str) -> None:
    text = TEXT.replace('"name": "petersen"', f'"name": "{name}"')
    assert name in text
    with pytest.raises(BadBoard, match="cannot be made from its name"):
        check(text)


def test_a_record_names_no_board_that_takes_for_ever() -> None:
    with pytest.raises(BadBoard, match="would have 900000 nodes"):
        check(TEXT.replace('"name": "petersen"', '"name": "path:900000"'))
