"""The rules, to be read; `kernels.py` says the same to be fast. Numbers are rule book paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from manhunt.errors import BadConfig, IllegalAction, one_of
from manhunt.games.fugitive import placing
from manhunt.games.fugitive.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom
from manhunt.games.fugitive.config import MOST_CARDS, MOST_PILES, Config, Opening
from manhunt.games.fugitive.notation import format_action
from manhunt.games.fugitive.public import Card, Draw, Guess, Phase
from manhunt.games.fugitive.state import Hideout, State
from manhunt.games.outcome import Outcome, Termination
from manhunt.ids import Seat, Side

CAUGHT = Outcome(Side.PURSUERS, Termination.CAPTURE)
ESCAPED = Outcome(Side.EVADER, Termination.ARRIVAL)
NOT_ESCAPED = Outcome(Side.PURSUERS, Termination.SURVIVAL)
GIVEN_UP = Outcome(Side.PURSUERS, Termination.STRANDED)

_FUGITIVES = (Phase.FUGITIVE_DRAW, Phase.FUGITIVE_PLAY)
_TAKES = tuple(map(TakeFrom, range(MOST_PILES)))
_HIDES = tuple(map(Hide, range(MOST_CARDS + 1)))
_SPRINTS = tuple(map(Sprint, range(MOST_CARDS + 1)))
_NAMES = tuple(map(Name, range(MOST_CARDS + 1)))
_DONE, _PASS, _ASK = Done(), Pass(), Ask()


def start(config: Config, dealt: Sequence[Sequence[Card]], piles: Sequence[Sequence[Card]]) -> State:
    """Paragraphs 1 and 2. `dealt` are the Fugitive's random cards by pile, `piles` the rest, the next card first."""
    for words, cards in (("dealt", dealt), ("piles", piles)):
        if len(cards) != len(config.piles):
            raise BadConfig(f"setup: {words} has {len(cards)} lists, but there are {len(config.piles)} piles")
    for pile, (given, rest) in enumerate(zip(dealt, piles, strict=True)):
        name = config.pile_names[pile]
        if sorted(chain(given, rest)) != list(config.cards_of(pile)):
            low, high = config.piles[pile]
            raise BadConfig(f"setup: dealt and piles must hold each card of the {name} pile, {low} to {high}, once")
        if len(given) != config.dealt[pile]:
            raise BadConfig(f"setup: {len(given)} cards of the {name} pile are dealt; it must be {config.dealt[pile]}")
    hand = tuple(sorted((*config.kept, *chain.from_iterable(dealt))))
    return State(config, tuple(tuple(pile) for pile in piles), hand)


def to_act(state: State) -> Seat | None:
    if state.phase is Phase.OVER:
        return None
    return Seat.EVADER if state.phase in _FUGITIVES else Seat.PURSUERS


def legal_actions(state: State) -> tuple[Action, ...]:
    """Cards and piles ascending; what ends a turn or a placement comes last."""
    phase = state.phase
    if phase is Phase.FUGITIVE_PLAY:
        return _placing(state)
    if phase is Phase.MARSHAL_GUESS:
        return _naming(state)
    if phase is Phase.MANHUNT:
        return _names(1, state.config.last)
    if phase is Phase.OVER:
        return ()
    return _drawing(state)


def _drawing(state: State) -> tuple[Action, ...]:
    """Paragraph 5; with `bonus` paragraph 10."""
    piles = tuple(_TAKES[pile] for pile, cards in enumerate(state.piles) if cards)
    return (piles[0], _PASS) if state.bonus else piles


def _placing(state: State) -> tuple[Action, ...]:
    """Paragraphs 3 to 5."""
    if not state.pending:
        hides = [_HIDES[card] for card in placing.hideouts_of(state)]
        return (*hides, _PASS) if _may_pass(state, bool(hides)) else tuple(hides)
    sprints = [_SPRINTS[card] for card in placing.sprints_of(state)]
    return (*sprints, _DONE) if placing.is_complete(state) else tuple(sprints)


