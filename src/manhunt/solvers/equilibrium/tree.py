"""A small game of any kit as a tree of histories: what each seat knows in it, and its sequence form.

Two histories are in one infoset when the seat to act has seen the same events, as `Event.seen_by` gives them, and has
chosen the same actions. So nobody forgets anything, and every infoset has one sequence of its own side before it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from random import Random
from typing import Any, NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int32s
from manhunt.core.errors import ManhuntError
from manhunt.core.events import Event
from manhunt.core.game import AnyGame, Setup
from manhunt.core.ids import PLAYERS, Seat
from manhunt.solvers.equilibrium.game import BilinearGame, DecisionsBuilder, sparse_payoffs
from manhunt.solvers.memory import TooLarge

MOST_HISTORIES = 1_000_000
"""More are refused unless the caller allows them."""

CERTAINLY = 100
"""A game whose estimated size is so many times too large is refused before anything is listed."""


class Kind(IntEnum):
    """What a node of the tree is; the first two are the indices of `PLAYERS`."""

    EVADER = 0
    PURSUERS = 1
    CHANCE = 2
    END = 3


class Infoset(NamedTuple):
    """A choice that a seat faces with the same knowledge; its actions are the sequences from `first` on."""

    seat: Seat
    actions: tuple[Any, ...]
    first: int
    parent: int
    """The sequence of the same side before it."""
    node: int
    """The first history in it; all others look the same to the seat."""


class Nodes(NamedTuple):
    """Histories in prefix order, those without a choice left out."""

    kind: Int32s
    parent: Int32s
    """-1 for the root."""
    branch: Int32s
    """Which of its parent's actions, outcomes or deals leads here."""
    infoset: Int32s
    """Index among the infosets of the side; -1 where nobody chooses."""
    odds: Floats
    """The probability of the step that leads here; 1 where a seat chose it."""
    payoff: Floats
    """The evader's, at the end of a game."""


class Ply(NamedTuple):
    """One step of a history, with the state before it."""

    state: Any
    seat: Seat
    action: Any


@dataclass(frozen=True)
class HistoryTree:
    """A small game as a tree of histories, with the infosets of both sides."""

    game: AnyGame
    config: Any
    deals: tuple[tuple[Setup, float], ...]
    nodes: Nodes
    """Every history in which somebody has a choice, and how each game ends."""
    infosets: tuple[tuple[Infoset, ...], tuple[Infoset, ...]]
    """The evader's and the pursuers'; each comes after the infosets on the way to it."""
    form: BilinearGame
    """The same game as payoffs for pairs of sequences, which the solvers use."""
    n_histories: int
    """The number of histories, including those without a choice."""

    @property
    def n_infosets(self) -> int:
        """Infosets of both sides."""
        return sum(map(len, self.infosets))

    @property
    def n_sequences(self) -> int:
        """Sequences of both sides, the empty ones included."""
        return self.form.evader.n_sequences + self.form.pursuers.n_sequences

    def history_of(self, node: int) -> tuple[Any, list[Ply], Any]:
        """The state after the deal, every ply on the way to a node, and the state there."""
        branches = []
        while node > 0:
            branches.append(int(self.nodes.branch[node]))
            node = int(self.nodes.parent[node])
        deal = branches.pop() if len(self.deals) > 1 else 0
        game = self.game
        state = first = game.start(self.config, self.deals[deal][0])
        plies: list[Ply] = []
        while (seat := game.to_act(state)) is not None:
            steps = _steps_of(game, state, seat)
            if len(steps) > 1 and not branches:
                break
            action = steps[branches.pop()][0] if len(steps) > 1 else steps[0][0]
            plies.append(Ply(state, seat, action))
            state = game.apply_action(state, action)
        return first, plies, state


