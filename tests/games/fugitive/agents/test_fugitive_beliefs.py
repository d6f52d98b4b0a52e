"""Route count, particles, guesses and what l2 knows against plain twins on small decks."""

import os
from collections import Counter
from itertools import combinations
from math import perm
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fugitive_games import fugitive_histories, random_history
from fugitive_plain_count import PlainCount
from manhunt.core.ids import Seat, Side
from manhunt.core.kernel_random import new_rng
from manhunt.games.fugitive.agents.bir_2u_particles import guess_value_kernels, particles_kernels
from manhunt.games.fugitive.agents.bir_2u_particles.guess_value_kernels import NO_CARD, ParticleSample, SetTally
from manhunt.games.fugitive.agents.bir_2u_particles.particles import Particles, _new_stock, particle_table
from manhunt.games.fugitive.agents.escape_odds import EscapeOdds, TrailExposure
from manhunt.games.fugitive.agents.l2 import certain_numbers, likeliest, possible_numbers
from manhunt.games.fugitive.agents.route_count import RouteCount
from manhunt.games.fugitive.beliefs.evidence import gather
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules import views
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_of
from manhunt.games.fugitive.rules.config import make_config, sprint_value
from manhunt.games.fugitive.rules.public import Draw, Guess, Public, Spot

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),  # bit counts without compilation
]
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
DECK = make_config("exactly-two")


def step_of(config, spot):
    """The farthest that a position may lie from the one before it."""
    values = 2 * spot.n_sprints if spot.sprints is None else sum(map(sprint_value, spot.sprints))
    return config.reach + values


def plain_rows(public, hand):
    """By the definition of the route count, from all sets of cards."""
    config, row = public.config, public.row
    escaped = bool(row) and row[-1].card == config.last
    spots = row[:-1] if escaped else row
    face_up = {card for spot in spots for card in (spot.card, *(spot.sprints or ())) if card is not None}
    misses, seen = [], set()
    for guess in public.guesses:
        if guess.hit:
            seen |= set(guess.numbers)
        elif not seen & set(guess.numbers):
            misses.append(guess)
    for cards in combinations(range(1, config.last), len(spots)):
        fits = all(set(g.numbers) - set(cards[: g.n_placed]) for g in misses)
        fits &= all(
            card == s.card or (s.card is None and card not in face_up | set(hand))
            for card, s in zip(cards, spots, strict=False)
        )
        steps = zip((0, *cards), (*cards, config.last), row, strict=False)
        fits &= all(after - before <= step_of(config, spot) for before, after, spot in steps)
        for i, spot in enumerate(spots):
            placed = [*cards[: i + 1], *(card for s in spots[: i + 1] for card in s.sprints or ())]
            for pile in range(len(config.piles)):
                n = sum(config.pile_of[card] == pile for card in placed)
                fits &= n <= config.dealt[pile] + spot.n_draws[pile]
        if fits:
            yield cards


def her_view(history):
    """The Marshal's, as late in the game as there is something to ask."""
    going_on = [state for state in history[0] if state.end is None]
    return views.view(going_on[-1], Seat.PURSUERS)


@given(fugitive_histories(max_last=11))
def test_routes_are_those_of_the_plain_twin(history) -> None:
    view = her_view(history)
    routes = RouteCount(view.public, view.hand)
    wanted = list(plain_rows(view.public, view.hand))
    assert sorted(cards_of(int(row)) for row in routes.rows) == sorted(wanted)
    counts = Counter(card for row in wanted for card in row if not routes.face_up >> card & 1)
    assert {card: int(n) for card, n in enumerate(routes.counts) if n} == dict(counts)
    pairs = [pair for row in wanted[:3] for pair in combinations(row, 2) if not bits_of(pair) & routes.face_up]
    assert routes.n_with_all(pairs) == [sum(set(pair) <= set(row) for row in wanted) for pair in pairs]


@pytest.mark.parametrize("seed", range(3 if SLOW else 12))
def test_the_true_row_is_among_the_routes(seed) -> None:
    states, _ = random_history(DECK, Random(seed), 45)
    state = next(s for s in reversed(states) if s.end is None and s.row)
    view = views.view(state, Seat.PURSUERS)
    true = bits_of(h.card for h in state.row if h.card < 42)
    assert true in RouteCount(view.public, view.hand).rows
    assert true in RouteCount(view.public).rows


def spot(k, card=None, sprints=None):
    return Spot(1, k, (0, 0, 0), card, sprints)


