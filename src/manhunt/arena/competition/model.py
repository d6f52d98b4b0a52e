"""What a tournament file says: the games, the bots, who meets whom, and what a turn may take."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from manhunt.core.agent import Limit
from manhunt.core.errors import BadText, in_words
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.reading import parse_json
from manhunt.core.seeds import Secret, Seed, parse_secret
from manhunt.play.clock import TimeControl

FORMAT = 1
ROUND_ROBIN, GAUNTLET, SWISS = "round-robin", "gauntlet", "swiss"
FORMATS = (ROUND_ROBIN, GAUNTLET, SWISS)


@dataclass(frozen=True, slots=True)
class ProgrammeGame:
    """One game of the programme. Every pairing plays `deals` of it, each twice with the sides swapped."""

    name: str
    game: str
    config: Mapping[str, Any]
    deals: int


@dataclass(frozen=True, slots=True)
class TournamentBot:
    """`spec` is what `make_agent` takes. `entries` names the games it plays; none means all."""

    name: str
    spec: str
    entries: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = PLAYERS
    since: int = 0
    """The round in which it joined; 0 is from the beginning. See `pairing.py` for formats without rounds."""

    @property
    def is_command(self) -> bool:
        """Whether it is a process that we start."""
        return self.spec.startswith("cmd:")

    def plays(self, entry: ProgrammeGame, seat: Seat) -> bool:
        return seat in self.seats and (not self.entries or entry.name in self.entries)


@dataclass(frozen=True, slots=True)
class MatchUp:
    """One game of the tournament; it carries all that a worker needs besides the competition itself."""

    number: int
    round: int
    entry: int
    deal: int
    evader: str
    pursuers: str

    @property
    def bots(self) -> dict[Seat, str]:
        return {Seat.EVADER: self.evader, Seat.PURSUERS: self.pursuers}

    @property
    def key(self) -> tuple[int, int, int, str, str]:
        return self.round, self.entry, self.deal, self.evader, self.pursuers

    @property
    def mirror(self) -> tuple[int, int, int, str, str]:
        """The key of the same deal with the sides swapped."""
        return self.round, self.entry, self.deal, self.pursuers, self.evader

    def __str__(self) -> str:
        return f"game {self.number}, {self.evader} against {self.pursuers}"


@dataclass(frozen=True)
class Competition:
    """All that decides a tournament's games. `folder` is where the names of bots' files begin; it decides nothing."""

    name: str
    seed: int | None
    """For research; without one the games come from the secret."""
    entries: tuple[ProgrammeGame, ...]
    bots: tuple[TournamentBot, ...]
    format: str = ROUND_ROBIN
    rounds: int = 1
    challengers: tuple[str, ...] = ()
    clock: TimeControl = field(default_factory=TimeControl)
    limit: Limit = field(default_factory=Limit)
    policies: Mapping[str, str] = field(default_factory=dict)
    game_seconds: float | None = None
    bot_limits: Mapping[str, int] = field(default_factory=dict)
    """For bots that are processes: memory_mb, cpu_seconds, processes."""
    hello_seconds: float | None = None
    keep_bots: bool = False
    """Whether a bot's process plays game after game, instead of being started for each."""
    environment: tuple[str, ...] = ()
    """Variables that bots' processes get besides the usual ones: NAME, or NAME=VALUE."""
    sandbox: bool = False
    """Whether bots that are processes run in the sandbox."""
    folder: str = "."
    hidden: tuple[str, ...] = ()
    """Files that bots in the sandbox cannot read: the store. They decide nothing."""
    paired: bool = True
    """Whether the games of one deal share what everybody sees of it, instead of having a deal each."""
    redraw: bool = True
    """Whether what is hidden in a deal is drawn anew for each of its games."""
    secret: Secret | None = field(default=None, compare=False)
    """Kept in the store and published at the end; no part of the spec."""

    @property
    def origin(self) -> Seed:
        """What all chance comes from."""
        origin = self.secret if self.seed is None else self.seed
        assert origin is not None, "the tournament has not begun"
        return origin

    @property
    def is_plain(self) -> bool:
        """Tournaments of earlier versions: a seed, and everything shared by all games of a deal."""
        return self.seed is not None and self.paired and not self.redraw

    @cached_property
    def run_id(self) -> str:
        """A short hash of everything that decides the games."""
        return hashlib.sha256(self.spec().encode()).hexdigest()[:16]

    @cached_property
    def by_name(self) -> dict[str, TournamentBot]:
        return {bot.name: bot for bot in self.bots}

    def roles_of(self, bot: TournamentBot) -> list[tuple[ProgrammeGame, Seat]]:
        """The games and seats that a bot is entered for."""
        return [(entry, seat) for entry in self.entries for seat in PLAYERS if bot.plays(entry, seat)]

    def spec(self) -> str:
        """What is kept in the store and compared on resuming."""
        return json.dumps(self.to_json(), sort_keys=True, ensure_ascii=False)

    def to_text(self) -> str:
        """What workers get."""
        secret = {} if self.secret is None else {"secret": self.secret.hex}
        more = {"folder": self.folder, "hidden": self.hidden, **secret}
        return json.dumps({**self.to_json(), **more}, sort_keys=True, ensure_ascii=False)

    def match(self, match_up: MatchUp) -> MatchUp:
        return match_up

    def to_json(self) -> dict[str, Any]:
        """What decides the games; its text must not change, since the run's id is its hash."""
        deals = {} if self.is_plain else {"deals": {"paired": self.paired, "redraw": self.redraw}}
        return {
            "format": FORMAT,
            "games": [asdict(entry) for entry in self.entries],
            "bots": [_bot_to_json(bot) for bot in self.bots],
            "pairing": {"kind": self.format, "rounds": self.rounds, "challengers": list(self.challengers)},
            "clock": asdict(self.clock),
            "limit": {"seconds": self.limit.seconds, "iterations": self.limit.iterations},
            **{name: getattr(self, name) for name in _AS_THEY_ARE},
            **({"environment": list(self.environment)} if self.environment else {}),
            **({"sandbox": True} if self.sandbox else {}),
            **deals,
        }


