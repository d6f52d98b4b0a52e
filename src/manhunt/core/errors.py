"""What can go wrong through bad input; every message is one line that a person can act on."""

import difflib
import json
from collections.abc import Iterable
from pathlib import Path

CHECKOUT = Path(__file__).parents[3]
"""Where `pyproject.toml` is, unless manhunt was installed from a wheel."""


class ManhuntError(Exception):
    """Something the user gave us cannot be used; the text says what, where, and what would be right."""


class BadBoard(ManhuntError):
    """A board cannot be used, or a file or name does not give one."""


class BadConfig(ManhuntError):
    """A game cannot be set up with these options."""


class IllegalAction(ManhuntError):
    """An action that the rules do not offer now."""


class BadText(ManhuntError):
    """Notation, a record or another text could not be parsed."""


class BadAgent(ManhuntError):
    """An agent is unknown, does not load, or cannot play this seat."""


class MissingExtra(ManhuntError):
    """An optional dependency is not installed."""


def missing_extra(why: str, extra: str) -> MissingExtra:
    """`PyTorch is not installed; get it with: ...`: the line installs the extra here, from the checkout or the wheel.

    manhunt is on no package index, so that pip would not find it by its name.
    """
    return MissingExtra(f"{why}: {install_line(extra)}")


def install_line(extra: str) -> str:
    """What to type to install an extra."""
    if (CHECKOUT / "pyproject.toml").is_file():
        return f".venv/bin/pip install -c constraints.txt -e '.[{extra}]'"
    return f"pip install 'WHEEL[{extra}]', where WHEEL is the file that manhunt was installed from"


def in_words(error: Exception) -> str:
    """What is wrong with data that was read, said without Python's names."""
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON from character {error.pos + 1} on"
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    if isinstance(error, TypeError | AttributeError):
        return "a value has the wrong type"
    return str(error)


def one_of(names: Iterable[str], limit: int = 12) -> str:
    """The allowed names as text, cut short when there are many."""
    every = list(names)
    return ", ".join(every[:limit]) + (f", ... ({len(every)} in all)" if len(every) > limit else "")


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """`unknown board 'londn'; did you mean london? known: london, top-right-20`."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=2)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return f"unknown {kind} {name!r}; {hint}known: {one_of(names)}"
