"""Which chance an analysis of Scotland Yard should show: quick games, or the nets of `champion`.

    python benchmarks/champion_analysis.py --games 2 --seed 1

Plays games of several agents against each other, and asks at every move of both seats for Mr X's chance after it, as
that seat could see it: by the quick games of the analysis, and by the nets with a short look ahead. Both are scored by
who won the game: log-loss and Brier score, by phase, with 95 % intervals over games (each game counts the same). The
fitted estimators were fitted to the other games (five parts). Then come calibration tables, one of them for the chance
that a hint names. With --moves the better moves that both find for Mr X are compared instead, by games from there.
--points keeps what was measured in a file and reads it again if it is there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from measure import print_machine

from manhunt.agents.registry import make_agent
from manhunt.analysis.findings import STATED, USUAL, Effort, past_of
from manhunt.arena.stats import mean_of
from manhunt.core.agent import Limit
from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.champion.agent import row_of
from manhunt.games.scotland_yard.champion.judge import ChampionJudge, encode_mrx
from manhunt.games.scotland_yard.champion.nets import ChampionNets, find_nets, shipped_nets
from manhunt.games.scotland_yard.champion.selfplay import NOT_WANTED, Choice, SelfPlay, Team, _Hunt
from manhunt.games.scotland_yard.show.analysis import GAME, NET_STEPS, _Decision, _GameJudge, halfway
from manhunt.play.hindsight import Hindsight
from manhunt.play.referee import play_game

MRX = (
    "champion:iterations=40",
    "champion:nets=games-4000,depth=1,hedge=0",
    "minimax:iterations=20",
    "mcts:iterations=300",
    "greedy",
)
DETECTIVES = (
    "champion:iterations=40",
    "champion:nets=games-4000,knows=0,iterations=12",
    "champion:nets=games-4000,late=1,iterations=12",
    "minimax:iterations=20",
    "mcts:iterations=300",
    "greedy",
)
HINT = "champion:iterations=60"
SAMPLED = 300
PARTS = 5
PHASES = ((1, 6), (7, 13), (14, 24))
Point = dict[str, Any]


def recorded(n_games: int, seed: int) -> Iterator[tuple[int, str, Hindsight]]:
    game, number = make_game("scotland_yard"), 0
    config = game.make_config("standard")
    for deal in range(n_games):
        for mrx in MRX:
            for detectives in DETECTIVES:
                pair = zip(PLAYERS, (mrx, detectives), strict=True)
                agents = {seat: make_agent(spec, game.name, seat) for seat, spec in pair}
                record = play_game(game, config, agents, seed=seed * 1000 + deal)
                yield number, f"{mrx} against {detectives}", Hindsight(record)
                number += 1


def points_of(number: int, pair: str, past: Hindsight) -> Iterator[Point]:
    """Every decision of both seats: Mr X's chance after the played move, and what a hint would have said before."""
    won = float(past.record.outcome is not None and past.record.outcome.winner is Side.EVADER)
    nets, limit = shipped_nets()[0], Limit()
    for seat in PLAYERS:
        seen = past_of(past, seat)
        quick = _GameJudge(seen, Effort(sampled=SAMPLED))
        judge, adviser = ChampionJudge(seen.views[0], nets, NET_STEPS), make_agent(HINT, "scotland_yard", seat)
        adviser.start(seen.views[0])
        told = 0
        for ply, action in seen.actions.items():
            view = seen.views[ply]
            while told <= ply:
                quick.public += [event for event in seen.events[told] if event.get("t") != "quarry"]
                judge.observe(seen.events[told])
                adviser.observe(seen.events[told])
                told += 1
            is_new_turn = seat is Seat.EVADER or len(view.waiting) == len(view.pieces)
            if seat is Seat.PURSUERS and not is_new_turn and len(view.waiting) != 1:
                continue  # of the detectives' turn the first and the last move
            began = time.process_time()
            decision = _Decision(quick, view, quick._belief(), Random(ply))
            won_games = sum(decision.values(action, decision.samples(SAMPLED)))
            middle = time.process_time()
            chance = judge.chance(view, action)
            ended = time.process_time()
            hint = None
            if is_new_turn and len(view.legal) > 1:
                value = adviser.act(view, limit, Random(ply)).value
                assert value is not None
                hint = (value + 1) / 2
            yield {
                "game": number,
                "pair": pair,
                "seat": seat.value,
                "ply": ply,
                "round": past.round(ply + 1) if seat is Seat.EVADER else past.round(ply),
                "first": is_new_turn,
                "won": won,
                "quick": (won_games + 0.5) / (SAMPLED + 1),
                "nets": chance,
                "hint": hint,
                "seconds": (middle - began, ended - middle),
            }


def logit(p: Any) -> Any:
    p = np.clip(p, 0.005, 0.995)
    return np.log(p / (1 - p))


