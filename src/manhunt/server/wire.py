"""What goes over a page's socket: what the page reads, and nothing else. `docs/explanation/web.md` lists it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of
from manhunt.draw.scene_json import offers_json, scene_json
from manhunt.draw.scenes import scene_of
from manhunt.server.board_images import board_of
from manhunt.server.event_sentences import sentences_of
from manhunt.server.game_files import page_files
from manhunt.server.rooms import GameRoom, Moment

_encode = msgspec.json.Encoder().encode
MOST_OBSERVES = 8
"""Messages that are kept for a seat, for those who know equally much."""
Number = Annotated[int, Meta(ge=0, le=2**53)]


class FromPage(Struct, tag_field="t", frozen=True):
    """Whatever a page says."""


class PageHello(FromPage, tag="hello", frozen=True):
    """The first message: who sits here, and the number of the last event that is known already."""

    token: Annotated[str, Meta(max_length=200)] | None = None
    since: Number = 0


class PageMove(FromPage, tag="move", frozen=True):
    n: Number
    action: Annotated[str, Meta(max_length=4096)]


class PageResign(FromPage, tag="resign", frozen=True):
    pass


class PagePing(FromPage, tag="ping", frozen=True):
    pass


PageMessage = PageHello | PageMove | PageResign | PagePing
_decoder: msgspec.json.Decoder[PageMessage] = msgspec.json.Decoder(PageMessage)


class BadPageMessage(ManhuntError):
    """Not a message of a page."""


def decode(data: str | bytes) -> PageMessage:
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadPageMessage(f"could not parse the message: {error}") from None


def encode(message: dict[str, Any]) -> str:
    return _encode(message).decode()


def new_message(room: GameRoom, digest: str | None) -> str:
    """What does not change: which game, its page and board, who sits where."""
    game, plan, board = room.game, room.plan, board_of(room.game, room.plan.config)
    facts = {
        "title": game.title,
        "seats": {s.value: plan.seats[s] for s in PLAYERS},
        "levels": {s.value: kit_of(game.name).title_of_level(s, plan.seats[s]) for s in PLAYERS},
        "names": {s.value: game.seat_names[s] for s in PLAYERS},
        "called": {s.value: game.called(s) for s in PLAYERS},
        "spectators": plan.spectators.value,
        "commitment": room.referee.commitment,
    }
    shown = board and {"name": board.name, "digest": digest}
    return encode({"t": "new", "game": game.name, "page": page_files(kit_of(game.name)), "board": shown, "room": facts})


def observe_message(room: GameRoom, seat: Seat, since: int) -> tuple[int, str]:
    """What a seat learns after the event number `since`, and the number of its last event now.

    Made once for all listeners who know as much.
    """
    moment = room.moment(seat)
    kept: dict[Any, str] = room.kept.setdefault(("observe", seat), {})
    key = (since, moment and moment.v)
    if key not in kept:
        if len(kept) >= MOST_OBSERVES:  # newcomers may know anything; those who watch know the same
            del kept[next(iter(kept))]
        kept[key] = encode(_closed(room) if moment is None else _observe(room, seat, since, moment))
    return (moment.v if moment else 0), kept[key]


def _observe(room: GameRoom, seat: Seat, since: int, moment: Moment) -> dict[str, Any]:
    news = room.referee.events_for(seat, since)[: max(0, moment.v - since)]
    is_now = moment.v == room.referee.n_events
    return {
        "t": "observe",
        "v": moment.v,
        "sentences": sentences_of(room.game.name, [event for event in news if len(event) > 1]),
        "scene": _scene(room, seat, moment),
        "thinking": room.thinking.value if room.thinking and is_now else None,
        "over": room.over,
    }


def _scene(room: GameRoom, seat: Seat, moment: Moment) -> msgspec.Raw:
    """By far the most of a message; the same for all who look, whatever they know already."""
    key = ("scene", seat)
    if room.kept.get(key, (None,))[0] != moment.v:
        room.kept[key] = (moment.v, msgspec.Raw(_encode(scene_json(scene_of(moment.view)))))
    raw: msgspec.Raw = room.kept[key][1]
    return raw


def _closed(room: GameRoom) -> dict[str, Any]:
    """For spectators who may not look yet."""
    title = f"{room.game.title}: spectators see this game when it is over"
    scene = {"title": title, "turn": None, "outcome": None}
    message: dict[str, Any] = {"t": "observe", "v": 0, "closed": True, "sentences": [], "scene": scene}
    return {**message, "thinking": None, "over": False}


def go_message(room: GameRoom, seat: Seat) -> str | None:
    """The offers, when it is this seat's turn."""
    if room.referee.to_act is not seat:
        return None
    key = ("go", seat)
    if key not in room.kept:
        room.kept[key] = encode({"t": "go", "n": room.n, "offers": offers_json(scene_of(room.view(seat)))})
    message: str = room.kept[key]
    return message
