"""The argument parser of all commands: errors are one line and exit code 2."""

import argparse
import difflib
import math
from collections.abc import Callable
from typing import Any, NoReturn

from manhunt.core.errors import BadConfig, BadText, ManhuntError
from manhunt.core.reading import NotJson, parse_json
from manhunt.core.seeds import Seed, parse_seed


class Parser(argparse.ArgumentParser):
    """argparse, with raw help texts, no abbreviations, and errors that the caller reports."""

    game_options: tuple[str, ...] = ()
    """What `--set` knows, where one game is named: an error about an unknown option suggests them."""

    def __init__(self, **options: object) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        options.setdefault("allow_abbrev", False)
        super().__init__(**options)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        raise ManhuntError(f"{message}{self._near(message)} (see '{self.prog} --help')")

    def _near(self, message: str) -> str:
        """The options that are spelled like the first one that is not known."""
        wrong = next((word for word in message.split() if word.startswith("--")), "")
        if not message.startswith("unrecognized arguments"):
            return ""
        flag, _, value = wrong.partition("=")
        settings = {f"--{name.replace('_', '-')}": name for name in self.game_options}
        known = dict.fromkeys([*self._option_string_actions, *settings])
        spelled = flag.replace("_", "-")
        near = [spelled] if spelled in settings else difflib.get_close_matches(flag, known, n=2)
        if not near:
            return ""
        value = value or next((word for word in message.partition(wrong)[2].split()[:1] if word[0] != "-"), "VALUE")
        asked = [f"--set {settings[name]}={value}" if name in settings else name for name in near]
        return f"; did you mean {' or '.join(asked)}?"


def add_aliases(parser: argparse.ArgumentParser, option: argparse.Action, *names: str) -> None:
    """Other spellings of an option, which help does not show."""
    parser._option_string_actions.update(dict.fromkeys(names, option))


def whole_number(least: int) -> Callable[[str], int]:
    """An argparse type: an integer of at least `least`."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is too small; the minimum is {least}")
        return value

    return parse


def seed_option(text: str) -> Seed:
    """An argparse type: a number from 0 on, or a secret in hexadecimal digits as finished games tell it."""
    try:
        seed = parse_seed(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, nor a 64-digit secret") from None
    if isinstance(seed, int) and seed < 0:
        raise argparse.ArgumentTypeError(f"{seed} is too small; the minimum is 0")
    return seed


def add_settings(parser: argparse.ArgumentParser | argparse._ArgumentGroup, text: str) -> None:
    """The option `--set KEY=VALUE`, which may be given again; `settings` are the pairs."""
    parser.add_argument(
        "--set", dest="settings", type=setting, action="append", default=[], metavar="KEY=VALUE", help=text
    )


def setting(text: str) -> tuple[str, Any]:
    """An argparse type: KEY=VALUE, where the value is JSON or else plain text."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise argparse.ArgumentTypeError(f"{text!r}: write KEY=VALUE, such as --set max_rounds=4")
    return key, json_or_text(value)


def json_or_text(text: str) -> Any:
    """An argparse type: a value as JSON, or else as plain text."""
    try:
        return parse_json(text, "the value")
    except NotJson:
        return text
    except BadText as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def address(text: str) -> tuple[str, int]:
    """An argparse type: HOST:PORT, or a port of this machine."""
    host, colon, port = text.rpartition(":")
    if not (port.isdecimal() and 0 < int(port) <= 65535) or (colon and not host):
        raise argparse.ArgumentTypeError(f"{text!r} is not an address; write HOST:PORT, such as 127.0.0.1:8080")
    return host or "127.0.0.1", int(port)


def seconds(text: str) -> float:
    """An argparse type: a time of 0 or more."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds") from None
    if not (math.isfinite(value) and value >= 0):
        raise argparse.ArgumentTypeError(f"{text} is not a time; give 0 or more seconds")
    return value


def port_number(text: str) -> int:
    """An argparse type: a port to listen on; 0 takes a free one."""
    if not (text.isdecimal() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; give a number from 0 to 65535")
    return int(text)


def add_players(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Who plays the games of an arena or a tournament: `--workers` or `--ray`."""
    text = "processes that play (default: one per processor; 0: play in this one)"
    parser.add_argument("--workers", type=whole_number(0), metavar="N", help=text)
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster: HOST:PORT, or local to start one here")


def check_players(options: argparse.Namespace) -> None:
    if options.ray is not None and options.workers is not None:
        raise BadConfig("--workers and --ray exclude each other; a cluster has its own workers")
