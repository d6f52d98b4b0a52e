"""The answers of `manhunt solve`: each is worked out when it is made, and can be read as JSON or on the screen."""

import json
import time
from abc import ABC, abstractmethod
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from manhunt.boards.board import Board
from manhunt.boards.catalog import load_board
from manhunt.cli.screen import progress_bar
from manhunt.core.errors import ManhuntError
from manhunt.core.files import check_writable
from manhunt.core.ids import Node, Seat
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.config import PursuitConfig, make_config
from manhunt.games.pursuit.rules.game import PursuitGame, make_setup
from manhunt.games.pursuit.rules.notation import format_action
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.show.solve_command import DEFAULT_BOARD, DEFAULT_LIMIT, DEFAULT_ROUNDS, all_starts_config
from manhunt.games.pursuit.solvers.all_starts import check_all_starts, solve_all_starts, solve_through_files
from manhunt.games.pursuit.solvers.cop_number import find_cop_number
from manhunt.games.pursuit.solvers.exhaustive import solve_one_start
from manhunt.games.pursuit.solvers.policy_file import check_board_name, json_label, save_policy
from manhunt.games.pursuit.solvers.probe import Probe
from manhunt.games.pursuit.solvers.tables import FOREVER, open_table, solve_to_table
from manhunt.solvers.memory import peak_rss_mb
from manhunt.solvers.retrograde import Start


class SolveAnswer(ABC):
    """What was asked for by the options of one command line."""

    options: Namespace
    board: Board

    @abstractmethod
    def to_json(self) -> dict[str, Any]: ...

    @abstractmethod
    def show(self, screen: Console) -> None:
        """The same for people."""

    def names(self, nodes: tuple[Node, ...]) -> list[str | int]:
        return [json_label(self.board, node) for node in nodes]


class OneStartAnswer(SolveAnswer):
    def __init__(self, options: Namespace) -> None:
        self.options, self.board = options, _load(options)
        rounds = options.max_rounds or DEFAULT_ROUNDS
        n_detectives = len(options.detectives)
        self.config = make_config(options.preset, self.board, n_detectives=n_detectives, max_rounds=rounds)
        self.rounds, state = rounds, _start(self.config, options)
        _check_writable(options.dump_policy)
        check_board_name(self.board, options.board_name)
        began = time.perf_counter()
        with _bar("searching", rounds) as done:
            self.found = solve_one_start(
                state,
                max_memory=options.max_memory,
                on_round=lambda number, states: done(number, f"round {number}, {states:,} states"),
            )
        self.seconds = time.perf_counter() - began
        if options.dump_policy:
            with _bar("writing", 1):
                save_policy(options.dump_policy, self.found, options.survival_depths, options.board_name)
        move = self.found.first_move
        self.first_move = None if move is None else json_label(self.board, move)

    def to_json(self) -> dict[str, Any]:
        return {
            "board": self.board.name,
            "config": {
                "preset": self.config.preset,
                "mrx_start": json_label(self.board, self.found.quarry),
                "detective_starts": self.names(self.found.pursuers),
                "max_rounds": self.rounds,
            },
            "forced_escape": self.found.forced_escape,
            "states_evaluated": self.found.states_evaluated,
            "policy_size": self.found.policy_size,
            "first_move": self.first_move,
            "survival_rounds": self.found.survival_rounds,
            "seconds": round(self.seconds, 3),
        }

    def show(self, screen: Console) -> None:
        options, found, rounds = self.options, self.found, self.rounds
        start = f"Mr X on {options.mrx}, detectives on {' '.join(options.detectives)}"
        screen.print(f"{start}, {rounds} rounds, board {self.board.name}", style="quiet")
        if found.forced_escape:
            screen.print(f"[offer]Mr X escapes[/offer], whatever the detectives do: he survives all {rounds} rounds.")
        else:
            survived = f"he survives {_rounds(found.survival_rounds)} at best"
            screen.print(f"[danger]Mr X can be caught[/danger]: {survived}.")
        if self.first_move is not None:
            screen.print(f"First move       {self.first_move}")
        screen.print(f"States           {found.states_evaluated:,} in {self.seconds:.2f} s")
        screen.print(f"Policy           {found.policy_size:,} entries", end="")
        screen.print(f", written to {options.dump_policy}" if options.dump_policy else "")


