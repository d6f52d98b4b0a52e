"""Random games of Adversarial Shortest Path on small graphs."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from manhunt.boards.build import build_board
from manhunt.core.ids import Node
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.actions import ShortestPathAction
from manhunt.games.shortest_path.rules.config import Rule, ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import hops_to
from manhunt.games.shortest_path.rules.state import ShortestPathState

History = tuple[tuple[ShortestPathState, ...], tuple[ShortestPathAction, ...]]


@st.composite
def shortest_path_configs(draw: st.DrawFn, max_nodes: int = 8) -> ShortestPathConfig:
    """Graphs of any shape with a way between their ends; cut-off parts included."""
    n = draw(st.integers(2, max_nodes))
    pairs = [(a, b) for a in range(1, n + 1) for b in range(a + 1, n + 1)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=1, max_size=2 * n))
    board = build_board("drawn", [(a, b, None) for a, b in chosen], range(1, n + 1))
    target = draw(st.sampled_from([node for node in board.nodes() if board.neighbours(node)]))
    hops = hops_to(board, target)
    source = draw(st.sampled_from([node for node in board.nodes() if hops[node]]))
    return ShortestPathConfig(board, Node(source), target, draw(st.sampled_from(Rule)))


@st.composite
def shortest_path_histories(draw: st.DrawFn, max_nodes: int = 8, max_plies: int = 40) -> History:
    """States and actions of a game that is played at random for some plies or to its end."""
    states, actions = [rules.start(draw(shortest_path_configs(max_nodes)))], list[ShortestPathAction]()
    rng = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, max_plies))):
        legal = rules.legal_actions(states[-1])
        if not legal:
            break
        actions.append(rng.choice(legal))
        states.append(rules.apply_action(states[-1], actions[-1]))
    return tuple(states), tuple(actions)
