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
from typing import Any

from manhunt.boards.board import Board
from manhunt.draw.lines import Frame as Ground
from manhunt.draw.lines import build_frame
from manhunt.draw.look import LIGHT, TEXT_SIZES
from manhunt.draw.marks import EVEN_GLOW, Marks, hatch_and_head
from manhunt.draw.markup import num, tag
from manhunt.draw.overlay import NOTHING, Chip, Overlay
from manhunt.draw.page_style import NOT_AFFILIATED, PAGE, base_style, head
from manhunt.draw.strip import on_colour
from manhunt.draw.svg import draw_ground

WIDTH = 1200


@dataclass(frozen=True)
class Frame:
    """One moment as one track shows it. `told` is the ply that led here; `picture` stands in for a board."""

    title: str
    told: str = ""
    marks: Overlay = NOTHING
    picture: str = ""


@dataclass(frozen=True)
class Track:
    """What somebody knew, ply by ply; all tracks of a game have the same number of frames."""

    name: str
    frames: tuple[Frame, ...]


@dataclass(frozen=True)
class Story:
    """All that a page shows. `rounds` has the round of each ply; `record` is the game's text for who wants it."""

    title: str
    subtitle: str
    outcome: str
    board: Board | None
    tracks: tuple[Track, ...]
    rounds: tuple[int, ...]
    record: str


def story_page(story: Story) -> str:
    """The page as text."""
    shelf = _Shelf()
    ground = _ground(story.board) if story.board is not None else None
    data: dict[str, Any] = {"rounds": story.rounds, "names": [track.name for track in story.tracks]}
    data["tracks"] = [_deltas([_frame(frame, story.board, ground, shelf) for frame in t.frames]) for t in story.tracks]
    data["shelf"] = shelf.texts
    if ground is not None:
        data |= {"points": [[round(x, 1), round(y, 1)] for x, y in ground.frame.points]}
        data |= {"r": round(1.95 * ground.frame.radius, 1), "glow": EVEN_GLOW}
    title = escape(story.title)
    return (
        head(title, base_style() + _style())
        + f"<body><main><header><h1>{title}</h1>"
        + f"<p class='quiet'>{escape(story.subtitle)}<br>{escape(story.outcome)}</p></header>"
        + f"<div class='stage'><figure>{_board_svg(story, ground)}</figure>{_side(story)}</div>{_controls(story)}"
        + f"<details><summary>The game as text</summary><pre>{escape(story.record)}</pre></details>"
        + f"<footer><p>{escape(NOT_AFFILIATED)}</p></footer></main>"
        + f"<script type='application/json' id='data'>{_embedded(data)}</script><script>{_script()}</script>"
        + "</body></html>\n"
    )


class _Shelf:
    """Texts by number, each kept once."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._number: dict[str, int] = {}

    def put(self, text: str) -> int:
        if text not in self._number:
            self._number[text] = len(self.texts)
            self.texts.append(text)
        return self._number[text]

    def put_all(self, texts: Sequence[str]) -> list[int]:
        return [self.put(text) for text in texts]


@dataclass(frozen=True)
class _Ground:
    frame: Ground
    lines: str
    nodes: str


@lru_cache(maxsize=8)
def _ground(board: Board) -> _Ground:
    frame = build_frame(board, WIDTH)
    return _Ground(frame, *draw_ground(board, PAGE, frame))


def _frame(frame: Frame, board: Board | None, ground: _Ground | None, shelf: _Shelf) -> dict[str, Any]:
    """A frame in numbers: title, told, captions, chips; on a board also candidates, arrows and pieces."""
    out: dict[str, Any] = {
        "t": shelf.put(frame.title),
        "m": shelf.put(frame.told),
        "n": shelf.put_all([escape(line) for line in frame.marks.caption]),
        "c": shelf.put_all([_chip(chip) for chip in frame.marks.strip]),
    }
    if frame.picture:
        out["s"] = shelf.put_all(frame.picture.splitlines())
    if ground is not None and board is not None:
        marks = Marks(board, PAGE, ground.frame, frame.marks)
        out |= {"g": list(frame.marks.candidates), "a": shelf.put_all(marks.arrow_rows())}
        out["p"] = shelf.put_all(marks.piece_rows())
    return out


def _deltas(frames: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each frame without what is as in the one before."""
    out: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for frame in frames:
        out.append({key: value for key, value in frame.items() if before.get(key) != value})
        before = frame
    return out


def _chip(chip: Chip) -> str:
    kind = f" {chip.kind}" if chip.kind else ""
    marked = " marked" if chip.marked else ""
    said = f" aria-label='{escape(f'{chip.above}: {chip.kind} {chip.below}'.strip())}'" if chip.kind else ""
    parts = f"<small>{escape(chip.above)}</small><b>{escape(chip.text) or '&nbsp;'}</b><i>{escape(chip.below)}</i>"
    return f"<li class='chip{kind}{marked}'{said}>{parts}</li>"


def _board_svg(story: Story, ground: _Ground | None) -> str:
    if ground is None:
        return "<div id='picture' role='img'></div>"
    frame = ground.frame
    layers = (
        hatch_and_head(PAGE)
        + ground.lines
        + "<g id='glow' fill='var(--belief)'></g>"
        + ground.nodes
        + "<g id='arrows' fill='none'></g><g id='pieces' text-anchor='middle' font-weight='700'></g>"
    )
    return tag(
        "svg",
        layers,
        xmlns="http://www.w3.org/2000/svg",
        id="board",
        role="img",
        aria_labelledby="now",
        viewBox=f"0 0 {num(frame.width)} {num(frame.height)}",
    )


