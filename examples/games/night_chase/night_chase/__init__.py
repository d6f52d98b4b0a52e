"""Night Chase: a pursuit in which the hunters see the runner only from nearby."""

from manhunt import Seat
from manhunt.core import Kit, Lobby, Quick

KIT = Kit(
    home=__name__,
    name="night_chase",
    summary="A chase in the dark: the hunters see the runner only when one of them is close.",
    parts={
        "game": ".game:NightChase",
        "belief": ".belief:Candidates",
        "worlds": ".belief",
        "miniatures": ".config:MINIATURES",
        "words": ".notation",
        "size": ".config:size_of",
    },
    presets={
        "standard": "hunters see a runner one edge away",
        "blind": "hunters see nothing until they catch the runner",
        "moonlight": "hunters see a runner up to two edges away",
    },
    agents={"greedy": ".agents.greedy:GreedyAgent"},
    lobby=Lobby(
        quick=Quick("standard", Seat.PURSUERS, "greedy"), boards=("top-right-20", "dodecahedron"), generators=("grid",)
    ),
    questions=("belief", "hint"),
    small={"board": "grid:3x3", "hunters": 1, "rounds": 5},
)
