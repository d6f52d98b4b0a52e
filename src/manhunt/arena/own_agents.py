"""Agents that a Python program hands to the arena itself: classes, objects, and functions that make one.

Every game gets an agent of its own, made by the class or function or copied from the object, so no game depends on the
games before it. Agents go to other processes as pickles: by reference if the workers can import the class, else by
value if cloudpickle is installed. The pickles travel to workers alone; folders keep names and hashes.
"""

import base64
import contextlib
import functools
import hashlib
import inspect
import os
import pickle
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from types import ModuleType
from typing import Any
from weakref import WeakValueDictionary

from manhunt.agents.registry import BOTS, agent_names, check_class, option_names
from manhunt.core.agent import Agent
from manhunt.core.crash import crash_text
from manhunt.core.errors import BadAgent, BadConfig
from manhunt.core.reading import read_bytes

Source = Agent | type[Agent] | Callable[[], Agent]
Entries = str | Source | Sequence[str | Source] | Mapping[str, Source]
"""What a role is given: specs, own agents or both, or own agents with the names that they play by."""
LONGEST_NAME = 60


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class OwnAgent:
    """An agent from your program, with the name that results and records show."""

    name: str
    source: Source = field(repr=False)
    token: str = field(default_factory=lambda: token_hex(8), repr=False)

    def make(self) -> Agent:
        """A new agent for one game."""
        try:
            made = deepcopy(self.source) if isinstance(self.source, Agent) else self.source()
        except Exception as error:
            if isinstance(self.source, Agent):
                why = f"cannot be copied for each game ({error}); give its class, or a function that makes it"
                raise BadAgent(f"agent {self.name} {why}") from None
            hint = "; give an object, made with its options" if isinstance(error, TypeError) else ""
            raise BadAgent(f"agent {self.name} does not start: {crash_text(error)}{hint}") from None
        if not isinstance(made, Agent):
            raise BadAgent(f"agent {self.name}: the function gave {type(made).__name__}, which is not an Agent")
        return made

    @property
    def definition(self) -> Any:
        """The class or function that a worker has to import."""
        found = self.source.func if isinstance(self.source, functools.partial) else self.source
        return type(found) if isinstance(found, Agent) else found

    @property
    def fingerprint(self) -> str:
        """A hash of the code and, for an object, of its contents, as far as they can be read."""
        parts = [f"{self.definition.__module__}.{self.definition.__qualname__}".encode()]
        module = sys.modules.get(self.definition.__module__)
        with contextlib.suppress(Exception):
            parts.append(_code_of(self.definition, module))
        with contextlib.suppress(Exception):
            parts.append(pickle.dumps(self.source, protocol=4))
        return hashlib.sha256(b"\n".join(parts)).hexdigest()[:16]

    def pack(self) -> bytes:
        """The agent as bytes for a worker; BadAgent says why it cannot be sent."""
        why = _why_not_importable(self.definition)
        try:
            if why is None:
                return pickle.dumps(self.source)
            if (by_value := _cloudpickle()) is not None and _is_loose(self.definition):
                data: bytes = by_value.dumps(self.source)
                return data
        except Exception as error:
            why = f"it cannot be pickled ({error})"
        name = self.definition.__name__
        way = f"put {name} into a file that workers can import, or play in this process with workers=0"
        raise BadAgent(f"agent {self.name} cannot go to other processes: {why}; {way}")


def _code_of(definition: Any, module: ModuleType | None) -> bytes:
    file = getattr(module, "__file__", None)
    if file is not None and not _is_loose(definition):
        return read_bytes(Path(file))
    return inspect.getsource(definition).encode()


def _is_loose(definition: Any) -> bool:
    """Whether it belongs to no module that others could import: a notebook, a script, or a function's inside."""
    return definition.__module__ == "__main__" or "<" in definition.__qualname__


def _why_not_importable(definition: Any) -> str | None:
    module, name = definition.__module__, definition.__qualname__
    if "<lambda>" in name:
        return "it is a lambda"
    if "<locals>" in name:
        return f"{definition.__name__} is defined inside a function"
    if module == "__main__":
        return f"{name} is defined in a notebook or script"
    if module not in sys.builtin_module_names and PathFinder.find_spec(module.partition(".")[0]) is None:
        return f"the module {module} is not importable"
    return None


def _cloudpickle() -> Any:
    return import_module("cloudpickle") if find_spec("cloudpickle") else None


