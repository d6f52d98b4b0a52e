"""The contract of an encoder: actions as numbers and views as arrays, for programs that learn.

An encoder is made for one config (`Kit.encoder`). An action has the same number in every position of that config, and
a view becomes a flat vector of numbers from 0 to 1, whose slices (`Plane`) are documented one by one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import Any

import numpy as np

from manhunt.core.arrays import Float32s, Int8s
from manhunt.core.belief import Belief
from manhunt.core.errors import BadConfig, IllegalAction
from manhunt.core.game import AnyGame, BoardMove, Size, View
from manhunt.core.ids import PLAYERS, Seat

MOST_ACTIONS = 100_000
"""A config with more numbers for actions than this is refused."""


@dataclass(frozen=True, slots=True)
class Plane:
    """One slice of the vector: `vector[start:start + length]`."""

    name: str
    meaning: str
    """One sentence."""
    length: int
    start: int = 0

    @property
    def where(self) -> slice:
        """Where the plane is in the vector, as a slice."""
        return slice(self.start, self.start + self.length)


def laid_out(planes: Iterable[Plane]) -> tuple[Plane, ...]:
    """The same planes one after the other, each with its place in the vector."""
    every = list(planes)
    starts = accumulate((plane.length for plane in every), initial=0)
    return tuple(Plane(p.name, p.meaning, p.length, start) for p, start in zip(every, starts, strict=False))


class Encoder(ABC):
    """Numbers for the actions of one config, and vectors for its views; it never sees a state.

    All entries of the vectors are from 0 to 1. The same view gives the same bytes.
    """

    n_actions: int
    """Actions are numbered from 0 to n_actions - 1; a number means the same in every position and for every seat."""
    planes: tuple[Plane, ...]
    """What `observe` returns, slice by slice."""
    has_joint_actions: bool = False
    """Whether some actions move all pursuers at once; `parts_of` takes them apart."""
    shared_planes: tuple[Plane, ...] = ()
    """What `belief_planes` returns, slice by slice; empty if nothing is hidden or the game has no belief."""

    @cached_property
    def observation_size(self) -> int:
        """The length of what `observe` returns."""
        return _end(self.planes)

    @cached_property
    def belief_size(self) -> int:
        """The length of what `belief_planes` returns."""
        return _end(self.shared_planes)

    @abstractmethod
    def number_of(self, action: Any) -> int:
        """The number of an action."""

    def action_of(self, number: int, view: View) -> Any:
        """The legal action with this number; IllegalAction if the view offers none."""
        for action in view.legal:
            if self.number_of(action) == number:
                return action
        raise self.refusal(number, view)

    def refusal(self, number: int, view: View) -> IllegalAction:
        """Why a number is refused, with some that are legal."""
        if view.to_act is not view.seat:
            now = "the game is over" if view.to_act is None else f"it is the turn of the {view.to_act.value}"
            return IllegalAction(f"action {number} is not legal for the {view.seat.value}: {now}")
        some = ", ".join(str(number) for number in sorted(map(self.number_of, view.legal))[:8])
        more = ", ..." if len(view.legal) > 8 else ""
        return IllegalAction(f"action {number} is not legal for the {view.seat.value}; legal: {some}{more}")

    def piece_of(self, action: Any) -> int | None:
        """Which pursuer an action moves, counted from 0; None for the quarry, and in games without pieces."""
        piece: int | None = getattr(action, "piece", None)
        return piece

    def parts_of(self, action: Any) -> tuple[int, ...]:
        """For a joint action of all pursuers, the numbers of their single moves in order; otherwise empty."""
        return ()

    def mask(self, view: View) -> Int8s:
        """1 for every action that the view offers; all 0 when another seat acts."""
        mask = np.zeros(self.n_actions, np.int8)
        mask[[self.number_of(action) for action in view.legal]] = 1
        return mask

    @abstractmethod
    def observe(self, view: View) -> Float32s:
        """What the view's seat knows, laid out as in `planes`."""

    def belief_planes(self, belief: Belief[Any]) -> Float32s:
        """What everybody can work out, laid out as in `shared_planes`.

        The belief must have followed the game as a spectator sees it; otherwise the planes reveal what only one seat
        knows.
        """
        return np.zeros(0, np.float32)


def _end(planes: tuple[Plane, ...]) -> int:
    return planes[-1].start + planes[-1].length if planes else 0


def common_planes() -> tuple[Plane, ...]:
    """What every encoder begins with; `write_common` fills it in."""
    return (
        Plane("seat", "Whose view this is: evader, pursuers.", 2),
        Plane("to_act", "Who acts now: evader, pursuers; both 0 when the game is over.", 2),
    )


def write_common(out: Float32s, view: View) -> None:
    for at, whose in ((0, view.seat), (2, view.to_act)):
        if whose in PLAYERS:
            out[at + PLAYERS.index(whose)] = 1


