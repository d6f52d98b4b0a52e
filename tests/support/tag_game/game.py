"""Pursuit's rules behind another game's name."""

from dataclasses import fields

from manhunt.core.ids import Seat
from manhunt.games.pursuit.beliefs.candidates import PursuitCandidates
from manhunt.games.pursuit.rules.config import PursuitConfig
from manhunt.games.pursuit.rules.game import PursuitGame
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.rules.views import PursuitView


class TagView(PursuitView):
    game = "tag_game"


class TagGame(PursuitGame):
    name = "tag_game"
    title = "Tag"
    seat_names = {Seat.EVADER: "Sly Fox", Seat.PURSUERS: "hounds"}  # noqa: RUF012
    proper_names = frozenset()

    def make_config(  # type: ignore[override]
        self, preset: str | None = None, board: str = "grid:3x4", *, rounds: int = 4
    ) -> PursuitConfig:
        """Options are named in the signature, so that Python itself refuses others."""
        hidden = {"visibility": "rounds", "reveal_rounds": (2,)}
        return super().make_config(preset, board=board, max_rounds=rounds, n_detectives=2, **hidden)

    def view(self, state: PursuitState, seat: Seat) -> TagView:
        seen = super().view(state, seat)
        return TagView(**{field.name: getattr(seen, field.name) for field in fields(seen)})


class TagBelief(PursuitCandidates):
    game = TagGame()
