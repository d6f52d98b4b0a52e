"""Fugitive's whole tree through the plain rules: every legal action, nothing merged, nothing left out."""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple

from game_tree import Chance, Decision, GameTree, Leaf, Point
from manhunt.core.events import Event
from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.rules import rules, views
from manhunt.games.fugitive.rules.actions import TakeFrom
from manhunt.games.fugitive.rules.config import Config
from manhunt.games.fugitive.rules.state import State
from manhunt.solvers.equilibrium.game import BilinearGame


class Position(NamedTuple):
    """A state with what each player has heard; `drawing` is a pile whose next card is still open."""

    state: State
    fugitive: tuple[str, ...]
    marshal: tuple[str, ...]
    drawing: int | None = None


def rules_game(config: Config) -> tuple[BilinearGame, int]:
    """The game and its number of nodes."""
    tree = GameTree(lambda node: _deal(config) if node is None else _expand(node))
    return tree.build(None), tree.n_nodes


def _deal(config: Config) -> Point[Position | None]:
    per_pile = [list(combinations(config.cards_of(pile), n)) for pile, n in enumerate(config.dealt)]
    deals = list(product(*per_pile))
    outcomes = []
    for dealt in deals:
        left = [[c for c in config.cards_of(pile) if c not in cards] for pile, cards in enumerate(dealt)]
        state = rules.start(config, dealt, left)
        outcomes.append((1 / len(deals), _heard(Position(state, (), ()), views.opening_events(state))))
    return Chance(tuple(outcomes))


def _expand(node: Position) -> Point[Position | None]:
    state = node.state
    if node.drawing is not None:
        cards = state.piles[node.drawing]
        return Chance(tuple((1 / len(cards), _drawn(node, node.drawing, card)) for card in cards))
    seat = rules.to_act(state)
    if seat is None:
        assert state.end is not None
        return Leaf(1.0 if state.end.winner is Side.EVADER else 0.0)
    children = []
    for action in rules.legal_actions(state):
        if isinstance(action, TakeFrom):
            children.append(node._replace(drawing=action.pile))
        else:
            after = rules.apply_action(state, action)
            children.append(_heard(node._replace(state=after), views.events(state, action, after)))
    if seat is Seat.EVADER:
        return Decision(Side.EVADER, node.fugitive, tuple(children))
    return Decision(Side.PURSUERS, node.marshal, tuple(children))


def _drawn(node: Position, pile: int, card: int) -> Position:
    piles = list(node.state.piles)
    piles[pile] = (card, *(c for c in piles[pile] if c != card))
    before, action = node.state._replace(piles=tuple(piles)), TakeFrom(pile)
    after = rules.apply_action(before, action)
    return _heard(node._replace(state=after, drawing=None), views.events(before, action, after))


def _heard(node: Position, events: tuple[Event, ...]) -> Position:
    told = {
        seat: tuple(f"{event.kind} {event.body}" for event in events if seat in event.audience)
        for seat in (Seat.EVADER, Seat.PURSUERS)
    }
    return node._replace(fugitive=node.fugitive + told[Seat.EVADER], marshal=node.marshal + told[Seat.PURSUERS])
