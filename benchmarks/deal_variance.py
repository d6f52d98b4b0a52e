"""What pairing deals saves: the variance of the difference of two bots over the two games of a deal.

Run: python benchmarks/deal_variance.py --deals 400
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import replace

from measure import print_machine

from manhunt.agents.registry import make_agent
from manhunt.arena.competition.deals import match_seed, setup_of
from manhunt.arena.competition.model import Competition, MatchUp, ProgrammeGame, TournamentBot
from manhunt.core.ids import PLAYERS
from manhunt.core.registry import make_game
from manhunt.core.seeds import new_secret
from manhunt.play.referee import play_game

WAYS = {
    "redraw = false": {"redraw": False},
    "the default": {},
    "paired = false": {"paired": False},
}


def difference(competition: Competition, deal: int) -> int:
    """Games won by the first bot less games lost, in the two games of a deal."""
    entry, (first, second) = competition.entries[0], (bot.name for bot in competition.bots)
    rules, total = make_game(entry.game), 0
    config = rules.config_from_json(entry.config)
    for evader, pursuers in ((first, second), (second, first)):
        match = MatchUp(0, 0, 0, deal, evader, pursuers)
        specs = {seat: competition.by_name[name].spec for seat, name in match.bots.items()}
        agents = {seat: make_agent(specs[seat], entry.game, seat) for seat in PLAYERS}
        setup = setup_of(competition, match, rules, config)
        outcome = play_game(rules, config, agents, seed=match_seed(competition, match), setup=setup).outcome
        assert outcome is not None
        winner = next(name for seat, name in match.bots.items() if seat.side is outcome.winner)
        total += 1 if winner == first else -1
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="scotland_yard")
    parser.add_argument("--bots", nargs=2, default=["greedy", "greedy:style=hide"])
    parser.add_argument("--deals", type=int, default=400)
    options = parser.parse_args()
    print_machine()
    rules = make_game(options.game)
    entry = ProgrammeGame(options.game, options.game, rules.config_to_json(rules.make_config()), 1)
    bots = tuple(TournamentBot(f"bot {i}", spec) for i, spec in enumerate(options.bots))
    for name, how in WAYS.items():
        competition = replace(Competition("variance", None, (entry,), bots), secret=new_secret(), **how)
        found = [difference(competition, deal) for deal in range(options.deals)]
        variance = statistics.variance(found)
        error = variance * (2 / (options.deals - 1)) ** 0.5
        print(f"{name:<16} mean {statistics.mean(found):+.2f}, variance {variance:.2f} (standard error {error:.2f})")


if __name__ == "__main__":
    main()
