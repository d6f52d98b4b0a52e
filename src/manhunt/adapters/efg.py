"""Small games as Gambit's extensive-form text (.efg), which Gambit, OpenSpiel and others read."""

from manhunt.solvers.equilibrium.efg import export_efg
from manhunt.solvers.equilibrium.tree import build_tree

__all__ = ["build_tree", "export_efg"]
