"""Scotland Yard, the full game: transports, tickets, a travel log with shown rounds, double moves."""

from typing import TYPE_CHECKING

from manhunt.core.ids import Seat
from manhunt.core.kit import Anchor, Command, FirstWord, Kit, Lobby, Quick
from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.games.scotland_yard.agents.greedy import ScotlandYardGreedyAgent
    from manhunt.games.scotland_yard.agents.mcts import MctsAgent
    from manhunt.games.scotland_yard.agents.minimax import MinimaxAgent, PureMinimaxAgent
    from manhunt.games.scotland_yard.agents.scotfish import ScotfishAgent
    from manhunt.games.scotland_yard.agents.scotfish_lookahead import ScotfishLookaheadAgent
    from manhunt.games.scotland_yard.beliefs.models import Model, make_model
    from manhunt.games.scotland_yard.beliefs.support import Support
    from manhunt.games.scotland_yard.beliefs.weighted import PosteriorBelief, WeightedBelief
    from manhunt.games.scotland_yard.champion.agent import ChampionAgent
    from manhunt.games.scotland_yard.encoding.batch import ScotlandYardBatch
    from manhunt.games.scotland_yard.encoding.encoder import ScotlandYardEncoder
    from manhunt.games.scotland_yard.encoding.stepper import ScotlandYardStepper
    from manhunt.games.scotland_yard.rules.actions import Double, Piece, ScotlandYardAction, Single, Ticket, Tickets
    from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig, ScotlandYardOrder
    from manhunt.games.scotland_yard.rules.game import ScotlandYardGame
    from manhunt.games.scotland_yard.rules.model import Player, double, new_game, new_position, single, travel_log
    from manhunt.games.scotland_yard.rules.state import LogEntry, ScotlandYardState
    from manhunt.games.scotland_yard.rules.views import Detective, ScotlandYardView

_DETECTIVES = {
    "name": "n_detectives", "title": "Number of detectives", "kind": "number", "least": 1, "most": 5, "usual": 5,
}  # fmt: skip
_ROUNDS = {"name": "rounds", "title": "Rounds", "kind": "number", "least": 3, "most": 24, "usual": 24}
_GREEDY = "greedy:model=category,temperature=0,style=run"
_HIDE = "greedy:model=category,temperature=0,style=hide"
_EASY = "champion:nets=games-1200,depth=1,hedge=0"
_UNIFORM = "greedy:model=uniform,temperature=0,style=run"

KIT = Kit(
    home=__name__,
    name="scotland_yard",
    summary="Five detectives hunt Mr X through London. He pays with tickets they can see, and shows himself "
    "in five rounds of twenty-four.",
    parts={
        "game": ".rules.game:ScotlandYardGame",
        "belief": ".beliefs.support:Support",
        "words": ".rules.words",
        "messages": ".rules.messages",
        "scene": ".show.scene",
        "screen": ".show.terminal:ScotlandYardScreen",
        "tour": ".show.tour",
        "insights": ".show.insights",
        "analysis": ".show.analysis",
        "lessons": ".lessons.checks",
        "lines": ".show.lines",
        "worth": ".show.worth",
        "puzzles": ".puzzles.puzzles",
        "notebook": ".show.notebook",
        "worlds": ".rules.worlds",
        "draws": ".rules.draws",
        "miniatures": ".rules.miniatures:MINIATURES",
        "compiled": ".agents.compiled_games",
        "team": ".rules.team",
        "size": ".rules.config:size_of",
        "encoder": ".encoding.encoder:ScotlandYardEncoder",
        "stepper": ".encoding.stepper:ScotlandYardStepper",
        "batch": ".encoding.batch:ScotlandYardBatch",
    },
    presets={
        "standard": "24 rounds, any order of detectives; a detective begins with 11 taxi tickets",
        "ravensburger": "as printed: detectives in the order of seats, 10 taxi tickets",
    },
    agents={
        "greedy": ".agents.greedy:ScotlandYardGreedyAgent",
        "mcts": ".agents.mcts:MctsAgent",
        "scotfish": ".agents.scotfish:ScotfishAgent",
        "scotfish-lookahead": ".agents.scotfish_lookahead:ScotfishLookaheadAgent",
        "minimax": ".agents.minimax:MinimaxAgent",
        "minimax-pure": ".agents.minimax:PureMinimaxAgent",
        "champion": ".champion.agent:ChampionAgent",
    },
    commands={
        "beliefs": Command(".show.beliefs_command", "fit and score models of where Mr X is", first=FirstWord.OTHER),
        "train": Command(".show.train_command", "train the nets of the agent champion by self-play"),
    },
    lobby=Lobby(
        quick=Quick("standard", Seat.PURSUERS, _EASY),
        order=1,
        boards=("london",),
        uploads=True,
        options=(_DETECTIVES, _ROUNDS),
    ),
    questions=("belief", "hint"),
    anchors=(
        Anchor(Seat.EVADER, "random", 1, "random", "01a2825458df2631"),
        Anchor(Seat.EVADER, "greedy", 1, _GREEDY, "d02eba99a91d04d4"),
        Anchor(Seat.EVADER, "greedy-hide", 1, _HIDE, "c1be4156222e0bc1"),
        Anchor(Seat.PURSUERS, "random", 1, "random", "6aa5a8e211778fd8"),
        Anchor(Seat.PURSUERS, "greedy", 1, _GREEDY, "6dea5ea9bb29a573"),
        Anchor(Seat.PURSUERS, "greedy-uniform", 1, _UNIFORM, "65a403a31d542c15"),
    ),
    small={"n_detectives": 2, "rounds": 4, "shown": (2,)},
    light=frozenset({"greedy", "scotfish", "watch", "page", "tour"}),
)

