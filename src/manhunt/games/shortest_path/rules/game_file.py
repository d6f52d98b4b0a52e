"""The contest's game file: `Starting node: X`, `Ending node: Y`, `Edges:`, then one edge a line."""

from collections.abc import Iterator
from pathlib import Path

from manhunt.boards.board import Board
from manhunt.boards.build import Draft
from manhunt.boards.contest import Contest
from manhunt.core.errors import BadBoard, BadText
from manhunt.core.reading import read_text
from manhunt.games.shortest_path.rules.costs import hops_to

START, END, EDGES = "Starting node:", "Ending node:", "Edges:"
Lines = Iterator[tuple[int, str]]


def parse_game_file(text: str, name: str = "game file") -> Contest:
    """The graph of a file; BadText names the line that is wrong. An edge given again, either way round, is one edge."""
    lines = ((i, line.strip()) for i, line in enumerate(text.splitlines(), 1))
    filled = ((i, line) for i, line in lines if line)
    source_line, source = _header(filled, START, name)
    target_line, target = _header(filled, END, name)
    edges_line, rest = _header(filled, EDGES, name, is_last=True)
    if rest:
        raise BadText(f"{name} line {edges_line}: expected {EDGES!r} alone, found {rest[:40]!r} behind it")
    board = _board(filled, name)
    for number, word, label in ((source_line, "starting", source), (target_line, "ending", target)):
        if label not in board.labels:
            raise BadText(f"{name} line {number}: the {word} node {label} has no edges; give a node that has some")
    if source == target:
        raise BadText(f"{name} line {target_line}: the ending node is the starting node {source}; give another")
    if not _connected(board, source, target):
        raise BadText(f"{name} line {target_line}: there is no path from {source} to {target}; join them by edges")
    return Contest(board, source, target)


def _header(lines: Lines, wanted: str, name: str, is_last: bool = False) -> tuple[int, str]:
    number, line = next(lines, (0, ""))
    where = f"{name} line {number}" if number else f"{name}, at its end"
    if line[: len(wanted)].lower() != wanted.lower():
        raise BadText(f"{where}: expected {wanted!r}, found {line[:40]!r}")
    value = line[len(wanted) :].strip()
    if not is_last and len(value.split()) != 1:
        raise BadText(f"{where}: {wanted!r} needs one node's name, found {value[:40]!r}")
    return number, value


def _board(lines: Lines, name: str) -> Board:
    draft, known = Draft(Path(name).stem or "game"), set[frozenset[str]]()
    for number, line in lines:
        ends = line.split()
        if len(ends) != 2:
            raise BadText(f"{name} line {number}: an edge needs two names, found {line[:40]!r}")
        if frozenset(ends) in known:
            continue
        known.add(frozenset(ends))
        try:
            draft.add_edge(ends[0], ends[1])
        except BadBoard as error:
            raise BadText(f"{name} line {number}: {error}") from None
    if not known:
        raise BadText(f"{name}: no edges after {EDGES!r}; give one edge a line, two names each")
    return draft.finish()


def _connected(board: Board, source: str, target: str) -> bool:
    return hops_to(board, board.node(target))[board.node(source)] is not None


def format_game_file(contest: Contest) -> str:
    """The inverse of `parse_game_file`; nodes without edges and positions are not kept."""
    label = contest.board.label
    edges = [f"{label(edge.a)} {label(edge.b)}" for edge in contest.board.edges]
    return "\n".join([f"{START} {contest.source}", f"{END} {contest.target}", EDGES, *edges, ""])


def load_game_file(path: Path) -> Contest:
    """A board with source and target from a file of the classic contests."""
    return parse_game_file(read_text(path, "the game file"), str(path))
