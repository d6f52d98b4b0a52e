"""Boards for pages: which ones a client may name, and their drawing without marks."""

import asyncio
import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from manhunt.boards.board import Board
from manhunt.boards.catalog import catalogue, generators, load_board
from manhunt.boards.files import parse_board
from manhunt.boards.layout import place
from manhunt.boards.reference import board_from_json
from manhunt.core.errors import BadBoard, ManhuntError, unknown
from manhunt.core.game import AnyGame
from manhunt.core.registry import kits
from manhunt.draw.lines import build_frame
from manhunt.draw.markup import document, printable
from manhunt.draw.page_style import PAGE
from manhunt.draw.svg import WIDTH, BoardGround
from manhunt.server.recent import Recent
from manhunt.server.settings import Limits
from manhunt.store.connect import Store
from manhunt.store.running import load_board as load_kept_board
from manhunt.store.running import save_board
from manhunt.workers.pool import TaskTooLong, WorkerPool

UPLOAD = "upload:"
MOST_REMEMBERED = 500
MOST_COMPLETE = 100
MOST_DRAWN = 64
READ, DRAW = f"{__name__}:read_board", f"{__name__}:board_svg"


def board_of(game: AnyGame, config: Any) -> Board | None:
    """The board that a game of this config is played on, if it is played on one."""
    board: Board | None = config.board if game.capabilities.board else None
    return board


class Boards:
    """Boards by digest: those of the catalogue, and those that somebody plays on."""

    def __init__(self, limits: Limits, store: Store) -> None:
        self._limits, self._store = limits, store
        self._known: Recent[str, Board] = Recent(MOST_REMEMBERED)
        self._drawn: Recent[str, str] = Recent(MOST_DRAWN)

    def remember(self, board: Board) -> str:
        """The digest by which the board can be fetched from now on."""
        self._known.keep(board.hash, board)
        return board.hash

    def find(self, digest: str) -> Board | None:
        """The board of a digest; asks the store for uploaded ones, so it belongs into a thread."""
        board = self._known.get(digest) or _catalogue_boards().get(digest)
        if board is None and (kept := load_kept_board(self._store, digest)) is not None:
            board = board_from_json(kept)
            self.remember(board)
        return board

    def keep(self, board: Board) -> str:
        """Keep an uploaded board; the name by which games may ask for it."""
        whole: dict[str, Any] = {"name": board.name, "hash": board.hash, "nodes": list(board.labels)}
        whole["edges"] = [[board.label(e.a), board.label(e.b), e.transport.name.lower()] for e in board.edges]
        if board.positions is not None:
            whole["positions"] = [list(place) for place in board.positions]
        save_board(self._store, board.hash, board.name, whole)
        return UPLOAD + self.remember(board)

    def named(self, name: str) -> Board:
        """A board that a client named: of the catalogue, of a generator, or uploaded; never a file."""
        if name.startswith(UPLOAD):
            board = self.find(name.removeprefix(UPLOAD))
            if board is None:
                raise BadBoard(f"no board {name[:80]!r} was uploaded here")
            return board
        names = [alias for entry in catalogue() for alias in (entry.name, *entry.aliases)]
        kinds = {generator.kind for generator in generators()}
        if name.lower() not in names and name.partition(":")[0].lower() not in kinds:
            raise BadBoard(unknown("board", name[:80], [*names, *(g.example for g in generators())]))
        if name.lower() not in names:
            self._check_size(name)
        return self.checked(load_board(name))

    def checked(self, board: Board) -> Board:
        return check_size(board, self._limits)

    async def svg(self, board: Board, pool: WorkerPool, owner: str) -> str:
        """The drawing of a board. To find places for its nodes may take long, so a worker does it."""
        if board.positions is not None:
            return await asyncio.to_thread(board_svg, board)
        if (kept := self._drawn.get(board.hash)) is None:
            kept = await in_layout_time(pool, self._limits, owner, DRAW, board)
            self._drawn.keep(board.hash, kept)
        return kept

    def _check_size(self, spec: str) -> None:
        """Before a board is generated, see that it is none that takes for ever."""
        kind = spec.partition(":")[0].lower()
        sizes = [int(number[:9]) for number in re.findall(r"[:x]([0-9]+)", spec.lower())]
        n_nodes = sizes[0] if sizes else 0
        if kind in ("grid", "torus"):
            n_nodes = n_nodes * (sizes[1] if len(sizes) > 1 else 1)
        elif len(sizes) > 1 and sizes[1] > self._limits.board_edges:
            raise BadBoard(f"board {spec[:80]!r} has {sizes[1]} edges (max {self._limits.board_edges})")
        most = MOST_COMPLETE if kind == "complete" else self._limits.board_nodes
        if n_nodes > most:
            raise BadBoard(f"board {spec[:80]!r} has {n_nodes} nodes (max {most})")


def check_size(board: Board, limits: Limits) -> Board:
    if board.n_nodes > limits.board_nodes or len(board.edges) > limits.board_edges:
        size = f"{board.n_nodes} nodes and {len(board.edges)} edges"
        raise BadBoard(
            f"the board is too large: {size} (max {limits.board_nodes} nodes and {limits.board_edges} edges)"
        )
    return board


async def in_layout_time(pool: WorkerPool, limits: Limits, owner: str, what: str, *args: Any) -> Any:
    """The answer of a worker that may have to place the nodes of a board."""
    seconds = limits.layout_seconds
    try:
        return await pool.run(what, *args, limit_seconds=seconds, owner=owner, usual_seconds=seconds)
    except TaskTooLong:
        raise BadBoard(
            f"it takes longer than {seconds:g} s to place the nodes of this board; send positions with it, "
            "or a smaller board"
        ) from None


@lru_cache(maxsize=1)
def _catalogue_boards() -> dict[str, Board]:
    boards = [load_board(entry.name) for entry in catalogue()]
    return {board.hash: board for board in boards}


def read_board(text: str, name: str, positions: str | None, limits: Limits) -> Board:
    """Task of a worker: a board that somebody sent, with a place for every node."""
    board = check_size(parse_board(text, name, "the board", positions), limits)
    try:
        board = replace(board, positions=place(board))
        board_svg(board)
    except ManhuntError:
        raise
    except Exception as error:  # whatever odd numbers do to a layout
        raise BadBoard(f"this board cannot be drawn: {' '.join(str(error).split())[:200]}") from None
    return board


@lru_cache(maxsize=64)
def board_svg(board: Board) -> str:
    """The board as a document whose colours are the page's variables, with empty groups for marks.

    `#under` lies between the lines and the nodes, `#over` upon both.
    """
    frame = build_frame(board, WIDTH)
    ground = BoardGround(board, PAGE, frame)
    under = f'<g class="all-lines">{ground.lines()}</g><g id="under"></g>'
    return document(
        [f'<g class="map">{under}{ground.nodes()}<g id="over"></g></g>'],
        f"Board {board.name}",
        PAGE,
        (frame.width, frame.height),
        "manhunt-board",
        has_paper=False,
        data_board=printable(board.name),
        data_radius=f"{frame.radius:.2f}",
    )


def draw_ahead() -> None:
    """The boards that most visitors ask for first: the first of each game, and that of its quick game."""
    for kit in kits():
        quick = kit.lobby.quick and kit.lobby.quick.board
        for name in {*kit.lobby.boards[:1], *([quick] if quick else [])}:
            board_svg(load_board(name))
