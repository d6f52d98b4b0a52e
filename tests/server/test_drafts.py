"""A team drafts its turn and confirms it: nobody else hears of that, and it survives the end of the server."""

import asyncio
import json
from functools import partial

import pytest

from manhunt.core.errors import IllegalAction, ManhuntError
from manhunt.core.ids import Seat
from manhunt.core.turns import TurnEnd
from manhunt.server import wire
from manhunt.server.agent_turns import AgentTurn
from manhunt.server.rooms import Holder, SpectatorPolicy
from manhunt.store.running import load_running
from people_rooms import Hall, Party, draft_all, first_action, listen, make_first_moves, offers_of, until, with_hall

ALL = frozenset({"pursuers/0", "pursuers/1", "pursuers/2"})
MR_X, ANN, BEN = 1, 2, 3
THREE = {MR_X: frozenset({"evader"}), ANN: frozenset({"pursuers/0", "pursuers/2"}), BEN: frozenset({"pursuers/1"})}


def has_reached(room, n: int) -> bool:
    return bool(room.n == n)


def places_of(room) -> set[str]:
    return {offer["place"] for offer in offers_of(room)}


def waiting_for(room) -> set[int]:
    return {person for person in (ANN, BEN) if room.turns.is_waiting_for(person)}


def test_a_turn_happens_when_everybody_has_confirmed(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(THREE))
        room = await hall.begin(party, confirm=True)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        ears = {who: listen(room, party.of(who), who) for who in THREE}
        assert places_of(room) == ALL
        assert waiting_for(room) == {ANN, BEN}
        empty = {"moves": [], "confirmed": [], "needed": [ANN, BEN], "open": [ANN, BEN]}
        assert ears[ANN].last("observe")["draft"] == empty
        red, green = (next(o["action"] for o in offers_of(room) if o["place"] == f"pursuers/{i}") for i in (0, 1))
        with pytest.raises(IllegalAction, match="green is not yours"):
            await room.turns.play(party.of(ANN), 2, green)
        await room.turns.play(party.of(ANN), 2, red)
        with pytest.raises(IllegalAction, match="can still move"):
            await room.turns.confirm(party.of(ANN))
        await room.turns.play(party.of(BEN), 2, green)
        assert waiting_for(room) == {ANN}
        assert ears[BEN].last("observe")["draft"]["open"] == [ANN]
        await make_first_moves(room, party.of(ANN))
        assert ears[BEN].last("observe")["draft"]["open"] == []
        assert waiting_for(room) == {ANN, BEN}
        await room.turns.confirm(party.of(ANN))
        assert waiting_for(room) == {BEN}
        told, shown = (ears[BEN].last("observe")[key] for key in ("draft", "scene"))
        assert shown["turn"] == "evader"
        assert shown["title"].startswith("Scotland Yard, round 1 of ")  # a planned turn belongs to its own round
        assert shown["turnWords"] in shown["title"]
        assert [move["place"] for move in told["moves"]] == ["pursuers/0", "pursuers/1", "pursuers/2"]
        assert [move["person"] for move in told["moves"]] == [ANN, BEN, ANN]
        assert told["confirmed"] == [ANN]
        assert room.n == 2
        await room.turns.confirm(party.of(ANN), yes=False)
        assert ears[BEN].last("observe")["draft"]["confirmed"] == []
        await room.turns.confirm(party.of(BEN))
        await room.turns.confirm(party.of(ANN))
        assert room.n == 5
        assert [room.game.format_action(room.plan.config, a) for a in room.referee.actions[1:]] == [
            move["action"] for move in told["moves"]
        ]
        assert room.referee.to_act is Seat.EVADER

    with_hall(tmp_path, scripted_pool, scene)


def test_nobody_else_hears_of_a_draft(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(THREE))
        room = await hall.begin(party, confirm=True)
        others = [listen(room, party.of(MR_X), MR_X), listen(room, Holder(Seat.SPECTATOR))]
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        before = [list(ear.texts) for ear in others]
        await make_first_moves(room, party.of(ANN), 1)
        await room.turns.undo(party.of(BEN), "pursuers/0")
        await room.turns.play(party.of(ANN), 2, offers_of(room)[0]["action"])
        await room.turns.play(party.of(BEN), 2, next(o["action"] for o in offers_of(room)))
        await make_first_moves(room, party.of(ANN))
        await room.turns.confirm(party.of(BEN))
        assert [ear.texts for ear in others] == before
        for ear in others:
            assert not any("draft" in message for message in ear.heard())

    with_hall(tmp_path, scripted_pool, scene)