def build_tree(
    game: AnyGame,
    config: Any,
    *,
    most_histories: int = MOST_HISTORIES,
    on_progress: Callable[[int, float], object] | None = None,
) -> HistoryTree:
    """List every history of a config; TooLarge beyond `most_histories`. `on_progress` is called with the number of
    histories so far and the share of deals that they come from.

    >>> from manhunt import make_game
    >>> from manhunt.solvers import build_tree
    >>> game = make_game("pursuit")
    >>> config = game.make_config(board="complete:4", n_detectives=1, max_rounds=1, visibility="rounds")
    >>> build_tree(game, config).n_histories
    108
    """
    deals = tuple(game.deals(config))
    about = estimate_histories(game, config, deals)
    if about > CERTAINLY * most_histories:
        raise TooLarge(_too_large(game, config, f"about {about:.0e} histories, and at most {most_histories:,} fit"))
    builder = _Builder(game, config, deals, most_histories, on_progress)
    builder.walk()
    return builder.finish()


def estimate_histories(game: AnyGame, config: Any, deals: Sequence[tuple[Setup, float]], probes: int = 32) -> float:
    """Knuth's estimate of the size of a tree: each probe walks at random and multiplies the numbers of choices."""
    rng, total = Random(0), 0.0
    for _ in range(probes):
        state, width = game.start(config, rng.choice(deals)[0]), float(len(deals))
        total += width
        while (seat := game.to_act(state)) is not None and width < 1e18:
            steps = _steps_of(game, state, seat)
            width *= len(steps)
            total += width
            state = game.apply_action(state, rng.choice(steps)[0])
    return total / probes


def _too_large(game: AnyGame, config: Any, what: str) -> str:
    return f"{game.describe_config(config) or game.title}: {what}; take fewer rounds, fewer pieces or a smaller board"


class _Waiting(NamedTuple):
    """A step that is still to be made: from a state, or a deal, to its successor."""

    before: Any
    action: Any
    odds: float
    parent: int
    branch: int
    knows: tuple[int, int]
    sequences: tuple[int, int]
    chance: float
    """The probability of all chance and deals on the way."""


