"""What people do at a table: each function makes the next table, or raises NotAllowed and says why."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from manhunt.core.ids import PLAYERS, Seat
from manhunt.server.rooms import SpectatorPolicy
from manhunt.server.table_options import TableOptions
from manhunt.server.tables.state import (
    HOST,
    NotAllowed,
    OnLeave,
    Person,
    Phase,
    PlayedGame,
    Rematch,
    Table,
    Terms,
    same_level,
    with_person,
)

LONGEST_NAME = 24
MOST_PEOPLE = 40
MOST_SERIES = 200
MOST_SECONDS = 90 * 86_400
"""Of a clock."""
MOST_MARKS = 2
JOINER = "\u200d"
_PICTURE_PARTS = (JOINER, "\ufe0e", "\ufe0f")
"""What joins pictures into one and says how they look; nobody sees them anywhere else."""
_PICTURE = ("So", "Sk")
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Kinds of signs that nobody sees, or that turn the text around them."""
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that nobody sees: with them two names could look the same, or like nothing."""


def clean_name(text: str) -> str:
    """A name as it is shown and recorded; NotAllowed if nothing is left of it."""
    name = clean_text(text.replace(",", " "))
    if not 1 <= len(name) <= LONGEST_NAME:
        raise NotAllowed(f"a name has 1 to {LONGEST_NAME} characters")
    return name


def clean_text(text: str) -> str:
    """Without signs that cannot be seen, and without marks piled up on a letter."""
    kept: list[str] = []
    n_marks = 0
    for sign in unicodedata.normalize("NFC", _UNSEEN.sub("", text)):
        kind = unicodedata.category(sign)
        n_marks = n_marks + 1 if kind == "Mn" else 0
        if kept[-1:] == [JOINER] and kind not in _PICTURE:
            kept.pop()
        if sign.isspace():
            kept.append(" ")
        elif sign in _PICTURE_PARTS:
            if kept and (kept[-1] in _PICTURE_PARTS or unicodedata.category(kept[-1]) in _PICTURE):
                kept.append(sign)
        elif kind not in _HIDDEN and n_marks <= MOST_MARKS:
            kept.append(sign)
    return " ".join("".join(kept).rstrip(JOINER).split())


def join(table: Table, name: str, token_hash: str, here: Collection[int] = ()) -> Table:
    """Somebody new, who holds no place yet; the highest number is theirs."""
    people = table.people
    if len(people) >= MOST_PEOPLE:
        spared = {HOST, *here, *table.holders.values()}
        leaving = next((person for person in people if person.id not in spared and not person.wins), None)
        if leaving is None:
            raise NotAllowed(f"this table is full: {MOST_PEOPLE} people")
        people = tuple(person for person in people if person is not leaving)
    number = table.n_joined + 1
    person = Person(number, _free_name(people, clean_name(name)), token_hash)
    return replace(table, people=(*people, person), n_joined=number)


def rename(table: Table, number: int, name: str) -> Table:
    others = tuple(person for person in table.people if person.id != number)
    return with_person(table, replace(table.person(number), name=_free_name(others, clean_name(name))))


def _free_name(others: Collection[Person], name: str) -> str:
    """With a number where somebody else is called so: two Annas are Anna and Anna 2."""
    taken, i, free = {person.name for person in others}, 1, name
    while free in taken:
        i += 1
        free = f"{name[: LONGEST_NAME - 3]} {i}"
    return free


def sit(table: Table, number: int, name: str, away: Collection[int] = ()) -> Table:
    """On a free place, or on all free places of a seat; those of people who are `away` may be free, too."""
    table.person(number)
    wanted = [place.id for place in table.places if name in (place.id, place.seat.value)] or [table.place(name).id]
    left = away if table.terms.on_leave is OnLeave.ANYONE else ()
    free = [place for place in wanted if table.holders.get(place) in (None, *left)]
    if not free:
        raise NotAllowed(f"{table.person(table.holders[wanted[0]]).name} sits there")
    seat = table.place(free[0]).seat
    table = _leave_other_side(table, number, seat)
    return _take(table, number, seat, free)


def stand(table: Table, number: int, name: str) -> Table:
    """Leave a place, or all of a seat; during a game an agent goes on there."""
    mine = [p.id for p in table.places if name in (p.id, p.seat.value) and table.holders.get(p.id) == number]
    if not mine:
        raise NotAllowed("you do not hold that place")
    return _vacate(table, mine)


def hand(table: Table, number: int, name: str, to: int | str) -> Table:
    """Give a place to somebody else, or to an agent."""
    if to == "agent":
        return stand(table, number, name)
    place = table.place(name)
    if table.holders.get(place.id) != number:
        raise NotAllowed("you do not hold that place")
    if not isinstance(to, int) or to not in {person.id for person in table.people}:
        raise NotAllowed("there is nobody with that number at the table")
    if to == number:
        return table
    if not table.shared and any(seat is not place.seat and to in table.members(seat) for seat in PLAYERS):
        raise NotAllowed(f"{table.person(to).name} plays the other side")
    return _take(_vacate(table, [place.id]), to, place.seat, [place.id])


def remove(table: Table, number: int, name: str, here: Collection[int], host: int = HOST) -> Table:
    """The host frees the place of somebody who is not here."""
    _check_host(number, host)
    place = table.place(name)
    holder = table.holders.get(place.id)
    if holder is None:
        raise NotAllowed("nobody holds that place")
    if holder in here and holder != number:
        raise NotAllowed(f"{table.person(holder).name} is here")
    return _vacate(table, [place.id])


def without_those_away(table: Table, away: Collection[int]) -> Table:
    """Their places are free: agents play them, until somebody takes them."""
    left = [place for place, holder in table.holders.items() if holder in away]
    return _vacate(table, left) if left else table


def _leave_other_side(table: Table, number: int, seat: Seat) -> Table:
    """Before a game one may change sides; in a game nobody can."""
    others = [place for place, holder in table.holders.items() if holder == number]
    others = [place for place in others if table.place(place).seat is not seat]
    if table.shared or not others:
        return table
    if table.phase is Phase.PLAYING:
        raise NotAllowed("you play the other side in this game")
    return _vacate(table, others)


def _take(table: Table, number: int, seat: Seat, places: Collection[str]) -> Table:
    if table.phase is Phase.PLAYING:
        if not table.shared and any(who == number and side != seat.value for who, side in table.sides):
            raise NotAllowed(f"{table.person(number).name} has played the other side in this game")
        table = replace(table, sides=table.sides | {(number, seat.value)})
    return replace(table, holders={**table.holders, **dict.fromkeys(places, number)}, rematch=None)


def _vacate(table: Table, places: Collection[str]) -> Table:
    return replace(table, holders={p: n for p, n in table.holders.items() if p not in places}, rematch=None)


def set_agents(table: Table, number: int, seat: Seat, spec: str, host: int = HOST) -> Table:
    """Whoever calls this has checked the agent."""
    _check_host_before_game(table, number, host)
    if seat not in PLAYERS:
        raise NotAllowed("agents play evader or pursuers")
    return replace(table, agents={**table.agents, seat.value: spec}, rematch=None)


def set_terms(table: Table, number: int, terms: Terms, host: int = HOST) -> Table:
    _check_host_before_game(table, number, host)
    return replace(table, terms=terms, rematch=None)


def terms_with(terms: Terms, values: Mapping[str, Any]) -> Terms:
    """These terms with other values, whose types were checked; BadConfig or NotAllowed names what is wrong."""
    own = {name: value for name, value in values.items() if name in ("spectators", "seconds", "public", "on_leave")}
    for name, kind in (("spectators", SpectatorPolicy), ("on_leave", OnLeave)):
        if name in own and own[name] not in {each.value for each in kind}:
            raise NotAllowed(f"options: {name} cannot be {str(own[name])[:40]!r}")
    if "on_leave" in own:
        own["on_leave"] = OnLeave(own["on_leave"])
    if not own.get("seconds", 1) > 0:
        raise NotAllowed("options: an agent needs some time to think")
    others = {name: value for name, value in values.items() if name not in own}
    rules = TableOptions.from_json({**terms.rules.to_json(), **others})
    _check_clock(rules)
    return replace(terms, rules=rules, **own)


def _check_clock(rules: TableOptions) -> None:
    for seconds in (rules.turn_seconds, rules.game_seconds, rules.increment_seconds):
        if seconds is not None and not 0 <= seconds <= MOST_SECONDS:
            raise NotAllowed(f"options: a clock has at most {MOST_SECONDS} seconds")
    _ = rules.time_control


def _check_host(number: int, host: int) -> None:
    if number != host:
        raise NotAllowed("only the host can do that")


def _check_host_before_game(table: Table, number: int, host: int) -> None:
    _check_host(number, host)
    if table.phase is Phase.PLAYING:
        raise NotAllowed("wait until the game is over")


def check_start(table: Table, number: int, host: int = HOST) -> None:
    _check_host_before_game(table, number, host)


def begun(table: Table, play: str) -> Table:
    """A game has begun with everybody on their places."""
    sides = frozenset((number, table.place(place).seat.value) for place, number in table.holders.items())
    return replace(table, phase=Phase.PLAYING, play=play, sides=sides, rematch=None, seed=None)


def ended(table: Table, play: str, winner: Seat, words: str, reason: str) -> Table:
    """The present game is over; nothing happens if it was not the present one."""
    if table.phase is not Phase.PLAYING or table.play != play:
        return table
    names = {seat.value: table.names_of(seat) for seat in PLAYERS}
    played = PlayedGame(play, winner, words, reason, names, table.holders)
    winners = () if table.shared else table.members(winner)
    people = tuple(replace(p, wins=p.wins + 1) if p.id in winners else p for p in table.people)
    return replace(table, phase=Phase.OVER, people=people, series=(*table.series, played)[-MOST_SERIES:])


def lost(table: Table, play: str) -> Table:
    """The present game is in the store no more."""
    if table.phase is not Phase.PLAYING or table.play != play:
        return table
    return replace(table, phase=Phase.WAITING, play=None, sides=frozenset())


def ask_rematch(table: Table, number: int, swap: bool) -> Table:
    """One more who wants another game; whoever asks for other sides than the others begins anew."""
    if table.phase is not Phase.OVER:
        raise NotAllowed("a rematch begins when the game is over")
    if number not in table.seated:
        raise NotAllowed("only people with a place can ask for a rematch")
    asked = table.rematch
    agreed = asked.agreed if asked is not None and asked.swap == swap else frozenset()
    return replace(table, rematch=Rematch(swap, agreed | {number}))


def is_agreed(table: Table, here: Collection[int]) -> bool:
    """Whether everybody with a place who is here wants the rematch."""
    return table.rematch is not None and all(n in table.rematch.agreed for n in table.seated if n in here)


def swapped(table: Table) -> Table:
    """The evader's place goes to the next person in the order of joining, whose places the old evader takes.

    Where agents alone play a side, its places are what a person leaves or takes.
    """
    if table.shared or not table.holders:
        return table
    evaders, pursuers = (table.members(seat) for seat in PLAYERS)
    old = next(iter(evaders), None)
    after = [number for number in pursuers if old is None or number > old]
    new = next(iter(after or pursuers), None)
    holders = {place: number for place, number in table.holders.items() if number not in (old, new)}
    if new is not None:
        holders |= {place.id: new for place in table.places_of(Seat.EVADER)}
    if old is not None:
        taken = pursuers[new] if new is not None else [place.id for place in table.places_of(Seat.PURSUERS)]
        holders |= dict.fromkeys(taken, old)
    return _with_same_level(table, replace(table, holders=holders, rematch=None))


def _with_same_level(before: Table, after: Table) -> Table:
    """An agent that had a whole seat and plays the other one now keeps its level."""
    for seat, other in (PLAYERS, PLAYERS[::-1]):
        if not before.members(seat) and not after.members(other):
            spec = same_level(before.game, seat, before.agents[seat.value])
            if spec is not None:
                return replace(after, agents={**after.agents, other.value: spec})
    return after