def test_a_page_of_somebody_who_is_gone_from_the_table_keeps_nobody_from_hearing(tmp_path, scripted_pool) -> None:
    """A full table lets people go who have no place; their page of the game may still be open."""

    async def scene(hall: Hall) -> None:
        party = Party({**THREE, 4: frozenset()})
        room = await hall.begin(party, confirm=True)
        gone = listen(room, party.of(4), 4)
        ears = [listen(room, party.of(who), who) for who in THREE]
        del party.places[4]
        n_heard = [len(ear.texts) for ear in ears]
        room.seat_people({**room.plan.seats, Seat.PURSUERS: "person:others"})
        assert all(len(ear.texts) > n for ear, n in zip(ears, n_heard, strict=True))
        assert gone.last("new")["room"]["you"]["seat"] == "spectator"

    with_hall(tmp_path, scripted_pool, scene)


def test_undoing_takes_away_what_does_not_fit_without_it(tmp_path, scripted_pool) -> None:
    """Green steps where red stood; without red's move it cannot."""

    async def scene(hall: Hall) -> None:
        party = Party(dict(THREE))
        setup = {"mrx": "35", "detectives": ["13", "14", "91"], "free": True}
        room = await hall.begin(party, confirm=True, setup=setup)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        ann = party.of(ANN)
        assert "G:B13" not in [offer["action"] for offer in offers_of(room)]
        await room.turns.play(ann, 2, "R:T4")
        await room.turns.play(party.of(BEN), 2, "G:B13")
        await room.turns.play(ann, 2, "B:T56")
        with pytest.raises(IllegalAction, match="no drafted move"):
            await room.turns.undo(ann, "pursuers/7")
        await room.turns.undo(ann, "pursuers/0")
        assert [move.place for move in room.turns.present_draft.moves] == ["pursuers/2"]
        await room.turns.play(ann, 2, "B:T90")
        assert [move.action for move in room.turns.present_draft.moves] == ["B:T90"], "a second choice replaces a first"

    with_hall(tmp_path, scripted_pool, scene)


def test_a_draft_and_its_confirmations_survive_a_kill(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(THREE))
        room = await hall.begin(party, confirm=True)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        for person in (ANN, BEN):
            mine = [offer for offer in offers_of(room) if offer["place"] in THREE[person]]
            await room.turns.play(party.of(person), 2, mine[0]["action"])
        await make_first_moves(room, party.of(ANN))
        await room.turns.confirm(party.of(BEN))
        before = wire.observe_message(room, Seat.PURSUERS, 0)
        again = await hall.reload(room)
        assert again is not room
        assert wire.observe_message(again, Seat.PURSUERS, 0) == before
        await again.turns.confirm(party.of(ANN))
        assert again.n == 5
        kept = load_running(hall.registry.store, again.uid)
        assert kept is not None
        assert (kept[0].draft, len(kept[1])) == (None, 4)

    with_hall(tmp_path, scripted_pool, scene)


