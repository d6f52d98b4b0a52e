"""Thousands of games of Scotland Yard in one compiled call."""

from random import Random
from typing import Any

import numpy as np

from manhunt.core.arrays import Bools, Int32s, Int64s, Words
from manhunt.core.batch import Batch
from manhunt.core.ids import PLAYERS, Seat
from manhunt.games.scotland_yard.encoding import batch_kernels
from manhunt.games.scotland_yard.encoding.batch_kernels import BOTH, Games, Layout, Setting
from manhunt.games.scotland_yard.encoding.encoder import ScotlandYardEncoder
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame
from manhunt.games.scotland_yard.rules.packed import most_actions, pack, pack_table, state_size


class ScotlandYardBatch(Batch):
    """Many games at once. Deals like the rules, but avoids deals that are over at once, as far as it finds others."""

    encoder: ScotlandYardEncoder

    def __init__(
        self,
        config: ScotlandYardConfig,
        n_games: int,
        *,
        seat: Seat | None = None,
        observations: bool = True,
        belief: bool = False,
    ) -> None:
        super().__init__(ScotlandYardEncoder(config), n_games, seat=seat, observations=observations, belief=belief)
        nodes = config.board.n_nodes
        self.states = np.zeros((n_games, state_size(config)), np.int32)
        self._rngs = np.zeros((n_games, 4), np.uint64)
        self._offers = np.zeros((n_games, most_actions(config)), np.int32)
        self._n_offers = np.zeros(n_games, np.int32)
        self._marks = np.full((n_games, 2 + config.n_detectives), -1, np.int32)
        self._candidates = np.zeros((n_games, nodes if belief else 0), np.uint8)
        self._use_kernels()

    def _use_kernels(self) -> None:
        config = self.encoder.config
        self._setting = _setting(self.encoder, self.seat)
        self._games = Games(
            self.states, self._rngs, self.to_act, self.values, self._offers, self._n_offers, self.masks,
            self.observations, self._marks, self._candidates,
            np.zeros(most_actions(config), np.int64), np.zeros(config.board.n_nodes, np.uint8),
        )  # fmt: skip

    def __getstate__(self) -> dict[str, Any]:
        """Tables are built again: a copy of them would be writable, and kernels compiled anew for that."""
        return {
            name: value for name, value in self.__dict__.items() if name not in ("_setting", "_games", "encoder")
        } | {"config": self.encoder.config}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.encoder = ScotlandYardEncoder(state.pop("config"))
        self.__dict__.update(state)
        self._use_kernels()

    def choose(self, rng: Words, out: Int64s) -> None:
        batch_kernels.choose_numbers(self._games, rng, out)

    def _seed(self, seeds: Words, where: Bools) -> None:
        batch_kernels.seed_games(self._games, seeds, where.view(np.uint8))

    def _deal(self, where: Bools) -> None:
        batch_kernels.deal_games(self._setting, self._games, where.view(np.uint8))

    def _refused(self, numbers: Int64s) -> int:
        return batch_kernels.find_refused(self._games, numbers)

    def _step(self, numbers: Int64s) -> None:
        batch_kernels.step_games(self._setting, self._games, numbers)


def _setting(encoder: ScotlandYardEncoder, seat: Seat | None) -> Setting:
    config, start = encoder.config, encoder.start
    return Setting(
        pack_table(config),
        encoder.numbering,
        Layout(*(start.get(name, encoder.observation_size) for name in Layout._fields)),
        pack(ScotlandYardGame().new(config, Random(0))),
        _nodes(config, config.mrx_starts),
        _nodes(config, config.detective_starts),
        np.array(encoder.ticket_totals, np.float64),
        BOTH if seat is None else PLAYERS.index(seat),
    )


def _nodes(config: ScotlandYardConfig, labels: tuple[str, ...]) -> Int32s:
    return np.array([config.board.node(label) for label in labels or config.board.labels], np.int32)
