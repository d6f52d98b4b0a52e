"""Scotland Yard: what a reveal, a secret ticket or a double move did for Mr X.

Each is valued at the moment before his move, with the true position and what everybody believed then. With it, he makes
the move that he made. Without it,

- a reveal: he makes the same move in a game whose rules do not show him in that round;
- a secret ticket: it is taken away from him, and he goes the same way for the plain ticket, which everybody sees. Where
  no plain ticket of his pays that way, he makes the best move of the same length that needs no secret ticket;
- a double move: the double ticket is taken away from him, and he makes his best single move.

His best move is the one that his net values highest: he knows where he is, and what everybody will believe after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from manhunt.analysis.worth import WithAndWithout
from manhunt.core.arrays import Floats
from manhunt.core.ids import Seat
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.champion.judge import encode_mrx
from manhunt.games.scotland_yard.champion.nets import shipped_nets
from manhunt.games.scotland_yard.champion.playouts import ROUNDS, Moment, NetGames
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import Double, ScotlandYardAction, Single, Ticket
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame
from manhunt.games.scotland_yard.rules.kernels import STRANDED
from manhunt.games.scotland_yard.rules.packed import pack
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.play.hindsight import Hindsight

REVEAL, SECRET, DOUBLE = "reveal", "secret", "double"
GAME = ScotlandYardGame()
NONE = "Mr X was never shown, and played no secret and no double ticket"
HOW = (
    "Each row compares two positions after Mr X's move, with his true place: what he did, and the same turn without it."
    " Without a reveal, the rules do not show that round. Without a secret ticket, it is taken away and he goes the"
    " same way for a plain one (or, where none pays, makes his best move without one). Without a double move, the"
    " double ticket is taken away and he makes his best single move.",
    "From both positions the same number of games is played with the same random numbers: Mr X by his net of champion,"
    " the detectives by theirs, from what everybody can believe (model soft), a little different in every turn."
    f" After {ROUNDS} more turns of Mr X, his net says what his chance is. The intervals (95 %) are the noise of these"
    " games.",
)


Options = Callable[[ScotlandYardState], Sequence[ScotlandYardAction]]


class Start(NamedTuple):
    """Where the games without it begin, and who plays them."""

    games: NetGames
    moment: Moment


def with_and_without(past: Hindsight) -> list[WithAndWithout]:
    """In the order of the game; what happened in one move has several rows."""
    games = NetGames(past.config, shipped_nets()[0])
    belief = WeightedBelief("soft")
    belief.start(past.view(0, Seat.SPECTATOR))
    found: list[WithAndWithout] = []
    for ply, action in enumerate(past.actions):
        belief.observe(event.seen_by(Seat.SPECTATOR) for event in past.happened[ply])
        if past.acting(ply) is Seat.EVADER:
            found += _Turn(ply, past.states[ply], action, belief.array, games).rows()
    return found


@dataclass(frozen=True)
class _Turn:
    """A move of Mr X with the true position before it, and what everybody believed then."""

    ply: int
    state: ScotlandYardState
    action: ScotlandYardAction
    belief: Floats
    games: NetGames

    def rows(self) -> Iterator[WithAndWithout]:
        config = self.state.config
        for i, (ticket, node) in enumerate(rules.steps_of(self.action)):
            slot, label = self.state.round + i, config.board.label(node)
            if config.rounds[slot]:
                what = f"the reveal in round {slot + 1} (on {label})"
                yield self._row(REVEAL, what, f"the log shows the {ticket} ticket alone", self._unseen(slot))
            if ticket is Ticket.SECRET:
                what = f"the secret ticket in round {slot + 1} (to {label})"
                yield self._poorer(SECRET, what, Ticket.SECRET, partial(self._plain, i))
        if isinstance(self.action, Double):
            what = f"the double move in rounds {self.state.round + 1} and {self.state.round + 2}"
            yield self._poorer(DOUBLE, what, Ticket.DOUBLE, _singles)

    def _row(self, kind: str, what: str, without: str, start: Start) -> WithAndWithout:
        played = self.games.after(pack(self.state), self.belief, encode_mrx(self.action))
        return WithAndWithout(
            self.ply, kind, what, without, partial(self.games.play, played), partial(start.games.play, start.moment)
        )

    def _unseen(self, slot: int) -> Start:
        """The same move where the rules do not show this round."""
        shown = [is_shown and i != slot for i, is_shown in enumerate(self.state.config.rounds)]
        games = NetGames(self.state.config, shipped_nets()[0], shown)
        return Start(games, games.after(pack(self.state), self.belief, encode_mrx(self.action)))

    def _poorer(self, kind: str, what: str, ticket: Ticket, options: Options) -> WithAndWithout:
        """A ticket is taken away, and Mr X makes the best of the moves that are left."""
        held = self.state.tickets
        state = replace(self.state, tickets=(held[0].plus(ticket, -1), *held[1:]))
        moves = options(state)
        if not moves:
            lost = Moment(pack(state), self.belief, STRANDED)
            return self._row(kind, what, "he cannot move", Start(self.games, lost))
        codes = [encode_mrx(move) for move in moves]
        values = self.games.rate(pack(state), self.belief, codes)
        best = max(range(len(moves)), key=values.__getitem__)
        moment = self.games.after(pack(state), self.belief, codes[best])
        return self._row(kind, what, f"he goes {GAME.phrase_choice(state, (moves[best],))}", Start(self.games, moment))

    def _plain(self, i: int, state: ScotlandYardState) -> Sequence[ScotlandYardAction]:
        """Moves that go the same way with a plain ticket at step i, or else need no secret ticket, or else any."""
        mine, legal = rules.steps_of(self.action), rules.legal_actions(state)
        alike = [move for move in legal if len(rules.steps_of(move)) == len(mine)]

        def is_same(move: ScotlandYardAction) -> bool:
            (ticket, node), *others = _from(i, rules.steps_of(move))
            (_, own), *own_others = _from(i, mine)
            return ticket is not Ticket.SECRET and node == own and others == own_others

        same = [move for move in alike if is_same(move)]
        return same or [move for move in alike if all(t is not Ticket.SECRET for t, _ in rules.steps_of(move))] or legal


def _from(i: int, steps: Sequence[rules.Fare]) -> Sequence[rules.Fare]:
    """The steps with the i-th first."""
    return (*steps[i:], *steps[:i])


def _singles(state: ScotlandYardState) -> Sequence[ScotlandYardAction]:
    return [move for move in rules.legal_actions(state) if isinstance(move, Single)]
