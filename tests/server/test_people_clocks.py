"""Clocks of people: charged by the referee, stored with each move, moved by hand in these tests."""

import asyncio
from unittest import mock

import pytest

from manhunt.core.ids import Seat
from manhunt.core.turns import TurnEnd
from manhunt.play.clock import GameClock, TimeControl
from manhunt.play.referee import OutOfTime
from manhunt.server.agent_turns import AgentTurn
from manhunt.store.running import load_running
from people_rooms import Hall, Party, first_action, listen, make_first_moves, offers_of, until, with_hall

ALL = frozenset({"pursuers/0", "pursuers/1", "pursuers/2"})
MR_X, ANN = 1, 2
TWO = {MR_X: frozenset({"evader"}), ANN: ALL}


def left_of(room, seat: Seat) -> float | None:
    return room.turns.status()["clock"]["left"][seat.value]


def test_time_is_charged_to_whoever_thinks(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(TWO))
        room = await hall.begin(party, game_seconds=100, increment_seconds=5)
        ear = listen(room, party.of(ANN), ANN)
        hall.clock.advance(30)
        assert (left_of(room, Seat.EVADER), left_of(room, Seat.PURSUERS)) == (70, 100)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        assert ear.last("status")["clock"] == {
            "left": {"evader": 75.0, "pursuers": 100.0},
            "turn": 100.0,
            "running": "pursuers",
        }
        for _ in range(3):
            hall.clock.advance(10)
            await room.turns.play(party.of(ANN), room.n, first_action(room))
        assert (left_of(room, Seat.EVADER), left_of(room, Seat.PURSUERS)) == (75, 75), "one increment a turn"
        kept = load_running(hall.registry.store, room.uid)
        assert kept is not None
        assert [move.seconds for move in kept[1]] == [30, 10, 10, 10]
        hall.clock.advance(20)
        again = await hall.reload(room)
        assert (left_of(again, Seat.EVADER), left_of(again, Seat.PURSUERS)) == (75, 75), "the running turn begins again"

    with_hall(tmp_path, scripted_pool, scene)


def test_whoever_is_out_of_time_loses(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(TWO))
        room = await hall.begin(party, turn_seconds=60)
        ear = listen(room, party.of(MR_X), MR_X)
        hall.clock.advance(59)
        assert not room.over
        hall.clock.advance(2)
        await until(room, lambda: room.over)
        assert str(room.referee.outcome) == "pursuers forfeit time"
        last = ear.last("observe")
        assert last["forfeit"] == {"seat": "evader", "why": "time"}
        assert "Mr X ran out of time" in last["sentences"]
        assert "Mr X ran out of time" in last["scene"]["outcome"]["words"]
        again = await hall.reload(room)
        assert again.log(Seat.EVADER) == room.log(Seat.EVADER)
        assert listen(again, party.of(MR_X), MR_X).last("observe")["forfeit"] == last["forfeit"]

    with_hall(tmp_path, scripted_pool, scene)


def test_a_move_that_comes_too_late_is_refused_before_the_timer_looks(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(TWO))
        room = await hall.begin(party, turn_seconds=60)
        hall.clock.time += 61
        with pytest.raises(OutOfTime, match="time of Mr X is over"):
            await room.turns.play(party.of(MR_X), 1, first_action(room))
        assert room.n == 1

    with_hall(tmp_path, scripted_pool, scene)


def test_the_turn_of_a_team_has_one_clock_and_its_draft_counts(tmp_path, scripted_pool) -> None:
    """The rest is played at random, from the game's seed, so that a restart does not draw again."""

    async def scene(hall: Hall) -> None:
        party = Party(dict(TWO))
        room = await hall.begin(party, turn_seconds=60, confirm=True, on_timeout="random")
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        hall.clock.advance(50)
        red = offers_of(room)[0]["action"]
        await make_first_moves(room, party.of(ANN), 1)
        for _ in range(20):
            hall.clock.advance(11)
            await asyncio.gather(*room._work)
            if room.referee.to_act is Seat.EVADER:
                break
        assert room.game.format_action(room.plan.config, room.referee.actions[1]) == red
        assert len(room.referee.actions) == 4
        sentences = [s for s in listen(room, party.of(ANN), ANN).heard("observe")[0]["sentences"] if "instead" in s]
        assert sentences == ["the detectives ran out of time; a random move was made instead"] * 2
        again = await hall.reload(room)
        for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR):
            assert again.log(seat) == room.log(seat)

    with_hall(tmp_path, scripted_pool, scene)


