"""Games between simple players with the nets, compiled: from after a move of Mr X for some rounds, or to the end.

Mr X draws his move by softmax(value / temperature) from the values of his net. The detectives gather around what they
believe and improve that plan, detective by detective, by their net. They believe what everybody can, except that each
turn every node's probability is multiplied by exp(blur * noise): sharp beliefs would make the same plan in all games,
and the result would speak of that one plan. Nobody uses what their seat cannot know; the plan does not depend on where
Mr X is.

A game gives 1 if Mr X wins and 0 if he loses. If it lasts longer than `rounds` more turns of Mr X, it gives the mean
value of the moves that he would draw from then, which is his chance by his net.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int32s, Words
from manhunt.core.jit import kernel
from manhunt.core.kernel_random import seed_generator
from manhunt.games.scotland_yard.beliefs import weighted_kernels as filters
from manhunt.games.scotland_yard.beliefs.models import shipped_soft
from manhunt.games.scotland_yard.champion.feature_kernels import ChampionGraph, pack_champion_graph
from manhunt.games.scotland_yard.champion.judge import is_alike
from manhunt.games.scotland_yard.champion.move_kernels import (
    ChampionScratch,
    belief_after,
    best_of,
    end_of,
    new_champion_scratch,
    rated,
    sight_of,
)
from manhunt.games.scotland_yard.champion.nets import ChampionNets
from manhunt.games.scotland_yard.champion.plan_kernels import (
    FADES,
    carry_out,
    gather,
    improve_one,
    plan_value,
    uniform,
    value_of_end,
)
from manhunt.games.scotland_yard.rules import kernels, packed
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.kernels import GOES_ON
from manhunt.search.value_net import ValueNet

TEMPERATURE = 0.02
"""Of the softmax by which Mr X draws: a move that the net values 2 points higher is 2.7 times as likely."""
BLUR = 1.0
"""The standard deviation of the noise in the detectives' beliefs, on the scale of logarithms."""
ROUNDS = 6
"""The longest time between two shown rounds by the usual rules: what was known has shown its effect by then."""
LEAST_LIKELY = 0.01
"""The detectives' net is not asked about nodes that are less likely."""


class NetPlayers(NamedTuple):
    """What stays the same from game to game."""

    graph: ChampionGraph
    choice: ValueNet
    team: ValueNet
    fades: Floats
    temperature: float
    blur: float
    rounds: int


class GameRoom(NamedTuple):
    """Room for one game: packed state, public and blurred belief, the detectives' plan, chances of Mr X's moves."""

    state: Int32s
    belief: Floats
    blurred: Floats
    places: Int32s
    tickets: Int32s
    chances: Floats
    rng: Words
    scratch: ChampionScratch


@kernel
def plan_turn(players: NetPlayers, room: GameRoom) -> None:
    """The detectives' plan, into `room.places` and `room.tickets`."""
    state, belief, blurred, places, tickets = room.state, room.belief, room.blurred, room.places, room.tickets
    graph, net, scratch = players.graph, players.team, room.scratch
    for node in range(len(belief)):
        blurred[node] = 0.0
        if belief[node] > 0.0:
            noise = 2.0 * (uniform(room.rng) + uniform(room.rng) + uniform(room.rng)) - 3.0  # standard deviation 1
            blurred[node] = belief[node] * np.exp(players.blur * noise)
    filters.normalise(blurred, blurred)
    gather(graph, state, blurred, room.rng, places, tickets, players.fades)
    value = plan_value(graph, net, state, belief, blurred, LEAST_LIKELY, places, tickets, scratch)
    for d in range(len(places)):
        value = improve_one(graph, net, state, belief, blurred, LEAST_LIKELY, places, tickets, d, value, scratch)


@kernel
def weigh(values: Floats, n: int, temperature: float, chances: Floats) -> float:
    """Fill the chances of the first n moves by softmax(value / temperature); returns the mean value."""
    best, total, mean = values[best_of(values, n)], 0.0, 0.0
    for i in range(n):
        chances[i] = np.exp((values[i] - best) / temperature)
        total += chances[i]
    for i in range(n):
        chances[i] /= total
        mean += chances[i] * values[i]
    return mean


@kernel
def drawn(chances: Floats, n: int, share: float) -> int:
    """The move at this share, from 0 to 1, of the chances."""
    for i in range(n):
        share -= chances[i]
        if share < 0.0:
            return i
    return n - 1


