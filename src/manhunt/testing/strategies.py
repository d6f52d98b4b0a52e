"""Hypothesis strategies for boards."""

from hypothesis import strategies as st

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.core.ids import Transport

KINDS = st.sampled_from([*Transport])
LABELS = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters=","), min_size=1, max_size=6)


@st.composite
def plain_boards(draw: st.DrawFn, min_nodes: int = 2, max_nodes: int = 8) -> Board:
    """Small graphs of any shape: dead ends, isolated nodes and cut-off parts included."""
    n = draw(st.integers(min_nodes, max_nodes))
    pairs = [(a, b) for a in range(1, n + 1) for b in range(a + 1, n + 1)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2 * n))
    return build_board("drawn", [(str(a), str(b), None) for a, b in chosen], [str(i) for i in range(1, n + 1)])


@st.composite
def boards(draw: st.DrawFn, plain: bool | None = None) -> Board:
    """Any board: odd labels, nodes without edges, mixed transports, with or without positions."""
    labels = draw(st.lists(st.one_of(LABELS, st.integers(-20, 300).map(str)), min_size=1, max_size=9, unique=True))
    kinds = st.just(Transport.PLAIN) if plain or (plain is None and draw(st.booleans())) else KINDS
    spots = st.integers(0, len(labels) - 1)
    drawn = draw(st.lists(st.tuples(spots, spots, kinds), max_size=16))
    edges = {(*sorted((labels[a], labels[b])), kind) for a, b, kind in drawn if a != b}
    numbers = st.floats(-1e6, 1e6)
    places = {label: (draw(numbers), draw(numbers)) for label in labels} if draw(st.booleans()) else None
    return build_board("drawn", sorted(edges), labels, places)
