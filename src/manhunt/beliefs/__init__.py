"""Where a hidden piece can be: beliefs that work in every game, and scores for them."""

from typing import TYPE_CHECKING

from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.beliefs.by_rules import BeliefByRules
    from manhunt.beliefs.filter import ForwardFilter
    from manhunt.beliefs.score import BeliefScore, PositionScore, Scorer, score_position

_HOME = {
    "BeliefByRules": "manhunt.beliefs.by_rules",
    "BeliefScore": "manhunt.beliefs.score",
    "ForwardFilter": "manhunt.beliefs.filter",
    "PositionScore": "manhunt.beliefs.score",
    "Scorer": "manhunt.beliefs.score",
    "score_position": "manhunt.beliefs.score",
}
__all__ = [
    "BeliefByRules", "BeliefScore", "ForwardFilter", "PositionScore", "Scorer", "score_position",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
