"""Boards written as CSV files, as `manhunt.boards.files` reads them."""

import csv
import io
from pathlib import Path

from manhunt.boards.board import Board
from manhunt.boards.files import format_board_csv
from manhunt.core.files import write_atomically


def format_positions_csv(board: Board) -> str:
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["node", "x", "y"])
    for label, (x, y) in zip(board.labels, board.positions or (), strict=False):
        writer.writerow([label, _shortest(x), _shortest(y)])
    return table.getvalue()


def _shortest(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def save_board_csv(board: Board, path: str | Path) -> None:
    """Write the edges, and the positions to `<stem>_positions.csv` beside them if there are any."""
    file = Path(path)
    write_atomically(file, format_board_csv(board))
    if board.positions is not None:
        write_atomically(file.with_name(f"{file.stem}_positions.csv"), format_positions_csv(board))