def test_agents_move_the_pieces_that_nobody_holds_last(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party({MR_X: frozenset({"evader"}), BEN: frozenset({"pursuers/1"})})
        room = await hall.begin(party, confirm=True)
        ear = listen(room, party.of(BEN), BEN)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        assert places_of(room) == {"pursuers/1"}
        await make_first_moves(room, party.of(BEN))
        assert room.thinking is Seat.PURSUERS
        assert ear.last("observe")["thinking"] == "pursuers"
        with pytest.raises(ManhuntError):
            await room.turns.play(party.of(BEN), room.n, first_action(room))
        for n in (3, 4):
            scripted_pool.give(AgentTurn(TurnEnd.OK, first_action(room)))
            await until(room, partial(has_reached, room, n + 1))
        assert [room.turns.team.place_of(action) for action in room.referee.actions[1:]] == [
            "pursuers/1",
            "pursuers/0",
            "pursuers/2",
        ]
        assert room.referee.to_act is Seat.EVADER

    with_hall(tmp_path, scripted_pool, scene)


def test_whoever_moves_all_pieces_alone_need_not_confirm(tmp_path, scripted_pool) -> None:
    """Moves can be undone until the last piece has moved; with it the turn happens."""

    async def scene(hall: Hall) -> None:
        party = Party({MR_X: frozenset({"evader"}), ANN: ALL})
        room = await hall.begin(party, confirm=True)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        await make_first_moves(room, party.of(ANN), 2)
        await room.turns.undo(party.of(ANN), "pursuers/0")
        await make_first_moves(room, party.of(ANN), 1)
        assert (room.n, len(room.turns.present_draft.moves)) == (2, 2)
        await make_first_moves(room, party.of(ANN), 1)
        assert (room.n, room.turns.draft) == (5, None)
        kept = load_running(hall.registry.store, room.uid)
        assert kept is not None
        assert (kept[0].draft, len(kept[1])) == (None, 4)

    with_hall(tmp_path, scripted_pool, scene)


def test_in_a_fixed_order_a_draft_ends_before_an_agents_piece(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party({MR_X: frozenset({"evader"}), ANN: frozenset({"pursuers/0", "pursuers/2"})})
        config = {"preset": "ravensburger", "n_detectives": 3}
        room = await hall.begin(party, confirm=True, config=config)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        await make_first_moves(room, party.of(ANN), 1)
        assert (room.n, room.thinking) == (3, Seat.PURSUERS)
        scripted_pool.give(AgentTurn(TurnEnd.OK, first_action(room)))
        await until(room, lambda: room.n == 4)
        assert places_of(room) == {"pursuers/2"}

    with_hall(tmp_path, scripted_pool, scene)


def test_a_catch_ends_the_turn_and_the_team_heard_nothing_before(tmp_path, scripted_pool) -> None:
    """A drafted step onto Mr X looks like any other until it is confirmed."""

    async def scene(hall: Hall) -> None:
        party = Party(dict(THREE))
        heard = []
        for mrx, move in (("35", "T22"), ("34", "T22"), ("36", "T49")):
            setup = {"mrx": mrx, "detectives": ["23", "91", "174"], "free": True}
            room = await hall.begin(party, confirm=True, setup=setup)
            await room.turns.play(party.of(MR_X), 1, move)
            ear = listen(room, party.of(ANN), ANN)
            for person, action in ((ANN, "R:T22"), (BEN, "G:T90"), (ANN, "B:T161")):
                await room.turns.play(party.of(person), 2, action)
            await room.turns.confirm(party.of(BEN))
            heard.append([text for text in ear.texts if '"new"' not in text])
            await room.turns.confirm(party.of(ANN))
            assert room.over == (move == "T22")
            assert len(room.referee.actions) == (2 if room.over else 4)
        assert heard[0] == heard[1] == heard[2]

    with_hall(tmp_path, scripted_pool, scene)


def test_without_confirmations_moves_happen_at_once_but_only_ones_own(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(THREE))
        room = await hall.begin(party)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        green = next(offer["action"] for offer in offers_of(room) if offer["place"] == "pursuers/1")
        with pytest.raises(IllegalAction, match="not yours"):
            await room.turns.play(party.of(ANN), 2, green)
        await room.turns.play(party.of(BEN), 2, green)
        assert room.n == 3
        with pytest.raises(IllegalAction, match="nothing to confirm"):
            await room.turns.confirm(party.of(ANN))

    with_hall(tmp_path, scripted_pool, scene)


def test_when_places_change_hands_everybody_confirms_anew(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(THREE))
        room = await hall.begin(party, confirm=True)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        await make_first_moves(room, party.of(ANN), 1)
        green = next(offer["action"] for offer in offers_of(room) if offer["place"] == "pursuers/1")
        await room.turns.play(party.of(BEN), 2, green)
        party.places = {MR_X: frozenset({"evader"}), ANN: frozenset({"pursuers/0", "pursuers/2"})}
        room = await hall.reload(room)  # without having heard of it
        assert [move.place for move in room.turns.present_draft.moves] == ["pursuers/0"]
        room.seat_people(room.plan.seats)
        assert [move.place for move in room.turns.present_draft.moves] == ["pursuers/0"]
        await make_first_moves(room, party.of(ANN))
        assert (room.n, room.thinking) == (4, Seat.PURSUERS)

    with_hall(tmp_path, scripted_pool, scene)


@pytest.mark.parametrize("policy", [SpectatorPolicy.LIVE, SpectatorPolicy.DELAYED, SpectatorPolicy.NEVER])
def test_what_others_receive_does_not_depend_on_how_a_turn_was_drafted(tmp_path, scripted_pool, policy) -> None:
    """Byte for byte, message for message: whatever the team tries, undoes, confirms and unconfirms."""

    async def game(hall: Hall, is_wild: bool) -> list[list[str]]:
        party = Party(dict(THREE))
        room = await hall.begin(party, confirm=True, take_backs=True, turn_seconds=60, spectators=policy)
        ears = [listen(room, party.of(MR_X), MR_X), listen(room, Holder(Seat.SPECTATOR))]
        for _ in range(3):
            await room.turns.play(party.of(MR_X), room.n, first_action(room))
            if is_wild:
                await _wild(room, party)
            for i in range(3):
                person = BEN if i == 1 else ANN
                mine = [offer for offer in offers_of(room) if offer["place"] == f"pursuers/{i}"]
                await room.turns.play(party.of(person), room.n, mine[0]["action"])
            if is_wild:
                await room.turns.confirm(party.of(BEN))
                await room.turns.confirm(party.of(BEN), yes=False)
            await room.turns.confirm(party.of(ANN))
            await room.turns.confirm(party.of(BEN))
        late = [listen(room, party.of(MR_X), MR_X), listen(room, Holder(Seat.SPECTATOR))]
        return [[text.replace(room.uid, "UID") for text in ear.texts] for ear in (*ears, *late)]

    async def _wild(room, party) -> None:
        for offer in offers_of(room)[::3]:
            person = BEN if offer["place"] == "pursuers/1" else ANN
            for attempt in (offer["action"], "R:T1", "nonsense"):
                try:
                    await room.turns.play(party.of(person), room.n, attempt)
                except ManhuntError:
                    continue
            wire.observe_message(room, Seat.PURSUERS, 0)
        for move in room.turns.present_draft.moves:
            if room.turns.present_draft.has(move.place):
                await room.turns.undo(party.of(BEN), move.place)

    async def scene(hall: Hall) -> None:
        tame, wild = await game(hall, False), await game(hall, True)
        assert tame == wild
        assert sum(map(len, tame)) > 10

    with_hall(tmp_path, scripted_pool, scene)


def test_the_team_sees_the_whole_turn_while_it_happens(tmp_path, scripted_pool) -> None:
    """No piece goes back to where it stood while the plies of a confirmed turn happen one after the other."""

    async def scene(hall: Hall) -> None:
        party = Party(dict(THREE))
        room = await hall.begin(party, confirm=True)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        await draft_all(room, party)
        await room.turns.confirm(party.of(BEN))
        ear = listen(room, party.of(ANN), ANN)
        places = ear.last("observe")["scene"]["marks"]["pieces"]
        await room.turns.confirm(party.of(ANN))
        for message in ear.heard("observe"):
            assert message["scene"]["marks"]["pieces"] == places
        assert len(ear.heard("go")) == 1, "that of before"

    with_hall(tmp_path, scripted_pool, scene)


def test_messages_of_drafts_reach_the_turns(tmp_path, scripted_pool) -> None:
    """What a page says is what the room hears."""
    from manhunt.server.sockets import take

    async def scene(hall: Hall) -> None:
        party = Party(dict(THREE))
        room = await hall.begin(party, confirm=True, take_backs=True)

        async def say(person: int, **message: object) -> None:
            await take(room, party.of(person), wire.decode(json.dumps(message)))  # type: ignore[arg-type]

        await say(MR_X, t="move", n=1, action=first_action(room))
        while offers := offers_of(room):
            await say(BEN if offers[0]["place"] in THREE[BEN] else ANN, t="move", n=2, action=offers[0]["action"])
        await say(ANN, t="undo", place="pursuers/2")
        await say(ANN, t="move", n=2, action=offers_of(room)[0]["action"])
        await say(BEN, t="confirm")
        await say(BEN, t="unconfirm")
        await say(ANN, t="confirm")
        await say(BEN, t="confirm")
        assert room.n == 5
        await say(ANN, t="takeback")
        await say(MR_X, t="answer", yes=True)
        assert room.n == 2
        await say(ANN, t="resign")
        assert str(room.referee.outcome) == "evader forfeit resign"

    with_hall(tmp_path, scripted_pool, scene)


def test_many_confirm_at_once_and_the_turn_happens_once(tmp_path, scripted_pool) -> None:
    async def scene(hall: Hall) -> None:
        party = Party(dict(THREE))
        room = await hall.begin(party, confirm=True)
        await room.turns.play(party.of(MR_X), 1, first_action(room))
        await draft_all(room, party)
        await room.turns.confirm(party.of(BEN))
        answers = await asyncio.gather(*(room.turns.confirm(party.of(ANN)) for _ in range(5)), return_exceptions=True)
        assert [type(answer) for answer in answers] == [type(None), *[IllegalAction] * 4]
        assert room.n == 5

    with_hall(tmp_path, scripted_pool, scene)
