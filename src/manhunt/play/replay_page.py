"""A finished game as one HTML page: the truth and what each seat knew, ply by ply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from importlib import import_module
from typing import Any

from manhunt.beliefs.base import Belief
from manhunt.draw.overlay import Overlay, Piece
from manhunt.draw.replay import Frame, Story, Track, story_page
from manhunt.draw.scene import scene_of
from manhunt.errors import BadText, ManhuntError
from manhunt.games.base import AnyGame, View
from manhunt.games.events import Event
from manhunt.ids import Node, Seat
from manhunt.play.record import Record, Replay, replay

TRUTH = "truth"
SEATS = (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR)
_BELIEFS = {
    "pursuit": "manhunt.beliefs.pursuit:PursuitCandidates",
    "scotland_yard": "manhunt.beliefs.support:Support",
}
"""What a hunter can work out, for games with a hidden piece."""


def replay_page(record: Record) -> str:
    """The page of a game that is over. It shows everything, so BadText where the game goes on."""
    if record.outcome is None:
        raise BadText("the game is not over; its page would show what is still hidden")
    return story_page(story_of(record))


def story_of(record: Record) -> Story:
    played = replay(record)
    game = played.game
    tellers = _Tellers(record, played)
    frames = {name: tellers.frames(name) for name in (TRUTH, *_seat_names(game))}
    tracks = [Track(name, tuple(rows)) for name, rows in frames.items()]
    if not game.capabilities.hidden:
        tracks = tracks[:1]
    names = [f"{game.seat_names[seat]}: {record.seats.get(seat.value, '?')}" for seat in (Seat.EVADER, Seat.PURSUERS)]
    return Story(
        title=f"{game.title}: {record.seats.get('evader', '?')} against {record.seats.get('pursuers', '?')}",
        subtitle=" · ".join([*names, f"seed {record.seed}"]),
        outcome=_ending(record, tracks[0].frames[-1].title),
        board=tellers.board,
        tracks=tuple(tracks),
        rounds=tuple(game.round_of(state) for state in played.states[1:]),
        record=record.format(),
    )


def _seat_names(game: AnyGame) -> dict[str, Seat]:
    return {game.seat_names.get(seat, seat.value): seat for seat in SEATS}


def _ending(record: Record, last: str) -> str:
    return f"{last}: {record.fault}" if record.fault else last


class _Tellers:
    """Makes the frames of each track of one game."""

    def __init__(self, record: Record, played: Replay) -> None:
        self.record, self.played, self.game = record, played, played.game
        self.events = _events(played)
        self.candidates = self._candidates()
        self._draws = _has_scene(self._view(0, Seat.EVADER))
        self.board = scene_of(self._view(0, Seat.EVADER)).board if self._draws else None

    def frames(self, name: str) -> list[Frame]:
        seat = _seat_names(self.game).get(name)
        out: list[Frame] = []
        before: Overlay | None = None
        for ply in range(len(self.played.states)):
            view = self._truth(ply) if seat is None else self._view(ply, seat)
            told = self._told(ply, seat)
            if not self._draws:
                out.append(Frame(self._title(ply), told, picture=self._picture(ply, view, seat)))
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

    def _view(self, ply: int, seat: Seat) -> View:
        """The last view knows how the game ended, also by a forfeit that the rules do not know of."""
        view: View = replace(self.game.view(self.played.states[ply], seat), legal=())
        if ply == len(self.played.states) - 1 and view.outcome is None:
            return replace(view, outcome=self.record.outcome, to_act=None)  # type: ignore[type-var]
        return view

    def _truth(self, ply: int) -> View:
        """What the evader knows, and where that is nothing, what the pursuers know."""
        view, other = self._view(ply, Seat.EVADER), self._view(ply, Seat.PURSUERS)
        names = [field.name for field in fields(view)]  # type: ignore[arg-type]
        unknown = {name: getattr(other, name) for name in names if getattr(view, name) is None}
        return replace(view, **unknown)  # type: ignore[type-var]

    def _told(self, ply: int, seat: Seat | None) -> str:
        """The ply that led here, as far as the seat may know it."""
        if ply == 0:
            return ""
        text = self.game.format_action(self.played.config, self.played.actions[ply - 1])
        happened = self.events[ply]
        if seat is None or all(seat in event.audience for event in happened):
            return text
        return " ".join(_logged(event) for event in happened if event.kind == "logged") or "hidden"

    def _candidates(self) -> list[tuple[Node, ...]]:
        home = _BELIEFS.get(self.game.name)
        if home is None:
            return [() for _ in self.played.states]
        module, _, name = home.partition(":")
        belief: Belief = getattr(import_module(module), name)()
        belief.start(self.game.view(self.played.states[0], Seat.SPECTATOR))
        out = []
        for happened in self.events:
            belief.observe(event.seen_by(Seat.SPECTATOR) for event in happened)
            out.append(tuple(sorted(belief.candidates)))
        return out

    def _shown_candidates(self, ply: int) -> tuple[Node, ...]:
        """Where the hunters see the piece itself, a glow would only say it again."""
        found = self.candidates[ply]
        return found if len(found) > 1 else ()

    def _title(self, ply: int) -> str:
        if ply == len(self.played.states) - 1:
            return f"{self.game.title}: {self.record.outcome}"
        state = self.played.states[ply]
        acting = self.game.to_act(state)
        name = "chance" if acting is None or acting is Seat.CHANCE else self.game.seat_names.get(acting, acting.value)
        return f"{self.game.title}, round {self.game.round_of(state)}: {name} to act"

    def _picture(self, ply: int, view: View, seat: Seat | None) -> str:
        """A drawing without a board, or what is known in words."""
        draw = _drawer(self.game.name)
        if draw is not None:
            return draw(view)
        state = self.played.states[ply]
        text = self.game.format_state(state) if seat is None else self.game.format_view(view)
        return f"<pre>{_plain(text)}</pre>"


def _events(played: Replay) -> list[Sequence[Event]]:
    """What happened before each state."""
    game, states = played.game, played.states
    out: list[Sequence[Event]] = [game.opening_events(states[0])]
    for before, action, after in zip(states, played.actions, states[1:], strict=False):
        out.append(game.events(before, action, after))
    return out


def _logged(event: Event) -> str:
    """An entry of the travel log: its ticket's letter and the node, where it is shown."""
    body: Mapping[str, Any] = event.body
    return f"{str(body['ticket'])[:1].upper()}{body['at'] or '?'}"


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
