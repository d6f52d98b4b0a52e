"""Fugitive: a card game of hideouts and guesses."""

from typing import TYPE_CHECKING

from manhunt.core.ids import Seat
from manhunt.core.kit import Command, FirstWord, Kit, Lobby, Quick
from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.games.fugitive.agents.exact_marshal import ExactMarshal
    from manhunt.games.fugitive.agents.notepad import NotepadMarshal
    from manhunt.games.fugitive.agents.search_fugitive import SearchFugitive
    from manhunt.games.fugitive.beliefs.guess_mask import guess_mask
    from manhunt.games.fugitive.beliefs.marshal import MarshalBelief
    from manhunt.games.fugitive.beliefs.notes import MarshalNotes
    from manhunt.games.fugitive.beliefs.worlds import Worlds
    from manhunt.games.fugitive.champion.agent import ChampionAgent
    from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom
    from manhunt.games.fugitive.rules.config import Config, Opening
    from manhunt.games.fugitive.rules.encoding import FugitiveEncoder
    from manhunt.games.fugitive.rules.game import FugitiveGame
    from manhunt.games.fugitive.rules.public import Card, Draw, Guess, Phase, Public, Spot
    from manhunt.games.fugitive.rules.state import Hideout, State
    from manhunt.games.fugitive.rules.views import FugitiveView
    from manhunt.games.fugitive.solvers.mini import MiniSolution, solve_mini

KIT = Kit(
    home=__name__,
    name="fugitive",
    summary="A card game for two: one player runs from 0 to 42 over hidden hideouts, the other guesses where they are.",
    parts={
        "game": ".rules.game:FugitiveGame",
        "belief": ".beliefs.marshal:MarshalBelief",
        "words": ".rules.words",
        "messages": ".rules.messages",
        "scene": ".show.scene",
        "screen": ".show.terminal:FugitiveScreen",
        "tour": ".show.tour",
        "insights": ".show.insights",
        "analysis": ".show.analysis",
        "lessons": ".lessons.checks",
        "lines": ".show.lines",
        "puzzles": ".puzzles.puzzles",
        "notebook": ".show.notebook",
        "worlds": ".rules.worlds",
        "draws": ".rules.draws",
        "pasts": ".beliefs.pasts",
        "miniatures": ".rules.miniatures:MINIATURES",
        "size": ".rules.config:size_of",
        "encoder": ".rules.encoding:FugitiveEncoder",
    },
    presets={
        "standard": "cards 0 to 42, first edition",
        "second-edition": "a Fugitive who passes may draw one more card",
        "exactly-two": "two hideouts in the first turn",
        "mini": "13 cards: quick, and small enough to be solved",
    },
    agents={
        "hr-1": ".agents.hr_1:Hr1Fugitive",
        "bir-1": ".agents.bir_1:Bir1Fugitive",
        "continuation": ".agents.continuation:ContinuationFugitive",
        "hr-1c": ".agents.hr_1c:Hr1cMarshal",
        "hr-1.1c": ".agents.hr_1c:Hr11cMarshal",
        "bir-2u": ".agents.bir_2u:Bir2uMarshal",
        "l1": ".agents.l1:L1Fugitive",
        "l2": ".agents.l2:L2Marshal",
        "notepad": ".agents.notepad:NotepadMarshal",
        "rules-marshal": ".agents.rules_marshal:RulesMarshal",
        "rules-fugitive": ".agents.rules_fugitive:RulesFugitive",
        "exact": ".agents.exact_marshal:ExactMarshal",
        "champion": ".champion.agent:ChampionAgent",
        "fugitive-search": ".agents.search_fugitive:SearchFugitive",
        "bound-fugitive": ".agents.bound_agents:BoundFugitive",
        "bound-marshal": ".agents.bound_agents:BoundMarshal",
    },
    commands={
        "solve": Command(".show.solve_command", "small decks, equilibrium by CFR+"),
        "train": Command(".show.train_command", "train the net of the agent champion by self-play"),
        "study": Command(
            ".show.study_command",
            "measure answers to common questions about the game, as a page",
            first=FirstWord.NAMED_GAME,
        ),
    },
    lobby=Lobby(quick=Quick("standard", Seat.PURSUERS, "bir-1"), order=3),
    questions=("notes", "hint"),
    lists_candidates=False,
    small={"preset": "mini"},
    warm_up={"solve": "solve fugitive --deck six --iterations 5"},
    light=frozenset(
        {
            "hr-1",
            "bir-1",
            "continuation",
            "hr-1c",
            "hr-1.1c",
            "l1",
            "l2",
            "notepad",
            "rules-marshal",
            "rules-fugitive",
            "watch",
            "page",
        }
    ),
)

_HOME = {
    "Action": "manhunt.games.fugitive.rules.actions",
    "Ask": "manhunt.games.fugitive.rules.actions",
    "Card": "manhunt.games.fugitive.rules.public",
    "ChampionAgent": "manhunt.games.fugitive.champion.agent",
    "Config": "manhunt.games.fugitive.rules.config",
    "Done": "manhunt.games.fugitive.rules.actions",
    "Draw": "manhunt.games.fugitive.rules.public",
    "ExactMarshal": "manhunt.games.fugitive.agents.exact_marshal",
    "FugitiveEncoder": "manhunt.games.fugitive.rules.encoding",
    "FugitiveGame": "manhunt.games.fugitive.rules.game",
    "FugitiveView": "manhunt.games.fugitive.rules.views",
    "Guess": "manhunt.games.fugitive.rules.public",
    "Hide": "manhunt.games.fugitive.rules.actions",
    "Hideout": "manhunt.games.fugitive.rules.state",
    "MarshalBelief": "manhunt.games.fugitive.beliefs.marshal",
    "MarshalNotes": "manhunt.games.fugitive.beliefs.notes",
    "MiniSolution": "manhunt.games.fugitive.solvers.mini",
    "Name": "manhunt.games.fugitive.rules.actions",
    "NotepadMarshal": "manhunt.games.fugitive.agents.notepad",
    "Opening": "manhunt.games.fugitive.rules.config",
    "Pass": "manhunt.games.fugitive.rules.actions",
    "Phase": "manhunt.games.fugitive.rules.public",
    "Public": "manhunt.games.fugitive.rules.public",
    "SearchFugitive": "manhunt.games.fugitive.agents.search_fugitive",
    "Spot": "manhunt.games.fugitive.rules.public",
    "Sprint": "manhunt.games.fugitive.rules.actions",
    "State": "manhunt.games.fugitive.rules.state",
    "TakeFrom": "manhunt.games.fugitive.rules.actions",
    "Worlds": "manhunt.games.fugitive.beliefs.worlds",
    "guess_mask": "manhunt.games.fugitive.beliefs.guess_mask",
    "solve_mini": "manhunt.games.fugitive.solvers.mini",
}
__all__ = [
    "KIT", "Action", "Ask", "Card", "ChampionAgent", "Config", "Done", "Draw", "ExactMarshal", "FugitiveEncoder",
    "FugitiveGame", "FugitiveView", "Guess", "Hide", "Hideout", "MarshalBelief", "MarshalNotes", "MiniSolution", "Name",
    "NotepadMarshal", "Opening", "Pass", "Phase", "Public", "SearchFugitive", "Spot", "Sprint", "State", "TakeFrom",
    "Worlds", "guess_mask", "solve_mini",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
