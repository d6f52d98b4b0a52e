"""What a table says about any state of its game: values of states, of moves, and a line of best play."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from manhunt.core.ids import Seat, Side
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.actions import PursuitAction
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.solvers.tables import FOREVER, PursuitTable


@dataclass(slots=True)
class Probe:
    """Values of positions and moves from a table.

    Values are rounds survived under best play, counted from the beginning of the current round. In the middle of a
    round it looks ahead to the end of the round, where the table has the values.

    Examples:
        >>> from manhunt import make_game
        >>> from manhunt.games.pursuit import solve_table
        >>> game = make_game("pursuit")
        >>> config = game.make_config(board="path:5", n_detectives=1)
        >>> probe = Probe(solve_table(config))
        >>> state = game.start(config, {"mrx": "1", "detectives": ["4"]})
        >>> action, rounds = probe.best_action(state)
        >>> game.format_action(config, action), rounds
        ('X:2', 2)
    """

    table: PursuitTable
    n_states: int = 0
    """States looked at so far."""

    def value(self, state: PursuitState) -> int:
        """Rounds that the quarry survives from here under best play."""
        unlimited = replace(state, config=replace(state.config, max_rounds=None))
        return self._at_turn(unlimited) if is_between_rounds(state) else self._within(unlimited, {})

    def action_values(self, state: PursuitState) -> list[tuple[PursuitAction, int]]:
        """Every legal action, in the order of the rules, with the value of what follows."""
        unlimited = replace(state, config=replace(state.config, max_rounds=None))
        memo: dict[PursuitState, int] = {}
        return [(action, self._after(unlimited, action, memo)) for action in rules.legal_actions(unlimited)]

    def best_action(self, state: PursuitState) -> tuple[PursuitAction, int]:
        """The best action and its value: most rounds for the quarry, fewest for detectives; on ties the first one."""
        values = self.action_values(state)
        if rules.to_act(state) is Seat.EVADER:
            return max(values, key=lambda pair: pair[1])
        return min(values, key=lambda pair: pair[1])

    def line(self, state: PursuitState, plies: int) -> Iterator[PursuitAction]:
        """Best play from here."""
        for _ in range(plies):
            if state.placing or rules.to_act(state) is None:
                return
            action, _ = self.best_action(state)
            yield action
            state = rules.apply_action(state, action)

    def _at_turn(self, state: PursuitState) -> int:
        self.n_states += 1
        if rules.is_caught(state):
            return 0
        assert state.quarry is not None
        return self.table.rounds_survived(state.quarry, state.pursuers)

    def _within(self, state: PursuitState, memo: dict[PursuitState, int]) -> int:
        found = memo.get(state)
        if found is None:
            self.n_states += 1
            values = [self._after(state, action, memo) for action in rules.legal_actions(state)]
            best = max if rules.to_act(state) is Seat.EVADER else min
            found = memo[state] = best(values, default=0)
        return found

    def _after(self, state: PursuitState, action: PursuitAction, memo: dict[PursuitState, int]) -> int:
        after = rules.apply_action(state, action)
        if rules.is_caught(after):
            return 0
        if is_between_rounds(after):
            return min(FOREVER, 1 + self._at_turn(after))
        return self._within(after, memo)


def is_between_rounds(state: PursuitState) -> bool:
    if state.config.first is Side.EVADER:
        return not state.waiting
    return len(state.waiting) == state.config.n_detectives


def rounds_done(state: PursuitState) -> int:
    """Whole rounds played before the one that is being played."""
    return state.round - (1 if state.config.first is Side.EVADER and state.waiting else 0)
