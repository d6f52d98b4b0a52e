"""The agent `champion`: a Fugitive who foresees the Marshal's guesses, a Marshal who expects a sly Fugitive."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent, ManhuntError
from manhunt.core.game import View as AnyView
from manhunt.core.ids import Seat
from manhunt.games.fugitive.agents.exact_marshal import MOST_WORLDS
from manhunt.games.fugitive.agents.planners import Planner
from manhunt.games.fugitive.agents.search_fugitive import MOST_BLUFFS
from manhunt.games.fugitive.champion.features import FEATURES
from manhunt.games.fugitive.champion.fugitive import ChampionFugitive
from manhunt.games.fugitive.champion.marshal import ChampionMarshal
from manhunt.search.value_net import ValueNet, load_net

MOST_HANDS = 1000


@dataclass(frozen=True, slots=True)
class ChampionSettings:
    """The options of the agent `champion`."""

    net: str = "standard"
    """Fugitive: the shipped net, or the .npz file of another one, as `manhunt train fugitive` writes it."""
    hands: int = 6
    """Fugitive: hands of the Marshal that he looks at for every turn."""
    pile_hands: int = 2
    """Fugitive: the same for his draws."""
    bluffs: int = 3
    """Fugitive: sprint cards more than needed that he considers."""
    hedge: bool = True
    """Fugitive: whether half of those Marshals expect him to be sly; else all of them are like `exact`."""
    sly: bool = True
    """Marshal: whether she expects that he may be sly; else her belief is that of `exact`."""
    worlds: int = 300
    """Marshal: worlds drawn to plan a manhunt."""

    def __post_init__(self) -> None:
        for name, least, most in (
            ("hands", 1, MOST_HANDS),
            ("pile_hands", 1, MOST_HANDS),
            ("bluffs", 0, MOST_BLUFFS),
            ("worlds", 1, MOST_WORLDS),
        ):
            if not least <= getattr(self, name) <= most:
                raise BadAgent(f"champion: {name} must be from {least} to {most}, not {getattr(self, name)}")


DEFAULT = ChampionSettings()


class ChampionAgent(Agent):
    """The strongest agent: its Fugitive predicts guesses, its Marshal counts worlds and expects bluffs."""

    games: ClassVar[tuple[str, ...]] = ("fugitive",)
    options_class: ClassVar[type] = ChampionSettings

    def __init__(self, config: ChampionSettings = DEFAULT) -> None:
        self.config = config
        try:
            self._net = net_of(config.net)
        except ManhuntError as error:
            raise BadAgent(f"champion: {error}") from None
        self._player: Planner | None = None
        self._seat: Seat | None = None

    def start(self, view: AnyView) -> None:
        self._player_of(view).start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Does nothing: the view holds everything needed."""

    def act(self, view: AnyView, limit: Limit, rng: Random) -> Advice:
        return self._player_of(view).act(view, limit, rng)

    def stop(self) -> None:
        self._player = None

    def _player_of(self, view: AnyView) -> Planner:
        if self._player is None or self._seat is not view.seat:
            if view.game != "fugitive":
                raise BadAgent(f"this agent does not play {view.game}; it plays fugitive")
            config, self._seat = self.config, view.seat
            if view.seat is Seat.EVADER:
                self._player = ChampionFugitive(
                    self._net, config.hands, config.pile_hands, config.bluffs, hedge=config.hedge
                )
            else:
                self._player = ChampionMarshal(config.worlds, sly=config.sly)
        return self._player


@lru_cache(maxsize=8)
def net_of(name: str) -> ValueNet:
    if not name.endswith(".npz") and name != "standard":
        raise BadAgent(f"there is no net {name}; give standard or a .npz file")
    file = Path(name) if name.endswith(".npz") else Path(__file__).with_name("data") / f"{name}.npz"
    return load_net(file, FEATURES)[0]
