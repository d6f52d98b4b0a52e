"""Random tables and games of Scotland Yard, and boards in one line of text."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.core.ids import Transport
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Piece, ScotlandYardAction, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardOrder
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game
from manhunt.games.scotland_yard.rules.rules import apply_action, legal_actions
from manhunt.games.scotland_yard.rules.state import ScotlandYardState

_KIND_OF = {"T": Transport.TAXI, "B": Transport.BUS, "U": Transport.UNDERGROUND, "F": Transport.FERRY}
History = tuple[tuple[ScotlandYardState, ...], tuple[ScotlandYardAction, ...]]


def board_of(text: str, name: str = "sketch") -> Board:
    """`1-2:T 2-3:TB 4` is a board of four nodes: taxi 1-2, taxi and bus 2-3, and 4 alone."""
    edges, nodes = [], []
    for word in text.split():
        ends, _, kinds = word.partition(":")
        a, dash, b = ends.partition("-")
        nodes += [a, b] if dash else [a]
        edges += [(a, b, _KIND_OF[kind]) for kind in kinds]
    return build_board(name, edges, nodes)


def random_board(rng: Random, max_nodes: int = 9) -> Board:
    """A small board of any shape, cut-off parts and parallel transports included."""
    n = rng.randint(2, max_nodes)
    edges = set()
    for _ in range(rng.randint(n // 2, 3 * n)):
        a, b = sorted(rng.sample(range(1, n + 1), 2))
        edges.add((str(a), str(b), rng.choices(list(_KIND_OF.values()), (5, 3, 2, 1))[0]))
    return build_board("random", sorted(edges), map(str, range(1, n + 1)))


def random_new_game(rng: Random, board: Board, max_rounds: int = 10, max_tickets: int = 5) -> ScotlandYardState:
    """Any rounds, tickets, pieces and places, Mr X on a detective's node rarely; both orders."""
    pieces = rng.sample(DETECTIVES, rng.randint(1, min(5, max(1, board.n_nodes - 1))))
    places = rng.sample(board.labels, len(pieces))
    clear = [label for label in board.labels if label not in places]
    mrx = rng.choice(clear if clear and rng.random() < 0.97 else board.labels)
    rounds = [rng.random() < 0.4 for _ in range(rng.randint(1, max_rounds))]
    counts = [rng.randint(0, max_tickets) for _ in Tickets._fields]
    detectives = [
        StartingPlayer(piece, Tickets(*(rng.randint(0, max_tickets) for _ in range(3))), at)
        for piece, at in zip(pieces, places, strict=True)
    ]
    return new_game(
        board, rounds, StartingPlayer(Piece.MRX, Tickets(*counts), mrx), detectives, rng.choice(list(ScotlandYardOrder))
    )


def random_history(rng: Random, start: ScotlandYardState, max_plies: int = 200) -> History:
    """The states and actions of a game played at random."""
    states, actions = [start], list[ScotlandYardAction]()
    while len(actions) < max_plies:
        legal: Sequence[ScotlandYardAction] = legal_actions(states[-1])
        if not legal:
            break
        actions.append(rng.choice(legal))
        states.append(apply_action(states[-1], actions[-1]))
    return tuple(states), tuple(actions)


def scotland_yard_games(
    max_nodes: int = 8, max_rounds: int = 6, max_tickets: int = 4
) -> st.SearchStrategy[ScotlandYardState]:
    """New games on small boards."""

    def made(seed: int) -> ScotlandYardState:
        rng = Random(seed)
        return random_new_game(rng, random_board(rng, max_nodes), max_rounds, max_tickets)

    return st.integers(0, 2**32).map(made)


@st.composite
def scotland_yard_histories(draw: st.DrawFn, max_nodes: int = 8, max_rounds: int = 6) -> History:
    """Games on small boards, played at random for some plies or to their end."""
    start = draw(scotland_yard_games(max_nodes, max_rounds))
    return random_history(Random(draw(st.integers(0, 2**32))), start, draw(st.integers(0, 60)))
