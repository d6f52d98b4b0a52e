"""The options that `watch` and `play` share, and the game that they begin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.ending import ended_by_signals
from manhunt.cli.parser import Parser, add_aliases, seed_option
from manhunt.cli.terminal.agent_output import AgentOutput
from manhunt.cli.terminal.contract import Adviser, AnyScreen, make_screen
from manhunt.cli.terminal.resuming import StartedGame, with_take_backs
from manhunt.core.errors import BadConfig, ManhuntError
from manhunt.core.files import check_writable
from manhunt.core.ids import Seat
from manhunt.core.registry import BUILT_IN, find_name, game_names, kit_of
from manhunt.core.seeds import Seed, new_secret, number_of, seed_to_json
from manhunt.core.warm import PAGE, WATCH, start_work, work_of_agents

if TYPE_CHECKING:
    import argparse

    from manhunt.core.agent import Agent
    from manhunt.core.game import View
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
    for word, seat in screen.words.items():
        usual = f"(default {_usual_agent(screen, word, acting=command == 'play')})"
        text = f"the agent in this seat: a name from 'manhunt agents', or path/to/file.py:ClassName {usual}"
        agent = parser.add_argument(f"--agent-{word}", metavar="AGENT", help=text)
        add_aliases(parser, agent, f"--agent-{seat.value}")
    text = "same seed, same game: a number, or the seed shown after an earlier game (default: a new secret)"
    parser.add_argument("--seed", type=seed_option, metavar="S", help=text)
    parser.add_argument("--no-viz", action="store_true", help="plain lines, no drawing and no keys")
    parser.add_argument("--json", action="store_true", help="one JSON line per event, the outcome last")
    parser.add_argument("--figure", action="store_true", help="the game's page in the browser instead of the terminal")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="colours of saved pictures")
    parser.add_argument("--save", type=Path, metavar="FILE", help="save .gif (all moves), .png or .svg (last position)")
    parser.add_argument("--record", type=Path, metavar="FILE", help="save the game with all its secrets as text")
    return parser


@dataclass
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
    make_agents: Callable[[], dict[Seat, Agent]] = dict
    """New agents for this game, as at its beginning."""
    output: AgentOutput = field(default_factory=AgentOutput)
    wants_hints: bool = False
    n_taken_back: int = 0
    """Turns that the person took back."""
    _shown: int | None = None
    """The ply at which the screen stands."""
    _hint: tuple[View, Mapping[str, Any]] | None = None

    @property
    def seed_text(self) -> str:
        if self.place is not None:
            return self.place
        return "seed shown at the end" if self.seed_is_secret else f"seed {seed_to_json(self.seed)}"

    def show(self, ply: int | None = None) -> None:
        """Let the screen stand at a ply, or at the newest: it hears what happened until then."""
        game = self.game
        ply = len(game.told) - 1 if ply is None else ply
        if self._shown is None or self._shown > ply:
            self.screen.open(game.opening)
            self._shown = 0
        for events in game.told[self._shown + 1 : ply + 1]:
            self.screen.hear(events)
        self._shown = ply

    @property
    def has_hint(self) -> bool:
        """Whether `hint` need not think."""
        return not self.wants_hints or (self._hint is not None and self._hint[0] is self.game.view)

    def hint(self) -> Mapping[str, Any] | None:
        """What a strong agent would do now, if hints were asked for and it is the person's turn; asked once."""
        game, view = self.game, self.game.view
        if not self.wants_hints or not view.legal:
            return None
        if self._hint is None or self._hint[0] is not view:
            from manhunt.analysis.seat_log import SeatLog

            known = replace(game.referee.view(game.seat), legal=view.legal)  # type: ignore[type-var]
            events = tuple(event for told in game.told for event in told)
            with redirect_stdout(self.output):
                try:
                    hint = self.screen.hint(SeatLog(self.screen.game, game.seat, game.opening, events, known))
                except ManhuntError as error:
                    hint = {"words": f"none here, {error}"}
            self._hint = view, hint
        return self._hint[1]

    def take_back(self) -> None:
        """Back to before the person's last turn; IllegalAction if there is none."""
        self.game.take_back(self.make_agents)
        self.n_taken_back += 1
        names = self.game.referee.names
        names[self.game.seat] = with_take_backs(names[self.game.seat], self.n_taken_back)
        self._shown = None


