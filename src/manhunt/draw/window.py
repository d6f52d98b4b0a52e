"""A matplotlib window that plays a game by keys and clicks; in a notebook the same picture without the keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from manhunt.draw.figure import DOTS_PER_INCH, need, node_at, paint_scene, prepare, size_inches
from manhunt.draw.scene import Scene, picks_of, scene_of
from manhunt.draw.svg import draw_board
from manhunt.errors import ManhuntError
from manhunt.games.base import View
from manhunt.ids import Node

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEYS = "N one move    R round    A to the end    Q quit"
CLICK = "click a green node    Q quit"
PACE_SECONDS = 0.35

Adviser = Callable[[View], Mapping[Any, bool]]
"""For each legal action whether it wins for the seat that acts."""


class Followed(Protocol):
    """A game under way as one seat sees it; `play.onlooker.Onlooker` is one."""

    @property
    def view(self) -> View: ...

    @property
    def over(self) -> bool: ...

    @property
    def acting(self) -> bool: ...

    @property
    def my_turn(self) -> bool: ...

    @property
    def fault(self) -> str | None: ...

    def step(self) -> None: ...

    def finish_round(self) -> None: ...

    def submit(self, action: Any) -> None: ...


class GameWindow:
    """Draws a game and lets a person step it (N, R, A, Q) or play a seat of it by clicking nodes.

    Without a figure it stands alone: `press`, `click` and `_repr_svg_` work in a notebook. With `pace_seconds` 0
    other seats' moves come at once instead of one after the other.
    """

    def __init__(
        self,
        game: Followed,
        *,
        theme: str = "light",
        pace_seconds: float = PACE_SECONDS,
        adviser: Adviser | None = None,
        figure: Figure | None = None,
    ) -> None:
        self.game = game
        self.theme = theme
        self.pace_seconds = pace_seconds
        self.adviser = adviser
        self.figure = figure
        self.picked: tuple[Node, ...] = ()
        self.closed = False
        self._timer: Any = None
        if figure is not None:
            self._attach(figure)
        if game.acting:
            self._run()
        self.redraw()

    def scene(self) -> Scene:
        """What the window shows now; offers that lose are marked where an adviser knows."""
        scene = scene_of(self.game.view, self.picked)
        losing = self._losing() if self.adviser and self.game.my_turn else ()
        caption = (*scene.marks.caption, f"reason: {self.game.fault}") if self.game.fault else scene.marks.caption
        return replace(scene, marks=replace(scene.marks, danger=losing, caption=caption))

    def redraw(self) -> None:
        if self.figure is not None and not self.closed:
            self._frame = paint_scene(self.figure.axes[0], self.scene(), self.theme, self._foot())
            self.figure.canvas.draw_idle()

    def _foot(self) -> str:
        if self.game.over:
            return "game over    Q quit"
        if not self.game.acting:
            return KEYS
        return CLICK if self.adviser is None else f"{CLICK}    a red cross: that move loses"

    def press(self, key: str) -> None:
        """What a key does; other keys do nothing, and any key stops a running game."""
        key = key.lower()
        was_running = self._stop()
        if key == "q":
            self.close()
        elif self.game.over or self.game.acting or was_running:
            if self.game.acting:
                self._run()
        elif key == "n":
            self.game.step()
        elif key == "r":
            self.game.finish_round()
        elif key == "a":
            self._run()
        self.redraw()

    def click(self, node: Node) -> None:
        """Pick a node towards an action; the action is played when it is clear."""
        if not self.game.my_turn:
            return
        view, picked = self.game.view, (*self.picked, node)
        ways = {action: picks_of(view, action) for action in view.legal}
        fitting = [action for action, way in ways.items() if way[: len(picked)] == picked]
        done = [action for action in fitting if ways[action] == picked]
        if done:
            self.picked = ()
            self.game.submit(done[0])
            self.redraw()
            self._run()
        else:
            # A node that leads nowhere begins the choice anew.
            self.picked = picked if fitting else ()
        self.redraw()

    def close(self) -> None:
        self.closed = True
        self._stop()
        if self.figure is not None and self.figure.canvas.manager is not None:
            need("matplotlib.pyplot").close(self.figure)

    def _repr_svg_(self) -> str:
        scene = self.scene()
        return draw_board(scene.board, theme=self.theme, width=900, title=scene.title, marks=scene.marks)

    def _losing(self) -> tuple[Node, ...]:
        """The nodes that may be picked next and lead only to actions that lose."""
        assert self.adviser is not None
        view, n = self.game.view, len(self.picked)
        best: dict[Node, bool] = {}
        for action, wins in self.adviser(view).items():
            way = picks_of(view, action)
            if way[:n] == self.picked and len(way) > n:
                best[way[n]] = best.get(way[n], False) or wins
        return tuple(node for node, wins in best.items() if not wins)

    # -- time ----------------------------------------------------------------------------------------

    def _run(self) -> None:
        """Let the other seats move, one after the other."""
        if self.figure is None or not self.pace_seconds:
            while self._waits_for_others():
                self.game.step()
        elif self._waits_for_others():
            self._timer = self.figure.canvas.new_timer(interval=int(1000 * self.pace_seconds))
            self._timer.add_callback(self._tick)
            self._timer.start()

    def _tick(self) -> bool:
        if self._timer is None:
            return False
        if self._waits_for_others():
            self.game.step()
            self.redraw()
        if not self._waits_for_others():
            self._stop()
            return False
        return True

    def _waits_for_others(self) -> bool:
        return not self.closed and not self.game.over and not self.game.my_turn

    def _stop(self) -> bool:
        """End a running game; says whether one was running."""
        timer, self._timer = self._timer, None
        if timer is not None:
            timer.stop()
        return timer is not None

    # -- matplotlib's events ---------------------------------------------------------------------------

    def _attach(self, figure: Figure) -> None:
        prepare(figure, self.theme)
        manager: Any = figure.canvas.manager
        if manager is not None and getattr(manager, "key_press_handler_id", None) is not None:
            figure.canvas.mpl_disconnect(manager.key_press_handler_id)
        figure.canvas.mpl_connect("key_press_event", self._on_key)
        figure.canvas.mpl_connect("button_press_event", self._on_click)
        figure.canvas.mpl_connect("resize_event", lambda _: self.redraw())
        figure.canvas.mpl_connect("close_event", self._on_close)

    def _on_key(self, event: Any) -> None:
        if event.key:
            self.press(event.key)

    def _on_click(self, event: Any) -> None:
        toolbar = getattr(event.canvas, "toolbar", None)
        if event.xdata is None or event.ydata is None or (toolbar is not None and toolbar.mode):
            return
        node = node_at(self._frame, event.xdata, event.ydata)
        if node is not None:
            self.click(node)

    def _on_close(self, _: Any) -> None:
        self.closed = True
        self._stop()


def open_window(
    game: Followed, *, theme: str = "light", pace_seconds: float = PACE_SECONDS, adviser: Adviser | None = None
) -> GameWindow:
    """A window of its own; ManhuntError where there is no display. `show` waits until it is closed."""
    return GameWindow(
        game,
        theme=theme,
        pace_seconds=pace_seconds,
        adviser=adviser,
        figure=_new_window(scene_of(game.view)),
    )


def show() -> None:
    """Wait until all windows are closed."""
    need("matplotlib.pyplot").show(block=True)


def _new_window(scene: Scene) -> Figure:
    need("matplotlib")
    try:
        pyplot = need("matplotlib.pyplot")
        figure: Figure = pyplot.figure(num="manhunt", clear=True, figsize=size_inches(scene), dpi=DOTS_PER_INCH)
        interactive = need("matplotlib.backends.registry").BackendFilter.INTERACTIVE
        names = need("matplotlib.backends.registry").backend_registry.list_builtin(interactive)
        opened = pyplot.get_backend().lower() in {name.lower() for name in names}
        reason = f"matplotlib's backend here is {pyplot.get_backend()}"
    except ManhuntError:
        raise
    except Exception as error:  # every toolkit has its own way of missing a display
        opened, reason = False, str(error).partition("\n")[0]
    if not opened:
        raise ManhuntError(f"cannot open a window: {reason}; without a display leave out --figure or use --save FILE")
    return figure
