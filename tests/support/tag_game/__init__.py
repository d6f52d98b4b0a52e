"""A game of another package for tests: Pursuit with other names and hidden quarry, and as few parts as can be."""

from manhunt.core.kit import Command, FirstWord, Kit

KIT = Kit(
    home=__name__,
    name="tag_game",
    summary="A fox runs, hounds chase it.",
    parts={"game": ".game:TagGame", "belief": ".game:TagBelief"},
    commands={
        "greet": Command(".greet_command", "say hello"),
        "echo": Command(".echo_command", "print what is given", first=FirstWord.OTHER),
        "watch": Command(".greet_command", "this name is taken"),
    },
)
