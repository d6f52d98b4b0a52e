"""Finished games for their page: head, frames of each track, films and pages; all from hindsight."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

from manhunt.boards.board import Board
from manhunt.ids import PLAYERS, Seat
from manhunt.play.hindsight import TRUTH, Hindsight
from manhunt.play.record import parse_record
from manhunt.play.replay_page import replay_page, track_name
from manhunt.server.progress import report
from manhunt.server.recent import Recent
from manhunt.server.scenes import scene_of
from manhunt.server.seats import SeatLog
from manhunt.server.told import told_of

MOST_KEPT = 12
MOST_FRAMES = 40


class Shelf:
    """The games looked at last, ready to be shown."""

    def __init__(self) -> None:
        self._pasts: Recent[str, Hindsight] = Recent(MOST_KEPT)

    def get(self, uid: str, record: str) -> Hindsight:
        past = self._pasts.get(uid)
        if past is None:
            past = Hindsight(parse_record(record, f"game {uid}"))
            self._pasts.keep(uid, past)
        return past


def head_of(uid: str, past: Hindsight, digest: str | None) -> dict[str, Any]:
    """All that a page shows around the frames."""
    game, record = past.game, past.record
    board = getattr(past.config, "board", None)
    seats = {seat.value: record.seats.get(seat.value, "?") for seat in PLAYERS}
    names = {seat.value: game.seat_names.get(seat, seat.value) for seat in (*PLAYERS, Seat.SPECTATOR)}
    return {
        "uid": uid,
        "game": game.name,
        "title": game.title,
        "seats": seats,
        "names": names,
        "seed": record.seed,
        "outcome": str(record.outcome),
        "ending": (scene_of(past.view(past.last, None)).get("outcome") or {}).get("words") or str(record.outcome),
        "fault": record.fault,
        "config": record.config,
        "board": {"name": board.name, "digest": digest, "nodes": board.n_nodes} if isinstance(board, Board) else None,
        "tracks": [
            {"name": track, "title": track_name(game, track), "seat": seat and seat.value}
            for track, seat in past.tracks.items()
        ],
        "last": past.last,
        "plies": [_ply(past, ply) for ply in range(1, past.last + 1)],
    }


def _ply(past: Hindsight, ply: int) -> dict[str, Any]:
    """The action that led to a ply."""
    acting = past.acting(ply - 1)
    told = {track: past.told(ply, seat) for track, seat in past.tracks.items()}
    return {"n": ply, "seat": acting and acting.value, "round": past.round(ply), "told": told}


def frames_of(past: Hindsight, track: str, first: int, n: int) -> list[dict[str, Any]]:
    """Moments in a row as one track shows them; BadText if there is no such track or ply."""
    seat, last = past.seat_of(track), min(past.check_ply(first) + n - 1, past.last)
    scenes = {ply: scene_of(past.view(ply, seat)) for ply in range(max(0, first - 1), last + 1)}
    return [_frame(past, seat, ply, scenes[ply], scenes.get(ply - 1)) for ply in range(first, last + 1)]


def _frame(
    past: Hindsight, seat: Seat | None, ply: int, scene: dict[str, Any], before: dict[str, Any] | None
) -> dict[str, Any]:
    happened = past.happened[ply]
    seen = [event.seen_by(seat) for event in happened] if seat else [_whole(event) for event in happened]
    acting = past.acting(ply)
    told = told_of(past.game.name, [event for event in seen if len(event) > 1])
    marks = scene.get("marks")
    if marks and not marks.get("arrows") and before is not None:
        scene = {**scene, "marks": {**marks, "arrows": _moved(before["marks"], marks)}}
    return {"ply": ply, "scene": scene, "told": told, "acting": acting and acting.value}


def _moved(before: dict[str, Any], after: dict[str, Any]) -> list[list[str]]:
    """Arrows for the pieces that stand elsewhere than a ply before."""
    places = {piece["id"]: piece["at"] for piece in before["pieces"]}
    pairs = [[places.get(piece["id"]), piece["at"]] for piece in after["pieces"]]
    return [pair for pair in pairs if pair[0] and pair[1] and pair[0] != pair[1]]


def _whole(event: Any) -> dict[str, Any]:
    """An event as nobody but the truth knows it."""
    return {"v": event.version, "t": event.kind, **event.body}


def log_of(past: Hindsight, track: str, ply: int) -> SeatLog:
    """What a seat knew at a ply, for insights; on the track of the truth what everybody knew."""
    seat, ply = past.seat_of(track) or Seat.SPECTATOR, past.check_ply(ply)
    view = past.view(ply, seat)
    if past.acting(ply) is seat:
        view = replace(view, legal=past.game.view(past.states[ply], seat).legal)  # type: ignore[type-var]
    opening = past.game.view(past.states[0], seat)
    return SeatLog(past.game.name, seat, opening, past.events_for(seat, ply), view)


def options_of(past: Hindsight, ply: int) -> list[dict[str, str]]:
    """Everything that could have been done at a ply, in notation and in words."""
    state = past.states[past.check_ply(ply)]
    return [
        {"action": past.game.format_action(past.config, action), "words": past.game.describe_action(state, action)}
        for action in past.options(ply)
    ]


def make_page(record: str) -> str:
    """Task of a worker: one self-contained HTML page."""
    return replay_page(parse_record(record))


def make_film(record: str, track: str = TRUTH, theme: str = "light") -> bytes:
    """Task of a worker: a GIF of all frames of a track; MissingExtra where nothing draws figures."""
    past = Hindsight(parse_record(record))
    seat, buffer = past.seat_of(track), io.BytesIO()
    views = [past.view(ply, seat) for ply in range(past.last + 1)]
    if past.game.name == "fugitive":
        from manhunt.draw.fugitive_figure import film_of_views

        film_of_views(views, buffer, theme, report)
    else:
        from manhunt.draw.figure import film
        from manhunt.draw.scene import scene_of as picture_of

        film([picture_of(view) for view in views], buffer, theme, report)
    return buffer.getvalue()
