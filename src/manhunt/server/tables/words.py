"""What a list says about a table's game: how far it is, and how it ended for whoever looks."""

from __future__ import annotations

from manhunt.core.ids import PLAYERS, Seat
from manhunt.draw.scenes import scene_of
from manhunt.server.rooms import RESIGN, GameRoom
from manhunt.server.tables.state import Phase, Table


def result_of(room: GameRoom) -> tuple[Seat, str, str]:
    """The seat that won, the result in words, and the reason alone; empty where a cost was paid and nobody won."""
    outcome = room.referee.outcome
    assert outcome is not None
    winner, loser = PLAYERS if outcome.winner is PLAYERS[0].side else PLAYERS[::-1]
    fault = room.referee.faults[-1] if room.referee.faults else None
    if fault is not None and fault.why == RESIGN and fault.seat is loser:
        reason = f"{room.game.called(loser)} resigned"
        return winner, f"{room.game.called(winner)} won: {reason}", reason
    words = scene_of(room.view(Seat.SPECTATOR)).ending
    return winner, words, reason_in(words) if outcome.cost is None else ""


def reason_in(words: str) -> str:
    """`Ann wins (Bob is caught)` and `Ann won: Bob is caught` without the winner."""
    _, sign, reason = words.partition(": " if ": " in words else " (")
    return (reason.removesuffix(")") if sign == " (" else reason) or words


def words_for(table: Table, person: int, room: GameRoom | None) -> str:
    """`round 5, your turn`, or the result from the side of this person."""
    if table.phase is Phase.OVER and table.series:
        last = table.series[-1]
        seats = {table.place(place).seat for place, number in last.holders.items() if number == person}
        if len(seats) != 1 or not last.reason:
            return last.words
        return f"You {'won' if last.winner in seats else 'lost'}: {last.reason}"
    if room is None:
        return "waiting for people"
    seat = room.referee.to_act
    if person not in table.seated or seat not in PLAYERS:
        return f"round {round_for(table, person, room)}"
    turn = "your turn" if is_turn_of(table, person, room) else f"{room.game.called(seat)} to move"
    return f"round {round_for(table, person, room)}, {turn}"


def round_for(table: Table, person: int, room: GameRoom) -> int:
    """Counted from 1, as far as this person may see."""
    seat = next((seat for seat in PLAYERS if person in table.members(seat)), Seat.SPECTATOR)
    moment = room.moment(seat)
    return max(1, moment.round) if moment is not None else 1


def is_turn_of(table: Table, person: int, room: GameRoom) -> bool:
    """Whether the game waits for this person, and not for others of the same side."""
    seat = room.referee.to_act
    return not room.over and seat in PLAYERS and person in table.members(seat) and room.turns.is_waiting_for(person)
