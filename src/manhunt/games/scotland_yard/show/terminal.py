"""Scotland Yard in the terminal: its options, its words, and what is known about Mr X."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import add_aliases, whole_number
from manhunt.cli.terminal.contract import Item, Screen, Setting, Submenu
from manhunt.core.errors import BadConfig
from manhunt.core.ids import Seat

if TYPE_CHECKING:
    import argparse

    from rich.text import Text

    from manhunt.analysis.seat_log import SeatLog
    from manhunt.core.game import Setup
    from manhunt.core.ids import Node
    from manhunt.games.scotland_yard.beliefs.support import Support
    from manhunt.games.scotland_yard.rules.actions import Piece, ScotlandYardAction
    from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
    from manhunt.games.scotland_yard.rules.views import ScotlandYardView

COLOURS = ("red", "green", "blue", "white", "yellow")
STRONG_AND_QUICK = "greedy"
DOUBLE = "2:"
MOST_LISTED = 24
HINT_ITERATIONS = 300
PLAIN_HINT_ITERATIONS = 6
"""While kernels are not compiled yet."""


class ScotlandYardScreen(Screen["ScotlandYardView"]):
    game = "scotland_yard"
    words = {"mrx": Seat.EVADER, "detectives": Seat.PURSUERS}  # noqa: RUF012
    parts = dict.fromkeys(COLOURS, Seat.PURSUERS)
    default_agent = STRONG_AND_QUICK
    beside_from = 76
    help = "type a number (#2), a node or a move; @46 moves the map, u takes back, ? is help"
    rules = (
        "Detectives hunt Mr X, who is hidden. Each round Mr X moves, then every detective: one line, one ticket of its "
        "kind. Everybody sees what Mr X pays, and in the rounds in brackets where he is. Detectives have few tickets; "
        "what they pay goes to Mr X, who has secret tickets and double moves, too. A detective on his station wins; "
        "Mr X wins when the travel log is full."
    )
    legend = (
        ("R 13, X 46", "red on 13, Mr X on 46; also G, B, W (white) and Y"),
        ("(46)  46?", "you can go there; Mr X can be there, as far as anyone knows"),
        ("T  [  ?  ]", "travel log: what he paid; in brackets rounds that show him"),
    )
    notation = (
        ("T46", "Mr X by taxi to 46; B bus, U underground, S secret ticket"),
        ("2:T46,B58", "his double move; 2: alone goes step by step, b goes back"),
        ("R:T46", "red by taxi to 46; 46 will do where it means one thing"),
    )
    typed = (("@46  @G  @", "put the map around a node, green, or who moves"),)
    examples = {  # noqa: RUF012
        "watch": (
            "manhunt watch scotland_yard",
            "manhunt watch scotland_yard --n-detectives 3 --reveal --seed 7",
            "manhunt watch scotland_yard --agent-mrx random --no-viz",
        ),
        "play": (
            "manhunt play scotland_yard --as mrx",
            "manhunt play scotland_yard --as detectives --hints",
            "manhunt play scotland_yard --as detectives --n-detectives 3 --preset ravensburger",
            "manhunt play scotland_yard --as red --agent-mrx random",
            "manhunt play scotland_yard --as detectives --agent-mrx scotfish --reveal",
        ),
    }

    def __init__(self) -> None:
        self._support: Support | None = None
        self._came: dict[str, str] = {}
        self._at: dict[str, str] = {}
        self._focus: str | None = None

    def add_options(self, parser: argparse.ArgumentParser, command: str) -> None:
        table = parser.add_argument_group("scotland_yard: board and rules")
        table.add_argument("--board", metavar="B", help="a board with transports (default london)")
        text = "how many detectives (default 5)"
        many = table.add_argument("--n-detectives", type=whole_number(1), default=5, metavar="K", help=text)
        add_aliases(parser, many, "--detectives")
        table.add_argument(
            "--rounds", type=whole_number(1), metavar="R", help="rounds, one slot of the travel log each (default 24)"
        )
        text = "rounds in which Mr X shows himself (default 3 8 13 18 24)"
        table.add_argument("--shown", nargs="+", type=whole_number(1), metavar="R", help=text)
        table.add_argument(
            "--order", choices=("any", "seated"), help="whether the detectives move in any order, or as seated"
        )

    def set_up(self, options: argparse.Namespace, seed: int) -> Setting:
        from manhunt.games.scotland_yard.rules.config import DEFAULT_BOARD, make_config

        given = {"rounds": options.rounds, "shown": options.shown, "order": options.order}
        changed = {key: value for key, value in given.items() if value is not None}
        board = options.board or DEFAULT_BOARD
        return self._with_team(
            options, make_config(options.preset, board, n_detectives=options.n_detectives, **changed)
        )

    def set_up_again(self, options: argparse.Namespace, config: Any, setup: Setup) -> Setting:
        return self._with_team(options, config, setup)

    def _with_team(
        self, options: argparse.Namespace, config: ScotlandYardConfig, setup: Setup | None = None
    ) -> Setting:
        seat = getattr(options, "seat", None)
        if seat not in COLOURS:
            return Setting(config, setup)
        playing = COLOURS[: config.n_detectives]
        if seat not in playing:
            raise BadConfig(f"--as {seat}: with {config.n_detectives} detectives there are {', '.join(playing)}")
        from manhunt.games.scotland_yard.rules.actions import DETECTIVES
        from manhunt.games.scotland_yard.show.teamwork import team_with

        return Setting(config, setup, team=team_with(DETECTIVES[COLOURS.index(seat)]))

    def hint(self, log: SeatLog) -> Mapping[str, Any]:
        """With a fixed number of iterations instead of a time: same game, same hints."""
        from manhunt.core.agent import Limit
        from manhunt.core.jit import is_plain
        from manhunt.games.scotland_yard.show.insights import hint_within

        return hint_within(log, Limit(iterations=PLAIN_HINT_ITERATIONS if is_plain(__name__) else HINT_ITERATIONS))

    # -- what is known ---------------------------------------------------------------------------

    def open(self, view: ScotlandYardView) -> None:
        from manhunt.games.scotland_yard.beliefs.support import Support

        self._support = Support()
        self._support.start(view)
        self._at = {str(d.piece): view.config.board.label(d.node) for d in view.detectives}
        self._came, self._focus = {}, None

    def hear(self, events: Sequence[Mapping[str, Any]]) -> None:
        assert self._support is not None, "open comes first"
        for event in events:
            self._support.update(event)
            if event.get("t") == "moved":
                piece = event["piece"]
                self._came[piece] = f"{event['ticket'][0].upper()} from {self._at[piece]}"
                self._at[piece] = event["to"]
                self._focus = None

    def candidates(self, view: ScotlandYardView) -> tuple[Node, ...]:
        """The nodes on which Mr X can be, for all that the detectives know."""
        if self._support is None or view.outcome is not None:
            return ()
        return tuple(sorted(self._support.candidates))

    # -- the picture -----------------------------------------------------------------------------

    def picture(self, view: ScotlandYardView, columns: int, rows: int, losing: Sequence[Any] = ()) -> Text:
        from dataclasses import replace

        from manhunt.cli.terminal.chart import draw_chart
        from manhunt.games.scotland_yard.show.scene import scene

        label = self._focused(view)
        centre = () if label is None else (view.config.board.node(label),)
        here = tuple(action for action in view.legal if self._label_of(view, action.piece) == label)
        shown = scene(replace(view, legal=here or view.legal))
        return draw_chart(replace(shown, candidates=self.candidates(view)), columns, rows, centre)

    def notes(self, view: ScotlandYardView) -> list[Text]:
        from manhunt.games.scotland_yard.show.terminal_notes import candidate_lines, log_lines, ticket_table

        nodes = self.candidates(view)
        lines = candidate_lines(view, nodes) if nodes else []
        return [*log_lines(view), *ticket_table(view, self._came), *lines]

    def briefing(self, view: ScotlandYardView) -> list[str]:
        from manhunt.games.scotland_yard.show.terminal_notes import candidate_text, ticket_texts

        nodes = self.candidates(view)
        return [*ticket_texts(view), *([candidate_text(view, nodes, MOST_LISTED)] if nodes else [])]

    def _focused(self, view: ScotlandYardView) -> str | None:
        """The label in the middle of the map: what was asked for, else the piece that is to move."""
        if self._focus is not None:
            return self._focus
        return self._label_of(view, view.legal[0].piece) if view.legal else None

    def _label_of(self, view: ScotlandYardView, piece: Piece) -> str | None:
        for detective in view.detectives:
            if detective.piece is piece:
                return view.config.board.label(detective.node)
        return None if view.quarry is None else view.config.board.label(view.quarry)

    # -- the moves -------------------------------------------------------------------------------

    def menu(self, view: ScotlandYardView, path: tuple[Any, ...]) -> Sequence[tuple[Any | Submenu, str, str]]:
        """Mr X's moves by ticket; double moves come in two steps: `2:`, then the first ride, then the second."""
        from manhunt.games.scotland_yard.rules.actions import Double

        if view.seat is not Seat.EVADER:
            return [(action, text, text.partition(":")[2]) for action, text in _written(view)]
        doubles = [(action, text) for action, text in _written(view) if isinstance(action, Double)]
        if not path:
            singles = [(action, text, text) for action, text in _written(view) if not isinstance(action, Double)]
            more = [(Submenu((DOUBLE,)), DOUBLE, "2: double move")] if doubles else []
            return [*_by_ticket(singles), *more]
        if len(path) == 1:
            firsts = dict.fromkeys(text.partition(",")[0] for _, text in doubles)
            return _by_ticket((Submenu((DOUBLE, text)), text, text.removeprefix(DOUBLE)) for text in firsts)
        return _by_ticket((a, text, text.partition(",")[2]) for a, text in doubles if text.startswith(f"{path[1]},"))

    def offer_rows(self, view: ScotlandYardView, items: Sequence[Item], columns: int) -> list[Text]:
        from manhunt.games.scotland_yard.show.terminal_notes import offer_lines

        return offer_lines(items, columns)

    def respond(self, view: ScotlandYardView, text: str) -> str | None:
        """`@46` or `@g` puts the map around a node or a piece, `@` around the one that moves."""
        if not text.startswith("@"):
            return None
        wanted = text[1:].strip()
        board = view.config.board
        places = {d.piece.letter.lower(): board.label(d.node) for d in view.detectives}
        if view.quarry is not None:
            places["x"] = board.label(view.quarry)
        elif view.sighting is not None:
            places["x"] = board.label(view.sighting.node)
        label = places.get(wanted.lower(), wanted)
        if wanted and label not in board.labels:
            return f"no node or piece {wanted!r}; write @46, @R or @ alone"
        self._focus = label or None
        return _around(view, label) if label else "the map follows the piece that is to move"

    # -- the words -------------------------------------------------------------------------------

    def prompt(self, view: ScotlandYardView) -> str:
        if view.legal and view.seat is Seat.PURSUERS and len({action.piece for action in view.legal}) == 1:
            return f"{str(view.legal[0].piece).capitalize()} to move:"
        return f"{super().prompt(view).partition(' (')[0].removesuffix(':')}:"

    def ending(self, view: ScotlandYardView) -> str:
        place = "" if view.quarry is None else f", Mr X on {view.config.board.label(view.quarry)}"
        return f"{super().ending(view)}{place}"


def _written(view: ScotlandYardView) -> list[tuple[ScotlandYardAction, str]]:
    from manhunt.games.scotland_yard.rules.notation import format_action

    return [(action, format_action(view.config, action)) for action in view.legal]


def _by_ticket(rides: Iterable[tuple[Any, str, str]]) -> list[tuple[Any, str, str]]:
    return sorted(rides, key=lambda ride: "TBUS".index(ride[2][0]))


def _around(view: ScotlandYardView, label: str) -> str:
    """`around 46: taxi to 31 33, bus to 1 58`."""
    board = view.config.board
    ways: dict[str, list[str]] = {}
    for to, transport in sorted(board.steps(board.node(label)), key=lambda step: step[1]):
        ways.setdefault(transport.name.lower(), []).append(board.label(to))
    rides = ", ".join(f"{name} to {' '.join(labels)}" for name, labels in ways.items())
    return f"around {label}: {rides or 'nothing'}"
