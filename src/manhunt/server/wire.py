"""What goes over a socket: the words of the bot protocol where they say the same, and what pages need besides."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from manhunt.boards.board import Board
from manhunt.errors import ManhuntError
from manhunt.ids import PLAYERS, Seat
from manhunt.server.rooms import Moment, Room
from manhunt.server.scenes import offers_of, scene_of
from manhunt.server.seats import SeatLog
from manhunt.server.told import told_of

_encode = msgspec.json.Encoder().encode
Number = Annotated[int, Meta(ge=0, le=2**53)]


class FromPage(Struct, tag_field="t", frozen=True):
    """Whatever a page says."""


class Hello(FromPage, tag="hello", frozen=True):
    """The first message: who sits here, and the number of the last event that is known already."""

    token: Annotated[str, Meta(max_length=200)] | None = None
    since: Number = 0


class Move(FromPage, tag="move", frozen=True):
    n: Number
    action: Annotated[str, Meta(max_length=4096)]


class Resign(FromPage, tag="resign", frozen=True):
    pass


class Ping(FromPage, tag="ping", frozen=True):
    pass


PageMessage = Hello | Move | Resign | Ping
_decoder: msgspec.json.Decoder[PageMessage] = msgspec.json.Decoder(PageMessage)


class BadMessage(ManhuntError):
    """Not a message of a page."""


def decode(data: str | bytes) -> PageMessage:
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadMessage(f"that is no message: {error}") from None


def encode(message: dict[str, Any]) -> str:
    return _encode(message).decode()


def new_message(room: Room, seat: Seat, digest: str | None) -> str:
    """What does not change: rules, board, who sits where."""
    config = room.plan.config
    board = getattr(config, "board", None)
    plan = room.plan
    facts = {
        "uid": room.uid,
        "title": room.game.title,
        "seats": {s.value: plan.seats[s] for s in PLAYERS},
        "names": {s.value: room.game.seat_names[s] for s in PLAYERS},
        "spectators": plan.spectators.value,
        "state": "finished" if room.over else "running",
    }
    shown = {"name": board.name, "digest": digest, "nodes": board.n_nodes} if isinstance(board, Board) else None
    told = room.game.config_to_json(config)
    return encode(
        {"t": "new", "game": room.game.name, "config": told, "seat": seat.value, "board": shown, "room": facts}
    )


def observe_message(room: Room, seat: Seat, since: int) -> tuple[int, str]:
    """What a seat learns after the event number `since`, and the number of its last event now.

    Made once for all listeners who know as much.
    """
    moment = room.moment(seat)
    key = ("observe", seat, since, moment and moment.v)
    if key not in room.kept:
        room.kept[key] = encode(_hidden(room) if moment is None else _observe(room, seat, since, moment))
    return (moment.v if moment else 0), room.kept[key]


def _observe(room: Room, seat: Seat, since: int, moment: Moment) -> dict[str, Any]:
    told = room.referee.events_for(seat, since)[: max(0, moment.v - since)]
    news = [event for event in told if len(event) > 1]
    is_now = moment.v == room.referee.n_events
    return {
        "t": "observe",
        "v": moment.v,
        "events": news,
        "told": told_of(room.game.name, news),
        "view": room.game.view_to_json(moment.view),
        "scene": scene_of(moment.view),
        "thinking": room.thinking.value if room.thinking and is_now else None,
        "over": room.over,
    }


def _hidden(room: Room) -> dict[str, Any]:
    """For spectators who may not look yet."""
    title = f"{room.game.title}: spectators see this game when it is over"
    empty: dict[str, Any] = {"t": "observe", "v": 0, "events": [], "told": [], "view": None}
    return {**empty, "scene": {"title": title, "turn": None, "outcome": None}, "thinking": None, "over": False}


def go_message(room: Room, seat: Seat) -> str | None:
    """The offers, when it is this seat's turn."""
    if room.referee.to_act is not seat:
        return None
    key = ("go", seat)
    if key not in room.kept:
        log: SeatLog = room.log(seat)
        legal = log.view.legal
        room.kept[key] = encode({"t": "go", "n": room.n, "offers": offers_of(log.view), "n_legal": len(legal)})
    message: str = room.kept[key]
    return message
