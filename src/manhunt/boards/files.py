"""Boards in files: CSV, the coursework's text format, and the graph formats of networkx.

CSV has the header `a,b` or `a,b,transport`; a row with an empty `b` names a node without edges. Positions
stand in a second CSV, `node,x,y`. The text format begins with "n_nodes n_edges", then one label a line,
then one edge a line: `a b Taxi`, or `a b` on a plain board.
"""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from manhunt.boards.board import Board
from manhunt.boards.build import Draft
from manhunt.core.errors import BadBoard
from manhunt.core.ids import Transport
from manhunt.core.reading import read_text

HEADERS = (["a", "b"], ["a", "b", "transport"])
LONGEST_SHOWN = 60
GRAPH_SUFFIXES = (".graphml", ".gml", ".g6")


def load_board_file(path: str | Path, positions: str | Path | None = None) -> Board:
    """A board from a file, by extension or content; CSV positions default to `<stem>_positions.csv` beside it."""
    file = Path(path)
    if file.suffix.lower() in GRAPH_SUFFIXES:
        from manhunt.boards.graphs import load_graph_file

        return load_graph_file(file)
    draft = _parse(_read(file), file.stem, file.name)
    beside = file.with_name(f"{file.stem}_positions.csv")
    if positions is not None:
        _parse_positions(draft, _read(Path(positions)), Path(positions).name)
    elif beside.is_file():
        _parse_positions(draft, _read(beside), beside.name)
    with _at(file.name):
        return draft.finish()


def parse_board(text: str, name: str, source: str, positions: str | None = None) -> Board:
    """A board from the text of a CSV or coursework file, and that of a CSV with positions."""
    draft = _parse(text, name, source)
    if positions is not None:
        _parse_positions(draft, positions, f"positions of {source}")
    with _at(source):
        return draft.finish()


def _parse(text: str, name: str, source: str) -> Draft:
    first = next((line for line in text.splitlines() if line.strip()), "")
    words = first.split()
    if len(words) == 2 and all(word.isdecimal() for word in words):
        return parse_board_text(text, name, source)
    return parse_board_csv(text, name, source)


def format_board_csv(board: Board) -> str:
    """The inverse of `parse_board_csv`; positions are not kept."""
    is_plain = all(edge.transport is Transport.PLAIN for edge in board.edges)
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(HEADERS[0] if is_plain else HEADERS[1])
    for edge in board.edges:
        kind = [] if is_plain else [edge.transport.name.lower()]
        writer.writerow([board.label(edge.a), board.label(edge.b), *kind])
    for node in board.nodes():
        if not board.neighbours(node):
            writer.writerow([board.label(node), "", *([] if is_plain else [""])])
    return table.getvalue()


def parse_board_csv(text: str, name: str, source: str) -> Draft:
    """Edges from CSV text; `source` is named in errors."""
    rows = _csv_rows(text, source)
    line, header = next(rows, (1, []))
    if [cell.lower() for cell in header] not in HEADERS:
        raise BadBoard(f"{source} line {line}: header {_shown(','.join(header))}; expected a,b or a,b,transport")
    draft = Draft(name)
    for line, row in rows:
        with _at(f"{source} line {line}"):
            if len(row) != len(header):
                raise BadBoard(f"{_shown(','.join(row))} has {len(row)} cells; expected {','.join(header)}")
            if row[1] or any(row[2:]):
                draft.add_edge(row[0], row[1], row[2] if len(row) > 2 else None)
            else:
                draft.add_node(row[0])
    return draft


def parse_board_text(text: str, name: str, source: str) -> Draft:
    """Nodes and edges from the coursework's text format; `source` is named in errors."""
    lines = ((i, line.split()) for i, line in enumerate(text.splitlines(), start=1) if line.strip())
    _, counts = next(lines)
    n_nodes, n_edges = (int(word[:9]) for word in counts)
    draft = Draft(name)
    n_read, line = 0, 1
    for line, words in lines:
        with _at(f"{source} line {line}"):
            if n_read < n_nodes:
                _read_node(draft, words, n_nodes)
            elif n_read < n_nodes + n_edges:
                _read_edge(draft, words)
            else:
                raise BadBoard(
                    f"{_shown(' '.join(words))} comes after the {n_edges} edges that the first line announces"
                )
        n_read += 1
    if n_read < n_nodes + n_edges:
        found = f"{min(n_read, n_nodes)} nodes and {max(0, n_read - n_nodes)} edges"
        raise BadBoard(f"{source} line {line}: ends with {found}; the first line announces {n_nodes} and {n_edges}")
    return draft


def _read_node(draft: Draft, words: list[str], n_nodes: int) -> None:
    if len(words) != 1:
        raise BadBoard(f"{_shown(' '.join(words))}: expected one of the {n_nodes} node labels, alone on its line")
    if draft.has_node(words[0]):
        raise BadBoard(f"node {words[0][:40]} appears twice; give every label once")
    draft.add_node(words[0])


def _read_edge(draft: Draft, words: list[str]) -> None:
    if len(words) not in (2, 3):
        raise BadBoard(f"{_shown(' '.join(words))}: expected an edge such as '1 8 Taxi'")
    for label in words[:2]:
        if not draft.has_node(label):
            raise BadBoard(f"{_shown(' '.join(words))}: {_shown(label)} is not among the node labels above")
    draft.add_edge(words[0], words[1], words[2] if len(words) > 2 else None)


def _parse_positions(draft: Draft, text: str, source: str) -> None:
    rows = _csv_rows(text, source)
    line, header = next(rows, (1, []))
    if [cell.lower() for cell in header] != ["node", "x", "y"]:
        raise BadBoard(f"{source} line {line}: header {_shown(','.join(header))}; expected node,x,y")
    for line, row in rows:
        with _at(f"{source} line {line}"):
            try:
                label, x, y = row[0], float(row[1]), float(row[2])
                if len(row) > 3:
                    raise ValueError
            except (ValueError, IndexError):
                raise BadBoard(f"{_shown(','.join(row))}: expected node,x,y with numbers x and y") from None
            draft.place(label, x, y)


def _read(path: Path) -> str:
    return read_text(path, error=BadBoard)


def _csv_rows(text: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank with their line numbers, cells stripped."""
    reader = csv.reader(io.StringIO(text), strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BadBoard(
                f"{source} line {reader.line_num}: not CSV ({error}); expected a,b or a,b,transport"
            ) from None
        cells = [cell.strip() for cell in row]
        if any(cells):
            yield reader.line_num, cells


def _shown(text: str) -> str:
    """The beginning of what was read, for an error."""
    return repr(text) if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]!r}..."


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Errors inside say where they happened."""
    try:
        yield
    except BadBoard as error:
        raise BadBoard(f"{place}: {error}") from None
