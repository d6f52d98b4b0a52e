"""`manhunt learn GAME`: train a policy by masked PPO; `learned:file=DIR/policy.npz` plays it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from manhunt.cli.arena import Words, words_of
from manhunt.cli.parser import Parser, add_settings, whole_number
from manhunt.cli.screen import print_answer
from manhunt.cli.training import parse_minutes
from manhunt.core.errors import BadConfig, unknown
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import find_name, game_names, kit_of

BOTH = "both"
MINUTES = 10.0
DESCRIPTION = """Train a policy for one seat, or for both, by playing: masked PPO with a small net. It needs the extra
'learn'; the policy it writes plays everywhere as the agent learned:file=DIR/policy.npz, without that extra.

DIR gets policy.npz, the curves (curves.jsonl, curves.svg) and a checkpoint after every few updates. The same command
resumes an interrupted run; --minutes and --updates include the earlier parts."""
EPILOG = """examples:
  manhunt learn {game} --as {evader} --out run --minutes 10 --seed 1
  manhunt learn {game} --as {pursuers} --against random AGENT --out run
  manhunt learn {game} --as both --against random snapshots --out run
  manhunt arena {game} --agent-{evader} learned:file=run/policy.npz --agent-{pursuers} random --games 200

Each opponent of --against has games of its own; agents that think long make learning slow."""


def build_parser(arguments: Sequence[str] = ()) -> Parser:
    found = [name for name in map(find_name, arguments[:1]) if name is not None]
    words = words_of(found[0]) if found else Words("GAME", {seat.value: seat for seat in PLAYERS})
    evader, pursuers = (words.of(seat)[0] for seat in PLAYERS)
    parser = Parser(
        prog="manhunt learn",
        description=DESCRIPTION,
        epilog=EPILOG.format(game=words.game, evader=evader, pursuers=pursuers),
    )
    parser.add_argument("game", metavar="GAME", help=f"one of {', '.join(game_names())}")
    names = ", ".join([*words.seats, BOTH])
    parser.add_argument("--as", dest="seat", required=True, metavar="SEAT", help=f"who learns: {names}")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder of the run")
    text = (
        "opponents: agents of the other seat, and with --as both 'snapshots', its own older policies (default random)"
    )
    parser.add_argument("--against", nargs="+", default=["random"], metavar="AGENT", help=text)
    text = f"stop after this many minutes in all (default {MINUTES:g}, unless --updates is given)"
    parser.add_argument("--minutes", type=parse_minutes, metavar="M", help=text)
    text = "stop after this many updates in all, rounded up to a whole block"
    parser.add_argument("--updates", type=whole_number(1), metavar="N", help=text)
    parser.add_argument(
        "--seed", type=whole_number(0), default=1, metavar="S", help="decides all chance (default %(default)s)"
    )
    table = parser.add_argument_group("the game's setting")
    table.add_argument("--board", metavar="NAME", help="catalogue name, generator such as grid:8x8, or file")
    table.add_argument("--preset", metavar="NAME", help="one of the game's presets (see manhunt games)")
    add_settings(table, "another option of the game's config, the value as JSON or text; may be repeated")
    ppo = parser.add_argument_group("how to learn")
    for name, usual, help_ in (
        ("games", 64, "games side by side against each opponent"),
        ("steps", 64, "plies in each game between two updates"),
        ("width", 128, "neurons in each layer"),
        ("block", 8, "updates between two checkpoints"),
    ):
        text = f"{help_} (default %(default)s)"
        ppo.add_argument(f"--{name}", type=whole_number(1), default=usual, metavar="N", help=text)
    ppo.add_argument("--rate", type=_positive, default=7e-4, metavar="R", help="learning rate (default %(default)s)")
    ppo.add_argument("--entropy", type=_share, default=0.01, metavar="E", help="entropy bonus (default %(default)s)")
    ppo.add_argument(
        "--discount",
        type=_share,
        default=0.995,
        metavar="G",
        help="what a later reward is worth, for each ply (default %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="the run's card as one JSON document")
    return parser


def run(arguments: Sequence[str]) -> int:
    return main(build_parser(arguments).parse_args(arguments))


def main(options: argparse.Namespace) -> int:
    from manhunt.cli.ending import ended_by_signals
    from manhunt.cli.screen import console, progress_bar
    from manhunt.learning.settings import Settings

    kit = kit_of(options.game)
    words = words_of(kit.name)
    given = {"board": options.board, "preset": options.preset}
    given |= {key.replace("-", "_"): value for key, value in options.settings}
    config = kit.game.make_config(**{key: value for key, value in given.items() if value is not None})
    settings = Settings(
        kit.name,
        kit.game.config_to_json(config),
        _seats(options.seat, words),
        tuple(dict.fromkeys(options.against)),
        options.seed,
        n_games=options.games,
        n_steps=options.steps,
        width=options.width,
        block=options.block,
        learning_rate=options.rate,
        entropy=options.entropy,
        discount=options.discount,
    )
    settings.check_opponents()
    from manhunt.learning.training import POLICY, Training, check_folder

    check_folder(options.out)
    minutes = MINUTES if options.minutes is None and options.updates is None else options.minutes
    seconds = None if minutes is None else 60 * minutes
    training = Training(settings, options.out)
    with ended_by_signals(), progress_bar() as bar:
        total = seconds if seconds is not None else options.updates
        task = bar.add_task("learning", total=total, note="first block")

        def tell(run: Training) -> None:
            rates = (f"{name} {won / max(n, 1):.0%}" for name, (won, n) in run.points[-1].wins.items())
            done = run.seconds if seconds is not None else run.n_updates
            bar.update(task, completed=min(done, total), note=f"{run.n_updates} updates, {', '.join(rates)}"[:90])

        if training.points:
            tell(training)
        training.run(updates=options.updates, seconds=seconds, tell=tell)
    card = training.card()

    def show() -> None:
        screen = console()
        screen.print(f"{card['updates']} updates, {card['decisions']:,} decisions in {card['seconds']:.0f} s")
        for name in card["wins"]:
            rate = training.points[-1].rate(name)
            if rate is not None:
                text = f"  {name}: won {100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"
                screen.print(f"{text} of the last {card['wins'][name][1]} games", markup=False)
        screen.print(f"learned:file={options.out / POLICY}", markup=False)

    return print_answer(options.json, lambda: card, show)


def _seats(text: str, words: Words) -> tuple[Seat, ...]:
    if text == BOTH:
        return PLAYERS
    if text not in words.seats:
        raise BadConfig(unknown("seat", text, [*words.seats, BOTH]))
    return (words.seats[text],)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def _positive(text: str) -> float:
    value = _number(text)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"must be between 0 and 1, not {text}")
    return value


def _share(text: str) -> Any:
    value = _number(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"must be from 0 to 1, not {text}")
    return value
