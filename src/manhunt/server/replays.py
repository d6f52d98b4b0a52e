"""Finished games for their page: head, frames of each track, films and pages; all from hindsight."""

from __future__ import annotations

import io
from collections.abc import Hashable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

from manhunt.analysis.progress import report
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of
from manhunt.core.scene import Scene
from manhunt.core.seeds import seed_to_json
from manhunt.draw.film import save_film
from manhunt.draw.scene_json import offers_json, scene_json
from manhunt.draw.scenes import scene_of
from manhunt.play.fair_deal import deal_words, verify_deal
from manhunt.play.hindsight import TRUTH, Hindsight
from manhunt.play.record import GAVE_UP, parse_record
from manhunt.play.replay_page import Comments, replay_page
from manhunt.play.variation import Variation
from manhunt.server.board_images import board_of
from manhunt.server.errors import NotFound
from manhunt.server.event_sentences import sentences_of
from manhunt.server.game_files import page_files
from manhunt.server.recent import Recent
from manhunt.store.variations import KeptTree

MOST_KEPT = 12
MOST_VARIATIONS = 300
MOST_FRAMES = 40


class FinishedGames:
    """The games looked at last, ready to be shown."""

    def __init__(self) -> None:
        self._pasts: Recent[str, Hindsight] = Recent(MOST_KEPT)
        self._variations: Recent[Hashable, Variation] = Recent(MOST_VARIATIONS)

    def get(self, uid: str, record: str) -> Hindsight:
        past = self._pasts.get(uid)
        if past is None:
            past = Hindsight(parse_record(record, f"game {uid}"))
            self._pasts.keep(uid, past)
        return past

    def get_variation(self, uid: str, record: str, tree: KeptTree, number: int) -> Hindsight:
        """The game itself where the number is 0; NotFound if there is no such variation."""
        try:
            chain = tree.chain(number)
        except KeyError:
            raise NotFound(f"this game has no variation {number}") from None
        past, key = self.get(uid, record), cast("Hashable", uid)
        for kept in chain:
            key = (key, kept.ply, kept.actions)
            made = self._variations.get(key)
            if made is None:
                made = Variation(past, kept.ply, kept.actions)
                self._variations.keep(key, made)
            past = made
        return past


def head_of(uid: str, past: Hindsight, digest: str | None) -> dict[str, Any]:
    """All that a page shows around the frames."""
    game, record = past.game, past.record
    kit, board = kit_of(game.name), board_of(game, past.config)
    seats = {seat.value: record.seats.get(seat.value, "?") for seat in PLAYERS}
    names = {seat.value: game.seat_names.get(seat, seat.value) for seat in (*PLAYERS, Seat.SPECTATOR)}
    return {
        "uid": uid,
        "game": game.name,
        "title": game.title,
        "seats": seats,
        "levels": {seat.value: kit.title_of_level(seat, seats[seat.value]) for seat in PLAYERS},
        "names": names,
        "called": {seat.value: game.called(seat) for seat in PLAYERS},
        "page": page_files(kit),
        "hasAnalysis": kit.has("analysis"),
        "hasWorth": kit.has("worth"),
        "seed": seed_to_json(record.seed),
        "deal": {"check": verify_deal(record).value, "words": deal_words(record)},
        "outcome": str(record.outcome),
        "ending": scene_of(past.view(past.last, None)).ending or str(record.outcome),
        "fault": record.fault if record.fault != GAVE_UP else None,  # the ending says so
        "config": record.config,
        "board": board and {"name": board.name, "digest": digest, "nodes": board.n_nodes},
        "tracks": [
            {"name": track, "title": past.track_name(seat), "seat": seat and seat.value}
            for track, seat in past.tracks.items()
        ],
        "last": past.last,
        "steps": steps_of(past),
    }


def steps_of(past: Hindsight, since: int = 0) -> list[dict[str, Any]]:
    """The turns after a ply, as far as they are known to each track."""
    stops = [since, *(stop for stop in past.stops if stop > since)]
    return [_step(past, first, ply) for first, ply in pairwise(stops)]


