"""Insights about an earlier moment are made from what the seat knew then."""

import pytest

from manhunt.core.errors import BadText
from manhunt.core.ids import Seat
from manhunt.server.rooms import Forbidden, SpectatorPolicy
from people_rooms import Hall, Party, first_action, with_hall
from sites import Site

WATCHERS = (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR)
BOTH = {1: frozenset({"evader"}), 2: frozenset({"pursuers/0", "pursuers/1", "pursuers/2"})}


@pytest.mark.parametrize("game", ["scotland_yard", "fugitive", "pursuit"])
def test_every_moment_can_be_asked_for_again(tmp_path, scripted_pool, game: str) -> None:
    async def scene(hall: Hall) -> None:
        people = BOTH if game == "scotland_yard" else {1: frozenset({"evader"}), 2: frozenset({"pursuers"})}
        room = await hall.begin(Party(dict(people)), game=game)
        known = {seat: [room.log(seat)] for seat in WATCHERS}
        for _ in range(9):
            if room.over:
                break
            await room.move(room.referee.to_act, room.n, first_action(room))
            for seat in WATCHERS:
                known[seat].append(room.log(seat))
        for seat in WATCHERS:
            for log in known[seat]:
                assert room.log_at(seat, len(log.events))() == log
            with pytest.raises(BadText, match="the last event"):
                room.log_at(seat, room.referee.n_events + 1)
            with pytest.raises(BadText, match="no moment"):
                room.log_at(seat, 1)()

    with_hall(tmp_path, scripted_pool, scene)


def test_spectators_do_not_look_ahead_of_what_they_see(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        rooms = []
        for policy in (SpectatorPolicy.DELAYED, SpectatorPolicy.NEVER):
            room = await hall.begin(Party(dict(BOTH)), spectators=policy)
            for _ in range(6):
                await room.move(room.referee.to_act, room.n, first_action(room))
            rooms.append(room)
        late, closed = rooms
        seen = late.moment(Seat.SPECTATOR)
        assert seen is not None
        assert seen.v < late.referee.n_events
        assert len(late.log_at(Seat.SPECTATOR, seen.v)().events) == seen.v
        with pytest.raises(BadText):
            late.log_at(Seat.SPECTATOR, late.referee.n_events)()
        with pytest.raises(Forbidden):
            closed.log_at(Seat.SPECTATOR, 4)

    with_hall(tmp_path, scripted_pool, scene)


def test_an_insight_tells_which_moment_it_is_about(site: Site) -> None:
    begun = site.begin("scotland_yard", evader="person", pursuers="person", seed=3)
    with site.sit(begun["uid"], begun["tokens"]["evader"]) as evader:
        go = evader.hear_until("go")
        first = evader.heard[1]["v"]
        evader.move(go["n"], go["offers"][0]["action"])
    where = f"/api/games/{begun['uid']}/insights/belief"
    before, now = site.api(f"{where}?v={first}"), site.api(where)
    assert (before["v"], now["v"] > first) == (first, True)
    assert before != {**now, "v": first}
    assert site.refusal(f"{where}?v=two")[0] == 400
    assert site.refusal(f"{where}?v=1")[0] == 400
    assert site.refusal(f"{where}?seat=nobody")[0] == 400
