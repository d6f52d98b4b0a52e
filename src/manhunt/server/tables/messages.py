"""What goes over a table's socket. `docs/explanation/web.md` lists it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of
from manhunt.draw.look import pursuer_look
from manhunt.server.tables.state import Place
from manhunt.server.wire import BadPageMessage, encode
from manhunt.store.tables import KeptMessage

if TYPE_CHECKING:
    from manhunt.server.tables.open_table import OpenTable

Name = Annotated[str, Meta(max_length=100)]
PlaceId = Annotated[str, Meta(max_length=40)]
PersonId = Annotated[int, Meta(ge=1, le=2**31)]


class FromTablePage(Struct, tag_field="t", frozen=True):
    """Whatever a page says to its table."""


class Hello(FromTablePage, tag="hello", frozen=True):
    token: Annotated[str, Meta(max_length=200)] | None = None


class Join(FromTablePage, tag="join", frozen=True):
    name: Name


class Rename(FromTablePage, tag="rename", frozen=True):
    name: Name


class Sit(FromTablePage, tag="sit", frozen=True):
    place: PlaceId


class Stand(FromTablePage, tag="stand", frozen=True):
    place: PlaceId


class Hand(FromTablePage, tag="hand", frozen=True):
    place: PlaceId
    to: PersonId | Literal["agent"]


class Agents(FromTablePage, tag="agents", frozen=True):
    seat: Literal["evader", "pursuers"]
    spec: Annotated[str, Meta(min_length=1, max_length=200)]


class Options(FromTablePage, tag="options", frozen=True):
    """Only what is to be changed."""

    help: str | msgspec.UnsetType = msgspec.UNSET
    confirm: bool | msgspec.UnsetType = msgspec.UNSET
    take_backs: bool | msgspec.UnsetType = msgspec.UNSET
    turn_seconds: float | msgspec.UnsetType | None = msgspec.UNSET
    game_seconds: float | msgspec.UnsetType | None = msgspec.UNSET
    increment_seconds: float | msgspec.UnsetType = msgspec.UNSET
    on_timeout: str | msgspec.UnsetType = msgspec.UNSET
    spectators: str | msgspec.UnsetType = msgspec.UNSET
    seconds: float | msgspec.UnsetType = msgspec.UNSET
    public: bool | msgspec.UnsetType = msgspec.UNSET
    on_leave: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def values(self) -> dict[str, Any]:
        return {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) is not msgspec.UNSET}


class Start(FromTablePage, tag="start", frozen=True):
    pass


class Remove(FromTablePage, tag="remove", frozen=True):
    place: PlaceId


class Say(FromTablePage, tag="say", frozen=True):
    to: Literal["table", "team"]
    text: Annotated[str, Meta(max_length=2_000)]


class React(FromTablePage, tag="react", frozen=True):
    sign: Annotated[str, Meta(max_length=8)]


class AskRematch(FromTablePage, tag="rematch", frozen=True):
    swap: bool = False


class Ping(FromTablePage, tag="ping", frozen=True):
    pass


TableMessage = (
    Hello | Join | Rename | Sit | Stand | Hand | Agents | Options | Start | Remove | Say | React | AskRematch | Ping
)
_decoder: msgspec.json.Decoder[TableMessage] = msgspec.json.Decoder(TableMessage)


def decode(data: str | bytes) -> TableMessage:
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadPageMessage(f"could not parse the message: {error}") from None


def state_json(open_table: OpenTable, you: int | None) -> dict[str, Any]:
    """What everybody may know about a table; only `you` depends on who looks."""
    table, here, away = open_table.table, open_table.here, open_table.away
    kit, asked = kit_of(table.game), table.rematch
    people = [
        {
            "id": person.id,
            "name": person.name,
            "here": person.id in here,
            "away": person.id in away,
            "places": [place.id for place in table.places if table.holders.get(place.id) == person.id],
            "wins": person.wins,
        }
        for person in table.people
    ]
    return {
        "table": table.uid,
        "game": table.game,
        "title": kit.title,
        "preset": table.preset,
        "board": table.board,
        "host": open_table.host,
        "you": you,
        "people": people,
        "places": [
            {
                "id": place.id,
                "seat": place.seat.value,
                "name": place.name,
                "letter": place.letter,
                **_colours(place),
                "index": place.index,
                "holder": table.holders.get(place.id),
            }
            for place in table.places
        ],
        "agents": {
            seat.value: {"spec": spec, "level": kit.title_of_level(seat, spec)}
            for seat in PLAYERS
            for spec in [table.agents[seat.value]]
        },
        "options": table.terms.to_json(),
        "state": table.phase.value,
        "play": table.play,
        "rematch": asked and {"swap": asked.swap, "agreed": sorted(asked.agreed)},
        "series": [
            {"play": game.play, "winner": game.winner.value, "words": game.words, "names": dict(game.names)}
            for game in table.series
        ],
        "score": [
            {"id": person.id, "name": person.name, "wins": person.wins}
            for person in sorted(table.people, key=lambda person: -person.wins)
            if person.wins or person.id in table.seated
        ],
    }


def _colours(place: Place) -> dict[str, str | None]:
    """Of its piece; the evader's is for the page to choose."""
    if place.seat is Seat.EVADER:
        return {"colour": None, "on": None}
    look = pursuer_look(place.index)
    return {"colour": look.colour, "on": look.on_colour}


def table_message(open_table: OpenTable, you: int | None) -> str:
    return encode({"t": "table", **state_json(open_table, you)})


def said_message(message: KeptMessage, n: int) -> str:
    to = "table" if message.play is None else "team"
    about = {"id": message.person, "name": message.name, "to": to, "text": message.text, "at": message.at}
    return encode({"t": "said", "n": n, **about})
