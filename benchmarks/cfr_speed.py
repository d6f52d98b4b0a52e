"""Iterations per second of our CFR+ beside OpenSpiel's C++ CFR and CFR+, on the same trees, in one run on one core.

    python benchmarks/cfr_speed.py [--rungs 2 4 8] [--seconds 5]

OpenSpiel gets the tree as EFG text. An iteration updates both sides in all of them. Seconds are processor time; the
memory is what the peak of the process rose by, its kernels compiled and its tree built before.
"""

import argparse
import time
from collections.abc import Callable

import pyspiel
from equilibrium_ladder import LADDER, options_of
from measure import print_machine, print_peak

from manhunt.adapters.efg import export_efg
from manhunt.solvers.equilibrium import cfr, cfr_kernels
from manhunt.solvers.equilibrium.tree import HistoryTree, build_tree
from manhunt.solvers.memory import peak_rss_mb

RATIO = 20


def per_second(iterate: Callable[[int], object], limit_seconds: float) -> float:
    """Twice as many iterations each time, until one lot takes long enough; the rate of that lot."""
    n = 1
    while True:
        began = time.process_time()
        iterate(n)
        spent = time.process_time() - began
        if spent >= limit_seconds / 2:
            return n / spent
        n *= 2


def ours(tree: HistoryTree, foresight: float, power: float) -> Callable[[int], object]:
    sides = (cfr._start(tree.form.evader), cfr._start(tree.form.pursuers))
    scratch = cfr._scratch(tree.form)
    cfr_kernels.iterate(tree.form, *sides, scratch, 1, 1, foresight, power)
    return lambda n: cfr_kernels.iterate(tree.form, *sides, scratch, 2, n, foresight, power)


def theirs(solver: "pyspiel.CFRSolver | pyspiel.CFRPlusSolver") -> Callable[[int], object]:
    return lambda n: [solver.evaluate_and_update_policy() for _ in range(n)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rungs", type=int, nargs="*", default=[2, 4, 8], help="of benchmarks/equilibrium_ladder.py")
    parser.add_argument("--seconds", type=float, default=5.0, help="about so long for each measurement")
    options = parser.parse_args()
    print_machine()
    for number in options.rungs:
        game, given = options_of(LADDER[number - 1])
        tree = build_tree(game, game.make_config(None, **given))
        print(f"{number}. {LADDER[number - 1]}: {len(tree.nodes.kind):,} nodes, {tree.n_sequences:,} sequences")
        ours(tree, 0.0, 1.0)  # compiles
        before = peak_rss_mb()
        rates = {
            "our CFR+": per_second(ours(tree, 0.0, 1.0), options.seconds),
            "our predictive CFR+": per_second(ours(tree, 1.0, 2.0), options.seconds),
        }
        between = peak_rss_mb()
        loaded = pyspiel.load_efg_game(export_efg(tree))
        rates["OpenSpiel CFR"] = per_second(theirs(pyspiel.CFRSolver(loaded)), options.seconds)
        rates["OpenSpiel CFR+"] = per_second(theirs(pyspiel.CFRPlusSolver(loaded)), options.seconds)
        for name, rate in rates.items():
            print(f"   {name:<20} {rate:>12,.1f} iterations/s")
        fastest = max(rates["OpenSpiel CFR"], rates["OpenSpiel CFR+"])
        for name in ("our CFR+", "our predictive CFR+"):
            print(f"   {name}: {rates[name] / fastest:,.0f} times OpenSpiel's faster one (asked for: {RATIO})")
        print(f"   memory held more: {between - before:,.0f} MB by us, {peak_rss_mb() - between:,.0f} MB by OpenSpiel")
    print_peak()


if __name__ == "__main__":
    main()