def _may_pass(state: State, can_hide: bool) -> bool:
    """Paragraph 4: in the opening only when as many hideouts as are due lie, or none can be placed."""
    if state.round > 1 or not can_hide:
        return True
    return bool(state.row) and state.config.opening_hideouts is Opening.ONE_OR_TWO


def _naming(state: State) -> tuple[Action, ...]:
    """Paragraph 6."""
    names = _names(state.pending[-1] + 1 if state.pending else 1, state.config.last)
    return (*names, _ASK) if state.pending or not state.config.must_guess else names


def _names(first: Card, end: Card) -> tuple[Action, ...]:
    return _NAMES[first:end]


def outcome(state: State) -> Outcome | None:
    return state.end


def check_action(state: State, action: Action) -> None:
    """Say which paragraph a bad action breaks, and what would be legal."""
    if _is_legal(state, action):
        return
    _check_is_action(action)
    legal = legal_actions(state)
    text = format_action(state.config, action)
    if state.end is not None:
        raise IllegalAction(f"{text} is not legal: the game is over ({state.end})")
    who = "the Fugitive" if state.phase in _FUGITIVES else "the Marshal"
    options = one_of(format_action(state.config, each) for each in legal)
    raise IllegalAction(f"{who} cannot {text} (round {state.round}): {_why(state, action)}; legal: {options}")


def _is_legal(state: State, action: Action) -> bool:
    """Whether it is in `legal_actions`, mostly without listing them."""
    phase, kind = state.phase, type(action)
    if phase is Phase.MARSHAL_GUESS and isinstance(action, Name):
        named = state.pending[-1] if state.pending else 0
        return type(action.number) is int and named < action.number < state.config.last
    if phase is Phase.FUGITIVE_PLAY and state.pending:
        if kind is Done:
            return placing.is_complete(state)
        return isinstance(action, Sprint) and type(action.card) is int and action.card in placing.sprints_of(state)
    if phase is Phase.FUGITIVE_PLAY and state.round > 1:
        if kind is Pass:
            return True
        return isinstance(action, Hide) and type(action.card) is int and action.card in placing.reachable(state)
    return action in legal_actions(state) and type(_number_of(action)) is int


def _number_of(action: Action) -> int:
    """The card, number or pile of an action; 0 where there is none."""
    if isinstance(action, Hide | Sprint):
        return action.card
    return action.number if isinstance(action, Name) else action.pile if isinstance(action, TakeFrom) else 0


def _check_is_action(action: object) -> None:
    """Whatever a stranger's agent returns is refused in words."""
    if not isinstance(action, Action) or type(_number_of(action)) is not int:
        known = "TakeFrom(pile), Hide(card), Sprint(card), Done(), Pass(), Name(number) or Ask() with whole numbers"
        raise IllegalAction(f"{' '.join(repr(action).split())[:60]} is no action; give {known}")


def _why(state: State, action: Action) -> str:
    """What is wrong with an action that is not legal."""
    config, phase = state.config, state.phase
    if isinstance(action, TakeFrom) and phase in (Phase.FUGITIVE_DRAW, Phase.MARSHAL_DRAW):
        if not 0 <= action.pile < len(config.piles):
            return f"there are {len(config.piles)} piles (paragraph 1)"
        if state.bonus and state.piles[action.pile]:
            return "the bonus card comes from the lowest pile that is not empty (paragraph 10)"
        return f"the {config.pile_names[action.pile]} pile is empty (paragraph 5)"
    if isinstance(action, Hide) and phase is Phase.FUGITIVE_PLAY and not state.pending:
        return _why_not_hide(state, action.card)
    if isinstance(action, Sprint) and phase is Phase.FUGITIVE_PLAY and state.pending:
        return _why_not_sprint(state, action.card)
    if isinstance(action, Done) and phase is Phase.FUGITIVE_PLAY and state.pending:
        hideout, *named = state.pending
        need = placing.need_of(config, state.last_card, hideout)
        if placing.total_value(named) < need:
            gap = f"{hideout} after {state.last_card} needs sprints worth {need}"
            return f"{gap}, named are {placing.total_value(named)} (paragraph 3)"
        return "the opening has exactly two hideouts, and this leaves no second one (paragraph 4)"
    if isinstance(action, Pass) and phase is Phase.FUGITIVE_PLAY and not state.pending:
        return f"the opening is {config.opening_hideouts.value.replace('_', ' ')} hideouts (paragraph 4)"
    if isinstance(action, Name) and phase in (Phase.MARSHAL_GUESS, Phase.MANHUNT):
        if not 1 <= action.number < config.last:
            return f"hideouts are numbered 1 to {config.last - 1} (paragraph 6)"
        return f"the numbers of a guess are named once, ascending, and {state.pending[-1]} was named (paragraph 6)"
    if isinstance(action, Ask) and phase is Phase.MARSHAL_GUESS:
        return "a guess has one number or more (paragraph 6)"
    return _why_not_now(state)