def fitted(points: list[Point], columns: tuple[str, ...]) -> np.ndarray:
    """Logistic regression on the log odds, each part of the games by the others."""
    rows = np.column_stack([np.ones(len(points)), *(logit([p[c] for p in points]) for c in columns)])
    won, part = np.array([p["won"] for p in points]), np.array([p["game"] % PARTS for p in points])
    out = np.zeros(len(points))
    for k in range(PARTS):
        weights = logistic(rows[part != k], won[part != k])
        out[part == k] = 1 / (1 + np.exp(-rows[part == k] @ weights))
    print(f"fitted to all: {columns} -> {np.round(logistic(rows, won), 3).tolist()}", file=sys.stderr)
    return out


def logistic(rows: np.ndarray, won: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-rows @ weights))
        hessian = rows.T @ (rows * (p * (1 - p))[:, None]) + ridge * np.eye(len(weights))
        weights += np.linalg.solve(hessian, rows.T @ (won - p) - ridge * weights)
    return weights


def loss(p: np.ndarray, won: np.ndarray) -> np.ndarray:
    p = np.clip(p, 0.005, 0.995)
    return -np.log(np.where(won > 0, p, 1 - p))


def by_game(values: np.ndarray, games: np.ndarray) -> str:
    found = mean_of(Counter(float(values[games == game].mean()) for game in np.unique(games)))
    assert found is not None
    return f"{found.value:.3f} ± {found.high - found.value:.3f}"


def print_scores(points: list[Point]) -> None:
    columns = {
        "quick games": ("quick",),
        "nets": ("nets",),
    }
    chances = {name: np.array([p[c] for p in points]) for name, (c,) in columns.items()}
    chances["halfway, as the analysis shows"] = np.array([halfway(p["quick"], p["nets"]) for p in points])
    for name, fields in (
        ("quick games, fitted", ("quick",)),
        ("nets, fitted", ("nets",)),
        ("both, fitted", ("quick", "nets")),
    ):
        chances[name] = fitted(points, fields)
    won, games = (np.array([p[key] for p in points]) for key in ("won", "game"))
    rounds = np.array([p["round"] for p in points])
    chances["how many won in all"] = np.full(len(points), won.mean())
    phases = [(low, high, (rounds >= low) & (rounds <= high)) for low, high in PHASES]
    head = "".join(f" | in rounds {low} to {high}" for low, high, _ in phases)
    print(f"| chance by | log-loss | saved against quick games{head} | Brier |")
    print("|---|---|---|" + "---|" * len(phases) + "---|")
    base = loss(chances["quick games"], won)
    for name, p in chances.items():
        each = loss(p, won)
        cells = [by_game(each, games), by_game(base - each, games)]
        cells += [by_game((base - each)[chosen], games[chosen]) for _, _, chosen in phases]
        print(f"| {name} | {' | '.join(cells)} | {by_game((p - won) ** 2, games)} |")
    print()


def print_calibration(title: str, points: list[Point], key: str) -> None:
    print(f"| {title} | positions | games | mean of the chances | Mr X won |\n|---|---:|---:|---:|---|")
    edges = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0001)
    for low, high in zip(edges, edges[1:], strict=False):
        chosen = [p for p in points if p[key] is not None and low <= p[key] < high]
        if not chosen:
            continue
        games = [p["game"] for p in chosen]
        mean, share = np.mean([p[key] for p in chosen]), np.mean([p["won"] for p in chosen])
        cells = (f"{100 * low:.0f} to {min(100.0, 100 * high):.0f} %", f"{len(chosen)}", f"{len(set(games))}")
        print(f"| {' | '.join(cells)} | {100 * mean:.0f} % | {100 * share:.0f} % |")
    print()


class FromHere(SelfPlay):
    """Games that go on from a position, with a first move of Mr X."""

    here: tuple[Any, Any]

    def _begin(self, setup: Any) -> Any:
        state, belief = self.here
        return _Hunt(state.copy(), belief.copy(), belief.copy())


class FirstMove:
    """Makes one move, then leaves the choice to the net."""

    def __init__(self, action: int) -> None:
        self.action, self.chains = action, self

    def mrx_move(self, hunt: Any) -> int:
        action, self.action = self.action, NOT_WANTED
        return action

    def begin(self, belief: Any) -> None: ...
    def moved(self, move: Any) -> None: ...
    def struck(self, belief: Any) -> None: ...


