"""Both bounds on the value of a position together: found, written down, read, and checked again by anybody.

What finds and checks them is compiled and imported when it is needed: reading bounds is cheap.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from functools import cache
from typing import Any

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.errors import BadText, ManhuntError, in_words
from manhunt.games.shortest_path.config import make_config
from manhunt.games.shortest_path.costs import edge_index
from manhunt.games.shortest_path.rules import start
from manhunt.games.shortest_path.state import State
from manhunt.ids import Node
from manhunt.solvers.shortest_path.certificate import LowerCertificate, UpperCertificate

TOLERANCE = 1e-9
"""Values that differ by less than this part of themselves are equal: sums taken in another order."""
FIRST_LOWER, UPPER, EXACT = 0.1, 0.4, 0.2
"""Shares of the time: a first lower bound, the upper one, its exact value; what is left improves the lower one."""
COMPILED_SECONDS, MOST_COMPILATIONS = 0.5, 8
LEAST_SECONDS = 0.05
"""With less it is not worth beginning again."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The value of a position lies between the two, and each can be checked from what its certificate names."""

    lower: LowerCertificate
    upper: UpperCertificate
    is_tight: bool = True
    """The upper value is the exact one on its arcs; if not, the exact one is not known, and may be smaller."""

    @property
    def gap(self) -> float:
        """How far apart they are, as a part of the lower one."""
        return 0.0 if self.solved else (self.upper.value - self.lower.value) / max(self.lower.value, TOLERANCE)

    @property
    def solved(self) -> bool:
        return are_equal(self.lower.value, self.upper.value)

    def __str__(self) -> str:
        return span(self.lower.value, self.upper.value)

    def to_json(self, board: Board) -> dict[str, Any]:
        """With labels, for records and messages."""
        edges = [[board.label(board.edges[edge].a), board.label(board.edges[edge].b)] for edge in self.lower.edges]
        arcs = [[board.label(a), board.label(b)] for a, b in self.upper.arcs]
        return {
            "lower": {"value": self.lower.value, "edges": edges, "horizon": self.lower.horizon},
            "upper": {"value": self.upper.value, "arcs": arcs, **({} if self.is_tight else {"tight": False})},
        }


def span(lower: float, upper: float) -> str:
    """`20.1 to 22`, or `21.5 exactly`."""
    if are_equal(lower, upper):
        return f"{upper:.6g} exactly"
    return f"{rounded_down(lower)} to {rounded_up(upper)}"


def rounded_down(value: float) -> str:
    """A few digits that claim no more than a lower bound does."""
    return _rounded(value, ROUND_FLOOR)


def rounded_up(value: float) -> str:
    return _rounded(value, ROUND_CEILING)


def _rounded(value: float, how: str) -> str:
    """Five digits, rounded that way; noise far behind the point does not count."""
    exact = Context(prec=12).create_decimal_from_float(value)
    return f"{float(Context(prec=5, rounding=how).plus(exact)):.5g}"


