"""Setting up any situation in Python and asking about it, without presets or the referee.

    >>> from manhunt.games.scotland_yard.rules.model import Player, new_game, travel_log
    >>> mrx = Player("mrx", {"taxi": 4, "bus": 3, "underground": 3}, at=104)
    >>> state = new_game("london", [False, True], mrx, [Player("red", {"taxi": 11}, at=117)])
    >>> state.offered
    ('T86', 'T116')
    >>> state = state.advance("T86")
    >>> state.winner, state.place_of("red"), travel_log(state)
    (frozenset(), '117', (('taxi', None),))

Moves are values: `single(board, "red", "bus", 46) in state.available_moves`, or by notation `"R:B46" in
state.offered`. A state has `available_moves`, `offered`, `advance`, `winner`, `log`, `tickets_of`, `place_of`,
`players`; it never changes. docs/reference/coursework.md maps the model of the programming course to these names.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from manhunt.boards.board import Board
from manhunt.boards.catalog import load_board
from manhunt.core.errors import BadBoard, BadConfig, ManhuntError, one_of
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.rules.actions import (
    DETECTIVES,
    Double,
    Piece,
    Single,
    Ticket,
    Tickets,
    parse_piece,
    parse_ticket,
)
from manhunt.games.scotland_yard.rules.config import (
    ScotlandYardConfig,
    ScotlandYardOrder,
    check_board,
    parse_order,
    parse_rounds,
    parse_tickets,
)
from manhunt.games.scotland_yard.rules.state import LogEntry, ScotlandYardState

Label = str | int
Held = Tickets | Mapping[Ticket, int] | Mapping[str, int]


@dataclass(frozen=True, slots=True, init=False)
class StartingPlayer:
    """A piece (or its name) with its tickets (what is not named is 0) and the label of its node."""

    piece: Piece
    tickets: Held
    at: Label

    def __init__(self, piece: Piece | str, tickets: Held, at: Label) -> None:
        try:
            object.__setattr__(self, "piece", parse_piece(piece) if isinstance(piece, str) else piece)
        except ManhuntError as error:
            raise BadConfig(str(error)) from None
        object.__setattr__(self, "tickets", tickets)
        object.__setattr__(self, "at", at)


Player = StartingPlayer
"""`StartingPlayer`, under the name that the programming course uses."""


def new_game(
    board: Board | str,
    rounds: Iterable[bool],
    mrx: StartingPlayer,
    detectives: Iterable[StartingPlayer],
    order: ScotlandYardOrder | str = "any",
) -> ScotlandYardState:
    """A new game on any board with any rounds (True is shown), places and tickets; BadConfig says what is wrong.

    A board of the catalogue can be given by name.

    >>> mrx = Player("mrx", {"taxi": 4, "bus": 3, "underground": 3}, 104)
    >>> state = new_game("london", [False, True], mrx, [Player("red", {"taxi": 11}, 117)])
    >>> state.offered
    ('T86', 'T116')
    """
    place = load_board(board) if isinstance(board, str) else board
    check_board(place)
    team = _team(detectives)
    _check_players(mrx, team)
    config = ScotlandYardConfig(
        board=place,
        rounds=parse_rounds(rounds),
        n_detectives=len(team),
        mrx_tickets=_held(mrx),
        detective_tickets=_held(team[0]),
        order=parse_order(order),
    )
    return placed(config, mrx, team, free=True)


def new_position(
    board: Board | str,
    rounds: Iterable[bool],
    mrx: StartingPlayer,
    detectives: Iterable[StartingPlayer],
    log: Iterable[tuple[Ticket | str, Label | None]],
    waiting: Iterable[Piece | str] = (),
    order: ScotlandYardOrder | str = "any",
) -> ScotlandYardState:
    """A position in the middle of a game: the players with their present places and tickets, the travel log as
    `travel_log` returns it, and the detectives who have yet to move in this turn. If none are waiting, it is Mr X's
    turn. BadConfig says what is wrong.
    """
    from manhunt.games.scotland_yard.rules.rules import passed_over

    start = new_game(board, rounds, mrx, detectives, order)
    filled = _log(start, log)
    try:
        names = {parse_piece(name) for name in waiting}
    except ManhuntError as error:
        raise BadConfig(f"waiting: {error}") from None
    if strange := [piece for piece in sorted(names) if piece not in start.pieces]:
        raise BadConfig(f"{strange[0]} cannot be waiting; the detectives are {one_of(map(str, start.pieces))}")
    if names and not filled:
        raise BadConfig("detectives are waiting, but the log is empty; Mr X moves first")
    in_seats = tuple(piece for piece in start.pieces if piece in names)
    return passed_over(replace(start, log=filled, waiting=in_seats))


def _log(start: ScotlandYardState, entries: Iterable[tuple[Ticket | str, Label | None]]) -> tuple[LogEntry, ...]:
    """Entries that fit the rounds: a shown one has a node, a hidden one none, and Mr X is still at the last one."""
    rounds, board, filled = start.config.rounds, start.config.board, list[LogEntry]()
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, tuple | list) or len(entry) != 2:
            raise BadConfig(f"log entry {number} is {entry!r}; give (ticket, label), as ('bus', 46) or ('bus', None)")
        if number > len(rounds):
            raise BadConfig(f"the log has more entries than the game rounds, which are {len(rounds)}")
        if rounds[number - 1] is not (entry[1] is not None):
            what = "is shown, so it needs a label" if rounds[number - 1] else "is hidden, so its label is None"
            raise BadConfig(f"log entry {number} is {entry!r}; round {number} {what}")
        try:
            ticket = parse_ticket(entry[0])
            node = None if entry[1] is None else board.node(entry[1])
        except ManhuntError as error:
            raise BadConfig(f"log entry {number}: {error}") from None
        if ticket is Ticket.DOUBLE:
            raise BadConfig(f"log entry {number}: a double move fills two entries with the tickets of its steps")
        filled.append(LogEntry(ticket, node))
    if filled and filled[-1].node not in (None, start.quarry):
        raise BadConfig(f"Mr X was shown last, so he is still at {entry[1]}, not at {board.label(start.quarry)}")
    return tuple(filled)


def placed(
    config: ScotlandYardConfig, mrx: StartingPlayer | None, detectives: Sequence[StartingPlayer], *, free: bool
) -> ScotlandYardState:
    """Paragraphs 5 to 7: the first state of a game with these players."""
    _check_players(mrx, detectives)
    assert mrx is not None
    if len(detectives) != config.n_detectives:
        raise BadConfig(f"{len(detectives)} detectives are placed, but the config has {config.n_detectives}")
    pursuers = tuple(_node(config, player) for player in detectives)
    for i, player in enumerate(detectives):
        if pursuers[i] in pursuers[:i]:
            other = detectives[pursuers.index(pursuers[i])].piece
            raise BadConfig(f"{other} and {player.piece} are both on {player.at}; each detective needs their own node")
    return ScotlandYardState(
        config,
        _node(config, mrx),
        tuple(player.piece for player in detectives),
        pursuers,
        tuple(_held(player) for player in (mrx, *detectives)),
        free=free,
    )


def _team(detectives: object) -> tuple[StartingPlayer, ...]:
    if detectives is None:
        return ()
    if isinstance(detectives, str | Mapping) or not isinstance(detectives, Iterable):
        raise BadConfig(
            f"detectives must be a list such as [StartingPlayer(Piece.RED, tickets, at=117)], not {detectives!r}"
        )
    return tuple(detectives)


def _check_players(mrx: StartingPlayer | None, detectives: Sequence[StartingPlayer]) -> None:
    if mrx is None:
        raise BadConfig("no Mr X; give his piece, tickets and node")
    _check_player("mrx", mrx)
    if mrx.piece is not Piece.MRX:
        raise BadConfig(f"{mrx.piece} is a detective and cannot be Mr X; his piece is Piece.MRX")
    if not detectives:
        raise BadConfig("no detectives; give one to five")
    if any(player is None for player in detectives):
        raise BadConfig("one of the detectives is None; each needs piece, tickets and node")
    if len(detectives) > len(DETECTIVES):
        raise BadConfig(f"{len(detectives)} detectives; at most {len(DETECTIVES)} can play")
    for i, player in enumerate(detectives, 1):
        _check_player(f"detective {i}", player)
    if any(player.piece is Piece.MRX for player in detectives):
        raise BadConfig(f"Mr X is among the detectives; their pieces are {one_of(map(str, DETECTIVES))}")
    pieces = [player.piece for player in detectives]
    if twice := [piece for i, piece in enumerate(pieces) if piece in pieces[:i]]:
        raise BadConfig(f"two detectives are {twice[0]}; each piece plays once")
    for player in (mrx, *detectives):
        _held(player)


def _check_player(who: str, player: object) -> None:
    if not isinstance(player, StartingPlayer):
        raise BadConfig(f"{who} is {player!r}; give a StartingPlayer with piece, tickets and node")
    if not isinstance(player.piece, Piece):
        known = one_of(f"Piece.{piece.name}" for piece in Piece)
        raise BadConfig(f"{who}: {player.piece!r} is not a Piece; pieces are {known}")


def _held(player: StartingPlayer) -> Tickets:
    return parse_tickets(str(player.piece), player.tickets, is_detective=player.piece.is_detective)


def _node(config: ScotlandYardConfig, player: StartingPlayer) -> Node:
    try:
        return config.board.node(player.at)
    except BadBoard as error:
        raise BadConfig(f"{player.piece}: {error}") from None


def single(board: Board, piece: Piece | str, ticket: Ticket | str, to: Label) -> Single:
    """A single move to the node with this label."""
    return Single(parse_piece(piece), parse_ticket(ticket), board.node(to))


@overload
def double(
    board: Board, piece: Piece | str, ticket1: Ticket | str, mid: Label, ticket2: Ticket | str, to: Label
) -> Double: ...
@overload
def double(board: Board, ticket1: Ticket | str, mid: Label, ticket2: Ticket | str, to: Label) -> Double: ...
def double(board: Board, *parts: Any, **named: Any) -> Double:
    """A double move by way of `mid` to `to`, both labels; you can leave out the piece, because only Mr X makes them."""
    if len(parts) + len(named) == 4 and "piece" not in named:
        parts = (Piece.MRX, *parts)
    return _double(board, *parts, **named)


def _double(
    board: Board, piece: Piece | str, ticket1: Ticket | str, mid: Label, ticket2: Ticket | str, to: Label
) -> Double:
    first, second = (parse_ticket(ticket1), board.node(mid)), (parse_ticket(ticket2), board.node(to))
    return Double(parse_piece(piece), *first, *second)


def travel_log(state: ScotlandYardState) -> tuple[tuple[str, str | None], ...]:
    """The log as (ticket, label), with None for hidden nodes."""
    label = state.config.board.label
    return tuple((str(entry.ticket), None if entry.node is None else label(entry.node)) for entry in state.log)
