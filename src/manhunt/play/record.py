"""A saved game as text: header, moves in notation, outcome; replaying it gives the same states."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Self

from manhunt.core.errors import BadText, ManhuntError, in_words, unknown
from manhunt.core.files import write_atomically
from manhunt.core.game import AnyGame, Setup
from manhunt.core.html import html_table
from manhunt.core.ids import Seat
from manhunt.core.outcome import Outcome, parse_outcome
from manhunt.core.reading import parse_json, read_text
from manhunt.core.registry import game_names, make_game
from manhunt.core.seeds import Secret, Seed, parse_seed, seed_to_json
from manhunt.core.short_repr import shorten

if TYPE_CHECKING:
    from pathlib import Path

    from manhunt.analysis.analysed_game import AnalysedGame
    from manhunt.analysis.worth import GameWorth
    from manhunt.play.replay import Replay

FORMAT = "manhunt record 1"
FORFEITED = "forfeit"
GAVE_UP = "gave up"
"""The fault of a player who resigned; records of before say it nowhere else."""
_OPTIONAL = ("commitment", "nonce", "bounds", "fault")


@dataclass(frozen=True, slots=True)
class Record:
    """A saved game. `config` and `setup` are JSON values, `rounds` the notation of the actions by round.

    Examples:
        >>> from manhunt import Seat, make_agent, make_game, play_game
        >>> game = make_game("pursuit")
        >>> agents = {seat: make_agent("random") for seat in (Seat.EVADER, Seat.PURSUERS)}
        >>> record = play_game(game, game.make_config(), agents, seed=1)
        >>> parse_record(record.format(), "a text") == record
        True
    """

    game: str
    config: Mapping[str, Any]
    setup: Setup
    seats: Mapping[str, str]
    seed: Seed
    """A number, or the secret, which the game reveals when it is over."""
    rounds: tuple[tuple[str, ...], ...]
    outcome: Outcome | None
    fault: str | None = None
    """Why the game was forfeited."""
    bounds: Mapping[str, Any] | None = None
    """Certified bounds on the value of the start, as JSON, with everything needed to check them again."""
    commitment: str | None = None
    """The hash of the setup that was published before the first move; `verify_deal` checks it."""
    nonce: str | None = None
    """The random digits in the commitment."""

    @classmethod
    def of(
        cls,
        game: AnyGame,
        config: Any,
        setup: Setup,
        actions: Sequence[Any],
        *,
        left_in: Sequence[int] | None = None,
        seed: Seed = 0,
        names: Mapping[Seat, str] | None = None,
        outcome: Outcome | None = None,
        fault: str | None = None,
        commitment: str | None = None,
        nonce: str | None = None,
    ) -> Self:
        """Make a record from actions; those of one round share a line.

        `left_in` has the round of the game after each action, as a referee knows it; without it the actions are
        replayed.
        """
        numbers = _rounds_of(game, config, setup, actions) if left_in is None else left_in
        played = zip(actions, numbers, strict=False)  # a thread that was given up may be between the two
        rounds = [
            [game.format_action(config, action) for action, _ in group] for _, group in groupby(played, itemgetter(1))
        ]
        return cls(
            game.name,
            game.config_to_json(config),
            dict(setup),
            {seat.value: name for seat, name in (names or {}).items()},
            seed,
            tuple(tuple(r) for r in rounds),
            outcome,
            None if fault is None else " ".join(fault.split()),
            commitment=commitment,
            nonce=nonce,
        )

    def __repr__(self) -> str:
        return f"<Record {shorten(self.about, 120)}>"

    def _repr_html_(self) -> str:
        rows = [(i, " ".join(texts)) for i, texts in enumerate(self.rounds, 1)]
        return html_table(("round", "moves"), rows, self.about)

    @property
    def about(self) -> str:
        """`GAME: random against greedy, 24 plies, evader survival`."""
        names = " against ".join(map(str, self.seats.values()))
        parts = [*([names] if names else []), f"{len(self.actions)} plies", str(self.outcome or "unfinished")]
        return f"{self.game}: {', '.join(parts)}"

    @property
    def seed_number(self) -> int:
        """The seed as a number, for the store: 0 if it is a secret."""
        return 0 if isinstance(self.seed, Secret) else self.seed

    @property
    def actions(self) -> tuple[str, ...]:
        """All actions in notation, in the order of play."""
        return tuple(text for line in self.rounds for text in line)

    def format(self) -> str:
        """The record as text that `parse_record` reads."""
        head: dict[str, object] = {
            "game": self.game,
            "seed": seed_to_json(self.seed),
            "seats": self.seats,
            "config": self.config,
            "setup": self.setup,
        }
        optional = {"commitment": self.commitment, "nonce": self.nonce, "bounds": self.bounds}
        head |= {key: value for key, value in optional.items() if value is not None}
        lines = [FORMAT, *(f"{key}: {_header(value)}" for key, value in head.items()), ""]
        lines += [f"{i}. {' '.join(texts)}" for i, texts in enumerate(self.rounds, 1)]
        lines += ["", f"outcome: {self.outcome or 'unfinished'}"]
        return "\n".join([*lines, *([f"fault: {self.fault}"] if self.fault else []), ""])

    def save(self, path: Path) -> None:
        """Write the record to a file, replacing any old one in a single step."""
        write_atomically(path, self.format())

    def replay(self) -> Replay:
        """The game's moments to step through; BadText if the game is not over or breaks the rules."""
        from manhunt.play.replay import Replay

        return Replay.of(self)

    def analyse(self, *, quick: bool = False) -> AnalysedGame:
        """Judge every move by what its seat could know; `quick` takes a fraction of the time, with wider intervals."""
        from manhunt.analysis.analysed_game import analyse_record

        return analyse_record(self, quick=quick)

    def worth(self, *, quick: bool = False) -> GameWorth:
        """What each piece of knowledge that was shown, hidden or used up was worth; BadText if there was none."""
        from manhunt.analysis.worth import QUICK_PAIRS, USUAL_PAIRS, game_worth

        return game_worth(self, pairs=QUICK_PAIRS if quick else USUAL_PAIRS)


