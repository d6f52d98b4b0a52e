"""What a value shows of itself in one line: in an interactive session, a traceback or a log."""

from collections.abc import Callable
from dataclasses import MISSING, fields
from enum import Enum
from typing import Any

MOST = 160


def shorten(text: str, most: int = 60) -> str:
    """The text, or its beginning and three dots."""
    return text if len(text) <= most else text[: most - 3] + "..."


def line_repr(value: Any, format_line: Callable[[Any], str]) -> str:
    """`<View evader: round 3, ...>`; never fails, so that a value that is wrong can still be shown in an error."""
    whose = getattr(value, "seat", None)
    try:
        text = format_line(value)
    except Exception:
        text = "not a valid one"
    return f"<{type(value).__name__}{'' if whose is None else f' {whose.value}'}: {shorten(text, MOST)}>"


def config_repr(config: Any) -> str:
    """`Config(board='london', rounds=24)`: only the fields that differ from their defaults."""
    told = []
    for each in fields(config):
        value = getattr(config, each.name)
        if each.default is MISSING or value != each.default:
            told.append(f"{each.name}={shorten(_brief(value), 24 if isinstance(value, tuple) else 60)}")
    return f"{type(config).__name__}({', '.join(told)})"


def _brief(value: Any) -> str:
    if isinstance(value, Enum):
        return repr(value.value)
    if isinstance(value, tuple) and value and all(isinstance(item, bool) for item in value):
        return "".join("-+"[item] for item in value)
    name = getattr(value, "name", None)
    return repr(name if isinstance(name, str) else value)
