"""How fast Mr X spends his special tickets, and what that costs him, in paired games.

    python benchmarks/scotfish_tickets.py --games 400 --seed 1

Plays every Mr X against every team of detectives on the same deals (London, preset standard) and prints a row for
each pair: how often Mr X wins, how long he lasts, what share of his moves is normal, double and secret where he had
all three to choose from, and the special tickets that he has spent after rounds 4, 8 and 12 (games that last so
long). Then each Mr X is compared with the first one, deal by deal, in wins and rounds. A double move with a secret
ticket is a double one. The agents have fixed budgets, so the games of one seed are the same on every machine.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, field

from manhunt.agents.registry import make_agent
from manhunt.arena.stats import Interval, count_pairs, mean_of, paired_difference, wilson
from manhunt.core.ids import Seat, Side
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.agents.scotfish import CHANCES, by_kind
from manhunt.games.scotland_yard.rules.actions import Piece
from manhunt.games.scotland_yard.rules.config import MRX_TICKETS
from manhunt.play.referee import Referee

MRX = ("scotfish:first=score", "scotfish")
DETECTIVES = ("random", "greedy", "minimax")
ROUNDS = (4, 8, 12)


@dataclass
class Games:
    """What the games of one pair of agents say."""

    winners: list[Side | None] = field(default_factory=list)
    lasted: list[int] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    spent: dict[tuple[str, int], Counter[float]] = field(default_factory=dict)

    def play(self, mrx: str, detectives: str, seed: int) -> None:
        game = make_game("scotland_yard")
        agents = {Seat.EVADER: make_agent(mrx, game.name), Seat.PURSUERS: make_agent(detectives, game.name)}
        referee = Referee(game, game.make_config("standard"), agents, seed=seed)
        awaited = set(ROUNDS)
        while not referee.over:
            before = referee.view(Seat.EVADER)
            action = referee.step()
            if action is None or action.piece is not Piece.MRX:
                continue
            if len(by_kind(before.legal)) == len(CHANCES):
                self.kinds.update(list(by_kind([action])))
            for round_ in [r for r in awaited if r <= referee.state.round]:
                awaited.remove(round_)
                for name in ("double", "secret"):
                    spent = getattr(MRX_TICKETS, name) - getattr(referee.state.tickets[0], name)
                    self.spent.setdefault((name, round_), Counter())[spent] += 1
        assert referee.outcome is not None
        self.winners.append(referee.outcome.winner)
        self.lasted.append(referee.state.round)

    def row(self) -> str:
        won = wilson(self.winners.count(Side.EVADER), len(self.winners))
        rounds = mean_of(Counter(self.lasted))
        assert rounds is not None
        shares = " / ".join(f"{100 * self.kinds[kind] / self.kinds.total():.1f}" for kind in CHANCES)
        spent = [" / ".join(self._spent(name, round_) for round_ in ROUNDS) for name in ("double", "secret")]
        cells = (f"{100 * won.value:.1f} ({100 * won.low:.1f} to {100 * won.high:.1f})", f"{rounds.value:.1f}", shares)
        return " | ".join((*cells, *spent))

    def _spent(self, name: str, round_: int) -> str:
        mean = mean_of(self.spent.get((name, round_), Counter()))
        return "-" if mean is None else f"{mean.value:.2f}"


def _text(change: Interval, scale: float = 1.0) -> str:
    value, low, high = (scale * number for number in change)
    return f"{value:+.1f} ({low:+.1f} to {high:+.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=400, help="deals for each pair of agents")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mrx", nargs="+", default=MRX, help="agents for Mr X; the others are compared with the first")
    parser.add_argument("--detectives", nargs="+", default=DETECTIVES)
    options = parser.parse_args()
    kinds = " / ".join(CHANCES)
    print(f"| detectives | Mr X | wins, % (95 %) | rounds | {kinds}, % | doubles spent | secrets spent |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    differences = []
    for detectives in options.detectives:
        played: dict[str, Games] = {}
        for mrx in options.mrx:
            games = played[mrx] = Games()
            for number in range(options.games):
                games.play(mrx, detectives, options.seed * 100_000 + number)
            print(f"| {detectives} | {mrx} | {games.row()} |", flush=True)
        first = options.mrx[0]
        for mrx in options.mrx[1:]:
            old, new = played[first], played[mrx]
            wins = paired_difference(count_pairs(Side.EVADER, old.winners, new.winners))
            rounds = mean_of(Counter(b - a for a, b in zip(old.lasted, new.lasted, strict=True)))
            assert rounds is not None
            text = f"{_text(wins, 100)} points, {_text(rounds)} rounds"
            differences.append(f"{mrx} instead of {first} against {detectives}: {text}")
    print("\n".join(["", *differences]))


if __name__ == "__main__":
    main()
