"""The argument parser of all commands: errors are one line and exit code 2."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import NoReturn

from manhunt.errors import ManhuntError


class Parser(argparse.ArgumentParser):
    """argparse, with raw help texts, no abbreviations, and errors that the caller reports."""

    def __init__(self, **options: object) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        options.setdefault("allow_abbrev", False)
        super().__init__(**options)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        raise ManhuntError(f"{message} (see '{self.prog} --help')")


def whole_number(least: int) -> Callable[[str], int]:
    """An argparse type: an integer of at least `least`."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is too small; the least is {least}")
        return value

    return parse


def address(text: str) -> tuple[str, int]:
    """An argparse type: HOST:PORT, or a port of this machine."""
    host, colon, port = text.rpartition(":")
    if not (port.isdecimal() and 0 < int(port) <= 65535) or (colon and not host):
        raise argparse.ArgumentTypeError(f"{text!r} is no address; write HOST:PORT, such as 127.0.0.1:8080")
    return host or "127.0.0.1", int(port)


def seconds(text: str) -> float:
    """An argparse type: a time of 0 or more."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds") from None
    if not (math.isfinite(value) and value >= 0):
        raise argparse.ArgumentTypeError(f"{text} is no time; give 0 or more seconds")
    return value
