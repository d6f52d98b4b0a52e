"""A game on a board in the terminal, for games that bring no screen: map, pieces, candidates, words.

It works from views that are `BoardView`s and from actions that are `BoardMove`s.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import add_settings
from manhunt.cli.terminal.contract import Screen, Setting, capital
from manhunt.core.errors import BadConfig, ManhuntError
from manhunt.core.game import BoardView
from manhunt.core.ids import PLAYERS, Node, Seat
from manhunt.core.registry import kit_of

if TYPE_CHECKING:
    import argparse

    from rich.text import Text

    from manhunt.core.belief import Belief
    from manhunt.core.kit import Kit

MOST_LISTED = 24


class BoardScreen(Screen[BoardView]):
    """Everything comes from the game's kit; a subclass may say some of it better."""

    legend = (
        ("A 12", "a piece (its letter stands below the map) on node 12"),
        ("(12)", "where the piece that moves can go; (12!) loses, as far as --hints can say"),
        ("12?", "where a hidden piece can be"),
    )

    def __init__(self, game: str) -> None:
        kit = kit_of(game)
        self.game = game
        self.words = self.words or seat_words(kit)
        self.default_agents = self.default_agents or strongest_agents(kit, self.words)
        self.examples = self.examples or _examples(game, self.words)
        self._belief: Belief[Node] | None = None

    def add_options(self, parser: argparse.ArgumentParser, command: str) -> None:
        rules = parser.add_argument_group(f"{self.game}: board and rules")
        rules.add_argument("--board", metavar="B", help="name, generator or file; see 'manhunt boards'")
        add_settings(rules, "an option of the game that differs from the preset; again for more")

    def set_up(self, options: argparse.Namespace, seed: int) -> Setting:
        board = {} if options.board is None else {"board": options.board}
        try:
            return Setting(kit_of(self.game).game.make_config(options.preset, **board, **dict(options.settings)))
        except ManhuntError:
            raise
        except (TypeError, ValueError) as error:
            raise BadConfig(f"invalid game options: {error}") from None

    # -- what is known ---------------------------------------------------------------------------

    def open(self, view: BoardView) -> None:
        make = kit_of(self.game).belief
        self._belief = None if make is None or view.seat is Seat.EVADER else make()
        if self._belief is not None:
            self._belief.start(view)

    def hear(self, events: Sequence[Mapping[str, Any]]) -> None:
        if self._belief is not None:
            self._belief.observe(events)

    def candidates(self, view: BoardView) -> tuple[Node, ...]:
        """Where the quarry can be, for a seat that does not see it."""
        if self._belief is None or view.quarry is not None or view.outcome is not None:
            return ()
        return tuple(sorted(self._belief.candidates))

    def _candidate_lines(self, view: BoardView) -> list[str]:
        nodes = self.candidates(view)
        if not nodes:
            return []
        quarry, places = kit_of(self.game).game.called(Seat.EVADER), "node" if len(nodes) == 1 else "nodes"
        more = " ..." if len(nodes) > MOST_LISTED else ""
        listed = f"{view.config.board.text(nodes[:MOST_LISTED])}{more}"
        return [f"{capital(quarry)} can be on {len(nodes)} {places}: {listed}"]

    # -- the picture -----------------------------------------------------------------------------

    def header(self, view: BoardView) -> str:
        return f"{super().header(view)} ({view.config.board.name})"

    def picture(self, view: BoardView, columns: int, rows: int, losing: Sequence[Any] = ()) -> Text:
        from manhunt.cli.terminal.chart import draw_chart
        from manhunt.draw.scenes import scene_of

        scene = scene_of(view)
        fine = {node for action in view.legal if action not in losing for node in self.destinations(action)}
        danger = tuple(node for node in scene.choices if node not in fine)
        return draw_chart(replace(scene, danger=danger, candidates=self.candidates(view)), columns, rows)

    def destinations(self, action: Any) -> tuple[Node, ...]:
        """Where an action takes its pieces."""
        to: Node | None = getattr(action, "to", None)
        return () if to is None else (to,)

    def notes(self, view: BoardView) -> list[Text]:
        from rich.text import Text

        from manhunt.cli.terminal.scene_lines import piece_lines
        from manhunt.draw.scenes import scene_of

        lines = piece_lines(scene_of(view))
        return [*lines, *(Text(line, "belief") for line in self._candidate_lines(view))]

    def briefing(self, view: BoardView) -> list[str]:
        return self._candidate_lines(view)


def seat_words(kit: Kit) -> dict[str, Seat]:
    """The names of the seats as words of the command line: `Night Watch` is `night-watch`."""
    names = kit.game.seat_names
    return {_slug(names[seat]) or seat.value: seat for seat in PLAYERS}


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def strongest_agents(kit: Kit, words: Mapping[str, Seat]) -> dict[str, str]:
    """By word of the command line, the agent of the highest level."""
    found = {}
    for word, seat in words.items():
        levels = [level for level in kit.levels if level.seat is seat]
        if levels:
            found[word] = max(levels, key=lambda level: level.strength).spec
    return found


def _examples(game: str, words: Mapping[str, Seat]) -> dict[str, tuple[str, ...]]:
    watch, play = f"manhunt watch {game}", f"manhunt play {game}"
    one, other = words
    return {
        "watch": (f"{watch} --seed 7", f"{watch} --board grid:6x6 --agent-{one} random --no-viz"),
        "play": (f"{play} --as {one}", f"{play} --as {other} --board petersen"),
    }
