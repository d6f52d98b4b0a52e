"""A short text that tells whether two computers have found the same solution of a game."""

import hashlib

import numpy as np

from manhunt.solvers.equilibrium.cfr import Equilibrium, value_tables
from manhunt.solvers.equilibrium.game import BilinearGame

GRID = 100_000
SHIFT = 0.1234567
"""Values are often simple fractions; shifted ones do not lie where rounding could go either way."""


def checksum(game: BilinearGame, equilibrium: Equilibrium) -> str:
    """Of what every sequence is worth against the other side's solution, to 5 decimals."""
    digest = hashlib.sha256()
    for table in value_tables(game, equilibrium):
        digest.update(np.floor(table * GRID + SHIFT).astype("<i8").tobytes())
    return digest.hexdigest()[:16]
