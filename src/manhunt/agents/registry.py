"""Agents by name: built-in ones, a class in a file, or an entry point; with options as `name:key=value,key=value`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module, util
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, get_type_hints

from manhunt.agents.base import Agent, check_seat
from manhunt.errors import BadAgent, ManhuntError, unknown
from manhunt.games.registry import game_names
from manhunt.ids import Seat

ENTRY_POINTS = "manhunt.agents"
BOTS = ("cmd:", "tcp:", "ws:")
"""Specs that begin like this are bots of the protocol."""

_GREEDY, _GREEDY_ADVERSARY = "manhunt.agents.greedy:GreedyAgent", "manhunt.agents.greedy_adversary:GreedyAdversary"
USUAL = ""
"""In place of a game's name: the agent of this name in all games that are not named."""

_HOME: dict[str, str | Mapping[str, str]] = {
    "random": "manhunt.agents.random:RandomAgent",
    "greedy": {"pursuit": _GREEDY, "scotland_yard": _GREEDY, "shortest_path": _GREEDY_ADVERSARY},
    "table": "manhunt.agents.table:TableAgent",
    "solved": "manhunt.agents.solved:SolvedAgent",
    "policy": "manhunt.agents.policy:PolicyAgent",
    "mcts": "manhunt.agents.mcts:MctsAgent",
    "scotfish": "manhunt.agents.scotfish:ScotfishAgent",
    "scotfish-lookahead": "manhunt.agents.scotfish_lookahead:ScotfishLookaheadAgent",
    "minimax": "manhunt.agents.minimax:MinimaxAgent",
    "dijkstra": "manhunt.agents.dijkstra:DijkstraAgent",
    "committed": "manhunt.agents.committed:CommittedAgent",
    "last-edge": "manhunt.agents.last_edge:LastEdgeAgent",
    "min-cut": "manhunt.agents.min_cut:MinCutAgent",
    "hr-1": "manhunt.agents.fugitive.hr_1:Hr1Fugitive",
    "bir-1": "manhunt.agents.fugitive.bir_1:Bir1Fugitive",
    "continuation": "manhunt.agents.fugitive.continuation:ContinuationFugitive",
    "hr-1c": "manhunt.agents.fugitive.hr_1c:Hr1cMarshal",
    "hr-1.1c": "manhunt.agents.fugitive.hr_1_1c:Hr11cMarshal",
    "bir-2u": "manhunt.agents.fugitive.bir_2u:Bir2uMarshal",
    "l1": "manhunt.agents.fugitive.l1:L1Fugitive",
    "l2": "manhunt.agents.fugitive.l2:L2Marshal",
    "notepad": "manhunt.agents.fugitive.notepad:NotepadMarshal",
    "exact": "manhunt.agents.fugitive.exact_marshal:ExactMarshal",
    "fugitive-search": "manhunt.agents.fugitive.search_fugitive:SearchFugitive",
    "bound-fugitive": "manhunt.agents.fugitive.bound_fugitive:BoundFugitive",
    "bound-marshal": "manhunt.agents.fugitive.bound_marshal:BoundMarshal",
    "navigator": "manhunt.agents.navigator:NavigatorAgent",
    "blocker": "manhunt.agents.blocker:BlockerAgent",
}
"""Where the class of a name is; a name may stand for another class in each game."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What `manhunt agents` tells about one agent."""

    name: str
    summary: str
    games: tuple[str, ...]
    seats: tuple[Seat, ...]
    options: Mapping[str, str]


def agent_names() -> tuple[str, ...]:
    return (*_HOME, *sorted(point.name for point in entry_points(group=ENTRY_POINTS) if point.name not in _HOME))


def agent_entries() -> tuple[Entry, ...]:
    """All agents that can be named, with their options as text; one that does not load has no seats.

    A name that stands for several classes has an entry for each.
    """
    return tuple(entry for name in agent_names() for entry in _all_listed(name))


def _all_listed(name: str) -> list[Entry]:
    homes = _HOME.get(name)
    if not isinstance(homes, Mapping):
        return [_listed(name)]
    entries = []
    for home in dict.fromkeys(homes.values()):
        entry = _listed(name, home)
        games = [game for game in homes if homes[game] == home and game != USUAL]
        if homes.get(USUAL) == home:
            games += [game for game in entry.games or game_names() if game not in homes]
        entries.append(replace(entry, games=tuple(games)))
    return entries


def _listed(name: str, home: str | None = None) -> Entry:
    try:
        return _entry(name, _class_of(name) if home is None else _from_home(home, name))
    except ManhuntError as error:
        return Entry(name, str(error), (), (), {})
    except Exception as error:  # whatever an outsider's class does when it is asked for its options
        return Entry(name, f"agent {name} cannot be listed: {_said(error)}", (), (), {})


