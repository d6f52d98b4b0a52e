"""What can be said about a game from a seat or afterwards: findings, notebooks, best responses."""

from typing import TYPE_CHECKING

from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.analysis.analysed_game import AnalysedGame
    from manhunt.analysis.exploit import AskedPolicy, Exploitation, ask_policy
    from manhunt.analysis.findings import Curve, CurveAxis, Findings, Judged, SeatPast, ValueEstimate, past_of
    from manhunt.analysis.insights import Help, insight_of, insights_of
    from manhunt.analysis.lessons import Check, Lesson, Trial, lessons_of
    from manhunt.analysis.notebook import Contradiction, Notebook, read_notebook
    from manhunt.analysis.quick_games import MoveChoice, QuickGames
    from manhunt.analysis.seat_log import SeatLog

_HOME = {
    "AnalysedGame": "manhunt.analysis.analysed_game",
    "AskedPolicy": "manhunt.analysis.exploit",
    "Check": "manhunt.analysis.lessons",
    "Contradiction": "manhunt.analysis.notebook",
    "Curve": "manhunt.analysis.findings",
    "CurveAxis": "manhunt.analysis.findings",
    "Exploitation": "manhunt.analysis.exploit",
    "Findings": "manhunt.analysis.findings",
    "Help": "manhunt.analysis.insights",
    "Judged": "manhunt.analysis.findings",
    "Lesson": "manhunt.analysis.lessons",
    "MoveChoice": "manhunt.analysis.quick_games",
    "Notebook": "manhunt.analysis.notebook",
    "QuickGames": "manhunt.analysis.quick_games",
    "SeatLog": "manhunt.analysis.seat_log",
    "SeatPast": "manhunt.analysis.findings",
    "Trial": "manhunt.analysis.lessons",
    "ValueEstimate": "manhunt.analysis.findings",
    "ask_policy": "manhunt.analysis.exploit",
    "insight_of": "manhunt.analysis.insights",
    "insights_of": "manhunt.analysis.insights",
    "lessons_of": "manhunt.analysis.lessons",
    "past_of": "manhunt.analysis.findings",
    "read_notebook": "manhunt.analysis.notebook",
}
__all__ = [
    "AnalysedGame", "AskedPolicy", "Check", "Contradiction", "Curve", "CurveAxis", "Exploitation", "Findings", "Help",
    "Judged", "Lesson", "MoveChoice", "Notebook", "QuickGames", "SeatLog", "SeatPast", "Trial", "ValueEstimate",
    "ask_policy", "insight_of", "insights_of", "lessons_of", "past_of", "read_notebook",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
