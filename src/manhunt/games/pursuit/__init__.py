"""Pursuit: the open game on any board, solved exactly."""

from typing import TYPE_CHECKING

from manhunt.core.ids import Seat
from manhunt.core.kit import Anchor, Command, Kit, Lobby, Quick
from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.games.pursuit.agents.greedy import PursuitGreedyAgent
    from manhunt.games.pursuit.agents.policy import PolicyAgent
    from manhunt.games.pursuit.agents.solved import SolvedAgent
    from manhunt.games.pursuit.agents.table import TableAgent
    from manhunt.games.pursuit.beliefs.candidates import PursuitCandidates
    from manhunt.games.pursuit.rules.actions import JointMove, PursuitAction, PursuitMove
    from manhunt.games.pursuit.rules.config import PlacementRule, PursuitConfig, PursuitOrder, Visibility
    from manhunt.games.pursuit.rules.encoding import PursuitEncoder
    from manhunt.games.pursuit.rules.game import PursuitGame
    from manhunt.games.pursuit.rules.state import PursuitState
    from manhunt.games.pursuit.rules.views import PursuitView
    from manhunt.games.pursuit.solvers.all_starts import solve_all_starts
    from manhunt.games.pursuit.solvers.cop_number import CopNumber, find_cop_number
    from manhunt.games.pursuit.solvers.exhaustive import OneStart, solve_one_start
    from manhunt.games.pursuit.solvers.policy_file import QuarryPolicy, load_policy, save_policy
    from manhunt.games.pursuit.solvers.probe import Probe
    from manhunt.games.pursuit.solvers.tables import PursuitTable, open_table, solve_table

_ROUNDS = {"name": "max_rounds", "title": "Rounds", "kind": "number", "least": 1, "most": 500, "usual": 15}
_DETECTIVES = {
    "name": "n_detectives", "title": "Number of detectives", "kind": "number", "least": 1, "most": 8, "usual": 2,
}  # fmt: skip
_VISIBILITY = {
    "name": "visibility",
    "title": "The detectives see Mr X",
    "kind": "choice",
    "usual": "always",
    "choices": [
        {"value": "always", "words": "always"},
        {"value": "sight", "words": "when he is next to one of them"},
    ],
}

KIT = Kit(
    home=__name__,
    name="pursuit",
    summary="Catch one piece with several on any map. Small boards are solved: you can see who wins, and how fast.",
    parts={
        "game": ".rules.game:PursuitGame",
        "belief": ".beliefs.candidates:PursuitCandidates",
        "words": ".rules.words",
        "messages": ".rules.messages",
        "scene": ".show.scene",
        "screen": ".show.terminal:PursuitScreen",
        "tour": ".show.tour",
        "insights": ".show.insights",
        "analysis": ".show.analysis",
        "lessons": ".lessons.checks",
        "lines": ".show.lines",
        "puzzles": ".puzzles.puzzles",
        "worlds": ".rules.worlds",
        "draws": ".rules.draws",
        "miniatures": ".rules.miniatures:MINIATURES",
        "team": ".rules.team",
        "size": ".rules.config:size_of",
        "encoder": ".rules.encoding:PursuitEncoder",
    },
    presets={
        "seed": "Mr X first, detectives one after the other, 15 rounds",
        "cops-and-robbers": "the textbook game: places are chosen, all detectives move at once, no end",
    },
    agents={
        "greedy": ".agents.greedy:PursuitGreedyAgent",
        "table": ".agents.table:TableAgent",
        "solved": ".agents.solved:SolvedAgent",
        "policy": ".agents.policy:PolicyAgent",
    },
    commands={
        "solve": Command(".show.solve_command", "exact answers for one start or all starts, cop numbers, tables"),
    },
    modes={
        "random": "watch pursuit",
        "play": "play pursuit --as mrx",
        "play-detective": "play pursuit --as detectives",
        "solve": "solve",
    },
    mode_options=("--no-viz", "--mrx", "--detectives", "--max-rounds", "--policy-file", "--dump-policy"),
    lobby=Lobby(
        quick=Quick("seed", Seat.PURSUERS, "solved:rounds=3", "town-50"),
        order=2,
        boards=("town-50", "top-right-20", "london", "petersen", "dodecahedron", "icosahedron", "heawood"),
        generators=("grid", "torus", "ring", "path", "complete", "planar", "random"),
        uploads=True,
        options=(_DETECTIVES, _ROUNDS, _VISIBILITY),
    ),
    questions=("solved", "hint"),
    anchors=(
        Anchor(Seat.EVADER, "random", 1, "random", "8ffeb92a801e5078"),
        Anchor(Seat.EVADER, "greedy", 1, "greedy:temperature=0", "fbdf34b671d1cde3"),
        Anchor(Seat.EVADER, "greedy-hide", 1, "greedy:temperature=0,style=hide", "fbdf34b671d1cde3"),
        Anchor(Seat.PURSUERS, "random", 1, "random", "649eb8679ee48202"),
        Anchor(Seat.PURSUERS, "greedy", 1, "greedy:temperature=0", "0da894462d6f1fe4"),
        Anchor(Seat.PURSUERS, "greedy-uniform", 1, "greedy:model=uniform,temperature=0", "0da894462d6f1fe4"),
    ),
    lists_candidates=False,
    small={"board": "grid:3x4", "n_detectives": 1, "max_rounds": 6},
    warm_up={
        "solve": "solve --mrx 1 --detectives 5 10 --max-rounds 3",
        "all-starts": "solve --board grid:3x3 --all-starts --n-detectives 2",
        "sorted-starts": "solve --board grid:3x3 --all-starts --n-detectives 2 --set order=at-once",
        "cop-number": "solve --board petersen --preset cops-and-robbers --cop-number",
        "hints": "play pursuit --as mrx --hints --no-viz --seed 1",
    },
    light=frozenset({"greedy", "policy", "watch", "page", "tour", "solve", "cop-number"}),
)

