"""How fair Scotland Yard is: Mr X's wins by start station, by the number of detectives, and by the tickets.

    python benchmarks/scotland_yard_balance.py --draws 200 --ticket-draws 75 --seed 1

Draws places for the detectives, and for each draw plays one game from every start station of Mr X (preset standard).
The other tables use the first of these deals again with other rules, so a change is measured on the same deals; its
95 % interval is over the draws. Both sides play by the nets of `champion` alone, in compiled games. With --mrx and
--detectives other agents play, before the referee. Nothing depends on a clock: the same command gives the same games.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from scipy.stats import chi2_contingency

from manhunt.agents.registry import make_agent
from manhunt.arena.stats import Interval, mean_of, wilson
from manhunt.core.ids import PLAYERS, Side
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.champion.nets import shipped_nets
from manhunt.games.scotland_yard.champion.selfplay import Choice, SelfPlay, Team
from manhunt.games.scotland_yard.rules.config import (
    DETECTIVE_TICKETS,
    MRX_TICKETS,
    ScotlandYardConfig,
    make_config,
)
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.play.referee import Referee

STANDARD = make_config("standard")
TICKETS = {
    "no secret tickets": {"mrx_tickets": MRX_TICKETS._replace(secret=0)},
    "one secret ticket fewer (4)": {"mrx_tickets": MRX_TICKETS._replace(secret=4)},
    "one secret ticket more (6)": {"mrx_tickets": MRX_TICKETS._replace(secret=6)},
    "no double moves": {"mrx_tickets": MRX_TICKETS._replace(double=0)},
    "one double move fewer (1)": {"mrx_tickets": MRX_TICKETS._replace(double=1)},
    "one double move more (3)": {"mrx_tickets": MRX_TICKETS._replace(double=3)},
    "no secret tickets, no double moves": {"mrx_tickets": MRX_TICKETS._replace(secret=0, double=0)},
    "detectives with 10 taxi tickets": {"detective_tickets": DETECTIVE_TICKETS._replace(taxi=10)},
    "detectives with 12 taxi tickets": {"detective_tickets": DETECTIVE_TICKETS._replace(taxi=12)},
}


class Deal(NamedTuple):
    mrx: str
    detectives: tuple[str, ...]
    seed: int


class Ended(NamedTuple):
    has_won: bool
    rounds: int


Play = Callable[[Deal], Ended]


def by_nets(config: ScotlandYardConfig) -> Play:
    """Both sides by the nets alone: Mr X makes the move that his net likes best."""
    nets, games = shipped_nets()[0], SelfPlay(config)

    def play(deal: Deal) -> Ended:
        setup = make_setup(deal.mrx, deal.detectives[: config.n_detectives], free=False)
        rows = games.play(nets.choice, Team("net", nets), Choice(0.0, 0.0), deal.seed, setup)
        return Ended(rows.has_won, rows.n_logged)

    return play


def by_agents(config: ScotlandYardConfig, specs: tuple[str, str]) -> Play:
    game = make_game("scotland_yard")

    def play(deal: Deal) -> Ended:
        agents = {seat: make_agent(spec, game.name, seat) for seat, spec in zip(PLAYERS, specs, strict=True)}
        setup = make_setup(deal.mrx, deal.detectives[: config.n_detectives], free=False)
        referee = Referee(game, config, agents, seed=deal.seed, setup=setup)
        referee.run()
        assert referee.outcome is not None
        return Ended(referee.outcome.winner is Side.EVADER, game.round_of(referee.state))

    return play


def deals_of(seed: int, n_draws: int) -> list[list[Deal]]:
    """By draw of the detectives: one deal for every start station of Mr X."""
    out = []
    for draw in range(n_draws):
        rng = Random(f"{seed}/{draw}")
        detectives = tuple(rng.sample(STANDARD.detective_starts, STANDARD.n_detectives))
        out.append([Deal(mrx, detectives, rng.getrandbits(60)) for mrx in STANDARD.mrx_starts])
    return out


def played(name: str, play: Play, deals: list[list[Deal]]) -> list[list[Ended]]:
    began = time.process_time()
    ended = [[play(deal) for deal in draw] for draw in deals]
    seconds = time.process_time() - began
    print(f"{name}: {sum(map(len, ended))} games, {seconds:.0f} s of processor time", file=sys.stderr, flush=True)
    return ended


def percent(rate: Interval) -> str:
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def rate_of(draws: list[list[Ended]]) -> Interval:
    """The share of games won, with an interval over the draws."""
    found = mean_of(Counter(sum(game.has_won for game in draw) / len(draw) for draw in draws))
    assert found is not None
    return Interval(found.value, max(0.0, found.low), min(1.0, found.high))


def rounds_of(draws: list[list[Ended]]) -> str:
    rounds = [game.rounds for draw in draws for game in draw]
    return f"{sum(rounds) / len(rounds):.1f}"


def change_of(base: list[list[Ended]], other: list[list[Ended]]) -> str:
    """Points won or lost on the same deals."""
    changes = Counter(
        sum(b.has_won - a.has_won for a, b in zip(first, second, strict=True)) / len(first)
        for first, second in zip(base, other, strict=True)
    )
    found = mean_of(changes)
    assert found is not None
    value, low, high = (100 * number for number in found)
    return f"{value:+.1f} ({low:+.1f} to {high:+.1f})"


def print_table(head: str, align: str, rows: list[str]) -> None:
    print("\n".join([f"| {head} |", f"|{align}|", *(f"| {row} |" for row in rows), ""]), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=200, help="draws of the detectives' places; 12 games each")
    parser.add_argument("--ticket-draws", type=int, default=75, help="of these, for each other table row")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mrx", help="an agent instead of the net alone")
    parser.add_argument("--detectives", help="an agent instead of plans by the net")
    parser.add_argument("--only", nargs="+", choices=list(TICKETS), metavar="ROW", help="only these rows of tickets")
    options = parser.parse_args()
    if (options.mrx is None) != (options.detectives is None):
        parser.error("--mrx and --detectives go together")

    def player(config: ScotlandYardConfig) -> Play:
        return by_agents(config, (options.mrx, options.detectives)) if options.mrx else by_nets(config)

    deals = deals_of(options.seed, options.draws)
    base = played("standard", player(STANDARD), deals)
    rows = []
    for station, label in enumerate(STANDARD.mrx_starts):
        games = [draw[station] for draw in base]
        rate = wilson(sum(game.has_won for game in games), len(games))
        rows.append((rate, f"{label} | {percent(rate)} | {rounds_of([games])}"))
    rows.sort(key=lambda row: -row[0].value)
    rows.append((rate_of(base), f"all | {percent(rate_of(base))} | {rounds_of(base)}"))
    print_table("Mr X starts at | Mr X wins | rounds", "---|---|---:", [text for _, text in rows])
    counts = [[sum(draw[i].has_won for draw in base) for i in range(len(STANDARD.mrx_starts))]]
    counts.append([len(base) - won for won in counts[0]])
    test = chi2_contingency(counts)
    figures = f"chi-square {test.statistic:.1f}, {test.dof} degrees of freedom, p = {test.pvalue:.2f}"
    print(f"Are all stations alike? {figures}\n")

    few = options.ticket_draws
    first = base[:few]
    rows_detectives = [f"5 | {percent(rate_of(first))} | | {rounds_of(first)}"]
    for n in (4, 3):
        other = played(f"{n} detectives", player(make_config("standard", n_detectives=n)), deals[:few])
        cells = (str(n), percent(rate_of(other)), change_of(first, other), rounds_of(other))
        rows_detectives.append(" | ".join(cells))
    print_table("detectives | Mr X wins | change, points | rounds", "---:|---|---|---:", rows_detectives)

    rows_tickets = [f"standard | {percent(rate_of(first))} | | {rounds_of(first)}"]
    for name in options.only or TICKETS:
        other = played(name, player(make_config("standard", **TICKETS[name])), deals[:few])
        rows_tickets.append(f"{name} | {percent(rate_of(other))} | {change_of(first, other)} | {rounds_of(other)}")
    print_table("tickets | Mr X wins | change, points | rounds", "---|---|---|---:", rows_tickets)


if __name__ == "__main__":
    main()
