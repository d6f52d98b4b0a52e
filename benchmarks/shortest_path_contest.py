"""Certified bounds and matches on contest graphs of Adversarial Shortest Path, both cost rules.

    python benchmarks/shortest_path_contest.py bounds  --seconds 20 --out bounds.jsonl
    python benchmarks/shortest_path_contest.py matches --bank 4 --out matches.jsonl

`bounds` gives each side so many seconds a graph and prints the gap of the two bounds, the plain shortest way and the
best fixed path beside them. `matches` plays every player against every adversary on every graph and looks whether
`navigator` ever paid more than its first bound or `blocker` got less than his. A line a graph is written at once; what
is in the file is not done again.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from measure import print_machine, print_peak

from manhunt.agents.registry import make_agent
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.shortest_path.rules.config import ShortestPathConfig, make_config
from manhunt.games.shortest_path.rules.costs import hops_to
from manhunt.games.shortest_path.rules.rules import start
from manhunt.games.shortest_path.solvers.bounds import are_equal, compile_searches, find_bounds
from manhunt.games.shortest_path.solvers.upper_plan import best_path
from manhunt.play.clock import TimeControl
from manhunt.play.referee import Referee

SIZES, CUTS = (100, 150, 200, 250, 300), (2, 3, 4, 5, 6)
SEPARATIONS = (4, 5, 6, 7, 8, 6, 7, 8)
N_GRAPHS = 40
FAR = tuple(f"contest:300:750:separation={h}:cut={cut}:seed={50 + h + cut}" for h in (10, 12) for cut in (3, 5))
LARGE = ("contest:1000:2500:separation=8:cut=3:seed=71", "contest:1000:3000:separation=8:cut=4:seed=72")
PLAYERS = ("dijkstra", "committed", "navigator")
NAIVE = ("random", "last-edge", "min-cut", "greedy")
ADVERSARIES = (*NAIVE, "blocker")
SLACK = 1e-6
FIXED_PATHS = 200
"""Random cheap paths among which the best fixed one is looked for."""


def contest_graphs() -> list[tuple[str, str]]:
    """The 40 graphs (name, rule): sizes, cuts and separations run through their lists, the rules take turns."""
    graphs = []
    for i in range(N_GRAPHS):
        size, cut, separation = SIZES[i % 5], CUTS[(i // 5 + i) % 5], SEPARATIONS[i % 8]
        edges = size * (5 + i % 2) // 2
        graphs.append((f"contest:{size}:{edges}:separation={separation}:cut={cut}:seed={i}", ("sqrt", "double")[i % 2]))
    return graphs


def further_graphs() -> list[tuple[str, str]]:
    return [(name, rule) for name in (*FAR, *LARGE) for rule in ("sqrt", "double")]


def bounds_of(task: tuple[str, str, float]) -> dict[str, Any]:
    name, rule, seconds = task
    config = make_config(rule, name)
    state = start(config)
    compile_searches()
    began = time.perf_counter()
    found = find_bounds(state, 2 * seconds)
    spent = time.perf_counter() - began
    fixed, _ = best_path(state, FIXED_PATHS)
    row = {"graph": name, "rule": rule, "hops": hops_to(config.board, config.target)[config.source], "fixed": fixed}
    row |= {"lower": found.lower.value, "upper": found.upper.value, "gap": found.gap, "solved": found.solved}
    return row | {"seconds": spent, "bounds": found.to_json(config.board)}


def matches_of(task: tuple[str, str, float]) -> dict[str, Any]:
    name, rule, bank = task
    config = make_config(rule, name)
    costs, broken = {}, []
    for player in PLAYERS:
        for adversary in ADVERSARIES:
            cost, said = match(config, player, adversary, bank)
            costs[f"{player} {adversary}"] = cost
            broken += said
    return {"graph": name, "rule": rule, "costs": costs, "broken": broken}


def match(config: ShortestPathConfig, player: str, adversary: str, bank: float) -> tuple[float | None, list[str]]:
    """What was paid (None: he did not arrive), and every promise that was not kept."""
    agents = {
        Seat.EVADER: make_agent(player, "shortest_path", Seat.EVADER),
        Seat.PURSUERS: make_agent(adversary, "shortest_path", Seat.PURSUERS),
    }
    referee = Referee(make_game("shortest_path"), config, agents, seed=1, time_control=TimeControl(bank_seconds=bank))
    outcome = referee.run()
    cost = outcome.cost
    broken = []
    if referee.fault is not None:
        broken.append(f"{player} against {adversary}: {referee.fault}")
    if player == "navigator":
        first: float = agents[Seat.EVADER].first_bound  # type: ignore[attr-defined]
        if cost is None or cost > first + SLACK:
            broken.append(f"navigator paid {cost} against {adversary}, its bound was {first}")
    if adversary == "blocker" and cost is not None:
        sure: float = agents[Seat.PURSUERS].first_bound  # type: ignore[attr-defined]
        if cost < sure - SLACK:
            broken.append(f"blocker got {cost} from {player}, his bound was {sure}")
    return cost, broken


def run(
    work: Callable[[tuple[str, str, float]], dict[str, Any]], tasks: list[tuple[str, str, float]], out: Path, n: int
) -> list[dict[str, Any]]:
    """All rows, the old ones from the file; a new one is written before the next is begun."""
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] if out.exists() else []
    done = {(row["graph"], row["rule"]) for row in rows}
    missing = [task for task in tasks if task[:2] not in done]
    for row in _each(work, missing, n):
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        rows.append(row)
        print(f"{len(rows)} of {len(tasks)}: {row['graph']} {row['rule']}", flush=True)
    order = {task[:2]: i for i, task in enumerate(tasks)}
    return sorted((r for r in rows if (r["graph"], r["rule"]) in order), key=lambda r: order[r["graph"], r["rule"]])


def _each(
    work: Callable[[tuple[str, str, float]], dict[str, Any]], tasks: list[tuple[str, str, float]], n: int
) -> Iterator[dict[str, Any]]:
    if n == 1:
        yield from map(work, tasks)
        return
    with get_context("spawn").Pool(n) as pool:
        yield from pool.imap_unordered(work, tasks)


def tell_bounds(rows: list[dict[str, Any]]) -> None:
    print("\n| graph | rule | lower | upper | gap | best fixed path | seconds |\n|---|---|---|---|---|---|---|")
    for row in rows:
        gap = "solved" if row["solved"] else f"{100 * row['gap']:.1f} %"
        figures = f"{row['lower']:.4f} | {row['upper']:.4f} | {gap} | {row['fixed']:.4f} | {row['seconds']:.1f}"
        print(f"| `{row['graph']}` | {row['rule']} | {figures} |")
    contest = [row for row in rows if (row["graph"], row["rule"]) in set(contest_graphs())]
    open_gaps = [row["gap"] for row in contest if not row["solved"]]
    print(f"\nof the {len(contest)} contest graphs {len(contest) - len(open_gaps)} are solved", end="")
    print(f"; median gap of the rest {100 * statistics.median(open_gaps):.1f} %" if open_gaps else "")


def tell_matches(rows: list[dict[str, Any]]) -> None:
    print("\n| player | " + " | ".join(ADVERSARIES) + " |\n|---" + "|---" * len(ADVERSARIES) + "|")
    for player in PLAYERS:
        cells = []
        for adversary in ADVERSARIES:
            paid = [row["costs"][f"{player} {adversary}"] for row in rows]
            there = [cost for cost in paid if cost is not None]
            mean = f"{statistics.mean(there):.2f}" if there else "-"
            cells.append(mean if len(there) == len(paid) else f"{mean} ({len(there)} arrived)")
        print(f"| {player} | " + " | ".join(cells) + " |")
    worse, better, exceptions = [], 0, []
    for row in rows:
        worst = {player: max(row["costs"][f"{player} {a}"] or float("inf") for a in ADVERSARIES) for player in PLAYERS}
        better += worst["navigator"] < worst["committed"] - SLACK
        if worst["navigator"] > worst["committed"] + SLACK:
            worse.append(f"{row['graph']} {row['rule']}: {worst['navigator']:.4f} against {worst['committed']:.4f}")
        got = row["costs"]["navigator blocker"]
        for adversary in NAIVE:
            if row["costs"][f"navigator {adversary}"] > got + SLACK and not are_equal(
                got, row["costs"][f"navigator {adversary}"]
            ):
                more = row["costs"][f"navigator {adversary}"]
                exceptions.append(f"{row['graph']} {row['rule']}: {adversary} got {more:.4f}, blocker {got:.4f}")
    print(f"\nworst case of navigator over these adversaries below committed's on {better} of {len(rows)} graphs")
    for text, lines in (("above it", worse), ("a naive adversary got more from navigator than blocker", exceptions)):
        print(f"{text}: {len(lines)}", *lines, sep="\n  ")
    broken = [said for row in rows for said in row["broken"]]
    n_games = len(rows) * len(PLAYERS) * len(ADVERSARIES)
    print(f"promises and faults in {n_games} games: {len(broken)}", *broken, sep="\n  ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("bounds", "matches"))
    parser.add_argument("--seconds", type=float, default=20.0, help="of each side, for bounds (default 20)")
    parser.add_argument("--bank", type=float, default=4.0, help="of each side, for a match (default 4)")
    parser.add_argument("--graphs", type=int, default=N_GRAPHS, help="how many of the 40 (default all)")
    parser.add_argument("--further", action="store_true", help="also h = 10 and 12, and 1,000 nodes")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="rows as JSON lines; an old file is gone on with")
    options = parser.parse_args()
    print_machine()
    graphs = contest_graphs()[: options.graphs] + (further_graphs() if options.further else [])
    if options.what == "bounds":
        tell_bounds(run(bounds_of, [(*g, options.seconds) for g in graphs], options.out, options.workers))
    else:
        tell_matches(run(matches_of, [(*g, options.bank) for g in graphs], options.out, options.workers))
    print_peak()


if __name__ == "__main__":
    main()