@dataclass
class _Builder:
    game: AnyGame
    config: Any
    deals: tuple[tuple[Setup, float], ...]
    most_histories: int
    on_progress: Callable[[int, float], object] | None
    n_histories: int = 0
    done: float = 0.0
    columns: tuple[array[int], ...] = field(default_factory=lambda: tuple(array("i") for _ in range(4)))
    odds: array[float] = field(default_factory=lambda: array("d"))
    payoff: array[float] = field(default_factory=lambda: array("d"))
    ends: tuple[array[int], array[int]] = field(default_factory=lambda: (array("i"), array("i")))
    """Of each end of a game: the sequence of either side."""
    earned: array[float] = field(default_factory=lambda: array("d"))
    """The payoff there, times the probability of all chance."""
    sides: tuple[DecisionsBuilder, DecisionsBuilder] = field(
        default_factory=lambda: (DecisionsBuilder(), DecisionsBuilder())
    )
    infosets: tuple[list[Infoset], list[Infoset]] = field(default_factory=lambda: ([], []))
    _known: dict[Hashable, int] = field(default_factory=dict)
    """Numbers for everything that a seat may know: what it knew before, its action, what it saw then."""
    _infoset_of: dict[int, int] = field(default_factory=dict)

    def walk(self) -> None:
        game, parent = self.game, -1
        if len(self.deals) > 1:
            parent = self._add_node(Kind.CHANCE, -1, 0, -1, 1.0)
        for i, (setup, p) in enumerate(self.deals):
            state = game.start(self.config, setup)
            knows = self._learn((-1, -2), None, None, game.opening_events(state))
            stack: list[_Waiting] = []
            self._arrive(state, stack, p, parent, i, knows, (0, 0), p)
            while stack:
                step = stack.pop()
                state = game.apply_action(step.before, step.action)
                events = game.events(step.before, step.action, state)
                knows = self._learn(step.knows, game.to_act(step.before), step.action, events)
                self._arrive(state, stack, step.odds, step.parent, step.branch, knows, step.sequences, step.chance)
            self.done += p

    def _arrive(
        self,
        state: Any,
        stack: list[_Waiting],
        odds: float,
        parent: int,
        branch: int,
        knows: tuple[int, int],
        sequences: tuple[int, int],
        chance: float,
    ) -> None:
        """Write a history down, and what may follow."""
        game = self.game
        self._count()
        while (seat := game.to_act(state)) is not None:
            steps = _steps_of(game, state, seat)
            if len(steps) > 1:
                break
            action, before = steps[0][0], state
            state = game.apply_action(before, action)
            knows = self._learn(knows, seat, action, game.events(before, action, state))
            self._count()
        if seat is None:
            end = game.outcome(state)
            assert end is not None
            self._add_node(Kind.END, parent, branch, -1, odds, end.value)
            for sequence, column in zip(sequences, self.ends, strict=True):
                column.append(sequence)
            self.earned.append(end.value * chance)
            return
        if seat is Seat.CHANCE:
            node = self._add_node(Kind.CHANCE, parent, branch, -1, odds)
            for i in range(len(steps) - 1, -1, -1):
                action, p = steps[i]
                stack.append(_Waiting(state, action, p, node, i, knows, sequences, chance * p))
            return
        side = PLAYERS.index(seat)
        node = len(self.columns[0])
        index = self._infoset(side, knows[side], tuple(action for action, _ in steps), sequences[side], node)
        self._add_node(Kind(side), parent, branch, index, odds)
        first = self.infosets[side][index].first
        for i in range(len(steps) - 1, -1, -1):
            after = (first + i, sequences[1]) if side == 0 else (sequences[0], first + i)
            stack.append(_Waiting(state, steps[i][0], 1.0, node, i, knows, after, chance))

    def _learn(
        self, knows: tuple[int, int], acting: Seat | None, action: Any, events: tuple[Event, ...]
    ) -> tuple[int, int]:
        known = self._known
        evader, pursuers = (
            known.setdefault(
                (before, action if acting is seat else None, *(repr(event.seen_by(seat)) for event in events)),
                len(known),
            )
            for before, seat in zip(knows, PLAYERS, strict=True)
        )
        return evader, pursuers

    def _infoset(self, side: int, knows: int, actions: tuple[Any, ...], parent: int, node: int) -> int:
        infosets = self.infosets[side]
        index = self._infoset_of.setdefault(knows, len(infosets))
        if index == len(infosets):
            first = self.sides[side].add_infoset([parent], len(actions))
            infosets.append(Infoset(PLAYERS[side], actions, first, parent, node))
        elif infosets[index].actions != actions or infosets[index].parent != parent:
            who = self.game.called(PLAYERS[side])
            raise ManhuntError(f"{self.game.title}: {who} can choose differently in two histories that look the same")
        return index

    def _add_node(self, kind: Kind, parent: int, branch: int, infoset: int, odds: float, payoff: float = 0.0) -> int:
        for column, value in zip(self.columns, (kind, parent, branch, infoset), strict=True):
            column.append(value)
        self.odds.append(odds)
        self.payoff.append(payoff)
        return len(self.odds) - 1

    def _count(self) -> None:
        self.n_histories += 1
        if self.n_histories > self.most_histories:
            what = f"more than {self.most_histories:,} histories, with {self.done:.1%} of the deals done"
            raise TooLarge(_too_large(self.game, self.config, what))
        if self.on_progress is not None and self.n_histories % 4096 == 0:
            self.on_progress(self.n_histories, self.done)

    def finish(self) -> HistoryTree:
        kind, parent, branch, infoset = (np.array(column, dtype=np.int32) for column in self.columns)
        nodes = Nodes(kind, parent, branch, infoset, np.array(self.odds), np.array(self.payoff))
        evader, pursuers = (side.finish() for side in self.sides)
        of_evader, of_pursuers = (np.array(column, dtype=np.int32) for column in self.ends)
        payoffs = sparse_payoffs(of_evader, of_pursuers, np.array(self.earned))
        form = BilinearGame(evader, pursuers, payoffs)
        infosets = (tuple(self.infosets[0]), tuple(self.infosets[1]))
        return HistoryTree(self.game, self.config, self.deals, nodes, infosets, form, self.n_histories)


def _steps_of(game: AnyGame, state: Any, seat: Seat) -> tuple[tuple[Any, float], ...]:
    """What may happen next, with the probabilities where chance decides."""
    if seat is Seat.CHANCE:
        return game.chance_odds(state)
    return tuple((action, 1.0) for action in game.legal_actions(state))
