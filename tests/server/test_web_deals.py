"""Deals of web games: from a secret that only the store knows, promised before the first move, checked afterwards."""

import json
from random import Random
from typing import Any
from urllib.request import urlopen

import pytest

from local_rooms import plan_of, with_rooms
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.seeds import Secret, new_secret
from manhunt.play.fair_deal import DealCheck, verify_deal
from manhunt.play.record import parse_record
from manhunt.server.room_registry import RoomRegistry
from manhunt.server.rooms import GamePlan
from manhunt.store.running import load_running
from sites import Site

SEEN = (*PLAYERS, Seat.SPECTATOR)


def text_of(site: Site, path: str) -> str:
    with urlopen(site.url + path) as answer:
        text: str = answer.read().decode()
    return text


@pytest.mark.parametrize("seed", [None, 7])
def test_a_game_promises_its_deal_and_its_record_keeps_the_promise(site: Site, seed: int | None) -> None:
    options = {} if seed is None else {"seed": seed}
    begun = site.begin("pursuit", evader="person", pursuers="random", **options)
    uid = begun["uid"]
    promised = site.api(f"/api/games/{uid}")["commitment"]
    with site.sit(uid, begun["tokens"]["evader"]) as seat, site.sit(uid) as watcher:
        seat.play(Random(1))
        while not watcher.hear_until("observe")["over"]:
            pass
        assert [each.heard[0]["room"]["commitment"] for each in (seat, watcher)] == [promised, promised]
        told = json.dumps([*seat.heard, *watcher.heard])
    head = site.api(f"/api/games/{uid}/replay")
    assert head["deal"]["check"] == "kept"
    assert promised in head["deal"]["words"]
    record = parse_record(text_of(site, f"/api/games/{uid}/record"))
    assert record.commitment == promised
    assert verify_deal(record) is DealCheck.KEPT
    assert isinstance(record.seed, int if seed else Secret)
    assert record.nonce is not None
    assert record.nonce not in told
    if isinstance(record.seed, Secret):
        assert record.seed.hex not in told
        assert record.seed.fingerprint not in told
    assert promised in text_of(site, f"/api/games/{uid}/replay.html")


def test_two_games_of_one_seed_have_one_deal_and_two_commitments(site: Site) -> None:
    uids = [site.begin("pursuit", evader="random", pursuers="random", seed=5)["uid"] for _ in range(2)]
    assert len({site.api(f"/api/games/{uid}")["commitment"] for uid in uids}) == 2, "nobody can try all deals"


def test_a_game_that_is_taken_up_again_has_the_same_secret_events_and_promise(tmp_path, scripted_pool) -> None:
    def facts_of(room: Any) -> Any:
        return room.referee.commitment, room.plan.seed, [room.referee.events_for(seat) for seat in SEEN]

    async def begin(registry: RoomRegistry) -> Any:
        rooms = []
        for seed, nonce in ((new_secret(), None), (3, "ab" * 32)):
            plan = plan_of("scotland_yard")
            asked = GamePlan(plan.game, plan.config, plan.seats, seed, nonce=nonce)
            rooms.append((await registry.begin(asked)).room)
        kept = load_running(registry.store, rooms[0].uid)
        assert kept is not None
        assert kept[0].secret == rooms[0].plan.seed.hex
        assert kept[0].seed == 0
        return {room.uid: facts_of(room) for room in rooms}

    async def take_up(registry: RoomRegistry) -> Any:
        return {uid: facts_of(await registry.find(uid)) for uid in before}

    before = with_rooms(tmp_path, scripted_pool, begin)
    assert all(facts[0] for facts in before.values())
    assert with_rooms(tmp_path, scripted_pool, take_up) == before


def test_a_game_of_before_goes_on_with_its_seed_and_without_a_promise(tmp_path, scripted_pool) -> None:
    async def begin(registry: RoomRegistry) -> Any:
        room = (await registry.begin(plan_of("scotland_yard"))).room
        kept = load_running(registry.store, room.uid)
        assert kept is not None
        assert (kept[0].seed, kept[0].secret) == (3, None)
        return room.uid, room.referee.setup, room.referee.n_events

    async def take_up(registry: RoomRegistry) -> Any:
        room = await registry.find(uid)
        assert room.plan.seed == 3
        assert room.referee.commitment is None
        return room.uid, room.referee.setup, room.referee.n_events

    began = with_rooms(tmp_path, scripted_pool, begin)
    uid = began[0]
    assert with_rooms(tmp_path, scripted_pool, take_up) == began


def test_what_agents_get_differs_by_seat_and_ply(tmp_path, scripted_pool, monkeypatch) -> None:
    """And it cannot be had from a small number, as it could when deals came from seeds."""
    asked: list[int] = []

    async def ask(pool: Any, uid: str, spec: str, log: Any, seconds: float, seed: int, owner: str) -> Any:
        asked.append(seed)
        raise RuntimeError("enough")

    monkeypatch.setattr("manhunt.server.agent_turns.ask", ask)

    async def scene(registry: RoomRegistry) -> None:
        for seed in (new_secret(), new_secret()):
            plan = plan_of("pursuit", evader="random", pursuers="random")
            room = (await registry.begin(GamePlan(plan.game, plan.config, plan.seats, seed))).room
            for seat in PLAYERS:
                with pytest.raises(RuntimeError):
                    await room._turn(seat)

    with_rooms(tmp_path, scripted_pool, scene)
    assert len(set(asked)) >= 4
