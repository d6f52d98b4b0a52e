"""Map files of others, read as kindly as possible: rows, adjacency lists and JSON, with or without a header.

Rows are `a b`, `a b kind` or `kind a b`, separated by spaces, commas, tabs or semicolons. Adjacency lists are
`1: 8 9`, `1 8 9 46`, or with one group a transport: `1; 8, 9; 46, 58; 46`. A line that names a transport alone holds
for the rows below it. What does not fit is a finding, not an end; `load_board_file` is the strict reader.
"""

import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from manhunt.boards.board import Board
from manhunt.boards.build import Draft, natural_key
from manhunt.boards.files import GRAPH_SUFFIXES, load_board_file, parse_board
from manhunt.boards.map_json import found_in_json
from manhunt.boards.map_words import FROM, KIND_WORDS, TO, FoundEdge, FoundMap, kinds_of, words_of
from manhunt.core.errors import BadBoard, BadText
from manhunt.core.ids import Transport
from manhunt.core.reading import parse_json, read_text

GROUPS = (Transport.TAXI, Transport.BUS, Transport.UNDERGROUND, Transport.FERRY)
"""The order of the groups where no comment names another."""
MOST_FINDINGS = 1000
BOTH_WAYS_SHARE = 0.5
"""A file in which more of the edges than this stand in both directions means to give all of them so."""
LEAST_READ = 0.5
EXPECTED = "expected rows such as '1 8 taxi', an adjacency list such as '1: 8 9', or JSON"
_COMMENT = re.compile(r"(?:^|\s)(?:#|//|%%).*$")
_ARROW = re.compile(r"\s*<?-+>\s*")


def load_map(path: Path) -> tuple[Board, list[str]]:
    """The board in a file of any layout, and what is odd about it; BadBoard if it holds no board."""
    if path.suffix.lower() in GRAPH_SUFFIXES:
        from manhunt.boards.graphs import load_graph_file

        return load_graph_file(path), []
    board, findings = parse_map(read_text(path, error=BadBoard), path.stem, path.name)
    return (load_board_file(path) if findings is None else board), findings or []


def parse_map(text: str, name: str, source: str) -> tuple[Board, list[str] | None]:
    """The board in a text, and one line for each oddity: duplicates, one-way edges, rows left out.

    None instead of the lines means that the strict reader accepts the text as it is.
    """
    with suppress(BadBoard):
        return parse_board(text, name, source), None
    found = _found_in(text, source)
    if not found.edges:
        raise BadBoard(f"{source} holds no edges; {EXPECTED}")
    if found.n_lost > LEAST_READ * found.n_rows:
        raise BadBoard(f"{source} is not a map: {found.n_lost} of {found.n_rows} rows are none; {found.findings[0]}")
    return _board_of(found, name, source)


def _found_in(text: str, source: str) -> FoundMap:
    if text.lstrip().startswith(("[", "{")):
        try:
            return found_in_json(parse_json(text, source))
        except BadText as error:
            raise BadBoard(str(error)) from None
    return _RowReader(text).read()


def _board_of(found: FoundMap, name: str, source: str) -> tuple[Board, list[str]]:
    findings = list(found.findings)
    draft = Draft(name)
    for label in found.nodes:
        try:
            draft.add_node(label)
        except BadBoard as error:
            findings.append(f"node {label[:40]!r} is left out: {error}")
    first: dict[tuple[str, str, Transport], FoundEdge] = {}
    for edge in found.edges:
        if edge.a == edge.b:
            findings.append(f"{edge.where}: {edge.a} is joined to itself; left out")
            continue
        if (edge.a, edge.b, edge.kind) in first:
            findings.append(
                f"{edge.where}: {_named(edge)} is there twice; first in {first[edge.a, edge.b, edge.kind].where}"
            )
            continue
        first[edge.a, edge.b, edge.kind] = edge
        if (edge.b, edge.a, edge.kind) not in first:
            try:
                draft.add_edge(edge.a, edge.b, edge.kind)
            except BadBoard as error:
                findings.append(f"{edge.where}: left out: {error}")
    findings += _one_way(first)
    if len(findings) > MOST_FINDINGS:
        findings[MOST_FINDINGS:] = [f"and {len(findings) - MOST_FINDINGS} more"]
    try:
        return draft.finish(), findings
    except BadBoard as error:
        raise BadBoard(f"{source}: {error}") from None


