"""The stepper says what rules and encoder say, byte for byte, at every ply."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.ids import PLAYERS
from manhunt.core.registry import kit_of

KIT = kit_of("scotland_yard")
CONFIGS = (("standard", {}), ("ravensburger", {}), ("standard", {"n_detectives": 2, "rounds": 6, "shown": (2, 5)}))


@pytest.mark.kernel
@given(which=st.sampled_from(range(len(CONFIGS))), seed=st.integers(0, 10**6))
def test_stepper_equals_rules(which: int, seed: int) -> None:
    preset, options = CONFIGS[which]
    game, config, rng = KIT.game, KIT.game.make_config(preset, **options), Random(seed)
    encoder, stepper = KIT.encoder(config), KIT.part("stepper")(config)
    state = game.new(config, rng)
    stepper.begin(state)
    for _ in range(160):
        assert stepper.to_act is game.to_act(state)
        assert stepper.outcome == game.outcome(state)
        for seat in PLAYERS:
            view = game.view(state, seat)
            assert stepper.observe(seat).tobytes() == encoder.observe(view).tobytes()
            if seat is stepper.to_act:
                assert stepper.mask.tobytes() == encoder.mask(view).tobytes()
        if not (legal := game.legal_actions(state)):
            return
        if rng.random() < 0.1:
            stepper = stepper.copy()
        action = rng.choice(legal)
        stepper.play(encoder.number_of(action))
        state = game.apply_action(state, action)