def _rounds_of(game: AnyGame, config: Any, setup: Setup, actions: Sequence[Any]) -> list[int]:
    states = accumulate(actions, game.apply_action, initial=game.start(config, setup))
    return [game.round_of(state) for state in islice(states, 1, None)]


def _header(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def parse_record(text: str, source: str = "record") -> Record:
    """The inverse of `Record.format`; BadText names the line that is wrong."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != FORMAT:
        raise BadText(f"{source} line 1: expected {FORMAT!r}")
    head: dict[str, str] = {}
    rounds: list[tuple[str, ...]] = []
    for number, line in enumerate(lines[1:], 2):
        first, _, rest = line.strip().partition(" ")
        if not first:
            continue
        if first.endswith("."):
            if first != f"{len(rounds) + 1}.":
                raise BadText(f"{source} line {number}: expected round {len(rounds) + 1}., found {first}")
            rounds.append(tuple(rest.split()))
        elif first.endswith(":"):
            key = first[:-1]
            if key in head:
                raise BadText(f"{source} line {number}: the header '{key}:' is there twice; give it once")
            head[key] = rest
        else:
            raise BadText(f"{source} line {number}: expected 'key: value' or 'N. moves', found {line.strip()[:40]!r}")
    return _from_parts(head, tuple(rounds), source)


def _from_parts(head: Mapping[str, str], rounds: tuple[tuple[str, ...], ...], source: str) -> Record:
    wanted = ("game", "seed", "seats", "config", "setup", "outcome")
    for key in wanted:
        if key not in head:
            raise BadText(f"{source}: the line '{key}: ...' is missing")
    if strange := sorted(set(head) - {*wanted, *_OPTIONAL}):
        raise BadText(f"{source}: unknown header {strange[0]!r}; known: {', '.join((*wanted, *_OPTIONAL))}")
    try:
        seats, config, setup = (parse_json(head[key], f"{source}, {key}") for key in ("seats", "config", "setup"))
        bounds = parse_json(head["bounds"], f"{source}, bounds") if "bounds" in head else None
        if not all(isinstance(value, dict) for value in (seats, config, setup, bounds or {})):
            raise ValueError("seats, config, setup and bounds are JSON objects")
        if not all(isinstance(name, str) for name in seats.values()):
            raise ValueError("seats: the player of a seat must be a text")
        outcome = None if head["outcome"] == "unfinished" else parse_outcome(head["outcome"])
        if outcome is not None and head.get("fault") == GAVE_UP and outcome.why is None:
            outcome = replace(outcome, why="resign")
        seed, fair = parse_seed(head["seed"]), (head.get("commitment"), head.get("nonce"))
        return Record(head["game"], config, setup, seats, seed, rounds, outcome, head.get("fault"), bounds, *fair)
    except ValueError as error:
        raise BadText(f"{source}: a header does not parse: {error}") from None


def game_of(record: Record, source: str = "record") -> AnyGame:
    """The game of a record; BadText if it is not installed."""
    if record.game not in game_names():
        raise BadText(f"{source} is of a game that is not installed: {unknown('game', record.game, game_names())}")
    return make_game(record.game)


def load_record(path: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> Record:
    """Read a record from a file; its game must be installed."""
    name = os.fsdecode(path)
    if os.path.isdir(name):
        raise BadText(f"{name} is a folder; give the record of one game (an arena keeps them in its folder records)")
    record = parse_record(read_text(name, "the record"), name)
    game_of(record, name)
    return record


def _begun(game: AnyGame, record: Record, source: str) -> tuple[Any, Any]:
    """Config and first state."""
    try:
        config = game.config_from_json(record.config)
        return config, game.start(config, record.setup)
    except ManhuntError:
        raise
    except Exception as error:  # whatever an odd config or setup does to the game
        raise BadText(f"{source}: no game begins like this: {in_words(error)[:200]}") from None


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A record played again: `states` has one more entry than `actions`."""

    game: AnyGame
    config: Any
    actions: tuple[Any, ...]
    states: tuple[Any, ...]


def replay(record: Record, source: str = "record") -> ReplayedGame:
    """Play a record again under the rules; BadText where it does not follow them or ends otherwise."""
    game = game_of(record, source)
    config, start = _begun(game, record, source)
    states = [start]
    actions: list[Any] = []
    for number, line in enumerate(record.rounds, 1):
        for text in line:
            try:
                action = game.parse_action(config, text)
                states.append(game.apply_action(states[-1], action))
            except ManhuntError as error:
                raise BadText(f"{source}, round {number}, {text}: {error}") from None
            actions.append(action)
    reached = game.outcome(states[-1])
    forfeited = record.outcome is not None and record.outcome.termination.value == FORFEITED
    if not (reached == record.outcome or (forfeited and reached is None)):
        raise BadText(
            f"{source}: the moves lead to {reached or 'no end'}, but the record says {record.outcome or 'unfinished'}"
        )
    return ReplayedGame(game, config, tuple(actions), tuple(states))
