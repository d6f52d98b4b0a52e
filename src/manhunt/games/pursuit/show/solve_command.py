"""`manhunt solve`: Pursuit solved exactly. What is asked is worked out and shown in `solve_answers`."""

import argparse
from argparse import Namespace
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING

from manhunt.cli.parser import Parser, add_settings, whole_number
from manhunt.cli.screen import console, print_answer
from manhunt.core.errors import ManhuntError
from manhunt.core.warm import start_work
from manhunt.games.pursuit.show.terminal import USUAL_PLACES

if TYPE_CHECKING:
    from manhunt.games.pursuit.rules.config import PursuitConfig

DEFAULT_BOARD = "top-right-20"
DEFAULT_ROUNDS = 15
DEFAULT_LIMIT = 4
DESCRIPTION = """Can Mr X escape whatever the detectives do?

  one start      --mrx and --detectives (on top-right-20: 1, and 5 10): the answer, and on request his policy
  all starts     --all-starts: how many rounds everybody survives, and on request a table
  a table        --probe: what it says about one state, move by move
  cop number     --cop-number: how many detectives are needed, and how fast they win"""
EPILOG = """examples:
  manhunt solve
  manhunt solve --mrx 1 --detectives 5 10 --max-rounds 4
  manhunt solve --mrx 1 --detectives 5 10 --max-rounds 4 --dump-policy policy.json
  manhunt solve --board london --all-starts --n-detectives 2
  manhunt solve --board london --all-starts --n-detectives 2 --table london2.table
  manhunt solve --board london --all-starts --n-detectives 3 --set order=at-once
  manhunt solve --board grid:4x4 --all-starts --n-detectives 3 --folder rounds
  manhunt solve --probe london2.table --mrx 45 --detectives 13 91
  manhunt solve --board petersen --preset cops-and-robbers --cop-number"""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt solve", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("--board", metavar="B", help=f"name, spec such as grid:5x5, or file (default {DEFAULT_BOARD})")
    parser.add_argument("--preset", metavar="P", help="seed (default) or cops-and-robbers")
    parser.add_argument("--mrx", metavar="NODE", help="where Mr X starts")
    parser.add_argument("--detectives", metavar="NODE", nargs="*", help="where the detectives start")
    rounds = f"rounds Mr X must survive (default {DEFAULT_ROUNDS}; all starts: until nothing changes)"
    parser.add_argument("--max-rounds", metavar="R", type=whole_number(1), help=rounds)
    parser.add_argument("--dump-policy", metavar="FILE", type=Path, help="write Mr X's policy as JSON")
    text = "name of the board to write into the policy file, such as top-right-simple-v1"
    parser.add_argument("--board-name", metavar="NAME", help=text)
    parser.add_argument("--survival-depths", action="store_true", help="add the rounds survived to the policy file")
    parser.add_argument("--all-starts", action="store_true", help="solve every start at once")
    parser.add_argument("--n-detectives", metavar="K", type=whole_number(1), help="how many, with --all-starts")
    add_settings(parser, "with --all-starts: a rule that differs from the preset, such as order=at-once")
    parser.add_argument("--table", metavar="FILE", type=Path, help="write the rounds survived from every start")
    parser.add_argument(
        "--max-memory", metavar="GB", type=_gigabytes, help="refuse a run that needs more (default: what is free)"
    )
    text = "work through files in DIR instead of the memory; the same command resumes a run that was stopped"
    parser.add_argument("--folder", metavar="DIR", type=Path, help=text)
    text = "share the work with a Ray cluster whose machines all see the folder; local starts one here"
    parser.add_argument("--ray", metavar="ADDRESS", help=text)
    parser.add_argument("--probe", metavar="FILE", type=Path, help="ask a table about one state")
    parser.add_argument("--cop-number", action="store_true", help="the fewest detectives that always win")
    parser.add_argument(
        "--limit", metavar="K", type=whole_number(1), help=f"most detectives tried (default {DEFAULT_LIMIT})"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    return parser


def _gigabytes(text: str) -> int:
    try:
        size = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of gigabytes") from None
    if not 0 < size < 1e6:
        raise argparse.ArgumentTypeError(f"{text} GB is not possible; give more than 0")
    return int(size * (1 << 30))


_MODES = ("all_starts", "probe", "cop_number")
_ALLOWED = {
    "one": {"board", "preset", "mrx", "detectives", "max_rounds", "dump_policy", "board_name", "survival_depths"}
    | {"max_memory"},
    "all_starts": {"board", "preset", "max_rounds", "n_detectives", "settings", "table", "max_memory"}
    | {"folder", "ray"},
    "probe": {"board", "preset", "mrx", "detectives"},
    "cop_number": {"board", "preset", "limit", "max_memory"},
}


_ONE_START = "for one start give --mrx and --detectives"
_INSTEAD = {"settings": "for one start under these rules add --table FILE, then ask --probe FILE"}
_TOPICS = {"one": "solve", "all_starts": "all-starts", "probe": "probe", "cop_number": "cop-number"}
FEW_POSITIONS = 200_000
"""In all rounds together; so many take a second or two with kernels that are not compiled."""


def main(options: Namespace) -> int:
    mode = _mode(options)
    if mode == "one":
        _take_usual_places(options)
    _check_places(options, mode)
    start_work([f"pursuit/{_topic(options, mode)}"], heavy=not _is_small(options))
    from manhunt.games.pursuit.show import solve_answers

    kinds: dict[str, Callable[[Namespace], solve_answers.SolveAnswer]] = {
        "one": solve_answers.OneStartAnswer,
        "all_starts": solve_answers.AllStartsAnswer,
        "probe": solve_answers.ProbeAnswer,
        "cop_number": solve_answers.CopNumberAnswer,
    }
    answer = kinds[mode](options)
    return print_answer(options.json, answer.to_json, lambda: answer.show(console()))


def _topic(options: Namespace, mode: str) -> str:
    """The kernels that are needed."""
    if mode == "all_starts" and not options.table and all_starts_config(options).interchangeable:
        return "sorted-starts"
    return _TOPICS[mode]


def all_starts_config(options: Namespace) -> "PursuitConfig":
    from manhunt.games.pursuit.rules.config import make_config

    switches = {"n_detectives": options.n_detectives, "max_rounds": None, **dict(options.settings)}
    return make_config(options.preset, options.board or DEFAULT_BOARD, **switches)


def _is_small(options: Namespace) -> bool:
    """Whether it is solved quickly in any case."""
    from manhunt.boards.catalog import load_board

    n = load_board(options.board or DEFAULT_BOARD).n_nodes
    n_detectives = len(options.detectives or ()) or options.limit or DEFAULT_LIMIT
    return n * comb(n, n_detectives) * (options.max_rounds or DEFAULT_ROUNDS) <= FEW_POSITIONS


def _mode(options: Namespace) -> str:
    """What is asked, if no two options contradict each other."""
    chosen = [mode for mode in _MODES if getattr(options, mode)]
    if len(chosen) > 1:
        raise ManhuntError(f"{_flag(chosen[0])} and {_flag(chosen[1])} contradict each other; give one of them")
    mode = chosen[0] if chosen else "one"
    for name, value in vars(options).items():
        given = value is not None and value is not False and value != []
        if given and name not in _ALLOWED[mode] and name not in (mode, "json"):
            if mode == "one":
                raise ManhuntError(f"{_flag(name)} needs {_owner(name)}; {_INSTEAD.get(name, _ONE_START)}")
            raise ManhuntError(f"{_flag(mode)} and {_flag(name)} contradict each other; leave one of them out")
    if options.table and options.folder:
        raise ManhuntError("--table and --folder contradict each other; leave one of them out")
    if options.ray and not options.folder:
        raise ManhuntError("--ray needs --folder DIR, which all machines of the cluster must see")
    for name in ("survival_depths", "board_name"):
        if getattr(options, name) and not options.dump_policy:
            raise ManhuntError(f"{_flag(name)} needs --dump-policy FILE to be written to")
    return mode


def _flag(name: str) -> str:
    return "--set" if name == "settings" else "--" + name.replace("_", "-")


def _owner(name: str) -> str:
    return next(_flag(mode) for mode in _MODES if name in _ALLOWED[mode])


def _take_usual_places(options: Namespace) -> None:
    """Where nothing is said about the places, the board's usual ones, as `watch` and `play` take them."""
    from manhunt.boards.catalog import load_board

    if options.mrx is not None or options.detectives is not None:
        return
    usual = USUAL_PLACES.get(load_board(options.board or DEFAULT_BOARD).name)
    if usual is not None:
        options.mrx, options.detectives = usual[0], list(usual[1])


def _check_places(options: Namespace, mode: str) -> None:
    """One start and one state need all their pieces."""
    if mode == "probe" and (options.mrx is None or not options.detectives):
        raise ManhuntError("--probe asks about one state; give --mrx NODE and --detectives NODE ...")
    if mode == "one" and options.mrx is None:
        raise ManhuntError("no place for Mr X; give --mrx NODE (or --all-starts)")
    if mode == "one" and not options.detectives:
        raise ManhuntError("no detectives; give --detectives and at least one node")
    if mode == "all_starts" and options.n_detectives is None:
        raise ManhuntError("how many detectives? --all-starts needs --n-detectives K")
    for name, _ in options.settings:
        if name in ("n_detectives", "max_rounds"):
            raise ManhuntError(f"give {_flag(name)} instead of --set {name}")
