"""What a game brings to the platform: one `Kit`, whose parts are imported when they are first used."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

from manhunt.core.errors import BadConfig, unknown
from manhunt.core.ids import Seat

if TYPE_CHECKING:
    from manhunt.core.batch import Batch
    from manhunt.core.belief import Belief
    from manhunt.core.encoding import Encoder
    from manhunt.core.game import AnyGame, Size

Part = str
"""`package.module` or `package.module:attribute`; a leading dot means the package of the kit."""

PARTS: Mapping[str, str] = {
    "game": "the Game class",
    "belief": "a Belief class: what everybody can work out about what is hidden",
    "words": "module with tell(event): an event in a few words, or None; general words without one",
    "messages": "module with VIEW, EVENTS and perhaps SEATS: its JSON for bots, field by field (`core.messages`)",
    "scene": "module with scene(view): what a seat sees, as a `core.scene.Scene`; a board is shown without one",
    "screen": "a Screen class for the terminal; games on a board have one without it",
    "tour": "module with act(seed), the game's part of `manhunt demo`, and NEXT, command lines to try with meanings",
    "board_verbs": "module with add_verbs(verbs), more for `manhunt boards` to do (each sets `run`), and EXAMPLES",
    "insights": "module with MAKERS: answers to a seat's questions by name; on a board, hint and belief come without",
    "analysis": "module with analyse(past, effort): a finished game judged move by move",
    "review": "module with review(record, source, limit_seconds): what `manhunt analyse` checks and shows first",
    "lines": "module with find_lines(past, ply, n, effort): the best moves at a moment, with what they are worth",
    "worth": "module with with_and_without(past), HOW and NONE (`analysis.worth`): turns without something",
    "notebook": "module with open_notebook(options, board) and EXAMPLE: a game on a real table, followed line by line",
    "lessons": "module with CHECKS, what tasks of lessons ask for; the lessons are the JSON files beside it",
    "puzzles": "module with KINDS, pose, judge, check and find (`analysis.puzzles`), and NEEDS_SOLVER if answers take "
    "solving; the puzzles themselves are in the folder `puzzles` of the game's package",
    "worlds": "module with setups(config, setup, seat) and may_look_alike(action, other), for the leak certificate",
    "draws": "module with lists(config), setup_of(config, drawn), drawn_of(config, setup): the deal, draw by draw",
    "pasts": "module with sample_past(view, plies, rng): setup and actions of a game that looks the same to the seat",
    "miniatures": "mapping of names to options of configs that are small enough for exact algorithms, smallest first",
    "compiled": "module with can_play(config, agents) and play(config, seeds): (outcome, rounds, plies) of each game",
    "bounds": "module with find_bounds(config, limit_seconds) and bounds_text(bounds): certified bounds on a start",
    "team": "module with places(config), place_of(config, action), planned(view, actions): pursuers that people share",
    "size": "function of a config: its Size, for the limits of a server",
    "encoder": "callable of a config: its `core.encoding.Encoder`; plain games on a board have one without it",
    "stepper": "callable of a config: its `core.stepper.Stepper`, one game played by compiled code",
    "batch": "callable of a config, a number of games and options: its `core.batch.Batch`, many games in one call",
}


class FirstWord(Enum):
    """What the first word after a command is, and so which game is meant."""

    GAME = "[GAME]"
    """A game; without one, the first game that has the command."""
    NAMED_GAME = "GAME"
    """A game, which has to be there."""
    RECORD = "RECORD"
    """A record; its game decides."""
    OTHER = ""
    """Something that the command reads itself; a game's name may stand before it."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that only some games have.

    Its module has `build_parser()` and `main(options)`, or `run(arguments)`; the game's name is not among the
    arguments. Names of the platform's own commands are taken.
    """

    part: Part
    summary: str
    """One line for the list of commands."""
    first: FirstWord = FirstWord.GAME


@dataclass(frozen=True, slots=True)
class Quick:
    """The game that one click starts: your seat, and the agent on the other one."""

    preset: str
    you: Seat
    agent: str
    board: str | None = None


@dataclass(frozen=True, slots=True)
class Lobby:
    """What the home page offers for a game. `options` are the fields of its form; only changed ones are sent."""

    quick: Quick | None = None
    order: int = 100
    """Place among the games; smaller comes first."""
    boards: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()
    uploads: bool = False
    options: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Level:
    """How strong an agent is in one seat, from 1 to 5; `source` says how we know.

    A game's `agents/levels.json` is `{"levels": [row, ...]}`, the strongest agent of each seat first. A row has `seat`
    ("evader" or "pursuers"), `agent` (a spec), `level` (1 to 5), `summary` (one line for visitors), `source` (the
    document with the measurement, or why there is none), and what was measured there: `score` in `games` games
    `against` one agent of the other seat. The score is the share of games that this seat won, in per cent; in games
    with costs it is the mean cost of the games in which the evader arrived. All three are null where nothing was
    measured. Agents of one seat that met the same opponent must not be ranked against their scores.

    A row may have a `name`, such as "Easy": those are the levels that people choose from first. They come before other
    agents of the same strength. No two of them have the same name or strength.
    """

    seat: Seat
    spec: str
    strength: int
    summary: str
    source: str
    score: float | None = None
    against: str | None = None
    games: int | None = None
    title: str = ""
    """The name of a level for people; other agents have none."""

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.spec.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A frozen agent that ratings from different days are compared with. The fingerprint is a hash of what it plays;
    without one, nothing checks that it still plays the same.
    """

    seat: Seat
    name: str
    version: int
    spec: str
    fingerprint: str = ""

    @property
    def label(self) -> str:
        """Name and version: `greedy@1`."""
        return f"{self.name}@{self.version}"


