"""Exact solutions: hunts with open positions on any board, and small games with hidden information."""

from typing import TYPE_CHECKING

from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.solvers.equilibrium.cfr import Equilibrium, solve_by_cfr
    from manhunt.solvers.equilibrium.efg import export_efg
    from manhunt.solvers.equilibrium.game import BilinearGame
    from manhunt.solvers.equilibrium.sequence_form import solve_exactly
    from manhunt.solvers.equilibrium.tree import HistoryTree, Infoset, build_tree
    from manhunt.solvers.hunt import Hunt, make_hunt
    from manhunt.solvers.layers import PolicyEntry, SolvedStart, solve_start
    from manhunt.solvers.memory import TooLarge
    from manhunt.solvers.retrograde import AllStarts, Start, solve_hunt
    from manhunt.solvers.sharded_sweep import ShardDone, solve_in_shards
    from manhunt.solvers.tables import FOREVER, BadTable, RoundsTable, solve_to_file

_HOME = {
    "FOREVER": "manhunt.solvers.tables",
    "AllStarts": "manhunt.solvers.retrograde",
    "BadTable": "manhunt.solvers.tables",
    "BilinearGame": "manhunt.solvers.equilibrium.game",
    "Equilibrium": "manhunt.solvers.equilibrium.cfr",
    "HistoryTree": "manhunt.solvers.equilibrium.tree",
    "Hunt": "manhunt.solvers.hunt",
    "Infoset": "manhunt.solvers.equilibrium.tree",
    "PolicyEntry": "manhunt.solvers.layers",
    "RoundsTable": "manhunt.solvers.tables",
    "ShardDone": "manhunt.solvers.sharded_sweep",
    "SolvedStart": "manhunt.solvers.layers",
    "Start": "manhunt.solvers.retrograde",
    "TooLarge": "manhunt.solvers.memory",
    "build_tree": "manhunt.solvers.equilibrium.tree",
    "export_efg": "manhunt.solvers.equilibrium.efg",
    "make_hunt": "manhunt.solvers.hunt",
    "solve_by_cfr": "manhunt.solvers.equilibrium.cfr",
    "solve_exactly": "manhunt.solvers.equilibrium.sequence_form",
    "solve_hunt": "manhunt.solvers.retrograde",
    "solve_in_shards": "manhunt.solvers.sharded_sweep",
    "solve_start": "manhunt.solvers.layers",
    "solve_to_file": "manhunt.solvers.tables",
}
__all__ = [
    "FOREVER", "AllStarts", "BadTable", "BilinearGame", "Equilibrium", "HistoryTree", "Hunt", "Infoset", "PolicyEntry",
    "RoundsTable", "ShardDone", "SolvedStart", "Start", "TooLarge", "build_tree", "export_efg", "make_hunt",
    "solve_by_cfr", "solve_exactly", "solve_hunt", "solve_in_shards", "solve_start", "solve_to_file",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
