"""Scotland Yard, the full game: transports, tickets, a travel log with shown rounds, double moves."""

from manhunt.core.ids import Seat
from manhunt.core.kit import Anchor, Command, FirstWord, Kit, Lobby, Quick

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
        "scene": ".show.scene",
        "screen": ".show.terminal:ScotlandYardScreen",
        "tour": ".show.tour",
        "insights": ".show.insights",
        "analysis": ".show.analysis",
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
