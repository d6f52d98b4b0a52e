"""Fugitive behind the common contract."""

from collections.abc import Mapping, Sequence
from itertools import combinations, groupby, permutations, product
from math import comb, factorial, prod
from random import Random
from typing import Any

from manhunt.core.deals import Deals, check_number_of_deals
from manhunt.core.errors import BadConfig
from manhunt.core.events import Event
from manhunt.core.game import Capabilities, Setup, expect_keys
from manhunt.core.ids import Seat
from manhunt.core.modules import GameOfModules
from manhunt.games.fugitive.rules import config as configs
from manhunt.games.fugitive.rules import notation, rules, views
from manhunt.games.fugitive.rules.actions import Action, Done, Hide, Name, Pass, Sprint, TakeFrom
from manhunt.games.fugitive.rules.config import Config
from manhunt.games.fugitive.rules.public import Card, Phase
from manhunt.games.fugitive.rules.state import State
from manhunt.games.fugitive.rules.views import FugitiveView
from manhunt.games.fugitive.rules.words import listed


class FugitiveGame(GameOfModules[Config, State, Action, FugitiveView]):
    """Fugitive, the card game of hideouts and guesses: `make_game("fugitive")`.

    Examples:
        >>> game = FugitiveGame()
        >>> game.make_config("mini").last < game.make_config().last
        True
    """

    name = "fugitive"
    title = "Fugitive"
    presets = configs.PRESETS
    sources = configs.SOURCES
    capabilities = Capabilities(hidden=True, chance=False, board=False)
    seat_names = {Seat.EVADER: "Fugitive", Seat.PURSUERS: "Marshal"}  # noqa: RUF012
    config_module = configs
    rules_module = rules
    views_module = views
    notation_module = notation

    def describe_config(self, config: Config) -> str:
        """The name of the preset with these options, or that it is a custom deck."""
        known = (name for name in self.presets if self.make_config(name) == config)
        return f"preset {name}" if (name := next(known, None)) else f"a deck of {config.last + 1} cards"

    def deal(self, config: Config, rng: Random) -> Setup:
        """Paragraph 2: the piles shuffled, the Fugitive's random cards taken from their tops."""
        dealt, piles = _deal(config, rng)
        return {"dealt": dealt, "piles": piles}

    def deals(self, config: Config) -> Deals:
        """Every deal with its probability; the order of dealt cards does not matter, so they are listed ascending."""
        piles = [config.cards_of(pile) for pile in range(len(config.piles))]
        split = zip(piles, config.dealt, strict=True)
        n = prod(comb(len(cards), dealt) * factorial(len(cards) - dealt) for cards, dealt in split)
        check_number_of_deals(n)
        for hands in product(*(combinations(cards, dealt) for cards, dealt in zip(piles, config.dealt, strict=True))):
            rests = [[c for c in cards if c not in hand] for cards, hand in zip(piles, hands, strict=True)]
            for orders in product(*map(permutations, rests)):
                yield {"dealt": [list(hand) for hand in hands], "piles": [list(order) for order in orders]}, 1 / n

    def new(self, config: Config, rng: Random) -> State:
        return rules.start_dealt(config, *_deal(config, rng))

    def start(self, config: Config, setup: Setup) -> State:
        """`dealt` lists the Fugitive's random cards by pile, `piles` the rest, the next card to be drawn first."""
        expect_keys(setup, frozenset({"dealt", "piles"}), "setup of fugitive")
        return rules.start(config, _lists(setup, "dealt"), _lists(setup, "piles"))

    def round_of(self, state: State) -> int:
        """A round begins with the Fugitive's first action in it."""
        return state.round if state.round_begun else state.round - 1

    def ends_turn(self, before: State, after: State) -> bool:
        """Draws, the cards of a placement and the numbers of a guess belong to one turn; in the manhunt each guess is a
        turn.
        """
        return rules.to_act(before) is not rules.to_act(after) or after.phase is Phase.MANHUNT

    def format_turn(self, texts: Sequence[str], events: Sequence[Mapping[str, Any]]) -> str:
        """`draws low, places 9+1+3`; for a seat that may not know the cards, `places a hideout+2?`."""
        return notation.format_turn(texts, events)

    def pass_action(self, state: State) -> Action | None:
        """Placing no hideout, where that is legal now."""
        return Pass() if Pass() in rules.legal_actions(state) else None

    def visible_notation(self, config: Config, action: Action, events: Sequence[Event], seat: Seat) -> str | None:
        """The notation of a draw names only the pile, which everybody sees."""
        if isinstance(action, TakeFrom):
            return self.format_action(config, action)
        return super().visible_notation(config, action, events, seat)

    def phrase_choice(self, state: State, actions: Sequence[Action]) -> str:
        """`hide at 9 with 2, 4 and 5`, `guess 7 and 10`, `draw from the low pile`, `pass`."""
        phrases: list[str] = []
        for _, group in groupby(actions, type):
            run, piles = tuple(group), state.config.pile_names
            phrases += [f"draw from the {piles[each.pile]} pile" for each in run if isinstance(each, TakeFrom)]
            phrases += [f"hide at {each.card}" for each in run if isinstance(each, Hide)]
            if paid := listed([str(each.card) for each in run if isinstance(each, Sprint)]):
                phrases.append(f"{phrases.pop()} with {paid}" if phrases else f"pay with {paid}")
            if numbers := listed([str(each.number) for each in run if isinstance(each, Name)]):
                phrases.append(f"guess {numbers}")
            phrases += ["pass" for each in run if isinstance(each, Pass)]
        return ", ".join(phrases) or ("pay no more" if Done() in actions else "guess nothing")

    def describe_action(self, state: State, action: Action) -> str:
        who = "the Fugitive" if rules.to_act(state) is Seat.EVADER else "the Marshal"
        if isinstance(action, TakeFrom):
            return f"{who} draws from the {state.config.pile_names[action.pile]} pile"
        if isinstance(action, Hide):
            return f"{who} hides at {action.card}"
        if isinstance(action, Sprint):
            return f"{who} sprints with {action.card}"
        if isinstance(action, Name):
            return f"{who} {'guesses' if state.phase is Phase.MANHUNT else 'names'} {action.number}"
        return f"{who}: {notation.format_action(state.config, action)}"


def _deal(config: Config, rng: Random) -> tuple[list[list[Card]], list[list[Card]]]:
    dealt, piles = [], []
    for pile, n in enumerate(config.dealt):
        cards = rng.sample(config.cards_of(pile), len(config.cards_of(pile)))
        dealt.append(cards[:n])
        piles.append(cards[n:])
    return dealt, piles


def _lists(setup: Setup, key: str) -> Sequence[Sequence[Card]]:
    value = setup.get(key)
    if not isinstance(value, list | tuple) or not all(
        isinstance(cards, list | tuple) and all(type(card) is int for card in cards) for cards in value
    ):
        raise BadConfig(f"setup: {key} must be a list of cards for each pile such as [[5, 14, 4], [23, 22], []]")
    return value