def _why_not_hide(state: State, card: Card) -> str:
    config, before = state.config, state.last_card
    if card not in state.fugitive:
        return f"{card} is not in his hand (paragraph 3)"
    if card <= before:
        return f"{card} is not above {before}, the last of the row (paragraph 3)"
    if card == config.last and not state.row:
        return f"{card} cannot be the first hideout (paragraph 8)"
    if card in placing.reachable(state):
        return "the opening has exactly two hideouts, and this leaves no second one (paragraph 4)"
    most = config.reach + placing.total_value(placing.sprint_cards(config, state.fugitive, card))
    return f"{card} is {card - before} above {before}, and all his sprint cards reach {most} (paragraph 3)"


def _why_not_sprint(state: State, card: Card) -> str:
    config, (hideout, *named) = state.config, state.pending
    if card not in state.fugitive or card in state.pending:
        return (
            f"{card} is not in his hand any more (paragraph 3)"
            if card in state.pending
            else (f"{card} is not in his hand (paragraph 3)")
        )
    if card == config.last and not config.allow_last_sprint:
        return f"{card} is never a sprint card (paragraph 3)"
    if named and card < named[-1]:
        return f"sprint cards are named ascending, and {named[-1]} was named (paragraph 3)"
    need = placing.need_of(config, state.last_card, hideout)
    left = placing.sprint_cards(config, state.fugitive, hideout, card)
    if placing.total_value((*named, card, *left)) >= need:
        return "the opening has exactly two hideouts, and this leaves no second one (paragraph 4)"
    return f"with it {hideout} could not be completed any more: it needs sprints worth {need} (paragraph 3)"


def _why_not_now(state: State) -> str:
    turn = {
        Phase.FUGITIVE_DRAW: "he is to draw a card (paragraph 5)",
        Phase.FUGITIVE_PLAY: "he is to place a hideout or to pass (paragraph 5)",
        Phase.MARSHAL_DRAW: "she is to draw a card (paragraph 5)",
        Phase.MARSHAL_GUESS: "she is to guess (paragraph 6)",
        Phase.MANHUNT: "she is to name one number, which is at once her guess (paragraph 8)",
    }
    if state.pending and state.phase is Phase.FUGITIVE_PLAY:
        return f"he is placing {state.pending[0]} (paragraph 3)"
    return turn[state.phase]


def apply_action(state: State, action: Action) -> State:
    check_action(state, action)
    if isinstance(action, TakeFrom):
        return _take(state, action.pile)
    if isinstance(action, Name):
        if state.phase is Phase.MANHUNT:
            return _hunt(state, action.number)
        return state._replace(pending=(*state.pending, action.number))
    if isinstance(action, Hide | Sprint):
        return state._replace(pending=(*state.pending, action.card))
    if isinstance(action, Done):
        return _place(state)
    return _ask(state) if isinstance(action, Ask) else _pass(state)