def begin(
    screen: AnyScreen, options: argparse.Namespace, seat: Seat, *, acting: bool, start: StartedGame | None = None
) -> Begun:
    """Set up the game of the options, followed from `seat`; with a start it goes on from there."""
    from manhunt.core.seeds import Secret
    from manhunt.play.onlooker import Onlooker
    from manhunt.play.referee import Referee

    check_outputs(options)
    seed: Seed = start.seed if start else new_secret() if options.seed is None else options.seed
    if start is None:
        setting = screen.set_up(options, number_of(seed, "setting"))
    else:
        setting = screen.set_up_again(options, start.config, start.setup)
    team = setting.team if acting else None
    person = seat if acting and team is None else None
    specs = _specs(screen, options, setting.agents, person, acting, start)
    kit = kit_of(screen.game)
    wants_hints = acting and options.hints
    own_topics = (WATCH, *screen.topics(options), *((PAGE,) if wants_hints else ()))
    start_work(
        [*work_of_agents(kit, specs.values()), *(f"{kit.name}/{topic}" for topic in own_topics)], light=setting.small
    )
    names = dict(specs)
    reveal = acting and options.reveal
    if acting:
        names[seat] = "person" if team is None else f"person as {options.seat} and {specs[seat]}"
    if reveal:
        names[seat] += " who sees everything"
    n_taken_back = 0
    if start is not None:
        n_taken_back = start.n_taken_back(seat)
        names = start.names_after(names)
    output = AgentOutput()

    def make_agents() -> dict[Seat, Agent]:
        agents = _agents(specs, screen.game)
        if team is not None:
            agents[seat] = team.partner(agents[seat])
        return {seat: output.overhear(agent) for seat, agent in agents.items()}

    referee = Referee(
        kit.game,
        setting.config,
        make_agents(),
        seed=seed,
        setup=setting.setup,
        names=names,
        time_control=setting.time_control,
        nonce=start.record.nonce if start else None,
    )
    onlooker = Onlooker(referee, seat, acting=acting, mine=team.mine if team else None, reveal=reveal)
    if start is not None:
        start.play(referee)
    begun = Begun(
        screen,
        onlooker,
        seed,
        None,
        isinstance(seed, Secret) and (start is not None or options.seed is None),
        team is not None,
        make_agents=make_agents,
        output=output,
        wants_hints=wants_hints,
        n_taken_back=n_taken_back,
    )
    begun.show(0)
    screen.prepare(options, onlooker.views[0])
    if acting:
        begun.adviser = screen.adviser(options, onlooker.views[0])
    return begun


def turns_text(n: int) -> str:
    return f"{n} turn" if n == 1 else f"{n} turns"


def check_outputs(options: argparse.Namespace) -> None:
    """Refuse files that could not be written, before a game is played for them."""
    if options.save is not None:
        from manhunt.draw.pictures import check_format

        check_format(options.save)
    if options.record is not None:
        check_writable(options.record)


def _specs(
    screen: AnyScreen,
    options: argparse.Namespace,
    implied: Mapping[Seat, str],
    person: Seat | None,
    acting: bool,
    start: StartedGame | None,
) -> dict[Seat, str]:
    specs = {}
    for word, seat in screen.words.items():
        given, called = getattr(options, f"agent_{word.replace('-', '_')}"), kit_of(screen.game).game.called(seat)
        if seat is person:
            if given is not None:
                raise BadConfig(f"--agent-{word} {given}: you play {called} yourself")
            if seat in implied:
                raise BadConfig(f"you play {called} yourself, but {implied[seat]} would play that seat, too")
            continue
        if given is not None and seat in implied:
            raise BadConfig(f"--agent-{word} {given}: {implied[seat]} already plays {called}")
        usual = _usual_agent(screen, word, acting) if start is None else start.agent(seat, word, given)
        specs[seat] = implied.get(seat) or given or usual
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
