"""Setting up any situation in Python and asking about it, without presets or the referee.

    >>> from manhunt.boards.catalog import load_board
    >>> from manhunt.games.scotland_yard.rules.actions import Piece, Tickets
    >>> from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game, travel_log
    >>> mrx = StartingPlayer(Piece.MRX, Tickets(taxi=4, bus=3, underground=3), at=104)
    >>> state = new_game(load_board("london"), [False, True], mrx, [StartingPlayer(Piece.RED, {"taxi": 11}, at=117)])
    >>> state.offered
    ('T86', 'T116')
    >>> state = state.advance("T86")
    >>> state.winner, state.place_of(Piece.RED), travel_log(state)
    (frozenset(), '117', (('taxi', None),))

Moves are values: `single(board, Piece.RED, Ticket.BUS, 46) in state.available_moves`, or by notation
`"R:B46" in state.offered`. A state has `available_moves`, `offered`, `advance`, `winner`, `log`, `tickets_of`,
`place_of`, `players`; it never changes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from manhunt.boards.board import Board
from manhunt.boards.catalog import load_board
from manhunt.core.errors import BadBoard, BadConfig, one_of
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Double, Piece, Single, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import (
    ScotlandYardConfig,
    ScotlandYardOrder,
    check_board,
    parse_order,
    parse_rounds,
    parse_tickets,
)
from manhunt.games.scotland_yard.rules.state import ScotlandYardState

Label = str | int
Held = Tickets | Mapping[Ticket, int] | Mapping[str, int]


@dataclass(frozen=True, slots=True)
class StartingPlayer:
    """A piece at the start: its tickets (what is not named is 0) and the label of its node."""

    piece: Piece
    tickets: Held
    at: Label


def new_game(
    board: Board | str,
    rounds: Iterable[bool],
    mrx: StartingPlayer,
    detectives: Iterable[StartingPlayer],
    order: ScotlandYardOrder | str = "any",
) -> ScotlandYardState:
    """A new game on any board with any rounds (True is shown), places and tickets; BadConfig says what is wrong.

    A board of the catalogue can be given by name.
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
            raise BadConfig(f"{other} and {player.piece} are both on {player.at}; each detective needs his own node")
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
        raise BadConfig(f"{who}: {player.piece!r} is no Piece; pieces are {known}")


def _held(player: StartingPlayer) -> Tickets:
    return parse_tickets(str(player.piece), player.tickets, is_detective=player.piece.is_detective)


def _node(config: ScotlandYardConfig, player: StartingPlayer) -> Node:
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


def travel_log(state: ScotlandYardState) -> tuple[tuple[str, str | None], ...]:
    """The log as (ticket, label), with None for hidden nodes."""
    label = state.config.board.label
    return tuple((str(entry.ticket), None if entry.node is None else label(entry.node)) for entry in state.log)