def _side(story: Story) -> str:
    return (
        "<aside><p id='now' aria-live='polite'></p>"
        "<ol id='log' class='chips' aria-label='Travel log'></ol><div id='notes'></div>"
        "<h2 id='moves-title'>Moves</h2><ol id='moves' tabindex='0' aria-labelledby='moves-title'></ol></aside>"
    )


def _controls(story: Story) -> str:
    buttons = (
        ("first", "First position (Home)", "|◀"),
        ("back", "One move back (left arrow)", "◀"),
        ("play", "Play (space)", "▶▶"),
        ("next", "One move on (right arrow)", "▶"),
        ("last", "Last position (End)", "▶|"),
    )
    row = "".join(
        f"<button type='button' id='{name}' title='{text}' aria-label='{text}'>{sign}</button>"
        for name, text, sign in buttons
    )
    last = len(story.rounds)
    slider = f"<input type='range' id='ply' min='0' max='{last}' value='0' step='1' aria-label='Position in the game'>"
    choices = "".join(
        f"<label><input type='radio' name='track' value='{i}'{' checked' if i == 0 else ''}>{escape(t.name)}</label>"
        for i, t in enumerate(story.tracks)
    )
    hidden = " hidden" if len(story.tracks) == 1 else ""
    known = f"<fieldset id='tracks'{hidden}><legend>View</legend>{choices}</fieldset>"
    return (
        f"<div class='controls' role='group' aria-label='Replay'>{row}{slider}<output id='where'></output>{known}</div>"
    )


def _embedded(data: Any) -> str:
    """JSON that cannot end the script it stands in."""
    return (
        json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/").replace("<!--", "<\\u0021--")
    )


@lru_cache(maxsize=1)
def _script() -> str:
    return resources.files("manhunt.draw").joinpath("replay.js").read_text(encoding="utf-8")


def _style() -> str:
    small, body, *_ = TEXT_SIZES
    kinds = "".join(
        f".chip.{kind} b{{background:var(--{kind});color:{on_colour(getattr(LIGHT, kind))}}}"
        for kind in ("taxi", "bus", "underground", "ferry", "secret")
    )
    return _LAYOUT % {"small": small, "body": body} + kinds


_LAYOUT = """
main{max-width:1500px;margin:0 auto;padding:20px 20px 40px}
.stage{display:grid;grid-template-columns:minmax(0,1fr) minmax(260px,340px);gap:20px;align-items:start}
figure{margin:0;background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:8px;text-align:center}
#board{display:inline-block;width:100%%;height:auto;max-height:calc(100vh - 210px);font-family:inherit}
#picture{overflow:auto;max-height:calc(100vh - 210px)}#picture svg{max-width:100%%;height:auto}
#picture pre{white-space:pre-wrap;text-align:left;margin:16px;font:inherit}
aside{display:flex;flex-direction:column;gap:8px;height:calc(100vh - 210px);padding:4px;min-height:340px}
#now{font-weight:600;margin:0;min-height:3em}
#notes p{margin:0 0 6px;font-size:%(small)spx}
aside h2{font-size:%(body)spx;margin-top:4px}
.chips{list-style:none;display:flex;flex-wrap:wrap;gap:4px;margin:0;padding:0}
.chip{display:flex;flex-direction:column;align-items:center;min-width:28px;font-size:%(small)spx;line-height:1.25}
.chip small{color:var(--quiet);font-size:11px}
.chip b{width:28px;text-align:center;border:1px solid var(--line);border-radius:5px;line-height:22px}
.chip.marked b{border:2px solid var(--ink);line-height:20px}
.chip i{font-style:normal;font-weight:700;min-height:1.2em}
#moves{list-style:none;margin:0;padding:2px;overflow:auto;flex:1 1 120px;min-height:120px;
 position:relative;display:flex;flex-wrap:wrap;gap:4px;align-content:start;
 font-variant-numeric:tabular-nums}
#moves .round{color:var(--quiet);font-size:%(small)spx;width:100%%;margin-top:4px}
#moves button{padding:1px 7px;font-size:%(small)spx;min-width:0;min-height:26px}
#moves button[aria-current]{background:var(--ink);color:var(--paper);border-color:var(--ink)}
details{font-size:%(small)spx;margin-top:14px}summary{cursor:pointer}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px}
.controls{position:sticky;bottom:0;display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-top:14px;
 padding:10px 12px;background:var(--surface);border:1px solid var(--line);border-radius:10px}
button{font:inherit;color:var(--ink);background:var(--surface);border:1px solid var(--line);border-radius:6px;
 min-width:44px;min-height:36px;cursor:pointer}
button:hover{border-color:var(--ink)}
#ply{flex:1 1 200px;accent-color:var(--bus);min-height:36px}
#where{min-width:6em;text-align:right;font-variant-numeric:tabular-nums;color:var(--quiet)}
fieldset{border:0;margin:0;padding:0;display:flex;gap:10px;align-items:center;flex-wrap:wrap}
fieldset[hidden]{display:none}
legend{float:left;padding:0;margin-right:4px;color:var(--quiet)}
label{display:inline-flex;gap:5px;align-items:center;min-height:36px;cursor:pointer}
@media(max-width:860px){.stage{grid-template-columns:1fr}aside{height:auto;min-height:0}#moves{max-height:40vh}main{padding:12px}
 #board,#picture{max-height:60vh}#now{min-height:0}}
"""
