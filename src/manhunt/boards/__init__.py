"""Boards: load, build, make at random, measure, and exchange them with other libraries."""

from typing import TYPE_CHECKING

from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.boards.board import Board, Edge
    from manhunt.boards.build import build_board
    from manhunt.boards.catalog import CatalogEntry, Generator, catalogue, generators, load_board
    from manhunt.boards.contest import Contest, contest_board, make_contest
    from manhunt.boards.distance import components, diameter, distance_hops, distances, eccentricities
    from manhunt.boards.files import format_board_csv, load_board_file, parse_board, parse_board_csv, parse_board_text
    from manhunt.boards.generate import complete, grid, path, random_connected, random_planar, ring, torus
    from manhunt.boards.graphs import from_networkx, load_graph_file, to_networkx
    from manhunt.boards.maps import load_map, parse_map
    from manhunt.boards.reference import board_from_json, board_to_json

_HOME = {
    "Board": "manhunt.boards.board",
    "CatalogEntry": "manhunt.boards.catalog",
    "Contest": "manhunt.boards.contest",
    "Edge": "manhunt.boards.board",
    "Generator": "manhunt.boards.catalog",
    "board_from_json": "manhunt.boards.reference",
    "board_to_json": "manhunt.boards.reference",
    "build_board": "manhunt.boards.build",
    "catalogue": "manhunt.boards.catalog",
    "complete": "manhunt.boards.generate",
    "components": "manhunt.boards.distance",
    "contest_board": "manhunt.boards.contest",
    "diameter": "manhunt.boards.distance",
    "distance_hops": "manhunt.boards.distance",
    "distances": "manhunt.boards.distance",
    "eccentricities": "manhunt.boards.distance",
    "format_board_csv": "manhunt.boards.files",
    "from_networkx": "manhunt.boards.graphs",
    "generators": "manhunt.boards.catalog",
    "grid": "manhunt.boards.generate",
    "load_board": "manhunt.boards.catalog",
    "load_board_file": "manhunt.boards.files",
    "load_graph_file": "manhunt.boards.graphs",
    "load_map": "manhunt.boards.maps",
    "make_contest": "manhunt.boards.contest",
    "parse_board": "manhunt.boards.files",
    "parse_board_csv": "manhunt.boards.files",
    "parse_board_text": "manhunt.boards.files",
    "parse_map": "manhunt.boards.maps",
    "path": "manhunt.boards.generate",
    "random_connected": "manhunt.boards.generate",
    "random_planar": "manhunt.boards.generate",
    "ring": "manhunt.boards.generate",
    "to_networkx": "manhunt.boards.graphs",
    "torus": "manhunt.boards.generate",
}
__all__ = [
    "Board", "CatalogEntry", "Contest", "Edge", "Generator", "board_from_json", "board_to_json", "build_board",
    "catalogue", "complete", "components", "contest_board", "diameter", "distance_hops", "distances",
    "eccentricities", "format_board_csv", "from_networkx", "generators", "grid", "load_board", "load_board_file",
    "load_graph_file", "load_map", "make_contest", "parse_board", "parse_board_csv", "parse_board_text",
    "parse_map", "path", "random_connected", "random_planar", "ring", "to_networkx", "torus",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
