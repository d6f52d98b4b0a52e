"""Variations of finished games over REST: moves by the rules, names, comments, who may write, limits, playing on."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from manhunt.play.hindsight import Hindsight
from manhunt.play.variation import Variation
from manhunt.store.connect import open_store
from manhunt.store.variations import KeptComment, changing_tree, load_tree
from random_games import SMALL, keep_random_games
from sites import Site, running_site
from table_sockets import make_table, open_page


@pytest.fixture(scope="module")
def pasts(site: Site) -> dict[str, Hindsight]:
    """One finished game of each kind in the site's store; its uid is `tree_` with the game's name."""
    return keep_random_games(site.store, SMALL, seed=5, prefix="tree_")


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server for people who do not know each other."""
    with running_site(tmp_path_factory.mktemp("public") / "games.db", "--public") as site:
        yield site


def send(site: Site, method: str, path: str, body: Any = None, token: str | None = None) -> int:
    """The status of an answer without content."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(site.url + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=300) as answer:
        return int(answer.status)


def play(
    site: Site, uid: str, variation: int, ply: int, action: str | None, token: str | None = None
) -> dict[str, int]:
    body = {"variation": variation, "ply": ply, "action": action}
    place: dict[str, int] = site.api(f"/api/games/{uid}/tree/moves", body, token)
    return place


def give_up(site: Site, uid: str, token: str | None) -> None:
    """Returns when the game is over."""
    with site.sit(uid, token) as held:
        held.say({"t": "resign"})
        while not held.hear_until("observe")["over"]:
            pass


def another(past: Hindsight, ply: int, n: int = 0) -> str:
    """A move that was not played there and does not end the game."""
    found = [
        past.game.format_action(past.config, action)
        for action in past.options(ply)
        if ply == past.last or action != past.actions[ply]
        if past.game.outcome(past.game.apply_action(past.states[ply], action)) is None
    ]
    return found[n]


def forks(past: Hindsight) -> list[int]:
    return [ply for ply in range(past.last) if len(past.options(ply)) > 2 and _goes_on(past, ply)]


@pytest.mark.parametrize("name", SMALL)
def test_moves_that_were_not_played_make_a_variation(site: Site, pasts: dict[str, Hindsight], name: str) -> None:
    past, uid = pasts[name], f"tree_{name}"
    ply = next(ply for ply in range(past.last) if len(past.options(ply)) > 1 and _goes_on(past, ply))
    text = another(past, ply)
    place = play(site, uid, 0, ply, text)
    assert place["ply"] == ply + 1
    number = place["variation"]
    assert number > 0
    line, rng = Variation(past, ply, [text]), Random(1)
    for _ in range(4):
        if not line.options(line.last):
            break
        action = past.game.format_action(past.config, rng.choice(line.options(line.last)))
        assert play(site, uid, number, line.last, action) == {"variation": number, "ply": line.last + 1}
        line = Variation(line, line.last, [action])
    (made,) = [each for each in site.api(f"/api/games/{uid}/tree")["variations"] if each["number"] == number]
    assert (made["parent"], made["ply"], made["last"], made["mine"]) == (0, ply, line.last, True)
    assert made["actions"] == [past.game.format_action(past.config, action) for action in line.actions[ply:]]
    assert made["steps"][-1]["ply"] == line.last
    for track in line.tracks:
        frames = site.api(f"/api/games/{uid}/replay/{track}?first={ply}&n=40&variation={number}")["frames"]
        assert [frame["ply"] for frame in frames] == list(range(ply, line.last + 1))
        if line.record.outcome is None:
            assert frames[-1]["scene"]["outcome"] is None
            assert frames[-1]["acting"] == line.acting(line.last).value  # type: ignore[union-attr]
    options = site.api(f"/api/games/{uid}/branches/{line.last}?variation={number}")
    assert len(options["options"]) == len(line.options(line.last))
    assert bool(options["offers"]) == bool(options["options"])


def _goes_on(past: Hindsight, ply: int) -> bool:
    try:
        return bool(another(past, ply))
    except IndexError:
        return False


def test_a_move_that_is_there_already_is_followed(site: Site, pasts: dict[str, Hindsight]) -> None:
    past, uid = pasts["pursuit"], "tree_pursuit"
    ply = forks(past)[1]
    played = past.record.actions[ply]
    assert play(site, uid, 0, ply, played) == {"variation": 0, "ply": ply + 1}
    first = play(site, uid, 0, ply, another(past, ply))
    assert play(site, uid, 0, ply, another(past, ply)) == first
    number = first["variation"]
    assert play(site, uid, number, ply, played) == {"variation": 0, "ply": ply + 1}, "before it leaves, it is the game"
    line = Variation(past, ply, [another(past, ply)])
    a, b = (line.game.format_action(line.config, action) for action in line.options(line.last)[:2])
    assert play(site, uid, number, ply + 1, a) == {"variation": number, "ply": ply + 2}
    deeper = play(site, uid, number, ply + 1, b)
    assert deeper["variation"] != number
    tree = site.api(f"/api/games/{uid}/tree")["variations"]
    assert next(each for each in tree if each["number"] == deeper["variation"])["parent"] == number
    assert send(site, "DELETE", f"/api/games/{uid}/tree/{number}?after={ply + 1}") == 204
    left = {each["number"]: each for each in site.api(f"/api/games/{uid}/tree")["variations"]}
    assert left[number]["last"] == ply + 1
    assert deeper["variation"] in left, "it hangs on what is left"
    assert send(site, "DELETE", f"/api/games/{uid}/tree/{number}") == 204
    numbers = {each["number"] for each in site.api(f"/api/games/{uid}/tree")["variations"]}
    assert not numbers & {number, deeper["variation"]}


def test_what_the_rules_do_not_allow_is_refused(site: Site, pasts: dict[str, Hindsight]) -> None:
    past, path = pasts["pursuit"], "/api/games/tree_pursuit/tree"
    for body, status in (
        ({"variation": 0, "ply": 0, "action": "X:99"}, 400),
        ({"variation": 0, "ply": 0, "action": "d0:1"}, 400),
        ({"variation": 0, "ply": 0, "action": None}, 400),
        ({"variation": 0, "ply": past.last, "action": past.record.actions[-1]}, 400),
        ({"variation": 0, "ply": 9999, "action": "X:1"}, 400),
        ({"variation": 777, "ply": 0, "action": "X:1"}, 404),
    ):
        found, error = site.refusal(f"{path}/moves", body)
        assert found == status, error
        assert "\n" not in error
    assert site.refusal(f"{path}/777", {"name": "x"}, method="PATCH")[0] == 404
    assert site.refusal("/api/games/tree_pursuit/replay/truth?variation=777")[0] == 404


def test_names_and_comments_are_kept_and_cleaned(site: Site, pasts: dict[str, Hindsight]) -> None:
    past, uid = pasts["scotland_yard"], "tree_scotland_yard"
    ply = forks(past)[0]
    number = play(site, uid, 0, ply, another(past, ply, 1))["variation"]
    assert send(site, "PATCH", f"/api/games/{uid}/tree/{number}", {"name": " To the\nriver\u202e "}) == 204
    comments = f"/api/games/{uid}/tree/comments"
    assert send(site, "PUT", comments, {"variation": 0, "ply": 1, "text": "Why?\n<b>ü</b>\0"}) == 204
    assert send(site, "PUT", comments, {"variation": number, "ply": ply, "text": "here it begins"}) == 204
    assert send(site, "PUT", comments, {"variation": number, "ply": ply + 1, "text": "better"}) == 204
    tree = site.api(f"/api/games/{uid}/tree")
    assert next(each for each in tree["variations"] if each["number"] == number)["name"] == "To the river"
    said = {(each["variation"], each["ply"]): each["text"] for each in tree["comments"]}
    assert said[0, 1] == "Why?\n<b>ü</b>"
    assert said[0, ply] == "here it begins", "where the variation leaves the game it is still the game"
    assert said[number, ply + 1] == "better"
    assert site.refusal(comments, {"variation": 0, "ply": 1, "text": "x" * 20_001}, method="PUT")[0] == 400
    assert site.refusal(f"/api/games/{uid}/tree/{number}", {"name": "x" * 61}, method="PATCH")[0] == 400
    send(site, "PUT", comments, {"variation": 0, "ply": 1, "text": " "})
    assert send(site, "DELETE", f"/api/games/{uid}/tree/{number}") == 204
    left = site.api(f"/api/games/{uid}/tree")["comments"]
    assert [(each["variation"], each["ply"]) for each in left] == [(0, ply)]
    with urllib.request.urlopen(f"{site.url}/api/games/{uid}/tree?download=true", timeout=300) as answer:
        assert answer.headers["Content-Disposition"] == f'attachment; filename="manhunt-{uid}-tree.json"'
        assert json.load(answer)["format"] == "manhunt tree 1"
    with urllib.request.urlopen(f"{site.url}/api/games/{uid}/replay.html", timeout=300) as answer:
        assert "here it begins" in answer.read().decode()


def test_a_variation_is_played_on_and_the_new_game_says_where_it_comes_from(
    site: Site, pasts: dict[str, Hindsight]
) -> None:
    past, uid = pasts["pursuit"], "tree_pursuit"
    assert site.api(f"/api/games/{uid}/replay")["origin"] is None
    ply = forks(past)[0]
    text = another(past, ply)
    place = play(site, uid, 0, ply, text)
    line = Variation(past, ply, [text])
    seat = line.acting(line.last)
    assert seat is not None
    body = {**place, "seat": seat.value, "agent": "random"}
    begun = site.api(f"/api/games/{uid}/branches", body)
    give_up(site, begun["uid"], begun["tokens"][seat.value])
    head = site.api(f"/api/games/{begun['uid']}/replay")
    assert head["origin"] == {"uid": uid, **place}
    assert head["last"] == ply + 1


def test_a_game_that_was_given_up_can_be_gone_on_with(site: Site) -> None:
    begun = site.begin("pursuit", evader="person", pursuers="person")
    give_up(site, begun["uid"], begun["tokens"]["evader"])
    uid = begun["uid"]
    options = site.api(f"/api/games/{uid}/branches/0")
    place = play(site, uid, 0, 0, options["options"][0]["action"])
    assert place["variation"] == 1
    (frame,) = site.api(f"/api/games/{uid}/replay/truth?first=1&variation=1")["frames"]
    assert frame["scene"]["outcome"] is None


def test_engine_lines_are_best_first_and_legal(site: Site, pasts: dict[str, Hindsight]) -> None:
    past, uid = pasts["pursuit"], "tree_pursuit"
    found = site.api(f"/api/games/{uid}/lines/1?n=2")
    assert found["seat"] == past.acting(1).value  # type: ignore[union-attr]
    legal = {past.game.format_action(past.config, action) for action in past.options(1)}
    assert 1 <= len(found["lines"]) <= 2
    assert all(line["actions"][0] in legal and line["words"] and line["worth"] for line in found["lines"])
    assert site.api(f"/api/games/{uid}/lines/1?n=2") == found
    assert site.refusal(f"/api/games/{uid}/lines/{past.last}")[0] == 409


def test_on_a_public_server_players_write_and_change_their_own(strangers: Site) -> None:
    options = {"n_detectives": 1}  # two moves at least from every node
    begun = strangers.begin("pursuit", evader="person", pursuers="person", board="petersen", options=options)
    uid, tokens = begun["uid"], begun["tokens"]
    body = {"variation": 0, "ply": 0, "action": "X:1"}
    assert strangers.refusal(f"/api/games/{uid}/tree")[0] == 403, "while it runs"
    assert strangers.refusal(f"/api/games/{uid}/tree/moves", body, tokens["evader"])[0] == 403
    give_up(strangers, uid, tokens["evader"])
    first, second = [each["action"] for each in strangers.api(f"/api/games/{uid}/branches/0")["options"]][:2]
    assert strangers.refusal(f"/api/games/{uid}/tree/moves", {**body, "action": first})[0] == 403
    mine = play(strangers, uid, 0, 0, first, tokens["evader"])["variation"]
    theirs = play(strangers, uid, 0, 0, second, tokens["pursuers"])["variation"]
    tree = strangers.api(f"/api/games/{uid}/tree", token=tokens["evader"])
    assert [(each["mine"], each["by"]) for each in tree["variations"]] == [(True, "evader"), (False, "pursuers")]
    assert not strangers.api(f"/api/games/{uid}/tree")["mine"]
    path = f"/api/games/{uid}/tree/{theirs}"
    assert strangers.refusal(path, {"name": "x"}, tokens["evader"], "PATCH")[0] == 403
    assert strangers.refusal(path, None, tokens["evader"], "DELETE")[0] == 403
    branch = strangers.api(f"/api/games/{uid}/branches/1?variation={mine}")["options"][0]["action"]
    hers = play(strangers, uid, mine, 1, branch, tokens["pursuers"])
    assert hers["variation"] not in (mine, theirs), "she adds to her own, not to his"
    assert strangers.refusal(f"/api/games/{uid}/tree/{mine}", None, tokens["evader"], "DELETE")[0] == 409
    long = {"variation": 0, "ply": 0, "text": "x" * 2_001}
    assert strangers.refusal(f"/api/games/{uid}/tree/comments", long, tokens["evader"], "PUT")[0] == 400


def test_numbers_and_comments_survive_in_the_store(tmp_path: Path) -> None:
    url = str(tmp_path / "games.db")
    keep_random_games(url, {"pursuit": SMALL["pursuit"]}, seed=1)
    store = open_store(url)
    with changing_tree(store, "pursuit") as change:
        assert change.add(0, 2, ["a", "b"], "me") == 1
        change.comment(KeptComment(1, 3, "so", "me"))
    with changing_tree(store, "pursuit") as change:
        assert change.add(1, 3, ["c"], "you") == 2
        change.comment(KeptComment(1, 3, "or so", "you"))
    tree = load_tree(store, "pursuit")
    assert [kept.number for kept in tree.chain(2)] == [1, 2]
    assert tree.home_of(2, 3) == (1, 3)
    assert tree.home_of(2, 2) == (0, 2)
    assert tree.below(1) == [1, 2]
    assert {said.text for said in tree.comments} == {"so", "or so"}
    with suppress(ZeroDivisionError), changing_tree(store, "pursuit") as change:
        change.remove([1, 2])
        raise ZeroDivisionError
    assert len(load_tree(store, "pursuit").variations) == 2, "what fails leaves nothing"
    store.close()


def test_on_a_public_server_people_of_the_table_write_about_its_games(strangers: Site) -> None:
    made = make_table(strangers, "pursuit")
    uid = made["table"]
    with open_page(strangers, uid, made["token"]) as anna, open_page(strangers, uid, name="Olaf") as olaf:
        anna.sit("evader")
        anna.tell("start")
        play_uid = anna.wait_for(lambda state: state["play"])["play"]
        give_up(strangers, play_uid, anna.token)
        anna.wait_for(lambda state: state["state"] == "over")
        assert uid not in json.dumps(strangers.api(f"/api/games/{play_uid}/replay")), "the link is the invitation"
        assert strangers.api(f"/api/games/{play_uid}/tree", token=anna.token)["mine"]
        assert strangers.api(f"/api/games/{play_uid}/notes", token=anna.token)["mine"]
        assert not strangers.api(f"/api/games/{play_uid}/tree", token=olaf.token)["mine"], "he only looked"
        assert not strangers.api(f"/api/games/{play_uid}/tree", token="nobody's")["mine"]
