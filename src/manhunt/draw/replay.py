"""A game as one HTML page that opens from a file: the board once, then for each ply what changes.

The page knows no rules. It gets tracks (the truth, and what each seat knew), each a list of frames, and shows one frame
of one track. Texts and small drawings that come again are kept once, in one list that frames point into.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from importlib import resources
from string import Template
from typing import Any

from manhunt.boards.board import Board
from manhunt.core.scene import Scene, StripField
from manhunt.draw.lines import MapFrame, build_frame
from manhunt.draw.look import LIGHT
from manhunt.draw.marks import EVEN_GLOW, SceneMarks, hatch_and_head
from manhunt.draw.markup import SVG_NAMES, num, tag
from manhunt.draw.page_style import NOT_AFFILIATED, PAGE, base_style, head
from manhunt.draw.strip import on_colour
from manhunt.draw.svg import WIDTH, BoardGround, draw_scene


@dataclass(frozen=True)
class ReplayFrame:
    """One moment as one track shows it. `action_text` is the turn that led here; `text` stands in for a ground."""

    scene: Scene
    action_text: str = ""
    text: str = ""


@dataclass(frozen=True)
class ReplayTrack:
    """What somebody knew, turn by turn; all tracks of a game have the same number of frames."""

    name: str
    frames: tuple[ReplayFrame, ...]


@dataclass(frozen=True)
class Story:
    """All that a page shows. `rounds` has the round of each frame but the first; `record` is the game's text."""

    title: str
    subtitle: str
    outcome: str
    board: Board | None
    tracks: tuple[ReplayTrack, ...]
    rounds: tuple[int, ...]
    record: str
    deal: str = ""
    """Whether the deal is the one that was promised."""


def story_page(story: Story) -> str:
    """The page as text."""
    texts = _Texts()
    board = _drawn_board(story.board) if story.board is not None else None
    data: dict[str, Any] = {"rounds": story.rounds, "names": [track.name for track in story.tracks]}
    data["tracks"] = [_deltas([_frame(frame, board, texts) for frame in t.frames]) for t in story.tracks]
    data["texts"] = texts.all
    if board is not None:
        data |= {"points": [[round(x, 1), round(y, 1)] for x, y in board.frame.points]}
        data |= {"r": round(1.95 * board.frame.radius, 1), "glow": EVEN_GLOW}
    return Template(_file("replay.html")).substitute(
        head=head(escape(story.title), base_style() + _style()),
        title=escape(story.title),
        subtitle=escape(story.subtitle),
        outcome=escape(story.outcome),
        picture="<div id='picture' role='img'></div>" if board is None else _board_svg(board),
        last=len(story.rounds),
        one_track=" hidden" if len(story.tracks) == 1 else "",
        tracks="".join(_choice(i, track) for i, track in enumerate(story.tracks)),
        record=escape(story.record),
        deal=escape(story.deal),
        not_affiliated=escape(NOT_AFFILIATED),
        data=_embedded(data),
        script=_file("replay.js"),
    )


def _choice(i: int, track: ReplayTrack) -> str:
    checked = " checked" if i == 0 else ""
    return f"<label><input type='radio' name='track' value='{i}'{checked}>{escape(track.name)}</label>"


class _Texts:
    """Texts by number, each kept once."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._number: dict[str, int] = {}

    def put(self, text: str) -> int:
        if text not in self._number:
            self._number[text] = len(self.all)
            self.all.append(text)
        return self._number[text]

    def put_all(self, texts: Sequence[str]) -> list[int]:
        return [self.put(text) for text in texts]


@dataclass(frozen=True)
class _DrawnBoard:
    frame: MapFrame
    lines: str
    nodes: str


@lru_cache(maxsize=8)
def _drawn_board(board: Board) -> _DrawnBoard:
    frame = build_frame(board, WIDTH)
    ground = BoardGround(board, PAGE, frame)
    return _DrawnBoard(frame, ground.lines(), ground.nodes())


def _frame(frame: ReplayFrame, board: _DrawnBoard | None, texts: _Texts) -> dict[str, Any]:
    """A frame in numbers: title, told, captions, strip; on a board also candidates, arrows and pieces."""
    scene = frame.scene
    out: dict[str, Any] = {
        "t": texts.put(scene.title),
        "m": texts.put(frame.action_text),
        "n": texts.put_all([escape(line) for line in scene.caption]),
        "c": texts.put_all([_chip(field) for field in scene.strip]),
    }
    if board is None:
        drawn = f"<pre>{escape(frame.text, quote=False)}</pre>" if scene.table is None else draw_scene(scene)
        return {**out, "s": texts.put_all(drawn.splitlines())}
    marks = SceneMarks(scene, PAGE, board.frame)
    out |= {"g": list(scene.candidates), "a": texts.put_all(marks.arrow_rows())}
    return {**out, "p": texts.put_all(marks.piece_rows())}


def _deltas(frames: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each frame without what is as in the one before."""
    out: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for frame in frames:
        out.append({key: value for key, value in frame.items() if before.get(key) != value})
        before = frame
    return out


def _chip(chip: StripField) -> str:
    kind = f" {chip.kind}" if chip.kind else ""
    marked = " marked" if chip.marked else ""
    said = f" aria-label='{escape(f'{chip.above}: {chip.kind} {chip.below}'.strip())}'" if chip.kind else ""
    parts = f"<small>{escape(chip.above)}</small><b>{escape(chip.text) or '&nbsp;'}</b><i>{escape(chip.below)}</i>"
    return f"<li class='chip{kind}{marked}'{said}>{parts}</li>"


def _board_svg(board: _DrawnBoard) -> str:
    """The board with an empty group for each kind of marks."""
    layers = (
        hatch_and_head(PAGE)
        + board.lines
        + "<g id='glow' fill='var(--belief)'></g>"
        + board.nodes
        + "<g id='arrows' fill='none'></g><g id='pieces' text-anchor='middle' font-weight='700'></g>"
    )
    box = f"0 0 {num(board.frame.width)} {num(board.frame.height)}"
    return tag("svg", layers, xmlns=SVG_NAMES, id="board", role="img", aria_labelledby="now", viewBox=box)


def _embedded(data: Any) -> str:
    """JSON that cannot end the script it stands in."""
    return (
        json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/").replace("<!--", "<\\u0021--")
    )


@lru_cache(maxsize=4)
def _file(name: str) -> str:
    return resources.files("manhunt.draw").joinpath(name).read_text(encoding="utf-8")


def _style() -> str:
    kinds = "".join(
        f".chip.{kind} b{{background:var(--{kind});color:{on_colour(getattr(LIGHT, kind))}}}"
        for kind in ("taxi", "bus", "underground", "ferry", "secret")
    )
    return _file("replay.css") + kinds
