"""Rooms over real sockets: whole games, seats held by tokens, refusals, resuming, spectators."""

from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from sites import Site, all_actions

GAMES = {
    "pursuit": {},
    "scotland_yard": {"options": {"rounds": 4}},
    "fugitive": {"preset": "mini"},
    "shortest_path": {"board": "contest:14:24:separation=3:cut=2:seed=7"},
}


FIELDS = {
    "new": ("t", "game", "page", "board", "room"),
    "observe": ("t", "v", "sentences", "scene", "thinking", "over"),
    "go": ("t", "n", "offers"),
    "presence": ("t", "seats"),
}
"""What travels is what the page reads."""


def fields_of(heard: list[dict[str, Any]], kind: str) -> set[str]:
    return {name for message in heard if message["t"] == kind for name in message}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("you", ["evader", "pursuers"])
def test_a_whole_game_against_an_agent(site: Site, game: str, you: str) -> None:
    seats = {you: "person", "pursuers" if you == "evader" else "evader": "random"}
    begun = site.begin(game, **seats, **GAMES[game], seed=11)
    assert set(begun["tokens"]) == {you}
    with site.sit(begun["uid"], begun["tokens"][you]) as seat, site.sit(begun["uid"]) as watcher:
        last = seat.play(Random(5))
        assert seat.heard[0]["t"] == "new"
        assert seat.heard[0]["room"]["seats"][you] == "person"
        assert {kind: set(FIELDS[kind]) for kind in FIELDS} == {kind: fields_of(seat.heard, kind) for kind in FIELDS}
        assert last["scene"]["outcome"]
        seen = watcher.hear_until("observe")
        while not seen["over"]:
            seen = watcher.hear_until("observe")
        assert seen["scene"]["outcome"] == last["scene"]["outcome"]
        assert watcher.heard[0] == seat.heard[0], "it holds nothing that depends on the seat"
        assert not any(message["t"] == "go" for message in watcher.heard)
    facts = site.api(f"/api/games/{begun['uid']}")
    assert (facts["state"], facts[you]) == ("finished", "person")
    assert begun["uid"] in [each["uid"] for each in site.api("/api/games?state=finished&limit=200")]
    assert begun["uid"] not in [each["uid"] for each in site.api("/api/games?state=running&limit=200")]


def test_two_people_and_two_agents(site: Site) -> None:
    begun = site.begin("pursuit", evader="person", pursuers="person", seed=3)
    assert set(begun["links"]) == {"evader", "pursuers", "spectator"}
    with (
        site.sit(begun["uid"], begun["tokens"]["evader"]) as evader,
        site.sit(begun["uid"], begun["tokens"]["pursuers"]) as pursuers,
    ):
        go = evader.hear_until("go")
        assert evader.move(go["n"], go["offers"][0]["action"])["t"] == "observe"
        assert pursuers.hear_until("go")["n"] == go["n"] + 1
    alone = site.begin("pursuit", evader="random", pursuers="random")
    assert alone["tokens"] == {}
    with site.sit(alone["uid"]) as watcher:
        while not watcher.hear_until("observe")["over"]:
            pass


def test_presence_is_told(site: Site) -> None:
    begun = site.begin("pursuit", evader="person", pursuers="person")
    with site.sit(begun["uid"], begun["tokens"]["evader"]) as evader:
        assert evader.hear_until("presence")["seats"] == {"evader": True, "pursuers": False}
        with site.sit(begun["uid"], begun["tokens"]["pursuers"]):
            assert evader.hear_until("presence")["seats"] == {"evader": True, "pursuers": True}
        assert evader.hear_until("presence")["seats"] == {"evader": True, "pursuers": False}


def test_a_wrong_token_is_403_everywhere(site: Site) -> None:
    begun = site.begin("scotland_yard", evader="person", pursuers="person")
    other = site.begin("scotland_yard", evader="person", pursuers="person")
    for wrong in ("x", "", begun["tokens"]["evader"] + "x", other["tokens"]["evader"], "\x00", "é" * 50):
        with site.sit(begun["uid"], wrong) as seat:
            assert "not valid for this game" in seat.hear()["what"]
            with pytest.raises(ConnectionClosed) as closed:
                seat.hear()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4403
    status, error = site.refusal(f"/api/games/{begun['uid']}/insights/belief", token="x")
    assert (status, "\n" in error) == (403, False)


