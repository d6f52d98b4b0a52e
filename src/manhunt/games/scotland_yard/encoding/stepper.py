"""One game of Scotland Yard, played by kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from manhunt.core.arrays import Float32s
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.outcome import Outcome
from manhunt.core.stepper import Stepper
from manhunt.games.scotland_yard.encoding import stepper_kernels
from manhunt.games.scotland_yard.encoding.batch_kernels import OVER, Layout
from manhunt.games.scotland_yard.encoding.encoder import ScotlandYardEncoder
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.packed import OUTCOMES, WAITING, most_actions, pack, pack_table
from manhunt.games.scotland_yard.rules.state import ScotlandYardState


class ScotlandYardStepper(Stepper):
    """Compiled steps: a game by the numbers of its encoder, without states in Python."""

    def __init__(self, config: ScotlandYardConfig) -> None:
        encoder = ScotlandYardEncoder(config)
        self._table, self._numbering = pack_table(config), encoder.numbering
        self._n_actions, self._size = encoder.n_actions, encoder.observation_size
        layout = Layout(*(encoder.start.get(name, encoder.observation_size) for name in Layout._fields))
        totals = np.array(encoder.ticket_totals, np.float64)
        self._seen = (layout, self._table.shown, totals, config.n_detectives, config.board.n_nodes)
        self._offers = np.zeros(most_actions(config), np.int32)

    def begin(self, state: ScotlandYardState) -> None:
        self._state, self.mask = pack(state), np.zeros(self._n_actions, np.int8)
        self._become(stepper_kernels.begin(self._table, self._numbering, self._state, self._offers, self.mask))

    def play(self, number: int) -> None:
        self.mask = np.zeros(self._n_actions, np.int8)
        code = stepper_kernels.step(self._table, self._numbering, self._state, number, self._offers, self.mask)
        self._become(code)

    def _become(self, code: int) -> None:
        self._code = code
        self.to_act = None if code else Seat.PURSUERS if self._state[WAITING] else Seat.EVADER

    def observe(self, seat: Seat) -> Float32s:
        out = np.zeros(self._size, np.float32)
        acting = OVER if self.to_act is None else PLAYERS.index(self.to_act)
        stepper_kernels.observe(*self._seen, self._state, acting, PLAYERS.index(seat), out)
        return out

    @property
    def outcome(self) -> Outcome | None:
        return OUTCOMES[self._code]

    def copy(self) -> ScotlandYardStepper:
        twin: Any = object.__new__(ScotlandYardStepper)
        twin.__dict__.update(self.__dict__)
        twin._state = self._state.copy()
        return twin  # type: ignore[no-any-return]
