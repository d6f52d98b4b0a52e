"""The games of `manhunt demo`: played at once, then shown ply by ply from the events of one seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from manhunt.cli.terminal.contract import AnyScreen, make_screen
from manhunt.cli.terminal.plain import event_rounds, told
from manhunt.cli.terminal.scotland_yard import ScotlandYardScreen
from manhunt.cli.terminal.shortest_path import ShortestPathScreen
from manhunt.ids import Seat

if TYPE_CHECKING:
    from rich.text import Text

    from manhunt.games.scotland_yard.views import View as YardView
    from manhunt.play.onlooker import Onlooker

CONTEST = (40, 80, 6, 3)
"""Nodes, edges, separation and cut of the graph that is crossed."""
BOUNDS_SECONDS = 0.5
MOST_LIKELY = 5
BAR = 14


@dataclass(frozen=True, slots=True)
class Act:
    """One game of the tour: who plays, from which seat it is seen, and how long it may take on the screen."""

    game: str
    title: str
    about: str
    agents: Mapping[Seat, str]
    seat: Seat
    seconds: float
    options: Mapping[str, Any] = field(default_factory=dict)


ACTS = (
    Act(
        "scotland_yard",
        "Scotland Yard on London",
        "Mr X shows himself in rounds 3, 8, 13, 18 and 24. In between his tickets are all there is: a ? marks "
        "where he can be.",
        {Seat.EVADER: "greedy", Seat.PURSUERS: "greedy"},
        Seat.SPECTATOR,
        22.0,
    ),
    Act(
        "fugitive",
        "Fugitive, seen by the Marshal",
        "He hides cards in a rising row, she guesses. The shades are exact: every deal and draw that fits is counted.",
        {Seat.EVADER: "continuation", Seat.PURSUERS: "bir-2u"},
        Seat.PURSUERS,
        14.0,
    ),
    Act(
        "shortest_path",
        "A crossing: Adversarial Shortest Path",
        "The traveller wants the cheapest way, the adversary raises an edge after every step.",
        {Seat.EVADER: "dijkstra", Seat.PURSUERS: "greedy"},
        Seat.SPECTATOR,
        10.0,
    ),
)


class Staged:
    """A game of the tour that has been played; `screens` shows it again."""

    def __init__(self, act: Act, game: Onlooker, bounds: Any = None) -> None:
        self.act, self.game, self._bounds = act, game, bounds
        self.lines: list[tuple[object, str]] = []
        """Round and words of everything the seat was told."""
        self.beliefs: list[Mapping[str, Any]] = []
        """Scotland Yard: what was known after each round."""
        for screen, i in self.screens():
            self._note(screen, i)

    def screens(self) -> Iterator[tuple[AnyScreen, int]]:
        """The screen as it stands at the opening and after each ply, with the ply's number."""
        screen: AnyScreen = YardWithBelief() if self.act.game == "scotland_yard" else make_screen(self.act.game)
        opening: Any = self.game.views[0]
        screen.open(opening)
        if isinstance(screen, ShortestPathScreen) and self._bounds is not None:
            screen.certify(self._bounds, opening.config.board)
        yield screen, 0
        for i, events in enumerate(self.game.events[1:], 1):
            screen.hear(events)
            yield screen, i

    def recent(self, i: int) -> list[str]:
        """What was told up to ply `i`, for the screen."""
        screen = make_screen(self.act.game)
        return [line for events in self.game.events[: i + 1] for line in told(screen, events)]

    def ending(self) -> str:
        ending = make_screen(self.act.game).ending(self.game.view)
        return f"{ending[0].upper()}{ending[1:]}."

    def remark(self) -> str | None:
        """One more sentence when the game is over."""
        if self._bounds is not None:
            from manhunt.solvers.shortest_path.verdict import verdict

            outcome = self.game.outcome
            said = verdict(self._bounds, outcome.cost if outcome else None)
            return f"{said[0].upper()}{said[1:]}."
        if self.beliefs:
            sure = [b for b in self.beliefs if b["candidates"] <= 3]
            return f"Public information alone left at most 3 stations after {len(sure)} of {len(self.beliefs)} rounds."
        return None

    def round_lines(self) -> list[str]:
        """One line a round."""
        words: dict[object, list[str]] = {}
        for number, line in self.lines:
            words.setdefault(number, []).append(line)
        known = {belief["round"]: belief for belief in self.beliefs}
        out = []
        for number, lines in words.items():
            after = known.get(number)
            more = "" if after is None else f" | {belief_text(after)}"
            out.append(f"round {number}: {'; '.join(lines)}{more}" if number else "; ".join(lines))
        return out

    def to_json(self) -> dict[str, Any]:
        referee, outcome = self.game.referee, self.game.outcome
        assert outcome is not None
        facts = {
            "game": self.act.game,
            "seats": {seat.value: spec for seat, spec in self.act.agents.items()},
            "winner": outcome.winner.value,
            "termination": outcome.termination.value,
            "rounds": getattr(self.game.view, "round", None),
            "plies": len(referee.actions),
        }
        if outcome.cost is not None:
            facts["cost"] = outcome.cost
        return facts | ({"belief": self.beliefs} if self.beliefs else {})

    def _note(self, screen: AnyScreen, i: int) -> None:
        events, view = self.game.events[i], self.game.views[i]
        numbers = event_rounds(events, getattr(view, "round", "")) if i else iter([0] * len(events))
        for event, number in zip(events, numbers, strict=True):
            self.lines += [(number, line) for line in told(screen, (event,))]
        if isinstance(screen, YardWithBelief) and i and self._ends_round(i):
            self.beliefs.append(screen.known(view))

    def _ends_round(self, i: int) -> bool:
        views: Any = self.game.views
        return views[i].outcome is None and views[i].to_act is Seat.EVADER


