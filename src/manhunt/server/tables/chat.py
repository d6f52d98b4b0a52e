"""What is said at a table, and who may read it."""

from __future__ import annotations

from collections.abc import Sequence

from manhunt.core.ids import PLAYERS, Seat
from manhunt.server.tables.changes import clean_text
from manhunt.server.tables.state import NotAllowed, Table
from manhunt.store.tables import KeptMessage

LONGEST_TEXT = 300
MOST_KEPT = 1_000
"""Of what is for everybody, and of what is for each team; older messages go away."""
MOST_TOLD = 100
"""To somebody who comes."""
SIGNS = ("👍", "👏", "😂", "😮", "🤔", "😱", "🔥", "👋")
"""The quick reactions."""

Team = tuple[str, Seat]
"""A game and a seat of it."""


def team_of(table: Table, person: int | None) -> Team | None:
    """With whom somebody plays the present game; None without a place, or with places on both sides."""
    if table.play is None or person is None:
        return None
    holders = table.holders_in(table.play)
    seats = [seat for seat in PLAYERS if person in table.members(seat, holders)]
    return (table.play, seats[0]) if len(seats) == 1 else None


def team_of_message(message: KeptMessage) -> Team | None:
    """None for what everybody at the table may read."""
    return None if message.play is None else (message.play, Seat(message.seat))


def may_read(table: Table, person: int | None, message: KeptMessage) -> bool:
    """A team's messages are for those who hold a place of its seat in the present game, and for nobody else."""
    team = team_of_message(message)
    return team is None or team == team_of(table, person)


def kept_with(message: KeptMessage, before: Sequence[KeptMessage]) -> list[KeptMessage]:
    """What a table keeps when this is said.

    How much a team says changes nothing of what others find. What teams of earlier games said, nobody can read.
    """
    team = team_of_message(message)
    n_spare = sum(team_of_message(each) == team for each in before) + 1 - MOST_KEPT
    kept = []
    for each in before:
        if n_spare > 0 and team_of_message(each) == team:
            n_spare -= 1
        elif message.play is None or each.play in (None, message.play):
            kept.append(each)
    return [*kept, message]


def make_message(table: Table, person: int, to: str, text: str, number: int, at: float) -> KeptMessage:
    """NotAllowed where there is nothing to say, or no team to say it to."""
    words = clean_text(text)
    if not words:
        raise NotAllowed("there is nothing to send")
    if len(words) > LONGEST_TEXT:
        raise NotAllowed(f"text too long: {len(words)} characters (max {LONGEST_TEXT})")
    name = table.person(person).name
    if to == "table":
        return KeptMessage(table.uid, number, person, name, words, at)
    team = team_of(table, person)
    if team is None:
        raise NotAllowed("the team chat is for people who hold a place in the present game")
    return KeptMessage(table.uid, number, person, name, words, at, team[0], team[1].value)