def _one_way(edges: dict[tuple[str, str, Transport], FoundEdge]) -> list[str]:
    """Edges without their way back, in a file that gives both; and the ways back, in a file that gives one."""
    alone = [edge for (a, b, kind), edge in edges.items() if (b, a, kind) not in edges]
    n_both = (len(edges) - len(alone)) // 2
    alone.sort(key=lambda edge: (natural_key(edge.a), natural_key(edge.b), edge.kind))
    if n_both > BOTH_WAYS_SHARE * (n_both + len(alone)):
        return [f"{edge.where}: {_named(edge)} goes one way only; {edge.b} to {edge.a} is not there" for edge in alone]
    seen: set[tuple[str, str, Transport]] = set()
    again = []
    for (a, b, kind), edge in edges.items():
        if (b, a, kind) in seen:
            again.append(f"{edge.where}: {_named(edge)} is there twice; first in {edges[b, a, kind].where}")
        seen.add((a, b, kind))
    return again


def _named(edge: FoundEdge) -> str:
    return f"{edge.a}-{edge.b}" + ("" if edge.kind is Transport.PLAIN else f" ({edge.kind.name.lower()})")


@dataclass(frozen=True, slots=True)
class _Row:
    number: int
    cells: list[str]
    text: str
    kind: Transport | None
    """Of the heading above it."""
    node: str | None = None
    """Before a colon: the cells are its neighbours."""

    @property
    def where(self) -> str:
        return f"line {self.number}"


@dataclass
class _RowReader:
    """Cuts the lines into cells, then asks all of them together what their columns mean."""

    text: str
    found: FoundMap = field(default_factory=FoundMap)
    groups: tuple[Transport, ...] = GROUPS

    def read(self) -> FoundMap:
        rows = self._rows()
        tops = [_columns(row.text) for row in rows[:2]]
        if rows and (columns := _header(tops[0], tops[-1])) is not None:
            for row in rows[1:]:
                self._by_columns(row, _columns(row.text), *columns)
        else:
            self._without_header(self._after_counts(rows))
        return self.found

    def _rows(self) -> list[_Row]:
        rows: list[_Row] = []
        kind: Transport | None = None
        for number, line in enumerate(self.text.splitlines(), 1):
            self._note_groups(line)
            text = _COMMENT.sub("", line).strip()
            heading = _heading(text)
            if heading is not None:
                kind = heading
            elif text:
                node, _, rest = text.partition(":") if re.match(r"[^\s:,;]+\s*:", text) else (None, "", text)
                cells = _cells(rest)
                rows.append(_Row(number, cells, text, kind, None if node is None else _bare(node)))
        return rows

    def _note_groups(self, line: str) -> None:
        """A comment such as `# node; bus; taxi` names the order of the groups."""
        if _COMMENT.match(line.strip()) and ";" in line:
            named = [[KIND for word in words_of(cell) if (KIND := kinds_of(word))] for cell in line.split(";")[1:]]
            if named and all(len(kinds) == 1 for kinds in named):
                self.groups = tuple(kinds[0][0] for kinds in named)

    def _after_counts(self, rows: list[_Row]) -> list[_Row]:
        """Files that begin with how many nodes and edges there are, and then name the nodes, one a line."""
        if len(rows) < 2 or len(rows[0].cells) != 2 or len(rows[1].cells) != 1 or rows[1].node is not None:
            return rows
        if not all(re.fullmatch("[0-9]{1,7}", cell) for cell in rows[0].cells):
            return rows
        n_nodes, n_edges = map(int, rows[0].cells)
        n_found = next((i for i, row in enumerate(rows[1:]) if len(row.cells) != 1), len(rows) - 1)
        self.found.nodes.update(dict.fromkeys(row.cells[0] for row in rows[1 : 1 + n_found]))
        edges = rows[1 + n_found :]
        if (n_found, len(edges)) != (n_nodes, n_edges):
            counts = f"announces {n_nodes} nodes and {n_edges} edges; there are {n_found} and {len(edges)}"
            self.found.findings.append(f"{rows[0].where}: {counts}")
        return edges

    def _by_columns(self, row: _Row, cells: list[str], a: int, b: int, kind: int | None) -> None:
        self.found.n_rows += 1
        one, other = (cells[i] if i < len(cells) else "" for i in (a, b))
        named = cells[kind] if kind is not None and kind < len(cells) else ""
        if not one:
            self.found.lose(row.where, row.text, "it has too few cells")
        elif not other and not named:
            self.found.nodes[one] = None
        else:
            self._add(row, one, other, named)

    def _without_header(self, rows: list[_Row]) -> None:
        grouped = any(row.node is None and ";" in row.text and len(row.cells) > 3 for row in rows) or any(
            ";" in row.text and any(len(_cells(part)) > 1 for part in row.text.split(";")) for row in rows
        )
        place = _kind_place(rows)
        for row in rows:
            self.found.n_rows += 1
            if row.node is not None:
                self._neighbours(row, row.node, row.cells)
            elif grouped and ";" in row.text:
                self._grouped(row)
            elif len(row.cells) == 3 and place is not None:
                ends = [cell for i, cell in enumerate(row.cells) if i != place]
                self._add(row, ends[0], ends[1], row.cells[place])
            elif len(row.cells) > 3 and place == 2 and all(kinds_of(cell) for cell in row.cells[2:]):
                self._add(row, row.cells[0], row.cells[1], "/".join(row.cells[2:]))
            elif row.cells:
                self._neighbours(row, row.cells[0], row.cells[1:])
            else:
                self.found.lose(row.where, row.text, EXPECTED)

    def _grouped(self, row: _Row) -> None:
        node, *groups = (part.strip() for part in row.text.split(";"))
        self.found.nodes[_bare(node)] = None
        for i, group in enumerate(groups):
            ends = _cells(group)
            if ends and i >= len(self.groups):
                self.found.lose(row.where, group, f"there are {len(self.groups)} transports")
                return
            for end in ends:
                self.found.add(_bare(node), end, [self.groups[i]], row.where)

    def _neighbours(self, row: _Row, node: str, ends: list[str]) -> None:
        self.found.nodes[node] = None
        for end in ends:
            self.found.add(node, end, [Transport.PLAIN if row.kind is None else row.kind], row.where)

    def _add(self, row: _Row, a: str, b: str, named: str) -> None:
        usual = Transport.PLAIN if row.kind is None else row.kind
        kinds = kinds_of(named) if named else (usual,)
        if not kinds:
            self.found.lose(row.where, row.text, f"{named[:20]!r} is not a transport")
        else:
            self.found.add(a, b, kinds, row.where)


