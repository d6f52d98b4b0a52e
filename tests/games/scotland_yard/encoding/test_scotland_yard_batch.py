"""A batch of Scotland Yard plays by the rules, and shows byte for byte what the readable encoder shows."""

import copy
import pickle
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from manhunt.core.batch import OVER
from manhunt.core.errors import BadConfig, IllegalAction
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.kernel_random import new_rng
from manhunt.core.registry import kit_of
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.encoding import batch_kernels
from manhunt.games.scotland_yard.encoding.batch import ScotlandYardBatch
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import DETECTIVES
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.games.scotland_yard.rules.packed import OUTCOMES, pack
from manhunt.games.scotland_yard.rules.views import events, opening_events, view
from manhunt.testing.worlds import OtherWorlds
from scotland_yard_batches import board_configs
from scotland_yard_packed import encode, unpack

pytestmark = pytest.mark.kernel
KIT = kit_of("scotland_yard")
SMALL = make_config(n_detectives=2, rounds=4, shown=(2,))
seeds = st.integers(0, 2**32)


def batch_of(config, n_games, seed, **options):
    batch = ScotlandYardBatch(config, n_games, **options)
    batch.reset(np.arange(seed, seed + n_games, dtype=np.uint64))
    return batch


def state_of(batch, i):
    config = batch.encoder.config
    return unpack(config, DETECTIVES[: config.n_detectives], batch.states[i], free=not config.mrx_starts)


def played_at_random(batch, n_steps, seed=0):
    """Yields the numbers of each step before it is played."""
    rng, numbers = new_rng(seed), np.zeros(batch.n_games, np.int64)
    for _ in range(n_steps):
        batch.choose(rng, numbers)
        yield numbers
        batch.step(numbers)


def started(state):
    belief = Support()
    belief.start(view(state, Seat.SPECTATOR))
    return told(belief, opening_events(state))


def told(belief, happened):
    for event in happened:
        belief.update(event.seen_by(Seat.SPECTATOR) | {"v": 0})
    return belief


@given(board_configs(), seeds)
def test_games_are_played_by_the_rules_and_encoded_like_views(config, seed) -> None:
    batch = batch_of(config, 2, seed, belief=True)
    games = [(state, started(state)) for state in (state_of(batch, i) for i in range(2))]
    rng, numbers = new_rng(seed), np.zeros(2, np.int64)
    for _ in range(30):
        for i, (state, belief) in enumerate(games):
            assert_shown(batch, i, state, belief)
        batch.choose(rng, numbers)
        expected = [by_the_rules(batch, *game, number) for game, number in zip(games, numbers.tolist(), strict=True)]
        batch.step(numbers)
        for i, game in enumerate(expected):
            state = state_of(batch, i)
            assert not state.log if game is None else state == game[0]
            games[i] = game or (state, started(state))


def assert_shown(batch, i, state, belief):
    acting, end, encoder = rules.to_act(state), rules.outcome(state), batch.encoder
    assert batch.to_act[i] == (OVER if acting is None else PLAYERS.index(acting))
    assert batch.values[i] == (0 if end is None else end.value)
    seen = view(state, acting or Seat.PURSUERS)
    assert batch.masks[i].tobytes() == encoder.mask(seen).tobytes()
    whole = np.concatenate([encoder.observe(seen), encoder.belief_planes(belief)])
    assert batch.observations[i].tobytes() == whole.tobytes()


def by_the_rules(batch, state, belief, number):
    """The next state and belief; None where the game was over."""
    acting = rules.to_act(state)
    if acting is None:
        return None
    action = batch.encoder.action_of(number, view(state, acting))
    after = rules.apply_action(state, action)
    return after, told(belief, events(state, action, after))


@pytest.mark.parametrize("seat", PLAYERS, ids=lambda seat: seat.value)
@given(config=board_configs(), seed=seeds)
def test_one_seat_sees_its_own_view_and_always_acts(seat, config, seed) -> None:
    batch = batch_of(config, 2, seed, seat=seat, belief=True)
    encoder, n = batch.encoder, config.board.n_nodes
    for _ in played_at_random(batch, 12, seed):
        for i in range(2):
            state = state_of(batch, i)
            seen = view(state, seat)
            assert seen.to_act in (seat, None)
            assert batch.masks[i].tobytes() == encoder.mask(seen).tobytes()
            assert batch.observations[i, :-n].tobytes() == encoder.observe(seen).tobytes()
            assert batch.observations[i, -n + state.quarry] == 1
            assert (batch.values[i] != 0) == (seen.outcome is not None)


@given(board_configs(), seeds)
def test_masks_alone_are_the_same_masks(config, seed) -> None:
    one, other = batch_of(config, 2, seed), batch_of(config, 2, seed, observations=False)
    for numbers in played_at_random(one, 10, seed):
        assert one.masks.tobytes() == other.masks.tobytes()
        other.step(numbers)
    assert other.observations.size == 0


