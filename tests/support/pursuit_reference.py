"""A plain solver over tuples: slow, short, and written from the rule book alone."""

from __future__ import annotations

from itertools import product

from manhunt.core.ids import Side
from manhunt.games.pursuit.rules.config import PursuitConfig, PursuitOrder

Places = tuple[int, ...]


class Reference:
    """Memoised recursion over (quarry, detectives, who waits, rounds left)."""

    def __init__(self, config: PursuitConfig) -> None:
        self.config = config
        board = config.board
        self.near = [board.neighbours(v) for v in board.nodes()]
        self.all = tuple(range(config.n_detectives))
        self.between = () if config.first is Side.EVADER else self.all
        self.memo: dict[tuple[int, Places, Places, int], bool] = {}

    def is_caught(self, quarry: int, pursuers: Places) -> bool:
        return quarry in pursuers or (self.config.reach_hops == 1 and any(quarry in self.near[d] for d in pursuers))

    def survives(self, quarry: int, pursuers: Places, rounds: int) -> bool:
        """Whether a quarry at the beginning of a round survives so many more."""
        return self._wins(quarry, pursuers, self.between, rounds)

    def rounds_survived(self, quarry: int, pursuers: Places, most: int) -> int:
        """How many rounds, up to `most`."""
        return next((r for r in range(most) if not self.survives(quarry, pursuers, r + 1)), most)

    def _wins(self, quarry: int, pursuers: Places, waiting: Places, left: int) -> bool:
        key = (quarry, pursuers, waiting, left)
        if key not in self.memo:
            self.memo[key] = self._look(quarry, pursuers, waiting, left)
        return self.memo[key]

    def _look(self, quarry: int, pursuers: Places, waiting: Places, left: int) -> bool:
        if self.is_caught(quarry, pursuers):
            return False
        if left == 0 and waiting == self.between:
            return True
        if not waiting:
            left -= self.between == self.all
            targets = self._steps(quarry, self.config.quarry_may_stay)
            if not self.config.may_step_onto:
                targets = [to for to in targets if to not in pursuers]
            return any(self._wins(to, pursuers, self.all, left) for to in targets)
        after = [
            (moved, still, left - (not still and self.between == ())) for moved, still in self._moves(pursuers, waiting)
        ]
        return all(self._wins(quarry, moved, still, rest) for moved, still, rest in after)

    def _steps(self, node: int, may_stay: bool) -> list[int]:
        return [*self.near[node], node] if may_stay else list(self.near[node])

    def _moves(self, pursuers: Places, waiting: Places) -> list[tuple[Places, Places]]:
        config = self.config
        if config.order is PursuitOrder.AT_ONCE:
            choices = [self._steps(d, config.detectives_may_stay) or [d] for d in pursuers]
            found = [to for to in product(*choices) if config.may_share or len(set(to)) == len(to)]
            return [(to, ()) for to in found or [pursuers]]
        moves = []
        for piece in waiting if config.order is PursuitOrder.ANY else waiting[:1]:
            others = pursuers[:piece] + pursuers[piece + 1 :]
            targets = self._steps(pursuers[piece], config.detectives_may_stay)
            free = [to for to in targets if config.may_share or to not in others]
            for to in free or [pursuers[piece]]:
                moved = (*pursuers[:piece], to, *pursuers[piece + 1 :])
                moves.append((moved, tuple(p for p in waiting if p != piece)))
        return moves


def all_starts(config: PursuitConfig) -> list[tuple[int, Places]]:
    """Every start: detectives as the rules let them stand, the quarry not caught."""
    reference, nodes = Reference(config), range(config.board.n_nodes)
    tuples = [d for d in product(nodes, repeat=config.n_detectives) if config.may_share or len(set(d)) == len(d)]
    return [(x, d) for d in tuples for x in nodes if not reference.is_caught(x, d)]