def _bot_to_json(bot: TournamentBot) -> dict[str, Any]:
    late = {"since": bot.since} if bot.since else {}
    seats = [seat.value for seat in bot.seats]
    return {"name": bot.name, "spec": bot.spec, "games": list(bot.entries), "seats": seats, **late}


_AS_THEY_ARE = ("name", "seed", "policies", "game_seconds", "bot_limits", "hello_seconds", "keep_bots")
"""Fields of a competition that are JSON values."""


def competition_from_text(text: str, source: str = "the store") -> Competition:
    """The inverse of `Competition.to_text` and `Competition.spec`."""
    try:
        data = parse_json(text, f"{source} holds no tournament")
        if data["format"] != FORMAT:
            raise BadText(f"{source}: format {data['format']} is not {FORMAT}, the one this version reads")
        pairing = data["pairing"]
        return Competition(
            entries=tuple(ProgrammeGame(**entry) for entry in data["games"]),
            bots=tuple(map(_bot_from_json, data["bots"])),
            format=pairing["kind"],
            rounds=pairing["rounds"],
            challengers=tuple(pairing["challengers"]),
            clock=TimeControl(**data["clock"]),
            limit=Limit(**data["limit"]),
            environment=tuple(data.get("environment", ())),
            sandbox=data.get("sandbox", False),
            folder=data.get("folder", "."),
            hidden=tuple(data.get("hidden", ())),
            secret=parse_secret(data["secret"]) if "secret" in data else None,
            **data.get("deals", {"paired": True, "redraw": False}),
            **{name: data[name] for name in _AS_THEY_ARE},
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadText(f"{source} holds no tournament: {in_words(error)}") from None


def _bot_from_json(row: Mapping[str, Any]) -> TournamentBot:
    seats = tuple(map(Seat, row["seats"]))
    return TournamentBot(row["name"], row["spec"], tuple(row["games"]), seats, row.get("since", 0))


def with_late_bots(kept: Competition, given: Competition) -> Competition:
    """The kept competition as the file has it, if all that is new there are bots below the others."""
    late = given.bots[len(kept.bots) :]
    joined = replace(kept, bots=(*kept.bots, *late), folder=given.folder)
    return kept if not late or differences(joined, given) else joined


def differences(kept: Competition, given: Competition) -> list[str]:
    """What differs between two competitions, in words: `seed is 1 there, 2 in the file`."""
    mine, theirs = (replace(found, bots=tuple(replace(b, since=0) for b in found.bots)) for found in (kept, given))
    here, there = theirs.to_json(), mine.to_json()
    out = []
    for key in {**there, **here}:
        value, other = there.get(key), here.get(key)
        if value == other:
            continue
        if key in ("games", "bots"):
            out += _differing_rows(key.removesuffix("s"), there[key], here[key])
        else:
            out.append(f"{key} is {_short(value)} there, {_short(other)} in the file")
    return out


def as_begun(kept: Competition, given: Competition) -> Competition:
    """The competition of a file that says nothing about deals, as it was read when the kept one was begun."""
    if not (kept.is_plain and given.paired and given.redraw):
        return given
    return replace(given, seed=kept.seed if given.seed is None else given.seed, redraw=False)


def _differing_rows(kind: str, kept: list[dict[str, Any]], given: list[dict[str, Any]]) -> list[str]:
    there, here = ({row["name"]: row for row in rows} for rows in (kept, given))
    out = [f"{kind} {name!r} is there, but not in the file" for name in there if name not in here]
    out += [f"{kind} {name!r} is in the file, but not there" for name in here if name not in there]
    out += [f"{kind} {name!r} is different there" for name in there if name in here and there[name] != here[name]]
    return out or [f"the {kind}s are in a different order there"]


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."
