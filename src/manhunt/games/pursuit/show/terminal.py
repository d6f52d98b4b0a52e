"""Pursuit in the terminal: its options, its map, its words."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import whole_number
from manhunt.cli.terminal.board_screen import BoardScreen
from manhunt.cli.terminal.contract import Setting
from manhunt.core.errors import BadConfig
from manhunt.core.ids import Seat

if TYPE_CHECKING:
    import argparse

    from manhunt.cli.terminal.contract import Adviser
    from manhunt.core.game import BoardView, Setup
    from manhunt.core.ids import Node
    from manhunt.games.pursuit.rules.actions import PursuitAction
    from manhunt.games.pursuit.rules.config import PursuitConfig

USUAL_PLACES = {"top-right-20": ("1", ("5", "10"))}
"""Where the pieces stand on a board when nothing is said."""
FEW_POSITIONS = 20_000
"""A game of so many is solved in a second with kernels that are not compiled."""
_TRIES = 200


class PursuitScreen(BoardScreen):
    words = {"mrx": Seat.EVADER, "detectives": Seat.PURSUERS}  # noqa: RUF012
    default_agents = {"mrx": "random", "detectives": "random"}  # noqa: RUF012
    opponents = {"mrx": "solved", "detectives": "greedy"}  # noqa: RUF012
    examples = {  # noqa: RUF012
        "watch": (
            "manhunt watch pursuit --mrx 1 --detectives 5 10 --max-rounds 8",
            "manhunt watch pursuit --board london --n-detectives 5 --seed 7 --save game.gif",
            "manhunt watch pursuit --agent-mrx my_bot.py:MyBot --no-viz",
        ),
        "play": (
            "manhunt play pursuit --as mrx --hints",
            "manhunt play pursuit --as detectives --policy-file policy.json",
            "manhunt play pursuit --as detectives --visibility rounds --reveal-rounds 3 6 9",
        ),
    }

    rules = (
        "Mr X runs on a map, the detectives try to step onto his node. In each round Mr X goes one step along a line, "
        "to a node without a detective; then the detectives step, one after the other, and no two may share a node. "
        "The detectives win when one of them is on his node or when he cannot move; Mr X wins when the rounds are over."
    )
    notation = (("X:8", "Mr X goes to 8; 8 alone will do"), ("d0:15", "the first detective goes to 15; d1 is the next"))
    beside_record = frozenset({"table"})

    def __init__(self) -> None:
        super().__init__("pursuit")

    def add_options(self, parser: argparse.ArgumentParser, command: str) -> None:
        place = parser.add_argument_group("pursuit: board and places")
        place.add_argument("--board", metavar="B", help="name, generator or file; see 'manhunt boards'")
        place.add_argument("--mrx", metavar="NODE", help="where Mr X starts")
        place.add_argument("--detectives", nargs="+", metavar="NODE", help="where the detectives start")
        place.add_argument("--n-detectives", type=whole_number(1), metavar="K", help="how many, when places are drawn")
        place.add_argument("--max-rounds", type=whole_number(1), metavar="R", help="Mr X wins after R rounds")
        text = "Mr X plays from a solved policy; board, places and rounds come from the file"
        place.add_argument("--policy-file", metavar="FILE", help=text)
        rules = parser.add_argument_group("pursuit: rules that differ from the preset")
        rules.add_argument("--first", choices=tuple(self.words), help="who moves first")
        rules.add_argument("--order", choices=("in-order", "any", "at-once"), help="how the detectives take turns")
        rules.add_argument("--visibility", choices=("always", "rounds", "sight"), help="when the detectives see Mr X")
        rules.add_argument(
            "--reveal-rounds", nargs="+", type=whole_number(1), metavar="R", help="rounds in which Mr X is seen"
        )
        rules.add_argument("--sight-hops", type=whole_number(0), metavar="N", help="how far the detectives see")
        if command == "play":
            parser.add_argument("--table", metavar="FILE", help="mark the moves that win by a solved table")

    def set_up(self, options: argparse.Namespace, seed: int) -> Setting:
        if options.policy_file is not None:
            return _from_policy(options)
        from manhunt.games.pursuit.rules.config import DEFAULT_BOARD, make_config

        switches = _switches(options)
        config = make_config(options.preset, board=options.board or DEFAULT_BOARD, **switches)
        return Setting(config, _places(config, options, seed), small=_is_small(config))

    def set_up_again(self, options: argparse.Namespace, config: Any, setup: Setup) -> Setting:
        return Setting(config, setup, small=_is_small(config))

    def adviser(self, options: argparse.Namespace, opening: Any) -> Adviser | None:
        """Says of each move whether it wins, where everybody sees everything and the game can be solved."""
        from manhunt.cli.screen import console
        from manhunt.games.pursuit.rules.config import Visibility
        from manhunt.games.pursuit.show.terminal_hints import solver_hints, table_hints

        if options.table is not None:
            return table_hints(opening, Path(options.table))
        if not options.hints or opening.config.visibility is not Visibility.ALWAYS:
            return None
        with console(stderr=True).status("solving the game for hints ..."), suppress(BadConfig):
            return solver_hints(opening)
        return None

    def topics(self, options: argparse.Namespace) -> tuple[str, ...]:
        return ("hints",) if getattr(options, "hints", False) else ()

    def open(self, view: BoardView) -> None:
        """Candidates are worked out where the quarry can be hidden."""
        from manhunt.games.pursuit.rules.config import Visibility

        self._belief = None
        if view.config.visibility is not Visibility.ALWAYS:
            super().open(view)

    def destinations(self, action: PursuitAction) -> tuple[Node, ...]:
        return _destinations(action)


def _from_policy(options: argparse.Namespace) -> Setting:
    """Everything comes from the file; what is said beside it must agree."""
    from manhunt.boards.catalog import load_board
    from manhunt.games.pursuit.rules.game import make_setup
    from manhunt.games.pursuit.solvers.policy_file import check_agreement, load_policy

    path = Path(options.policy_file)
    policy = load_policy(path, None if options.board is None else load_board(options.board))
    check_agreement(policy, path, mrx=options.mrx, detectives=options.detectives, max_rounds=options.max_rounds)
    beside = {**_switches(options), "preset": options.preset}
    for name, value in beside.items():
        given, meant = _plain(value), _plain(getattr(policy.config, name))
        if value is not None and given != meant:
            option = f"--{name.replace('_', '-')}"
            raise BadConfig(f"{option} {given} contradicts {path}, which was solved for {meant}")
    board, start = policy.config.board, policy.start
    assert start.quarry is not None
    setup = make_setup(policy.config, board.label(start.quarry), [board.label(node) for node in start.pursuers])
    return Setting(policy.config, setup, {Seat.EVADER: f"policy:file={path}"})


def _is_small(config: PursuitConfig) -> bool:
    n_positions: int = config.board.n_nodes ** (1 + config.n_detectives)
    return n_positions <= FEW_POSITIONS


def _plain(value: Any) -> Any:
    """A switch as it is written."""
    return list(value) if isinstance(value, tuple) else getattr(value, "value", value)


def _destinations(action: PursuitAction) -> tuple[Node, ...]:
    from manhunt.games.pursuit.rules.actions import JointMove

    return action.to_all if isinstance(action, JointMove) else (action.to,)


def _switches(options: argparse.Namespace) -> dict[str, Any]:
    """The options that differ from the preset."""
    given = {
        "max_rounds": options.max_rounds,
        "order": options.order,
        "visibility": options.visibility,
        "reveal_rounds": options.reveal_rounds,
        "sight_hops": options.sight_hops,
        "first": None if options.first is None else PursuitScreen.words[options.first].side,
        "n_detectives": options.n_detectives,
    }
    if options.detectives is not None:
        n = len(options.detectives)
        if options.n_detectives not in (None, n):
            raise BadConfig(f"--n-detectives {options.n_detectives}, but --detectives names {n} places")
        given["n_detectives"] = n
    return {name: value for name, value in given.items() if value is not None}


def _places(config: PursuitConfig, options: argparse.Namespace, seed: int) -> Setup | None:
    """The places given, the board's usual ones, or drawn ones; None leaves all of it to the deal."""
    from manhunt.games.pursuit.rules.config import PlacementRule
    from manhunt.games.pursuit.rules.game import make_setup

    mrx, detectives = options.mrx, options.detectives
    if mrx is not None and detectives is not None:
        return make_setup(config, mrx, detectives)
    if mrx is not None or detectives is not None:
        return _draw_missing(config, mrx, detectives, seed)
    usual = USUAL_PLACES.get(config.board.name)
    if usual is None or config.placement is PlacementRule.CHOSEN or config.n_detectives != len(usual[1]):
        return None
    return make_setup(config, usual[0], list(usual[1]))


def _draw_missing(config: PursuitConfig, mrx: str | None, detectives: list[str] | None, seed: int) -> Setup:
    """Draw the places that were not given, so that the game does not end at once where that is possible."""
    from manhunt.core.registry import make_game
    from manhunt.core.seeds import seeded
    from manhunt.games.pursuit.rules.game import make_setup

    game, rng = make_game("pursuit"), seeded(seed, "places")
    taken = {*([mrx] if mrx is not None else []), *(detectives or [])}
    for label in taken:
        config.board.node(label)
    free = [label for label in config.board.labels if label not in taken]
    for _ in range(_TRIES):
        drawn = rng.sample(free, 1 if mrx is None else config.n_detectives)
        setup = make_setup(config, mrx or drawn[0], detectives or drawn)
        if game.outcome(game.start(config, setup)) is None:
            break
    return setup
