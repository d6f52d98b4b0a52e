"""A film of a long game on the London board: only what changes is drawn, against every frame drawn from scratch.

    python benchmarks/film.py

Processor seconds of one process, from the same run; both films have the same frames but for the rims of letters.
"""

from __future__ import annotations

import io
import time
from unittest.mock import patch

from measure import peak_rss_mb, print_machine

from manhunt.agents.registry import make_agent
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.draw import film
from manhunt.draw.scenes import scene_of
from manhunt.play.hindsight import Hindsight
from manhunt.play.referee import Referee

GAME, SEEDS = "scotland_yard", range(12)


def longest() -> Hindsight:
    """The longest of some games between agents who take no thought."""
    game, records = make_game(GAME), []
    for seed in SEEDS:
        agents = {seat: make_agent(name, GAME, seat) for seat, name in PLAYERS.items()}
        referee = Referee(game, game.make_config(), agents, seed=seed)
        referee.run()
        records.append(referee.record())
    return Hindsight(max(records, key=lambda record: len(record.actions)))


PLAYERS = {Seat.EVADER: "greedy", Seat.PURSUERS: "random"}


def seconds_of(scenes: list, name: str) -> float:
    buffer, began = io.BytesIO(), time.process_time()
    film.save_film(scenes, buffer)
    spent = time.process_time() - began
    print(f"{name:<24} {len(scenes)} frames  {spent:6.2f} s  {len(buffer.getvalue()) / 1024:,.0f} kB")
    return spent


def main() -> None:
    print_machine()
    past = longest()
    scenes = [scene_of(past.view(ply, None)) for ply in past.stops]
    film.save_film(scenes[:2], io.BytesIO())  # fonts are found
    quick = seconds_of(scenes, "what changes")

    def whole(scenes: list, theme: object, frame: object) -> object:
        return film._WholeFrames(scenes, theme)

    with patch.object(film, "_ChangedBoxes", whole):
        slow = seconds_of(scenes, "every frame from scratch")
    print(f"{slow / quick:.1f} times as quick; peak memory {peak_rss_mb():.0f} MB")


if __name__ == "__main__":
    main()
