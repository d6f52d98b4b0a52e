"""A game that goes on from a record: what the record says about it, and what may be said beside it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, whole_number
from manhunt.core.errors import BadAgent, BadConfig
from manhunt.core.ids import PLAYERS, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from manhunt.cli.terminal.contract import AnyScreen
    from manhunt.core.game import Setup
    from manhunt.core.seeds import Seed
    from manhunt.play.record import Record, ReplayedGame
    from manhunt.play.referee import Referee

_PERSON = re.compile(r"person\b(?: as (?P<part>\S+) and (?P<partner>\S+))?")
_TAKEN_BACK = re.compile(r" (?:who|and) took back (\d+) turns?$")
_THEN = ", then "
_BESIDE = frozenset(
    ("seat", "record_from", "ply", "hints", "reveal", "no_viz", "json", "figure", "theme", "save", "record")
)
"""Options of `play` that do not change what was played."""


@dataclass(frozen=True)
class StartedGame:
    """A record and the ply of it at which somebody takes over."""

    path: Path
    record: Record
    n_plies: int

    @cached_property
    def replayed(self) -> ReplayedGame:
        from manhunt.play.record import replay

        return replay(self.record, str(self.path))

    @property
    def seed(self) -> Seed:
        return self.record.seed

    @property
    def config(self) -> Any:
        return self.replayed.config

    @property
    def setup(self) -> Setup:
        return self.record.setup

    def last_name(self, seat: Seat) -> str:
        """Who sat there last."""
        return self.record.seats.get(seat.value, "").rpartition(_THEN)[2]

    def seat_word(self, screen: AnyScreen) -> str:
        """Where the person of the record sat, as a word for `--as`; BadConfig where one has to be chosen."""
        people = [seat for seat in PLAYERS if _PERSON.match(self.last_name(seat))]
        if len(people) != 1:
            found = "nobody" if not people else "a person in both seats"
            words = " or ".join((*screen.words, *screen.parts))
            raise BadConfig(f"{self.path} has {found}; choose your seat with --as: {words}")
        part = _PERSON.match(self.last_name(people[0]))
        if part is not None and part["part"] in screen.parts:
            return str(part["part"])
        return next(word for word, seat in screen.words.items() if seat is people[0])

    def agent(self, seat: Seat, word: str, given: str | None) -> str:
        """The agent of a seat, unless another one is given; BadConfig if there is none."""
        from manhunt.agents.registry import BOTS, make_agent

        if given is not None:
            return given
        name = self.last_name(seat)
        person = _PERSON.match(name)
        spec = name if person is None else person["partner"]
        if spec is None:
            raise BadConfig(f"{self.path} has a person as {word}; choose an agent to continue with --agent-{word}")
        if spec.startswith(BOTS) or ".py" in spec:
            raise BadConfig(f"{self.path} was played by the program {spec!r}; to run it again, give --agent-{word}")
        try:
            make_agent(spec, self.record.game, seat)
        except BadAgent as error:
            raise BadConfig(f"{self.path}: {word} was {name!r}: {error}; give --agent-{word}") from None
        return spec

    def n_taken_back(self, seat: Seat) -> int:
        found = _TAKEN_BACK.search(self.last_name(seat))
        return int(found[1]) if found and self.n_plies else 0

    def names_after(self, names: Mapping[Seat, str]) -> dict[Seat, str]:
        """For the record of the game that goes on: who sat there before stays named, if it was somebody else."""
        if not self.n_plies:
            return dict(names)
        out = {}
        for seat, name in names.items():
            before = self.record.seats.get(seat.value, "")
            is_same = _TAKEN_BACK.sub("", self.last_name(seat)) == name
            out[seat] = before if is_same or not before else f"{before} to ply {self.n_plies}{_THEN}{name}"
        return out

    def play(self, referee: Referee) -> None:
        """The plies of the record; the agents only hear of them."""
        from manhunt.play.reopening import play_again

        play_again(referee, self.record.actions[: self.n_plies])
        if self.n_plies:
            referee.reseed_agents(f"from ply {self.n_plies}")


def with_take_backs(name: str, n: int) -> str:
    """The name of a player in a record, with how many turns they took back."""
    plain = _TAKEN_BACK.sub("", name)
    word = "and" if " who " in plain.rpartition(_THEN)[2] else "who"
    return f"{plain} {word} took back {n} turn{'' if n == 1 else 's'}"


def add_start_options(parser: argparse.ArgumentParser) -> None:
    text = "continue the game in this record, with its rules, seed and seats"
    parser.add_argument("--from", dest="record_from", type=Path, metavar="RECORD", help=text)
    text = "with --from: continue from the position after this many moves; needed if the game is over"
    parser.add_argument("--ply", type=whole_number(0), metavar="N", help=text)


def find_start(arguments: Sequence[str]) -> StartedGame | None:
    """The game that `--from` names among the arguments, if it can go on."""
    from manhunt.play.record import load_record

    parser = Parser(add_help=False)
    add_start_options(parser)
    options, _ = parser.parse_known_args(list(arguments))
    path: Path | None = options.record_from
    if path is None:
        if options.ply is not None:
            raise BadConfig("--ply N needs --from RECORD")
        return None
    record = load_record(path)
    last = len(record.actions)
    if options.ply is None:
        if record.outcome is not None:
            raise BadConfig(f"{path} is over ({record.outcome}); to play on from a position, give --ply 0 to {last}")
        start = StartedGame(path, record, last)
    else:
        if options.ply > last:
            raise BadConfig(f"--ply {options.ply}: {path} has the plies 0 to {last}")
        start = StartedGame(path, record, options.ply)
    replayed = start.replayed
    if replayed.game.outcome(replayed.states[start.n_plies]) is not None:
        raise BadConfig(f"--ply {start.n_plies}: the game of {path} is over there; give 0 to {last - 1}")
    return start


def check_beside(start: StartedGame, screen: AnyScreen, options: argparse.Namespace, parser: Parser) -> None:
    """Refuse options that the record answers."""
    free = _BESIDE | screen.beside_record | {f"agent_{word.replace('-', '_')}" for word in screen.words}
    for name, value in vars(options).items():
        if name not in free and value != parser.get_default(name):
            option = f"--{name.replace('_', '-')}" if name != "settings" else "--set"
            raise BadConfig(f"{option} beside --from {start.path}: the record already sets it")