def _step(past: Hindsight, first: int, ply: int) -> dict[str, Any]:
    """The turn that led from one stop to the next; `first` and `ply` are their plies."""
    acting = past.acting(first)
    told = {track: past.turn_text(first, ply, seat) for track, seat in past.tracks.items()}
    return {"first": first, "ply": ply, "seat": acting and acting.value, "round": past.round(ply), "told": told}


def frames_of(past: Hindsight, track: str, first: int, n: int) -> list[dict[str, Any]]:
    """Moments in a row as one track shows them, from ply `first` on; BadText if there is no such track or ply.

    What happened since the stop before a ply is told with it.
    """
    seat, last = past.seat_of(track), min(past.check_ply(first) + n - 1, past.last)
    befores = {ply: max((stop for stop in past.stops if stop < ply), default=0) for ply in range(first, last + 1)}
    scenes = {ply: scene_of(past.view(ply, seat)) for ply in {*befores, *befores.values()}}
    return [_frame(past, seat, before, ply, scenes) for ply, before in befores.items()]


def _frame(past: Hindsight, seat: Seat | None, first: int, ply: int, scenes: Mapping[int, Scene]) -> dict[str, Any]:
    plies = range(first + 1, ply + 1) if ply else (0,)
    sentences = sentences_of(past.game.name, [event for each in plies for event in past.seen(each, seat)])
    acting = past.acting(ply)
    scene = scenes[ply]
    if first != ply and not scene.arrows:
        scene = replace(scene, arrows=scene.moves_since(scenes[first]))
    return {"ply": ply, "scene": scene_json(scene), "sentences": sentences, "acting": acting and acting.value}


def log_of(past: Hindsight, track: str, ply: int) -> SeatLog:
    """What a seat knew at a ply, for insights; on the track of the truth what everybody knew."""
    seat, ply = past.seat_of(track) or Seat.SPECTATOR, past.check_ply(ply)
    view = past.view(ply, seat)
    if past.acting(ply) is seat:
        view = replace(view, legal=past.game.view(past.states[ply], seat).legal)  # type: ignore[type-var]
    opening = past.game.view(past.states[0], seat)
    return SeatLog(past.game.name, seat, opening, past.events_for(seat, ply), view)


def options_of(past: Hindsight, ply: int) -> list[dict[str, Any]]:
    """Everything that could have been done at a ply, in notation and as a phrase; what chance may do, with its odds."""
    state: Any = past.states[past.check_ply(ply)]
    game, is_chance = past.game, past.game.to_act(state) is Seat.CHANCE
    odds = game.chance_odds(state) if is_chance else [(action, None) for action in past.options(ply)]
    return [
        {
            "action": game.format_action(past.config, action),
            "words": game.describe_action(state, action) if is_chance else game.phrase_choice(state, [action]),
            **({} if share is None else {"odds": share}),
        }
        for action, share in odds
    ]


def offers_of(past: Hindsight, ply: int) -> list[dict[str, Any]]:
    """What the page of the game offers to the seat that acts at a ply, as while the game was played."""
    state: Any = past.states[past.check_ply(ply)]
    acting = past.game.to_act(state)
    return offers_json(scene_of(past.game.view(state, acting))) if acting in PLAYERS else []


def make_page(record: str, comments: Comments = ()) -> str:
    """Task of a worker: one self-contained HTML page, with these comments on plies."""
    return replay_page(parse_record(record), comments)


def make_film(record: str, track: str = TRUTH, theme: str = "light") -> bytes:
    """Task of a worker: a GIF of all frames of a track; MissingExtra where the extra for pictures is not installed."""
    past = Hindsight(parse_record(record))
    seat, buffer = past.seat_of(track), io.BytesIO()
    save_film([scene_of(past.view(ply, seat)) for ply in past.stops], buffer, theme, report)
    return buffer.getvalue()