def share_of_rounds(round_: int, size: Size) -> float:
    """The share of rounds that are over; without a last round it approaches 1."""
    return min(round_ / size.rounds, 1.0) if size.rounds else round_ / (round_ + 20)


class BoardEncoder(Encoder):
    """Encodes games with a `BoardView` whose actions are `BoardMove`: one piece goes to a node.

    A move of the quarry has the number of its node; for pursuer i, add (i + 1) times the number of nodes.
    """

    def __init__(self, config: Any, n_pursuers: int, size: Size, *, has_belief: bool = False) -> None:
        self.n_nodes, self.n_pursuers, self.size = config.board.n_nodes, n_pursuers, size
        self.n_actions = (1 + n_pursuers) * self.n_nodes
        self.planes = laid_out((*common_planes(), *self.own_planes()))
        if has_belief:
            meaning = "By node: 1 if the quarry can be there, from what everybody saw."
            self.shared_planes = (Plane("candidates", meaning, self.n_nodes),)

    def own_planes(self) -> tuple[Plane, ...]:
        """The planes after those that all games have."""
        n, pieces = self.n_nodes, range(self.n_pursuers)
        return (
            Plane("round", "The share of rounds that are over.", 1),
            Plane("movable", "By pursuer: 1 if this seat can move it now.", self.n_pursuers),
            Plane("quarry", "By node: 1 where the quarry is; all 0 while the seat does not see it.", n),
            Plane("sighting", "By node: 1 where the quarry was seen last.", n),
            Plane("sighting_round", "The share of rounds that were over at that sighting.", 1),
            *(Plane(f"pursuer_{i}", f"By node: 1 where pursuer {i} is.", n) for i in pieces),
        )

    @cached_property
    def _starts(self) -> dict[str, int]:
        return {plane.name: plane.start for plane in self.planes}

    def number_of(self, action: BoardMove) -> int:
        piece = action.piece
        return action.to if piece is None else (piece + 1) * self.n_nodes + action.to

    def observe(self, view: Any) -> Float32s:
        out = np.zeros(self.observation_size, np.float32)
        starts = self._starts
        write_common(out, view)
        out[starts["round"]] = share_of_rounds(view.round, self.size)
        for action in view.legal:
            piece = getattr(action, "piece", None)
            if piece is not None:
                out[starts["movable"] + piece] = 1
        if view.quarry is not None:
            out[starts["quarry"] + view.quarry] = 1
        sighting = getattr(view, "sighting", None)
        if sighting is not None:
            out[starts["sighting"] + sighting.node] = 1
            out[starts["sighting_round"]] = share_of_rounds(sighting.round, self.size)
        if view.pursuers:
            first = starts["pursuer_0"]
            out[[first + i * self.n_nodes + node for i, node in enumerate(view.pursuers)]] = 1
        return out

    def belief_planes(self, belief: Belief[Any]) -> Float32s:
        out = np.zeros(self.belief_size, np.float32)
        if self.shared_planes:
            out[list(belief.candidates)] = 1
        return out


def default_encoder(game: AnyGame, config: Any, size: Size, *, has_belief: bool) -> BoardEncoder:
    """The encoder of a game without its own; BadConfig if its views or actions are not those of a plain board game."""
    state = game.new(config, Random(0))
    view = game.view(state, Seat.SPECTATOR)
    if not all(hasattr(view, name) for name in ("pursuers", "quarry", "round")) or not game.capabilities.board:
        raise _no_encoder(game, "its views have no pursuers, quarry and round on a board")
    made = BoardEncoder(config, max(size.pieces, len(view.pursuers)), size, has_belief=has_belief)
    _check_numbers(game, state, made)
    return made


def _check_numbers(game: AnyGame, state: Any, encoder: BoardEncoder, n_plies: int = 20) -> None:
    """A short game by lot must have actions with different numbers, the quarry's below all others."""
    rng = Random(0)
    for _ in range(n_plies):
        legal = game.legal_actions(state)
        if not legal:
            return
        is_evader = game.to_act(state) is Seat.EVADER
        for action in legal:
            piece = getattr(action, "piece", "missing")
            if not hasattr(action, "to") or (piece is not None if is_evader else type(piece) is not int):
                raise _no_encoder(game, "not all its actions take one piece (None for the quarry) to one node")
        if len({encoder.number_of(action) for action in legal}) < len(legal):
            raise _no_encoder(game, "two of its actions take the same piece to the same node")
        state = game.apply_action(state, rng.choice(legal))


def _no_encoder(game: AnyGame, why: str) -> BadConfig:
    return BadConfig(f"{game.name} has no encoder: {why}; its kit needs the part 'encoder'")


def check_n_actions(game: str, n_actions: int, advice: str) -> None:
    """Refuse a numbering that no array should have."""
    if n_actions > MOST_ACTIONS:
        raise BadConfig(f"{game}: {n_actions:,} numbers for actions are too many (max {MOST_ACTIONS:,}); {advice}")
