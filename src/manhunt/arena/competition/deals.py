"""What chance decides in a tournament, so that no game tells anybody what is hidden in another one.

All games of one deal share what everybody sees of it. What is hidden, chance during play and the agents' generators
belong to one match alone. So a bot that recognises a deal from an earlier game, its own or another's, learns nothing.
"""

import json
from typing import Any

from manhunt.arena.competition.model import Competition, MatchUp
from manhunt.arena.competition.pairing import deal_seed
from manhunt.core.game import AnyGame, Setup
from manhunt.core.seeds import Seed, child_seed, seeded


def match_seed(competition: Competition, match: MatchUp) -> Seed:
    """What a match does not share with any other."""
    if competition.is_plain:
        return deal_seed(competition.origin, *match.key[:3])
    return child_seed(competition.origin, f"match/{json.dumps(match.key)}")


def setup_of(competition: Competition, match: MatchUp, game: AnyGame, config: Any) -> Setup:
    """The deal of a match."""
    own = match_seed(competition, match)
    shared = deal_seed(competition.origin, *match.key[:3]) if competition.paired else own
    setup = game.deal(config, seeded(shared, "deal"))
    if competition.paired and competition.redraw and game.capabilities.hidden:
        return game.redeal(config, setup, seeded(own, "hidden"))
    return setup
