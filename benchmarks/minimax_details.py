"""What games do not show about the search of `minimax`: confidence, the table between turns, the order of replies.

    python benchmarks/minimax_details.py --games 40

Looks at the detectives' turns of some games. Prints in Markdown:

- for both meanings of confidence, how well it tells whether a search with ten times the budget chooses the same plan
  (the chance that a turn where it does has the higher confidence of two; 0.5 is a guess), and by thirds of confidence
  how often it does and what is lost if it does not;
- the positions looked at when every turn is searched to its whole horizon, with the table emptied and kept between
  turns, and with replies ordered by chance and by escape potential.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import inf

import numpy as np

from manhunt.agents.registry import make_agent
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.agents.minimax import lead, position_of
from manhunt.games.scotland_yard.agents.minimax_search.config import CHOICES, MinimaxSettings
from manhunt.games.scotland_yard.agents.minimax_search.deepening import SearchBudget
from manhunt.games.scotland_yard.agents.minimax_search.search import PlanSearch, Position
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.play.referee import Notice, Referee

GAME = make_game("scotland_yard")
CONFIG = GAME.make_config("standard")
OPPONENT = "scotfish-lookahead"


class KeptTable(PlanSearch):
    """Keeps its table from turn to turn."""

    def begin(self, budget: SearchBudget) -> None:
        table = dict(self.table)
        super().begin(budget)
        self.table.update(table)


def turns_of(seed: int) -> Iterator[Position]:
    """The detectives' turns of one game, as their search sees them."""
    agents = {Seat.EVADER: make_agent(OPPONENT, GAME.name), Seat.PURSUERS: make_agent("minimax", GAME.name)}
    referee = Referee(GAME, CONFIG, agents, seed=seed)
    belief = WeightedBelief(MinimaxSettings().model)
    belief.start(referee.view(Seat.PURSUERS))

    def hear(notice: Notice) -> None:
        belief.observe(notice.events)

    referee.register(hear, Seat.PURSUERS)
    while not referee.over:
        view = referee.view(Seat.PURSUERS)
        if referee.to_act is Seat.PURSUERS and len(view.waiting) == len(view.detectives):
            yield position_of(view, belief)
        referee.step()


def confidence_rows(games: Sequence[Sequence[Position]], iterations: int) -> list[str]:
    sure: dict[str, list[float]] = {name: [] for name in CHOICES["certainty"]}
    same, lost = [], []
    search = PlanSearch(CONFIG, MinimaxSettings())
    for position in (position for game in games for position in game):
        quick = search.run(position, SearchBudget(iterations, inf))
        deep = search.run(position, SearchBudget(10 * iterations, inf))
        if len(quick.order) < 2 or quick.order[0] not in deep.order:
            continue
        for name, found in sure.items():
            found.append(lead([quick.values[i] for i in quick.order], name))
        same.append(deep.order[0] == quick.order[0])
        lost.append(deep.values[deep.order[0]] - deep.values[quick.order[0]])
    is_same, losses = np.array(same), np.array(lost)
    lines = ["| confidence | tells | lowest third | middle | highest |", "|---|---|---|---|---|"]
    for name, found in sure.items():
        thirds = np.array_split(np.argsort(found, kind="stable"), 3)
        cells = [
            f"{100 * is_same[t].mean():.0f} % same, {losses[t].mean():.4f} lost ({min(np.array(found)[t]):.3f} to "
            f"{max(np.array(found)[t]):.3f})"
            for t in thirds
        ]
        lines.append(f"| {name} | {chance_higher(np.array(found), is_same):.3f} | {' | '.join(cells)} |")
    return [*lines, f"{len(same)} turns, {100 * is_same.mean():.0f} % the same plan"]


def chance_higher(values: np.ndarray, is_same: np.ndarray) -> float:
    """That of two turns, one of each kind, the one with the same plan has the higher value; half for equal ones."""
    ours, others = values[is_same][:, None], values[~is_same][None, :]
    return float((ours > others).mean() + 0.5 * (ours == others).mean())


def positions_rows(games: Sequence[Sequence[Position]]) -> list[str]:
    lines = ["| adversity | search | positions a turn | table hits | cut-offs |", "|---|---|---|---|---|"]
    for adversity in (MinimaxSettings().adversity, 1.0):
        for name, kind, ordering in (
            ("default", PlanSearch, "chance"),
            ("table kept", KeptTable, "chance"),
            ("replies by escape potential", PlanSearch, "escape"),
        ):
            totals, n = np.zeros(3), 0
            for game in games:
                search = kind(CONFIG, MinimaxSettings(adversity=adversity, ordering=ordering))
                for position in game:
                    found = search.run(position, SearchBudget(1 << 60, inf)).counters
                    totals += [found[key] for key in ("iterations", "table_hits", "cutoffs")]
                    n += 1
            lines.append(f"| {adversity:g} | {name} | {' | '.join(f'{x:.2f}' for x in totals / n)} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--iterations", type=int, default=MinimaxSettings().iterations)
    parser.add_argument("--seed", type=int, default=7000)
    options = parser.parse_args()
    games = [list(turns_of(options.seed + i)) for i in range(options.games)]
    print("\n".join(positions_rows(games)), flush=True)
    print("\n".join(confidence_rows(games, options.iterations)))


if __name__ == "__main__":
    main()
