"""Who meets whom: round robin, gauntlet, and Swiss rounds, the same for the same seed and results.

Bots may join late. In Swiss rounds they are paired from the round in which they join. In the other formats the games
of those who join together are one more "round" after all others: same deals, numbers of its own.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from manhunt.arena.competition.model import GAUNTLET, SWISS, Competition, MatchUp, ProgrammeGame
from manhunt.core.ids import Seat
from manhunt.core.seeds import Secret, Seed

Pair = tuple[str, str]
BYE = ""
"""In place of an opponent: who meets it has the round off."""


def n_rounds(competition: Competition) -> int:
    return competition.rounds if competition.format == SWISS else 1 + max(bot.since for bot in competition.bots)


def fixed_pairs(competition: Competition, since: int = 0) -> list[Pair]:
    """All pairs of a round robin or a gauntlet, in the order of the file: those that could meet only since then."""
    found = combinations(competition.bots, 2)
    pairs = [(a.name, b.name) for a, b in found if max(a.since, b.since) == since]
    if competition.format == GAUNTLET:
        wanted = set(competition.challengers)
        pairs = [(a, b) for a, b in pairs if (a in wanted) != (b in wanted)]
    return [pair for pair in pairs if can_meet(competition, pair)]


def can_meet(competition: Competition, pair: Pair) -> bool:
    return any(_plays(competition, entry, a, b) for entry in competition.entries for a, b in (pair, pair[::-1]))


def _plays(competition: Competition, entry: ProgrammeGame, evader: str, pursuers: str) -> bool:
    bots = competition.by_name
    return bots[evader].plays(entry, Seat.EVADER) and bots[pursuers].plays(entry, Seat.PURSUERS)


def matches_of_round(competition: Competition, round_: int, pairs: Sequence[Pair], first: int) -> Iterator[MatchUp]:
    """The games of a round, numbered from `first`: deal by deal, so that a table half-way is already a fair one."""
    number = first
    for deal in range(max(entry.deals for entry in competition.entries)):
        for index, entry in enumerate(competition.entries):
            if deal >= entry.deals:
                continue
            for pair in pairs:
                if BYE in pair:
                    continue
                for evader, pursuers in (pair, pair[::-1]):
                    if _plays(competition, entry, evader, pursuers):
                        yield MatchUp(number, round_, index, deal, evader, pursuers)
                        number += 1


def deal_seed(seed: Seed, round_: int, entry: int, deal: int) -> Seed:
    """What all games of one deal share."""
    if isinstance(seed, Secret):
        return seed.child(f"deal/{round_}/{entry}/{deal}")
    digest = hashlib.sha256(f"tournament/{seed}/{round_}/{entry}/{deal}".encode()).digest()
    return int.from_bytes(digest[:6], "big")


def swiss_pairs(competition: Competition, points: Mapping[str, int], earlier: Sequence[Sequence[Pair]]) -> list[Pair]:
    """The pairs of the next round: bots of like points, no rematch while one can be avoided.

    A matching of least total penalty: a rematch (or a second round off) costs more than any difference of points.
    Among equals the lot decides. Everybody plays both sides of every deal, so roles are balanced in each round.
    """
    import networkx as nx

    present = [bot.name for bot in competition.bots if bot.since <= len(earlier)]
    names = sorted(present, key=lambda name: _lot(competition.origin, name))
    met = Counter(frozenset(pair) for pairs in earlier for pair in pairs)
    nodes = names if len(names) % 2 == 0 else [*names, BYE]
    lowest = min(points.get(name, 0) for name in names)
    widest = max(points.get(name, 0) for name in names) - lowest + 1
    rematch = len(nodes) * widest**2 * 2
    graph = nx.Graph()
    graph.add_nodes_from(range(len(nodes)))
    for i, j in combinations(range(len(nodes)), 2):
        a, b = nodes[i], nodes[j]
        if b != BYE and not can_meet(competition, (a, b)):
            continue
        gap = points.get(a, 0) - (lowest if b == BYE else points.get(b, 0))
        graph.add_edge(i, j, weight=-(2 * gap * gap + rematch * met[frozenset((a, b))]))
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    paired = [tuple(sorted(edge)) for edge in matching]
    left = set(range(len(nodes))) - {i for pair in paired for i in pair}
    pairs = [(nodes[i], nodes[j]) for i, j in paired] + [(nodes[i], BYE) for i in left if nodes[i] != BYE]
    return sorted(pairs, key=lambda pair: (-max(points.get(name, 0) for name in pair), nodes.index(pair[0])))


def _lot(seed: Seed, name: str) -> bytes:
    if isinstance(seed, Secret):
        return seed.bytes_for(f"draw/{name}")
    return hashlib.sha256(f"draw/{seed}/{name}".encode()).digest()


def bye_points(competition: Competition) -> int:
    """A round off counts as a round of drawn games: nobody gains by it."""
    return 2 * sum(entry.deals for entry in competition.entries)


def expected_matches(competition: Competition) -> int:
    """How many games there will be; for Swiss rounds at most."""
    if competition.format != SWISS:
        rounds = [fixed_pairs(competition, since) for since in range(n_rounds(competition))]
        return sum(1 for pairs in rounds for _ in matches_of_round(competition, 0, pairs, 0))
    per_pair = 2 * sum(entry.deals for entry in competition.entries)
    present = [sum(bot.since <= number for bot in competition.bots) for number in range(competition.rounds)]
    return per_pair * sum(n_bots // 2 for n_bots in present)
