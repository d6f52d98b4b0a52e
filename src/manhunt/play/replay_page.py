"""A finished game as one HTML page: the truth and what each seat knew, ply by ply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.scene import Scene
from manhunt.draw.replay import ReplayFrame, ReplayTrack, Story, story_page
from manhunt.play.fair_deal import deal_words
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import Record
from manhunt.play.replay import Moment, Replay, can_be_drawn

Comments = Sequence[tuple[int, str]]
"""What somebody wrote about a ply, for all to read."""


def replay_page(record: Record, comments: Comments = ()) -> str:
    """The page of a game that is over. It shows everything, so BadText where the game goes on."""
    return story_page(story_of(record, comments))


def story_of(record: Record, comments: Comments = ()) -> Story:
    return story_of_past(Hindsight(record), comments)


def story_of_past(past: Hindsight, comments: Comments = ()) -> Story:
    game, record = past.game, past.record
    tracks = [ReplayTrack(past.track_name(seat), tuple(_frames(past, seat, comments))) for seat in past.tracks.values()]
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


def _frames(past: Hindsight, seat: Seat | None, comments: Comments) -> Iterator[ReplayFrame]:
    drawn = can_be_drawn(past)
    for moment in Replay(past, seat).turns:
        scene = moment.scene if drawn else Scene(moment.title)
        said = tuple(f"\u201c{text}\u201d" for at, text in comments if _is_about(at, moment))
        text = "" if drawn else moment.position_text
        yield ReplayFrame(replace(scene, caption=(*said, *scene.caption)), moment.action_text, text)


def _is_about(ply: int, moment: Moment) -> bool:
    """Comments on a ply stand at the end of its turn."""
    return moment.first < ply <= moment.ply or ply == moment.ply == 0