def make_agent(spec: str, game: str | None = None, seat: Seat | None = None) -> Agent:
    """The agent of a spec such as `random`, `mcts:seconds=1`, `my/bot.py:MyBot` or `cmd:./mybot --level 3`.

    A name that stands for another agent in each game, such as `greedy`, needs the game.
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
        agent = kind(**values)
    except ManhuntError:
        raise
    except Exception as error:
        raise BadAgent(f"agent {name} does not start: {_said(error)}") from None
    if game is not None and seat is not None:
        check_seat(agent, game, seat)
    return agent


def _split(spec: str) -> tuple[str, dict[str, str]]:
    """Name and options; a file's name keeps its class: `bot.py:Class:key=value`."""
    parts = spec.split(":")
    n_name = 2 if parts[0].endswith(".py") else 1
    name, rest = ":".join(parts[:n_name]), ":".join(parts[n_name:])
    options: dict[str, str] = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if not equals or not key:
            raise BadAgent(f"agent {spec!r}: {item!r} is no option; write {name}:key=value,key=value")
        options[key] = value
    return name, options


def _class_of(name: str, game: str | None = None) -> type[Agent]:
    path, colon, attribute = name.partition(":")
    if path.endswith(".py"):
        if not colon or not attribute:
            raise BadAgent(f"agent {name!r} names a file but no class; write {path}:ClassName")
        return _from_file(Path(path), attribute)
    if name in _HOME:
        return _from_home(_home_of(name, game), name)
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            try:
                return _checked(point.load(), name)
            except BadAgent:
                raise
            except (Exception, SystemExit) as error:
                raise BadAgent(f"agent {name} does not load: {_said(error)}") from None
    raise BadAgent(unknown("agent", name, agent_names()) + "; or path/to/file.py:ClassName")


def _home_of(name: str, game: str | None) -> str:
    """Where the class of this name is in this game; without a game, where the usual one is."""
    homes = _HOME[name]
    if isinstance(homes, str):
        return homes
    if (home := homes.get(game or USUAL) or homes.get(USUAL)) is not None:
        return home
    known = ", ".join(homes)
    if game is not None:
        raise BadAgent(f"agent {name} does not play {game}; it plays {known}")
    raise BadAgent(f"agent {name} is another one in each game; name the game, too: one of {known}")


def _from_home(home: str, name: str) -> type[Agent]:
    module, _, attribute = home.partition(":")
    return _checked(getattr(import_module(module), attribute), name)


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
        raise BadAgent(f"agent file {path} does not import: {_said(error)}") from None
    if not hasattr(module, attribute):
        own = [n for n, v in vars(module).items() if isinstance(v, type) and issubclass(v, Agent) and not _is_ours(v)]
        known = unknown("class", attribute, own) if own else f"no class {attribute!r}, nor any other agent"
        raise BadAgent(f"agent file {path}: {known}")
    return _checked(getattr(module, attribute), f"{path}:{attribute}")


def _is_ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "manhunt"


def _said(error: BaseException) -> str:
    """An outsider's error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def _checked(found: Any, name: str) -> type[Agent]:
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise BadAgent(f"{name} is not an Agent or Strategy class")
    if inspect.isabstract(found):
        lacking = ", ".join(sorted(found.__abstractmethods__))
        raise BadAgent(f"{name} does not define {lacking}")
    return found


def _parameters(kind: type[Agent]) -> list[inspect.Parameter]:
    if kind.__init__ is object.__init__:
        return []
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [p for p in inspect.signature(kind).parameters.values() if p.kind in plain]


def _typed(name: str, kind: type[Agent], key: str, text: str) -> Any:
    known = [p.name for p in _parameters(kind)]
    if key not in known:
        raise BadAgent(
            f"agent {name} has no option {key!r}; " + (f"it has {', '.join(known)}" if known else "it has none")
        )
    wanted = get_type_hints(kind.__init__).get(key, str)
    try:
        if wanted is bool:
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]
        return wanted(text) if wanted in (int, float, Path) else text
    except (KeyError, ValueError):
        raise BadAgent(f"agent {name}: option {key} must be {_kind_name(wanted)}, not {text!r}") from None


def _kind_name(wanted: type) -> str:
    return {int: "a whole number", float: "a number", bool: "true or false"}.get(wanted, "text")


def _entry(name: str, kind: type[Agent]) -> Entry:
    hints = get_type_hints(kind.__init__) if _parameters(kind) else {}
    options = {
        p.name: _kind_name(hints.get(p.name, str)) + ("" if p.default is p.empty else f", default {p.default}")
        for p in _parameters(kind)
    }
    return Entry(name, (inspect.getdoc(kind) or "").split("\n")[0], kind.games, kind.seats, options)
