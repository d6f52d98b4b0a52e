"""Setting up any situation in Python and asking about it, without presets or the referee.

    >>> from manhunt.boards.catalog import load_board
    >>> from manhunt.games.scotland_yard.actions import Piece, Tickets
    >>> from manhunt.games.scotland_yard.model import Player, new_game, travel_log
    >>> mrx = Player(Piece.MRX, Tickets(taxi=4, bus=3, underground=3), at=104)
    >>> state = new_game(load_board("london"), [False, True], mrx, [Player(Piece.RED, {"taxi": 11}, at=117)])
    >>> state.offered
    ('T86', 'T116')
    >>> state = state.advance("T86")
    >>> state.winner, state.place_of(Piece.RED), travel_log(state)
    (frozenset(), '117', (('taxi', None),))

Moves are values: `single(board, Piece.RED, Ticket.BUS, 46) in state.available_moves`, or by notation
`"R:B46" in state.offered`. A state has `available_moves`, `offered`, `advance`, `winner`, `log`, `tickets_of`,
`place_of`, `players`; it never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from manhunt.boards.board import Board
from manhunt.errors import BadBoard, BadConfig, one_of
from manhunt.games.scotland_yard.actions import DETECTIVES, Double, Piece, Single, Ticket, Tickets
from manhunt.games.scotland_yard.config import (
    Config,
    Order,
    check_board,
    check_tickets,
    parse_order,
    parse_tickets,
)
from manhunt.games.scotland_yard.state import State
from manhunt.ids import Node

Label = str | int
Held = Tickets | Mapping[Ticket, int] | Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Player:
    """A piece at the start: its tickets (what is not named is 0) and the label of its node."""

    piece: Piece
    tickets: Held
    at: Label


def new_game(
    board: Board,
    rounds: Iterable[bool],
    mrx: Player,
    detectives: Sequence[Player],
    order: Order | str = "any",
) -> State:
    """A new game on any board with any rounds (True is shown), places and tickets; BadConfig says what is wrong."""
    check_board(board)
    _check_players(mrx, detectives)
    slots = tuple(rounds) if rounds is not None else ()
    config = Config(
        board=board,
        rounds=slots,
        n_detectives=len(detectives),
        mrx_tickets=_held(mrx),
        detective_tickets=_held(detectives[0]),
        order=parse_order(order),
    )
    return placed(config, mrx, detectives, free=True)


def placed(config: Config, mrx: Player | None, detectives: Sequence[Player], *, free: bool) -> State:
    """Paragraphs 5 to 7: the first state of a game with these players."""
    _check_players(mrx, detectives)
    assert mrx is not None
    if len(detectives) != config.n_detectives:
        raise BadConfig(f"{len(detectives)} detectives are placed, but the config has {config.n_detectives}")
    pursuers = tuple(_node(config, player) for player in detectives)
    for i, player in enumerate(detectives):
        if pursuers[i] in pursuers[:i]:
            other = detectives[pursuers.index(pursuers[i])].piece
            raise BadConfig(f"{other} and {player.piece} are both on {player.at}; each detective needs his own node")
    return State(
        config,
        _node(config, mrx),
        tuple(player.piece for player in detectives),
        pursuers,
        tuple(_held(player) for player in (mrx, *detectives)),
        free=free,
    )


def _check_players(mrx: Player | None, detectives: Sequence[Player] | None) -> None:
    if mrx is None:
        raise BadConfig("no Mr X; give his piece, tickets and node")
    if mrx.piece is not Piece.MRX:
        raise BadConfig(f"{mrx.piece} is a detective and cannot be Mr X; his piece is Piece.MRX")
    if not detectives:
        raise BadConfig("no detectives; give one to five")
    if any(player is None for player in detectives):
        raise BadConfig("one of the detectives is None; each needs piece, tickets and node")
    if any(player.piece is Piece.MRX for player in detectives):
        raise BadConfig(f"Mr X is among the detectives; their pieces are {one_of(map(str, DETECTIVES))}")
    if strange := [player.piece for player in detectives if not isinstance(player.piece, Piece)]:
        raise BadConfig(f"{strange[0]!r} is no piece; detectives are {one_of(map(str, DETECTIVES))}")
    pieces = [player.piece for player in detectives]
    if twice := [piece for i, piece in enumerate(pieces) if piece in pieces[:i]]:
        raise BadConfig(f"two detectives are {twice[0]}; each piece plays once")
    if len(pieces) > len(DETECTIVES):
        raise BadConfig(f"{len(pieces)} detectives; at most {len(DETECTIVES)} can play")
    for player in (mrx, *detectives):
        check_tickets(str(player.piece), _held(player), is_detective=player.piece.is_detective)


def _held(player: Player) -> Tickets:
    return parse_tickets(str(player.piece), player.tickets)


def _node(config: Config, player: Player) -> Node:
    try:
        return config.board.node(player.at)
    except BadBoard as error:
        raise BadConfig(f"{player.piece}: {error}") from None


def single(board: Board, piece: Piece, ticket: Ticket, to: Label) -> Single:
    """A single move to the node with this label."""
    return Single(piece, ticket, board.node(to))


def double(board: Board, ticket1: Ticket, mid: Label, ticket2: Ticket, to: Label) -> Double:
    """Mr X's double move over `mid`, both by label."""
    return Double(Piece.MRX, ticket1, board.node(mid), ticket2, board.node(to))


def travel_log(state: State) -> tuple[tuple[str, str | None], ...]:
    """The log as (ticket, label), with None for hidden nodes."""
    label = state.config.board.label
    return tuple((str(entry.ticket), None if entry.node is None else label(entry.node)) for entry in state.log)
