"""The tournament file: TOML, checked before the first game; what is wrong is told with its line."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

from manhunt.agents.link import Link, parse_address
from manhunt.agents.registry import make_agent
from manhunt.agents.wires.process import BotLimits
from manhunt.agents.wires.sandbox import BotSurroundings
from manhunt.arena.anchors import spec_of
from manhunt.arena.competition.model import (
    FORMATS,
    GAUNTLET,
    ROUND_ROBIN,
    SWISS,
    Competition,
    ProgrammeGame,
    TournamentBot,
)
from manhunt.arena.competition.pairing import expected_matches
from manhunt.arena.competition.play import bot_conditions, check_sandbox
from manhunt.arena.players import Warn
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent, BadConfig, ManhuntError, one_of, unknown
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.reading import MEGABYTE, parse_toml, read_text
from manhunt.core.registry import make_game
from manhunt.play.clock import TimeControl
from manhunt.play.fault import parse_policies
from manhunt.protocol.messages import Hello
from manhunt.protocol.session import BadSpeech

COMMAND, AGENT, REMOTE = "command", "agent", "remote"
SANDBOX, ENVIRONMENT = "sandbox", "environment"
GAME_SECONDS = 600.0
CAP_SECONDS = 10.0
"""For bots that are processes: without any clock one of them could hold up everything."""
_TOP = ("name", "seed", "format", "clock", "faults", "limits", "game", "bot")
_FORMAT = ("kind", "rounds", "games", "challengers", "paired", "redraw")
_CLOCK = {"bank": "bank_seconds", "increment": "increment_seconds", "cap": "cap_seconds", "grace": "grace_seconds"}
_BOT_LIMITS = tuple(BotLimits.__dataclass_fields__)
_LIMITS = ("seconds", "iterations", "game_seconds", "hello_seconds", "keep_bots", SANDBOX, ENVIRONMENT, *_BOT_LIMITS)
_GAME = ("game", "name", "preset", "board", "options", "games")
_BOT = ("name", COMMAND, AGENT, REMOTE, "games", "seats")
MOST_FILE_BYTES = MEGABYTE
_REMOTE = ("tcp:", "ws:")
_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*("[^"]*"|'[^']*'|[A-Za-z0-9_.-]+)\s*=""")
_TRIPLE = re.compile(r"\"\"\"|'''")
Where = tuple[str | int, ...]
"""A key's way from the top: ("bot", 2, "command") is the command of the third [[bot]]."""


def load_competition(path: Path) -> tuple[Competition, str]:
    """The competition of a file, and the file's text."""
    text = read_text(path, most_bytes=MOST_FILE_BYTES)
    return parse_competition(text, str(path), str(path.absolute().parent)), text


def parse_competition(text: str, source: str = "tournament.toml", folder: str = ".") -> Competition:
    data = parse_toml(text, source)
    with chdir(folder):  # where the names of boards and agents' files begin
        return _File(data, Lines(text), source, folder).competition()


class Lines:
    """Where the tables and keys of a TOML file stand; what is not found is told with its table's line, or the first."""

    def __init__(self, text: str) -> None:
        self._found: dict[Where, int] = {(): 1}
        counts: dict[str, int] = {}
        table: Where = ()
        inside: str | None = None
        for number, line in enumerate(text.splitlines(), 1):
            was_inside = inside is not None
            for mark in _TRIPLE.findall(line):
                inside = mark if inside is None else None if mark == inside else inside
            if was_inside:
                continue
            header, key = _HEADER.match(line), _KEY.match(line)
            if header:
                name = header[2].strip("\"'")
                table = tuple(name.split("."))
                if header[1] == "[[":
                    table = (name, counts.get(name, 0))
                    counts[name] = counts.get(name, 0) + 1
                self._found.setdefault(table, number)
            elif key:
                self._found.setdefault((*table, *key[1].strip("\"'").split(".")), number)

    def of(self, *where: str | int) -> int:
        for length in range(len(where), -1, -1):
            if where[:length] in self._found:
                return self._found[where[:length]]
        return 1