def _take(state: State, pile: int) -> State:
    """Paragraphs 5 and 10."""
    card, *rest = state.piles[pile]
    side = Side.EVADER if state.phase is Phase.FUGITIVE_DRAW else Side.PURSUERS
    changes: dict[str, Any] = {
        "piles": (*state.piles[:pile], tuple(rest), *state.piles[pile + 1 :]),
        "draws": (*state.draws, Draw(side, pile, state.round, state.n_hideouts)),
    }
    if side is Side.PURSUERS:
        marshal = tuple(sorted((*state.marshal, card)))
        return _marshal_goes_on(state._replace(**changes, marshal=marshal, n_left=state.n_left - 1))
    changes["fugitive"] = tuple(sorted((*state.fugitive, card)))
    if state.bonus:
        return _marshals_turn(state._replace(**changes, bonus=False))
    return state._replace(**changes, phase=Phase.FUGITIVE_PLAY)


def _pass(state: State) -> State:
    """Paragraphs 4, 5, 10 and 11."""
    if state.bonus:
        return _marshals_turn(state._replace(bonus=False))
    if state.round == 1 and state.row:
        return _marshals_turn(state)
    passed = state._replace(n_passes=state.n_passes + 1)
    idle = 0 if any(state.piles) else state.round - state.newest_round
    if idle and idle == state.config.idle_passes:
        return _over(passed, GIVEN_UP)
    if state.config.pass_bonus and any(state.piles):
        return passed._replace(phase=Phase.FUGITIVE_DRAW, bonus=True)
    return _marshals_turn(passed)


def _place(state: State) -> State:
    """Paragraphs 3, 4 and 8."""
    config, (card, *sprints) = state.config, state.pending
    escapes = card == config.last
    placed = Hideout(card, tuple(sprints), state.round, state.n_draws(Side.EVADER), face_up=escapes)
    left = tuple(each for each in state.fugitive if each not in state.pending)
    after = state._replace(row=(*state.row, placed), fugitive=left, pending=())
    if escapes:
        if any(h.face_up and h.card >= config.manhunt_below for h in state.row):
            return _over(after, ESCAPED)
        return after._replace(phase=Phase.MANHUNT)
    if state.round == 1 and len(after.row) == 1:
        return after
    return _marshals_turn(after)


def _marshals_turn(state: State) -> State:
    n_draws = state.config.first_draws if state.round == 1 else 1
    return _marshal_goes_on(state._replace(phase=Phase.MARSHAL_DRAW, n_left=n_draws))


def _marshal_goes_on(state: State) -> State:
    """Paragraph 5: with all piles empty the draw is skipped."""
    if state.n_left and any(state.piles):
        return state
    return state._replace(phase=Phase.MARSHAL_GUESS, n_left=0)


def _ask(state: State) -> State:
    """Paragraphs 6, 7 and 11. An empty guess, where it is allowed, leaves no trace."""
    if not state.pending:
        return _next_round(state)
    after = _claim(state, state.pending)
    return _over(after, CAUGHT) if _all_face_up(after) else _next_round(after)


def _hunt(state: State, number: Card) -> State:
    """Paragraph 8: a miss loses, finding the last one wins."""
    after = _claim(state, (number,))
    if not after.guesses[-1].hit:
        return _over(after, ESCAPED)
    return _over(after, CAUGHT) if _all_face_up(after) else after


def _claim(state: State, numbers: tuple[Card, ...]) -> State:
    """Paragraph 6: all of the numbers are turned up, or none."""
    hidden = {hideout.card for hideout in state.row if not hideout.face_up}
    hit = hidden.issuperset(numbers)
    guess = Guess(state.round, numbers, hit, state.n_hideouts)
    row = state.row
    if hit:
        row = tuple(replace(hideout, face_up=True) if hideout.card in numbers else hideout for hideout in row)
    return state._replace(row=row, guesses=(*state.guesses, guess), pending=())


def _all_face_up(state: State) -> bool:
    return bool(state.row) and all(hideout.face_up for hideout in state.row)


def _next_round(state: State) -> State:
    if state.round == state.config.max_rounds:
        return _over(state, NOT_ESCAPED)
    phase = Phase.FUGITIVE_DRAW if any(state.piles) else Phase.FUGITIVE_PLAY
    return state._replace(round=state.round + 1, phase=phase)


def _over(state: State, end: Outcome) -> State:
    return state._replace(phase=Phase.OVER, end=end)
