"""Games of Scotland Yard between quick agents, for positions to make puzzles of."""

from random import Random

from manhunt.agents.registry import make_agent
from manhunt.core.agent import Limit
from manhunt.core.events import number_events
from manhunt.core.ids import PLAYERS
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame
from manhunt.play.position import Position

GAME = ScotlandYardGame()
TEMPERATURE = 1


def play_game(config: ScotlandYardConfig, rng: Random) -> Position:
    """One game between greedy agents that choose among good moves by lot."""
    agents = {seat: make_agent(f"greedy:temperature={TEMPERATURE}", GAME.name, seat) for seat in PLAYERS}
    state = GAME.new(config, rng)
    position, number = Position(GAME, config, (state,)), 1
    events = GAME.opening_events(state)
    for seat, agent in agents.items():
        agent.start(position.view(seat))
    while True:
        for seat, agent in agents.items():
            agent.observe([event.seen_by(seat) for event in number_events(events, number)])
        number += len(events)
        acting = GAME.to_act(position.state)
        if acting is None:
            return position
        action = agents[acting].act(position.view(acting), Limit(), rng).action
        before, position = position.state, position.act(action)
        events = GAME.events(before, action, position.state)
