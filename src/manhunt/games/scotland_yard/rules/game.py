"""Scotland Yard behind the common contract."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import perm
from random import Random
from typing import Any

from manhunt.core.deals import Deals, check_number_of_deals, dealt_again
from manhunt.core.errors import BadConfig
from manhunt.core.events import Event
from manhunt.core.game import Capabilities, Setup, expect_keys
from manhunt.core.ids import Seat
from manhunt.core.modules import GameOfModules
from manhunt.games.scotland_yard.rules import config as configs
from manhunt.games.scotland_yard.rules import notation, rules, views
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Double, ScotlandYardAction, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.model import StartingPlayer, placed
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.games.scotland_yard.rules.views import ScotlandYardView


class ScotlandYardGame(GameOfModules[ScotlandYardConfig, ScotlandYardState, ScotlandYardAction, ScotlandYardView]):
    """Scotland Yard with tickets, reveals, double and secret moves: `make_game("scotland_yard")`.

    Examples:
        >>> game = ScotlandYardGame()
        >>> config = game.make_config(n_detectives=2)
        >>> config.shown_rounds
        (3, 8, 13, 18, 24)
        >>> game.format_action(config, game.parse_action(config, "R:T5"))
        'R:T5'
    """

    name = "scotland_yard"
    title = "Scotland Yard"
    presets = configs.PRESETS
    sources = configs.SOURCES
    capabilities = Capabilities(hidden=True, chance=False)
    seat_names = {Seat.EVADER: "Mr X", Seat.PURSUERS: "detectives"}  # noqa: RUF012
    proper_names = frozenset({Seat.EVADER})
    config_module = configs
    rules_module = rules
    views_module = views
    notation_module = notation

    def deal(self, config: ScotlandYardConfig, rng: Random) -> Setup:
        """Paragraph 4: Mr X's place from his list, the detectives' from theirs, all different.

        An empty list means any node, if possible one from which the game does not end at once.
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

    def deals(self, config: ScotlandYardConfig) -> Deals:
        starts, places = config.mrx_starts or config.board.labels, config.detective_starts or config.board.labels
        check_number_of_deals(len(starts) * perm(len(places), config.n_detectives))
        draws = []
        for mrx in starts:
            others = [label for label in places if label != mrx]
            for detectives in permutations(others, config.n_detectives):
                p = 1 / (len(starts) * perm(len(others), config.n_detectives))
                draws.append((make_setup(mrx, detectives, free=not config.mrx_starts), p))
        return iter(draws) if config.mrx_starts and config.detective_starts else dealt_again(self, config, draws, 101)

    def redeal(self, config: ScotlandYardConfig, setup: Setup, rng: Random) -> Setup:
        """The detectives stay, and Mr X's place is drawn again, with the probabilities of `deal` given their places."""
        taken = {detective["at"] for detective in setup["detectives"]}
        free = [label for label in config.mrx_starts or config.board.labels if label not in taken]
        places = config.detective_starts or config.board.labels
        weights = [1 / perm(len(places) - (label in places), config.n_detectives) for label in free]
        for _ in range(100):
            dealt = {**setup, "mrx": {"at": rng.choices(free, weights)[0]}}
            if (config.mrx_starts and config.detective_starts) or rules.outcome(self.start(config, dealt)) is None:
                break
        return dealt

    def start(self, config: ScotlandYardConfig, setup: Setup) -> ScotlandYardState:
        """Paragraphs 5 to 7. Missing tickets and pieces are taken from the config, and a label alone is enough for a
        place.

        `free` (placed by hand, so Mr X may be anywhere) is assumed if his node is not one of the config's start places.
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

    def describe_config(self, config: ScotlandYardConfig) -> str:
        return f"{super().describe_config(config)}, {config.n_detectives} detectives"

    def visible_notation(
        self, config: ScotlandYardConfig, action: ScotlandYardAction, events: Sequence[Event], seat: Seat
    ) -> str | None:
        """Of Mr X's moves others see what the travel log shows: the ticket's letter, and the node in shown rounds."""
        logged = [event.body for event in events if event.kind == "logged"]
        shown = " ".join(f"{entry['ticket'][:1].upper()}{entry['at'] or '?'}" for entry in logged)
        return super().visible_notation(config, action, events, seat) or shown or None

    def describe_action(self, state: ScotlandYardState, action: ScotlandYardAction) -> str:
        return f"{action.piece} goes {_way_words(state, action)}"

    def phrase_choice(self, state: ScotlandYardState, actions: Sequence[ScotlandYardAction]) -> str:
        """`yellow by bus to 161`; for Mr X only where he goes and how."""
        ways = [_way_words(state, action) for action in actions]
        pieces = ["" if rules.to_act(state) is Seat.EVADER else f"{action.piece} " for action in actions]
        return ", ".join(f"{piece}{way}" for piece, way in zip(pieces, ways, strict=True))


def _way_words(state: ScotlandYardState, action: ScotlandYardAction) -> str:
    label = state.config.board.label
    steps = [f"by {ticket} to {label(node)}" for ticket, node in rules.steps_of(action)]
    return f"{', then '.join(steps)}{' (double move)' if isinstance(action, Double) else ''}"


def make_setup(mrx: str | int, detectives: Sequence[str | int], *, free: bool = True) -> Setup:
    """The setup with these labels, the config's tickets, and pieces in seat order."""
    seated = zip(DETECTIVES, detectives, strict=False)
    return {
        "mrx": {"at": str(mrx)},
        "detectives": [{"piece": str(piece), "at": str(label)} for piece, label in seated],
        "free": free,
    }


def _draw(config: ScotlandYardConfig, rng: Random) -> Setup:
    mrx = rng.choice(config.mrx_starts or config.board.labels)
    others = [label for label in config.detective_starts or config.board.labels if label != mrx]
    return make_setup(mrx, rng.sample(others, config.n_detectives), free=not config.mrx_starts)


def _mrx(config: ScotlandYardConfig, entry: Any) -> StartingPlayer | None:
    if entry is None:
        return None
    at, tickets, name = _parts("mrx", entry, "mrx")
    return StartingPlayer(name, config.mrx_tickets if tickets is None else tickets, at)


def _detective(config: ScotlandYardConfig, i: int, entry: Any) -> StartingPlayer:
    default = str(DETECTIVES[min(i, len(DETECTIVES) - 1)])
    at, tickets, name = _parts(f"detective {i + 1}", entry, default)
    if name == default and i >= len(DETECTIVES):
        raise BadConfig(f"setup: {i + 1} detectives; at most {len(DETECTIVES)} can play")
    return StartingPlayer(name, config.detective_tickets if tickets is None else tickets, at)


def _parts(who: str, entry: Any, piece: str) -> tuple[str, Tickets | None, str]:
    if isinstance(entry, str | int):
        return str(entry), None, piece
    if not isinstance(entry, Mapping) or "at" not in entry:
        raise BadConfig(f"setup: {who} needs a node, as {{'at': '104'}}, not {entry!r}")
    expect_keys(entry, frozenset({"piece", "at", "tickets"}), f"setup of {who}")
    tickets = entry.get("tickets")
    held = None if tickets is None else configs.parse_tickets(who, tickets, is_detective=who != "mrx")
    return str(entry["at"]), held, str(entry.get("piece", piece))