class AllStartsAnswer(SolveAnswer):
    def __init__(self, options: Namespace) -> None:
        self.options, self.config = options, all_starts_config(options)
        self.board, config = self.config.board, self.config
        _check_writable(options.table)
        if not options.folder:
            check_all_starts(config, options.max_memory, for_table=options.table is not None)
        began = time.perf_counter()
        with _bar("going back", 1) as done:

            def on_round(number: int, alive: int, states: int) -> None:
                done(1 - alive / states, f"round {number}, {alive:,} of {states:,} starts left")

            limits = {"max_memory": options.max_memory, "on_round": on_round}
            if options.table:
                self.found = solve_to_table(config, options.table, options.max_rounds, **limits)
            elif options.folder:
                self.found = solve_through_files(config, options.folder, options.max_rounds, ray=options.ray, **limits)
            else:
                self.found = solve_all_starts(config, options.max_rounds, **limits)
        self.seconds = time.perf_counter() - began

    def to_json(self) -> dict[str, Any]:
        found = self.found
        return {
            "board": self.board.name,
            "preset": self.config.preset,
            "rules": dict(self.options.settings),
            "n_detectives": self.config.n_detectives,
            "states": found.states,
            "survivors_by_round": list(found.survivors_by_round),
            "rounds_to_capture_all": found.rounds_to_capture_all,
            "longest": None if found.longest is None else self._start_json(found.longest),
            "fixpoint": found.fixpoint,
            "seconds": round(self.seconds, 3),
            "peak_rss_mb": round(peak_rss_mb(), 1),
        }

    def _start_json(self, start: Start) -> dict[str, Any]:
        mrx, *detectives = self.names((start.quarry, *start.pursuers))
        return {"mrx": mrx, "detectives": detectives, "rounds": start.rounds}

    def show(self, screen: Console) -> None:
        found, config, table = self.found, self.config, self.options.table
        k = f"{config.n_detectives} detective{'s' if config.n_detectives > 1 else ''}"
        rules = " ".join(
            [
                config.preset,
                *(
                    f"{key}={value if isinstance(value, str) else json.dumps(value)}"
                    for key, value in self.options.settings
                ),
            ]
        )
        screen.print(f"Board {self.board.name}, {k}, {rules}: {found.states:,} starts", style="quiet")
        before = found.states
        for number, alive in enumerate(found.survivors_by_round, 1):
            screen.print(f"  round {number:>3}   {alive:>17,} still free   {before - alive:>15,} caught")
            before = alive
        if found.rounds_to_capture_all is not None:
            within = _rounds(found.rounds_to_capture_all)
            screen.print(f"[danger]Mr X is caught from every start[/danger] within {within}.")
        elif found.fixpoint:
            share = 100 * before / found.states
            screen.print(f"[offer]{before:,} starts escape for ever[/offer] ({share:.1f} %).")
        else:
            screen.print(f"Stopped after {_rounds(len(found.survivors_by_round))}; more may be caught later.")
        if found.longest is not None:
            screen.print(f"Longest          {self._longest(found.longest)}")
        screen.print(f"Time             {self.seconds:.2f} s, memory {peak_rss_mb():,.0f} MB at most")
        if table:
            screen.print(f"Table            {table}, {table.stat().st_size / 1e6:,.1f} MB")

    def _longest(self, start: Start) -> str:
        lasts = "for ever" if start.rounds is None else _rounds(start.rounds)
        if not self.found.fixpoint and start.rounds is not None:
            lasts = f"at least {lasts}"
        return f"Mr X {self.board.label(start.quarry)}, detectives {self.board.text(start.pursuers)}: {lasts}"


