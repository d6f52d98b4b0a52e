"""Boards to and from networkx, and through it the graph formats it reads."""

import io
from pathlib import Path
from typing import Any

from manhunt.boards.board import Board
from manhunt.boards.build import Draft
from manhunt.core.errors import BadBoard
from manhunt.core.ids import Transport
from manhunt.core.reading import read_bytes


def from_networkx(graph: Any, name: str) -> Board:
    """A board from an undirected graph; edges may have `transport`, nodes `pos` or `x` and `y`.

    Tuples become labels by joining: (0, 1) is "0_1". Positions are used only if every node has one.

    Examples:
        >>> import networkx as nx
        >>> from_networkx(nx.petersen_graph(), name="petersen")
        Board('petersen', 10 nodes, 15 edges)
    """
    if graph.is_directed():
        raise BadBoard(f"graph {name} is directed; boards are undirected, use graph.to_undirected()")
    label_of = {node: _label(node) for node in graph.nodes}
    draft = Draft(name)
    for node, label in label_of.items():
        if draft.has_node(label):
            raise BadBoard(f"graph {name} has two nodes that print as {label!r} (one is {node!r}); rename one")
        draft.add_node(label)
    for a, b, kind in graph.edges(data="transport"):
        draft.add_edge(label_of[a], label_of[b], kind if kind is None or isinstance(kind, Transport) else str(kind))
    places = {label: _position(graph.nodes[node]) for node, label in label_of.items()}
    if all(place is not None for place in places.values()):
        for label, place in places.items():
            assert place is not None
            draft.place(label, *place)
    return draft.finish()


def to_networkx(board: Board) -> Any:
    """A Graph on the labels, or a MultiGraph with `transport` names if the board has transports."""
    import networkx as nx

    plain = set(board.transports) <= {Transport.PLAIN}
    graph = nx.Graph(name=board.name) if plain else nx.MultiGraph(name=board.name)
    graph.add_nodes_from(board.labels)
    for edge in board.edges:
        ends = (board.labels[edge.a], board.labels[edge.b])
        if plain:
            graph.add_edge(*ends)
        else:
            graph.add_edge(*ends, key=edge.transport.name.lower(), transport=edge.transport.name.lower())
    for label, place in zip(board.labels, board.positions or (), strict=False):
        graph.nodes[label]["pos"] = place
    return graph


def load_graph_file(path: Path) -> Board:
    """A board from GraphML, GML or graph6, by extension."""
    import networkx as nx

    readers = {".graphml": nx.read_graphml, ".gml": nx.read_gml, ".g6": nx.read_graph6}
    suffix = path.suffix.lower()
    data = io.BytesIO(read_bytes(path, error=BadBoard))
    try:
        graph = readers[suffix](data)
    except Exception as error:  # networkx lets parsers' own errors of many kinds through
        reason = " ".join(str(error).split()) or type(error).__name__
        raise BadBoard(f"{path.name} is not readable as {suffix[1:]}: {reason}") from None
    if isinstance(graph, list):
        raise BadBoard(f"{path.name} holds {len(graph)} graphs; expected one")
    try:
        return from_networkx(graph, path.stem)
    except BadBoard as error:
        raise BadBoard(f"{path.name}: {error}") from None


def _label(node: object) -> str:
    return "_".join(str(part) for part in node) if isinstance(node, tuple) else str(node)


def _position(attributes: dict[str, Any]) -> tuple[float, float] | None:
    try:
        x, y = attributes["pos"] if "pos" in attributes else (attributes["x"], attributes["y"])
        return float(x), float(y)
    except (KeyError, TypeError, ValueError):
        return None