def read_entries(entries: Entries, role: str) -> tuple[tuple[str, ...], list[OwnAgent]]:
    """The names that a role plays by, and the own agents among them."""
    if isinstance(entries, str) or callable(entries) or isinstance(entries, Agent):
        entries = [entries]
    if isinstance(entries, Mapping):
        for source in entries.values():
            if isinstance(source, str):
                raise BadConfig(f"{role}: {source!r} is a spec, which has its own name; give specs in a list")
        own = [_own(source, role, name) for name, source in entries.items()]
        return tuple(agent.name for agent in own), own
    mixed = [entry if isinstance(entry, str) else _own(entry, role) for entry in entries]
    names = tuple(entry if isinstance(entry, str) else entry.name for entry in mixed)
    return names, [entry for entry in mixed if isinstance(entry, OwnAgent)]


def _own(source: Source, role: str, name: str | None = None) -> OwnAgent:
    if isinstance(source, type):
        check_class(source, source.__name__)
    elif not (isinstance(source, Agent) or callable(source)):
        raise BadAgent(f"{role}: {source!r} is not an agent; give a spec, an Agent class or an object of one")
    called = name_of(source) if name is None else name
    if name is None and "<" in called:
        raise BadAgent(f"{role}: a function without a name needs one: {{'mine': ...}}")
    if not isinstance(called, str) or not called.strip() or not called.isprintable() or len(called) > LONGEST_NAME:
        raise BadAgent(f"{role}: an agent cannot be called {called!r:.80}; a name has 1 to {LONGEST_NAME} characters")
    if called in agent_names() or called.startswith(BOTS) or "@" in called or ".py" in called:
        raise BadAgent(f"{role}: {called!r} already means another agent; give yours a name: {{'mine': ...}}")
    return OwnAgent(called, source)


def name_of(source: Source) -> str:
    """`MyAgent`, or `MyAgent:depth=3` for what differs from the defaults, as far as the object tells."""
    if isinstance(source, functools.partial) and not source.args:
        return _with_options(source.func.__name__, source.keywords, {})
    if not isinstance(source, Agent):
        return str(getattr(source, "__name__", source))
    known = option_names(type(source))
    return _with_options(
        type(source).__name__, {key: getattr(source, key, usual) for key, usual in known.items()}, known
    )


def _with_options(name: str, values: Mapping[str, Any], usual: Mapping[str, Any]) -> str:
    plain = {key: value for key, value in values.items() if isinstance(value, str | int | float)}
    told = {key: value for key, value in plain.items() if key not in usual or value != usual[key]}
    return ":".join([name, *([",".join(f"{key}={value}" for key, value in told.items())] if told else [])])


def check_names(own: Sequence[OwnAgent]) -> tuple[OwnAgent, ...]:
    """Each name once; the same class or object may play both roles."""
    by_name: dict[str, OwnAgent] = {}
    for agent in own:
        if by_name.setdefault(agent.name, agent).source is not agent.source:
            way = "name them: {'first': ..., 'second': ...}"
            raise BadConfig(f"two different agents are called {agent.name}; {way}")
    return tuple(by_name.values())


# How they get to those who play: here by a token, elsewhere as a pickle.

_here: WeakValueDictionary[str, OwnAgent] = WeakValueDictionary()


def to_travel(own: Sequence[OwnAgent]) -> dict[str, Any]:
    """As JSON for workers, with the folders that modules are imported from."""
    rows: dict[str, dict[str, str]] = {}
    for agent in own:
        _here[agent.token] = agent
        rows[agent.name] = {"token": agent.token}
        with contextlib.suppress(BadAgent):
            rows[agent.name]["pickle"] = base64.b64encode(agent.pack()).decode()
    return {"agents": rows, "path": [os.path.abspath(folder) for folder in sys.path]}


def arrived(travelled: Mapping[str, Any]) -> dict[str, Callable[[], Agent]]:
    """By name, what makes the agents of one game, in the process that plays."""
    sys.path += [folder for folder in travelled["path"] if folder not in sys.path and os.path.isdir(folder)]
    return {name: _maker(name, row) for name, row in travelled["agents"].items()}


def _maker(name: str, row: Mapping[str, str]) -> Callable[[], Agent]:
    agent = _here.get(row["token"])
    if agent is not None:
        return agent.make
    try:
        return OwnAgent(name, pickle.loads(base64.b64decode(row["pickle"]))).make
    except Exception as error:
        raise BadAgent(f"agent {name} cannot be loaded by a worker: {type(error).__name__}: {error}") from None
