"""Scotland Yard behind the common contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from manhunt.errors import BadConfig, unknown
from manhunt.games.base import Capabilities, Setup, expect_keys
from manhunt.games.modules import GameOfModules
from manhunt.games.scotland_yard import config as configs
from manhunt.games.scotland_yard import notation, rules, views
from manhunt.games.scotland_yard.actions import DETECTIVES, Action, Double, Piece, Tickets
from manhunt.games.scotland_yard.config import Config
from manhunt.games.scotland_yard.model import Player, placed
from manhunt.games.scotland_yard.state import State
from manhunt.games.scotland_yard.views import View
from manhunt.ids import Seat

_PIECE_OF = {piece.name.lower(): piece for piece in Piece}


class ScotlandYardGame(GameOfModules[Config, State, Action, View]):
    name = "scotland_yard"
    title = "Scotland Yard"
    presets = configs.PRESETS
    capabilities = Capabilities(hidden=True, chance=False)
    seat_names = {Seat.EVADER: "Mr X", Seat.PURSUERS: "detectives"}  # noqa: RUF012
    config_module = configs
    rules_module = rules
    views_module = views
    notation_module = notation

    def deal(self, config: Config, rng: Random) -> Setup:
        """Paragraph 4: Mr X from his list, the detectives from theirs, all on different nodes.

        Where a list is empty any node will do, if the board has one from which the game does not end at once.
        """
        anywhere = not (config.mrx_starts and config.detective_starts)
        if anywhere and config.board.n_nodes <= config.n_detectives:
            raise BadConfig(f"board {config.board.name} is too small for Mr X and {config.n_detectives} detectives")
        setup = _draw(config, rng)
        for _ in range(100):
            if not anywhere or rules.outcome(self.start(config, setup)) is None:
                break
            setup = _draw(config, rng)
        return setup

    def start(self, config: Config, setup: Setup) -> State:
        """Paragraphs 5 to 7. Tickets and pieces that are not given are the config's; a bare label will do as well.

        `free` (placed by hand, so that Mr X may be anywhere) is taken to be true when his node is none of the
        config's start places.
        """
        expect_keys(setup, frozenset({"mrx", "detectives", "free"}), "setup of scotland_yard")
        mrx = _mrx(config, setup.get("mrx"))
        given = setup.get("detectives") or []
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise BadConfig("setup: detectives is a list such as [{'piece': 'red', 'at': '117'}]")
        detectives = [_detective(config, i, entry) for i, entry in enumerate(given)]
        outside = not config.mrx_starts or mrx is None or str(mrx.at) not in config.mrx_starts
        free = setup.get("free", outside)
        if not isinstance(free, bool):
            raise BadConfig(f"setup: free is true or false, not {free!r}")
        if outside and not free:
            raise BadConfig("setup: Mr X is on none of the start places, so free cannot be false")
        return placed(config, mrx, detectives, free=free)

    def describe_action(self, state: State, action: Action) -> str:
        label = state.config.board.label
        steps = [f"by {ticket} to {label(node)}" for ticket, node in rules.steps_of(action)]
        double = " (double move)" if isinstance(action, Double) else ""
        return f"{action.piece} goes {', then '.join(steps)}{double}"


def make_setup(mrx: str | int, detectives: Sequence[str | int], *, free: bool = True) -> Setup:
    """The setup with these labels, the config's tickets, and pieces in seat order."""
    seated = zip(DETECTIVES, detectives, strict=False)
    return {
        "mrx": {"at": str(mrx)},
        "detectives": [{"piece": str(piece), "at": str(label)} for piece, label in seated],
        "free": free,
    }


def setup_of(state: State) -> Setup:
    """The setup that starts with the places and tickets of a state."""
    label = state.config.board.label
    return {
        "mrx": {"at": label(state.quarry), "tickets": state.tickets[0]._asdict()},
        "detectives": [
            {"piece": str(piece), "at": label(node), "tickets": held._asdict()}
            for piece, node, held in zip(state.pieces, state.pursuers, state.tickets[1:], strict=True)
        ],
        "free": state.free,
    }


def _draw(config: Config, rng: Random) -> Setup:
    mrx = rng.choice(config.mrx_starts or config.board.labels)
    others = [label for label in config.detective_starts or config.board.labels if label != mrx]
    return make_setup(mrx, rng.sample(others, config.n_detectives), free=not config.mrx_starts)


def _mrx(config: Config, entry: Any) -> Player | None:
    if entry is None:
        return None
    at, tickets, name = _parts("mrx", entry, "mrx")
    return Player(_piece(name), config.mrx_tickets if tickets is None else tickets, at)


def _detective(config: Config, i: int, entry: Any) -> Player:
    default = str(DETECTIVES[min(i, len(DETECTIVES) - 1)])
    at, tickets, name = _parts(f"detective {i + 1}", entry, default)
    if name == default and i >= len(DETECTIVES):
        raise BadConfig(f"setup: {i + 1} detectives; at most {len(DETECTIVES)} can play")
    return Player(_piece(name), config.detective_tickets if tickets is None else tickets, at)


def _parts(who: str, entry: Any, piece: str) -> tuple[str, Tickets | None, str]:
    if isinstance(entry, str | int):
        return str(entry), None, piece
    if not isinstance(entry, Mapping) or "at" not in entry:
        raise BadConfig(f"setup: {who} needs a node, as {{'at': '104'}}, not {entry!r}")
    expect_keys(entry, frozenset({"piece", "at", "tickets"}), f"setup of {who}")
    tickets = entry.get("tickets")
    held = None if tickets is None else configs.parse_tickets(who, tickets, is_detective=who != "mrx")
    return str(entry["at"]), held, str(entry.get("piece", piece))


def _piece(name: str) -> Piece:
    if name not in _PIECE_OF:
        raise BadConfig(unknown("piece", name, _PIECE_OF))
    return _PIECE_OF[name]
