"""One game from beginning to end: set it up, follow it from a seat, draw it, save its record.

python examples/one_game.py [FOLDER]
"""

import sys
from pathlib import Path

from careful_quarry import CarefulQuarry

from manhunt import Referee, Seat, make_agent, make_game
from manhunt.draw import draw_view
from manhunt.play import Onlooker


def main(folder: Path) -> None:
    game = make_game("pursuit")
    config = game.make_config("seed", board="grid:6x6", max_rounds=10)
    agents = {Seat.EVADER: CarefulQuarry(), Seat.PURSUERS: make_agent("random")}
    onlooker = Onlooker(Referee(game, config, agents, seed=7))
    while not onlooker.over:
        onlooker.finish_round()
        print(game.format_view(onlooker.view))
    print(f"outcome: {onlooker.outcome}")
    (folder / "last_position.svg").write_text(draw_view(onlooker.view), encoding="utf-8")
    onlooker.referee.record().save(folder / "game.txt")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
