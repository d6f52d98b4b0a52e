"""Adversarial Shortest Path as a picture: traveller, target, the cheapest way by present costs, and what was raised."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from manhunt.boards.build import build_board
from manhunt.boards.layout import place
from manhunt.draw.overlay import Overlay, Piece
from manhunt.draw.scene import Scene
from manhunt.draw.svg import draw_board
from manhunt.games.outcome import Outcome, Termination
from manhunt.games.shortest_path.actions import Action, Pass
from manhunt.games.shortest_path.config import Config
from manhunt.games.shortest_path.costs import Ways, cheapest_ways, cost_of
from manhunt.games.shortest_path.labels import edge_text
from manhunt.games.shortest_path.state import State
from manhunt.games.shortest_path.views import View
from manhunt.games.shortest_path.views import view as view_of
from manhunt.ids import Node, Seat, Side

WIDTH = 1000
MOST_RAISED = 4
MOST_EDGES = 150
_TARGET_LOOK = 1


def draw_view(view: View, *, theme: str = "light", width: int = WIDTH) -> str:
    """What everybody sees, as SVG."""
    scene = scene_of(view)
    return draw_board(scene.board, theme=theme, width=width, title=scene.title, marks=scene.marks)


def draw_state(state: State, *, theme: str = "light", width: int = WIDTH) -> str:
    return draw_view(view_of(state, Seat.SPECTATOR), theme=theme, width=width)


def scene_of(view: View, picked: tuple[Node, ...] = ()) -> Scene:
    """The arrows are the cheapest way by present costs."""
    config = view.config
    way = ways_of(config, view.raises).from_node(view.quarry)
    marks = Overlay(
        pieces=(
            Piece(view.quarry, "quarry", letter="P", name="traveller"),
            Piece(config.target, "pursuer", _TARGET_LOOK, letter="Y", name="target"),
        ),
        offers=next_picks(view, view.legal, picked),
        arrows=tuple(zip(way, way[1:], strict=False)),
        caption=caption_of(view),
    )
    return Scene(config.board, marks, title_of(view))


def excerpt_of(view: View) -> Scene:
    """The scene, and of a graph too crowded to be read the part that matters: the edges here, at the target, on the
    cheapest way, and those that were raised."""
    scene, board, config = scene_of(view), view.config.board, view.config
    if len(board.edges) <= MOST_EDGES:
        return scene
    pairs = {(min(a, b), max(a, b)) for a, b in scene.marks.arrows}
    for node in (view.quarry, config.target):
        pairs |= {(min(node, to), max(node, to)) for to in board.neighbours(node)}
    pairs |= {(a, b) for a, b, _ in raised_edges(view)[:MOST_EDGES]}
    nodes = sorted({node for pair in pairs for node in pair})
    places = place(board)
    part = build_board(
        board.name,
        [(board.label(a), board.label(b), None) for a, b in sorted(pairs)],
        (),
        {board.label(node): places[node] for node in nodes},
    )

    def moved(node: Node) -> Node:
        return part.node(board.label(node))

    marks = replace(
        scene.marks,
        pieces=tuple(replace(piece, node=moved(piece.node)) for piece in scene.marks.pieces),
        offers=tuple(map(moved, scene.marks.offers)),
        arrows=tuple((moved(a), moved(b)) for a, b in scene.marks.arrows),
    )
    return Scene(part, marks, scene.title)


def picks_of(view: View, action: Action) -> tuple[Node, ...]:
    """The traveller's next node, both ends of a raised edge; the traveller's own node means a pass."""
    if isinstance(action, Pass):
        return (view.quarry,) if view.to_act is Seat.EVADER else (view.quarry, view.quarry)
    return (action.to,) if view.to_act is Seat.EVADER else (action.start, action.to)


def next_picks(view: View, actions: Iterable[Action], picked: tuple[Node, ...]) -> tuple[Node, ...]:
    """The nodes that may be picked next; before the adversary's first one nothing is marked, since all may be."""
    n = len(picked)
    if view.to_act is Seat.PURSUERS and not picked:
        return ()
    ways = (picks_of(view, action) for action in actions if not isinstance(action, Pass))
    return tuple(sorted({way[n] for way in ways if way[:n] == picked and len(way) > n}))


def title_of(view: View) -> str:
    """`Shortest Path, round 3: the adversary to raise an edge`."""
    return f"Shortest Path, round {view.round}: {turn_of(view)}"


def turn_of(view: View) -> str:
    """Who acts now, or how the game ended."""
    if view.outcome is not None:
        return ending(view.outcome)
    return "the traveller to move" if view.to_act is Seat.EVADER else "the adversary to raise an edge"


def ending(outcome: Outcome) -> str:
    if outcome.termination is Termination.ARRIVAL:
        return f"the traveller arrives and pays {outcome.cost:g}"
    loser = "adversary" if outcome.winner is Side.EVADER else "traveller"
    return f"the {loser} gave up or failed (no moves or no time left, or an error)"


def caption_of(view: View) -> tuple[str, ...]:
    """What was paid, the cheapest way, and the edges that are dear."""
    config, board = view.config, view.config.board
    ways = ways_of(config, view.raises)
    way = ways.from_node(view.quarry)
    lines = [f"paid {view.total:.4g}"]
    if len(way) > 1:
        lines[0] += f"; cheapest now {cost_text(ways, way)}: {way_text(config, way)}"
    dear = raised_edges(view)
    if dear:
        texts = [f"{edge_text(board, a, b)} {cost:.4g}" for a, b, cost in dear[:MOST_RAISED]]
        more = f", {len(dear) - MOST_RAISED} more" if len(dear) > MOST_RAISED else ""
        lines.append(f"raised: {', '.join(texts)}{more}")
    return tuple(lines)


def raised_edges(view: View) -> list[tuple[Node, Node, float]]:
    """The raised edges with their present costs, the dearest first."""
    edges = view.config.board.edges
    found = [(edges[i].a, edges[i].b, cost_of(view.config, view.raises, i)) for i, n in enumerate(view.raises) if n]
    return sorted(found, key=lambda entry: (-entry[2], entry[0], entry[1]))


def way_text(config: Config, way: tuple[Node, ...]) -> str:
    return " ".join(config.board.label(node) for node in way)


def cost_text(ways: Ways, way: tuple[Node, ...]) -> str:
    return f"for {ways.distance[way[0]]:.4g}"


@lru_cache(maxsize=8)
def ways_of(config: Config, raises: tuple[int, ...]) -> Ways:
    """As `cheapest_ways`, remembered for one position's pictures and texts."""
    return cheapest_ways(config, raises)
