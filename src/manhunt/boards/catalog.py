"""Boards by name: the catalogue, generator specs such as `grid:10x10`, and files."""

import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from manhunt.boards import contest, generate
from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.boards.generate import Place
from manhunt.core.errors import BadBoard, unknown


@dataclass(frozen=True)
class CatalogEntry:
    """One board of the catalogue."""

    name: str
    text: str
    load: Callable[[], Board]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Generator:
    """One family of boards: `kind:size`, some with options `key=value`."""

    kind: str
    form: str
    example: str
    text: str
    make: Callable[..., Board]
    n_sizes: int = 1
    options: tuple[str, ...] = ()


def load_board(name_or_path: str | os.PathLike[str]) -> Board:
    """A board by catalogue name, generator spec or file path; catalogue and generated boards are cached.

    Examples:
        >>> load_board("london").n_nodes
        199
        >>> load_board("grid:3x3").neighbours(0)
        (1, 3)
    """
    text = os.fspath(name_or_path)
    if text.lower() in _entry_of():
        return _load_entry(_entry_of()[text.lower()].name)
    kind = text.partition(":")[0].lower()
    if kind in _generator_of():
        return _generate(text.lower())
    if _looks_like_file(text):
        from manhunt.boards.files import load_board_file

        return load_board_file(text)
    known = [*(entry.name for entry in catalogue()), *(generator.example for generator in generators())]
    raise BadBoard(f"{unknown('board', text, known)}, or a file")


def is_made_by_name(name: str) -> bool:
    """Whether a name means a board of the catalogue or of a generator, and no file."""
    return name.lower() in _entry_of() or name.partition(":")[0].lower() in _generator_of()


def catalogue() -> tuple[CatalogEntry, ...]:
    """The boards that have names.

    >>> [entry.name for entry in catalogue()][:2]
    ['top-right-20', 'london']
    """
    return (
        CatalogEntry(
            "top-right-20",
            "20 nodes at the top of the London board, 20 plain edges",
            _top_right_20,
            ("top-right-simple-v1",),
        ),
        CatalogEntry("london", "the full board: 199 nodes, taxi, bus, underground, ferry", _london),
        CatalogEntry("petersen", "Petersen graph: 10 nodes, 3 edges each, caught by 3 pursuers", _petersen),
        CatalogEntry(
            "dodecahedron", "corners and edges of the solid: 20 nodes, planar, caught by 3 pursuers", _dodecahedron
        ),
        CatalogEntry("icosahedron", "corners and edges of the solid: 12 nodes, planar", _icosahedron),
        CatalogEntry("heawood", "Heawood graph: 14 nodes, 3 edges each, no cycle under 6", _heawood),
        CatalogEntry("town-50", "a made-up town: 50 places and 94 streets that never cross", _town_50),
    )


def generators() -> tuple[Generator, ...]:
    """The families of boards that can be generated in any size."""
    return (
        Generator("grid", "grid:COLUMNSxROWS", "grid:10x10", "rectangular grid", generate.grid, 2),
        Generator("torus", "torus:COLUMNSxROWS", "torus:6x6", "grid with joined sides", generate.torus, 2),
        Generator("ring", "ring:N", "ring:8", "one cycle", generate.ring),
        Generator("path", "path:N", "path:5", "nodes in a row", generate.path),
        Generator("complete", "complete:N", "complete:4", "every node joined to every other", generate.complete),
        Generator(
            "planar",
            "planar:N[:seed=S]",
            "planar:40:seed=7",
            "random connected planar map",
            generate.random_planar,
            1,
            ("seed",),
        ),
        Generator(
            "random",
            "random:N:EDGES[:seed=S]",
            "random:12:18:seed=3",
            "random connected graph",
            generate.random_connected,
            2,
            ("seed",),
        ),
        Generator(
            "contest",
            "contest:N:EDGES[:cut=C][:separation=H][:seed=S]",
            "contest:40:80:separation=6:cut=3:seed=7",
            "a target some hops from the source, behind a cut of a given size",
            contest.contest_board,
            2,
            ("separation", "cut", "seed"),
        ),
    )


@lru_cache(maxsize=1)
def _entry_of() -> dict[str, CatalogEntry]:
    return {name: entry for entry in catalogue() for name in (entry.name, *entry.aliases)}


@lru_cache(maxsize=1)
def _generator_of() -> dict[str, Generator]:
    return {generator.kind: generator for generator in generators()}


