"""What the `train` commands of games share: options, the progress bar, and what is printed at the end."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from manhunt.cli.parser import Parser, whole_number


class Report(Protocol):
    """How far a training is; `wins` has the wins and games of the last generation by opponent."""

    @property
    def games(self) -> int: ...

    @property
    def wins(self) -> Mapping[str, tuple[int, int]]: ...


class Training(Protocol):
    """A training run that can be resumed."""

    @property
    def games(self) -> int: ...

    @property
    def is_done(self) -> bool: ...

    def run(self, tell: Callable[[Any], None], limit_seconds: float = math.inf) -> None: ...


def add_training_options(parser: Parser, generation: int, out: str) -> None:
    """Options that every training has, but for the number of games."""
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help=out)
    text = "games between two fits (default %(default)s)"
    parser.add_argument("--generation", type=whole_number(1), default=generation, metavar="N", help=text)
    text = "stop after this many minutes, at the latest"
    parser.add_argument("--minutes", type=parse_minutes, default=math.inf, metavar="M", help=text)
    parser.add_argument(
        "--seed", type=whole_number(0), default=1, metavar="S", help="decides all chance (default %(default)s)"
    )
    parser.add_argument("--preset", default="standard", metavar="NAME", help="rules (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="the card as one JSON document")


def parse_minutes(text: str) -> float:
    """An argparse type: a time of more than 0."""
    try:
        minutes = float(text)
    except ValueError:
        minutes = math.nan
    if not minutes > 0:
        raise argparse.ArgumentTypeError(f"must be more than 0, not {text}")
    return minutes


def train(
    options: argparse.Namespace,
    training: Training,
    total: int,
    side: str,
    file: Path,
    read_card: Callable[[], dict[str, Any]],
) -> int:
    """Train until `total` games are played or the time is over; `side` is whose wins are counted."""
    from manhunt.cli.screen import console, print_answer, progress_bar

    with progress_bar() as bar:
        task = bar.add_task("training", total=total, completed=training.games, note="compiling")

        def tell(report: Report) -> None:
            wins = ", ".join(f"{name} {won / max(n, 1):.0%}" for name, (won, n) in report.wins.items())
            bar.update(task, completed=report.games, note=f"{report.games}/{total} games, {wins}"[:70])

        training.run(tell, 60 * options.minutes)
    card = read_card()

    def show() -> None:
        screen = console()
        screen.print(f"{card['games']} games in {card['seconds']:.0f} s, {card['generations']} generations")
        for name, row in card["last_generation"].items():
            won = next(value for key, value in row.items() if key != "games")
            screen.print(f"  {side} won {won} of {row['games']} against {name}", markup=False)
        state = "done" if training.is_done else "not done; run the same command to resume"
        screen.print(f"{state}: {file}", markup=False)

    return print_answer(options.json, lambda: card, show)
