"""Games of Fugitive that visit many kinds of tables: the player behind the timings of beliefs.

The Fugitive takes piles at random, one of his three lowest hideouts, and random sprint cards until they suffice, no
more. The Marshal takes piles at random and guesses numbers at random, two of them one time in five.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Hide, Name, Pass, Sprint
from manhunt.games.fugitive.rules.config import Config, make_config
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.public import Phase
from manhunt.games.fugitive.rules.state import State

N_LOWEST = 3
PAIR_SHARE = 0.2


def coverage_states(seed: int, config: Config | None = None) -> Iterator[State]:
    """The tables of one game before each guess; the same seed gives the same game."""
    rng = Random(seed)
    state = FugitiveGame().new(config or make_config("exactly-two"), rng)
    while state.phase is not Phase.OVER:
        if state.phase in (Phase.MARSHAL_GUESS, Phase.MANHUNT):
            yield state
            for action in _guess(state, rng):
                state = rules.apply_action(state, action)
        elif state.phase is Phase.FUGITIVE_PLAY:
            state = rules.apply_action(state, _placement(state, rng))
        else:
            state = rules.apply_action(state, rng.choice(rules.legal_actions(state)))


def _guess(state: State, rng: Random) -> list[Action]:
    numbers = range(1, state.config.last)
    if state.phase is Phase.MANHUNT:
        return [Name(rng.choice(numbers))]
    n = 2 if rng.random() < PAIR_SHARE and len(numbers) > 1 else 1
    return [*(Name(number) for number in sorted(rng.sample(numbers, n))), Ask()]


def _placement(state: State, rng: Random) -> Action:
    legal = rules.legal_actions(state)
    if Done() in legal:
        return Done()
    hides = [action for action in legal if isinstance(action, Hide)]
    sprints = [action for action in legal if isinstance(action, Sprint)]
    if hides:
        return rng.choice(hides[:N_LOWEST])
    return rng.choice(sprints) if sprints else Pass()