@kernel
def move_mrx(players: NetPlayers, room: GameRoom, action: int) -> int:
    """Mr X makes a move whose values were just asked, and everybody sees of it what the log shows; the end's code."""
    belief_after(players.graph, room.state, action, room.scratch.sights, room.belief)
    kernels.move_mrx(players.graph.table, room.state, action)
    return kernels.outcome(players.graph.table, room.state)


@kernel
def play_on(players: NetPlayers, room: GameRoom) -> float:
    """From the detectives' turn on, in place."""
    n_turns, values = 0, room.scratch.moves.values
    while True:
        plan_turn(players, room)
        code = carry_out(players.graph, room.state, room.belief, room.places, room.tickets, room.scratch)
        if code == GOES_ON:
            n = rated(players.graph, players.choice, room.state, room.belief, True, room.scratch)
            mean = weigh(values, n, players.temperature, room.chances)
            if n_turns == players.rounds:
                return mean
            n_turns += 1
            i = drawn(room.chances, n, uniform(room.rng))
            code = move_mrx(players, room, int(room.scratch.moves.actions[i]))
        if code != GOES_ON:
            return value_of_end(code)


@kernel
def play_games(players: NetPlayers, state: Int32s, belief: Floats, seeds: Words, room: GameRoom, out: Floats) -> None:
    """One game for each seed, all from the same moment."""
    for i in range(len(seeds)):
        room.state[:] = state
        room.belief[:] = belief
        seed_generator(room.rng, seeds[i])
        out[i] = play_on(players, room)


class NetGames:
    """Plays games of one config; `shown` says in which rounds Mr X shows himself, if not by the config."""

    def __init__(self, config: ScotlandYardConfig, nets: ChampionNets, shown: Sequence[bool] | None = None) -> None:
        graph = pack_champion_graph(config, shipped_soft())
        if shown is not None:
            rounds = np.array(shown, np.uint8)
            rounds.setflags(write=False)  # or all kernels would be compiled again for this kind of array
            graph = graph._replace(table=graph.table._replace(shown=rounds))
        self.players = NetPlayers(graph, nets.choice, nets.after_detectives, FADES, TEMPERATURE, BLUR, ROUNDS)
        n = config.n_detectives
        self.room = GameRoom(
            np.zeros(packed.state_size(config), np.int32),
            np.zeros(config.board.n_nodes),
            np.zeros(config.board.n_nodes),
            np.zeros(n, np.int32),
            np.zeros(n, np.int32),
            np.zeros(packed.most_actions(config)),
            np.zeros(4, np.uint64),
            new_champion_scratch(config),
        )

    def rate(self, state: Int32s, belief: Floats, actions: Sequence[int]) -> list[float]:
        """What Mr X's net says of some of his moves."""
        n, graph, moves = self._rated(state, belief), self.players.graph, self.room.scratch.moves
        values = []
        for action in actions:
            row, end = sight_of(graph, state, action), end_of(action)
            alike = (is_alike(row, end, action, int(moves.sights[i]), int(moves.actions[i])) for i in range(n))
            values.append(float(moves.values[list(alike).index(True)]))
        return values

    def after(self, state: Int32s, belief: Floats, action: int) -> "Moment":
        """The moment after a move of Mr X."""
        self._rated(state, belief)
        code = move_mrx(self.players, self.room, action)
        return Moment(self.room.state.copy(), self.room.belief.copy(), code)

    def play(self, moment: "Moment", seeds: Sequence[int]) -> list[float]:
        """What one game for each seed gives, from this moment."""
        if moment.code != GOES_ON:
            return [value_of_end(moment.code)] * len(seeds)
        out = np.zeros(len(seeds))
        play_games(self.players, moment.state, moment.belief, np.array(seeds, np.uint64), self.room, out)
        return [float(value) for value in out]

    def _rated(self, state: Int32s, belief: Floats) -> int:
        room, players = self.room, self.players
        room.state[:], room.belief[:] = state, belief
        return rated(players.graph, players.choice, room.state, room.belief, True, room.scratch)


class Moment(NamedTuple):
    """After a move of Mr X: the packed state, what everybody believes, and the code of the end if there is one."""

    state: Int32s
    belief: Floats
    code: int
