"""Options of a game as one text without commas, which end a parameter in OpenSpiel: `rounds:3;shown:[1;2]`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from manhunt.core.errors import BadConfig
from manhunt.core.reading import NotJson, parse_json


def format_options(options: Mapping[str, Any]) -> str:
    """Numbers, texts, lists and mappings by name."""
    return ";".join(f"{name}:{_format(value)}" for name, value in options.items())


def _format(value: Any) -> str:
    if isinstance(value, Enum):
        value = value.value
    text = json.dumps(value, separators=(";", ":"))
    if any(sign in text for sign in ",()"):
        raise BadConfig(f"{value!r} cannot be written as an option: OpenSpiel's parameters have no commas or brackets")
    return text


def parse_options(text: str) -> dict[str, Any]:
    """The inverse; a text needs no quotes."""
    options = {}
    for part in _split(text):
        name, colon, value = part.partition(":")
        if not colon:
            raise BadConfig(f"could not parse the option {part!r}; write NAME:VALUE;NAME:VALUE, lists as [1;2]")
        try:
            options[name] = parse_json(value.replace(";", ","), f"option {name}")
        except NotJson:
            options[name] = value
    return options


def _split(text: str) -> Iterator[str]:
    """At the semicolons outside of lists."""
    depth, part = 0, ""
    for sign in text:
        depth += (sign in "[{") - (sign in "]}")
        if sign == ";" and depth == 0:
            yield part
            part = ""
        else:
            part += sign
    if part:
        yield part
