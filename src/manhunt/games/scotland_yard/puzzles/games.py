"""Games of Scotland Yard between quick agents, for positions to make puzzles of."""

from random import Random

from manhunt.agents.registry import make_agent
from manhunt.core.ids import PLAYERS
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame
from manhunt.play.position import Position

GAME = ScotlandYardGame()
TEMPERATURE = 1


def play_game(config: ScotlandYardConfig, rng: Random) -> Position:
    """One game between greedy agents that choose among good moves by lot."""
    agents = {seat: make_agent(f"greedy:temperature={TEMPERATURE}", GAME.name, seat) for seat in PLAYERS}
    return Position(GAME, config, (GAME.new(config, rng),)).play_out(agents, rng)
