"""Scotland Yard's lines beside the map: travel log, tickets, candidates, offers."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from rich.text import Text

from manhunt.cli.screen import COLOURS
from manhunt.cli.terminal.chart import piece_style
from manhunt.cli.terminal.contract import Item, Submenu
from manhunt.core.ids import Node, Seat
from manhunt.core.scene import ScenePiece
from manhunt.draw.look import DARK
from manhunt.draw.strip import on_colour
from manhunt.games.scotland_yard.rules.actions import Piece, Single, Tickets
from manhunt.games.scotland_yard.rules.views import ScotlandYardView

LOG_WIDTH = 38
_LETTER = {"T": "taxi", "B": "bus", "U": "underground", "S": "secret"}
_FIELD = {letter: f"bold {on_colour(colour)} on {colour}" for letter, colour in (
    ("T", DARK.taxi), ("B", DARK.bus), ("U", DARK.underground), ("S", DARK.secret),
)}  # fmt: skip


def log_lines(view: ScotlandYardView) -> list[Text]:
    """Every slot of the travel log; shown rounds in brackets, with the node once it is known."""
    lines = [Text().append("  1 ", "quiet")]
    for number, shown in enumerate(view.config.rounds, 1):
        slot = _slot(view, number, shown)
        if len(lines[-1]) + len(slot) > LOG_WIDTH or (number % 8 == 1 and number > 1):
            lines.append(Text().append(f"{number:>3} ", "quiet"))
        lines[-1].append(slot)
    return lines


def _slot(view: ScotlandYardView, number: int, shown: bool) -> Text:
    text = Text().append("[" if shown else " ", "bold")
    if number > len(view.log):
        text.append("  ?  " if shown else "\u00b7", "quiet")
    else:
        entry = view.log[number - 1]
        text.append(f" {entry.ticket.letter} " if shown else entry.ticket.letter, _FIELD[entry.ticket.letter])
        if entry.node is not None:
            text.append(f"{view.config.board.label(entry.node):>3}", "bold")
    return text.append("]" if shown else " ", "bold")


def ticket_table(view: ScotlandYardView, came: Mapping[str, str]) -> list[Text]:
    """One line a piece: where it is, what it holds, how it came there; who still moves in this turn is marked."""
    head = Text().append("      at  ", "quiet")
    for letter, name in _LETTER.items():
        head.append(f"{letter:>3}", _bold(name))
    lines = [head.append("  2", "bold")]
    label = view.config.board.label
    place = "?" if view.quarry is None else label(view.quarry)
    lines.append(_row(Piece.MRX, place, view.mrx_tickets, "", moves=not view.waiting and view.outcome is None))
    for d in view.detectives:
        moves = d.piece in view.waiting and view.outcome is None
        lines.append(_row(d.piece, label(d.node), d.tickets, came.get(str(d.piece), ""), moves=moves))
    return lines


def _row(piece: Piece, place: str, held: Tickets, came: str, *, moves: bool) -> Text:
    line = Text().append("\u25b8" if moves else " ", _bold("offer")).append(f" {piece.letter} ", _badge(piece))
    line.append(f" {place:>3}  ", "bold")
    for name, count in held._asdict().items():
        if piece is Piece.MRX or name not in ("secret", "double"):
            line.append(f"{count:>3}", "quiet" if count == 0 else name)
    return line.append(f"  {came}" if came else "", "quiet")


def _badge(piece: Piece) -> str:
    return piece_style(ScenePiece(Node(0), "pursuer" if piece.is_detective else "quarry", max(piece - 1, 0)))


def candidate_text(view: ScotlandYardView, nodes: Sequence[Node], most: int) -> str:
    """`Mr X can be on 6 nodes: 12 13 22 ...`."""
    more = " ..." if len(nodes) > most else ""
    n = "1 node" if len(nodes) == 1 else f"{len(nodes)} nodes"
    head = "The detectives think you could be on" if view.seat is Seat.EVADER else "Mr X can be on"
    return f"{head} {n}: {view.config.board.text(nodes[:most])}{more}"


def candidate_lines(view: ScotlandYardView, nodes: Sequence[Node]) -> list[Text]:
    """In at most three rows beside the map."""
    wanted = candidate_text(view, nodes, len(nodes))
    rows = textwrap.wrap(
        wanted, LOG_WIDTH, initial_indent=" ", subsequent_indent=" ", max_lines=3, placeholder=" ...",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return [Text(row, "belief") for row in rows]


def ticket_texts(view: ScotlandYardView) -> list[str]:
    """The log and the tickets as plain lines."""
    label = view.config.board.label
    log = [e.ticket.letter + ("" if e.node is None else f"({label(e.node)})") for e in view.log]
    to_come = [number for number in view.config.shown_rounds if number > view.round]
    shown = f"; shown next: {to_come[0]}" if to_come else ""
    rows = [f"log: {' '.join(log) or 'empty'}{shown}"]
    rows.append(f"X on {'?' if view.quarry is None else label(view.quarry)}: {_held(view.mrx_tickets)}")
    rows += [f"{d.piece.letter} on {label(d.node)}: {_held(d.tickets)}" for d in view.detectives]
    return rows


def _held(tickets: Tickets) -> str:
    named = [f"{count} {name}" for name, count in tickets._asdict().items() if count]
    return ", ".join(named) or "no tickets"


def offer_lines(items: Sequence[Item], columns: int) -> list[Text]:
    """Detectives: a row a piece. Mr X: a row a ticket, of his single moves or of a step of a double move."""
    rows: dict[str, list[Text]] = {}
    for item in items:
        head, style = _row_of(item)
        lines = rows.setdefault(head, [Text().append(f" {head} ", style)])
        offer = Text(f"  #{item.number} ", "quiet").append(item.words, _ride_style(item.words))
        if len(lines[-1]) + len(offer) > columns:
            lines.append(Text(" " * (len(head) + 2)))
        lines[-1].append(offer)
    out = [line for lines in rows.values() for line in lines]
    if items[0].notation.startswith("2:"):
        out.append(Text(" b goes back", "quiet"))
    return out


def _row_of(item: Item) -> tuple[str, str]:
    """The head of an offer's row, with its style."""
    if isinstance(item.action, Submenu) and len(item.action.path) == 1:
        return "2", "bold reverse"
    if isinstance(item.action, Single) and item.action.piece.is_detective:
        return item.action.piece.letter, _badge(item.action.piece)
    letter = item.words[0]
    return item.notation.removesuffix(item.words) + letter, _bold(_LETTER[letter])


def _ride_style(word: str) -> str:
    return _bold(_LETTER.get(word[0], "offer"))


def _bold(name: str) -> str:
    """A colour of the terminal's theme in bold; theme names alone cannot be combined."""
    return f"bold {COLOURS[name]}"
