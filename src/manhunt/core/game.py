"""The contract that every game fulfils: pure functions over frozen values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from manhunt.core.errors import BadConfig, BadText, ManhuntError
from manhunt.core.events import Event
from manhunt.core.ids import Node, Seat
from manhunt.core.outcome import Outcome
from manhunt.core.plain import plain_view

ConfigT = TypeVar("ConfigT")
StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
ViewT = TypeVar("ViewT", bound="View")

Setup = Mapping[str, Any]
"""What was decided before the first move, by chance or by the players, as JSON with labels (start places, a deal)."""


class View(Protocol):
    """What the rules let one seat know now; every game's view has at least this."""

    @property
    def game(self) -> str:
        """The game's name in the registry."""

    @property
    def config(self) -> Any:
        """What was settled before the game: board, options, preset."""

    @property
    def seat(self) -> Seat:
        """Whose knowledge this is."""

    @property
    def to_act(self) -> Seat | None:
        """Who acts now; None when the game is over."""

    @property
    def legal(self) -> tuple[Any, ...]:
        """What this seat may do now; empty when another seat acts."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where the quarry was seen last, and in which round."""

    node: Node
    round: int


class BoardView(View, Protocol):
    """A view of one hunted piece and its pursuers on `config.board`, which the general drawings and pages can show.

    A view may also have `sighting: Sighting | None`, for a quarry that is not always seen.
    """

    @property
    def quarry(self) -> Node | None:
        """Where the hunted piece is; None while the seat does not see it."""

    @property
    def pursuers(self) -> tuple[Node, ...]:
        """Where the pursuers are, in the order of their pieces."""

    @property
    def round(self) -> int:
        """The round that is being played, counted from 1; 0 before the first."""


class BoardMove(Protocol):
    """An action that takes one piece to a node."""

    @property
    def to(self) -> Node:
        """Where the piece goes."""

    @property
    def piece(self) -> int | None:
        """Which pursuer moves, counted from 0; None for the quarry."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What generic tests and tools may expect of a game."""

    hidden: bool
    """In some config, some seat does not know everything."""
    chance: bool
    """The CHANCE seat acts during play."""
    costs: bool = False
    """An evader who arrives pays a cost, and a lower cost is better."""
    board: bool = True
    """Played on a board, which is `config.board`."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a game of a config can get."""

    pieces: int = 1
    rounds: int = 0
    """0 if the game has no number of rounds."""
    choices: int = 1
    """An upper bound on the legal actions of one turn."""
    endless: bool = False
    """Whether agents could play for ever."""
    plies: int = 0
    """An upper bound on the plies of a game; 0 if there is none, or none is known."""


