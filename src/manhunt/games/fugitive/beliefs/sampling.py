"""Whole worlds drawn by their weight: the kinds of the hidden stacks backwards through the count, then the cards."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from manhunt.core.arrays import Floats, Int64s
from manhunt.games.fugitive.beliefs import chain_kernels, end_kernels, row_kernels
from manhunt.games.fugitive.beliefs.arithmetic import FLOATS, after_table, before_table
from manhunt.games.fugitive.beliefs.chain_kernels import Chain
from manhunt.games.fugitive.beliefs.counting import Count, Leaves
from manhunt.games.fugitive.beliefs.evidence import Evidence
from manhunt.games.fugitive.rules.public import Card


@dataclass(frozen=True, slots=True)
class World:
    """A full assignment of all cards that are not in the Marshal's hand; all tuples are ascending."""

    row: tuple[Card, ...]
    sprints: tuple[tuple[Card, ...], ...]
    """Under each position, the escape card's too."""
    hand: tuple[Card, ...]
    """The Fugitive's."""
    piles: tuple[tuple[Card, ...], ...]


def draw_worlds(count: Count, leaves: Leaves, lines: Sequence[int], rng: Random) -> list[World]:
    """A world for each of these rows, numbered as in `count.rows`."""
    where = defaultdict(list)
    for place, line in enumerate(lines):
        where[line].append(place)
    found: list[World | None] = [None] * len(lines)
    for line, places in where.items():
        kinds = _draw_kinds(count, leaves, line, len(places), rng)
        row = tuple(count.rows[line].tolist())
        for place, chosen in zip(places, kinds, strict=True):
            found[place] = _fill(count.evidence, row, chosen, rng)
    return [world for world in found if world is not None]


def _draw_kinds(count: Count, leaves: Leaves, line: int, n: int, rng: Random) -> list[list[int]]:
    total = sum(count.n_sprints)
    if not total:
        return [[] for _ in range(n)]
    chain = chain_of(count, leaves, line)
    offsets, store = new_store(count)
    shares = np.array([rng.random() for _ in range(n * (2 * total + 1))]).reshape(n, -1)
    kinds = np.zeros((n, total), np.int64)
    chain_kernels.sample_kinds(count.spending, chain, offsets, store, shares, kinds)
    return [list(map(int, line)) for line in kinds]


def new_store(count: Count) -> tuple[Int64s, Floats]:
    offsets = np.zeros((count.evidence.n, max(count.n_sprints) + 1), np.int64)
    size = chain_kernels.store_size(count.spending, np.array(count.n_sprints, np.int64), offsets)
    return offsets, np.empty(size)


def chain_of(count: Count, leaves: Leaves, line: int) -> Chain:
    """One row with its slots and payments."""
    evidence, n = count.evidence, count.evidence.n
    prices = np.zeros((n, max(count.n_sprints) + 1))
    used = np.zeros((n + 1, count.n_piles), np.int64)
    row = count.rows[line]
    for i in range(n):
        price = count.price(i, int(row[i - 1]) if i else 0, int(row[i]))
        prices[i, : len(price)] = price
        used[i + 1] = used[i] + count.limits.shown[i]
        group = evidence.group_of(int(row[i]))
        if group:
            used[i + 1, group - 1] += 1
    before = np.stack([before_table(FLOATS, slots, False) for slots in evidence.slots])
    after = np.stack([after_table(FLOATS, slots, False) for slots in evidence.slots])
    kinds = np.zeros((1, count.n_kinds), np.int64)
    row_kernels.row_kinds(row.reshape(1, -1), count.hidden, count.limits.group, kinds)
    size = int(count.spending.spent[: count.spending.start[-1]].max()) + 1
    ends = np.zeros((count.n_piles + 1, size * size))
    end_kernels.leaf_table(count.ends(leaves), kinds[0], used[n].astype(np.int16), 0.0, ends)
    return Chain(np.array(count.n_sprints, np.int64), prices, before, after, used, ends)


def _fill(evidence: Evidence, row: tuple[Card, ...], kinds: list[int], rng: Random) -> World:
    """Cards for the kinds, then his hand; all that is left lies in the piles."""
    pools = defaultdict(list)
    for card in evidence.unseen():
        if card not in row:
            pools[2 * evidence.group_of(card) + (card % 2 == 0)].append(card)
    for kind in sorted(pools):
        rng.shuffle(pools[kind])
    sprints, at = [], 0
    for spot in evidence.public.row:
        if spot.sprints is not None:
            sprints.append(tuple(sorted(spot.sprints)))
            continue
        sprints.append(tuple(sorted(pools[kind].pop() for kind in kinds[at : at + spot.n_sprints])))
        at += spot.n_sprints
    config = evidence.config
    gone = {*row, *(card for stack in sprints for card in stack)}
    hand = [card for card in config.kept if card not in gone]
    piles = []
    for pile, n_his in enumerate(evidence.n_his):
        left = [card for card in config.cards_of(pile) if card not in gone and card not in evidence.hand]
        n_used = sum(config.pile_of[card] == pile for card in gone)
        held = rng.sample(left, n_his - n_used)
        hand += held
        piles.append(tuple(sorted(set(left) - set(held))))
    return World(row, tuple(sprints), tuple(sorted(hand)), tuple(piles))