def belief_text(known: Mapping[str, Any]) -> str:
    """`he can be on 12 stations, likeliest 46 (31 %)`."""
    n = known["candidates"]
    if n == 1:
        return f"he is on {known['likeliest']}"
    return f"he can be on {n} stations, likeliest {known['likeliest']} ({100 * known['chance']:.0f} %)"


class YardWithBelief(ScotlandYardScreen):
    """Scotland Yard with the likeliest stations beside the map."""

    def open(self, view: YardView) -> None:
        from manhunt.beliefs.weighted import WeightedBelief

        super().open(view)
        self._belief = WeightedBelief()
        self._belief.start(view)

    def hear(self, events: Sequence[Mapping[str, Any]]) -> None:
        super().hear(events)
        self._belief.observe(events)

    def notes(self, view: YardView) -> list[Text]:
        from rich.text import Text

        lines = super().notes(view)
        if view.outcome is not None:
            return lines
        likely = self._likely()[:MOST_LIKELY]
        most = likely[0][1]
        for node, chance in likely:
            line = Text().append(f" {view.config.board.label(node):>4} ", "bold")
            line.append("\u2588" * max(1, round(BAR * chance / most)), "belief")
            lines.append(line.append(f" {100 * chance:.0f} %", "quiet"))
        return lines

    def known(self, view: Any) -> dict[str, Any]:
        """What follows from public information now."""
        likely = self._likely()
        label = view.config.board.label(likely[0][0])
        chance = round(likely[0][1], 6)
        return {"round": view.round, "candidates": len(likely), "likeliest": label, "chance": chance}

    def _likely(self) -> list[tuple[Any, float]]:
        return sorted(self._belief.probabilities.items(), key=lambda item: (-item[1], item[0]))


def stage(act: Act, seed: int) -> Staged:
    """Play one game of the tour; the same seed gives the same game."""
    from manhunt.agents.registry import make_agent
    from manhunt.games.registry import make_game
    from manhunt.play.onlooker import Onlooker
    from manhunt.play.referee import Referee

    game = make_game(act.game)
    agents = {seat: make_agent(spec, act.game, seat) for seat, spec in act.agents.items()}
    referee = Referee(game, _config(act, seed), agents, seed=seed, names=act.agents)
    onlooker = Onlooker(referee, act.seat)
    bounds = None
    if act.game == "shortest_path":
        from manhunt.solvers.shortest_path.bounds import find_bounds

        bounds = find_bounds(referee.state, BOUNDS_SECONDS)
    onlooker.finish()
    return Staged(act, onlooker, bounds)


def _config(act: Act, seed: int) -> Any:
    from manhunt.games.registry import make_game

    if act.game != "shortest_path":
        return make_game(act.game).make_config(**act.options)
    from manhunt.boards.contest import make_contest
    from manhunt.games.shortest_path.config import make_config

    return make_config(None, make_contest(*CONTEST, seed).board, **act.options)
