"""Pursuit in `manhunt demo`: the small board solved."""

import time
from typing import Any

from rich.text import Text

from manhunt.boards.catalog import load_board
from manhunt.cli.terminal.contract import make_screen
from manhunt.cli.terminal.tour import Act
from manhunt.core.ids import Seat
from manhunt.games.pursuit.rules.config import make_config
from manhunt.games.pursuit.rules.game import PursuitGame, make_setup
from manhunt.games.pursuit.rules.views import view
from manhunt.games.pursuit.solvers.exhaustive import solve_one_start

BOARD, MRX, DETECTIVES, ROUNDS = "top-right-20", "1", ("5", "10"), 4
NEXT = (("manhunt solve --board london --all-starts --n-detectives 2", "two detectives against every start"),)
WIDEST, HIGHEST = 80, 12


def act(seed: int) -> Act:
    """The same for every seed: nothing is drawn."""
    return SolvedStartAct()


class SolvedStartAct(Act):
    title = "A board solved"
    about = (
        f"Mr X on {MRX}, detectives on {' and '.join(DETECTIVES)}, {ROUNDS} rounds: "
        "every move of theirs against every one of his."
    )
    key = "solve"

    def __init__(self) -> None:
        config = make_config(None, load_board(BOARD), n_detectives=len(DETECTIVES), max_rounds=ROUNDS)
        self.state = PursuitGame().start(config, make_setup(config, MRX, list(DETECTIVES)))
        solve_one_start(self.state)  # once for the compiler, once for the clock
        began = time.perf_counter()
        self.answer = solve_one_start(self.state)
        self.solve_seconds = time.perf_counter() - began
        first = self.answer.first_move
        self.first_move = None if first is None else config.board.label(first)

    def picture(self, width: int, height: int) -> Text:
        rows = min(HIGHEST, max(height - 8, 6))
        return make_screen("pursuit").picture(view(self.state, Seat.SPECTATOR), min(width, WIDEST), rows)

    def ending(self) -> str:
        if self.answer.forced_escape:
            return f"[offer]Mr X escapes[/offer], whatever the detectives do; his first move is {self.first_move}."
        return f"[danger]Mr X can be caught[/danger] after {self.answer.survival_rounds} rounds at best."

    def remark(self) -> str:
        return f"{self.answer.states_evaluated:,} states in {1000 * self.solve_seconds:.1f} ms"

    def to_json(self) -> dict[str, Any]:
        return {
            "board": BOARD,
            "mrx": MRX,
            "detectives": list(DETECTIVES),
            "rounds": ROUNDS,
            "forced_escape": self.answer.forced_escape,
            "survival_rounds": self.answer.survival_rounds,
            "states_evaluated": self.answer.states_evaluated,
            "first_move": self.first_move,
        }
