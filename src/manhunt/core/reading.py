"""Text, JSON and TOML from outside: read within limits, and refused in one line that says what is wrong and where."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.core.errors import BadText, ManhuntError, in_words

if TYPE_CHECKING:
    from os import PathLike

MEGABYTE = 1 << 20
MOST_BYTES = 64 * MEGABYTE
"""Of a file, where nothing else is said."""
DEEPEST = 64
"""Levels of nesting in JSON and TOML. What we write ourselves has fewer than ten."""
_HALF_SIGN = re.compile(r"\\u[dD][89a-fA-F]")


class NotJson(BadText):
    """A text that is no JSON at all."""


def read_bytes(
    path: str | PathLike[str], what: str = "", *, most_bytes: int = MOST_BYTES, error: type[ManhuntError] = BadText
) -> bytes:
    """The bytes of a file, device or pipe, if there are not too many; `what` names it in the error."""
    name = f"{what} {path}".strip()
    try:
        with open(path, "rb") as file:
            data = file.read(most_bytes + 1)
    except (OSError, ValueError) as reason:  # ValueError: a name that no file can have
        raise error(f"cannot read {_printable(name)}: {getattr(reason, 'strerror', None) or reason}") from None
    if len(data) > most_bytes:
        raise error(f"{name} is too large: more than {size_text(most_bytes)}")
    return data


def read_text(
    path: str | PathLike[str], what: str = "", *, most_bytes: int = MOST_BYTES, error: type[ManhuntError] = BadText
) -> str:
    """The text of a file in UTF-8; line ends as in Python."""
    data = read_bytes(path, what, most_bytes=most_bytes, error=error)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise error(f"{f'{what} {path}'.strip()} is not a text file in UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def load_json(path: Path, what: str = "", *, most_bytes: int = MOST_BYTES) -> Any:
    """The JSON document of a file."""
    return parse_json(read_text(path, what, most_bytes=most_bytes), f"{what} {path}".strip())


def parse_json(text: str, source: str) -> Any:
    """The value of a JSON text; BadText if it is none, or one that nobody means: too deep, or half of a character."""
    try:
        value = json.loads(text)
    except RecursionError:
        raise _too_deep(source) from None
    except json.JSONDecodeError as error:
        place = f" (line {error.lineno}, column {error.colno})" if "\n" in text else ""
        raise NotJson(f"{source}: {in_words(error)}{place}") from None
    except ValueError:
        raise BadText(f"{source}: a number has too many digits") from None
    _check_depth(value, source)
    if _HALF_SIGN.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise BadText(f"{source}: a text has half of a surrogate pair (\\ud800 to \\udfff)") from None
    return value


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """The tables of a TOML text."""
    import tomllib

    try:
        value = tomllib.loads(text)
    except RecursionError:
        raise _too_deep(source) from None
    except tomllib.TOMLDecodeError as error:
        raise BadText(f"{source}: {error}") from None
    except ValueError:
        raise BadText(f"{source}: a number has too many digits") from None
    _check_depth(value, source)
    return value


def size_text(n_bytes: int) -> str:
    """`64 MB`."""
    return f"{n_bytes / MEGABYTE:,.3g} MB" if n_bytes >= MEGABYTE else f"{n_bytes:,} bytes"


def _check_depth(value: Any, source: str) -> None:
    """Level by level, because a function that calls itself would end like the parser."""
    level: Iterable[Any] = [value]
    for _ in range(DEEPEST + 1):
        nested = [part for part in level if isinstance(part, dict | list)]
        if not nested:
            return
        level = [part for parts in nested for part in (parts.values() if isinstance(parts, dict) else parts)]
    raise _too_deep(source)


def _too_deep(source: str) -> BadText:
    return BadText(f"{source}: nested deeper than {DEEPEST} levels")


def _printable(name: str) -> str:
    return name if name.isprintable() else repr(name)
