"""A game of another package is in OpenSpiel without a line of code for it."""

from __future__ import annotations

from random import Random

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install 'manhunt[openspiel]')")


@pytest.mark.parametrize("preset", ["tiny", "small", "standard", "blind"])
def test_night_chase_passes_openspiels_check_and_can_be_resampled(known: None, preset: str) -> None:
    from manhunt.adapters.openspiel import load

    game = load("night_chase", preset)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    state, rng = game.new_initial_state(), Random(1)
    for _ in range(8):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
        for player in (0, 1):
            other = state.resample_from_infostate(player, rng.random)
            assert other.information_state_string(player) == state.information_state_string(player)
