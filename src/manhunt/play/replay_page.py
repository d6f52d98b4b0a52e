"""A finished game as one HTML page: the truth and what each seat knew, ply by ply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module

from manhunt.beliefs.base import Belief
from manhunt.draw.overlay import Overlay, Piece
from manhunt.draw.replay import Frame, Story, Track, story_page
from manhunt.draw.scene import scene_of
from manhunt.errors import ManhuntError
from manhunt.games.base import AnyGame, View
from manhunt.ids import Node, Seat
from manhunt.play.hindsight import TRUTH, Hindsight
from manhunt.play.record import Record

_BELIEFS = {
    "pursuit": "manhunt.beliefs.pursuit:PursuitCandidates",
    "scotland_yard": "manhunt.beliefs.support:Support",
}
"""What a hunter can work out, for games with a hidden piece."""


def replay_page(record: Record) -> str:
    """The page of a game that is over. It shows everything, so BadText where the game goes on."""
    return story_page(story_of(record))


def story_of(record: Record) -> Story:
    past = Hindsight(record)
    game, tellers = past.game, _Tellers(past)
    tracks = [Track(track_name(game, name), tuple(tellers.frames(seat))) for name, seat in past.tracks.items()]
    names = [f"{game.seat_names[seat]}: {record.seats.get(seat.value, '?')}" for seat in (Seat.EVADER, Seat.PURSUERS)]
    return Story(
        title=f"{game.title}: {record.seats.get('evader', '?')} against {record.seats.get('pursuers', '?')}",
        subtitle=" · ".join([*names, f"seed {record.seed}"]),
        outcome=_ending(record, tracks[0].frames[-1].title),
        board=tellers.board,
        tracks=tuple(tracks),
        rounds=tuple(past.round(ply) for ply in range(1, past.last + 1)),
        record=record.format(),
    )


def track_name(game: AnyGame, track: str) -> str:
    """As the game calls the seat."""
    return track if track == TRUTH else game.seat_names.get(Seat(track), track)


def _ending(record: Record, last: str) -> str:
    return f"{last}: {record.fault}" if record.fault else last


class _Tellers:
    """Makes the frames of each track of one game."""

    def __init__(self, past: Hindsight) -> None:
        self.past, self.game = past, past.game
        self.candidates = self._candidates()
        first = past.view(0, Seat.EVADER)
        self._draws = _has_scene(first)
        self.board = scene_of(first).board if self._draws else None

    def frames(self, seat: Seat | None) -> list[Frame]:
        out: list[Frame] = []
        before: Overlay | None = None
        for ply in range(self.past.last + 1):
            view, told = self.past.view(ply, seat), self.past.told(ply, seat)
            if not self._draws:
                out.append(Frame(self.past.title(ply), told, picture=self._picture(ply, view, seat)))
                continue
            scene = scene_of(view)
            marks = replace(scene.marks, offers=())
            if seat is not Seat.EVADER:
                found = self._shown_candidates(ply)
                marks = replace(marks, candidates=found, caption=(*marks.caption, *_counted(found)))
            if not marks.arrows and before is not None:
                marks = replace(marks, arrows=_moves(before, marks))
            out.append(Frame(scene.title, told, marks))
            before = marks
        return out

    def _candidates(self) -> list[tuple[Node, ...]]:
        home = _BELIEFS.get(self.game.name)
        if home is None:
            return [() for _ in self.past.states]
        module, _, name = home.partition(":")
        belief: Belief = getattr(import_module(module), name)()
        belief.start(self.game.view(self.past.states[0], Seat.SPECTATOR))
        out = []
        for happened in self.past.happened:
            belief.observe(event.seen_by(Seat.SPECTATOR) for event in happened)
            out.append(tuple(sorted(belief.candidates)))
        return out

    def _shown_candidates(self, ply: int) -> tuple[Node, ...]:
        """Where the hunters see the piece itself, a glow would only say it again."""
        found = self.candidates[ply]
        return found if len(found) > 1 else ()

    def _picture(self, ply: int, view: View, seat: Seat | None) -> str:
        """A drawing without a board, or what is known in words."""
        draw = _drawer(self.game.name)
        if draw is not None:
            return draw(view)
        text = self.game.format_state(self.past.states[ply]) if seat is None else self.game.format_view(view)
        return f"<pre>{_plain(text)}</pre>"


def _counted(candidates: Sequence[Node]) -> tuple[str, ...]:
    return (f"Glowing: the {len(candidates)} places where Mr X can be, by what all know.",) if candidates else ()


def _has_scene(view: View) -> bool:
    try:
        scene_of(view)
    except (ManhuntError, AttributeError):
        return False
    return True


def _drawer(game: str) -> Callable[[View], str] | None:
    try:
        draw: Callable[[View], str] = import_module(f"manhunt.draw.{game}").draw_view
    except (ImportError, AttributeError):
        return None
    return draw


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _moves(before: Overlay, after: Overlay) -> tuple[tuple[Node, Node], ...]:
    """Arrows for pieces that stand elsewhere than in the frame before."""
    places = {_name(piece): piece.node for piece in before.pieces}
    pairs = [(places.get(_name(piece)), piece.node) for piece in after.pieces]
    return tuple((a, b) for a, b in pairs if a is not None and a != b)


def _name(piece: Piece) -> tuple[str, int]:
    return piece.kind, piece.index
