"""What would have been better than a move that surely lost something: it is, by a plain minimax."""

from __future__ import annotations

from random import Random

import pytest

from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.solvers.better import better_raise, better_step
from manhunt.games.shortest_path.solvers.bounds import find_bounds
from manhunt.games.shortest_path.solvers.review import review
from shortest_path_plain import CLOSE, COMPILED, few, plain_value, random_config

pytestmark = pytest.mark.kernel
SECONDS = 0.2


def test_what_is_called_better_is_better() -> None:
    """Random games on graphs of 5 and 6 nodes."""
    rng, n_steps, n_raises = Random("better"), 0, 0
    for i in range(few(40)):
        state = rules.start(random_config(rng, 5 + i % 2, rng.randint(6, 9)))
        states, actions = [state], []
        while state.quarry != state.config.target and len(actions) < 8:
            actions.append(rng.choice(rules.legal_actions(state)))
            state = rules.apply_action(state, actions[-1])
            states.append(state)
        for each in review(states, actions, find_bounds(states[0], SECONDS), SECONDS):
            step, reply = better_step(each, SECONDS), better_raise(each, SECONDS)
            assert each.traveller_lost or step is None
            assert each.adversary_lost or reply is None
            if step is not None:
                after = rules.apply_action(each.before, step)
                paid = after.total - each.before.total + plain_value(after)
                assert paid == pytest.approx(plain_value(each.before), abs=CLOSE)
                n_steps += 1
            if reply is not None:
                other = plain_value(rules.apply_action(each.after, each.reply))
                gained = plain_value(rules.apply_action(each.after, reply)) - other
                assert gained > CLOSE
                n_raises += 1
    assert min(n_steps, n_raises) >= (10 if COMPILED else 0)
