"""A finished game as one HTML page: the truth and what each seat knew, ply by ply."""

from __future__ import annotations

from collections.abc import Iterator

from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.scene import Scene
from manhunt.draw.replay import ReplayFrame, ReplayTrack, Story, story_page
from manhunt.play.fair_deal import deal_words
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import Record
from manhunt.play.replay import Replay, can_be_drawn


def replay_page(record: Record) -> str:
    """The page of a game that is over. It shows everything, so BadText where the game goes on."""
    return story_page(story_of(record))


def story_of(record: Record) -> Story:
    return story_of_past(Hindsight(record))


def story_of_past(past: Hindsight) -> Story:
    game, record = past.game, past.record
    tracks = [ReplayTrack(past.track_name(seat), tuple(_frames(past, seat))) for seat in past.tracks.values()]
    frames = tracks[0].frames
    who = [record.seats.get(seat.value, "?").removeprefix("person:") for seat in PLAYERS]
    names = [f"{game.seat_names[seat]}: {name}" for seat, name in zip(PLAYERS, who, strict=True)]
    return Story(
        title=f"{game.title}: {' against '.join(who)}",
        subtitle=" · ".join([*names, *([f"seed {record.seed}"] if isinstance(record.seed, int) else [])]),
        outcome=_ending(record, frames[-1].scene.title),
        board=frames[0].scene.board,
        tracks=tuple(tracks),
        rounds=tuple(past.round(ply) for ply in past.stops[1:]),
        record=record.format(),
        deal=deal_words(record),
    )


def _ending(record: Record, last: str) -> str:
    return f"{last}: {record.fault}" if record.fault else last


def _frames(past: Hindsight, seat: Seat | None) -> Iterator[ReplayFrame]:
    drawn = can_be_drawn(past)
    for moment in Replay(past, seat).turns:
        if drawn:
            yield ReplayFrame(moment.scene, moment.action_text)
        else:
            yield ReplayFrame(Scene(moment.title), moment.action_text, moment.position_text)
