"""Pursuit behind the common contract."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from manhunt.core.deals import Deals, deal_places, list_places
from manhunt.core.errors import BadConfig
from manhunt.core.game import Capabilities, Setup, expect_keys
from manhunt.core.ids import Node, Seat
from manhunt.core.modules import GameOfModules
from manhunt.games.pursuit.rules import config as configs
from manhunt.games.pursuit.rules import notation, rules, views
from manhunt.games.pursuit.rules.actions import JointMove, PursuitAction, PursuitMove
from manhunt.games.pursuit.rules.config import PlacementRule, PursuitConfig, Visibility
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.rules.views import PursuitView
from manhunt.games.pursuit.rules.words import detective_name


class PursuitGame(GameOfModules[PursuitConfig, PursuitState, PursuitAction, PursuitView]):
    """Pursuit, with its family of cops and robbers: `make_game("pursuit")`.

    Examples:
        >>> game = PursuitGame()
        >>> config = game.make_config(board="grid:3x3", n_detectives=1)
        >>> state = game.start(config, {"mrx": "1", "detectives": ["9"]})
        >>> [game.format_action(config, action) for action in game.legal_actions(state)]
        ['X:2', 'X:4']
    """

    name = "pursuit"
    title = "Pursuit"
    presets = configs.PRESETS
    sources = configs.SOURCES
    capabilities = Capabilities(hidden=True, chance=False)
    seat_names = {Seat.EVADER: "Mr X", Seat.PURSUERS: "detectives"}  # noqa: RUF012
    proper_names = frozenset({Seat.EVADER})
    config_module = configs
    rules_module = rules
    views_module = views
    notation_module = notation

    def deal(self, config: PursuitConfig, rng: Random) -> Setup:
        """Different nodes for all pieces; the quarry gets one with a free neighbour, if the board has one."""
        if config.placement is PlacementRule.CHOSEN:
            return {}
        return deal_places(self, config, _setup_of, config.n_detectives + 1, rng)

    def deals(self, config: PursuitConfig) -> Deals:
        if config.placement is PlacementRule.CHOSEN:
            return iter([({}, 1.0)])
        return list_places(self, config, _setup_of, config.n_detectives + 1)

    def redeal(self, config: PursuitConfig, setup: Setup, rng: Random) -> Setup:
        """The detectives stay; the quarry is placed again, unless they always see it."""
        if not setup or config.visibility is Visibility.ALWAYS:
            return setup
        free = [label for label in config.board.labels if label not in setup["detectives"]]
        for _ in range(100):
            dealt = {**setup, "mrx": rng.choice(free)}
            if rules.outcome(self.start(config, dealt)) is None:
                break
        return dealt

    def start(self, config: PursuitConfig, setup: Setup) -> PursuitState:
        """Paragraph 2. With an empty setup the game starts with the placing of the pieces, if the config says so."""
        expect_keys(setup, frozenset({"mrx", "detectives"}), "setup of pursuit")
        if not setup and config.placement is PlacementRule.CHOSEN:
            return PursuitState(config, None, (), waiting=tuple(range(config.n_detectives)))
        if setup.get("mrx") is None:
            raise BadConfig("no place for Mr X; give the label of his node")
        places = setup.get("detectives") or []
        if not isinstance(places, list | tuple):
            raise BadConfig(f"detectives must be a list of nodes, not {places!r}")
        detectives = _detectives(config, [str(place) for place in places])
        return rules.begun(PursuitState(config, config.board.node(setup["mrx"]), detectives))

    def format_turn(self, texts: Sequence[str], events: Sequence[Mapping[str, Any]]) -> str:
        """With the letters on the pieces: `R:12`, `X:8`."""
        return " ".join(map(notation.by_letters, texts))

    def phrase_choice(self, state: PursuitState, actions: Sequence[PursuitAction]) -> str:
        """`to 8` of Mr X, `red to 12` of the detectives."""
        label, phrases = state.config.board.label, []
        for action in actions:
            if isinstance(action, JointMove):
                phrases.append(f"all to {' '.join(label(node) for node in action.to_all)}")
            else:
                who = "" if action.piece is None else f"{detective_name(action.piece)} "
                phrases.append(f"{who}to {label(action.to)}")
        return ", ".join(phrases)

    def describe_config(self, config: PursuitConfig) -> str:
        return f"{super().describe_config(config)}, {config.n_detectives} detectives"

    def pass_action(self, state: PursuitState) -> PursuitAction | None:
        """Staying, if the piece may stay."""
        if state.quarry is None:
            return None
        every = (PursuitMove(node, piece) for piece, node in enumerate(state.pursuers))
        stays = (PursuitMove(state.quarry), JointMove(state.pursuers), *every)
        return next((action for action in rules.legal_actions(state) if action in stays), None)


def make_setup(config: PursuitConfig, mrx: str | int, detectives: list[str] | list[int]) -> Setup:
    """The setup with these labels."""
    return {"mrx": str(mrx), "detectives": [str(d) for d in detectives]}


def _setup_of(places: tuple[str, ...]) -> Setup:
    return {"mrx": places[0], "detectives": list(places[1:])}


def _detectives(config: PursuitConfig, labels: list[str]) -> tuple[Node, ...]:
    if not labels:
        raise BadConfig("no detectives; give at least one node")
    if len(labels) != config.n_detectives:
        raise BadConfig(f"{len(labels)} detectives' places given, but the config has {config.n_detectives}")
    if not config.may_share:
        for i, label in enumerate(labels):
            if label in labels[:i]:
                raise BadConfig(f"two detectives on node {label}; each needs a node of its own")
    return tuple(config.board.node(label) for label in labels)
