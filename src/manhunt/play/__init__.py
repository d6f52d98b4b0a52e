"""Play one game: referee, clocks, faults, records, and proof that a deal was fair."""

from typing import TYPE_CHECKING

from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.play.clock import GameClock, TimeControl
    from manhunt.play.fair_deal import DealCheck, commit, verify_deal
    from manhunt.play.fault import Fault, FaultPolicy
    from manhunt.play.hindsight import Hindsight
    from manhunt.play.onlooker import Onlooker
    from manhunt.play.record import Record, ReplayedGame, load_record, parse_record
    from manhunt.play.referee import Notice, PendingPly, Referee, play_game
    from manhunt.play.replay import Moment, Replay

_HOME = {
    "DealCheck": "manhunt.play.fair_deal",
    "Fault": "manhunt.play.fault",
    "FaultPolicy": "manhunt.play.fault",
    "GameClock": "manhunt.play.clock",
    "Hindsight": "manhunt.play.hindsight",
    "Moment": "manhunt.play.replay",
    "Notice": "manhunt.play.referee",
    "Onlooker": "manhunt.play.onlooker",
    "PendingPly": "manhunt.play.referee",
    "Record": "manhunt.play.record",
    "Referee": "manhunt.play.referee",
    "Replay": "manhunt.play.replay",
    "ReplayedGame": "manhunt.play.record",
    "TimeControl": "manhunt.play.clock",
    "commit": "manhunt.play.fair_deal",
    "load_record": "manhunt.play.record",
    "parse_record": "manhunt.play.record",
    "play_game": "manhunt.play.referee",
    "verify_deal": "manhunt.play.fair_deal",
}
__all__ = [
    "DealCheck", "Fault", "FaultPolicy", "GameClock", "Hindsight", "Moment", "Notice", "Onlooker", "PendingPly",
    "Record", "Referee", "Replay", "ReplayedGame", "TimeControl", "commit", "load_record", "parse_record", "play_game",
    "verify_deal",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
