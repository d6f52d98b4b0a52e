"""Adversarial Shortest Path in the terminal: its options, its map, its costs and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import address, seconds, whole_number
from manhunt.cli.terminal.contract import Screen, Setting
from manhunt.core.errors import BadConfig
from manhunt.core.ids import Seat
from manhunt.games.shortest_path.rules.labels import cost_text

if TYPE_CHECKING:
    import argparse

    from rich.text import Text

    from manhunt.boards.board import Board
    from manhunt.cli.terminal.contract import Item
    from manhunt.core.game import Setup
    from manhunt.games.shortest_path.rules.config import ShortestPathConfig
    from manhunt.games.shortest_path.rules.state import ShortestPathState
    from manhunt.games.shortest_path.rules.views import ShortestPathView
    from manhunt.games.shortest_path.solvers.bounds import Bounds

DEFAULT_SIZE = (40, 80, 6, 3)
"""Nodes, edges, separation and cut of the contest graph that is made when no graph is given."""
BOUNDS_SECONDS = 1.0
MOST_SHOWN = 12
MOST_RECENT = 5


class ShortestPathScreen(Screen["ShortestPathView"]):
    game = "shortest_path"
    words = {"traveller": Seat.EVADER, "adversary": Seat.PURSUERS}  # noqa: RUF012
    default_agents = {"traveller": "dijkstra", "adversary": "greedy"}  # noqa: RUF012
    help = "type a number (#2) or an edge as written, - passes; u takes back, ? is help"
    rules = (
        "The traveller walks from the source to the target, one edge a move, and pays what it costs at that moment. "
        "After every step the adversary raises the cost of one edge, or passes. The traveller wants to pay as little "
        "as possible in all, the adversary wants them to pay as much as possible."
    )
    legend = (
        ("P 3, Y 26", "the traveller on node 3, the target on node 26"),
        ("(7)", "where the next step can go"),
        ("now -> after", "what an edge costs, and what it costs after one more raise"),
    )
    notation = (("3-7", "the edge between 3 and 7: to walk, or to raise"), ("-", "pass (the adversary)"))
    beside_record = frozenset({"bounds"})
    examples = {  # noqa: RUF012
        "watch": (
            "manhunt watch shortest_path --seed 7",
            "manhunt watch shortest_path --game-file game.txt --agent-traveller committed --agent-adversary min-cut",
            "manhunt watch shortest_path --rule double --no-viz --record game.record.txt",
            "manhunt watch shortest_path --server 127.0.0.1:8080",
        ),
        "play": (
            "manhunt play shortest_path --as traveller",
            "manhunt play shortest_path --as adversary --board grid:6x6 --source 1 --target 36",
        ),
    }

    def __init__(self) -> None:
        self.route: list[str] = []
        self.recent: list[str] = []
        self.board: Board | None = None
        self.certified: Bounds | None = None

    def add_options(self, parser: argparse.ArgumentParser, command: str) -> None:
        place = parser.add_argument_group("shortest_path: graph and rule")
        text = "a contest's game file: 'Starting node: X', 'Ending node: Y', 'Edges:', one edge a line"
        place.add_argument("--game-file", type=Path, metavar="FILE", help=text)
        text = "name, generator or file instead; see 'manhunt boards' (default: a contest graph made from the seed)"
        place.add_argument("--board", metavar="B", help=text)
        place.add_argument("--source", metavar="NODE", help="where the traveller starts on the board")
        place.add_argument("--target", metavar="NODE", help="where they want to go")
        place.add_argument("--rule", metavar="R", help="what a raise does: sqrt (default) or double")
        text = "time for certified bounds on the best play, before the game begins (default %(default)g; 0: none)"
        place.add_argument("--bounds", type=seconds, default=BOUNDS_SECONDS, metavar="SECONDS", help=text)
        if command == "watch":
            text = "follow a game of 'manhunt serve' there: the latest running one, or the next"
            place.add_argument("--server", type=address, metavar="HOST:PORT", help=text)
            text = "with --server: follow the game with this number"
            place.add_argument("--game-number", type=whole_number(1), metavar="N", help=text)

    def set_up(self, options: argparse.Namespace, seed: int) -> Setting:
        return self._timed(_config(options, seed))

    def set_up_again(self, options: argparse.Namespace, config: Any, setup: Setup) -> Setting:
        return self._timed(config, setup)

    def _timed(self, config: ShortestPathConfig, setup: Setup | None = None) -> Setting:
        from manhunt.play.clock import TimeControl

        return Setting(config, setup, time_control=TimeControl(bank_seconds=config.thinking_seconds))

    def follow(self, options: argparse.Namespace) -> bool:
        if options.server is None:
            return False
        from manhunt.games.shortest_path.classic.following import follow

        follow(options)
        return True

    def prepare(self, options: argparse.Namespace, opening: ShortestPathView) -> None:
        if options.bounds:
            self.certify(_find_bounds(opening.state, options.bounds), opening.config.board)

    def certify(self, bounds: Bounds, board: Board) -> None:
        """These bounds hold for the start of the game that is shown."""
        self.certified, self.board = bounds, board

    def bounds(self) -> Mapping[str, Any] | None:
        return self.certified.to_json(self.board) if self.certified and self.board else None

    def promise(self) -> str | None:
        from manhunt.games.shortest_path.solvers.verdict import promise

        return promise(self.certified) if self.certified else None

    def verdict(self, view: ShortestPathView) -> str | None:
        from manhunt.games.shortest_path.solvers.verdict import verdict

        if self.certified is None or view.outcome is None:
            return None
        return verdict(self.certified, view.outcome.cost)

    def open(self, view: ShortestPathView) -> None:
        self.route, self.recent = [view.config.board.label(view.quarry)], []

    def hear(self, events: Sequence[Mapping[str, Any]]) -> None:
        for event in events:
            if event.get("t") == "moved":
                self.route.append(event["to"])
            elif event.get("t") == "raised":
                self.recent.append(f"{event['from']}-{event['to']} costs {cost_text(event['cost'])}")

    def picture(self, view: ShortestPathView, columns: int, rows: int, losing: Sequence[Any] = ()) -> Text:
        from manhunt.cli.terminal.chart import draw_chart
        from manhunt.games.shortest_path.show.scene import excerpt

        scene = excerpt(view)
        quarry = next(piece.node for piece in scene.pieces if piece.kind == "quarry")
        return draw_chart(scene, columns, rows, focus=[quarry])

    def facts(self, view: ShortestPathView) -> list[tuple[str, str]]:
        from manhunt.core.errors import one_of
        from manhunt.games.shortest_path.show.scene import cheapest_words, scene

        config, board = view.config, view.config.board
        here = [f"{step['to']} {cost_text(step['cost'])}" for step in scene(view).page["here"]]
        route = self.route if len(self.route) <= MOST_SHOWN else ["...", *self.route[-MOST_SHOWN:]]
        return [
            ("place", f"{board.label(view.quarry)}, target {board.label(config.target)}, rule {config.rule.value}"),
            ("paid", f"{cost_text(view.total)} in {view.round} of at most {config.move_limit} moves"),
            *(self._certain(self.certified, view) if self.certified else []),
            ("cheapest", cheapest_words(view)),
            ("from here", one_of(here)),
            ("route", " ".join(route)),
            ("raised", ", ".join(reversed(self.recent[-MOST_RECENT:])) or "nothing yet"),
        ]

    def _certain(self, bounds: Bounds, view: ShortestPathView) -> list[tuple[str, str]]:
        from manhunt.games.shortest_path.solvers.verdict import judgement

        best = ("best play", f"{bounds} in all")
        if view.outcome is None or view.outcome.cost is None:
            return [best]
        return [best, ("so", judgement(bounds, view.outcome.cost).removeprefix("the "))]

    def menu(self, view: ShortestPathView, path: tuple[Any, ...]) -> Sequence[tuple[Any, str, str]]:
        """The adversary's edges, those on the cheapest way first, then those at the target; either way round."""
        if view.to_act is not Seat.PURSUERS:
            return ()
        from manhunt.games.shortest_path.rules.actions import OnEdge
        from manhunt.games.shortest_path.rules.notation import format_action
        from manhunt.games.shortest_path.show.scene import by_interest

        entries = []
        for action in by_interest(view):
            other = OnEdge(action.to, action.start) if isinstance(action, OnEdge) else action
            entries.append((action, format_action(view.config, action), format_action(view.config, other)))
        return entries

    def offer_rows(self, view: ShortestPathView, items: Sequence[Item], columns: int) -> list[Text]:
        from rich.text import Text

        n_shown = MOST_SHOWN if view.to_act is Seat.PURSUERS else len(items)
        offers = [
            (f"#{item.number} {item.notation}", f" {self._price(view, item.action)}   ") for item in items[:n_shown]
        ]
        if len(items) > n_shown:
            offers.append(("", f"or any other of the {len(items) - 1} edges, as A-B; - passes"))
        rows = [Text()]
        for bold, quiet in offers:
            if rows[-1].plain and len(rows[-1]) + len(bold) + len(quiet.rstrip()) > columns:
                rows.append(Text())
            rows[-1].append(bold, "bold offer").append(quiet, "quiet")
        return rows

    def _price(self, view: ShortestPathView, action: Any) -> str:
        """`2.414`, and for the adversary `2.414 -> 5.828`."""
        from manhunt.games.shortest_path.rules.actions import OnEdge
        from manhunt.games.shortest_path.show.scene import costs_of

        if not isinstance(action, OnEdge):
            return "(pass)"
        now, after, _ = costs_of(view, action)
        return f"{cost_text(now)} -> {cost_text(after)}" if view.to_act is Seat.PURSUERS else cost_text(now)

    def prompt(self, view: ShortestPathView) -> str:
        return "Your step:" if view.to_act is Seat.EVADER else "Raise:"

    def ending(self, view: ShortestPathView) -> str:
        from manhunt.games.shortest_path.show.scene import scene

        return f"{scene(view).ending} after {view.round} {'move' if view.round == 1 else 'moves'}"


def _config(options: argparse.Namespace, seed: int) -> ShortestPathConfig:
    from manhunt.boards.contest import make_contest
    from manhunt.games.shortest_path.rules.config import make_config
    from manhunt.games.shortest_path.rules.game_file import load_game_file

    switches = {} if options.rule is None else {"rule": options.rule}
    if options.game_file is not None:
        for name in ("board", "source", "target"):
            if getattr(options, name) is not None:
                raise BadConfig(f"--{name} beside --game-file {options.game_file}: the file already sets it")
        file = load_game_file(options.game_file)
        return make_config(options.preset, file.board, source=file.source, target=file.target, **switches)
    for name in ("source", "target"):
        if getattr(options, name) is not None:
            switches[name] = getattr(options, name)
    board = options.board if options.board is not None else make_contest(*DEFAULT_SIZE, seed).board
    return make_config(options.preset, board, **switches)


def _find_bounds(state: ShortestPathState, limit_seconds: float) -> Bounds:
    """With a bar that runs as long as the work does, where it takes longer than a moment."""
    from manhunt.cli.screen import time_bar
    from manhunt.games.shortest_path.solvers.bounds import find_bounds

    with time_bar("bounds", limit_seconds):
        return find_bounds(state, limit_seconds)
