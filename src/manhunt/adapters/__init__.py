"""The games, agents and results of this package in the terms of other libraries; each module needs its own library."""

from typing import TYPE_CHECKING

from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.adapters.episode import Episode
    from manhunt.adapters.gymnasium import SeatEnv, env_id
    from manhunt.adapters.networkx import from_networkx, to_networkx
    from manhunt.adapters.pandas import games_frame, matrix_frame, plies_frame, ratings_frame, standings_frame
    from manhunt.adapters.pettingzoo import GameEnv, env, parallel_env, raw_env
    from manhunt.adapters.pettingzoo_parallel import ParallelGameEnv
    from manhunt.adapters.vector import GameVectorEnv

_HOME = {
    "Episode": "manhunt.adapters.episode",
    "GameEnv": "manhunt.adapters.pettingzoo",
    "GameVectorEnv": "manhunt.adapters.vector",
    "ParallelGameEnv": "manhunt.adapters.pettingzoo_parallel",
    "SeatEnv": "manhunt.adapters.gymnasium",
    "env": "manhunt.adapters.pettingzoo",
    "env_id": "manhunt.adapters.gymnasium",
    "from_networkx": "manhunt.adapters.networkx",
    "games_frame": "manhunt.adapters.pandas",
    "matrix_frame": "manhunt.adapters.pandas",
    "parallel_env": "manhunt.adapters.pettingzoo",
    "plies_frame": "manhunt.adapters.pandas",
    "ratings_frame": "manhunt.adapters.pandas",
    "raw_env": "manhunt.adapters.pettingzoo",
    "standings_frame": "manhunt.adapters.pandas",
    "to_networkx": "manhunt.adapters.networkx",
}
__all__ = [
    "Episode", "GameEnv", "GameVectorEnv", "ParallelGameEnv", "SeatEnv", "env", "env_id", "from_networkx",
    "games_frame", "matrix_frame", "parallel_env", "plies_frame", "ratings_frame", "raw_env", "standings_frame",
    "to_networkx",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