def test_routes_by_hand() -> None:
    # Two hideouts without sprints, nothing else known: rows with both steps at most 3.
    public = Public(DECK, row=(spot(0), spot(0)))
    assert len(RouteCount(public)) == 9
    drawn = Public(DECK, row=public.row, draws=(Draw(Side.PURSUERS, 0, 1, 2),) * 2)
    assert RouteCount(drawn, (4, 6)).numbers == (1, 2, 3, 5)
    # 2 was no hideout then, and {1, 3} not both.
    missed = Public(DECK, row=public.row, guesses=(Guess(1, (2,), False, 2), Guess(1, (1, 3), False, 2)))
    assert [cards_of(int(row)) for row in RouteCount(missed).rows] == [(1, 4), (3, 4), (3, 5), (3, 6)]


def test_exposure_by_hand() -> None:
    public = Public(DECK, row=(spot(0),))  # 1, 2 and 3 alike
    look = TrailExposure(public)
    assert look.conceal == pytest.approx(1.0)
    assert look.danger(np.array([2])) == pytest.approx(1 / 3)
    assert TrailExposure(Public(DECK)).conceal == 0.0
    assert TrailExposure(Public(DECK)).danger(np.array([], np.int64)) == 0.0


def test_an_escape_past_the_manhunt_survives_and_a_naked_one_does_not() -> None:
    found = Public(DECK, row=(spot(9, 30, ()),))
    assert EscapeOdds(found, found.row, 5).survival(4, Random(1)) == 1.0
    low = Public(DECK, row=(spot(1, 4, (2,)),))
    assert EscapeOdds(low, low.row, 5).survival(20, Random(1)) == 0.0
    one_of_three = Public(DECK, row=(spot(0),))
    shares = [EscapeOdds(one_of_three, (spot(0, 2, ()),), 2).survival(20, Random(s)) for s in range(60)]
    assert sum(shares) / 60 == pytest.approx(2 / 3, abs=0.06)


def order_ways(view, cards_by_position, pile):
    """Ways to hand him these cards in time, and any others in his other slots; cards have names."""
    config = view.config
    slots = [config.dealt[pile] + s.n_draws[pile] for s in view.public.row]
    n_his = config.dealt[pile] + sum(d.side.value == "evader" and d.pile == pile for d in view.public.draws)
    used, ways = 0, 1
    for i, cards in enumerate(cards_by_position):
        for card in cards:
            if config.pile_of[card] == pile:
                ways *= max(0, slots[i] - used)
                used += 1
    n_left = sum(card not in view.hand for card in config.cards_of(pile)) - used
    return ways * perm(n_left, n_his - used) if n_his >= used else 0


@pytest.mark.parametrize("seed", [3, 5, 8, 11])
def test_the_first_stack_is_drawn_by_the_ways_to_order_his_draws(seed) -> None:
    config, rng = make_config("mini", dealt=(3, 1)), Random(seed)
    while True:
        state = random_history(config, rng, rng.randrange(5, 30))[0][-1]
        view = views.view(state, Seat.PURSUERS)
        table = particle_table(RouteCount(view.public, view.hand)) if state.end is None and state.row else None
        if table is not None and len(table.stacks) == 1 and state.last_card != config.last:
            break
    row = [h.card for h in state.row]
    position, size = (int(n) for n in table.stacks[0])
    need = row[position] - (row[position - 1] if position else 0) - config.reach
    shown = [card for s in view.public.row for card in s.sprints or ()]
    free = [card for card in range(1, config.last + 1) if card not in (*row, *shown, *view.hand)]
    weights = {}
    for stack in combinations(free, size):
        if sum(map(sprint_value, stack)) < need:
            continue
        cards = [(card, *(s.sprints or ())) for card, s in zip(row, view.public.row, strict=True)]
        cards[position] += stack
        ways = [order_ways(view, cards, pile) for pile in range(2)]
        weights[bits_of(stack)] = ways[0] * ways[1]
    n, chance, seen, stock = 300 if SLOW else 6000, new_rng(seed), Counter(), _new_stock(table)
    for _ in range(n):
        seen[particles_kernels.draw_stacks(table, bits_of(row), stock, chance)] += 1
    total = sum(weights.values())
    assert set(seen) <= {cards for cards, weight in weights.items() if weight}
    for cards, weight in weights.items():  # type: ignore[assignment]
        share = weight / total
        assert abs(seen[cards] / n - share) < 5 * (share * (1 - share) / n) ** 0.5 + 1e-9


