"""`manhunt solve fugitive`: a small deck solved as a game of hidden information."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, add_settings, seconds, whole_number
from manhunt.cli.screen import console, print_json, progress_bar
from manhunt.core.errors import ManhuntError

if TYPE_CHECKING:
    from manhunt.games.fugitive.rules.config import Config
    from manhunt.games.fugitive.solvers.mini import MiniSolution
    from manhunt.games.fugitive.solvers.public_tree import Restrictions
    from manhunt.solvers.equilibrium.cfr import Equilibrium

DESCRIPTION = """Who is favoured in a small deck of Fugitive when both play as well as possible, and how do they play?

The winning chance comes with bounds: the Fugitive's policy wins at least the lower one whatever the Marshal does, and
against the Marshal's policy no Fugitive wins more than the upper one. Their difference is the exploitability."""
EPILOG = """examples:
  manhunt solve fugitive --list
  manhunt solve fugitive --deck six
  manhunt solve fugitive --deck six --set max_rounds=3 --exactly
  manhunt solve fugitive --deck eight-two --shunned-pile 2 --seconds 60
  manhunt solve fugitive --set last=7 --set piles=[[3,6]] --no-bluffs --json"""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt solve fugitive", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("--deck", metavar="D", help="a small deck by name (default six); see --list")
    parser.add_argument("--list", action="store_true", help="the decks with names")
    text = "a rule that differs, such as last=7 or piles=[[3,5],[6,8]]; again for more"
    add_settings(parser, text)
    parser.add_argument("--no-bluffs", action="store_true", help="the Fugitive never pays more than necessary")
    parser.add_argument("--no-passes", action="store_true", help="the Fugitive passes only if no card can be placed")
    parser.add_argument(
        "--largest-guess", metavar="N", type=whole_number(1), help="the Marshal guesses at most N numbers"
    )
    parser.add_argument(
        "--shunned-pile",
        metavar="P",
        type=whole_number(1),
        help="the Marshal draws from this pile only if the others are empty",
    )
    parser.add_argument(
        "--iterations", metavar="N", type=whole_number(1), help="at most this many iterations of CFR+ (default 2000)"
    )
    parser.add_argument("--seconds", metavar="S", type=seconds, help="stop iterating after this time")
    parser.add_argument("--target", metavar="E", type=float, default=0.0, help="stop at this exploitability")
    parser.add_argument(
        "--exactly", action="store_true", help="by linear programs, for decks with up to about 10,000 infosets"
    )
    parser.add_argument("--max-infosets", metavar="N", type=whole_number(1), help="refuse to build more")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    return parser


def main(options: Namespace) -> int:
    if options.list:
        _list_decks(options.json)
        return 0
    if options.exactly and (options.iterations or options.seconds is not None or options.target):
        raise ManhuntError("--exactly needs no --iterations, --seconds or --target; leave them out")
    config = _config(options)
    found = _solve(config, options)
    if options.json:
        print_json(_to_json(found))
    else:
        _show(found)
    return 0


def _list_decks(as_json: bool) -> None:
    from manhunt.games.fugitive.rules.config import config_to_json
    from manhunt.games.fugitive.solvers.decks import DECKS

    if as_json:
        print_json({name: config_to_json(config) for name, config in DECKS.items()})
        return
    for name, config in DECKS.items():
        console().print(f"{name:<14} {_deck_text(config)}")


def _deck_text(config: Config) -> str:
    piles = " ".join(f"{low}-{high}({n})" for (low, high), n in zip(config.piles, config.dealt, strict=True))
    return (
        f"0-{config.last}, piles (dealt) {piles}, reach {config.reach}, "
        f"manhunt below {config.manhunt_below}, {config.max_rounds} rounds"
    )


def _config(options: Namespace) -> Config:
    from manhunt.core.errors import unknown
    from manhunt.games.fugitive.rules.config import config_to_json, make_config
    from manhunt.games.fugitive.solvers.decks import DECKS, DEFAULT_DECK

    name = options.deck or DEFAULT_DECK
    if name not in DECKS:
        raise ManhuntError(unknown("deck", name, DECKS))
    return make_config(None, **(config_to_json(DECKS[name]) | dict(options.settings)))


def _restrictions(config: Config, options: Namespace) -> Restrictions:
    from manhunt.games.fugitive.solvers.public_tree import Restrictions

    pile, n = options.shunned_pile, len(config.piles)
    if pile is not None and pile > n:
        raise ManhuntError(f"--shunned-pile {pile}: the deck has {n} piles, numbered from 1")
    return Restrictions(
        bluffs=not options.no_bluffs,
        passes=not options.no_passes,
        largest_guess=options.largest_guess,
        shunned_pile=None if pile is None else pile - 1,
    )


