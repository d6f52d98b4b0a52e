"""The Marshal's notepad as a layered graph: quick and sound, but loose.

A node is a position with a card that it may be; an edge joins cards of neighbouring positions that a step can join. A
face-down sprint card counts as 2, since it may be even; piles, the identity of sprint cards and failed guesses of more
than one number are forgotten. What no chain from the start to the newest position uses is removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from manhunt.core.arrays import Int8s
from manhunt.core.errors import ManhuntError
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_of, cards_within
from manhunt.games.fugitive.rules.config import Config, make_config, sprint_value
from manhunt.games.fugitive.rules.public import Card, Public

NotesNode = tuple[int, Card]
"""Position and card; (0, 0) is the start."""


class MarshalNotes:
    """The Marshal's notes: update them with what happens, or make them from a game so far with `MarshalNotes.of`.

    `add_new_hideout`, `eliminate_vals`, `hideout_revealed`, `hideouts_range`, `n_hideouts` and `graph` are the names in
    the document "Tracking the Fugitive with Graph-Based Deduction" and do what it describes, with two bugs of its
    listing fixed: `n_hideouts` grows by one for each hideout (the listing adds one for each card that the hideout
    before it may be), and the escape counts (the listing's range ends at 41). A face-down hideout is never the last
    card, because an escape is face up: follow it with `hideout_revealed(depth, 42)`. A face-up card stays where it is,
    even if it is among the values to eliminate. Notes that contradict each other raise ManhuntError.

    Examples:
        >>> notes = MarshalNotes()
        >>> notes.add_new_hideout(0, [])
        >>> sorted(notes.candidates(1))
        [1, 2, 3]
    """

    def __init__(self, config: Config | None = None) -> None:
        self.config = config = make_config() if config is None else config
        self._alive = [1]
        self._step = [0]
        self._seen = 1 << config.last
        self._face_up: dict[int, Card] = {0: 0}

    @classmethod
    def of(cls, public: Public, hand: Iterable[Card]) -> MarshalNotes:
        """The notes of a whole game so far."""
        notes = cls(public.config)
        for spot in public.row:
            if spot.card == public.config.last:
                notes._append(spot.n_sprints, 1 << public.config.last)
            else:
                notes._append(spot.n_sprints, notes._hideouts)
        notes._eliminate(hand)
        open_cards: set[Card] = set()
        for guess in public.guesses:
            if guess.hit:
                open_cards |= set(guess.numbers)
            elif len(guess.numbers) == 1 and not open_cards & set(guess.numbers):
                notes._strike(guess.numbers[0], guess.n_placed)
        for position, spot in enumerate(public.row, 1):
            if spot.card is not None and spot.sprints is not None:
                notes._reveal(position, spot.card, spot.sprints)
        notes._prune()
        return notes

    @property
    def n_positions(self) -> int:
        """Hideouts on the row, without the start."""
        return len(self._alive) - 1

    @property
    def _hideouts(self) -> int:
        return ((1 << self.config.last) - 2) & ~self._seen

    @property
    def n_hideouts(self) -> int:
        """Hideouts on the row, including the start."""
        return len(self._alive)

    @property
    def hideouts_range(self) -> Int8s:
        """An array of depth by number: 1 where the hideout at that depth may be that number; depth 0 is the start.

        It is a new array each time, with as many rows as the game can have hideouts.
        """
        table = np.zeros((self.config.last + 1, self.config.last + 1), np.int8)
        for depth, card in self.nodes():
            table[depth, card] = 1
        return table

    @property
    def graph(self) -> Any:
        """The same as `to_networkx()`: a new DiGraph each time."""
        return self.to_networkx()

    def add_new_hideout(self, n_sprint: int, filtered_vals: Iterable[Card] = ()) -> None:
        """The Fugitive placed a card face down with this many sprint cards; it is none of `filtered_vals`."""
        self._append(n_sprint, self._hideouts & ~bits_of(filtered_vals))
        self._prune()

    def escape(self, n_sprints: int) -> None:
        """The Fugitive placed the last card."""
        self._append(n_sprints, 1 << self.config.last)
        self._prune()

    def eliminate(self, cards: Iterable[Card]) -> None:
        """These cards are not hideouts, now or later; for example, they are in the Marshal's hand."""
        self._eliminate(cards)
        self._prune()

    def eliminate_vals(self, vals: Iterable[Card]) -> None:
        """No hideout placed so far is one of these, but a later one may be; for example, single guesses that failed."""
        for number in vals:
            self._strike(number, self.n_positions)
        self._prune()

    def reveal(self, position: int, card: Card, sprints: Iterable[Card] | None = None) -> None:
        """A position was turned up with its sprint cards; if you leave them out, each still counts as 2."""
        self._reveal(position, card, sprints)
        self._prune()

    def hideout_revealed(self, depth: int, hideout: Card) -> None:
        """A position was turned up, or the escape was placed; its sprint cards stay unknown."""
        self.reveal(depth, hideout)

    def _append(self, n_sprints: int, cards: int) -> None:
        self._alive.append(cards)
        self._step.append(self.config.reach + 2 * n_sprints)

    def _eliminate(self, cards: Iterable[Card]) -> None:
        gone = bits_of(cards)
        self._seen |= gone
        gone &= ~(1 << self.config.last)
        for position in range(1, len(self._alive)):
            shown = self._face_up.get(position)
            self._alive[position] &= ~(gone if shown is None else gone & ~(1 << shown))

    def _strike(self, number: Card, n_placed: int) -> None:
        for position in range(1, min(n_placed, self.n_positions) + 1):
            if self._alive[position] != 1 << self.config.last and position not in self._face_up:
                self._alive[position] &= ~(1 << number)

    def _reveal(self, position: int, card: Card, sprints: Iterable[Card] | None) -> None:
        if not 1 <= position <= self.n_positions:
            raise ManhuntError(f"there is no position {position} to turn up; the row has 1 to {self.n_positions}")
        values = () if sprints is None else tuple(sprints)
        self._face_up[position] = card
        self._alive[position] = 1 << card if card == self.config.last else self._alive[position] & 1 << card
        if sprints is not None:
            self._step[position] = self.config.reach + sum(map(sprint_value, values))
        self._eliminate([card, *values])

    def _prune(self) -> None:
        """Remove what cannot be reached from either end."""
        alive = self._alive
        for i in range(1, len(alive)):
            alive[i] &= cards_within(alive[i - 1], self._step[i])
        for i in range(len(alive) - 2, -1, -1):
            alive[i] &= cards_within(alive[i + 1], -self._step[i + 1])
        if not all(alive):
            raise ManhuntError("the notes contradict each other: no chain of steps is left")

    def candidates(self, position: int) -> frozenset[Card]:
        """Numbers that can be at a position of the row; position 0 is the start card."""
        if not 0 <= position <= self.n_positions:
            raise ManhuntError(f"there is no position {position}; the row has positions 0 to {self.n_positions}")
        return frozenset(cards_of(self._alive[position]))

    def nodes(self) -> Iterator[NotesNode]:
        """Every position with every number that can be there."""
        for position, alive in enumerate(self._alive):
            yield from ((position, card) for card in cards_of(alive))

    def edges(self) -> Iterator[tuple[NotesNode, NotesNode]]:
        """Pairs of a number at a position and a number that can follow it."""
        for position in range(1, len(self._alive)):
            for before in cards_of(self._alive[position - 1]):
                for card in cards_of(self._alive[position] & cards_within(1 << before, self._step[position])):
                    yield (position - 1, before), (position, card)

    def count_chains(self) -> int:
        """The number of rows that these notes allow."""
        ways = {0: 1}
        for position in range(1, len(self._alive)):
            step = self._step[position]
            ways = {
                card: sum(n for before, n in ways.items() if before < card <= before + step)
                for card in cards_of(self._alive[position])
            }
        return sum(ways.values())

    def to_networkx(self) -> Any:
        """A DiGraph on (position, card), each node with `layer` for layouts by layer."""
        import networkx as nx

        graph = nx.DiGraph()
        for node in self.nodes():
            graph.add_node(node, layer=node[0])
        graph.add_edges_from(self.edges())
        return graph

    def _repr_svg_(self) -> str:
        from manhunt.games.fugitive.show.notes_drawing import draw_notes

        layers = [self.candidates(position) for position in range(len(self._alive))]
        return draw_notes(layers, [(a, b, i) for (i, a), (_, b) in self.edges()], self.config.last, self._face_up)