@given(fugitive_histories(max_last=11), st.integers(0, 100))
def test_drawn_worlds_fit_the_view(history, seed) -> None:
    view = her_view(history)
    assume(view.row)
    config = view.config
    particles = Particles(view, 10, Random(seed))
    rows = set(RouteCount(view.public, view.hand).rows.tolist())
    n_sprints = sum(s.n_sprints for s in view.public.row if s.sprints is None)
    for row, sprints, undrawn in zip(*(column.tolist() for column in particles.worlds), strict=True):
        assert row in rows
        assert sprints.bit_count() == n_sprints
        assert not (row & sprints)
        assert not (row & undrawn)
        assert not (sprints & undrawn)
        assert not (bits_of(view.hand) & (row | sprints | undrawn))
        for pile, size in enumerate(view.pile_sizes):
            assert (undrawn & bits_of(config.cards_of(pile))).bit_count() == size


def plain_guesses(hidden):
    """Sets in order of thought with their shares."""
    counts, sets = Counter(hidden), []
    singles = Counter(card for cards in hidden for card in cards)
    sets += [(card,) for card in sorted(singles, key=lambda card: (-singles[card], card))]
    for cards in sorted(counts, key=lambda cards: (-counts[cards], cards))[:24]:
        sets.append(cards)
        sets += [part for size in (2, 3, 4) for part in combinations(cards, size)]
    sets = list(dict.fromkeys(sets))[:128]
    return sets, [sum(set(part) <= set(cards) for cards in hidden) / len(hidden) for part in sets]


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.sets(st.integers(1, 12), min_size=n, max_size=n), min_size=1)))
def test_guesses_to_think_about(worlds) -> None:
    hidden = sorted((tuple(sorted(cards)) for cards in worlds), key=bits_of)
    n = len(hidden)
    bits = np.array([bits_of(cards) for cards in hidden], np.int64)
    sample = ParticleSample(bits, bits * 0, bits * 0, np.array([bits_of(range(13, 20))]), np.array([3]))
    counted, sets = SetTally(*(np.zeros(n, np.int64) for _ in range(3))), np.zeros(128, np.int64)
    n_sets, n_worlds = guess_value_kernels.tally(sample, NO_CARD, counted)
    sets = sets[: guess_value_kernels.list_sets(counted, n_sets, sets)]
    chances = np.zeros(len(sets))
    guess_value_kernels.shares(counted, n_sets, n_worlds, sets, chances)
    wanted, wanted_chances = plain_guesses(hidden)
    assert [cards_of(int(cards)) for cards in sets] == wanted
    assert chances.tolist() == pytest.approx(wanted_chances)
    values = np.zeros(len(sets))
    guess_value_kernels.guess_values(sets, chances, len(hidden[0]), 0.5, values)
    for part, p, value in zip(wanted, wanted_chances, values, strict=True):
        bonus = len(part) * p if len(part) == len(hidden[0]) else 0
        assert value == pytest.approx(len(part) * p + bonus - 0.5 * (1 - p))


def test_the_threat_of_an_escape_by_hand() -> None:
    # Pile of 4 to 7, two cards left: one world needs 2 more and has one even card of two, one world is far away.
    sample = ParticleSample(
        np.array([2, 4]),
        np.array([bits_of((4, 5)), bits_of((6, 7))]),
        np.array([-2, -50]),
        np.array([0xF0]),
        np.array([2]),
    )
    assert guess_value_kernels.threat(sample, NO_CARD, np.array([0, 1])) == pytest.approx(0.25)
    assert guess_value_kernels.threat(sample, 5, np.array([0])) == 1.0
    assert guess_value_kernels.threat(sample, 4, np.array([0])) == 0.0
    gone = sample._replace(sizes=np.array([0]), margin=np.array([0, -1]))
    assert guess_value_kernels.threat(gone, NO_CARD, np.array([0, 1])) == pytest.approx(0.5)


@given(fugitive_histories(max_last=11))
def test_l2_knows_what_is_possible_certain_and_likeliest(history) -> None:
    view = her_view(history)
    hidden = [i for i, spot in enumerate(view.public.row) if spot.card is None]
    assume(hidden)
    plain = PlainCount(gather(view.public, view.hand)).weights()
    held, worlds = Counter(), Worlds(view.public, view.hand)
    for row, weight in plain.items():
        held.update({row[i]: weight for i in hidden})
    numbers, total = tuple(sorted(held)), sum(plain.values())
    assert possible_numbers(worlds) == numbers
    assert certain_numbers(worlds) == {n for n in numbers if held[n] == total}
    assert likeliest(worlds, numbers) == max(numbers, key=lambda n: held[n])
    assert likeliest(worlds, numbers[1:] or numbers) == max(numbers[1:] or numbers, key=lambda n: held[n])
