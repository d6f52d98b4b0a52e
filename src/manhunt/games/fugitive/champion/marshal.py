"""The Marshal who expects that the Fugitive is thrifty or sly."""

from manhunt.games.fugitive.agents.exact_marshal import ExactMarshal
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.champion.habits import MODELS, SHARES
from manhunt.games.fugitive.champion.mixed_worlds import mixed_or_none
from manhunt.games.fugitive.rules.views import FugitiveView


class ChampionMarshal(ExactMarshal):
    """As `exact`, with a belief that is a mixture of two."""

    def __init__(self, worlds: int = 300, *, sly: bool = True) -> None:
        super().__init__(worlds=worlds)
        self.expects_sly = sly

    def belief(self, view: FugitiveView) -> Worlds | None:
        if not self.expects_sly:
            return super().belief(view)
        return mixed_or_none(view.public, view.hand, MODELS, SHARES)