def test_an_agent_moves_for_those_who_are_out_of_time(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(TWO))
        room = await hall.begin(party, turn_seconds=60, on_timeout="agent")
        hall.clock.advance(61)
        await until(room, lambda: room.thinking is Seat.EVADER)
        action = first_action(room)
        scripted_pool.give(AgentTurn(TurnEnd.OK, action))
        await until(room, lambda: room.n == 2)
        assert (
            "Mr X ran out of time; an agent moved instead"
            in listen(room, party.of(ANN), ANN).heard("observe")[0]["sentences"]
        )
        again = await hall.reload(room)
        assert again.log(Seat.EVADER) == room.log(Seat.EVADER)
        room = again
        hall.clock.advance(61)
        await until(room, lambda: room.thinking is Seat.PURSUERS)
        scripted_pool.give(AgentTurn(TurnEnd.CRASH, detail="broken"))
        await until(room, lambda: room.n == 3)
        assert not room.over, "an agent that fails as a stand-in does not lose the game for people"

    with_hall(tmp_path, scripted_pool, scene)


def test_agents_are_not_charged(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        room = await hall.begin(Party({ANN: ALL}), turn_seconds=60, game_seconds=600)
        assert room.turns.status()["clock"]["running"] is None
        hall.clock.advance(1000)
        scripted_pool.give(AgentTurn(TurnEnd.OK, first_action(room)))
        await until(room, lambda: room.n == 2)
        assert room.turns.status()["clock"] == {
            "left": {"evader": 600.0, "pursuers": 600.0},
            "turn": 60.0,
            "running": "pursuers",
        }

    with_hall(tmp_path, scripted_pool, scene)


def test_a_turn_of_days_counts_real_time_and_wakes_the_room(tmp_path, scripted_pool) -> None:
    day = 86_400.0

    async def scene(hall: Hall) -> None:
        party = Party(dict(TWO))
        with (
            mock.patch("manhunt.server.durable.time.time", hall.clock.wall),
            mock.patch("manhunt.server.room_registry.time.time", hall.clock.wall),
        ):
            room = await hall.begin(party, turn_seconds=3 * day)
            await room.turns.play(party.of(MR_X), 1, first_action(room))
            hall.clock.advance(day)
            room = await hall.reload(room)
            assert room.turns.due_in == pytest.approx(2 * day)
            assert room.idle
            hall.registry._unload(room)
            assert hall.registry.n_rooms == 0
            hall.clock.advance(2 * day + 10)
            await until(room, lambda: hall.registry.n_rooms == 1)
            woken = await hall.registry.find(room.uid)
            hall.clock.advance(1)
            await until(room, lambda: woken.over)
            assert str(woken.referee.outcome) == "evader forfeit time"

    with_hall(tmp_path, scripted_pool, scene)


def test_a_room_with_a_short_clock_stays_in_memory(tmp_path, scripted_pool) -> None:
    """It would give the turn its time again."""

    async def scene(hall: Hall) -> None:
        timed = await hall.begin(Party(dict(TWO)), turn_seconds=60)
        free = await hall.begin(Party(dict(TWO)))
        assert (timed.idle, free.idle) == (False, True)

    with_hall(tmp_path, scripted_pool, scene)


def test_handing_places_over_gives_no_time(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(TWO))
        room = await hall.begin(party, turn_seconds=60)
        hall.clock.advance(40)
        room.seat_people(room.plan.seats)
        assert room.turns.due_in == 20

    with_hall(tmp_path, scripted_pool, scene)


def test_a_take_back_gives_the_time_of_the_turn_back(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(TWO))
        room = await hall.begin(party, game_seconds=100, take_backs=True)
        hall.clock.advance(40)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        hall.clock.advance(7)
        await room.turns.take_back(party.of(MR_X))
        await room.turns.answer(party.of(ANN), yes=True)
        assert room.turns.status()["clock"] == {
            "left": {"evader": 100.0, "pursuers": 100.0},
            "turn": 100.0,
            "running": "evader",
        }

    with_hall(tmp_path, scripted_pool, scene)


def test_the_clock_of_a_turn_of_several_plies() -> None:
    now = [0.0]
    clock = GameClock(TimeControl(100, 5, 30), lambda: now[0])
    clock.run(Seat.PURSUERS)
    now[0] += 10
    assert (clock.elapsed(Seat.PURSUERS), clock.remaining(Seat.PURSUERS)) == (10, 20)
    clock.book(Seat.PURSUERS, 10)
    clock.run(Seat.PURSUERS)
    assert (clock.remaining(Seat.PURSUERS), clock.left[Seat.PURSUERS]) == (20, 90)
    clock.run(Seat.PURSUERS, is_charged=False)
    now[0] += 50
    assert (clock.running, clock.is_over(Seat.PURSUERS)) == (None, False)
    clock.run(Seat.PURSUERS, used_seconds=21)
    assert clock.is_over(Seat.PURSUERS)
    clock.run(Seat.EVADER)
    assert (clock.left[Seat.PURSUERS], clock.remaining(Seat.EVADER)) == (95, 30)
