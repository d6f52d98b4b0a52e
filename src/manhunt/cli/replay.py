"""`manhunt replay`: a finished game again, step by step in the terminal, as a page, a picture, a film, or data."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, whole_number
from manhunt.cli.screen import print_json, progress_bar, say
from manhunt.core.errors import BadConfig, unknown
from manhunt.core.ids import PLAYERS, Seat

if TYPE_CHECKING:
    from manhunt.play.hindsight import Hindsight
    from manhunt.play.replay import Moment, Replay

DESCRIPTION = """Replay a finished game as any seat saw it. Keys: N and B go forward and back one turn,
. and , a ply, R to the next round, G to a ply (12) or a round (r3), S shows what another seat knew, Q quits.
Without a terminal, plain lines are printed."""
EPILOG = """examples:
  manhunt replay game.record.txt
  manhunt replay game.record.txt --seat pursuers --no-viz
  manhunt replay game.record.txt --html game.html
  manhunt replay game.record.txt --png move12.png --ply 12
  manhunt replay game.record.txt --gif game.gif

Records come from `--record FILE` of watch and play, from the folder of `manhunt arena --out DIR` (see `manhunt arena
games DIR`), from `manhunt tournament games FILE --records DIR`, and from the pages of the web app."""
TRUTH = "truth"
MOST_WIDE = 40
"""Columns of a turn in notation; a longer one pushes its words to the right."""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt replay", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("record", type=Path, metavar="RECORD", help="the record of a game that is over")
    text = "whose knowledge is shown: truth (default), evader, pursuers or spectator, or the game's own name for a seat"
    parser.add_argument("--seat", default=TRUTH, metavar="SEAT", help=text)
    text = "where to begin (default 0), and what --svg and --png show (default: the end)"
    parser.add_argument("--ply", type=whole_number(0), metavar="N", help=text)
    parser.add_argument("--html", type=Path, metavar="FILE", help="write one page that works without a server")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write a picture of one moment")
    parser.add_argument("--png", type=Path, metavar="FILE", help="the same as PNG")
    parser.add_argument("--gif", type=Path, metavar="FILE", help="write an animation of the game")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="colours of what is drawn")
    parser.add_argument("--no-viz", action="store_true", help="plain lines, no drawing and no keys")
    parser.add_argument("--json", action="store_true", help="every turn as data, in one JSON document")
    return parser


def main(options: Namespace) -> int:
    from manhunt.core.registry import kit_of
    from manhunt.core.warm import WATCH, start_work
    from manhunt.play.record import load_record
    from manhunt.play.replay import Replay

    _check_files(options)
    record = load_record(options.record)
    start_work([f"{kit_of(record.game).name}/{WATCH}"])
    replay = Replay.of(record, str(options.record))
    replay = replay.seen_by(seat_of(replay.past, options.seat))
    if options.ply is not None:
        replay.past.check_ply(options.ply)
    files = list(_write_files(replay, options))
    if options.json:
        print_json({**replay.to_json(), **({"files": files} if files else {})})
    elif files:
        say("\n".join(f"wrote {name}" for name in files))
    elif options.no_viz or not (sys.stdin.isatty() and sys.stdout.isatty()):
        say("\n".join(plain_lines(replay)))
    else:
        from manhunt.cli.terminal.replaying import replay_in_terminal

        replay_in_terminal(replay[options.ply or 0])
    return 0


def seat_of(past: Hindsight, word: str) -> Seat | None:
    """The seat that a word of the command line means; None is the truth."""
    words = seat_words_of(past)
    if word.lower() not in words:
        raise BadConfig(unknown("seat", word, words))
    return words[word.lower()]


def seat_words_of(past: Hindsight) -> Mapping[str, Seat | None]:
    from manhunt.cli.terminal.board_screen import seat_words
    from manhunt.core.registry import kit_of

    kit = kit_of(past.game.name)
    screen = kit.part("screen")
    own = seat_words(kit) if screen is None else screen.words
    return {TRUTH: None, **own, **{seat.value: seat for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR)}}


def plain_lines(replay: Replay) -> Iterator[str]:
    """Who played, a line for each turn, and how it ended."""
    past, seats = replay.past, replay.past.record.seats
    names = past.game.seat_names
    who = ", ".join(f"{names.get(seat, seat.value)} {seats[seat.value]}" for seat in PLAYERS if seat.value in seats)
    yield f"{past.game.title}: {who}" if who else past.game.title
    yield f"Shown: {replay[0].shown}."
    moments = replay.turns
    rows = [_row(moment) for moment in moments]
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for *cells, words in rows:
        texts = [cell.ljust(min(width, MOST_WIDE)) for cell, width in zip(cells, widths, strict=True)]
        yield "  ".join([*texts, words]).rstrip()
    yield f"Result: {replay.ending}."


def _row(moment: Moment) -> tuple[str, str, str, str]:
    from manhunt.cli.terminal.plain import without_round

    if not moment.ply:
        return "ply 0", "start", "", "; ".join(moment.words)
    words = "; ".join(without_round(moment.round, line) for line in moment.words)
    return f"ply {moment.ply}", f"round {moment.round}", moment.action_text, words


def _check_files(options: Namespace) -> None:
    """Refuse files that could not be written, before the game is drawn for them."""
    from manhunt.core.files import check_writable
    from manhunt.draw.pictures import check_format

    for name in ("svg", "png", "gif"):
        path = getattr(options, name)
        if path is not None:
            check_format(path, (f".{name}",))
    if options.html is not None:
        check_writable(options.html)


def _write_files(replay: Replay, options: Namespace) -> Iterator[str]:
    from manhunt.core.files import write_atomically
    from manhunt.draw.pictures import save_scenes

    moment = replay[-1 if options.ply is None else options.ply]
    if options.html is not None:
        write_atomically(options.html, replay.to_html())
        yield str(options.html)
    for path in filter(None, (options.svg, options.png)):
        save_scenes([moment.scene], path, options.theme)
        yield str(path)
    if options.gif is not None:
        _write_film(replay, options.gif, options.theme)
        yield str(options.gif)


def _write_film(replay: Replay, path: Path, theme: str) -> None:
    import io

    from manhunt.core.files import write_atomically
    from manhunt.draw.film import save_film
    from manhunt.draw.scenes import scene_of

    buffer = io.BytesIO()
    with progress_bar() as bar:
        task = bar.add_task("film", total=None, note="")

        def report(done: int, total: int, words: str) -> Any:
            bar.update(task, completed=done, total=total, note=words)

        save_film([scene_of(moment.view) for moment in replay.turns], buffer, theme, report)
    write_atomically(path, buffer.getvalue())