class _File:
    """A parsed file under way; every method reads one part of it."""

    def __init__(self, data: Mapping[str, Any], lines: Lines, source: str, folder: str) -> None:
        self.data, self.lines, self.source, self.folder = data, lines, source, folder

    def competition(self) -> Competition:
        self._known(self.data, _TOP, ())
        entries = self._entries()
        bots = self._bots(entries)
        kind, rounds, challengers = self._format(bots)
        competition = Competition(
            name=self._text(self.data, "name"),
            seed=self._number(self.data, "seed", None, least=0),
            entries=entries,
            bots=bots,
            format=kind,
            rounds=rounds,
            challengers=challengers,
            clock=self._clock(any(is_outside(bot) for bot in bots)),
            limit=self._limit(),
            policies=self._policies(),
            game_seconds=self._number(self._table("limits"), "game_seconds", GAME_SECONDS, 0.001, where=("limits",)),
            bot_limits=self._bot_limits(),
            hello_seconds=self._hello_seconds(),
            keep_bots=self._switch("limits", "keep_bots", default=False),
            environment=self._environment(),
            sandbox=self._switch("limits", SANDBOX, default=False),
            folder=self.folder,
            paired=self._switch("format", "paired", default=True),
            redraw=self._switch("format", "redraw", default=True),
        )
        self._check_agents(competition)
        if expected_matches(competition) == 0:
            raise self._bad("no two bots can meet: their games and seats do not fit", ())
        return competition

    def _entries(self) -> tuple[ProgrammeGame, ...]:
        rows = self._rows("game")
        usual = self._number(self._table("format"), "games", 1, least=1, where=("format",))
        entries: list[ProgrammeGame] = []
        for i, row in enumerate(rows):
            at = ("game", i)
            self._known(row, _GAME, at)
            game_name = self._text(row, "game", at)
            with self._at(*at, "game"):
                rules = make_game(game_name)
            options = {key: row[key] for key in ("preset", "board") if key in row}
            extra = row.get("options", {})
            if not isinstance(extra, dict):
                raise self._bad("options are a table such as { rounds = 20 }", (*at, "options"))
            with self._at(*at, *self._blamed(rules.make_config, options, extra)):
                config = rules.make_config(**options, **extra)
            name = self._text(row, "name", at, default=self._usual_name(game_name, entries))
            if name in [entry.name for entry in entries]:
                raise self._bad(f"two games are named {name!r}; give each its own name", (*at, "name"))
            deals = self._number(row, "games", usual, least=1, where=at)
            entries.append(ProgrammeGame(name, game_name, json.loads(json.dumps(rules.config_to_json(config))), deals))
        return tuple(entries)

    @staticmethod
    def _usual_name(game: str, entries: list[ProgrammeGame]) -> str:
        taken = sum(entry.game == game for entry in entries)
        return f"{game} {taken + 1}" if taken else game

    @staticmethod
    def _blamed(make: Callable[..., Any], options: Mapping[str, Any], extra: Mapping[str, Any]) -> tuple[str, ...]:
        """The key whose line is told when the config is refused: the first without which it would pass."""
        everything = {**options, **extra}
        try:
            make(**everything)
        except (ManhuntError, TypeError):
            for key in reversed(everything):
                try:
                    make(**{k: v for k, v in everything.items() if k != key})
                except (ManhuntError, TypeError):
                    continue
                return (key,) if key in options else ("options", key)
            return ("options",) if extra else ()
        return ()

    def _bots(self, entries: tuple[ProgrammeGame, ...]) -> tuple[TournamentBot, ...]:
        bots: list[TournamentBot] = []
        for i, row in enumerate(self._rows("bot")):
            at = ("bot", i)
            self._known(row, _BOT, at)
            name = self._text(row, "name", at)
            if not name.isprintable() or len(name) > 60:
                raise self._bad(f"the name {name[:70]!r} has unsupported characters, or more than 60", (*at, "name"))
            if name in (earlier := [bot.name for bot in bots]):
                line = self.lines.of("bot", earlier.index(name), "name")
                raise self._bad(f"two bots are named {name!r} (the other in line {line}); rename one", (*at, "name"))
            games = self._names(row, "games", [entry.name for entry in entries], "game", at)
            seats = self._names(row, "seats", [seat.value for seat in PLAYERS], "seat", at)
            bots.append(
                TournamentBot(name, self._spec(row, at), tuple(games), tuple(Seat(s) for s in seats) or PLAYERS)
            )
        if len(bots) < 2:
            raise self._bad(f"a tournament needs at least 2 bots as [[bot]]; this file has {len(bots)}", ("bot", 0))
        return tuple(bots)

    def _spec(self, row: Mapping[str, Any], at: Where) -> str:
        given = [key for key in (COMMAND, AGENT, REMOTE) if key in row]
        if len(given) != 1:
            detail = f"has {' and '.join(given)}" if given else "has none"
            raise self._bad(f"a bot has one of command, agent and remote; this one {detail}", (*at, *given[1:2]))
        kind, value = given[0], self._text(row, given[0], at)
        if kind == COMMAND:
            return f"cmd:{value}"
        if kind == REMOTE and not value.startswith(_REMOTE):
            raise self._bad(
                f"remote {value!r} is not an address; write tcp:HOST:PORT or ws://HOST:PORT/PATH", (*at, REMOTE)
            )
        return value

    def _format(self, bots: tuple[TournamentBot, ...]) -> tuple[str, int, tuple[str, ...]]:
        row, at = self._table("format"), ("format",)
        self._known(row, _FORMAT, at)
        kind = self._text(row, "kind", at, default=ROUND_ROBIN)
        if kind not in FORMATS:
            raise self._bad(unknown("format", kind, FORMATS), (*at, "kind"))
        for key, owner in (("rounds", SWISS), ("challengers", GAUNTLET)):
            if key in row and kind != owner:
                raise self._bad(f"{key} belong to the format {owner}, not to {kind}", (*at, key))
            if key not in row and kind == owner:
                raise self._bad(f"the format {owner} needs {key}", (*at, "kind"))
        names = self._names(row, "challengers", [bot.name for bot in bots], "bot", at)
        if kind == GAUNTLET and not 0 < len(set(names)) < len(bots):
            raise self._bad("a gauntlet needs a challenger and somebody else to meet", (*at, "challengers"))
        return kind, self._number(row, "rounds", 1, least=1, where=at), tuple(dict.fromkeys(names))

    def _clock(self, has_processes: bool) -> TimeControl:
        row, at = self._table("clock"), ("clock",)
        self._known(row, tuple(_CLOCK), at)
        values: dict[str, float] = {}
        for key, name in _CLOCK.items():
            if key in row:
                values[name] = self._number(row, key, 0.0, least=0.0, where=at)
                with self._at(*at, key):
                    TimeControl(**{name: values[name]})
        if has_processes and not {"bank_seconds", "cap_seconds"} & set(values):
            values["cap_seconds"] = CAP_SECONDS
        return TimeControl(**values)

    def _limit(self) -> Limit:
        row, at = self._table("limits"), ("limits",)
        self._known(row, _LIMITS, at)
        if "seconds" in row and "iterations" in row:
            raise self._bad("seconds and iterations exclude each other; give one of them", (*at, "iterations"))
        seconds = self._number(row, "seconds", None, least=0.0, where=at)
        iterations = self._number(row, "iterations", None, least=1, where=at)
        with self._at(*at, "seconds"):
            return Limit(seconds, iterations)

    def _bot_limits(self) -> dict[str, int]:
        row = self._table("limits")
        return {key: self._number(row, key, 1, least=1, where=("limits",)) for key in _BOT_LIMITS if key in row}

    def _hello_seconds(self) -> float | None:
        value = self._number(self._table("limits"), "hello_seconds", None, least=0.001, where=("limits",))
        return None if value is None else float(value)

    def _switch(self, table: str, key: str, *, default: bool) -> bool:
        value = self._table(table).get(key, default)
        if not isinstance(value, bool):
            raise self._bad(f"{key} must be true or false, not {value!r}", (table, key))
        return value

    def _environment(self) -> tuple[str, ...]:
        value, at = self._table("limits").get(ENVIRONMENT, []), ("limits", ENVIRONMENT)
        if not isinstance(value, list):
            raise self._bad(f"environment must be a list of variables, such as ['JAVA_HOME'], not {value!r}", at)
        with self._at(*at):
            return BotSurroundings(tuple(value)).environment

    def _policies(self) -> dict[str, str]:
        row = self._table("faults")
        for key, value in row.items():
            with self._at("faults", key):
                parse_policies({key: value})
        return dict(row)

    def _check_agents(self, competition: Competition) -> None:
        """Agents of ours are tried for every game and seat they are to play; processes tell themselves."""
        for i, bot in enumerate(competition.bots):
            for entry, seat in () if is_outside(bot) else competition.roles_of(bot):
                with self._at("bot", i, AGENT):
                    try:
                        make_agent(spec_of(bot.spec, entry.game, seat), entry.game, seat).stop()
                    except BadAgent as error:
                        detail = f"bot {bot.name!r} in {entry.name} as {seat.value}: {error}"
                        hint = "; say what it plays with games = [...] or seats = [...]"
                        raise BadAgent(detail + (hint if "does not play" in str(error) else "")) from None

    # What follows reads single values.

    def _bad(self, text: str, where: Iterable[str | int]) -> BadConfig:
        return BadConfig(f"{self.source} line {self.lines.of(*where)}: {text}")

    @contextmanager
    def _at(self, *where: str | int) -> Iterator[None]:
        """What is raised inside is told with the line of a key."""
        try:
            yield
        except ManhuntError as error:
            raise self._bad(str(error), where) from None
        except TypeError:
            raise self._bad("a value has the wrong type", where) from None

    def _known(self, row: Mapping[str, Any], known: tuple[str, ...], where: Where) -> None:
        for key in row:
            if key not in known:
                raise self._bad(unknown("option", key, known), (*where, key))

    def _table(self, key: str) -> Mapping[str, Any]:
        row = self.data.get(key, {})
        if not isinstance(row, dict):
            raise self._bad(f"{key} is a table: write [{key}] and its options below", (key,))
        return row

    def _rows(self, key: str) -> list[Mapping[str, Any]]:
        rows = self.data.get(key)
        if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
            raise self._bad(f"a tournament needs at least one {key}: write [[{key}]] and its options below", (key,))
        return rows

    def _text(self, row: Mapping[str, Any], key: str, where: Where = (), default: str | None = None) -> str:
        value = row.get(key, default)
        if value is None:
            raise self._bad(f"{key} is missing", where)
        if not isinstance(value, str) or not value.strip():
            raise self._bad(f"{key} must be a text, not {value!r}", (*where, key))
        return value.strip()

    def _number(self, row: Mapping[str, Any], key: str, default: Any, least: float, where: Where = ()) -> Any:
        if key not in row:
            return default
        value = row[key]
        wanted, name = ((int,), "a whole number") if isinstance(least, int) else ((int, float), "a number")
        if isinstance(value, bool) or not isinstance(value, wanted):
            raise self._bad(f"{key} must be {name}, not {value!r}", (*where, key))
        if not least <= value < 2**48:
            raise self._bad(f"{key} is {value}; the minimum is {least:g}", (*where, key))
        return value

    def _names(self, row: Mapping[str, Any], key: str, known: list[str], kind: str, where: Where) -> list[str]:
        value = row.get(key, [])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise self._bad(f"{key} must be a list of names, such as [{one_of(map(repr, known), 2)}]", (*where, key))
        for name in value:
            if name not in known:
                raise self._bad(unknown(kind, name, known), (*where, key))
        return value


