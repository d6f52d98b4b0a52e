"""What one seat sees, as text for a terminal, as an SVG document, or as an array of pixels."""

from __future__ import annotations

import io
from typing import Any

from manhunt.core.errors import ManhuntError, unknown
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.core.scene import Scene
from manhunt.draw.scenes import draw_view, scene_of

RENDER_MODES = ("ansi", "human", "rgb_array", "svg")
"""`human` prints what `ansi` returns."""
COLUMNS, ROWS = 100, 32


def check_render_mode(mode: str | None) -> None:
    if mode is not None and mode not in RENDER_MODES:
        raise ManhuntError(unknown("render mode", mode, RENDER_MODES))


def parse_seat(name: str) -> Seat:
    """A seat whose view can be drawn."""
    known = [seat.value for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR)]
    if name not in known:
        raise ManhuntError(unknown("seat", name, known))
    return Seat(name)


def render(view: View, mode: str | None) -> Any:
    """The picture of a view in this mode; None for `human`, which prints it."""
    if mode is None:
        raise ManhuntError(f"render() needs a render mode; make the environment with render_mode={RENDER_MODES[0]!r}")
    if mode == "svg":
        return draw_view(view)
    if mode == "rgb_array":
        return pixels(draw_view(view))
    text = ansi(scene_of(view))
    if mode == "ansi":
        return text
    print(text)
    return None


def pixels(svg: str) -> Any:
    """Height, width, and red, green, blue from 0 to 255."""
    import numpy as np

    from manhunt.draw.look import theme_of
    from manhunt.draw.pictures import need, png_of

    png = png_of(svg, theme_of("light").paper)
    return np.array(need("PIL.Image").open(io.BytesIO(png)).convert("RGB"))


def ansi(scene: Scene) -> str:
    """Title, board or cards, and who acts, with colours for a terminal."""
    from rich.console import Console
    from rich.theme import Theme

    from manhunt.cli.screen import COLOURS
    from manhunt.cli.terminal.card_chart import draw_cards
    from manhunt.cli.terminal.chart import draw_chart

    out = io.StringIO()
    console = Console(
        file=out, width=COLUMNS, force_terminal=True, color_system="truecolor", highlight=False, theme=Theme(COLOURS)
    )
    console.print(scene.title, style="bold", markup=False)
    picture = draw_chart(scene, COLUMNS, ROWS) if scene.table is None else draw_cards(scene.table, COLUMNS, ROWS)
    console.print(picture)
    console.print(scene.ending or scene.turn_words, markup=False)
    return out.getvalue()