def test_an_unknown_game_is_404(site: Site) -> None:
    assert site.refusal("/api/games/nosuchgame")[0] == 404
    with site.sit("nosuchgame") as seat:
        assert seat.hear()["t"] == "error"
        with pytest.raises(ConnectionClosed) as closed:
            seat.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404


def test_nobody_moves_for_another_seat(site: Site) -> None:
    begun = site.begin("pursuit", evader="person", pursuers="person", seed=3)
    with (
        site.sit(begun["uid"], begun["tokens"]["evader"]) as evader,
        site.sit(begun["uid"], begun["tokens"]["pursuers"]) as pursuers,
        site.sit(begun["uid"]) as watcher,
    ):
        go = evader.hear_until("go")
        action = go["offers"][0]["action"]
        for other in (pursuers, watcher):
            answer = other.move(go["n"], action)
            assert answer["t"] == "error"
            assert "not the turn" in answer["what"]
        watcher.say({"t": "resign"})
        assert "only a player" in watcher.hear_until("error")["what"]
        assert evader.move(go["n"], action)["t"] == "observe"


def test_a_refused_move_loses_nothing(site: Site) -> None:
    begun = site.begin("scotland_yard", seed=8)
    with site.sit(begun["uid"], begun["tokens"]["evader"]) as evader:
        go = evader.hear_until("go")
        for n, action in ((go["n"], "T999"), (go["n"], "nonsense"), (go["n"] + 1, "T1"), (0, ""), (go["n"], "\x00")):
            answer = evader.move(n, action)
            assert answer["t"] == "error"
            assert "\n" not in answer["what"]
        assert evader.move(go["n"], all_actions(go["offers"])[0])["t"] == "observe"


def test_a_move_is_made_once(site: Site) -> None:
    begun = site.begin("pursuit", evader="person", pursuers="person", seed=3)
    with site.sit(begun["uid"], begun["tokens"]["evader"]) as evader:
        go = evader.hear_until("go")
        for _ in range(5):
            evader.say({"t": "move", "n": go["n"], "action": go["offers"][0]["action"]})
        answers = [evader.hear_until("observe", "error")["t"] for _ in range(5)]
        assert answers == ["observe", *["error"] * 4]


def test_resuming_gives_what_was_missed_and_no_more(site: Site) -> None:
    begun = site.begin("scotland_yard", evader="person", pursuers="person", seed=8)
    uid, tokens = begun["uid"], begun["tokens"]
    with site.sit(uid, tokens["pursuers"]) as before:
        first = before.hear_until("observe")
    with site.sit(uid, tokens["evader"]) as evader:
        go = evader.hear_until("go")
        evader.move(go["n"], all_actions(go["offers"])[0])
    with site.sit(uid, tokens["pursuers"], since=first["v"]) as again, site.sit(uid, tokens["pursuers"]) as fresh:
        missed, whole = again.hear_until("observe"), fresh.hear_until("observe")
        assert missed["sentences"]
        assert first["sentences"] + missed["sentences"] == whole["sentences"]
        assert {**missed, "sentences": None} == {**whole, "sentences": None}
    with site.sit(uid, tokens["pursuers"], since=10**9) as ahead:
        assert ahead.hear_until("observe")["sentences"] == []


def test_giving_up(site: Site) -> None:
    begun = site.begin("fugitive", evader="person", pursuers="person")
    with site.sit(begun["uid"], begun["tokens"]["pursuers"]) as marshal:
        marshal.hear_until("observe")
        marshal.say({"t": "resign"})
        last = marshal.hear_until("observe")
        assert last["over"]
        assert "the Marshal resigned" in last["sentences"]
        marshal.say({"t": "resign"})
        assert marshal.hear_until("error")["what"] == "the game is over (evader forfeit resign); nobody can forfeit it"
    assert site.api(f"/api/games/{begun['uid']}")["outcome"] == "evader forfeit resign"
    with site.sit(begun["uid"], begun["tokens"]["evader"]) as evader:
        assert evader.hear_until("observe")["over"]


