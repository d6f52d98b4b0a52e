"""Agents by name: built-in ones, a class in a file, or an entry point; with options as `name:key=value,key=value`."""

import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module, util
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, get_type_hints

from manhunt.core.agent import Agent, check_seat
from manhunt.core.crash import crash_text
from manhunt.core.errors import BadAgent, ManhuntError, unknown
from manhunt.core.ids import Seat
from manhunt.core.kit import Kit
from manhunt.core.registry import game_names, kits

ENTRY_POINTS = "manhunt.agents"
BOTS = ("cmd:", "tcp:", "ws:")
"""Specs that begin like this are bots of the protocol."""

COMMON = {"random": "manhunt.agents.random:RandomAgent", "learned": "manhunt.agents.learned:LearnedAgent"}
"""Agents that play every game; all others come from the kits of the games, where a name may stand for another class
in each game."""


@dataclass(frozen=True, slots=True)
class AgentListing:
    """What `manhunt agents` tells about one agent."""

    name: str
    summary: str
    games: tuple[str, ...]
    seats: tuple[Seat, ...]
    options: Mapping[str, str]


def agent_names(game: str | None = None) -> tuple[str, ...]:
    """All names, or those that one game knows."""
    own = [name for kit in kits() if game in (None, kit.name) for name in kit.agents]
    points = sorted(point.name for point in entry_points(group=ENTRY_POINTS))
    return tuple(dict.fromkeys((*COMMON, *own, *points)))


def list_agents() -> tuple[AgentListing, ...]:
    """All agents that can be named, with their options as text; one that does not load has no seats.

    A name that stands for several classes has an entry for each.
    """
    return tuple(entry for name in agent_names() for entry in _all_listed(name))


def _all_listed(name: str) -> list[AgentListing]:
    homes = _homes(name)
    entries = [replace(_listed(name, game), games=(game,)) for game in homes]
    if name in COMMON:
        others = tuple(game for game in game_names() if game not in homes) if homes else ()
        return [replace(_listed(name), games=others), *entries]
    return entries or [_listed(name)]


def _homes(name: str) -> dict[str, Kit]:
    """The kits, by game, that bring an agent of this name."""
    return {kit.name: kit for kit in kits() if name in kit.agents}


def _listed(name: str, game: str | None = None) -> AgentListing:
    try:
        return _entry(name, _usual(name) if game is None else _class_of(name, game))
    except ManhuntError as error:
        return AgentListing(name, str(error), (), (), {})
    except Exception as error:  # whatever an outsider's class does when it is asked for its options
        return AgentListing(name, f"agent {name} cannot be listed: {crash_text(error)}", (), (), {})


def make_agent(spec: str, game: str | None = None, seat: Seat | None = None) -> Agent:
    """The agent of a spec such as `random`, `mcts:seconds=1`, `my/bot.py:MyBot` or `cmd:./mybot --level 3`.

    A name that means a different agent in each game, such as `greedy`, needs `game`.

    Examples:
        >>> make_agent("random").seats
        (<Seat.EVADER: 'evader'>, <Seat.PURSUERS: 'pursuers'>)
    """
    if spec.startswith(BOTS):
        from manhunt.agents.bot import BotAgent

        return BotAgent(spec)
    name, options = _split(spec)
    kind = _class_of(name, game)
    values = {key: _typed(name, kind, key, text) for key, text in options.items()}
    missing = [p.name for p in _parameters(kind) if p.default is p.empty and p.name not in values]
    if missing:
        raise BadAgent(f"agent {name} needs the option {missing[0]}: write {name}:{missing[0]}=VALUE")
    try:
        made: Any = kind
        agent = kind(**values) if kind.options_class is None else made(kind.options_class(**values))
    except ManhuntError:
        raise
    except Exception as error:
        raise BadAgent(f"agent {name} does not start: {crash_text(error)}") from None
    if game is not None and seat is not None:
        check_seat(agent, game, seat)
    return agent


def _split(spec: str) -> tuple[str, dict[str, str]]:
    """Name and options; a file's name keeps its class: `bot.py:Class:key=value`."""
    parts = spec.split(":")
    n_name = 2 if parts[0].endswith(".py") else 1
    name, rest = ":".join(parts[:n_name]), ":".join(parts[n_name:])
    options: dict[str, str] = {}
    word = rest.partition(":")[0]
    if word.isidentifier() and Path(f"{name}.py").is_file():
        raise BadAgent(f"agent {spec!r}: {word!r} is not an option; did you mean {name}.py:{rest}?")
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if not equals or not key:
            raise BadAgent(f"agent {spec!r}: {item!r} is not an option; write {name}:key=value,key=value")
        options[key] = value
    return name, options


