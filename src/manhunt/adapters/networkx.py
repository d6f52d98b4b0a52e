"""Boards as networkx graphs, and graphs as boards."""

from typing import Any

from manhunt.boards import graphs
from manhunt.boards.board import Board


def to_networkx(board: Board) -> Any:
    """A new MultiGraph named as the board. Nodes are labels with `node` (the index) and, if the board has positions,
    `pos`; edges have `transport`, which is also their key.

    >>> from manhunt.boards import grid
    >>> print(to_networkx(grid(2, 2)))
    MultiGraph named 'grid:2x2' with 4 nodes and 4 edges
    """
    import networkx as nx

    graph = nx.MultiGraph(name=board.name)
    for node, label in enumerate(board.labels):
        graph.add_node(label, node=node, **({} if board.positions is None else {"pos": board.positions[node]}))
    for edge in board.edges:
        kind = edge.transport.name.lower()
        graph.add_edge(board.labels[edge.a], board.labels[edge.b], key=kind, transport=kind)
    return graph


def from_networkx(graph: Any, name: str | None = None) -> Board:
    """A board from any undirected graph; BadBoard says what does not fit.

    Nodes may be anything that prints as a label; (0, 1) is "0_1". Edges may have `transport`; nodes may have `pos` or
    `x` and `y`, which are used if every node has them. Without a name the board gets the graph's name.
    """
    return graphs.from_networkx(graph, str(name or graph.name or "graph"))