_HOME = {
    "CopNumber": "manhunt.games.pursuit.solvers.cop_number",
    "JointMove": "manhunt.games.pursuit.rules.actions",
    "OneStart": "manhunt.games.pursuit.solvers.exhaustive",
    "PlacementRule": "manhunt.games.pursuit.rules.config",
    "PolicyAgent": "manhunt.games.pursuit.agents.policy",
    "Probe": "manhunt.games.pursuit.solvers.probe",
    "PursuitAction": "manhunt.games.pursuit.rules.actions",
    "PursuitCandidates": "manhunt.games.pursuit.beliefs.candidates",
    "PursuitConfig": "manhunt.games.pursuit.rules.config",
    "PursuitEncoder": "manhunt.games.pursuit.rules.encoding",
    "PursuitGame": "manhunt.games.pursuit.rules.game",
    "PursuitGreedyAgent": "manhunt.games.pursuit.agents.greedy",
    "PursuitMove": "manhunt.games.pursuit.rules.actions",
    "PursuitOrder": "manhunt.games.pursuit.rules.config",
    "PursuitState": "manhunt.games.pursuit.rules.state",
    "PursuitTable": "manhunt.games.pursuit.solvers.tables",
    "PursuitView": "manhunt.games.pursuit.rules.views",
    "QuarryPolicy": "manhunt.games.pursuit.solvers.policy_file",
    "SolvedAgent": "manhunt.games.pursuit.agents.solved",
    "TableAgent": "manhunt.games.pursuit.agents.table",
    "Visibility": "manhunt.games.pursuit.rules.config",
    "find_cop_number": "manhunt.games.pursuit.solvers.cop_number",
    "load_policy": "manhunt.games.pursuit.solvers.policy_file",
    "open_table": "manhunt.games.pursuit.solvers.tables",
    "save_policy": "manhunt.games.pursuit.solvers.policy_file",
    "solve_all_starts": "manhunt.games.pursuit.solvers.all_starts",
    "solve_one_start": "manhunt.games.pursuit.solvers.exhaustive",
    "solve_table": "manhunt.games.pursuit.solvers.tables",
}
__all__ = [
    "KIT", "CopNumber", "JointMove", "OneStart", "PlacementRule", "PolicyAgent", "Probe", "PursuitAction",
    "PursuitCandidates", "PursuitConfig", "PursuitEncoder", "PursuitGame", "PursuitGreedyAgent", "PursuitMove",
    "PursuitOrder", "PursuitState", "PursuitTable", "PursuitView", "QuarryPolicy", "SolvedAgent", "TableAgent",
    "Visibility", "find_cop_number", "load_policy", "open_table", "save_policy", "solve_all_starts",
    "solve_one_start", "solve_table",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