@dataclass(frozen=True)
class Kit:
    """One game as the platform knows it. A part that is missing simply does not appear anywhere."""

    home: str
    """The game's package; it may have `agents/levels.json`, and page files in the folder `web`: page.js, style.css,
    intro.json, picture.svg for the home page, notebook.js, and what these load."""
    name: str
    summary: str
    parts: Mapping[str, Part]
    presets: Mapping[str, str] = field(default_factory=dict)
    """One line on each preset of the game."""
    agents: Mapping[str, Part] = field(default_factory=dict)
    commands: Mapping[str, Command] = field(default_factory=dict)
    """Commands that only some games have, such as `solve`; any name that the platform does not use."""
    modes: Mapping[str, str] = field(default_factory=dict)
    """What `manhunt --mode NAME` stands for: the beginning of a command line. Without `--mode` it is the first one."""
    mode_options: tuple[str, ...] = ()
    """Options that imply `--mode` if they are given without a command."""
    lobby: Lobby = field(default_factory=Lobby)
    questions: tuple[str, ...] = ()
    """Insights that first visitors ask for; their kernels are compiled in advance."""
    anchors: tuple[Anchor, ...] = ()
    lists_candidates: bool = True
    """Whether transcripts list the belief's candidates after every ply."""
    small: Mapping[str, Any] = field(default_factory=dict)
    """Options that make the game short, for checks."""
    warm_up: Mapping[str, str] = field(default_factory=dict)
    """More topics whose kernels can be compiled in advance (`core.warm`): each is a command line that uses them on
    something small.
    """
    light: frozenset[str] = frozenset()
    """Topics that are quick enough without compiled kernels: they never wait for the compiler."""

    def __repr__(self) -> str:
        return f"<Kit {self.name} of {self.home}>"

    def __post_init__(self) -> None:
        for name in self.parts:
            if name not in PARTS:
                raise BadConfig(f"kit of {self.name}: {unknown('part', name, PARTS)}")
        if "game" not in self.parts:
            raise BadConfig(f"kit of {self.name}: the part 'game' is missing")

    @cached_property
    def game(self) -> AnyGame:
        """The rules, made once."""
        made: AnyGame = self.part("game")()
        return made

    @property
    def title(self) -> str:
        """The game's name for people."""
        return self.game.title

    @cached_property
    def kernels(self) -> Mapping[str, Mapping[str, tuple[int, float]]]:
        """By topic: the modules whose kernels it uses, with their number and the seconds to compile them.

        Topics share kernels; `*` has those of all topics together. `make kernels` measures this and writes
        `kernels.json`; a game without that file compiles at first use.
        """
        file = self.files / "kernels.json"
        if not file.is_file():
            return {}
        rows = json.loads(file.read_text(encoding="utf-8"))
        return {topic: {name: (n, seconds) for name, (n, seconds) in row.items()} for topic, row in rows.items()}

    def size_of(self, config: Any) -> Size:
        """How large a game of this config can get; all zero if the game does not say."""
        measure: Callable[[Any], Size] | None = self.part("size")
        if measure is None:
            from manhunt.core.game import Size

            return Size()
        return measure(config)

    def encoder(self, config: Any) -> Encoder:
        """The encoder of this config; BadConfig if the game has none for it."""
        from manhunt.core.encoding import check_n_actions, default_encoder

        make: Callable[[Any], Encoder] | None = self.part("encoder")
        if make is None:
            return default_encoder(self.game, config, self.size_of(config), has_belief=self.has("belief"))
        made = make(config)
        check_n_actions(self.name, made.n_actions, "take a smaller board or fewer pieces, or let them move one by one")
        return made

    def batch(
        self, config: Any, n_games: int, *, seat: Seat | None = None, observations: bool = True, belief: bool = False
    ) -> Batch:
        """Many games of this config, played together; BadConfig if the game brings no batch.

        With a `seat`, the caller plays that seat and the other one moves at random. A step is faster without
        observations, or without the belief's planes in them.
        """
        make: Callable[..., Batch] | None = self.part("batch")
        if make is None:
            raise BadConfig(f"{self.name} has no batch: its kit needs the part 'batch'")
        self.encoder(config)  # refuses what no array should have
        return make(config, n_games, seat=seat, observations=observations, belief=belief)

    @property
    def belief(self) -> Callable[[], Belief[Any]] | None:
        """A function that makes a new belief; None if the game brings none."""
        made: Callable[[], Belief[Any]] | None = self.part("belief")
        return made

    def part(self, name: str) -> Any:
        """The loaded part, None if the game does not bring it."""
        return self.load(self.parts[name]) if name in self.parts else None

    def load(self, part: Part) -> Any:
        """Import what an import string of this kit names."""
        module, _, attribute = part.partition(":")
        loaded = import_module(module, self.home)
        return getattr(loaded, attribute) if attribute else loaded

    def has(self, name: str) -> bool:
        """Whether the game brings this part."""
        return name in self.parts

    def title_of_level(self, seat: Seat, spec: str) -> str:
        """The name of an agent's level, such as "Easy"; empty if it is not a named level."""
        return next((level.title for level in self.levels if (level.seat, level.spec) == (seat, spec)), "")

    @property
    def files(self) -> Traversable:
        """The folder of the game's package."""
        return resources.files(self.home)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The agents that a visitor may choose, the strongest of each seat first; only `random` without a file."""
        file = self.files / "agents" / "levels.json"
        if not file.is_file():
            seats = (Seat.EVADER, Seat.PURSUERS)
            return tuple(Level(seat, "random", 1, "any move", "not measured") for seat in seats)
        rows = json.loads(file.read_text(encoding="utf-8"))["levels"]
        return tuple(_level(row) for row in rows)


def _level(row: Mapping[str, Any]) -> Level:
    measured = (row.get("score"), row.get("against"), row.get("games"))
    known = (Seat(row["seat"]), row["agent"], row["level"], row["summary"], row["source"])
    return Level(*known, *measured, row.get("name", ""))
