"""The words of Pursuit's puzzles."""

from manhunt.games.pursuit.rules.actions import JointMove
from manhunt.games.pursuit.rules.notation import parse_action
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.rules.words import detective_name


def rounds_words(n: int) -> str:
    return "in this round" if n == 1 else f"in {n} rounds"


def first_word(state: PursuitState) -> str:
    return detective_name(state.waiting[0])


def name_of(state: PursuitState, text: str) -> str:
    """A move in a few words: `red to 12`, `to 12`."""
    action = parse_action(state.config, text)
    assert not isinstance(action, JointMove)
    who = "" if action.piece is None else f"{detective_name(action.piece)} "
    return f"{who}to {state.config.board.label(action.to)}"


def after_words(state: PursuitState, text: str, value: int | None) -> str:
    """What a move is worth: `after red to 12 Mr X is caught in 3 rounds with best play`."""
    fate = "gets away" if value is None else f"is caught {rounds_words(value)}"
    return f"after {name_of(state, text)} Mr X {fate} with best play"