_HOME = {
    "ChampionAgent": "manhunt.games.scotland_yard.champion.agent",
    "Detective": "manhunt.games.scotland_yard.rules.views",
    "Double": "manhunt.games.scotland_yard.rules.actions",
    "LogEntry": "manhunt.games.scotland_yard.rules.state",
    "MctsAgent": "manhunt.games.scotland_yard.agents.mcts",
    "MinimaxAgent": "manhunt.games.scotland_yard.agents.minimax",
    "Model": "manhunt.games.scotland_yard.beliefs.models",
    "Piece": "manhunt.games.scotland_yard.rules.actions",
    "Player": "manhunt.games.scotland_yard.rules.model",
    "PosteriorBelief": "manhunt.games.scotland_yard.beliefs.weighted",
    "PureMinimaxAgent": "manhunt.games.scotland_yard.agents.minimax",
    "ScotfishAgent": "manhunt.games.scotland_yard.agents.scotfish",
    "ScotfishLookaheadAgent": "manhunt.games.scotland_yard.agents.scotfish_lookahead",
    "ScotlandYardAction": "manhunt.games.scotland_yard.rules.actions",
    "ScotlandYardBatch": "manhunt.games.scotland_yard.encoding.batch",
    "ScotlandYardConfig": "manhunt.games.scotland_yard.rules.config",
    "ScotlandYardEncoder": "manhunt.games.scotland_yard.encoding.encoder",
    "ScotlandYardGame": "manhunt.games.scotland_yard.rules.game",
    "ScotlandYardGreedyAgent": "manhunt.games.scotland_yard.agents.greedy",
    "ScotlandYardOrder": "manhunt.games.scotland_yard.rules.config",
    "ScotlandYardState": "manhunt.games.scotland_yard.rules.state",
    "ScotlandYardStepper": "manhunt.games.scotland_yard.encoding.stepper",
    "ScotlandYardView": "manhunt.games.scotland_yard.rules.views",
    "Single": "manhunt.games.scotland_yard.rules.actions",
    "Support": "manhunt.games.scotland_yard.beliefs.support",
    "Ticket": "manhunt.games.scotland_yard.rules.actions",
    "Tickets": "manhunt.games.scotland_yard.rules.actions",
    "WeightedBelief": "manhunt.games.scotland_yard.beliefs.weighted",
    "double": "manhunt.games.scotland_yard.rules.model",
    "make_model": "manhunt.games.scotland_yard.beliefs.models",
    "new_game": "manhunt.games.scotland_yard.rules.model",
    "new_position": "manhunt.games.scotland_yard.rules.model",
    "single": "manhunt.games.scotland_yard.rules.model",
    "travel_log": "manhunt.games.scotland_yard.rules.model",
}
__all__ = [
    "KIT", "ChampionAgent", "Detective", "Double", "LogEntry", "MctsAgent", "MinimaxAgent", "Model", "Piece",
    "Player", "PosteriorBelief", "PureMinimaxAgent", "ScotfishAgent", "ScotfishLookaheadAgent",
    "ScotlandYardAction", "ScotlandYardBatch", "ScotlandYardConfig", "ScotlandYardEncoder", "ScotlandYardGame",
    "ScotlandYardGreedyAgent", "ScotlandYardOrder", "ScotlandYardState", "ScotlandYardStepper", "ScotlandYardView",
    "Single", "Support", "Ticket", "Tickets", "WeightedBelief", "double", "make_model", "new_game", "new_position",
    "single", "travel_log",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
