"""What a seat can find out beyond its view (belief, hint, ...), made by the module of its game.

Each module has `MAKERS`, by name of the insight; `board_insights` has those of every game on a board. A `SeatLog` is
all that they get, so nobody learns more than their seat may know. The answers are JSON with labels; they may take
seconds, so they belong into a worker. A maker that reads parameters names them with `takes`; any other is refused, so
that the same question is always asked in the same words and answered once.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from random import Random
from typing import Any

from manhunt.agents.registry import make_agent
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.agent import Advice, Limit
from manhunt.core.errors import BadText, ManhuntError, unknown
from manhunt.core.registry import kit_of

Maker = Callable[..., dict[str, Any]]
"""Gets a seat's log and the parameters; one with `needs` gets the level of help besides."""


class Help(Enum):
    """What players may ask for while their game runs."""

    NONE = "none"
    CANDIDATES = "candidates"
    """What is possible, without weights or advice."""
    ALL = "all"

    def __ge__(self, other: "Help") -> bool:
        levels = list(Help)
        return levels.index(self) >= levels.index(other)


class TooMuchHelp(ManhuntError):
    """People agreed to play without this; for a REST route this is 403."""


_TAKES: dict[Maker, tuple[str, ...]] = {}


def takes(*names: str) -> Callable[[Maker], Maker]:
    """Decorator of a maker: the parameters that it reads."""

    def mark(maker: Maker) -> Maker:
        _TAKES[maker] = names
        return maker

    return mark


_NEEDS: dict[Maker, Help] = {}


def needs(level: Help) -> Callable[[Maker], Maker]:
    """Decorator of a maker that answers with less than all help, in its argument `level`; others need all."""

    def mark(maker: Maker) -> Maker:
        _NEEDS[maker] = level
        return maker

    return mark


class UnknownInsight(ManhuntError):
    """No insight of this name in the game; for a REST route this is 404, every other ManhuntError is 400."""


def insights_of(game: str) -> Mapping[str, Maker]:
    """What can be asked about a game, by name: its own insights, and those that the platform provides."""
    from manhunt.analysis.board_insights import makers_of

    kit = kit_of(game)
    own: Mapping[str, Maker] = getattr(kit.part("insights"), "MAKERS", {})
    return {**makers_of(kit), **own}


def insight_of(what: str, log: SeatLog, params: Mapping[str, str], level: Help = Help.ALL) -> dict[str, Any]:
    """The answer to a question, without the keys `v` and `what` that the server adds. TooMuchHelp if the table allows
    less.
    """
    makers = insights_of(log.game)
    if what not in makers:
        raise UnknownInsight(unknown("insight", what, makers))
    maker = makers[what]
    known = _TAKES.get(maker, ())
    for name in params:
        if name not in known:
            wanted = f"it takes {', '.join(known)}" if known else "it takes none"
            raise BadText(f"unknown parameter {name[:40]!r} for {what}: {wanted}")
    least = _NEEDS.get(maker, Help.ALL)
    if not level >= least:
        allowed = "no help" if level is Help.NONE else "help with what is possible, and no advice"
        raise TooMuchHelp(f"this table plays with {allowed}")
    return maker(log, params, level=level) if maker in _NEEDS else maker(log, params)


def ask_adviser(spec: str, log: SeatLog, limit: Limit, rng: Random | None = None) -> Advice:
    """What an agent that hears what the seat was told, and nothing else, would do in its place; always the same
    without a generator."""
    agent = make_agent(spec, log.game, log.seat)
    agent.start(log.opening)
    agent.observe(log.events)
    advice = agent.act(log.view, limit, rng or Random(len(log.events)))
    agent.stop()
    return advice


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


def percent(share: float) -> str:
    """A chance for all pages: `34 %`; never 0 for what is possible nor 100 for what is not certain."""
    if 0 < share < 0.005:
        return "less than 1 %"
    if 0.995 <= share < 1 - 1e-9:
        return "more than 99 %"
    return f"{share:.0%}".replace("%", " %")
