"""Fugitive: a card game of hideouts and guesses."""

from manhunt.core.ids import Seat
from manhunt.core.kit import Command, FirstWord, Kit, Lobby, Quick

KIT = Kit(
    home=__name__,
    name="fugitive",
    summary="A card game for two: he runs from 0 to 42 over hidden hideouts, she guesses where they are.",
    parts={
        "game": ".rules.game:FugitiveGame",
        "belief": ".beliefs.marshal:MarshalBelief",
        "words": ".rules.words",
        "scene": ".show.scene",
        "screen": ".show.terminal:FugitiveScreen",
        "tour": ".show.tour",
        "insights": ".show.insights",
        "analysis": ".show.analysis",
        "notebook": ".show.notebook",
        "worlds": ".rules.worlds",
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
            "answers to the questions of the game, measured and written as a page",
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