def is_outside(bot: TournamentBot) -> bool:
    """Whether a bot is a process or a server, which only tells what it plays when it is asked."""
    return bot.spec.startswith(("cmd:", *_REMOTE))


def try_bots(competition: Competition, source: str, name: str, warn: Warn) -> None:
    """Before the first game, ask every bot that is a process or a server what it plays.

    One that says it does not play what it is entered for is refused. One that does not start takes part all the same,
    with a warning: it forfeits its games.
    """
    lines = Lines(source)
    check_sandbox(competition, f"{name} line {lines.of('limits', SANDBOX)}")
    with chdir(competition.folder):
        for i, bot in enumerate(competition.bots):
            if not is_outside(bot):
                continue
            line = max(lines.of("bot", i, key) for key in (COMMAND, AGENT, REMOTE))
            try:
                link = Link(parse_address(bot.spec), **bot_conditions(competition))
            except (BadSpeech, OSError) as error:
                warn(f"{name} line {line}: bot {bot.name!r} will forfeit its games: {error}")
                continue
            except ManhuntError as error:
                raise BadConfig(f"{name} line {line}: bot {bot.name!r}: {error}") from None
            detail = misfit(competition, bot, link.hello)
            link.leave()
            if detail is not None:
                raise BadConfig(f"{name} line {line}: {detail}")


def misfit(competition: Competition, bot: TournamentBot, hello: Hello) -> str | None:
    """In words, what a bot is entered for and does not play."""
    for entry, seat in competition.roles_of(bot):
        for word, mine, theirs in (("games", entry.game, hello.games), ("seats", seat.value, hello.seats)):
            if theirs and mine not in theirs:
                hint = f"say what it plays with {word} = [...]"
                return f"bot {bot.name!r} does not play {mine}; it plays {one_of(theirs)}; {hint}"
    return None
