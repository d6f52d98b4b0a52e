"""How JSON names a board: a catalogue board by name and hash, any other with all its edges."""

from collections.abc import Mapping
from typing import Any

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.boards.catalog import is_made_by_name, load_board
from manhunt.core.errors import BadBoard


def board_to_json(board: Board) -> dict[str, Any]:
    """A board as JSON: name and hash if the name is enough to make it again, otherwise also nodes and edges.

    Examples:
        >>> from manhunt import load_board
        >>> board_to_json(load_board("petersen"))["name"]
        'petersen'
    """
    short = {"name": board.name, "hash": board.hash}
    try:
        if is_made_by_name(board.name) and load_board(board.name) == board:
            return short
    except BadBoard:
        pass
    label = board.label
    edges = [[label(e.a), label(e.b), e.transport.name.lower()] for e in board.edges]
    whole: dict[str, Any] = {**short, "nodes": list(board.labels), "edges": edges}
    if board.positions is not None:
        whole["positions"] = [list(p) for p in board.positions]
    return whole


def board_from_json(data: Mapping[str, Any]) -> Board:
    """The board that the JSON describes; BadBoard if its hash differs from the one given.

    A name alone means a catalogue board or a generator, never a file, because the JSON may come from anybody.
    """
    try:
        name, digest = data["name"], data["hash"]
        if "edges" in data:
            nodes = data["nodes"]
            places = data.get("positions")
            positions = None if places is None else {n: (p[0], p[1]) for n, p in zip(nodes, places, strict=True)}
            board = build_board(name, [tuple(edge) for edge in data["edges"]], nodes, positions)
        else:
            if not is_made_by_name(name):
                raise BadBoard(f"board {name[:80]!r} cannot be made from its name; give its nodes and edges, too")
            board = load_board(name)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadBoard(f"a board needs name, hash and, outside the catalogue, nodes and edges: {error!r}") from None
    if board.hash != digest:
        found, meant = board.hash[:12], str(digest)[:12]
        raise BadBoard(f"board {name} is not the expected one: its hash is {found}, not {meant}")
    return board