class ProbeAnswer(SolveAnswer):
    def __init__(self, options: Namespace) -> None:
        self.options = options
        self.table = table = open_table(options.probe)
        self.config, self.board = table.config, table.config.board
        if options.board is not None and _load(options) != self.board:
            raise ManhuntError(f"table {options.probe} is for board {self.board.name}, not for {options.board}")
        k = self.config.n_detectives
        if options.preset is not None:
            table.check_game(make_config(options.preset, self.board, n_detectives=k))
        if len(options.detectives) != k:
            raise ManhuntError(f"{len(options.detectives)} detectives given; table {options.probe} is for {k}")
        state, probe = _start(replace(self.config, max_rounds=None), options), Probe(table)
        self.value = probe.value(state)
        self.moves = probe.action_values(state) if rules.outcome(state) is None else []
        self.turn = "mrx" if rules.to_act(state) is Seat.EVADER else "detectives"

    def to_json(self) -> dict[str, Any]:
        return {
            "board": self.board.name,
            "preset": self.config.preset,
            "mrx": self.options.mrx,
            "detectives": self.options.detectives,
            "to_act": self.turn if self.moves else None,
            "rounds": None if self.value >= FOREVER else self.value,
            "fixpoint": self.table.fixpoint,
            "moves": {format_action(self.config, a): None if v >= FOREVER else v for a, v in self.moves},
        }

    def show(self, screen: Console) -> None:
        screen.print(f"Mr X on {self.options.mrx}, detectives on {' '.join(self.options.detectives)}: ", end="")
        screen.print(f"he survives {self._lasts(self.value)}" if self.moves else "over at once")
        for action, number in self.moves:
            mark = "[offer]best[/offer]" if number == self.value else ""
            screen.print(f"  {format_action(self.config, action):<10} {self._lasts(number):<12} {mark}")

    def _lasts(self, rounds: int) -> str:
        if rounds < FOREVER:
            return _rounds(rounds)
        return "for ever" if self.table.fixpoint else f"at least {self.table.rounds}"


class CopNumberAnswer(SolveAnswer):
    def __init__(self, options: Namespace) -> None:
        self.options, self.board = options, _load(options)
        self.preset, self.limit = options.preset or "cops-and-robbers", options.limit or DEFAULT_LIMIT
        if self.preset != "cops-and-robbers":
            asked = f"--cop-number and --preset {self.preset}"
            raise ManhuntError(f"{asked} contradict each other; leave --preset out")
        began = time.perf_counter()
        with _bar("trying", self.limit) as done:
            self.found = find_cop_number(
                self.board, self.limit, max_memory=options.max_memory, on_try=lambda k: done(k - 1, f"{k} detectives")
            )
        self.seconds = time.perf_counter() - began

    def to_json(self) -> dict[str, Any]:
        return {
            "board": self.board.name,
            "preset": self.preset,
            "cop_number": self.found.cop_number,
            "capture_time": self.found.capture_time,
            "placement": None if self.found.placement is None else self.names(self.found.placement),
            "limit": self.limit,
            "seconds": round(self.seconds, 3),
        }

    def show(self, screen: Console) -> None:
        found = self.found
        if found.cop_number is None or found.placement is None:
            screen.print(f"Board {self.board.name}: [offer]more than {self.limit}[/offer] detectives are needed.")
            return
        screen.print(f"Board {self.board.name}: cop number [danger]{found.cop_number}[/danger]")
        screen.print(f"Best placement   {self.board.text(found.placement)}")
        moves = "move" if found.capture_time == 1 else "moves"
        screen.print(f"Capture time     {found.capture_time} {moves} of the detectives")


def _load(options: Namespace) -> Board:
    return load_board(options.board or DEFAULT_BOARD)


def _start(config: PursuitConfig, options: Namespace) -> PursuitState:
    return PursuitGame().start(config, make_setup(config, options.mrx, options.detectives))


def _check_writable(path: Path | None) -> None:
    """Before the work, not after it."""
    if path is not None:
        check_writable(path)


@contextmanager
def _bar(text: str, total: float) -> Iterator[Any]:
    """A callable that moves the bar: done(so far, note)."""
    with progress_bar() as bar:
        task = bar.add_task(text, total=total, note="")
        yield lambda done, note: bar.update(task, completed=done, note=note)


def _rounds(number: int) -> str:
    return f"{number} round" if number == 1 else f"{number} rounds"
