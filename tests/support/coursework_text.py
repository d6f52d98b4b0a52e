"""Boards in the text format of programming courses, which the package reads: sizes, a line a node, a line an edge."""

from __future__ import annotations

from manhunt.boards.board import Board
from manhunt.core.ids import Transport


def coursework_text(board: Board) -> str:
    lines = [f"{board.n_nodes} {len(board.edges)}", *board.labels]
    for edge in board.edges:
        kind = "" if edge.transport is Transport.PLAIN else f" {edge.transport.name.capitalize()}"
        lines.append(f"{board.labels[edge.a]} {board.labels[edge.b]}{kind}")
    return "\n".join(lines) + "\n"
