"""`manhunt solve`: Pursuit solved exactly; `manhunt solve fugitive` is a module of its own."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, whole_number
from manhunt.cli.screen import console, print_json, progress_bar
from manhunt.errors import ManhuntError

if TYPE_CHECKING:
    from manhunt.boards.board import Board
    from manhunt.games.pursuit.config import Config
    from manhunt.games.pursuit.state import State
    from manhunt.ids import Node
    from manhunt.solvers.retrograde import Start

DEFAULT_BOARD = "top-right-20"
DEFAULT_ROUNDS = 15
DEFAULT_LIMIT = 4
DESCRIPTION = """Can Mr X escape whatever the detectives do?

  one start      --mrx and --detectives: the answer, and on request his policy
  all starts     --all-starts: how many rounds everybody survives, and on request a table
  a table        --probe: what it says about one state, move by move
  cop number     --cop-number: how many detectives are needed, and how fast they are
  Fugitive       manhunt solve fugitive --help: small decks, equilibrium by CFR+"""
EPILOG = """examples:
  manhunt solve --mrx 1 --detectives 5 10 --max-rounds 4
  manhunt solve --mrx 1 --detectives 5 10 --max-rounds 4 --dump-policy policy.json
  manhunt solve --board london --all-starts --n-detectives 2
  manhunt solve --board london --all-starts --n-detectives 2 --table london2.table
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
    parser.add_argument("--survival-depths", action="store_true", help="add the rounds survived to the policy file")
    parser.add_argument("--all-starts", action="store_true", help="solve every start at once")
    parser.add_argument("--n-detectives", metavar="K", type=whole_number(1), help="how many, with --all-starts")
    parser.add_argument("--table", metavar="FILE", type=Path, help="write the rounds survived from every start")
    parser.add_argument(
        "--max-memory", metavar="GB", type=_gigabytes, help="refuse to need more (default: what is free)"
    )
    parser.add_argument("--probe", metavar="FILE", type=Path, help="ask a table about one state")
    parser.add_argument("--cop-number", action="store_true", help="the fewest detectives that always win")
    parser.add_argument(
        "--limit", metavar="K", type=whole_number(1), help=f"most detectives tried (default {DEFAULT_LIMIT})"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    return parser


def _gigabytes(text: str) -> int:
    import argparse

    try:
        size = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of gigabytes") from None
    if not 0 < size < 1e6:
        raise argparse.ArgumentTypeError(f"{text} GB is not possible; give more than 0")
    return int(size * (1 << 30))


_MODES = ("all_starts", "probe", "cop_number")
_ALLOWED = {
    "one": {"board", "preset", "mrx", "detectives", "max_rounds", "dump_policy", "survival_depths", "max_memory"},
    "all_starts": {"board", "preset", "max_rounds", "n_detectives", "table", "max_memory"},
    "probe": {"board", "preset", "mrx", "detectives"},
    "cop_number": {"board", "preset", "limit", "max_memory"},
}


def run(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] == "fugitive":
        from manhunt.cli import solve_fugitive

        return solve_fugitive.run(arguments[1:])
    return main(build_parser().parse_args(arguments))


def main(options: Namespace) -> int:
    mode = _mode(options)
    return {"one": _one_start, "all_starts": _all_starts, "probe": _probe, "cop_number": _cop_number}[mode](options)


def _mode(options: Namespace) -> str:
    """What is asked, if no two options contradict each other."""
    chosen = [mode for mode in _MODES if getattr(options, mode)]
    if len(chosen) > 1:
        raise ManhuntError(f"{_flag(chosen[0])} and {_flag(chosen[1])} contradict each other; give one of them")
    mode = chosen[0] if chosen else "one"
    for name, value in vars(options).items():
        given = value is not None and value is not False
        if given and name not in _ALLOWED[mode] and name not in (mode, "json"):
            if mode == "one":
                raise ManhuntError(f"{_flag(name)} needs {_owner(name)}; for one start give --mrx and --detectives")
            raise ManhuntError(f"{_flag(mode)} and {_flag(name)} contradict each other; leave one of them out")
    if options.survival_depths and not options.dump_policy:
        raise ManhuntError("--survival-depths needs --dump-policy FILE to be written to")
    return mode


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _owner(name: str) -> str:
    return next(_flag(mode) for mode in _MODES if name in _ALLOWED[mode])


def _load(options: Namespace, default: str = DEFAULT_BOARD) -> Board:
    from manhunt.boards.catalog import load_board

    return load_board(options.board or default)


def _start(config: Config, options: Namespace) -> State:
    from manhunt.games.pursuit.game import PursuitGame, make_setup

    return PursuitGame().start(config, make_setup(config, options.mrx, options.detectives))


def _need_places(options: Namespace) -> None:
    if options.probe and (options.mrx is None or not options.detectives):
        raise ManhuntError("--probe asks about one state; give --mrx NODE and --detectives NODE ...")
    if options.mrx is None:
        raise ManhuntError("no place for Mr X; give --mrx NODE (or --all-starts)")
    if not options.detectives:
        raise ManhuntError("no detectives; give --detectives and at least one node")


def _compile(small: Callable[[], object]) -> None:
    """On first use say so and solve something small, so that what is measured later is solving alone.

    To be called when the solver's modules are imported.
    """
    from manhunt.games.jit import needs_compiling

    if needs_compiling():
        print("compiling the kernels for the first use; this takes about half a minute", file=sys.stderr, flush=True)
        small()


def _names(board: Board, nodes: tuple[Node, ...]) -> list[str | int]:
    from manhunt.solvers.policy_file import json_label

    return [json_label(board, node) for node in nodes]


@contextmanager
def _bar(text: str, total: float) -> Iterator[Any]:
    """A callable that moves the bar: done(so far, note)."""
    with progress_bar() as bar:
        task = bar.add_task(text, total=total, note="")
        yield lambda done, note: bar.update(task, completed=done, note=note)


def _one_start(options: Namespace) -> int:
    _need_places(options)
    board = _load(options)
    from manhunt.games.pursuit.config import make_config

    rounds = options.max_rounds or DEFAULT_ROUNDS
    config = make_config(options.preset, board, n_detectives=len(options.detectives), max_rounds=rounds)
    state = _start(config, options)
    _check_writable(options.dump_policy)
    from manhunt.solvers.exhaustive import solve_one_start
    from manhunt.solvers.policy_file import json_label, save_policy

    _compile(lambda: solve_one_start(replace(state, config=replace(config, max_rounds=1))))
    began = time.perf_counter()
    with _bar("searching", rounds) as done:
        answer = solve_one_start(
            state,
            max_memory=options.max_memory,
            on_round=lambda number, states: done(number, f"round {number}, {states:,} states"),
        )
    seconds = time.perf_counter() - began
    if options.dump_policy:
        with _bar("writing", 1):
            save_policy(options.dump_policy, answer, options.survival_depths)
    first = None if answer.first_move is None else json_label(board, answer.first_move)
    if options.json:
        print_json(
            {
                "board": board.name,
                "config": {
                    "preset": config.preset,
                    "mrx_start": json_label(board, answer.quarry),
                    "detective_starts": _names(board, answer.pursuers),
                    "max_rounds": rounds,
                },
                "forced_escape": answer.forced_escape,
                "states_evaluated": answer.states_evaluated,
                "policy_size": answer.policy_size,
                "first_move": first,
                "survival_rounds": answer.survival_rounds,
                "seconds": round(seconds, 3),
            }
        )
        return 0
    screen = console()
    who = f"Mr X on {options.mrx}, detectives on {' '.join(options.detectives)}, {rounds} rounds, board {board.name}"
    screen.print(who, style="quiet")
    if answer.forced_escape:
        screen.print(f"[offer]Mr X escapes[/offer], whatever the detectives do: he survives all {rounds} rounds.")
    else:
        survived = f"he survives {_rounds(answer.survival_rounds)} at best"
        screen.print(f"[danger]Mr X can be caught[/danger]: {survived}.")
    if first is not None:
        screen.print(f"First move       {first}")
    screen.print(f"States           {answer.states_evaluated:,} in {seconds:.2f} s")
    screen.print(f"Policy           {answer.policy_size:,} entries", end="")
    screen.print(f", written to {options.dump_policy}" if options.dump_policy else "")
    return 0


def _rounds(number: int) -> str:
    return f"{number} round" if number == 1 else f"{number} rounds"


def _check_writable(path: Path | None) -> None:
    """Before the work, not after it."""
    if path is not None and not path.parent.is_dir():
        raise ManhuntError(f"cannot write {path}: there is no folder {path.parent}")
    if path is not None and path.is_dir():
        raise ManhuntError(f"cannot write {path}: it is a folder")


def _all_starts(options: Namespace) -> int:
    if options.n_detectives is None:
        raise ManhuntError("how many detectives? --all-starts needs --n-detectives K")
    board = _load(options)
    from manhunt.games.pursuit.config import make_config

    config = make_config(options.preset, board, n_detectives=options.n_detectives, max_rounds=None)
    _check_writable(options.table)
    from manhunt.solvers.memory import peak_rss_mb
    from manhunt.solvers.retrograde import bytes_needed, check_all_starts, solve_all_starts
    from manhunt.solvers.tables import solve_to_table

    kept = bytes_needed(board.n_nodes, config.n_detectives) if options.table else 0
    check_all_starts(config, options.max_memory, extra_bytes=kept)
    little = make_config(options.preset, f"path:{config.n_detectives + 2}", n_detectives=config.n_detectives)
    _compile(lambda: solve_all_starts(little))
    began = time.perf_counter()
    with _bar("going back", 1) as done:

        def on_round(number: int, alive: int, states: int) -> None:
            done(1 - alive / states, f"round {number}, {alive:,} of {states:,} starts left")

        limits = {"max_memory": options.max_memory, "on_round": on_round}
        if options.table:
            found = solve_to_table(config, options.table, options.max_rounds, **limits)
        else:
            found = solve_all_starts(config, options.max_rounds, **limits)
    seconds = time.perf_counter() - began
    if options.json:
        print_json(
            {
                "board": board.name,
                "preset": config.preset,
                "n_detectives": config.n_detectives,
                "states": found.states,
                "survivors_by_round": list(found.survivors_by_round),
                "rounds_to_capture_all": found.rounds_to_capture_all,
                "longest": _start_json(board, found.longest),
                "fixpoint": found.fixpoint,
                "seconds": round(seconds, 3),
                "peak_rss_mb": round(peak_rss_mb(), 1),
            }
        )
        return 0
    screen = console()
    k = f"{config.n_detectives} detective{'s' if config.n_detectives > 1 else ''}"
    screen.print(f"Board {board.name}, {k}, {config.preset}: {found.states:,} starts", style="quiet")
    before = found.states
    for number, alive in enumerate(found.survivors_by_round, 1):
        screen.print(f"  round {number:>3}   {alive:>17,} still free   {before - alive:>15,} caught")
        before = alive
    if found.rounds_to_capture_all is not None:
        screen.print(f"[danger]Every start is lost[/danger] within {_rounds(found.rounds_to_capture_all)}.")
    elif found.fixpoint:
        share = 100 * before / found.states
        screen.print(f"[offer]{before:,} starts escape for ever[/offer] ({share:.1f} %).")
    else:
        screen.print(f"Stopped after {_rounds(len(found.survivors_by_round))}; more may be caught later.")
    if found.longest is not None:
        lasts = "for ever" if found.longest.rounds is None else _rounds(found.longest.rounds)
        if not found.fixpoint and found.longest.rounds is not None:
            lasts = f"at least {lasts}"
        where = f"Mr X {board.label(found.longest.quarry)}, detectives {board.text(found.longest.pursuers)}"
        screen.print(f"Longest          {where}: {lasts}")
    screen.print(f"Time             {seconds:.2f} s, memory {peak_rss_mb():,.0f} MB at most")
    if options.table:
        screen.print(f"Table            {options.table}, {options.table.stat().st_size / 1e6:,.1f} MB")
    return 0


def _start_json(board: Board, start: Start | None) -> dict[str, Any] | None:
    if start is None:
        return None
    mrx, *detectives = _names(board, (start.quarry, *start.pursuers))
    return {"mrx": mrx, "detectives": detectives, "rounds": start.rounds}


def _probe(options: Namespace) -> int:
    _need_places(options)
    from dataclasses import replace

    from manhunt.games.pursuit import rules
    from manhunt.games.pursuit.notation import format_action
    from manhunt.ids import Seat
    from manhunt.solvers.probe import Probe
    from manhunt.solvers.tables import FOREVER, open_table

    table = open_table(options.probe)
    config = table.config
    if options.board is not None and _load(options) != config.board:
        raise ManhuntError(f"table {options.probe} is for board {config.board.name}, not for {options.board}")
    if options.preset is not None:
        from manhunt.games.pursuit.config import make_config

        table.check_game(make_config(options.preset, config.board, n_detectives=config.n_detectives))
    if len(options.detectives) != config.n_detectives:
        raise ManhuntError(
            f"{len(options.detectives)} detectives given; table {options.probe} is for {config.n_detectives}"
        )
    state = _start(replace(config, max_rounds=None), options)
    probe = Probe(table)
    value = probe.value(state)
    moves = probe.action_values(state) if rules.outcome(state) is None else []
    turn = "mrx" if rules.to_act(state) is Seat.EVADER else "detectives"
    beyond = "for ever" if table.fixpoint else f"at least {table.rounds}"
    if options.json:
        numbers = {format_action(config, a): None if v >= FOREVER else v for a, v in moves}
        print_json(
            {
                "board": config.board.name,
                "preset": config.preset,
                "mrx": options.mrx,
                "detectives": options.detectives,
                "to_act": turn if moves else None,
                "rounds": None if value >= FOREVER else value,
                "fixpoint": table.fixpoint,
                "moves": numbers,
            }
        )
        return 0
    screen = console()
    screen.print(f"Mr X on {options.mrx}, detectives on {' '.join(options.detectives)}: ", end="")
    screen.print("over at once" if not moves else f"he survives {beyond if value >= FOREVER else _rounds(value)}")
    for action, number in moves:
        mark = "[offer]best[/offer]" if number == value else ""
        screen.print(
            f"  {format_action(config, action):<10} {beyond if number >= FOREVER else _rounds(number):<12} {mark}"
        )
    return 0


def _cop_number(options: Namespace) -> int:
    board = _load(options)
    preset = options.preset or "cops-and-robbers"
    if preset != "cops-and-robbers":
        raise ManhuntError(f"--cop-number and --preset {preset} contradict each other; it is asked of cops-and-robbers")
    limit = options.limit or DEFAULT_LIMIT
    from manhunt.boards import generate
    from manhunt.solvers.cop_number import find_cop_number

    _compile(lambda: find_cop_number(generate.path(3), 1))
    began = time.perf_counter()
    with _bar("trying", limit) as done:
        found = find_cop_number(
            board, limit, max_memory=options.max_memory, on_try=lambda k: done(k - 1, f"{k} detectives")
        )
    seconds = time.perf_counter() - began
    if options.json:
        print_json(
            {
                "board": board.name,
                "preset": preset,
                "cop_number": found.cop_number,
                "capture_time": found.capture_time,
                "placement": None if found.placement is None else _names(board, found.placement),
                "limit": limit,
                "seconds": round(seconds, 3),
            }
        )
        return 0
    screen = console()
    if found.cop_number is None or found.placement is None:
        screen.print(f"Board {board.name}: [offer]more than {limit}[/offer] detectives are needed.")
        return 0
    screen.print(f"Board {board.name}: cop number [danger]{found.cop_number}[/danger]")
    screen.print(f"Best placement   {board.text(found.placement)}")
    screen.print(f"Capture time     {found.capture_time} moves of the detectives")
    return 0
