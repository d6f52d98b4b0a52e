"""What if: a new game from a ply of a finished one or of a variation, with another move if one is given."""

from manhunt.core.errors import BadText, IllegalAction
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.seeds import new_secret
from manhunt.play.hindsight import Hindsight
from manhunt.server.errors import Conflict
from manhunt.server.rooms import PERSON, GamePlan


def branch_plan(
    past: Hindsight,
    ply: int,
    seat: Seat,
    agent: str,
    action: str | None = None,
    *,
    seconds: float = 1.0,
    address: str = "",
) -> GamePlan:
    """A person on the seat, the agent on the other; Conflict where there is nothing left to play."""
    past.check_ply(ply)
    if seat not in PLAYERS:
        raise BadText(f"seat {seat.value} does not play; choose evader or pursuers")
    game, state = past.game, past.states[ply]
    texts = [game.format_action(past.config, each) for each in past.actions[:ply]]
    if action is not None:
        acting = game.to_act(state)
        if acting is not seat:
            whose = "nobody" if acting is None else acting.value
            raise IllegalAction(f"{whose} acts at ply {ply}; take that seat to try another move there")
        chosen = game.parse_action(past.config, action)
        state = game.apply_action(state, chosen)
        texts.append(game.format_action(past.config, chosen))
    end = game.outcome(state)
    if end is not None:
        raise Conflict(f"nothing is left to play there: {end}")
    seats = {each: PERSON if each is seat else agent for each in PLAYERS}
    setup, actions = past.record.setup, tuple(texts)
    return GamePlan(game, past.config, seats, new_secret(), setup, seconds, actions=actions, address=address)
