"""The options that `watch` and `play` share, and the game that they begin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from manhunt.cli.ending import ended_by_signals
from manhunt.cli.parser import Parser, seed_option
from manhunt.cli.terminal.contract import Adviser, AnyScreen, make_screen
from manhunt.core.errors import BadConfig
from manhunt.core.files import check_writable
from manhunt.core.ids import Seat
from manhunt.core.registry import BUILT_IN, find_name, game_names, kit_of
from manhunt.core.seeds import Seed, new_secret, number_of, seed_to_json

if TYPE_CHECKING:
    import argparse

    from manhunt.core.agent import Agent
    from manhunt.play.onlooker import Onlooker

DEFAULT_GAME = BUILT_IN[0]


def game_first(arguments: Sequence[str]) -> tuple[AnyScreen, list[str]]:
    """The game's screen and the other arguments; the game may be left out."""
    if arguments and not arguments[0].startswith("-"):
        return make_screen(find_name(arguments[0]) or arguments[0]), list(arguments[1:])
    return make_screen(DEFAULT_GAME), list(arguments)


def example_of(command: str) -> str:
    """The first example of the usual game."""
    return make_screen(DEFAULT_GAME).examples[command][0]


def build_parser(command: str, screen: AnyScreen, description: str) -> Parser:
    lines = "\n".join(f"  {line}" for line in screen.examples.get(command, ()))
    parser = Parser(
        prog=f"manhunt {command} {screen.game}",
        usage=f"manhunt {command} [GAME] [OPTIONS]",
        description=f"{description}\n\ngames: {', '.join(game_names())} (this help is for {screen.game})",
        epilog=f"examples:\n{lines}",
    )
    parser.add_argument("--preset", metavar="P", help="rules by name; see 'manhunt games'")
    screen.add_options(parser, command)
    for word in screen.words:
        usual = f"(default {_usual_agent(screen, word, acting=command == 'play')})"
        text = f"who plays {word}: a name of 'manhunt agents', or path/to/file.py:ClassName {usual}"
        parser.add_argument(f"--agent-{word}", metavar="AGENT", help=text)
    text = "same seed, same game: a number, or what an earlier game told at its end (default: a new secret)"
    parser.add_argument("--seed", type=seed_option, metavar="S", help=text)
    parser.add_argument("--no-viz", action="store_true", help="plain lines, no drawing and no keys")
    parser.add_argument("--json", action="store_true", help="one JSON line per event, the outcome last")
    parser.add_argument("--figure", action="store_true", help="the game's page in the browser instead of the terminal")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="colours of saved pictures")
    parser.add_argument("--save", type=Path, metavar="FILE", help="save .gif (all moves), .png or .svg (last position)")
    parser.add_argument("--record", type=Path, metavar="FILE", help="save the game with all its secrets as text")
    return parser


@dataclass(frozen=True)
class Begun:
    """A game about to be watched or played."""

    screen: AnyScreen
    game: Onlooker
    seed: Seed
    adviser: Adviser | None
    seed_is_secret: bool = False
    """A seed that was drawn here is told when the game is over: all that is hidden comes from it."""
    shares_seat: bool = False
    """Whether an agent plays a part of the person's seat."""
    place: str | None = None
    """Where the game is played, if not here."""

    @property
    def seed_text(self) -> str:
        if self.place is not None:
            return self.place
        return "seed told at the end" if self.seed_is_secret else f"seed {seed_to_json(self.seed)}"


def begin(screen: AnyScreen, options: argparse.Namespace, seat: Seat, *, acting: bool) -> Begun:
    """Set up the game of the options, followed from `seat`."""
    from manhunt.core.warm import WATCH, start_work, work_of_agents
    from manhunt.play.onlooker import Onlooker
    from manhunt.play.referee import Referee

    check_outputs(options)
    seed: Seed = new_secret() if options.seed is None else options.seed
    setting = screen.set_up(options, number_of(seed, "setting"))
    team = setting.team if acting else None
    specs = _specs(screen, options, setting.agents, seat if acting and team is None else None, acting)
    kit = kit_of(screen.game)
    own_topics = (WATCH, *screen.topics(options))
    start_work(
        [*work_of_agents(kit, specs.values()), *(f"{kit.name}/{topic}" for topic in own_topics)], light=setting.small
    )
    game = kit.game
    agents = _agents(specs, screen.game)
    names = dict(specs)
    reveal = acting and options.reveal
    if team is not None:
        agents[seat] = team.partner(agents[seat])
        names[seat] = f"person and {specs[seat]}"
    elif acting:
        names[seat] = "person"
    if reveal:
        names[seat] += " who sees everything"
    referee = Referee(
        game, setting.config, agents, seed=seed, setup=setting.setup, names=names, time_control=setting.time_control
    )
    onlooker = Onlooker(referee, seat, acting=acting, mine=team.mine if team else None, reveal=reveal)
    screen.open(referee.view(seat))
    screen.prepare(options, onlooker.view)
    referee.register(lambda notice: screen.hear(notice.events), seat)
    adviser = screen.adviser(options, onlooker.view) if acting else None
    return Begun(screen, onlooker, seed, adviser, options.seed is None, team is not None)


def check_outputs(options: argparse.Namespace) -> None:
    """Refuse files that could not be written, before a game is played for them."""
    if options.save is not None:
        from manhunt.draw.pictures import check_format

        check_format(options.save)
    if options.record is not None:
        check_writable(options.record)


def _specs(
    screen: AnyScreen, options: argparse.Namespace, implied: Mapping[Seat, str], person: Seat | None, acting: bool
) -> dict[Seat, str]:
    specs = {}
    for word, seat in screen.words.items():
        given = getattr(options, f"agent_{word.replace('-', '_')}")
        if seat is person:
            if given is not None:
                raise BadConfig(f"--agent-{word} {given}: you play {word} yourself")
            if seat in implied:
                raise BadConfig(f"you play {word} yourself, but {implied[seat]} would play it, too")
            continue
        if given is not None and seat in implied:
            raise BadConfig(f"--agent-{word} {given}: {implied[seat]} plays {word} already")
        specs[seat] = implied.get(seat) or given or _usual_agent(screen, word, acting)
    return specs


def _usual_agent(screen: AnyScreen, word: str, acting: bool) -> str:
    watched = screen.default_agents.get(word, screen.default_agent)
    return screen.opponents.get(word, watched) if acting else watched


def _agents(specs: Mapping[Seat, str], game: str) -> dict[Seat, Agent]:
    from manhunt.agents.registry import make_agent

    return {seat: make_agent(spec, game, seat) for seat, spec in specs.items()}


@contextmanager
def keeping(begun: Begun, options: argparse.Namespace) -> Iterator[None]:
    """Write the files that were asked for when the game ends or is quit, on Ctrl-C, and when the process must end."""
    with ended_by_signals():
        try:
            yield
        finally:
            _finish(begun, options)


def _finish(begun: Begun, options: argparse.Namespace) -> None:
    if options.record is not None:
        replace(begun.game.referee.record(), bounds=begun.screen.bounds()).save(options.record)
    if options.save is not None:
        begun.screen.save_pictures(begun.game.views, options.save, options.theme)
