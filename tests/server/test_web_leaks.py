"""What goes to the detectives and to spectators is the same in worlds that they cannot tell apart."""

import os
from unittest import mock

from manhunt.core.ids import Seat
from manhunt.server import wire
from manhunt.store.connect import open_store
from web_leaks import look_for_leaks

N_GAMES = int(os.environ.get("MANHUNT_LEAK_GAMES", "24"))


def test_no_byte_depends_on_what_the_seat_cannot_know(tmp_path) -> None:
    store = open_store(tmp_path / "games.db")
    try:
        leaks = look_for_leaks(store, N_GAMES)
    finally:
        store.close()
    assert leaks.found == ()
    assert leaks.n_compared > N_GAMES / 2
    assert leaks.n_bytes > 1000 * N_GAMES


def test_a_leak_would_be_found(tmp_path) -> None:
    """The comparison itself is tried: a server that tells spectators what Mr X sees is caught."""
    scene_json = wire.scene_json  # type: ignore[attr-defined]

    def leaky(scene: object) -> dict[str, object]:
        return {**scene_json(scene), "oops": leaks_of[0]}

    leaks_of = [""]
    observe = wire._observe

    def spying(room, seat, since, moment):  # type: ignore[no-untyped-def]
        leaks_of[0] = room.game.format_view(room.referee.view(Seat.EVADER))
        return observe(room, seat, since, moment)

    store = open_store(tmp_path / "games.db")
    with mock.patch.object(wire, "scene_json", leaky), mock.patch.object(wire, "_observe", spying):
        leaks = look_for_leaks(store, 6)
    store.close()
    assert leaks.found
