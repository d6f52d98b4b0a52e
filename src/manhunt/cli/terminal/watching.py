"""The screen behind `watch` in a terminal: positions stepped by keys; at the newest one the game is played on."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from rich.text import Text

from manhunt.cli.screen import console
from manhunt.cli.terminal.frame import compose, keys_line
from manhunt.cli.terminal.help_screen import show_help
from manhunt.cli.terminal.keys import Keys
from manhunt.cli.terminal.options import Begun
from manhunt.cli.terminal.painter import Painter
from manhunt.cli.terminal.plain import event_lines, opening_line, result_lines
from manhunt.cli.terminal.stepping import KEY_HELP, PositionCursor, Shown, step_with_keys
from manhunt.draw.scenes import scene_of


def watch_in_terminal(begun: Begun, pace_seconds: float) -> None:
    """Until Q, or the end of input; the last position and the result stay on the screen afterwards."""
    out = console()
    painter = Painter(out)
    with begun.output.held(), painter.seat(has_cursor=False) as keys:
        watching = _Watching(begun, painter, keys)
        step_with_keys(watching.cursor, keys, watching.draw, help_screen=watching.help, pace_seconds=pace_seconds)
    out.print(opening_line(begun), style="quiet")
    begun.show()
    out.print(begun.screen.picture(begun.game.view, out.width, min(16, max(out.height - 6, 6))))
    out.print("\n".join(result_lines(begun)), markup=False)


class _PlayedPositions:
    """Those of a game that agents play, as far as it has come."""

    def __init__(self, begun: Begun) -> None:
        self.game = begun.game
        self.round_of = cache(lambda i: scene_of(self.game.views[i]).round)

    @property
    def n(self) -> int:
        return len(self.game.views)

    def grow(self) -> bool:
        if self.game.over:
            return False
        self.game.step()
        return True


class _Watching:
    def __init__(self, begun: Begun, painter: Painter, keys: Keys) -> None:
        self.begun, self.painter, self.keys = begun, painter, keys
        self.cursor = PositionCursor(_PlayedPositions(begun))

    def draw(self, shown: Shown) -> None:
        game, at = self.begun.game, self.cursor.at
        self.begun.show(at)
        log = [line for events in game.events[: at + 1] for line in event_lines(self.begun.screen, events)]
        if game.over and self.cursor.is_newest:
            log += result_lines(self.begun)
        footer = [Text(shown.note, "quiet")] if shown.note else [keys_line(*shown.keys)]
        picture = compose(
            self.painter.console,
            self.begun.screen,
            game.views[at],
            log=log,
            footer=footer,
            corner=self.begun.seed_text if self.cursor.is_newest else f"move {at} of {len(game.views) - 1}",
            spare=int(shown.line is not None),
        )
        self.painter.paint(picture, shown.prompt, shown.line)

    def help(self) -> None:
        with suppress(EOFError):
            show_help(self.painter, self.keys, self.begun.screen, self.begun.game.views[self.cursor.at], KEY_HELP)
