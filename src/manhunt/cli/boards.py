"""`manhunt boards`: list, show, draw and check boards; games may bring more."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from manhunt.cli.parser import Parser
from manhunt.cli.screen import console, print_answer, print_json
from manhunt.core.errors import one_of
from manhunt.core.ids import Transport
from manhunt.core.registry import kits_with

if TYPE_CHECKING:
    from rich.table import Table

    from manhunt.boards.board import Board, Edge

EPILOG = """examples:
  manhunt boards                                   what there is
  manhunt boards show london --svg london.svg      facts, and a drawing
  manhunt boards show planar:40:seed=7 --json
  manhunt boards check roads.csv                   is this file valid, and is it London?"""
CHECK = """Check a board file from any source: its facts, anything odd about it (edges given twice or one
way only, rows left out), and where it differs from the catalogue's London.

Rows may be 'a b', 'a b kind' or 'kind a b', separated by spaces, commas, tabs or semicolons, with or
without a header and comments. Adjacency lists and JSON work, too, and so do other words for a
transport (metro, tube, ship, water, boat, black, T, B, U, H)."""
MOST_FOR_DIAMETER = 3_000
MOST_LINES = 40
LIKE_LONDON_LABELS = 0.8
LIKE_LONDON_PAIRS = 0.5


def build_parser() -> Parser:
    brought = [kit.part("board_verbs") for kit in kits_with("board_verbs")]
    examples = [f"\n  {module.EXAMPLES[0]}" for module in brought]
    parser = Parser(
        prog="manhunt boards", description="List, show, draw and check boards.", epilog=EPILOG + "".join(examples)
    )
    parser.set_defaults(run=_list)
    parser.add_argument("--json", action="store_true", help="print JSON")
    verbs = parser.add_subparsers()
    show = verbs.add_parser(
        "show",
        help="facts about one board, and its drawing",
        description="Facts about one board: a catalogue name, a generator such as grid:10x10, or a file.",
        epilog="example: manhunt boards show top-right-20 --svg board.svg --dark",
    )
    show.add_argument("board", metavar="NAME", help="catalogue name, generator spec or file")
    show.add_argument("--svg", metavar="FILE", type=Path, help="write a drawing")
    show.add_argument("--dark", action="store_true", help="draw in dark colours")
    show.set_defaults(run=_show)
    check = verbs.add_parser(
        "check",
        help="check a board file",
        description=CHECK,
        epilog="""examples:
  manhunt boards check roads.csv --json
  manhunt boards check their-map.txt --out map.csv    write it as a file that all commands read""",
    )
    check.add_argument("file", metavar="FILE", type=Path, help="rows, adjacency list, JSON, GraphML, GML or graph6")
    check.add_argument("--out", metavar="FILE", type=Path, help="write the board as CSV")
    check.set_defaults(run=_check)
    for module in brought:
        module.add_verbs(verbs)
    verbs.metavar = " | ".join(verbs.choices)
    for verb in verbs.choices.values():
        verb.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON")
    return parser


def main(options: argparse.Namespace) -> int:
    return int(options.run(options))


def _list(options: argparse.Namespace) -> int:
    from manhunt.boards.catalog import catalogue, generators

    if options.json:
        boards = [{"name": e.name, "aliases": list(e.aliases), "text": e.text} for e in catalogue()]
        families = [{"form": g.form, "example": g.example, "text": g.text} for g in generators()]
        print_json({"boards": boards, "generators": families})
        return 0
    screen = console()
    named = _table("board", "")
    for entry in catalogue():
        named.add_row("\n".join([entry.name, *(f"= {alias}" for alias in entry.aliases)]), entry.text)
    screen.print(named)
    made = _table("generator", "", "example")
    for generator in generators():
        made.add_row(generator.form.replace("[", r"\["), generator.text, generator.example)
    screen.print(made)
    screen.print("[quiet]or a file; facts and drawing of any: manhunt boards show NAME[/quiet]")
    return 0


def _show(options: argparse.Namespace) -> int:
    from manhunt.boards.catalog import load_board

    board = load_board(options.board)
    facts = facts_of(board)
    if options.svg is not None:
        from manhunt.core.files import write_atomically
        from manhunt.draw.svg import draw_board

        write_atomically(options.svg, draw_board(board, theme="dark" if options.dark else "light"))
        facts["svg"] = str(options.svg)
    return print_answer(options.json, lambda: facts, lambda: _print_facts(facts))


def _check(options: argparse.Namespace) -> int:
    from manhunt.boards.catalog import load_board
    from manhunt.boards.files import format_board_csv
    from manhunt.boards.maps import load_map
    from manhunt.core.files import check_writable, write_atomically

    if options.out is not None:
        check_writable(options.out)
    board, findings = load_map(options.file)
    facts = facts_of(board)
    london = load_board("london")
    differences = differences_from(board, london) if looks_like(board, london) else None
    if options.out is not None:
        write_atomically(options.out, format_board_csv(board))
        facts["csv"] = str(options.out)
    if options.json:
        found = None if differences is None else [difference._asdict() for difference in differences]
        print_json({**facts, "findings": findings, "like_london": found is not None, "differences": found})
        return 0
    _print_facts(facts)
    _print_findings(findings)
    _print_differences(differences)
    return 0


class Difference(NamedTuple):
    """One edge that is not as in another board."""

    what: str
    """missing, extra or other kind"""
    edge: str
    kind: str | None
    """Here; of a missing edge, there."""
    expected: str | None = None
    """The kind there, where it is another one."""

    def __str__(self) -> str:
        kind = "" if self.kind is None else f" {self.kind}"
        if self.expected is not None:
            return f"{self.what}: {self.edge} is{kind}, not {self.expected}"
        return f"{self.what}: {self.edge}{kind}"


def facts_of(board: Board) -> dict[str, Any]:
    """What can be said about a board in numbers; components and nodes by their labels."""
    from manhunt.boards.distance import components, diameter

    parts = sorted(components(board), key=lambda part: (-len(part), part))
    degrees = [len(board.neighbours(node)) for node in board.nodes()]
    return {
        "name": board.name,
        "hash": board.hash,
        "nodes": board.n_nodes,
        "edges": len(board.edges),
        "transports": {kind.name.lower(): n for kind, n in sorted(Counter(e.transport for e in board.edges).items())},
        "joined_pairs": len({(edge.a, edge.b) for edge in board.edges}),
        "degree": {"least": min(degrees), "mean": round(sum(degrees) / len(degrees), 3), "most": max(degrees)},
        "components": [[board.label(node) for node in part] for part in parts],
        "diameter": diameter(board) if board.n_nodes <= MOST_FOR_DIAMETER else None,
    }


def looks_like(board: Board, other: Board) -> bool:
    """Most labels are shared, and at least half of the joined pairs."""
    ours, theirs = set(board.labels), set(other.labels)
    pairs, other_pairs = _pairs(board), _pairs(other)
    return len(ours & theirs) >= LIKE_LONDON_LABELS * len(ours | theirs) and len(
        pairs & other_pairs
    ) >= LIKE_LONDON_PAIRS * len(other_pairs)


def differences_from(board: Board, other: Board) -> list[Difference]:
    """Edge by edge what `board` lacks, has beyond `other`, or has as another kind; plain boards by joined pairs."""
    from manhunt.boards.build import natural_key

    ours, theirs = _kinds_by_pair(board), _kinds_by_pair(other)
    if all(edge.transport is Transport.PLAIN for edge in board.edges):
        ours, theirs = ({pair: [""] for pair in kinds} for kinds in (ours, theirs))
    found = []
    for pair in sorted({*ours, *theirs}, key=lambda ends: (natural_key(ends[0]), natural_key(ends[1]))):
        here, there = ours.get(pair, []), theirs.get(pair, [])
        extra = [kind for kind in here if kind not in there]
        missing = [kind for kind in there if kind not in here]
        edge = f"{pair[0]}-{pair[1]}"
        changed = list(zip(extra, missing, strict=False))
        found += [Difference("other kind", edge, kind, expected) for kind, expected in changed]
        found += [Difference("missing", edge, kind or None) for kind in missing[len(changed) :]]
        found += [Difference("extra", edge, kind or None) for kind in extra[len(changed) :]]
    return found


def _kinds_by_pair(board: Board) -> dict[tuple[str, str], list[str]]:
    """The kinds of each joined pair, whose labels stand in their natural order."""
    found: dict[tuple[str, str], list[str]] = {}
    for edge in sorted(board.edges, key=lambda edge: edge.transport):
        found.setdefault(_ends(board, edge), []).append(edge.transport.name.lower())
    return found


def _ends(board: Board, edge: Edge) -> tuple[str, str]:
    from manhunt.boards.build import natural_key

    one, other = sorted((board.label(edge.a), board.label(edge.b)), key=natural_key)
    return one, other


def _pairs(board: Board) -> set[tuple[str, str]]:
    return {_ends(board, edge) for edge in board.edges}


def _print_facts(facts: dict[str, Any]) -> None:
    from rich.text import Text

    table = _table("", "", "")
    table.show_header = False
    for name, value in _fact_rows(facts):
        table.add_row(name, Text(value))
    console().print(table)


def _fact_rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    degree, kinds, diameter = facts["degree"], facts["transports"], facts["diameter"]
    by_kind = ", ".join(f"{kind} {n}" for kind, n in kinds.items() if kind != "plain")
    rows = [
        ("board", str(facts["name"])),
        ("nodes", str(facts["nodes"])),
        ("edges", f"{facts['edges']}{f' ({by_kind})' if by_kind else ''}"),
        ("joined pairs", str(facts["joined_pairs"])),
        ("degree", f"{degree['least']} to {degree['most']}, mean {degree['mean']:.2f}"),
        ("components", _components_text(facts["components"])),
        ("diameter", "not computed on a board this large" if diameter is None else f"{diameter} hops"),
    ]
    written = [(word, str(facts[key])) for word, key in (("drawing", "svg"), ("written", "csv")) if key in facts]
    return [*rows, *written]


def _components_text(parts: list[list[str]]) -> str:
    if len(parts) == 1:
        return "1"
    apart = "; ".join(f"{len(part)} nodes ({one_of(part, limit=6)})" for part in parts[1:6])
    more = f"; {len(parts) - 6} more" if len(parts) > 6 else ""
    return f"{len(parts)}: {len(parts[0])} nodes; cut off: {apart}{more}"


def _print_findings(findings: list[str]) -> None:
    if not findings:
        return
    screen = console()
    screen.print(f"{len(findings)} finding{'s' if len(findings) > 1 else ''}:")
    for line in [*findings[:MOST_LINES], *([f"... {len(findings)} in all"] if len(findings) > MOST_LINES else [])]:
        screen.print(f"  {line}", markup=False, highlight=False, emoji=False, soft_wrap=True)


def _print_differences(differences: list[Difference] | None) -> None:
    screen = console()
    if differences is None:
        screen.print("not compared with london: it has other nodes or edges")
        return
    if not differences:
        screen.print("[offer]the same edges as the catalogue's london[/offer]")
        return
    counts = Counter(difference.what for difference in differences)
    words = ", ".join(f"{n} {what}" for what, n in counts.items())
    screen.print(f"differs from the catalogue's london ({words}):")
    for difference in differences:
        screen.print(f"  {difference}", markup=False, highlight=False, emoji=False, soft_wrap=True)


def _table(*columns: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="quiet")
    for i, column in enumerate(columns):
        table.add_column(column, style="bold" if i == 0 else None, no_wrap=i == 0)
    return table
