"""`--figure`: one game in the browser, on a server of its own that ends with Q on the page or with Ctrl-C."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from manhunt.core.errors import BadConfig
from manhunt.core.ids import PLAYERS, Seat

if TYPE_CHECKING:
    from manhunt.cli.terminal.options import Begun
    from manhunt.cli.web import Opening
    from manhunt.server.room_registry import BegunGame
    from manhunt.server.site import Site

END = "end"
"""Tells a page that its Q ends the server."""


def watch_in_browser(begun: Begun, *, reveal: bool) -> None:
    """Play the game to its end, then show it ply by ply: N one move, R round, A to the end, Q quit."""
    from manhunt.cli.screen import console
    from manhunt.play.hindsight import TRUTH
    from manhunt.store.games import FinishedGame, save_game

    with console(stderr=True).status("the agents are playing ..."):
        begun.game.finish()
    record = begun.game.referee.record()
    kept = FinishedGame(
        uid="watched",
        game=record.game,
        evader=record.seats.get(Seat.EVADER.value, "?"),
        pursuers=record.seats.get(Seat.PURSUERS.value, "?"),
        seed=record.seed_number,
        outcome=str(record.outcome),
        rounds=len(record.rounds),
        plies=len(record.actions),
        record=record.format(),
    )

    async def opening(site: Site) -> str:
        save_game(site.store, kept)
        track = TRUTH if reveal or not begun.game.referee.game.capabilities.hidden else Seat.SPECTATOR.value
        return f"/replay/{kept.uid}?seat={track}#{END}"

    serve_one_game(opening)


def play_in_browser(begun: Begun) -> None:
    """A person takes the seat on the page of the game; what was played is played again in `begun`."""
    from manhunt.server.rooms import PERSON, GamePlan

    mine, referee = begun.game.seat, begun.game.referee
    if begun.shares_seat:
        raise BadConfig("with --figure a person plays a whole seat; leave --figure out, or take all of it with --as")
    seats = {seat: PERSON if seat is mine else referee.names[seat] for seat in PLAYERS}
    plan = GamePlan(referee.game, referee.config, seats, begun.seed, setup=referee.setup)
    rooms: list[BegunGame] = []

    async def opening(site: Site) -> str:
        rooms.append(await site.rooms.begin(plan))
        room, tokens = rooms[0].room, rooms[0].tokens
        return f"/play/{room.uid}#{mine.value}={tokens[mine]}&{END}="

    try:
        serve_one_game(opening)
    finally:  # also what was played before Ctrl-C
        for room in (each.room for each in rooms):
            for action in room.referee.actions:
                referee.submit(action)
            if room.over and not referee.over:
                referee.forfeit(mine, "resign", room.referee.fault or "gave up")


def serve_one_game(opening: Opening) -> None:
    """Serve the page that `opening` names until somebody quits it; games are kept nowhere."""
    from manhunt.cli.web import HOST, listen, make_server
    from manhunt.server.app import create_app
    from manhunt.server.durable import hold
    from manhunt.server.settings import Limits, Settings

    with TemporaryDirectory() as folder:
        channel, store = listen(HOST, 0), str(Path(folder) / "games.db")
        settings = Settings(store, HOST, channel.getsockname()[1], 1, Limits.at_home())

        async def end() -> None:
            server.should_exit = True

        app = create_app(settings, hold(store), end)
        server = make_server(app, settings, may_open=True, opening=opening, ending="Q on the page or Ctrl-C ends it")
        server.run(sockets=[channel])
