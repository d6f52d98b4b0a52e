"""What a seat can find out beyond its view: belief, hint, danger, why; made by the module of its game.

Each module has `MAKERS`, by name of the insight. A `SeatLog` is all that they get, so nobody learns more than his seat
may know. The answers are JSON with labels; they may take seconds, so they belong into a worker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from manhunt.errors import BadText, ManhuntError, unknown

if TYPE_CHECKING:
    from manhunt.server.seats import SeatLog

    Maker = Callable[[SeatLog, Mapping[str, str]], dict[str, Any]]

_HOME = {
    "fugitive": "manhunt.server.insights.fugitive",
    "pursuit": "manhunt.server.insights.pursuit",
    "scotland_yard": "manhunt.server.insights.scotland_yard",
    "shortest_path": "manhunt.server.insights.shortest_path",
}


class UnknownInsight(ManhuntError):
    """No insight of this name in the game; for a REST route this is 404, every other ManhuntError is 400."""


def insight_of(what: str, log: SeatLog, params: Mapping[str, str]) -> dict[str, Any]:
    """The answer's own keys; who asked adds `v` and `what`."""
    if log.game not in _HOME:
        raise ManhuntError(unknown("insights of the game", log.game, _HOME))
    makers: Mapping[str, Maker] = import_module(_HOME[log.game]).MAKERS
    if what not in makers:
        raise UnknownInsight(unknown("insight", what, makers))
    return makers[what](log, params)


def take_number(params: Mapping[str, str], name: str, usual: float, least: float, most: float) -> float:
    """A number among the parameters, kept to what a page may ask for."""
    text = params.get(name)
    if text is None:
        return usual
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        raise BadText(f"{name}={text}: expected a number from {least:g} to {most:g}")
    return value
