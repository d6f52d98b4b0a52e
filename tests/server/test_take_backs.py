"""A turn is taken back: at once against agents, by consent between people; everybody and the store forget it."""

import threading

import pytest

from manhunt.core.errors import IllegalAction
from manhunt.core.ids import Seat
from manhunt.core.turns import TurnEnd
from manhunt.play.fair_deal import DealCheck, verify_deal
from manhunt.play.record import parse_record
from manhunt.play.reopening import plies_before
from manhunt.server import rooms
from manhunt.server.agent_turns import AgentTurn
from manhunt.server.rooms import Holder, SpectatorPolicy
from manhunt.store.games import load_record
from manhunt.store.running import load_running
from people_rooms import Hall, Party, first_action, listen, make_first_moves, until, with_hall

ALL = frozenset({"pursuers/0", "pursuers/1", "pursuers/2"})
MR_X, ANN = 1, 2
TWO = {MR_X: frozenset({"evader"}), ANN: ALL}


async def agents_reply(room, pool) -> None:
    n = room.n
    pool.give(AgentTurn(TurnEnd.OK, first_action(room)))
    await until(room, lambda: room.n > n)


def test_against_agents_a_turn_is_taken_back_at_once(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party({ANN: ALL})
        room = await hall.begin(party, confirm=True, take_backs=True)
        ann = party.of(ANN)
        with pytest.raises(IllegalAction, match="nothing to take back"):
            await room.turns.take_back(ann)
        await agents_reply(room, scripted_pool)
        before = room.log(Seat.PURSUERS)
        ear, watcher = listen(room, ann, ANN), listen(room, Holder(Seat.SPECTATOR))
        await make_first_moves(room, ann)
        assert room.n == 5
        await room.turns.take_back(ann)  # while Mr X thinks
        assert room.n == 2
        assert room.log(Seat.PURSUERS) == before
        assert [message["t"] for message in ear.heard()][-6:] == ["rewound", "new", "observe", "go", "status", "status"]
        assert ear.last("observe")["sentences"] == ear.heard("observe")[0]["sentences"]
        assert ear.last("status")["takeBacks"] == {"evader": 0, "pursuers": 1}
        assert [message["t"] for message in watcher.heard()][-3:] == ["rewound", "new", "observe"]
        kept = load_running(hall.registry.store, room.uid)
        assert kept is not None
        assert len(kept[1]) == 1
        await make_first_moves(room, ann)
        await agents_reply(room, scripted_pool)
        await room.turns.take_back(ann)
        assert room.n == 2, "the turn of before, and Mr X's answer to it"
        again = await hall.reload(room)
        assert again.turns.status()["takeBacks"] == {"evader": 0, "pursuers": 2}
        assert again.log(Seat.PURSUERS) == before

    with_hall(tmp_path, scripted_pool, scene)


def test_others_do_not_wait_while_a_long_game_is_played_again(tmp_path, scripted_pool, monkeypatch) -> None:
    """With 4,000 plies that takes half a second, in which nobody else's move would be heard."""
    made_in = []
    make = rooms.make_referee

    def make_referee(*args):
        made_in.append(threading.current_thread())
        return make(*args)

    async def scene(hall: Hall) -> None:
        party = Party({ANN: ALL})
        room = await hall.begin(party, confirm=True, take_backs=True)
        await agents_reply(room, scripted_pool)
        await make_first_moves(room, party.of(ANN))
        monkeypatch.setattr(rooms, "make_referee", make_referee)
        await room.turns.take_back(party.of(ANN))
        assert room.n == 2
        assert made_in
        assert threading.current_thread() not in made_in

    with_hall(tmp_path, scripted_pool, scene)


def test_agents_forget_what_was_taken_back_and_draw_the_same_luck(tmp_path, scripted_pool) -> None:
    asked = []

    async def run(what, *args, **options):
        from unittest.mock import MagicMock

        worker = MagicMock()
        worker.memory = {}
        (task,) = options["prepare"](worker)
        asked.append(task)
        return await type(scripted_pool).run(scripted_pool, what)

    scripted_pool.run = run

    async def scene(hall: Hall) -> None:
        party = Party({ANN: ALL})
        room = await hall.begin(party, confirm=True, take_backs=True)
        await agents_reply(room, scripted_pool)
        for _ in range(2):
            await make_first_moves(room, party.of(ANN))
            await agents_reply(room, scripted_pool)
            await room.turns.take_back(party.of(ANN))
        first, second, third = asked
        assert (second.seed, second.events) == (third.seed, third.events)
        assert first.seed != second.seed
        assert len({task.uid for task in asked}) == 2
        assert second.uid != third.uid
        assert first.uid == second.uid
        assert (second.uid, Seat.EVADER) in scripted_pool.forgotten

    with_hall(tmp_path, scripted_pool, scene)


def test_between_people_the_other_side_has_to_agree(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(TWO))
        room = await hall.begin(party, confirm=True, take_backs=True)
        mr_x, ann = party.of(MR_X), party.of(ANN)
        await room.turns.play(mr_x, 1, first_action(room))
        ears = [listen(room, mr_x, MR_X), listen(room, ann, ANN)]
        watcher = listen(room, Holder(Seat.SPECTATOR))
        await room.turns.take_back(mr_x)
        assert room.n == 2
        for ear in ears:
            assert ear.last("status")["takeback"] == {"seat": "evader", "name": "Person 1"}
        with pytest.raises(IllegalAction, match="nobody asks you"):
            await room.turns.answer(mr_x, yes=True)
        await room.turns.answer(ann, yes=False)
        assert [ear.last("status")["takeback"] for ear in ears] == [None, None]
        assert room.n == 2
        await room.turns.take_back(mr_x)
        await room.turns.answer(ann, yes=True)
        assert (room.n, ears[1].last("status")["takeBacks"]["evader"]) == (1, 1)
        assert watcher.heard("status") == []
        await room.turns.play(mr_x, 1, first_action(room))
        await room.turns.take_back(mr_x)
        await make_first_moves(room, ann)
        assert ears[0].last("status")["takeback"] is None, "the game has gone on"
        with pytest.raises(IllegalAction, match="nobody asks you"):
            await room.turns.answer(ann, yes=True)

    with_hall(tmp_path, scripted_pool, scene)


def test_one_who_plays_both_sides_asks_nobody(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party({ANN: frozenset({"evader", *ALL})})
        room = await hall.begin(party, take_backs=True)
        await room.turns.play(party.of(ANN, Seat.EVADER), 1, first_action(room))
        await room.turns.play(party.of(ANN, Seat.PURSUERS), 2, first_action(room))
        await room.turns.take_back(party.of(ANN, Seat.EVADER))
        assert room.n == 1

    with_hall(tmp_path, scripted_pool, scene)


def test_tables_without_take_backs_and_games_that_are_over_refuse(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(TWO))
        room = await hall.begin(party)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        with pytest.raises(IllegalAction, match="does not allow taking turns back"):
            await room.turns.take_back(party.of(MR_X))
        other = await hall.begin(party, take_backs=True)
        await other.turns.play(party.of(MR_X), 1, first_action(other))
        with pytest.raises(IllegalAction, match="only a player"):
            await other.turns.take_back(Holder(Seat.SPECTATOR))
        await other.resign(Seat.EVADER)
        with pytest.raises(IllegalAction, match="over"):
            await other.turns.take_back(party.of(MR_X))

    with_hall(tmp_path, scripted_pool, scene)


@pytest.mark.parametrize("policy", [SpectatorPolicy.DELAYED, SpectatorPolicy.NEVER])
def test_spectators_who_see_less_hear_less(tmp_path, scripted_pool, policy) -> None:
    async def scene(hall: Hall) -> None:
        party = Party({ANN: ALL})
        room = await hall.begin(party, confirm=True, take_backs=True, spectators=policy)
        await agents_reply(room, scripted_pool)
        watcher = listen(room, Holder(Seat.SPECTATOR))
        await make_first_moves(room, party.of(ANN))
        n_heard = len(watcher.texts)
        await room.turns.take_back(party.of(ANN))
        late = listen(room, Holder(Seat.SPECTATOR))
        if policy is SpectatorPolicy.NEVER:
            assert len(watcher.texts) == n_heard
        else:
            assert watcher.last("observe")["v"] == 5, "the opening, four plies ago"
            assert watcher.last("observe") == late.last("observe")

    with_hall(tmp_path, scripted_pool, scene)


def test_the_record_of_a_game_with_take_backs_is_valid(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(TWO))
        room = await hall.begin(party, take_backs=True)
        commitment = room.referee.commitment
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        await room.turns.take_back(party.of(MR_X))
        await room.turns.answer(party.of(ANN), yes=True)
        assert room.referee.commitment == commitment
        while not room.over:
            seat = room.referee.to_act
            await room.move(seat, room.n, first_action(room))
        record = parse_record(load_record(hall.registry.store, room.uid))
        assert record.commitment == commitment
        assert verify_deal(record) is DealCheck.KEPT
        assert (await hall.reload(room)).log(Seat.PURSUERS) == room.log(Seat.PURSUERS)

    with_hall(tmp_path, scripted_pool, scene)


def test_how_far_a_turn_goes_back() -> None:
    x, d = Seat.EVADER, Seat.PURSUERS
    movers = [x, d, d, d, x, d, d]
    assert plies_before(d, movers, lambda i: True) == 5
    assert plies_before(x, movers, lambda i: True) == 4
    assert plies_before(d, movers[:5], lambda i: True) == 1
    assert plies_before(d, movers[:5], lambda i: i == 2) == 2, "an agent's piece before it stays where it went"
    assert plies_before(d, [x], lambda i: True) is None
    assert plies_before(d, movers, lambda i: i in (1, 2)) == 1
