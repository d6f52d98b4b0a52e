"""What the home page offers: games, presets, boards, and agents with their strength as it was measured."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from manhunt.boards.catalog import catalogue, generators
from manhunt.games.registry import make_game
from manhunt.ids import PLAYERS, Seat

_STRENGTH = "docs/explanation/strength.md"
_FUGITIVE = "docs/explanation/fugitive.md"
_PATHS = "docs/explanation/shortest-path.md"
_SOLVER = "docs/explanation/solver.md"
_RULE = "by what it does; not measured"


@dataclass(frozen=True, slots=True)
class Opponent:
    """An agent that a visitor may choose; `strength` goes from 1 to 5 within the seat, `source` says how we know."""

    spec: str
    strength: int
    summary: str
    source: str

    @property
    def name(self) -> str:
        return self.spec.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Quick:
    """The game that two clicks start."""

    preset: str
    you: Seat
    agent: str
    board: str | None = None


_OPPONENTS: dict[str, dict[Seat, tuple[Opponent, ...]]] = {
    "scotland_yard": {
        Seat.EVADER: (
            Opponent(
                "scotfish-lookahead",
                5,
                "looks several rounds ahead; got away from greedy detectives in 43 %",
                _STRENGTH,
            ),
            Opponent(
                "minimax",
                5,
                "reckons with what the detectives believe; got away from greedy detectives in 43 %",
                _STRENGTH,
            ),
            Opponent("mcts", 4, "tries thousands of ways on; got away from greedy detectives in 30 %", _STRENGTH),
            Opponent("greedy", 3, "keeps away, one step at a time; got away from greedy detectives in 9 %", _STRENGTH),
            Opponent(
                "scotfish", 2, "goes where few detectives can follow; got away from greedy detectives in 4 %", _STRENGTH
            ),
            Opponent("random", 1, "any move; never got away from greedy detectives", _STRENGTH),
        ),
        Seat.PURSUERS: (
            Opponent("minimax", 5, "plan the whole turn; caught the best Mr X in 86 to 90 %", _STRENGTH),
            Opponent("mcts", 4, "try thousands of ways on; caught the best Mr X in 61 to 75 %", _STRENGTH),
            Opponent("greedy", 3, "run to where Mr X probably is; caught the best Mr X in 57 %", _STRENGTH),
            Opponent("random", 1, "any move; hardly catch anybody who tries", _STRENGTH),
        ),
    },
    "pursuit": {
        Seat.EVADER: (
            Opponent("solved", 5, "never errs where the game can be solved; elsewhere as greedy", _SOLVER),
            Opponent("greedy", 3, "keeps away from the nearest detective", _RULE),
            Opponent("random", 1, "any move", _RULE),
        ),
        Seat.PURSUERS: (
            Opponent("solved", 5, "never err where the game can be solved; elsewhere as greedy", _SOLVER),
            Opponent("greedy", 3, "run to where Mr X is or probably is", _RULE),
            Opponent("random", 1, "any move", _RULE),
        ),
    },
    "fugitive": {
        Seat.EVADER: (
            Opponent("fugitive-search", 5, "weighs every hideout and bluff; escaped bir-2u in 52 %", _FUGITIVE),
            Opponent("continuation", 4, "thinks of what comes next; escaped bir-2u in 26 %", _FUGITIVE),
            Opponent("bir-1", 3, "weighs several ways to place; escaped bir-2u in 16 %, hr-1c in 54 %", _FUGITIVE),
            Opponent("hr-1", 2, "plays by simple rules; escaped bir-2u in 16 %, hr-1c in 38 %", _FUGITIVE),
            Opponent("l1", 2, "always the same simple way; lost nearly all games against l2", _FUGITIVE),
            Opponent("random", 1, "any action", _RULE),
        ),
        Seat.PURSUERS: (
            Opponent("exact", 5, "counts every possible world; caught the reference's players in 99.9 %", _FUGITIVE),
            Opponent("bir-2u", 4, "imagines 2,000 worlds; caught hr-1 in 84 %", _FUGITIVE),
            Opponent("hr-1.1c", 3, "guesses by rules; caught hr-1 in 66 %", _FUGITIVE),
            Opponent("hr-1c", 2, "guesses by simpler rules; caught hr-1 in 62 %", _FUGITIVE),
            Opponent("notepad", 2, "guesses from a notepad alone, without counting", _RULE),
            Opponent("random", 1, "any action", _RULE),
        ),
    },
    "shortest_path": {
        Seat.EVADER: (
            Opponent("navigator", 5, "walks by a proven bound; paid 11.0 against blocker", _PATHS),
            Opponent("committed", 4, "keeps to the safest fixed path; paid 13.4 against blocker", _PATHS),
            Opponent(
                "dijkstra", 2, "always the cheapest way now; paid 42.9 against blocker, sometimes circles", _PATHS
            ),
            Opponent("random", 1, "any edge", _RULE),
        ),
        Seat.PURSUERS: (
            Opponent("blocker", 5, "raises by a proven bound; took 11.0 from the best traveller", _PATHS),
            Opponent("last-edge", 3, "raises next to the target; took 10.1 from the best traveller", _PATHS),
            Opponent("greedy", 3, "raises what hurts most now; took 9.8 from the best traveller", _PATHS),
            Opponent("min-cut", 2, "raises the narrowest place; took 8.4 from the best traveller", _PATHS),
            Opponent("random", 1, "any edge; took 6.4 from the best traveller", _PATHS),
        ),
    },
}
"""Figures of the stated documents; ratings of one seat, the strongest first."""

QUICK = {
    "scotland_yard": Quick("standard", Seat.PURSUERS, "greedy"),
    "pursuit": Quick("seed", Seat.EVADER, "greedy", "dodecahedron"),
    "fugitive": Quick("standard", Seat.PURSUERS, "bir-1"),
    "shortest_path": Quick("sqrt", Seat.EVADER, "last-edge"),
}
_SUMMARY = {
    "scotland_yard": "Five detectives hunt Mr X through London. He pays with tickets they can see, and shows himself "
    "in five rounds of twenty-four.",
    "pursuit": "Catch one piece with several on any map. Small boards are solved: you can see who wins, and how fast.",
    "fugitive": "A card game for two: he runs from 0 to 42 over hidden hideouts, she guesses where they are.",
    "shortest_path": "Walk to the target as cheaply as you can, while somebody makes one edge dearer at every step.",
}
_PRESETS = {
    ("scotland_yard", "standard"): "24 rounds, any order of detectives; a detective begins with 11 taxi tickets",
    ("scotland_yard", "ravensburger"): "as printed: detectives in the order of seats, 10 taxi tickets",
    ("pursuit", "seed"): "Mr X first, detectives one after the other, 15 rounds",
    ("pursuit", "cops-and-robbers"): "the textbook game: places are chosen, all detectives move at once, no end",
    ("fugitive", "standard"): "cards 0 to 42, first edition",
    ("fugitive", "second-edition"): "a Fugitive who passes may draw one more card",
    ("fugitive", "exactly-two"): "two hideouts in the first turn",
    ("fugitive", "mini"): "13 cards: quick, and small enough to be solved",
    ("shortest_path", "sqrt"): "a raise multiplies by more, the farther the edge is from the target",
    ("shortest_path", "double"): "every raise doubles the cost",
}
_BOARDS = {
    "scotland_yard": ("london",),
    "pursuit": ("top-right-20", "london", "petersen", "dodecahedron", "icosahedron", "heawood"),
    "fugitive": (),
    "shortest_path": (),
}
_GENERATORS = {
    "scotland_yard": (),
    "pursuit": ("grid", "torus", "ring", "path", "complete", "planar", "random"),
    "fugitive": (),
    "shortest_path": ("contest",),
}
GAMES = tuple(_OPPONENTS)


@lru_cache(maxsize=1)
def build_catalog() -> dict[str, Any]:
    """The body of GET /api/catalog; the caller must not change it."""
    return {"games": [_game(name) for name in GAMES]}


def opponents(game: str, seat: Seat) -> tuple[Opponent, ...]:
    """The strongest first."""
    return _OPPONENTS[game][seat]


def _game(name: str) -> dict[str, Any]:
    game = make_game(name)
    quick = QUICK[name]
    return {
        "name": name,
        "title": game.title,
        "summary": _SUMMARY[name],
        "presets": [{"name": preset, "summary": _PRESETS.get((name, preset), "")} for preset in game.presets],
        "boards": [{"name": entry.name, "summary": entry.text} for entry in catalogue() if entry.name in _BOARDS[name]],
        "generators": [
            {"form": g.form, "example": g.example, "summary": g.text}
            for g in generators()
            if g.kind in _GENERATORS[name]
        ],
        "uploads": name in ("pursuit", "scotland_yard"),
        "options": _OPTIONS.get(name, []),
        "seats": {
            seat.value: {"title": _titled(game.seat_names[seat]), "agents": [_agent(o) for o in opponents(name, seat)]}
            for seat in PLAYERS
        },
        "quick": {"preset": quick.preset, "you": quick.you.value, "agent": quick.agent, "board": quick.board},
    }


def _agent(opponent: Opponent) -> dict[str, Any]:
    return {**asdict(opponent), "name": opponent.name}


def _titled(name: str) -> str:
    return name[0].upper() + name[1:]


_OPTIONS: dict[str, list[dict[str, Any]]] = {
    "scotland_yard": [
        {"name": "n_detectives", "title": "Number of detectives", "kind": "number", "least": 1, "most": 5, "usual": 5},
        {"name": "rounds", "title": "Rounds", "kind": "number", "least": 3, "most": 24, "usual": 24},
    ],
    "pursuit": [
        {"name": "n_detectives", "title": "Number of detectives", "kind": "number", "least": 1, "most": 8, "usual": 2},
        {"name": "max_rounds", "title": "Rounds", "kind": "number", "least": 1, "most": 500, "usual": 15},
        {
            "name": "visibility",
            "title": "The detectives see Mr X",
            "kind": "choice",
            "usual": "always",
            "choices": [
                {"value": "always", "words": "always"},
                {"value": "sight", "words": "when he is next to one of them"},
            ],
        },
    ],
}
"""What else the fuller form asks; only what differs from `usual` is sent."""
