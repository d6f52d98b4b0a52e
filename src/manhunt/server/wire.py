"""What goes over a page's socket: what the page reads, and nothing else. `docs/explanation/web.md` lists it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of
from manhunt.core.seeds import Secret
from manhunt.draw.scene_json import offers_json, scene_json
from manhunt.draw.scenes import scene_of
from manhunt.server.board_images import board_of
from manhunt.server.drafts import SEAT
from manhunt.server.event_sentences import sentences_of
from manhunt.server.game_files import page_files
from manhunt.server.rooms import GameRoom, Holder, Moment, People

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
    seat: Literal["evader", "pursuers"] | None = None
    """For people who hold places of both."""


class PageMove(FromPage, tag="move", frozen=True):
    n: Number
    action: Annotated[str, Meta(max_length=4096)]


class PageResign(FromPage, tag="resign", frozen=True):
    pass


class PageUndo(FromPage, tag="undo", frozen=True):
    """Takes a drafted move back."""

    place: Annotated[str, Meta(max_length=40)]


class PageConfirm(FromPage, tag="confirm", frozen=True):
    """Agrees with the team's draft."""


class PageUnconfirm(FromPage, tag="unconfirm", frozen=True):
    pass


class PageTakeBack(FromPage, tag="takeback", frozen=True):
    """Wants the last turn back."""


class PageAnswer(FromPage, tag="answer", frozen=True):
    """To a take-back that the other side asks for."""

    yes: bool


class PagePing(FromPage, tag="ping", frozen=True):
    pass


PageTurn = PageMove | PageUndo | PageConfirm | PageUnconfirm | PageTakeBack | PageAnswer | PageResign
PageMessage = PageHello | PageTurn | PagePing
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


def new_message(room: GameRoom, digest: str | None, holder: Holder | None = None) -> str:
    """What does not change: which game, its page and board, who sits where; at a table, who reads this."""
    game, plan, board = room.game, room.plan, board_of(room.game, room.plan.config)
    facts = {
        "title": game.title,
        "seats": {s.value: plan.seats[s] for s in PLAYERS},
        "levels": {s.value: kit_of(game.name).title_of_level(s, plan.seats[s]) for s in PLAYERS},
        "names": {s.value: game.seat_names[s] for s in PLAYERS},
        "called": {s.value: game.called(s) for s in PLAYERS},
        "spectators": plan.spectators.value,
        "commitment": room.referee.commitment,
        "seeded": not isinstance(plan.seed, Secret),
        **(_at_table(room, room.people, holder) if plan.table and room.people is not None else {}),
    }
    shown = board and {"name": board.name, "digest": digest}
    return encode({"t": "new", "game": game.name, "page": page_files(kit_of(game.name)), "board": shown, "room": facts})


def _at_table(room: GameRoom, people: People, holder: Holder | None) -> dict[str, Any]:
    """The link to the table is the invitation to it: spectators who came without it are not told."""
    members = {seat: people.members(seat) for seat in PLAYERS}
    is_known = holder is not None and holder.person is not None
    return {
        **({"table": room.plan.table} if is_known else {}),
        "you": _you(holder or Holder(Seat.SPECTATOR), members),
        "people": {seat.value: [people.name(person) for person in members[seat]] for seat in PLAYERS},
        "options": room.plan.options.to_json(),
    }


def _you(holder: Holder, members: Mapping[Seat, Mapping[int, frozenset[str]]]) -> dict[str, Any]:
    person = holder.person
    mine = {seat: held[person] for seat, held in members.items() if person is not None and person in held}
    everything = sorted(frozenset().union(*mine.values()))
    return {
        "person": person,
        "seat": holder.seat.value,
        "seats": [seat.value for seat in mine] or ([holder.seat.value] if holder.seat in PLAYERS else []),
        "places": everything if person is not None and holder.places is not None else None,
    }


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
    message = {
        "t": "observe",
        "v": moment.v,
        "sentences": sentences_of(room.game.name, [event for event in news if len(event) > 1]),
        "scene": _scene(room, seat, moment),
        "thinking": room.thinking.value if room.thinking and is_now else None,
        "over": room.over,
    }
    end = room.referee.outcome
    if end is not None and room.referee.is_forfeited:
        loser = next(seat for seat in PLAYERS if seat.side is end.winner.other)
        message["forfeit"] = {"seat": loser.value, "why": end.why or "failed"}
    if seat is SEAT and room.turns.is_drafted:
        message["draft"] = _draft(room)
    return message


def _draft(room: GameRoom) -> dict[str, Any]:
    """For the team alone."""
    turns = room.turns
    draft, needed = turns.present_draft, turns.needed()
    keys = ("place", "person", "action", "words", "picks")
    moves = [{key: getattr(move, key) for key in keys} for move in draft.moves]
    confirmed = sorted(draft.confirmed.intersection(needed))
    return {"moves": moves, "confirmed": confirmed, "needed": needed, "open": turns.still_to_move()}


def _scene(room: GameRoom, seat: Seat, moment: Moment) -> msgspec.Raw:
    """By far the most of a message; the same for all who look, whatever they know already."""
    key = ("scene", seat)
    if room.kept.get(key, (None,))[0] != moment.v:
        view = room.turns.shown_view(moment.view) if seat is SEAT else moment.view
        scene = scene_of(view)
        if view.to_act is not moment.view.to_act:  # a planned turn is not over before it has happened
            now = scene_of(moment.view)
            scene = replace(scene, title=now.title, turn_words=now.turn_words, round=now.round)
        room.kept[key] = (moment.v, msgspec.Raw(_encode(scene_json(scene))))
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
    if room.referee.to_act is not seat or (seat is SEAT and (room.turns.to_come or room.turns.is_for_agent(seat))):
        return None
    key = ("go", seat)
    if key not in room.kept:
        is_team = seat is SEAT and (room.people is not None or room.turns.is_drafted)
        offers = _team_offers(room) if is_team else None
        made = offers_json(scene_of(room.view(seat))) if offers is None else offers
        room.kept[key] = encode({"t": "go", "n": room.n, "offers": made})
    message: str = room.kept[key]
    return message


def _team_offers(room: GameRoom) -> list[dict[str, Any]] | None:
    """What pieces that people hold may do after the drafted moves, each offer with its place."""
    turns = room.turns
    if turns.team is None:
        return None
    view = turns.drafted_view(room.view(SEAT)) if turns.is_drafted else room.view(SEAT)
    place_of, held = turns.team.places_by_action(view), turns.held(SEAT)
    offers = [{**offer, "place": place_of.get(offer.get("action", ""))} for offer in offers_json(scene_of(view))]
    return [offer for offer in offers if offer["place"] in held]


def status_message(room: GameRoom) -> str:
    """Take-backs and clocks, for players."""
    return encode(room.turns.status())
