"""How long the Marshal's exact belief takes: from a parsed view to the count with all marginals, nothing carried over.

    python benchmarks/fugitive_belief.py [--plain 8] [--repeat 1] [--processor]

Tables come from coverage games of seeds 0, 1, 2, ...: before a guess, at most one a game and bucket, until each bucket
has 32. Early: first guess with 2 hideouts; middle: with 5; late: with at least 8, or the first guess of a manhunt.
p50 is the 16th of 32, p95 the 31st. The sweep looks at every guess of seeds 0 to 39. Beside it stand the figures of a
published C++ program on its own machine, and of the same program on a plain machine of two cores. The baseline counts
row by row in plain Python, in the same run on the same tables.

By default the wall clock runs, as it did for the published figures. On a busy machine `--processor` counts the
processor's time of this one thread instead, which other work lengthens much less.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

import measure

from fugitive_coverage import coverage_states
from fugitive_plain_count import PlainCount
from manhunt.games.fugitive.beliefs.evidence import gather
from manhunt.games.fugitive.beliefs.notes import MarshalNotes
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules.public import Card, Phase, Public
from manhunt.games.fugitive.rules.state import State
from manhunt.games.fugitive.rules.views import public_of

Table = tuple[Public, tuple[Card, ...]]
N_TABLES = 32
N_SWEPT = 40
MOST_PLAIN_SPRINTS = 6
PUBLISHED = {  # milliseconds: p50, p95, max; then p95 of the same program on a plain machine of two cores
    "early": (0.010, 0.103, 0.114, "0.2-0.3"),
    "middle": (3.65, 44.52, 68.72, "73-92"),
    "late": (0.94, 147.78, 175.75, "255-329"),
}


def bucket_of(state: State) -> str | None:
    if state.phase is Phase.MANHUNT or state.n_hideouts >= 8:
        return "late"
    return {2: "early", 5: "middle"}.get(state.n_hideouts)


def collect() -> tuple[dict[str, list[Table]], int]:
    """The tables of each bucket, and the last seed that was needed."""
    found: dict[str, list[Table]] = {name: [] for name in PUBLISHED}
    seed = -1
    while any(len(tables) < N_TABLES for tables in found.values()):
        seed += 1
        seen = set()
        for state in coverage_states(seed):
            name, table = bucket_of(state), (public_of(state), state.marshal)
            if name is None or name in seen or len(found[name]) == N_TABLES or table in found[name]:
                continue
            seen.add(name)
            found[name].append(table)
    return found, seed


def count_all(table: Table) -> Worlds:
    """The exact count with all marginals of the row."""
    worlds = Worlds(*table)
    _ = worlds.marginals, worlds.hideouts
    return worlds


def count_exactly(table: Table) -> int:
    worlds = Worlds(*table)
    return worlds.n_histories + sum(worlds.exact_hideouts)


class Watch:
    """The clock that counts."""

    now = staticmethod(time.perf_counter)


def clock(work: Callable[[Table], object], table: Table, repeat: int) -> float:
    """Milliseconds of the best of some calls."""
    best = float("inf")
    for _ in range(repeat):
        began = Watch.now()
        work(table)
        best = min(best, Watch.now() - began)
    return 1000 * best


def ranks(times: Sequence[float]) -> tuple[float, float, float]:
    """p50, p95 (nearest rank) and max."""
    ordered = sorted(times)
    n = len(ordered)
    return ordered[(n + 1) // 2 - 1], ordered[-(-95 * n // 100) - 1], ordered[-1]


def print_buckets(found: dict[str, list[Table]], repeat: int) -> None:
    print(f"{'ms':<30} {'p50':>8} {'p95':>8} {'max':>8}   published p50 / p95 / max; p95 on two plain cores")
    for name, tables in found.items():
        times = [clock(count_all, table, repeat) for table in tables]
        p50, p95, most, again = PUBLISHED[name]
        line = "".join(f" {value:8.2f}" for value in ranks(times))
        print(f"{name + ', floats':<30}{line}   {p50:g} / {p95:g} / {most:g}; {again}")
        times = [clock(count_exactly, table, repeat) for table in tables]
        print(f"{name + ', whole numbers too':<30}{''.join(f' {value:8.2f}' for value in ranks(times))}")
        n_rows = [len(Worlds(*table).trails.rows) for table in tables]
        print(f"{'  possible rows':<30} {sorted(n_rows)[15]:>8} {sorted(n_rows)[30]:>8} {max(n_rows):>8}")


def print_sweep(repeat: int) -> None:
    times, n_tighter, n_fewer = [], 0, 0
    for seed in range(N_SWEPT):
        for state in coverage_states(seed):
            table = (public_of(state), state.marshal)
            times.append(clock(count_all, table, repeat))
            worlds, notes = Worlds(*table), MarshalNotes.of(*table)
            positions = range(1, len(state.row) + 1)
            assert all(worlds.candidates(i) <= notes.candidates(i) for i in positions)
            n_tighter += any(worlds.candidates(i) < notes.candidates(i) for i in positions)
            n_fewer += len(worlds.trails.rows) < notes.count_chains()
    ordered = sorted(times)
    p99 = ordered[-(-99 * len(ordered) // 100) - 1]
    print(f"sweep of seeds 0-{N_SWEPT - 1}: {len(times)} tables, p99 {p99:.2f} ms, max {ordered[-1]:.2f} ms", end="")
    print(" (published: 644 tables, p99 103.66, max 176.21; on two plain cores p99 199, max 358)")
    share, rows = n_tighter / len(times), n_fewer / len(times)
    print(f"never looser than the notes; some candidates fewer at {share:.0%}, rows fewer at {rows:.0%} of the tables")


def print_baseline(found: dict[str, list[Table]], n_plain: int) -> None:
    """Plain Python on the tables that it can do in a minute."""
    for name, tables in found.items():
        chosen = []
        for table in tables:
            evidence = gather(*table)
            if sum(evidence.n_hidden_sprints(i) for i in range(evidence.n)) <= MOST_PLAIN_SPRINTS:
                chosen.append(table)
        if not chosen[:n_plain]:
            continue
        fast = slow = 0.0
        for table in chosen[:n_plain]:
            fast += clock(count_exactly, table, 1)
            began = Watch.now()
            total = sum(PlainCount(gather(*table)).weights().values())
            slow += 1000 * (Watch.now() - began)
            assert total == Worlds(*table).n_histories
        n = len(chosen[:n_plain])
        print(f"{name}, {n} tables of at most {MOST_PLAIN_SPRINTS} hidden sprint cards, whole numbers: ", end="")
        print(f"{fast / n:.2f} ms against {slow / n:.1f} ms in plain Python, {slow / fast:,.0f} times; same counts")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plain", type=int, default=8, help="tables a bucket for the plain baseline")
    parser.add_argument("--repeat", type=int, default=1, help="best of so many calls (1: each call cold)")
    parser.add_argument("--processor", action="store_true", help="processor time instead of the wall clock")
    options = parser.parse_args()
    if options.processor:
        Watch.now = staticmethod(time.process_time)
    measure.print_machine()
    found, seed = collect()
    print(f"tables from seeds 0-{seed}; {'processor time' if options.processor else 'wall clock'}")
    for tables in found.values():
        for table in tables[:4]:
            count_exactly(table)  # compile
    print_buckets(found, options.repeat)
    print_sweep(options.repeat)
    print_baseline(found, options.plain)
    measure.print_peak()


if __name__ == "__main__":
    main()