def _columns(text: str) -> list[str]:
    return [_bare(cell) for cell in (re.split("[,;\t]", text) if re.search("[,;\t]", text) else text.split())]


def _cells(text: str) -> list[str]:
    """Words, whatever separates them; empty ones at the end do not count."""
    cells = _columns(_ARROW.sub(" ", text))
    while cells and not cells[-1]:
        cells.pop()
    if any(re.search(r"\s", cell) for cell in cells):  # `8, 9  10` and `1 8, taxi`
        return [_bare(word) for cell in cells for word in cell.split()]
    return cells


def _bare(cell: str) -> str:
    return cell.strip().strip("\"'()[]{}").strip()


def _heading(text: str) -> Transport | None:
    """`Taxi:`, `[bus]` and `Underground connections:` name the transport of the rows below."""
    words = words_of(text)
    if not words or any(sign.isdigit() for sign in text) or not (len(words) == 1 or text.endswith(":")):
        return None
    named = [kinds for word in words if len(word) > 2 and (kinds := kinds_of(word))]
    return named[0][0] if len(named) == 1 else None


def _header(cells: list[str], below: list[str]) -> tuple[int, int, int | None] | None:
    """The columns of the two ends and of the kind, if these cells name columns."""
    words = [words_of(cell) for cell in cells]
    ends = [i for i, each in enumerate(words) if _names_end(each)]
    if len(ends) < 2:
        return None
    others = [i for i in range(len(cells)) if i not in ends[:2]]
    kinds = [i for i in others if set(words[i]) & KIND_WORDS]
    kinds += [i for i in others if i < len(below) and kinds_of(below[i])]
    return ends[0], ends[1], kinds[0] if kinds else None


def _names_end(words: list[str]) -> bool:
    return bool(words) and bool({*words, "".join(words)} & (FROM | TO))


def _kind_place(rows: list[_Row]) -> int | None:
    """Which of three cells names the transport, in most of the rows that have three."""
    three = [row.cells for row in rows if len(row.cells) >= 3 and row.node is None]
    fitting = Counter(place for cells in three for place in (2, 0) if kinds_of(cells[place]))
    best = max((2, 0), key=lambda place: fitting[place])
    return best if 2 * fitting[best] > len(three) else None