def follow(batch, past):
    """One game of `OtherWorlds` played in row 0 of a batch; the bytes that its seat then sees."""
    setting, games = batch._setting, batch._games
    states = past.states
    batch.states[0] = pack(states[0])
    candidates = games.candidates[0]
    starts = [states[0].config.board.node(label) for label in states[0].config.mrx_starts] or slice(None)
    candidates[:] = 0
    candidates[starts] = 1
    batch_kernels.learn(setting.table, batch.states[0], 0, 0, candidates, games.spread)
    code = 0
    for state, action in zip(states, past.actions, strict=False):
        code = batch_kernels.play(setting.table, batch.states[0], encode(state, action))
        batch_kernels.learn(setting.table, batch.states[0], state.round, code, candidates, games.spread)
    assert OUTCOMES[code] == rules.outcome(states[-1])
    assert state_of(batch, 0) == states[-1]
    batch.to_act[0] = batch_kernels.acting(batch.states[0], code)
    batch_kernels.publish(setting, games)
    return batch.observations[0].tobytes()


@given(seeds)
def test_detectives_see_the_same_bytes_in_all_worlds_that_look_alike(seed) -> None:
    """Whatever Mr X did in secret, and whoever acts."""
    rng = Random(seed)
    setup = KIT.game.deal(SMALL, rng)
    state = KIT.game.start(SMALL, setup)
    worlds = OtherWorlds(KIT.game, SMALL, setup, Seat.PURSUERS, rng=rng, most=24)
    batch = ScotlandYardBatch(SMALL, 1, seat=Seat.PURSUERS, belief=True)
    for _ in range(10):
        pasts = worlds.pasts(3)
        shown = [follow(batch, past) for past in pasts]
        assert all(view(past.states[-1], Seat.PURSUERS) == view(state, Seat.PURSUERS) for past in pasts)
        assert len(set(shown)) <= 1
        if rules.outcome(state) is not None:
            break
        action = rng.choice(rules.legal_actions(state))
        state = rules.apply_action(state, action)
        worlds.advance(action)


def test_the_same_seed_gives_the_same_games_in_any_batch() -> None:
    many, one = batch_of(SMALL, 4, 10, seat=Seat.EVADER), batch_of(SMALL, 1, 12, seat=Seat.EVADER)
    for _ in range(12):
        assert many.states[2].tobytes() == one.states[0].tobytes()
        numbers = many.masks.argmax(axis=1)
        many.step(numbers)
        one.step(numbers[2:3])


def test_generators_continue_without_seeds_and_others_are_left_alone() -> None:
    batch = batch_of(SMALL, 8, 3)
    before = batch.states.copy()
    some = np.arange(8) < 4
    batch.reset(where=some)
    assert not np.array_equal(batch.states[some], before[some])
    assert np.array_equal(batch.states[~some], before[~some])
    batch.reset(np.arange(3, 11, dtype=np.uint64), some)
    assert np.array_equal(batch.states, before)


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_are_independent_and_have_the_same_future(twin_of) -> None:
    batch = batch_of(SMALL, 3, 5, seat=Seat.PURSUERS, belief=True)
    for _ in played_at_random(batch, 3):
        pass
    twin = twin_of(batch)
    before = twin.observations.tobytes()
    futures = []
    for game in (batch, twin):
        assert game is batch or game.observations.tobytes() == before
        futures.append([])
        for _ in range(10):
            game.step(game.masks.argmax(axis=1))
            futures[-1].append((game.observations.tobytes(), game.masks.tobytes(), game.values.tobytes()))
    assert futures[0] == futures[1]


def test_an_illegal_number_is_named_and_nothing_changes() -> None:
    batch = batch_of(SMALL, 3, 1)
    before = batch.states.tobytes()
    numbers = batch.masks.argmax(axis=1)
    for wrong in (-1, batch.encoder.n_actions, batch.encoder.n_actions - 1):
        numbers[1] = wrong
        with pytest.raises(IllegalAction, match=rf"action {wrong} is not legal in game 1 for the evader; legal: \d+"):
            batch.step(numbers)
    assert batch.states.tobytes() == before


def test_chosen_numbers_are_uniform_over_the_legal_ones() -> None:
    batch = batch_of(SMALL, 1, 1)
    rng, numbers, chosen = new_rng(2), np.zeros(1, np.int64), Counter()
    n_legal = int(batch.masks.sum())
    for _ in range(30 * n_legal):
        batch.choose(rng, numbers)
        chosen[int(numbers[0])] += 1
    legal = np.flatnonzero(batch.masks[0])
    assert set(chosen) <= set(legal.tolist())
    assert chisquare([chosen[number] for number in legal]).pvalue > 1e-4


def test_bad_batches_are_refused() -> None:
    with pytest.raises(BadConfig, match="0 games; a batch needs at least one"):
        KIT.batch(SMALL, 0)
    with pytest.raises(BadConfig, match="nobody can play the chance"):
        KIT.batch(SMALL, 1, seat=Seat.CHANCE)
    with pytest.raises(BadConfig, match="pursuit has no batch: its kit needs the part 'batch'"):
        kit_of("pursuit").batch(None, 1)