def _solve(config: Config, options: Namespace) -> MiniSolution:
    from manhunt.core.warm import start_work

    if not options.exactly:
        start_work(["fugitive/solve"])
    from manhunt.games.fugitive.solvers.mini import DEFAULT_INFOSETS, DEFAULT_ITERATIONS, solve_mini

    iterations = options.iterations or DEFAULT_ITERATIONS
    with _bars(iterations, options.seconds) as (on_build, on_progress):
        return solve_mini(
            config,
            iterations,
            restrictions=_restrictions(config, options),
            seconds=options.seconds,
            target=options.target,
            exactly=options.exactly,
            most_infosets=options.max_infosets or DEFAULT_INFOSETS,
            on_build=on_build,
            on_progress=on_progress,
        )


@contextmanager
def _bars(iterations: int, limit_seconds: float | None) -> Iterator[Any]:
    with progress_bar() as bar:
        task = bar.add_task("building", total=None, note="")

        def on_build(n_infosets: int) -> None:
            bar.update(task, note=f"{n_infosets:,} infosets")

        def on_progress(done: int, found: Equilibrium, spent: float) -> None:
            share = done / iterations if limit_seconds is None else max(done / iterations, spent / limit_seconds)
            note = f"{done:,} iterations, exploitability {found.exploitability:.5f}"
            bar.update(task, description="solving", total=1.0, completed=min(1.0, share), note=note)

        yield on_build, on_progress


def _to_json(found: MiniSolution) -> dict[str, Any]:
    from manhunt.games.fugitive.rules.config import config_to_json

    return {
        "game": "fugitive",
        "config": config_to_json(found.config),
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "exploitability": found.exploitability,
        "iterations": found.equilibrium.iterations,
        "public_nodes": found.n_public,
        "infosets": {"fugitive": found.game.evader.n_infosets, "marshal": found.game.pursuers.n_infosets},
        "sequences": {"fugitive": found.game.evader.n_sequences, "marshal": found.game.pursuers.n_sequences},
        "build_seconds": round(found.build_seconds, 3),
        "solve_seconds": round(found.solve_seconds, 3),
        "openings": found.openings,
        "bluff_share": found.bluff_share,
        "pass_share": found.pass_share,
        "fugitive_draws": found.draws("Fugitive"),
        "marshal_draws": found.draws("Marshal"),
        "guesses_per_game": found.n_guesses,
        "guesses": found.guesses,
        "manhunts": found.happenings_of("manhunt"),
        "caught_in_manhunt": found.happenings_of("caught in the manhunt"),
        "escapes_at_once": found.happenings_of("escape at once"),
        "happenings": [
            {"what": tag.name, "round": tag.round, "times": times} for tag, times in found.happenings.items()
        ],
    }


RARE = 0.01
"""How many times a game something has to happen before its shares are shown: best play is not unique elsewhere."""


def _show(found: MiniSolution) -> None:
    screen = console()
    screen.print(f"Deck {_deck_text(found.config)}", style="quiet")
    middle, gap = found.value, found.exploitability
    who = "the Fugitive" if found.low > 0.5 else "the Marshal" if found.high < 0.5 else "not certain"
    screen.print(f"Fugitive wins    [offer]{middle:.4f}[/offer]  (from {found.low:.5f} to {found.high:.5f})")
    screen.print(f"Favoured         {who}")
    screen.print(f"Exploitability   {gap:.6f} after {found.equilibrium.iterations:,} iterations")
    screen.print(f"Size             {found.n_public:,} public nodes, {found.n_infosets:,} infosets")
    screen.print(f"Time             {found.build_seconds:.1f} s to build, {found.solve_seconds:.1f} s to solve")
    screen.print(f"Openings         {_listing(found.openings)}")
    screen.print(f"Bluffs           {found.bluff_share:.1%} of placements have a sprint card that is not needed")
    later = f"{found.pass_share:.1%} of the turns after the first"
    screen.print(f"Passes           {later if found.n_later_turns >= RARE else 'hardly ever a turn after the first'}")
    if len(found.config.piles) > 1:
        screen.print(f"Fugitive draws   {_listing(found.draws('Fugitive'))}")
        screen.print(f"Marshal draws    {_listing(found.draws('Marshal'))}")
    guesses = f"{found.n_guesses:.2f} times a game: {_listing(found.guesses)}"
    screen.print(f"Marshal guesses  {guesses if found.n_guesses >= RARE else 'hardly ever before the escape'}")
    ends = {
        "manhunt": found.happenings_of("manhunt"),
        "caught there": found.happenings_of("caught in the manhunt"),
        "escape at once": found.happenings_of("escape at once"),
    }
    screen.print(f"Ends             {_listing(ends)}")


def _listing(shares: Mapping[str, float]) -> str:
    parts = [f"{name} {share:.1%}" for name, share in shares.items() if share >= 0.0005]
    return ", ".join(parts[:8]) if parts else "never"
