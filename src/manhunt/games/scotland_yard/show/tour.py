"""Scotland Yard in `manhunt demo`: a hunt with the belief beside the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from manhunt.cli.terminal.tour import GameAct
from manhunt.core.ids import Seat
from manhunt.games.scotland_yard.show.terminal import ScotlandYardScreen

if TYPE_CHECKING:
    from rich.text import Text

    from manhunt.cli.terminal.contract import AnyScreen
    from manhunt.games.scotland_yard.rules.views import ScotlandYardView

NEXT = (
    ("manhunt play scotland_yard --as mrx", "be the hunted, here in the terminal"),
    ("manhunt arena scotland_yard --agent-mrx greedy --agent-detectives greedy minimax --games 20", "measure agents"),
)
MOST_LIKELY = 5
BAR = 14
FEW = 3


def act(seed: int) -> GameAct:
    return LondonHuntAct(seed)


class LondonHuntAct(GameAct):
    game = "scotland_yard"
    title = "Scotland Yard on London"
    about = (
        "Mr X shows himself in rounds 3, 8, 13, 18 and 24. In between his tickets are all there is: a ? marks "
        "where he can be."
    )
    agents = {Seat.EVADER: "greedy", Seat.PURSUERS: "greedy"}  # noqa: RUF012
    seconds = 22.0

    def __init__(self, seed: int) -> None:
        self.beliefs: list[Mapping[str, Any]] = []
        """What was known after each round."""
        super().__init__(seed)

    def screen(self) -> AnyScreen:
        return YardWithBelief()

    def note(self, screen: AnyScreen, i: int) -> None:
        super().note(screen, i)
        view: Any = self.views[i]
        if isinstance(screen, YardWithBelief) and i and view.to_act is Seat.EVADER:
            self.beliefs.append(screen.known(view))

    def round_note(self, number: object) -> str | None:
        return next((belief_text(known) for known in self.beliefs if known["round"] == number), None)

    def remark(self) -> str:
        sure = [known for known in self.beliefs if known["candidates"] <= FEW]
        return f"Public information alone left at most {FEW} stations after {len(sure)} of {len(self.beliefs)} rounds."

    def facts(self) -> dict[str, Any]:
        return {"belief": self.beliefs}


class YardWithBelief(ScotlandYardScreen):
    """Scotland Yard with the likeliest stations beside the map."""

    def open(self, view: ScotlandYardView) -> None:
        from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief

        super().open(view)
        self._belief = WeightedBelief()
        self._belief.start(view)

    def hear(self, events: Sequence[Mapping[str, Any]]) -> None:
        super().hear(events)
        self._belief.observe(events)

    def notes(self, view: ScotlandYardView) -> list[Text]:
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

    def known(self, view: ScotlandYardView) -> dict[str, Any]:
        """What follows from public information now."""
        likely = self._likely()
        label = view.config.board.label(likely[0][0])
        chance = round(likely[0][1], 6)
        return {"round": view.round, "candidates": len(likely), "likeliest": label, "chance": chance}

    def _likely(self) -> list[tuple[Any, float]]:
        return sorted(self._belief.probabilities.items(), key=lambda item: (-item[1], item[0]))


def belief_text(known: Mapping[str, Any]) -> str:
    """`he can be on 12 stations, likeliest 46 (31 %)`."""
    n = known["candidates"]
    if n == 1:
        return f"he is on {known['likeliest']}"
    return f"he can be on {n} stations, likeliest {known['likeliest']} ({100 * known['chance']:.0f} %)"
