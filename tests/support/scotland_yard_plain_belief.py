"""The belief about Mr X to be read: it lists all moves from all nodes, where the compiled one sums them by factors."""

from collections.abc import Iterator, Mapping

from manhunt.beliefs.filter import ForwardFilter
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.beliefs.weighted import PosteriorBelief
from manhunt.games.scotland_yard.beliefs.weighted_kernels import NOTHING, Seen
from manhunt.games.scotland_yard.rules.actions import ScotlandYardAction
from manhunt.games.scotland_yard.rules.rules import legal_actions, outcome, steps_of
from manhunt.games.scotland_yard.rules.state import ScotlandYardState


class PlainWeightedBelief(PosteriorBelief):
    """The filter to be read: it lists all moves from all nodes."""

    _filter: ForwardFilter

    def _prepare(self) -> None:
        """The filter begins with its first weights."""

    @property
    def probabilities(self) -> Mapping[Node, float]:
        return self._filter.probabilities

    def _set(self, probabilities: Mapping[Node, float]) -> None:
        self._filter = ForwardFilter(probabilities)

    def _step(self, seen: Seen) -> float:
        return self._filter.move(lambda node: self._moves_like(seen, self.public.state(node)))

    def _moves_like(self, seen: Seen, state: ScotlandYardState) -> Iterator[tuple[Node, float]]:
        actions = legal_actions(state)
        for action, chance in zip(actions, self.model.probabilities(state, actions), strict=True):
            if look_of(state, action) == seen:
                yield action.to, float(chance)

    def _strike(self, *, is_mrx_turn: bool) -> float:
        return self._filter.see(lambda node: float(outcome(self.public.state(node)) is None))


def look_of(state: ScotlandYardState, action: ScotlandYardAction) -> Seen:
    """What a move of Mr X would look like to the others."""
    parts = [
        (int(ticket), int(node) if state.config.rounds[state.round + i] else NOTHING)
        for i, (ticket, node) in enumerate(steps_of(action))
    ]
    return Seen(*parts[0], *(parts[1] if len(parts) > 1 else (NOTHING, NOTHING)))
