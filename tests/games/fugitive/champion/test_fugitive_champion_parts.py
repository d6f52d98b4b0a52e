"""What the champions look at: features, likely hands, foreseen guesses, mixed beliefs, signs of a rival."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.agents.exact_marshal import ExactMarshal
from manhunt.games.fugitive.beliefs.models import CHANCE_ONLY, SensiblePlay, paid_placement
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.champion.feature_kernels import LEAST, N_BELIEF, scaled_log
from manhunt.games.fugitive.champion.features import (
    BELIEF_FEATURES,
    FEATURES,
    HAND_FEATURES,
    SeenGuess,
    Trail,
    hand_features,
)
from manhunt.games.fugitive.champion.foresight import ForeseenMarshal
from manhunt.games.fugitive.champion.habits import MODELS, SHARES, SlyPlay
from manhunt.games.fugitive.champion.hands import likely_hand
from manhunt.games.fugitive.champion.marshal import ChampionMarshal
from manhunt.games.fugitive.champion.mixed_worlds import MixedWorlds
from manhunt.games.fugitive.champion.rivals import MOST, Foreseen, RivalSigns
from manhunt.games.fugitive.rules import rules, views
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_of
from manhunt.games.fugitive.rules.config import Config, make_config
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.public import Draw, Guess, Phase, Public
from manhunt.games.fugitive.rules.state import State

# bit counts without compilation
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
STANDARD = make_config()


def tables(config: Config, n_games: int, phase: Phase) -> list[State]:
    """What random games look like in a phase."""
    found = []
    for seed in range(n_games):
        state, rng = FugitiveGame().new(config, Random(seed)), Random(seed)
        while state.end is None:
            if state.phase is phase and not state.pending and state.row:
                found.append(state)
            state = rules.apply_action(state, rng.choice(rules.legal_actions(state)))
    return found


def plain_belief(rows: dict[int, float], guess: int, hidden: int) -> list[float]:
    """The features of a belief, from their names."""
    is_hit = hidden & guess == guess
    part = {mask: w for mask, w in rows.items() if (mask & guess == guess) == is_hit}
    mass = sum(part.values())
    share = {mask: w / mass for mask, w in part.items()} if mass else {}
    left = cards_of(hidden & ~guess if is_hit else hidden)
    chances = [sum(w for mask, w in share.items() if mask >> card & 1) for card in left]
    own, n = share.get(hidden, 0.0), max(len(left), 1)
    newest = chances[-1] if chances else 0.0
    certain = sum(c > 0.95 for c in chances)
    return [
        scaled_log(own), own, scaled_log(min(chances, default=1.0)), min(chances, default=1.0),
        max(chances, default=0.0), sum(chances) / n, sum(map(scaled_log, chances)) / n, newest, scaled_log(newest),
        len(left) / 4, -sum(w * np.log(w) for w in share.values()) / 5, max(share.values(), default=0.0),
        certain / 2, (len(left) - certain) / 4,
    ]  # fmt: skip


@pytest.mark.kernel
@given(seed=st.integers(0, 10_000))
def test_the_kernel_describes_a_belief_as_its_names_say(seed: int) -> None:
    rng = Random(seed)
    masks = sorted({bits_of(rng.sample(range(1, 12), 3)) for _ in range(rng.randint(1, 9))})
    weights = np.array([rng.random() + 0.01 for _ in masks])
    weights /= weights.sum()
    guess = rng.sample(range(1, 12), rng.randint(1, 2))
    seen = SeenGuess(np.array(masks, np.int64), weights, guess, 12)
    for hidden in (rng.choice(masks), bits_of(rng.sample(range(1, 12), 3))):
        out = np.zeros(len(FEATURES), np.float32)
        left = seen.describe(hidden, out)
        bits = bits_of(guess)
        assert left == (hidden & ~bits if hidden & bits == bits else hidden)
        wanted = plain_belief(dict(zip(masks, weights.tolist(), strict=True)), bits, hidden)
        np.testing.assert_allclose(out[:N_BELIEF], wanted, atol=1e-5)


def test_chances_are_scaled_from_the_least_to_certainty() -> None:
    assert scaled_log(1.0) == 1.0
    assert scaled_log(LEAST) == scaled_log(0.0) == 0.0


def test_features_of_a_hand_counted_by_hand() -> None:
    trail = Trail(bits_of((20,)), 20, (18, 22, 27, 42))
    found = dict(zip(HAND_FEATURES, hand_features(STANDARD, trail, True, 5, 12), strict=True))
    assert found["distance"] == pytest.approx(19 / 20)
    assert found["sprint value"] == pytest.approx(5 / 10)
    assert found["gap"] == found["gap above 0"] == found["gap, way open"] == pytest.approx(14 / 10)
    assert found["can escape"] == found["can nearly escape"] == 0
    assert found["cards ahead"] == pytest.approx(2 / 4)
    assert found["cards behind"] == pytest.approx(1 / 4)
    assert found["cards in reach"] == pytest.approx(1 / 2)
    assert found["round"] == pytest.approx(0.5)
    assert len(FEATURES) == len(set(FEATURES)) == len(BELIEF_FEATURES) + len(HAND_FEATURES)
    assert len(BELIEF_FEATURES) == N_BELIEF


@pytest.mark.parametrize("state", tables(STANDARD, 2, Phase.FUGITIVE_PLAY)[:6])
def test_a_likely_hand_fits_her_draws_and_holds_nothing_that_she_named_later(state: State) -> None:
    view = views.view(state, Seat.EVADER)
    guess = Guess(view.round, (9, 17), False, len(view.row))
    seen = replace(view, public=replace(view.public, guesses=(*view.public.guesses, guess)))
    own = {*view.hand, *(card for spot in view.row for card in (spot.card, *(spot.sprints or ())))}
    for seed in range(10):
        hand = likely_hand(seen, Random(seed))
        assert len(set(hand)) == len(hand) == len(state.marshal)
        assert not own & set(hand)
        assert not {9, 17} & set(hand)
        per_pile = [sum(STANDARD.pile_of[card] == pile for card in hand) for pile in range(3)]
        assert tuple(per_pile) == view.public.n_drawn(Side.PURSUERS)


@pytest.mark.parametrize("sly", [False, True])
def test_a_foreseen_guess_is_what_that_marshal_names(sly: bool) -> None:
    marshal = ChampionMarshal(sly=sly) if sly else ExactMarshal()
    for state in tables(STANDARD, 3, Phase.MARSHAL_DRAW)[:5]:
        if state.round == 1 and state.n_left < STANDARD.first_draws:
            continue
        view = views.view(state, Seat.EVADER)
        foreseen = ForeseenMarshal(view, state.marshal, Random(1), sly=sly)
        seen = foreseen.guess(view.public, len(view.hand))
        piles = [list(cards) for cards in foreseen.piles]
        played = state._replace(piles=tuple(map(tuple, piles)))
        while played.phase is Phase.MARSHAL_DRAW:
            hers = views.view(played, Seat.PURSUERS)
            action = marshal.plan(hers, Random(1))[0]
            played = rules.apply_action(played, action)
        assert tuple(sorted(foreseen.cards)) == played.marshal
        hers = views.view(played, Seat.PURSUERS)
        assert tuple(marshal.guess(hers, Random(1))) == cards_of(seen.guess)


def test_a_mixed_belief_is_the_mean_of_its_parts() -> None:
    for state in tables(STANDARD, 2, Phase.MARSHAL_GUESS)[:6]:
        view = views.view(state, Seat.PURSUERS)
        models, shares = (SensiblePlay(), CHANCE_ONLY), (1.0, 3.0)
        mixed = MixedWorlds(view.public, view.hand, models, shares)
        parts = [Worlds(view.public, view.hand, model) for model in models]
        wanted = 0.25 * parts[0].hideouts + 0.75 * parts[1].hideouts
        np.testing.assert_allclose(mixed.hideouts, wanted, atol=1e-9)
        np.testing.assert_allclose(
            mixed.places.pile, 0.25 * parts[0].places.pile + 0.75 * parts[1].places.pile, atol=1e-9
        )
        alone = MixedWorlds(view.public, view.hand, models, (1.0, 0.0))
        np.testing.assert_allclose(alone.hideouts, parts[0].hideouts, atol=1e-9)
        for pile in range(3):
            for card in list(mixed.draw_chances(pile))[:2]:
                np.testing.assert_allclose(
                    alone.after_draw(card).hideouts, parts[0].after_draw(card).hideouts, atol=1e-9
                )
        rows = {tuple(row) for row in mixed.trails.rows.tolist()}
        worlds = mixed.sample(Random(1), 20)
        assert len(worlds) == 20
        assert {world.row for world in worlds} <= rows


def test_the_champion_is_never_blind() -> None:
    """Every row that is possible by chance alone has some weight in her belief."""
    assert min(SHARES) > 0
    assert len(SHARES) == len(MODELS)
    for state in tables(STANDARD, 2, Phase.MARSHAL_GUESS)[:6]:
        view = views.view(state, Seat.PURSUERS)
        worlds = ChampionMarshal().belief(view)
        if worlds is not None:
            assert (worlds.hideouts > 0).tolist() == (Worlds(view.public, view.hand).hideouts > 0).tolist()


def test_sly_play_likes_bluffs_and_long_steps() -> None:
    model = SlyPlay()
    plain, bluff = (paid_placement(3, 10, 12, n, 0, 4) for n in (0, 1))
    assert model.factor(bluff) > model.factor(plain)
    assert model.factor(paid_placement(3, 10, 13, 0, 0, 4)) > model.factor(plain)
    assert model.factor(paid_placement(3, 10, 60, 10, 40, 4)) < float("inf")


def test_guesses_tell_which_marshal_it_is() -> None:
    signs = RivalSigns()
    assert signs.sly_share == 0.5
    table = Public(STANDARD, guesses=(Guess(2, (5, 9), False, 2),))
    signs.expect(2, [Foreseen(False, bits_of((5, 9))), Foreseen(True, bits_of((6,)))])
    signs.look(table)
    assert signs.sly_share < 0.5
    before = signs.log_odds
    signs.look(table)  # heard already
    assert signs.log_odds == before
    for round_ in range(3, 60):
        signs.expect(round_, [Foreseen(False, bits_of((6,))), Foreseen(True, bits_of((7,)))])
        signs.look(replace(table, guesses=(Guess(round_, (7,), False, 2),)))
    assert signs.sly_share == MOST


def test_nothing_is_learnt_from_a_guess_that_was_not_foreseen() -> None:
    signs = RivalSigns()
    signs.expect(3, [Foreseen(False, bits_of((6,)))])
    signs.look(Public(STANDARD, guesses=(Guess(3, (6,), True, 2),)))
    signs.look(Public(STANDARD, (Draw(Side.EVADER, 0, 1, 0),)))
    assert signs.log_odds == 0
