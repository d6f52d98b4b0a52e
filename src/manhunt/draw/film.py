"""Films as GIF. On a board only what changed since the frame before is drawn anew.

To turn a whole drawing into pixels takes a tenth of a second; a London game has over a hundred moves. But a move
changes little: the places a piece left and came to, an arrow, the title, the strip. The board is drawn once; for each
frame these boxes alone are cut out of it, drawn upon, brought to the film's palette and put into the frame before.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from manhunt.core.scene import Scene
from manhunt.draw.legend import Legend
from manhunt.draw.lines import MapFrame, build_frame
from manhunt.draw.look import Theme, theme_of
from manhunt.draw.marks import SceneMarks
from manhunt.draw.pictures import need, png_of
from manhunt.draw.strip import Strip
from manhunt.draw.svg import WIDTH, DrawnPart, draw_scene, scene_document

if TYPE_CHECKING:
    from PIL.Image import Image

FRAME_SECONDS = 0.7
LAST_FRAME_SECONDS = 2.5
COLOURS = 255
TITLE_HEIGHT = 40
SIGN_WIDTH = 9
"""A sign of the text beside a piece is not wider than this."""
_ON_THE_GROUND = tuple(part for part in DrawnPart if part is not DrawnPart.GROUND)
Report = Callable[[int, int, str], object]
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)" width="[\d.]+" height="[\d.]+"')


class Box(NamedTuple):
    """Whole pixels: left, top, right, bottom."""

    left: int
    top: int
    right: int
    bottom: int


def report_nothing(done: int, total: int, words: str) -> None:
    """Whoever wants to know how far a film is gives another one."""


def save_film(scenes: Sequence[Scene], out: BinaryIO, theme: str = "light", report: Report = report_nothing) -> None:
    """A GIF of all scenes of one game; `report` hears how many are done. All frames get the size of the tallest."""
    images, look = need("PIL.Image"), theme_of(theme)
    board = scenes[0].board
    # What glows lies under the nodes, so there the whole drawing changes.
    whole = board is None or any(scene.belief or scene.candidates or scene.danger for scene in scenes)
    film = _WholeFrames(scenes, look) if whole else _ChangedBoxes(scenes, look, build_frame(board, WIDTH))
    # One palette for all frames, from the first and the last: what does not change then takes no room in the file.
    first, last = film.picture(0), film.picture(len(scenes) - 1)
    ends = images.new("RGB", (first.width, 2 * first.height))
    ends.paste(first)
    ends.paste(last, (0, first.height))
    palette = ends.quantize(COLOURS, images.Quantize.FASTOCTREE)
    frames = []
    for i, frame in enumerate(film.frames(palette), 1):
        frames.append(frame)
        report(i, len(scenes), f"picture {i} of {len(scenes)}")
    pauses = [int(1000 * FRAME_SECONDS)] * (len(frames) - 1) + [int(1000 * LAST_FRAME_SECONDS)]
    frames[0].save(out, format="GIF", save_all=True, append_images=frames[1:], duration=pauses, loop=0)


class _WholeFrames:
    """Every frame drawn from scratch."""

    def __init__(self, scenes: Sequence[Scene], theme: Theme) -> None:
        self.theme, self.drawings = theme, [draw_scene(scene, theme=theme.name) for scene in scenes]
        self.bare: Image = need("PIL.Image").new("RGBA", max(map(_size_of, self.drawings)), theme.paper)

    def picture(self, i: int) -> Image:
        whole = self.bare.copy()
        whole.alpha_composite(_image(self.drawings[i]))
        return whole.convert("RGB")

    def frames(self, palette: Image) -> Iterator[Image]:
        for i in range(len(self.drawings)):
            yield _paletted(self.picture(i), palette)


class _ChangedBoxes(_WholeFrames):
    """The board once, then what changed from frame to frame.

    Text is what takes resvg longest, so the title, the marks and the foot are drawings of their own.
    """

    def __init__(self, scenes: Sequence[Scene], theme: Theme, frame: MapFrame) -> None:
        self.scenes, self.theme, self.frame = scenes, theme, frame
        self.top = TITLE_HEIGHT if scenes[0].title else 0
        self.foot = int(self.top + frame.height)
        self.drawings = [self._drawn(i, *_ON_THE_GROUND) for i in range(len(scenes))]
        self.bare = need("PIL.Image").new("RGBA", max(map(_size_of, self.drawings)), theme.paper)
        ground = Scene(scenes[0].title, board=scenes[0].board)
        self.bare.alpha_composite(_image(scene_document(ground, theme, frame, parts={DrawnPart.GROUND})))

    def frames(self, palette: Image) -> Iterator[Image]:
        now = _paletted(self.picture(0), palette)
        yield now
        looks = [self._looks(scene) for scene in self.scenes]
        for i, (before, after) in enumerate(pairwise(looks), 1):
            now = now.copy()
            changed = {box for key in before.keys() ^ after.keys() for box in (before | after)[key]}
            for box, part in sorted(changed, key=lambda pair: (pair[0], pair[1].value)):
                now.paste(_paletted(self._cut(i, box, part), palette), box)
            yield now

    def _drawn(self, i: int, *parts: DrawnPart) -> str:
        return scene_document(self.scenes[i], self.theme, self.frame, parts=parts)

    def _cut(self, i: int, box: Box, part: DrawnPart) -> Image:
        """A part of a picture, without the rest of it."""
        cut = self.bare.crop(box)
        cut.alpha_composite(_image(_cropped(self._drawn(i, DrawnPart.MARKS, part), box)))
        return cut.convert("RGB")

    def _looks(self, scene: Scene) -> dict[Hashable, list[tuple[Box, DrawnPart]]]:
        """Everything that may change, by what it looks like, and where it is."""
        marks, radius = SceneMarks(scene, self.theme, self.frame), self.frame.radius
        found: dict[Hashable, list[tuple[Box, DrawnPart]]] = {}
        width, height = self.bare.size
        title = [(Box(0, 0, width, self.top), DrawnPart.TITLE)] if self.top else []
        legend, strip = Legend(scene, self.theme, width), Strip(self.theme, scene.strip, width)
        low = min(height, int(self.foot + legend.height + strip.height))
        foot = [(Box(0, self.foot, width, low), DrawnPart.FOOT)] if self.foot < low else []
        caption = [(Box(0, low, width, height), DrawnPart.CAPTION)] if low < height else []

        def lies(nodes: Sequence[int], wide: float, high: float) -> list[tuple[Box, DrawnPart]]:
            box = self._around(nodes, wide, high)
            inside = box._replace(top=max(box.top, self.top), bottom=min(box.bottom, self.foot))
            over, under = box.top < self.top, box.bottom > self.foot
            return [(inside, DrawnPart.MARKS), *(title if over else []), *(foot if under else [])]

        for node in {piece.node for piece in scene.pieces}:
            here = tuple(piece for piece in scene.pieces if piece.node == node)
            reach = (2.5 + 0.6 * len(here)) * radius + 8
            found["pieces", here] = lies([node], reach + SIGN_WIDTH * max(len(p.text) for p in here), reach)
        for node in scene.choices:
            found["offer", node] = lies([node], 2 * radius, 2 * radius)
        for arrow, drawn in zip(scene.arrows, marks.arrow_rows(), strict=True):
            found["arrow", drawn] = lies(arrow, 2 * radius, 2 * radius)
        found["title", scene.title], found["caption", scene.caption, low] = title, caption
        found["foot", legend.draw(0), strip.draw(0)] = foot
        return found

    def _around(self, nodes: Sequence[int], wide: float, high: float) -> Box:
        width, height = self.bare.size
        points = [self.frame.points[node] for node in nodes]
        xs, ys = [x for x, _ in points], [y + self.top for _, y in points]
        left, upper = max(0, int(min(xs) - wide)), max(0, int(min(ys) - high))
        return Box(left, upper, min(width, int(max(xs) + wide) + 1), min(height, int(max(ys) + high) + 1))


def _paletted(picture: Image, palette: Image) -> Image:
    return picture.quantize(palette=palette, dither=need("PIL.Image").Dither.NONE)


def _image(svg: str) -> Image:
    made: Image = need("PIL.Image").open(io.BytesIO(png_of(svg))).convert("RGBA")
    return made


def _size_of(svg: str) -> tuple[int, int]:
    found = _SIZE.search(svg)
    assert found is not None, "our own drawings say their size"
    return round(float(found[1])), round(float(found[2]))


def _cropped(svg: str, box: Box) -> str:
    width, height = box.right - box.left, box.bottom - box.top
    seen = f'viewBox="{box.left} {box.top} {width} {height}" width="{width}" height="{height}"'
    return _SIZE.sub(seen, svg, count=1)
