"""`manhunt beliefs`: fit the model of Mr X to recorded games, and score models on others."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser

if TYPE_CHECKING:
    from manhunt.beliefs.score import BeliefScore, Mean
    from manhunt.games.scotland_yard.beliefs.fit import History
    from manhunt.games.scotland_yard.beliefs.score import Follower

EPILOG = """examples:
  manhunt arena scotland_yard --agent-mrx greedy random --agent-detectives greedy --games 200 --out games
  manhunt beliefs fit games/records --out mine.json
  manhunt beliefs score other/records --model uniform category soft mine.json --plot calibration.png"""


def build_parser() -> Parser:
    parser = Parser(
        prog="manhunt beliefs",
        description="Where is Mr X? Fit a model of how he moves to recorded games; score models on recorded games.",
        epilog=EPILOG,
    )
    verbs = parser.add_subparsers(dest="verb", metavar="fit | score", required=True)
    fit = verbs.add_parser(
        "fit",
        help="fit the soft model",
        description="Fit the soft model to the moves of Mr X in recorded games, by maximum likelihood.",
        epilog="example: manhunt beliefs fit games/records --out mine.json",
    )
    fit.add_argument("records", metavar="RECORDS", type=Path, nargs="+", help="record files, or folders of them")
    fit.add_argument("--out", metavar="FILE", type=Path, required=True, help="where the fitted model goes (.json)")
    fit.add_argument("--penalty", metavar="P", type=float, default=1e-3, help="on squared weights (default 0.001)")
    score = verbs.add_parser(
        "score",
        help="score models on recorded games",
        description="Log-loss, Brier score, rank of the true node and calibration, after each hidden move of Mr X.",
        epilog="example: manhunt beliefs score games/records --model uniform soft --plot calibration.png",
    )
    score.add_argument("records", metavar="RECORDS", type=Path, nargs="+", help="record files, or folders of them")
    score.add_argument(
        "--model",
        metavar="MODEL",
        nargs="+",
        default=["uniform", "category", "soft"],
        help="uniform, category, soft, a fitted model's file, or champion-1 to champion-3: what the agent champion "
        "believes as detectives of that level (default: the first three)",
    )
    score.add_argument("--plot", metavar="FILE", type=Path, help="draw the calibration (.png or .svg)")
    for verb in (fit, score):
        verb.add_argument("--json", action="store_true", help="one JSON document")
    return parser


def main(options: argparse.Namespace) -> int:
    return _fit(options) if options.verb == "fit" else _score(options)


def load_games(paths: Sequence[Path]) -> list[History]:
    """The games of record files, and of all records in folders."""
    from manhunt.cli.screen import progress_bar
    from manhunt.core.errors import BadText
    from manhunt.play.record import load_record, replay

    files = [file for path in paths for file in (sorted(path.rglob("*.txt")) if path.is_dir() else [path])]
    if not files:
        raise BadText(f"no records (*.txt) in {', '.join(map(str, paths))}")
    games = []
    with progress_bar() as bar:
        task = bar.add_task("reading", total=len(files), note="")
        for file in files:
            record = load_record(file)
            if record.game != "scotland_yard":
                raise BadText(f"{file} is a game of {record.game}; beliefs are about scotland_yard")
            replayed = replay(record, str(file))
            games.append((replayed.states, replayed.actions))
            bar.update(task, advance=1, note=f"{len(games)} games")
    return games


def _fit(options: argparse.Namespace) -> int:
    from manhunt.cli.screen import console, print_json
    from manhunt.core.errors import ManhuntError
    from manhunt.core.files import check_writable, write_atomically
    from manhunt.games.scotland_yard.beliefs.features import FEATURES
    from manhunt.games.scotland_yard.beliefs.fit import decisions_of, fit_soft

    if not (math.isfinite(options.penalty) and options.penalty >= 0):
        raise ManhuntError(f"--penalty must be 0 or more, not {options.penalty}")
    check_writable(options.out)
    games = load_games(options.records)
    decisions = decisions_of(games)
    command = f"manhunt beliefs fit {' '.join(map(str, options.records))} --penalty {options.penalty:g}"
    provenance = {"command": command, "games": len(games), "decisions": decisions.n}
    fitted = fit_soft(decisions, options.penalty, provenance)
    write_atomically(options.out, fitted.model.format())
    weights = dict(zip(FEATURES, map(float, fitted.model.theta), strict=True))
    if options.json:
        print_json({**provenance, "loss": fitted.loss, "uniform_loss": fitted.uniform_loss, "weights": weights})
        return 0
    screen = console()
    screen.print(f"{len(games)} games, {decisions.n} decisions of Mr X")
    screen.print(f"log-loss of a move {fitted.loss:.4f}; all moves alike {fitted.uniform_loss:.4f}")
    for name, weight in weights.items():
        screen.print(f"  {name:<20} {weight:+.3f}")
    screen.print(f"written to {options.out}", markup=False)
    return 0


def _maker(name: str) -> Callable[[], Follower]:
    """A new belief for each game, by the name of its model or level."""
    from manhunt.games.scotland_yard.beliefs.models import make_model
    from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
    from manhunt.games.scotland_yard.champion.foresight import LEVELS
    from manhunt.games.scotland_yard.champion.informed import LevelBelief
    from manhunt.games.scotland_yard.champion.nets import shipped_nets

    for level in LEVELS:
        if name == f"champion-{level}":
            nets = shipped_nets()[0]
            return lambda: LevelBelief(nets, level)
    model = make_model(name)
    return lambda: WeightedBelief(model)


def _score(options: argparse.Namespace) -> int:
    from manhunt.cli.screen import print_json, progress_bar
    from manhunt.games.scotland_yard.beliefs.score import score_belief

    if options.plot is not None:
        from manhunt.draw.calibration import check_plot

        check_plot(options.plot)
    models = {name: _maker(name) for name in options.model}
    games = load_games(options.records)
    scores: dict[str, BeliefScore] = {}
    with progress_bar() as bar:
        task = bar.add_task("scoring", total=len(models), note="")
        for name, make in models.items():
            scores[name] = score_belief(name, make, games)
            bar.update(task, advance=1, note=name)
    if options.plot is not None:
        from manhunt.draw.calibration import save_calibration

        curves = {name: [(b.predicted, b.observed, b.n) for b in score.calibration] for name, score in scores.items()}
        save_calibration(curves, options.plot)
    if options.json:
        print_json([_as_json(name, score) for name, score in scores.items()])
    else:
        _print(scores)
    return 0


def _as_json(name: str, score: BeliefScore) -> dict[str, Any]:
    means = ("log_loss", "brier", "rank", "top", "candidates")
    return {
        "model": name,
        "games": score.n_games,
        "positions": score.n_positions,
        **{key: {k: _number(v) for k, v in getattr(score, key)._asdict().items()} for key in means},
        "calibration": [
            {"low": b.low, "high": b.high, "n": b.n, "predicted": b.predicted, "observed": b.observed}
            for b in score.calibration
        ],
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _print(scores: dict[str, BeliefScore]) -> None:
    from rich.table import Table

    from manhunt.beliefs.score import gain_over
    from manhunt.cli.screen import console

    screen = console()
    first = next(iter(scores.values()))
    screen.print(f"{first.n_games} games, {first.n_positions} positions after a hidden move; means over games, 95 %")
    table = Table(box=None, pad_edge=False, header_style="quiet")
    for column in ("model", "log-loss", "Brier", "rank of the truth", "likeliest is true", "candidates"):
        table.add_column(column, justify="left" if column == "model" else "right")
    for name, score in scores.items():
        means = (score.log_loss, score.brier, score.rank, score.top, score.candidates)
        table.add_row(name, *(_text(mean, 3 if i in (0, 1, 3) else 1) for i, mean in enumerate(means)))
    screen.print(table)
    best_name, best = min(scores.items(), key=lambda item: item[1].log_loss.value)
    for name, score in scores.items():
        if name != best_name:
            gain = _text(gain_over(best, score), 3)
            screen.print(f"{best_name} saves {gain} log-loss against {name} on the same games", markup=False)
    _print_calibration(scores)


def _print_calibration(scores: dict[str, BeliefScore]) -> None:
    from rich.table import Table

    from manhunt.cli.screen import console

    table = Table(title="calibration: said / found (nodes)", box=None, pad_edge=False, header_style="quiet")
    table.add_column("probability")
    for name in scores:
        table.add_column(name, justify="right")
    edges = sorted({(b.low, b.high) for score in scores.values() for b in score.calibration})
    for low, high in edges:
        cells = []
        for score in scores.values():
            found = [b for b in score.calibration if b.low == low]
            cells.append(f"{found[0].predicted:.3f} / {found[0].observed:.3f} ({found[0].n})" if found else "-")
        table.add_row(f"{low:g} to {high:g}", *cells)
    console().print(table)


def _text(mean: Mean, digits: int) -> str:
    half = mean.high - mean.value
    return f"{mean.value:.{digits}f}" + (f" ± {half:.{digits}f}" if math.isfinite(half) else "")
