"""`make_game` as type checkers see it: the name of a game gives the game's own type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from manhunt.core import registry

if TYPE_CHECKING:
    from manhunt.core.game import AnyGame
    from manhunt.games.fugitive.rules.game import FugitiveGame
    from manhunt.games.pursuit.rules.game import PursuitGame
    from manhunt.games.scotland_yard.rules.game import ScotlandYardGame
    from manhunt.games.shortest_path.rules.game import ShortestPathGame


@overload
def make_game(name: Literal["pursuit"]) -> PursuitGame: ...
@overload
def make_game(name: Literal["scotland_yard"]) -> ScotlandYardGame: ...
@overload
def make_game(name: Literal["fugitive"]) -> FugitiveGame: ...
@overload
def make_game(name: Literal["shortest_path"]) -> ShortestPathGame: ...
@overload
def make_game(name: str) -> AnyGame: ...
def make_game(name: str) -> Any:
    """The game of this name; BadConfig if there is none.

    Examples:
        >>> game = make_game("pursuit")
        >>> game.make_config(n_detectives=3).n_detectives
        3
    """
    return registry.make_game(name)