def are_equal(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


@cache
def compile_searches() -> None:
    """Make the compiled parts ready on a small game, as often as something new is reached; later calls do nothing."""
    board = build_board("small", [(a, b, None) for a, b in ("ab", "ac", "bd", "cd", "ce", "df", "ef")])
    state = start(make_config(None, board, source="a", target="f"))
    for _ in range(MOST_COMPILATIONS):
        began = time.perf_counter()
        _search(state, COMPILED_SECONDS)
        if time.perf_counter() - began < 2 * COMPILED_SECONDS:
            return


def find_bounds(state: State, seconds: float) -> Bounds:
    """The best bounds that are found in this time; it ends sooner when they meet. Compiling does not count."""
    compile_searches()
    return _search(state, seconds)


def _search(state: State, seconds: float) -> Bounds:
    from manhunt.solvers.shortest_path.lower import find_lower
    from manhunt.solvers.shortest_path.upper import find_upper

    end = time.perf_counter() + seconds
    lower = find_lower(state, FIRST_LOWER * seconds)
    bounds = _exact(state, Bounds(lower, find_upper(state, UPPER * seconds, lower.value)), EXACT * seconds)
    if not bounds.solved and (left := end - time.perf_counter()) > LEAST_SECONDS:
        lower = find_lower(state, left, bounds.upper.value)
        bounds = tighter(bounds, replace(bounds, lower=lower))
    if not bounds.solved and (left := end - time.perf_counter()) > LEAST_SECONDS:
        upper = find_upper(state, left, bounds.lower.value)
        bounds = tighter(bounds, _exact(state, Bounds(bounds.lower, upper), EXACT * seconds))
    return bounds


def _exact(state: State, bounds: Bounds, seconds: float) -> Bounds:
    """The upper bound with the exact value of its arcs, as far as the time allows."""
    from manhunt.solvers.memory import TooLarge
    from manhunt.solvers.shortest_path.upper import upper_value

    if bounds.solved:
        return bounds
    try:
        value = upper_value(state, bounds.upper.arcs, seconds)
    except TooLarge:
        return replace(bounds, is_tight=False)
    return replace(bounds, upper=replace(bounds.upper, value=value))


def tighter(one: Bounds, other: Bounds) -> Bounds:
    """The better lower and the better upper bound of the two; the first on ties."""
    lower = other.lower if other.lower.value > one.lower.value else one.lower
    above = other if other.upper.value < one.upper.value else one
    return Bounds(lower, above.upper, above.is_tight)


def carry_bounds(state: State, bounds: Bounds, seconds: float) -> Bounds | None:
    """What the certificates of an earlier position are worth in this one.

    None where the traveller left his arcs, or where their value is not found in this time.
    """
    from manhunt.solvers.memory import TooLarge
    from manhunt.solvers.shortest_path.lower import lower_value
    from manhunt.solvers.shortest_path.upper import upper_value

    if not any(a == state.quarry for a, _ in bounds.upper.arcs):
        return None
    lower, upper = bounds.lower, bounds.upper
    try:
        above = upper_value(state, upper.arcs, seconds)
    except TooLarge:
        return None
    if not math.isfinite(above):
        return None
    return Bounds(
        LowerCertificate(lower_value(state, lower.edges, lower.horizon), lower.edges, lower.horizon),
        UpperCertificate(above, upper.arcs),
    )


def check_bounds(state: State, bounds: Bounds) -> None:
    """Work both values out again from the certificates alone; an error tells which one is wrong, and by how much."""
    from manhunt.solvers.shortest_path.lower import MOST_TALLIES, lower_value
    from manhunt.solvers.shortest_path.upper import holds, upper_value

    n_tallies = math.comb(len(bounds.lower.edges) + bounds.lower.horizon, bounds.lower.horizon)
    if n_tallies > MOST_TALLIES:
        size = f"{len(bounds.lower.edges)} edges and a horizon of {bounds.lower.horizon}"
        raise ManhuntError(f"the lower bound cannot be checked: {size} are more than anybody can work out")
    lower = lower_value(state, bounds.lower.edges, bounds.lower.horizon)
    _compare("lower", bounds.lower.value, lower, "the adversary's edges")
    if bounds.is_tight or not holds(state, bounds.upper):
        _compare("upper", bounds.upper.value, upper_value(state, bounds.upper.arcs), "the traveller's arcs")
    if bounds.lower.value > bounds.upper.value and not bounds.solved:
        raise ManhuntError(
            f"the lower bound {bounds.lower.value!r} is above the upper bound {bounds.upper.value!r}; "
            "no position has such a value"
        )


def _compare(word: str, claimed: float, found: float, means: str) -> None:
    if not are_equal(claimed, found):
        off = f"{claimed!r} is {abs(claimed - found):.4g} too {'high' if claimed > found else 'low'}"
        raise ManhuntError(f"the {word} bound {off}: {means} give {found!r}")


def bounds_from_json(data: Mapping[str, Any], board: Board, source: str = "bounds") -> Bounds:
    """The inverse of `Bounds.to_json`; BadText says what does not fit."""
    try:
        lower, upper = data["lower"], data["upper"]
        index = edge_index(board)
        edges = tuple(index[_ends(pair, board)] for pair in lower["edges"])
        arcs = tuple(_ends(pair, board) for pair in upper["arcs"])
        for a, b in arcs:
            if (a, b) not in index:
                raise KeyError((a, b))
        horizon = lower["horizon"]
        if type(horizon) is not int or horizon < 0:
            raise ValueError(f"the horizon must be a whole number of 0 or more, not {horizon!r}")
        below = LowerCertificate(_number(lower["value"]), edges, horizon)
        return Bounds(below, UpperCertificate(_number(upper["value"]), arcs), upper.get("tight", True) is not False)
    except KeyError as error:
        if isinstance(error.args[0], tuple):
            pair = "-".join(board.label(node) for node in error.args[0])
            raise BadText(f"{source}: there is no edge {pair} on board {board.name}") from None
        raise BadText(f"{source}: {in_words(error)}") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise BadText(f"{source}: {in_words(error)}") from None


def _ends(pair: Any, board: Board) -> tuple[Node, Node]:
    if not (isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(end, str) for end in pair)):
        raise ValueError(f"an edge is written as two labels, not {pair!r}")
    return board.node(pair[0]), board.node(pair[1])


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise ValueError(f"a value must be a number of 0 or more, not {value!r}")
    return float(value)