class Game(ABC, Generic[ConfigT, StateT, ActionT, ViewT]):
    """Rules of one game. A state knows its config, so most functions need the state alone."""

    name: ClassVar[str]
    title: ClassVar[str]
    presets: ClassVar[tuple[str, ...]]
    capabilities: ClassVar[Capabilities]
    seat_names: ClassVar[Mapping[Seat, str]]
    proper_names: ClassVar[frozenset[Seat]] = frozenset()
    """Seats whose names have no article in a sentence: "Ann moves", but "the hunters move"."""
    sources: ClassVar[Mapping[str, str]] = {}
    """Where the rules of each preset come from."""

    def called(self, seat: Seat) -> str:
        """The name of a seat inside a sentence: "Ann", "the hunters"."""
        name = self.seat_names.get(seat, seat.value)
        return name if seat in self.proper_names else f"the {name}"

    @abstractmethod
    def make_config(self, preset: str | None = None, **options: Any) -> ConfigT:
        """A config from a preset and what differs from it; BadConfig says which option is wrong."""

    @abstractmethod
    def config_to_json(self, config: ConfigT) -> dict[str, Any]:
        """A config as JSON; `config_from_json` reads it again."""

    @abstractmethod
    def config_from_json(self, data: Mapping[str, Any]) -> ConfigT:
        """The config that `config_to_json` wrote; BadConfig says what is wrong with it."""

    @abstractmethod
    def deal(self, config: ConfigT, rng: Random) -> Setup:
        """Draw what the config leaves to chance."""

    def deals(self, config: ConfigT) -> Iterator[tuple[Setup, float]]:
        """Every deal that `deal` may draw, with its probability; deals with the same first state may be merged.
        BadConfig if there are too many, or the game does not list them; solvers need this, playing does not.
        """
        raise BadConfig(f"{self.title} does not list its deals, so its games cannot be solved as trees")

    def redeal(self, config: ConfigT, setup: Setup, rng: Random) -> Setup:
        """Another deal with the same public part: what is hidden from some seat is drawn again, with the probabilities
        of `deal` given the public part. A game that does not override this gets a completely new deal.
        """
        return self.deal(config, rng)

    @abstractmethod
    def start(self, config: ConfigT, setup: Setup) -> StateT:
        """The first state; BadConfig says which part of the setup is wrong."""

    def new(self, config: ConfigT, rng: Random) -> StateT:
        """The first state of a fresh deal."""
        return self.start(config, self.deal(config, rng))

    @abstractmethod
    def to_act(self, state: StateT) -> Seat | None:
        """The seat that acts; None when the game is over."""

    @abstractmethod
    def legal_actions(self, state: StateT) -> tuple[ActionT, ...]:
        """All actions of the seat to act, in a fixed order; empty when the game is over."""

    @abstractmethod
    def check_action(self, state: StateT, action: ActionT) -> None:
        """Raise IllegalAction with who, what, why and what would be legal."""

    @abstractmethod
    def apply_action(self, state: StateT, action: ActionT) -> StateT:
        """The next state; always checks first."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """How the game ended; None while it goes on."""

    def ends_turn(self, before: StateT, after: StateT) -> bool:
        """Whether a replay stops between these two consecutive plies. If a turn of the game consists of several steps,
        it should stop only after the last one.
        """
        return True

    def format_turn(self, texts: Sequence[str], events: Sequence[Mapping[str, Any]]) -> str:
        """One turn as a short text, from the actions and events that the reader may know."""
        return " ".join(texts)

    @abstractmethod
    def round_of(self, state: StateT) -> int:
        """The number of the round that is being played."""

    @abstractmethod
    def view(self, state: StateT, seat: Seat) -> ViewT:
        """What the rules let a seat know in this state."""

    @abstractmethod
    def opening_events(self, state: StateT) -> tuple[Event, ...]:
        """What each seat learns from the setup."""

    @abstractmethod
    def events(self, before: StateT, action: ActionT, after: StateT) -> tuple[Event, ...]:
        """What happened, unnumbered; how many there are must not depend on secrets."""

    @abstractmethod
    def format_action(self, config: ConfigT, action: ActionT) -> str:
        """An action in the game's notation, with the labels of the board."""

    @abstractmethod
    def parse_action(self, config: ConfigT, text: str) -> ActionT:
        """The action that a text in the game's notation means; BadText says what is wrong with it."""

    @abstractmethod
    def format_state(self, state: StateT) -> str:
        """The truth in one line."""

    @abstractmethod
    def format_view(self, view: ViewT) -> str:
        """What a seat knows, in one line."""

    def view_to_json(self, view: ViewT) -> dict[str, Any]:
        """What a seat knows, for bots and pages: labels, never indices, and without config and legal actions.

        A game whose views hold nodes must override this.
        """
        return plain_view(view)

    def describe_action(self, state: StateT, action: ActionT) -> str:
        """An action in words, for people who may see it."""
        return self.format_action(self.view(state, Seat.SPECTATOR).config, action)

    def phrase_choice(self, state: StateT, actions: Sequence[ActionT]) -> str:
        """One choice, of one or several actions in a row, as a short phrase: "red to 12", so that "red to 12 instead
        of to 9" can be said of it."""
        phrases = []
        for action in actions:
            phrases.append(self.describe_action(state, action))
            state = self.apply_action(state, action)
        return ", ".join(phrases)

    def arrow_of(self, state: StateT, action: ActionT) -> tuple[Node, Node] | None:
        """Where an action that moves no piece is drawn on the board; None if nowhere."""
        return None

    def describe_config(self, config: ConfigT) -> str:
        """What distinguishes a config, in a few words: `board london, preset seed`."""
        on_board: Any = config
        parts = [f"board {on_board.board.name}"] if self.capabilities.board else []
        preset = self.config_to_json(config).get("preset")
        return ", ".join([*parts, *([f"preset {preset}"] if preset else [])])

    def visible_notation(self, config: ConfigT, action: ActionT, events: Sequence[Event], seat: Seat) -> str | None:
        """The part of an action's notation that a seat may know from its events; None if all of it is hidden."""
        if all(seat in event.audience for event in events):
            return self.format_action(config, action)
        return None

    def sample_chance(self, state: StateT, rng: Random) -> ActionT:
        """An action for the CHANCE seat; uniform over the legal ones unless a game says otherwise."""
        return rng.choice(self.legal_actions(state))

    def chance_odds(self, state: StateT) -> tuple[tuple[ActionT, float], ...]:
        """What `sample_chance` draws from, with probabilities; a game that overrides one overrides both."""
        legal = self.legal_actions(state)
        return tuple((action, 1 / len(legal)) for action in legal)

    def least_cost(self, config: ConfigT) -> float:
        """In games with costs, a lower bound on the cost of an arrival; payoffs are measured relative to it."""
        return 1.0

    def pass_by_rule(self, state: StateT) -> ActionT | None:
        """The action that replaces a bad one, if the rule book says so; None means a forfeit."""
        return None

    def pass_action(self, state: StateT) -> ActionT | None:
        """An action that changes as little as possible, if the seat to act has one; a match may play it instead of a
        failed turn.
        """
        return self.pass_by_rule(state)


AnyGame = Game[Any, Any, Any, Any]


def option_names(game: AnyGame) -> tuple[str, ...]:
    """The options of a game's configs but for board and preset, which every command has options for; none if it has
    no usual config.
    """
    try:
        config = game.make_config()
    except ManhuntError:
        return ()
    own = [field.name for field in fields(config)] if is_dataclass(config) else []
    names = dict.fromkeys([*game.config_to_json(config), *own])
    return tuple(sorted(name for name in names if name not in ("board", "preset")))


def expect_keys(data: Mapping[str, Any], allowed: frozenset[str], what: str) -> None:
    """Refuse a value that is not a JSON object, or has unknown keys."""
    if not isinstance(data, Mapping):
        keys = f"with the keys {', '.join(sorted(allowed))}" if allowed else "without keys"
        raise BadConfig(f"{what}: expected a mapping {keys}, not {data!r}")
    strange = sorted(set(data) - allowed)
    if strange:
        raise BadText(f"{what}: unknown key {strange[0]!r}; known: {', '.join(sorted(allowed))}")