def test_spectators_of_a_delayed_game_are_four_plies_behind(site: Site) -> None:
    begun = site.begin("pursuit", evader="person", pursuers="person", board="grid:9x9", seed=3, spectators="delayed")
    uid, tokens = begun["uid"], begun["tokens"]
    with (
        site.sit(uid, tokens["evader"]) as evader,
        site.sit(uid, tokens["pursuers"]) as pursuers,
        site.sit(uid) as watcher,
    ):
        began = watcher.hear_until("observe")
        seen, sentences = [began["v"]], [*began["sentences"]]
        played = [evader.hear_until("observe")["v"]]
        for _ in range(6):
            seat = evader if len(played) % 3 == 1 else pursuers
            go = seat.hear_until("go")
            answer = seat.move(go["n"], go["offers"][0]["action"])
            played.append((answer if seat is evader else evader.hear_until("observe"))["v"])
            later = watcher.hear_until("observe")
            seen.append(later["v"])
            sentences += later["sentences"]
        assert seen == [played[max(0, i - 4)] for i in range(7)]
        for since in range(played[-1] + 1):
            with site.sit(uid, since=since) as sly:
                told = sly.hear_until("observe")
                known = min(since, seen[-1])
                n_old = known - (known >= began["v"])  # all events are public, each a sentence, but for the commitment
                assert (told["v"], told["sentences"]) == (seen[-1], sentences[n_old:])
        assert len(sentences) == seen[-1] - 1
        evader.say({"t": "resign"})
        end = watcher.hear_until("observe")
        assert end["over"]
        assert end["v"] > played[-1]


def test_spectators_of_a_closed_game_see_it_when_it_is_over(site: Site) -> None:
    begun = site.begin("pursuit", evader="person", pursuers="person", seed=3, spectators="never")
    uid, tokens = begun["uid"], begun["tokens"]
    with site.sit(uid, tokens["evader"]) as evader, site.sit(uid) as watcher:
        before = watcher.hear_until("observe")
        assert (before["closed"], before["sentences"], before["v"]) == (True, [], 0)
        assert set(before["scene"]) == {"title", "turn", "outcome"}
        assert site.refusal(f"/api/games/{uid}/insights/belief")[0] == 403
        go = evader.hear_until("go")
        evader.move(go["n"], go["offers"][0]["action"])
        assert "acts now" not in watcher.move(go["n"], "1")["what"]
        evader.say({"t": "resign"})
        end = watcher.hear_until("observe")
        assert end["over"], "a move is not told, nor that there was one"
        assert len(end["sentences"]) > 2, "all of the game"
        assert end["scene"]["outcome"]["winner"] == "pursuers"


def test_insights_come_from_a_worker(site: Site) -> None:
    begun = site.begin("scotland_yard", evader="person", pursuers="person", seed=8)
    path = f"/api/games/{begun['uid']}/insights"
    public = site.api(f"{path}/belief")
    assert (public["what"], public["v"]) == ("belief", 5)
    assert site.refusal(f"{path}/nonsense")[0] == 404
    assert site.refusal(f"{path}/belief?" + "&".join(f"a{i}=1" for i in range(50)))[0] == 400


def test_a_board_of_ones_own(site: Site) -> None:
    text = "a,b\n1,2\n2,3\n3,4\n4,1\n4,5\n"
    kept = site.api("/api/boards", {"name": "mine", "text": text})
    assert (kept["name"], kept["nodes"]) == ("mine", 5)
    begun = site.begin("pursuit", board=kept["board"], options={"n_detectives": 1})
    with site.sit(begun["uid"], begun["tokens"]["evader"]) as evader:
        board = evader.hear()["board"]
        assert board["name"] == "mine"
        assert f"upload:{board['digest']}" == kept["board"]
        evader.play(Random(1))
