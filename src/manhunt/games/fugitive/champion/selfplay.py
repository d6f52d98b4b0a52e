"""Games that the Fugitive's net learns from: he explores, a Marshal of a pool hunts."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from manhunt.core.agent import Limit
from manhunt.core.arrays import Float32s, Floats
from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.agents.exact_marshal import ExactMarshal
from manhunt.games.fugitive.agents.search_fugitive import SearchFugitive, TurnOption, gap_of
from manhunt.games.fugitive.champion.feature_kernels import N_BELIEF
from manhunt.games.fugitive.champion.features import FEATURES, SeenGuess, Trail, hand_features
from manhunt.games.fugitive.champion.fugitive import ChampionFugitive
from manhunt.games.fugitive.champion.marshal import ChampionMarshal
from manhunt.games.fugitive.rules import rules, views
from manhunt.games.fugitive.rules.card_bits import bits_of
from manhunt.games.fugitive.rules.config import Config
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.public import Phase
from manhunt.games.fugitive.rules.state import State
from manhunt.search.value_net import ValueNet

POOL: Mapping[str, type[ExactMarshal]] = {"exact": ExactMarshal, "champion": ChampionMarshal}
HANDS, PILE_HANDS = 3, 2
SOFTNESS = 0.5
LEAST_GAP = -3


class Exploration(NamedTuple):
    """The share of turns chosen softly, and how much nearness to the escape counts beside the net, in log-odds."""

    soft: float
    tempo: float


class GameRows(NamedTuple):
    """The tables after each of the Marshal's guesses, and who won."""

    rows: Float32s
    has_won: bool


class ExploringFugitive(ChampionFugitive):
    def __init__(self, net: ValueNet, exploration: Exploration, *, hedge: bool) -> None:
        super().__init__(net, HANDS, PILE_HANDS, hedge=hedge)
        self.exploration = exploration

    def pick(self, view: views.FugitiveView, options: Sequence[TurnOption], values: Floats, rng: Random) -> int:
        odds = np.log(values / (1 - values))
        for i, option in enumerate(options):
            if option.newest != view.config.last:
                odds[i] -= self.exploration.tempo * max(gap_of(view.config, option), LEAST_GAP) / 3
        if rng.random() >= self.exploration.soft:
            return int(np.argmax(odds))
        return rng.choices(range(len(options)), np.exp((odds - odds.max()) / SOFTNESS).tolist())[0]


def play(config: Config, fugitive: SearchFugitive, marshal: ExactMarshal, seed: int) -> GameRows:
    """One game; everything comes from the seed."""
    rng, game = Random(seed), FugitiveGame()
    state = game.start(config, game.deal(config, rng))
    agents = {Seat.EVADER: fugitive, Seat.PURSUERS: marshal}
    for player, agent in agents.items():
        agent.start(views.view(state, player))
    rows: list[Float32s] = []
    while (seat := rules.to_act(state)) is not None:
        before, view = state, views.view(state, seat)
        state = rules.apply_action(before, agents[seat].act(view, Limit(), rng).action)
        if before.phase is Phase.MARSHAL_GUESS and len(state.guesses) > len(before.guesses) and state.end is None:
            row = describe(before, state, marshal)
            if row is not None:
                rows.append(row)
    won = state.end is not None and state.end.winner is Side.EVADER
    return GameRows(np.array(rows, np.float32).reshape(len(rows), len(FEATURES)), won)


def describe(before: State, after: State, marshal: ExactMarshal) -> Float32s | None:
    """The features of a table after a guess, with the Marshal's true hand and belief; None if she has no belief."""
    view = views.view(before, Seat.PURSUERS)
    worlds = marshal.belief(view)
    if worlds is None:
        return None
    config, trails = before.config, worlds.trails
    seen = SeenGuess(trails.masks.view(np.int64), trails.weights, after.guesses[-1].numbers, config.last)
    hidden = bits_of(each.card for each in before.row if not each.face_up)
    row = np.zeros(len(FEATURES), np.float32)
    seen.describe(hidden, row)
    trail = Trail(hidden, before.last_card, before.fugitive)
    is_clear = views.public_of(after).way_is_clear
    row[N_BELIEF:] = hand_features(config, trail, is_clear, before.round, sum(map(len, before.piles)))
    return row