@lru_cache(maxsize=16)
def _load_entry(name: str) -> Board:
    return _entry_of()[name].load()


@lru_cache(maxsize=64)
def _generate(spec: str) -> Board:
    kind, *parts = spec.split(":")
    generator = _generator_of()[kind]
    sizes: list[int] = []
    options: dict[str, int] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if equals and key in generator.options and key not in options and _is_number(value):
            options[key] = int(value)
        elif not options and all(_is_number(size) for size in part.split("x")):
            sizes += [int(size) for size in part.split("x")]
        else:
            raise BadBoard(f"board {spec!r}: cannot use {part!r}; expected {generator.form}, e.g. {generator.example}")
    if len(sizes) != generator.n_sizes:
        raise BadBoard(f"board {spec!r} has {len(sizes)} sizes; expected {generator.form}, e.g. {generator.example}")
    return generator.make(*sizes, **options)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[0-9]{1,9}", text) is not None


def _looks_like_file(text: str) -> bool:
    path = Path(text)
    return os.sep in text or "/" in text or bool(re.fullmatch(r"\.[A-Za-z0-9]{1,8}", path.suffix)) or path.is_file()


def _data(name: str) -> str:
    return (resources.files("manhunt.boards") / "data" / name).read_text(encoding="utf-8")


def _rows(name: str) -> list[list[str]]:
    return [line.split(",") for line in _data(name).splitlines()[1:]]


def _london() -> Board:
    positions = {label: (float(x), float(y)) for label, x, y in _rows("london_positions.csv")}
    return build_board("london", ((a, b, kind) for a, b, kind in _rows("london_edges.csv")), (), positions)


def _top_right_20() -> Board:
    """London's places for 1 to 20, with the heights stretched: they lie in one flat strip."""
    rows = _rows("london_positions.csv")[:20]
    positions = {label: (float(x), 2.4 * float(y)) for label, x, y in rows}
    return build_board("top-right-20", ((a, b, None) for a, b in _rows("top_right_20_edges.csv")), (), positions)


def _town_50() -> Board:
    """Two pursuers win every start of this planar graph, most of them in six rounds or more."""
    return replace(_generate("planar:50:seed=1"), name="town-50")


def _petersen() -> Board:
    import networkx as nx

    return _textbook("petersen", nx.petersen_graph(), generate.circle(5, 260.0) + generate.circle(5, 130.0))


def _heawood() -> Board:
    import networkx as nx

    return _textbook("heawood", nx.heawood_graph(), generate.circle(14, 280.0))


def _dodecahedron() -> Board:
    import networkx as nx

    graph = nx.dodecahedral_graph()
    face = next(cycle for cycle in nx.simple_cycles(graph, 5) if len(cycle) == 5)
    return _textbook("dodecahedron", graph, _ring_places(graph, face, (310.0, 215.0, 155.0, 75.0)))


def _icosahedron() -> Board:
    import networkx as nx

    graph = nx.icosahedral_graph()
    face = next(cycle for cycle in nx.simple_cycles(graph, 3) if len(cycle) == 3)
    return _textbook("icosahedron", graph, _ring_places(graph, face, (360.0, 150.0, 70.0)))


def _textbook(name: str, graph: Any, places: list[Place]) -> Board:
    edges = [(a + 1, b + 1, None) for a, b in graph.edges]
    return build_board(name, edges, (), {node + 1: place for node, place in enumerate(places)})


def _ring_places(graph: Any, face: list[int], radii: tuple[float, ...]) -> list[Place]:
    """A planar graph seen through one face: rings by distance from it, angles where neighbours balance."""
    import networkx as nx
    import numpy as np

    rim = dict(zip(face, generate.circle(len(face), 1.0), strict=True))
    inner = [node for node in graph if node not in rim]
    row_of = {node: i for i, node in enumerate(inner)}
    balance, pull = np.zeros((len(inner), len(inner))), np.zeros((len(inner), 2))
    for node, row in row_of.items():
        balance[row, row] = graph.degree(node)
        for other in graph[node]:
            if other in rim:
                pull[row] += rim[other]
            else:
                balance[row, row_of[other]] = -1.0
    solved = np.linalg.solve(balance, pull)
    hops = nx.multi_source_dijkstra_path_length(graph, set(face))
    places = []
    for node in sorted(graph):
        x, y = rim[node] if node in rim else solved[row_of[node]]
        size = radii[hops[node]] / math.hypot(x, y)
        places.append((round(float(x) * size, 2), round(float(y) * size, 2)))
    return places
