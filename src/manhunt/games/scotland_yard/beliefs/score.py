"""How good a model of Mr X is: after each of his hidden moves, what probability had the node he was really on?"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from manhunt.beliefs.score import BeliefScore, Scorer
from manhunt.core.arrays import Floats
from manhunt.core.errors import BadText
from manhunt.core.ids import Node, Seat
from manhunt.games.scotland_yard.beliefs.fit import History
from manhunt.games.scotland_yard.beliefs.models import Model
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.rules.views import ScotlandYardView, events, opening_events, view


class Follower(Protocol):
    """A belief that follows a game as the detectives see it."""

    def start(self, view: ScotlandYardView) -> None: ...

    def observe(self, events: Iterable[Mapping[str, Any]]) -> None: ...

    @property
    def array(self) -> Floats: ...


def score_model(model: Model, games: Iterable[History]) -> BeliefScore:
    """Follow all games with the compiled filter, as a detective would."""
    return score_belief(model.name, lambda: WeightedBelief(model), games)


def score_belief(name: str, make: Callable[[], Follower], games: Iterable[History]) -> BeliefScore:
    """The same for any belief."""
    scorer = Scorer()
    for game in games:
        scorer.add_game(_forecasts(make(), game))
    if not scorer.n_games:
        raise BadText("no hidden move in these records; a score needs games of scotland_yard with hidden rounds")
    return scorer.score(name)


def _forecasts(belief: Follower, game: History) -> Iterator[tuple[Floats, Node]]:
    states, actions = game
    belief.start(view(states[0], Seat.PURSUERS))
    belief.observe(event.seen_by(Seat.PURSUERS) for event in opening_events(states[0]))
    for before, action, after in zip(states, actions, states[1:], strict=False):
        belief.observe(event.seen_by(Seat.PURSUERS) for event in events(before, action, after))
        if not before.waiting and after.log[-1].node is None:
            yield belief.array, after.quarry
