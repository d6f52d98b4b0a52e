"""Both bounds on the value of a position together: found, written down, read, and checked again by anybody.

What finds and checks them is compiled and imported when it is needed: reading bounds is cheap.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from functools import cache
from typing import Any

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.core import thinking_time
from manhunt.core.errors import BadText, ManhuntError, in_words
from manhunt.core.ids import Node
from manhunt.games.shortest_path.rules.config import make_config
from manhunt.games.shortest_path.rules.costs import edge_index
from manhunt.games.shortest_path.rules.rules import start
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.certificate import LowerCertificate, UpperCertificate

TOLERANCE = 1e-9
"""Values that differ by less than this part of themselves are equal: sums taken in another order."""
FIRST, UPPER, EXACT = 0.04, 0.4, 0.2
"""Shares of the time: a first look from both sides, the upper bound, its value; the rest improves the lower one."""
FIRST_SECONDS = 0.02
"""Of the first look, which is twice as long each time, as long as both sides do not meet."""
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
    """`20.1 to 22`, or `21.5 exactly`, or `9.73` where two digits are not all of it."""
    if are_equal(lower, upper):
        short = round(upper, 2)
        return f"{short:.10g} exactly" if are_equal(short, upper) else f"{short:.2f}"
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
        began = thinking_time.now()
        _search(state, COMPILED_SECONDS)
        if thinking_time.now() - began < 2 * COMPILED_SECONDS:
            return


def find_bounds(state: ShortestPathState, seconds: float) -> Bounds:
    """The best bounds found within this time; the search ends early if they meet. Time for compiling does not count.

    Examples:
        >>> from manhunt import make_game
        >>> game = make_game("shortest_path")
        >>> config = game.make_config(board="ring:6", source="1", target="4")
        >>> bounds = find_bounds(game.start(config, {}), seconds=1.0)
        >>> bounds.lower.value <= bounds.upper.value
        True
    """
    compile_searches()
    return _search(state, seconds)


def _search(state: ShortestPathState, seconds: float) -> Bounds:
    from manhunt.games.shortest_path.solvers.confined import MOST_EDGES, find_confined
    from manhunt.games.shortest_path.solvers.lower import find_lower
    from manhunt.games.shortest_path.solvers.upper import find_upper

    improve_lower = find_confined if len(state.config.board.edges) <= MOST_EDGES else find_lower
    end = thinking_time.now() + seconds
    slice_seconds = min(FIRST_SECONDS, FIRST * seconds)
    bounds = _first_look(state, slice_seconds)
    while not bounds.solved and 2 * slice_seconds <= FIRST * seconds:
        slice_seconds *= 2
        bounds = tighter(bounds, _first_look(state, slice_seconds, bounds))
    if not bounds.solved:
        found = find_upper(state, UPPER * seconds, bounds.lower.value)
        upper = min(found, bounds.upper, key=lambda certificate: certificate.value)
        bounds = _exact(state, Bounds(bounds.lower, upper), EXACT * seconds)
    if not bounds.solved and (left := end - thinking_time.now()) > LEAST_SECONDS:
        lower = improve_lower(state, left, bounds.upper.value)
        bounds = tighter(bounds, replace(bounds, lower=lower))
    if not bounds.solved and (left := end - thinking_time.now()) > LEAST_SECONDS:
        upper = find_upper(state, left, bounds.lower.value)
        bounds = tighter(bounds, _exact(state, Bounds(bounds.lower, upper), EXACT * seconds))
    return replace(bounds, is_tight=True) if bounds.solved else bounds


def _first_look(state: ShortestPathState, seconds: float, known: Bounds | None = None) -> Bounds:
    """Both sides for a short time each, up to where the other is."""
    from manhunt.games.shortest_path.solvers.lower import find_lower
    from manhunt.games.shortest_path.solvers.upper import find_upper

    upper = find_upper(state, seconds, 0.0 if known is None else known.lower.value)
    best = upper.value if known is None else min(upper.value, known.upper.value)
    lower = find_lower(state, seconds, best)
    return Bounds(lower, upper, is_tight=False)


def _exact(state: ShortestPathState, bounds: Bounds, seconds: float) -> Bounds:
    """The upper bound with the exact value of its arcs, as far as the time allows."""
    from manhunt.games.shortest_path.solvers.upper import upper_value
    from manhunt.solvers.memory import TooLarge

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


def carry_bounds(state: ShortestPathState, bounds: Bounds, seconds: float) -> Bounds | None:
    """What the certificates of an earlier position are worth in this one.

    None where the traveller left his arcs, or where their value is not found in this time.
    """
    from manhunt.games.shortest_path.solvers.upper import upper_value
    from manhunt.solvers.memory import TooLarge

    if not any(a == state.quarry for a, _ in bounds.upper.arcs):
        return None
    lower, upper = bounds.lower, bounds.upper
    try:
        above = upper_value(state, upper.arcs, seconds)
    except TooLarge:
        return None
    if not math.isfinite(above):
        return None
    return Bounds(replace(lower, value=lower_now(state, lower, seconds)), UpperCertificate(above, upper.arcs))


def lower_now(state: ShortestPathState, certificate: LowerCertificate, seconds: float) -> float:
    """What the adversary of an earlier position's certificate forces in this one."""
    from manhunt.games.shortest_path.solvers.confined import confined_bound
    from manhunt.games.shortest_path.solvers.lower import lower_value

    if certificate.horizon is None:
        return confined_bound(state, certificate.edges, seconds)
    return lower_value(state, certificate.edges, certificate.horizon)


def check_bounds(state: ShortestPathState, bounds: Bounds) -> None:
    """Compute both values again from the certificates alone; an error says which one is wrong, and by how much."""
    from manhunt.games.shortest_path.solvers.upper import holds, upper_value

    _check_lower(state, bounds.lower)
    if bounds.is_tight or not holds(state, bounds.upper):
        _compare("upper", bounds.upper.value, upper_value(state, bounds.upper.arcs), "the traveller's arcs")
    if bounds.lower.value > bounds.upper.value and not bounds.solved:
        raise ManhuntError(
            f"the lower bound {bounds.lower.value!r} is above the upper bound {bounds.upper.value!r}; "
            "no position has such a value"
        )


def _check_lower(state: ShortestPathState, lower: LowerCertificate) -> None:
    from manhunt.games.shortest_path.solvers.confined import confined_holds, confined_value
    from manhunt.games.shortest_path.solvers.lower import MOST_TALLIES, lower_value

    if lower.horizon is None:
        if not confined_holds(state, lower):
            _compare("lower", lower.value, confined_value(state, lower.edges), "the adversary's edges")
        return
    if math.comb(len(lower.edges) + lower.horizon, lower.horizon) > MOST_TALLIES:
        size = f"{len(lower.edges)} edges and a horizon of {lower.horizon}"
        raise ManhuntError(f"the lower bound cannot be checked: {size} are too many")
    _compare("lower", lower.value, lower_value(state, lower.edges, lower.horizon), "the adversary's edges")


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
        if horizon is not None and (type(horizon) is not int or horizon < 0):
            raise ValueError(f"the horizon must be a whole number of 0 or more, or null, not {horizon!r}")
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
