"""An exact belief about one hidden piece, worked out from the rules of its game alone.

It keeps one world (a whole state) for each node the quarry may be on. At every ply each world tries its legal actions;
those worlds stay whose events, as the seat may see them, are the events it heard. This is brute force, and right for
every game in which the quarry's node is the only secret: about `worlds times actions` applied actions a ply.

    class Candidates(BeliefByRules):
        game = MyGame()

        def worlds_of(self, view):
            return (State(view.config, node, view.pursuers, view.round) for node in view.config.board.nodes())
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any, ClassVar, NamedTuple

from manhunt.core.belief import Belief
from manhunt.core.errors import BadConfig
from manhunt.core.events import Event
from manhunt.core.game import AnyGame, View
from manhunt.core.ids import Node, Seat

Look = Mapping[str, Any]
"""An event as a seat sees it, without its number; empty where it is hidden."""


class _PossiblePly(NamedTuple):
    """What a seat would hear of one ply (or of the opening), and the world behind it."""

    looks: list[Look]
    world: Any


class BeliefByRules(Belief[Node]):
    """The nodes of the quarry in all worlds that look like the true one; all are equally likely.

    Exact when started with a game's first view. Started later, every world with the same view now is a candidate.
    Events that no world explains (a fault, the end of the game) change nothing.
    """

    game: ClassVar[AnyGame]

    @abstractmethod
    def worlds_of(self, view: Any) -> Iterable[Any]:
        """The states that may be behind a view; those that look different to its seat are dropped later."""

    def node_of(self, world: Any) -> Node | None:
        """Where the quarry is; None while it is not on a node."""
        node: Node | None = world.quarry
        return node

    def actions_for(self, world: Any, look: Look) -> Iterable[Any]:
        """The legal actions whose first event may look like this. All are tried, so a shorter list saves time."""
        return self.game.legal_actions(world)

    def __init__(self) -> None:
        self._seat = Seat.PURSUERS
        self._worlds: dict[Node | None, Any] = {}
        self._in_opening = True
        self._heard: list[Look] = []
        self._steps: list[_PossiblePly] = []

    @property
    def worlds(self) -> tuple[Any, ...]:
        """One state for each candidate. Some may be over while the game goes on; the next ply drops them."""
        return tuple(self._worlds.values())

    @property
    def candidates(self) -> frozenset[Node]:
        return frozenset(node for node in self._worlds if node is not None)

    @property
    def probabilities(self) -> Mapping[Node, float]:
        nodes = sorted(self.candidates)
        return {node: 1 / len(nodes) for node in nodes}

    def sample(self, rng: Random) -> Any:
        """A state of one of the candidates; the only world while the quarry is not on a node."""
        return self._worlds[self.sample_candidate(rng) if self.candidates else None]

    def start(self, view: View) -> None:
        if view.game != self.game.name:
            raise BadConfig(f"this belief is for {self.game.name}, not for {view.game}")
        self._seat, self._in_opening, self._heard = view.seat, True, []
        worlds = (world for world in self.worlds_of(view) if self.game.view(world, view.seat) == view)
        self._worlds = {self.node_of(world): world for world in worlds}

    def update(self, event: Mapping[str, Any]) -> None:
        """Take in one event; the belief changes with the last event of a ply."""
        look = {key: value for key, value in event.items() if key != "v"}
        if self._hears([*self._heard, look]):
            return
        if self._in_opening:  # it was left out, or is over: read all this as plies
            heard, self._heard, self._in_opening = [*self._heard, look], [], False
            self.observe(heard)
        elif self._heard:  # what came before belonged to no ply
            self._hears([look])

    def _hears(self, heard: list[Look]) -> bool:
        """Whether some step begins like this; the worlds move on when all that do are complete."""
        steps = self._steps if len(heard) > 1 else self._possible(heard[0])
        fitting = [step for step in steps if step.looks[: len(heard)] == heard]
        if not fitting:
            return False
        self._steps, self._heard = fitting, heard
        if all(len(step.looks) == len(heard) for step in fitting):
            self._worlds = {self.node_of(step.world): step.world for step in fitting}
            self._in_opening, self._heard = False, []
        return True

    def _possible(self, look: Look) -> Iterator[_PossiblePly]:
        game = self.game
        for world in self._worlds.values():
            if self._in_opening:
                yield _PossiblePly(self._looks(game.opening_events(world)), world)
            else:
                for action in self.actions_for(world, look):
                    after = game.apply_action(world, action)
                    yield _PossiblePly(self._looks(game.events(world, action, after)), after)

    def _looks(self, events: Iterable[Event]) -> list[Look]:
        return [{"t": event.kind, **event.body} if self._seat in event.audience else {} for event in events]