def lost_moves(past: Hindsight, rng: Random, n_games: int, others: ChampionNets) -> dict[str, float] | None:
    """One decision of Mr X: what was lost by it, as quick games, the nets and games from there say.

    In the games from there Mr X moves by other nets than those that judge, half of the teams make the plans of
    `minimax` with some noise, half plan by the other nets. Games after different moves have the same seeds.
    """
    seen, nets = past_of(past, Seat.EVADER), shipped_nets()[0]
    ply = rng.choice([ply for ply in seen.actions if len(seen.views[ply].legal) > 5] or [-1])
    if ply < 0:
        return None
    view, played = seen.views[ply], seen.actions[ply]
    quick, judge = _GameJudge(seen, USUAL), ChampionJudge(seen.views[0], nets, NET_STEPS)
    adviser = make_agent(HINT, "scotland_yard", Seat.EVADER)
    adviser.start(seen.views[0])
    for events in seen.events[: ply + 1]:
        judge.observe(events)
        adviser.observe(events)
    found, _ = quick.judge(ply)
    assert found is not None
    by_quick = played if found.best is None else GAME.parse_action(past.config, found.best)
    by_nets = adviser.act(view, Limit(), Random(ply)).action
    lost = {"quick": found.lost, "nets": judge.chance(view, by_nets) - judge.chance(view, played)}
    lost["marked by quick"] = float(found.mark is not None)
    player = FromHere(past.config)
    player.here = (row_of(view), judge.belief.array)
    seeds = [rng.getrandbits(60) for _ in range(n_games)]
    teams = (Team("noisy"), Team("net", others))
    shares = {
        action: np.mean(
            [
                player.play(
                    others.choice, teams[i % 2], Choice(0.0, 0.0), seed, mrx=FirstMove(encode_mrx(action))
                ).has_won
                for i, seed in enumerate(seeds)
            ]
        )
        for action in {played, by_quick, by_nets}
    }
    lost["games, quick"] = shares[by_quick] - shares[played]
    lost["games, nets"] = shares[by_nets] - shares[played]
    return lost


def print_moves(rows: list[dict[str, float]]) -> None:
    def mean(values: list[float]) -> str:
        found = mean_of(Counter(100 * value for value in values))
        return "-" if found is None else f"{found.value:+.1f} ({found.low:+.1f} to {found.high:+.1f})"

    print("| the better move of | moves | says, points | games from there, points |\n|---|---:|---|---|")
    marked = {"quick": lambda row: row["marked by quick"] > 0, "nets": lambda row: row["nets"] > STATED}
    for name in ("quick", "nets"):
        for words, chosen in (
            ("all", rows),
            ("marked", [row for row in rows if marked[name](row)]),
            ("not marked", [row for row in rows if not marked[name](row)]),
        ):
            cells = (mean([row[name] for row in chosen]), mean([row[f"games, {name}"] for row in chosen]))
            print(f"| {name}, {words} | {len(chosen)} | {' | '.join(cells)} |")
    difference = [row["games, nets"] - row["games, quick"] for row in rows]
    print(f"\nThe nets' move instead of that of the quick games: {mean(difference)} points.\n")


def measured(options: argparse.Namespace) -> list[Point]:
    points = list[Point]()
    for number, pair, past in recorded(options.games, options.seed):
        points += points_of(number, pair, past)
        if options.points:
            options.points.write_text(json.dumps(points))
        print(f"game {number}: {pair}, {past.record.outcome}", file=sys.stderr, flush=True)
    return points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2, help="deals that every pair of agents plays")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--points", type=Path)
    parser.add_argument("--moves", type=int, default=0, help="games of which one move of Mr X is judged, instead")
    parser.add_argument("--nets", default="games-4000", help="of the games from there")
    parser.add_argument("--from-here", type=int, default=40, help="games from there for each move")
    options = parser.parse_args()
    print_machine()
    if options.moves:
        rows, from_here = list[dict[str, float]](), (options.from_here, find_nets(options.nets)[0])
        for number, pair, past in recorded(options.games, options.seed):
            row = None if pair.startswith(MRX[0]) else lost_moves(past, Random(number), *from_here)
            if row is not None:
                rows.append(row)
                print(number, pair, {key: round(float(x), 2) for key, x in row.items()}, file=sys.stderr, flush=True)
            if len(rows) == options.moves:
                break
        print_moves(rows)
        return
    if options.points and options.points.exists():
        points = json.loads(options.points.read_text())
    else:
        points = measured(options)
    n_games = len({p["game"] for p in points})
    seconds = np.array([p["seconds"] for p in points])
    print(f"\n{n_games} games, {len(points)} moves; processor time a move, median: quick games", end=" ")
    print(f"{1000 * np.median(seconds[:, 0]):.1f} ms, nets {1000 * np.median(seconds[:, 1]):.1f} ms\n")
    for seat in PLAYERS:
        print(f"As the {seat.value} could see it:\n")
        chosen = [p for p in points if p["seat"] == seat.value]
        print_scores(chosen)
        print_calibration("quick games said", chosen, "quick")
        print_calibration("the nets said", chosen, "nets")
        print_calibration("a hint said", chosen, "hint")


if __name__ == "__main__":
    main()