def _class_of(name: str, game: str | None = None) -> type[Agent]:
    path, colon, attribute = name.partition(":")
    if path.endswith(".py"):
        if not colon or not attribute:
            raise BadAgent(f"agent {name!r} names a file but no class; write {path}:ClassName")
        return _from_file(Path(path), attribute)
    homes = _homes(name)
    if game in homes:
        return check_class(homes[game].load(homes[game].agents[name]), name)
    if name not in COMMON and homes:
        return _only_one(name, homes, game)
    return _usual(name)


def _only_one(name: str, homes: Mapping[str, Kit], game: str | None) -> type[Agent]:
    """The class of a name that no game was given for, if it is the same in all games that know it."""
    known = ", ".join(homes)
    if game is not None:
        raise BadAgent(f"agent {name} does not play {game}; it plays {known}")
    found = {kit.load(kit.agents[name]) for kit in homes.values()}
    if len(found) > 1:
        example = f"make_agent({name!r}, {next(iter(homes))!r})"
        raise BadAgent(f"agent {name} is a different one in each game; name the game, too: {example}; games: {known}")
    return check_class(found.pop(), name)


def _usual(name: str) -> type[Agent]:
    """An agent for every game, or one of another package."""
    if name in COMMON:
        module, _, attribute = COMMON[name].partition(":")
        return check_class(getattr(import_module(module), attribute), name)
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            try:
                return check_class(point.load(), name)
            except BadAgent:
                raise
            except (Exception, SystemExit) as error:
                raise BadAgent(f"agent {name} does not load: {crash_text(error)}") from None
    raise BadAgent(unknown("agent", name, agent_names()) + "; or path/to/file.py:ClassName")


def _from_file(path: Path, attribute: str) -> type[Agent]:
    if not path.is_file():
        raise BadAgent(f"agent file {path} does not exist")
    spec = util.spec_from_file_location(f"manhunt_user_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BadAgent(f"agent file {path} does not import: {crash_text(error)}") from None
    if not hasattr(module, attribute):
        own = [n for n, v in vars(module).items() if isinstance(v, type) and issubclass(v, Agent) and not _is_ours(v)]
        known = unknown("class", attribute, own) if own else f"no class {attribute!r}, nor any other agent"
        raise BadAgent(f"agent file {path}: {known}")
    return check_class(getattr(module, attribute), f"{path}:{attribute}")


def _is_ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "manhunt"


def check_class(found: Any, name: str) -> type[Agent]:
    """Refuse what is no agent's class, or one that lacks a method."""
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise BadAgent(f"{name} is not an Agent or Strategy class; derive it from manhunt.Agent or manhunt.Strategy")
    if inspect.isabstract(found):
        lacking = ", ".join(sorted(found.__abstractmethods__))
        raise BadAgent(f"{name} does not define {lacking}")
    return found


def _parameters(kind: type[Agent]) -> list[inspect.Parameter]:
    if kind.__init__ is object.__init__:
        return []
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [p for p in inspect.signature(kind.options_class or kind).parameters.values() if p.kind in plain]


def option_names(kind: type[Agent]) -> dict[str, Any]:
    """The options that a class is made with, and their defaults."""
    return {parameter.name: parameter.default for parameter in _parameters(kind)}


def _hints(kind: type[Agent]) -> dict[str, Any]:
    made: Any = kind.options_class or kind
    return get_type_hints(made.__init__)


def _typed(name: str, kind: type[Agent], key: str, text: str) -> Any:
    known = [p.name for p in _parameters(kind)]
    if key not in known:
        raise BadAgent(
            f"agent {name} has no option {key!r}; " + (f"it has {', '.join(known)}" if known else "it has none")
        )
    wanted = _hints(kind).get(key, str)
    try:
        if wanted is bool:
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]
        return wanted(text) if wanted in (int, float, Path) else text
    except (KeyError, ValueError):
        raise BadAgent(f"agent {name}: option {key} must be {_kind_name(wanted)}, not {text!r}") from None


def _kind_name(wanted: type) -> str:
    return {int: "a whole number", float: "a number", bool: "true or false"}.get(wanted, "text")


def _default_text(default: object) -> str:
    """The end of an option's line; empty where there is no default, or one that says nothing."""
    return "" if default in (inspect.Parameter.empty, None, "", float("inf")) else f", default {default}"


def _entry(name: str, kind: type[Agent]) -> AgentListing:
    hints = _hints(kind) if _parameters(kind) else {}
    options = {p.name: _kind_name(hints.get(p.name, str)) + _default_text(p.default) for p in _parameters(kind)}
    summary = " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())
    return AgentListing(name, summary, kind.games, kind.seats, options)
