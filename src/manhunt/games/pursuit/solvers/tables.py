"""Table files of Pursuit: for every start of a game the rounds its quarry survives under best play."""

import tempfile
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from manhunt.core.errors import BadConfig
from manhunt.games.pursuit.rules.config import PursuitConfig, PursuitOrder, config_from_json, config_to_json
from manhunt.games.pursuit.solvers.all_starts import build_hunt, check_all_starts, check_solvable
from manhunt.solvers import tables
from manhunt.solvers.retrograde import AllStarts, Progress
from manhunt.solvers.tables import FOREVER as FOREVER
from manhunt.solvers.tables import BadTable, Header, RoundsTable, Shape, solve_to_file


def rules_of(config: PursuitConfig) -> dict[str, Any]:
    """The switches that matter to a table. Who shares nodes may as well move in any order."""
    return {
        "first": config.first.value,
        "quarry_may_stay": config.quarry_may_stay,
        "detectives_may_stay": config.detectives_may_stay,
        "may_share": config.may_share,
        "order": PursuitOrder.IN_ORDER.value if config.may_share or config.n_detectives == 1 else config.order.value,
        "reach_hops": config.reach_hops,
        "n_detectives": config.n_detectives,
    }


def table_bytes(config: PursuitConfig) -> int:
    """The size of a table's numbers as long as each takes a byte."""
    return tables.table_bytes(config.board.n_nodes, config.n_detectives)


def can_solve(config: PursuitConfig, most_bytes: int) -> bool:
    """Whether a table tells all about the game, and takes no more bytes than that."""
    try:
        check_solvable(config)
    except BadConfig:
        return False
    return table_bytes(config) <= most_bytes


class PursuitTable(RoundsTable):
    """A table file of Pursuit, open for reading."""

    config: PursuitConfig

    def __init__(self, path: Path) -> None:
        super().__init__(path, self._shape_of)

    def _shape_of(self, header: Header) -> Shape:
        self.config = config_from_json(header["config"])
        return Shape(self.config.board.n_nodes, self.config.n_detectives, self.config.may_share)

    def check_game(self, config: PursuitConfig) -> None:
        """Refuse a game on another board or with other rules."""
        if config.board != self.config.board:
            raise BadTable(f"table {self.path} is for board {self.config.board.name}, not for {config.board.name}")
        mine, theirs = rules_of(self.config), rules_of(config)
        for key, value in mine.items():
            if theirs[key] != value:
                raise BadTable(f"table {self.path} is for other rules: {key} is {value} there, {theirs[key]} here")


def open_table(path: Path) -> PursuitTable:
    """Open a table; a file that contradicts itself is refused."""
    return PursuitTable(path)


def solve_table(config: PursuitConfig) -> PursuitTable:
    """Solve all starts and open the table for use in this process; its file is temporary."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "starts.table"
        solve_to_table(config, path)
        return open_table(path)


def solved_table(config: PursuitConfig) -> PursuitTable:
    """`solve_table`, kept in this process; a table does not depend on how many rounds are played."""
    return _kept_table(replace(config, max_rounds=None))


@lru_cache(maxsize=4)
def _kept_table(config: PursuitConfig) -> PursuitTable:
    return solve_table(config)


def solve_to_table(
    config: PursuitConfig,
    path: Path,
    max_rounds: int | None = None,
    *,
    max_memory: int | None = None,
    on_round: Progress | None = None,
) -> AllStarts:
    """Solve all starts and write their table; an interrupted run leaves no incomplete file."""
    check_all_starts(config, max_memory, for_table=True)
    header = {"config": config_to_json(replace(config, max_rounds=None)), "rules": rules_of(config)}
    return solve_to_file(build_hunt(config), path, header, max_rounds, max_memory=max_memory, on_round=on_round)
