"""The rules, to be read; `kernels.py` says the same to be fast. Numbers are rule book paragraphs."""

from bisect import insort
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import NoReturn

from manhunt.core.errors import BadConfig, IllegalAction, one_of
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.games.fugitive.rules import placing
from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom, number_of
from manhunt.games.fugitive.rules.config import MOST_CARDS, MOST_PILES, Config, Opening
from manhunt.games.fugitive.rules.notation import format_action
from manhunt.games.fugitive.rules.public import Card, Guess, Phase
from manhunt.games.fugitive.rules.state import Cards, Hideout, Piles, Row, State

CAUGHT = Outcome(Side.PURSUERS, Termination.CAPTURE)
ESCAPED = Outcome(Side.EVADER, Termination.ARRIVAL)
NOT_ESCAPED = Outcome(Side.PURSUERS, Termination.SURVIVAL)
GIVEN_UP = Outcome(Side.PURSUERS, Termination.STRANDED)

FUGITIVE_DRAW, FUGITIVE_PLAY, MARSHAL_DRAW, MARSHAL_GUESS, MANHUNT, OVER = Phase
_EVADER, _PURSUERS = Side
_FUGITIVES = (FUGITIVE_DRAW, FUGITIVE_PLAY)
_TAKES = tuple(map(TakeFrom, range(MOST_PILES)))
_HIDES = tuple(map(Hide, range(MOST_CARDS + 1)))
_SPRINTS = tuple(map(Sprint, range(MOST_CARDS + 1)))
_NAMES = tuple(map(Name, range(MOST_CARDS + 1)))
_DONE, _PASS, _ASK = Done(), Pass(), Ask()


@cache
def _guesses(last: Card) -> tuple[tuple[Action, ...], ...]:
    """By the number named before, what can be said in a guess, where `last` is the last card of the deck."""
    return tuple((*_NAMES[named + 1 : last], _ASK) for named in range(last))


@cache
def _numbers(last: Card) -> tuple[Action, ...]:
    return _NAMES[1:last]


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
    return start_dealt(config, dealt, piles)


def start_dealt(config: Config, dealt: Sequence[Sequence[Card]], piles: Sequence[Sequence[Card]]) -> State:
    """`start` without a check, for what is known to be a deal."""
    hand = tuple(sorted((*config.kept, *chain.from_iterable(dealt))))
    return State(config, tuple(tuple(pile) for pile in piles), hand)


def to_act(state: State) -> Seat | None:
    if state.phase is OVER:
        return None
    return Seat.EVADER if state.phase in _FUGITIVES else Seat.PURSUERS


def legal_actions(state: State) -> tuple[Action, ...]:
    """Cards and piles ascending; what ends a turn or a placement comes last."""
    phase = state.phase
    if phase is MARSHAL_GUESS:
        return _naming(state)
    if phase is FUGITIVE_PLAY:
        return _placing(state) if state.pending else _hiding(state)
    if phase is MANHUNT:
        return _numbers(state.config.last)
    return () if phase is OVER else _drawing(state)


def _drawing(state: State) -> tuple[Action, ...]:
    """Paragraph 5; with `bonus` paragraph 10."""
    piles = state.piles
    takes = tuple([_TAKES[pile] for pile, cards in enumerate(piles) if cards]) if () in piles else _TAKES[: len(piles)]
    return (takes[0], _PASS) if state.bonus else takes


def _hiding(state: State) -> tuple[Action, ...]:
    """Paragraphs 3 to 5."""
    if state.round > 1:
        return (*[_HIDES[card] for card in placing.reachable(state)], _PASS)
    hides: list[Action] = [_HIDES[card] for card in placing.hideouts_of(state)]
    return (*hides, _PASS) if _may_pass(state, bool(hides)) else tuple(hides)


def _placing(state: State) -> tuple[Action, ...]:
    """Paragraphs 3 and 4."""
    cards, is_complete = placing.goes_on(state)
    steps: list[Action] = [_SPRINTS[card] for card in cards]
    if is_complete:
        steps.append(_DONE)
    return tuple(steps)


def _may_pass(state: State, can_hide: bool) -> bool:
    """Paragraph 4, in the opening: only when as many hideouts as are due lie, or none can be placed."""
    if not can_hide:
        return True
    return bool(state.row) and state.config.opening_hideouts is Opening.ONE_OR_TWO


def _naming(state: State) -> tuple[Action, ...]:
    """Paragraph 6."""
    config, named = state.config, state.pending
    if named:
        return _guesses(config.last)[named[-1]]
    return _numbers(config.last) if config.must_guess else _guesses(config.last)[0]


def outcome(state: State) -> Outcome | None:
    return state.end


def check_action(state: State, action: Action) -> None:
    """Say which paragraph a bad action breaks, and what would be legal."""
    if not _is_legal(state, action):
        _refuse(state, action)


def _refuse(state: State, action: Action) -> NoReturn:
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
    phase, pending = state.phase, state.pending
    if phase is MARSHAL_GUESS:
        if isinstance(action, Name):
            named = pending[-1] if pending else 0
            return type(action.number) is int and named < action.number < state.config.last
        return isinstance(action, Ask) and (bool(pending) or not state.config.must_guess)
    if phase is FUGITIVE_PLAY and pending:
        if isinstance(action, Sprint):
            return type(action.card) is int and action.card in placing.sprints_of(state)
        return isinstance(action, Done) and placing.is_complete(state)
    if phase is FUGITIVE_PLAY and state.round > 1:
        if isinstance(action, Hide):
            return type(action.card) is int and action.card in placing.reachable(state)
        return isinstance(action, Pass)
    if isinstance(action, TakeFrom) and (phase is FUGITIVE_DRAW or phase is MARSHAL_DRAW) and not state.bonus:
        pile = action.pile
        return type(pile) is int and 0 <= pile < len(state.piles) and bool(state.piles[pile])
    return action in legal_actions(state) and type(number_of(action)) is int


def _check_is_action(action: object) -> None:
    """Whatever a stranger's agent returns is refused in words."""
    if not isinstance(action, Action) or type(number_of(action)) is not int:
        known = "TakeFrom(pile), Hide(card), Sprint(card), Done(), Pass(), Name(number) or Ask() with whole numbers"
        raise IllegalAction(f"{' '.join(repr(action).split())[:60]} is not an action; give {known}")


def _why(state: State, action: Action) -> str:
    """What is wrong with an action that is not legal."""
    config, phase = state.config, state.phase
    if isinstance(action, TakeFrom) and phase in (FUGITIVE_DRAW, MARSHAL_DRAW):
        if not 0 <= action.pile < len(config.piles):
            return f"there are {len(config.piles)} piles (paragraph 1)"
        if state.bonus and state.piles[action.pile]:
            return "the bonus card comes from the lowest pile that is not empty (paragraph 10)"
        return f"the {config.pile_names[action.pile]} pile is empty (paragraph 5)"
    if isinstance(action, Hide) and phase is FUGITIVE_PLAY and not state.pending:
        return _why_not_hide(state, action.card)
    if isinstance(action, Sprint) and phase is FUGITIVE_PLAY and state.pending:
        return _why_not_sprint(state, action.card)
    if isinstance(action, Done) and phase is FUGITIVE_PLAY and state.pending:
        hideout, *named = state.pending
        need = placing.need_of(config, state.last_card, hideout)
        if placing.total_value(named) < need:
            gap = f"{hideout} after {state.last_card} needs sprints worth {need}"
            return f"{gap}, and those named are worth {placing.total_value(named)} (paragraph 3)"
        return "the opening has exactly two hideouts, and this leaves no second one (paragraph 4)"
    if isinstance(action, Pass) and phase is FUGITIVE_PLAY and not state.pending:
        return f"the opening is {config.opening_hideouts.value.replace('_', ' ')} hideouts (paragraph 4)"
    if isinstance(action, Name) and phase in (MARSHAL_GUESS, MANHUNT):
        if not 1 <= action.number < config.last:
            return f"hideouts are numbered 1 to {config.last - 1} (paragraph 6)"
        return f"the numbers of a guess must ascend, and {state.pending[-1]} was named (paragraph 6)"
    if isinstance(action, Ask) and phase is MARSHAL_GUESS:
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
        return f"{card} is not in his hand{' any more' if card in state.pending else ''} (paragraph 3)"
    if card == config.last and not config.allow_last_sprint:
        return f"{card} is never a sprint card (paragraph 3)"
    if named and card < named[-1]:
        return f"sprint cards must ascend, and {named[-1]} was named (paragraph 3)"
    need = placing.need_of(config, state.last_card, hideout)
    left = placing.sprint_cards(config, state.fugitive, hideout, card)
    if placing.total_value((*named, card, *left)) >= need:
        return "the opening has exactly two hideouts, and this leaves no second one (paragraph 4)"
    return f"with it {hideout} could not be completed any more: it needs sprints worth {need} (paragraph 3)"


def _why_not_now(state: State) -> str:
    turn = {
        FUGITIVE_DRAW: "he has to draw a card (paragraph 5)",
        FUGITIVE_PLAY: "he has to place a hideout or pass (paragraph 5)",
        MARSHAL_DRAW: "she has to draw a card (paragraph 5)",
        MARSHAL_GUESS: "she has to guess (paragraph 6)",
        MANHUNT: "she has to name one number, which is her whole guess (paragraph 8)",
    }
    if state.pending and state.phase is FUGITIVE_PLAY:
        return f"he is placing {state.pending[0]} (paragraph 3)"
    return turn[state.phase]


def apply_action(state: State, action: Action) -> State:
    if not _is_legal(state, action):
        _refuse(state, action)
    return apply_legal(state, action)


def apply_legal(state: State, action: Action) -> State:
    """For an action from `legal_actions`, which is not checked again."""
    if isinstance(action, Name):
        return _hunt(state, action.number) if state.phase is MANHUNT else state.naming(action.number)
    if isinstance(action, TakeFrom):
        return _take(state, action.pile)
    if isinstance(action, Ask):
        return _ask(state)
    if isinstance(action, Sprint) or isinstance(action, Hide):  # noqa: SIM101  a union is slow to ask
        return state.naming(action.card)
    return _place(state) if isinstance(action, Done) else _pass(state)


def _take(state: State, pile: int) -> State:
    """Paragraphs 5 and 10."""
    _, piles, fugitive, marshal = state[:4]
    card, rest = piles[pile][0], piles[pile][1:]
    piles = (*piles[:pile], rest, *piles[pile + 1 :])
    if state.phase is MARSHAL_DRAW:
        phase, n_left = _marshal_goes_on(state.n_left - 1, piles)
        return state.after_draw(_PURSUERS, pile, piles, fugitive, _with(marshal, card), phase, n_left)
    phase, n_left = _marshals_turn(state, piles) if state.bonus else (FUGITIVE_PLAY, 0)
    return state.after_draw(_EVADER, pile, piles, _with(fugitive, card), marshal, phase, n_left)


def _with(hand: Cards, card: Card) -> Cards:
    cards = [*hand]
    insort(cards, card)
    return tuple(cards)


def _pass(state: State) -> State:
    """Paragraphs 4, 5, 10 and 11."""
    config, n_passes, has_cards = state.config, state.n_passes, any(state.piles)
    if not state.bonus and (state.round > 1 or not state.row):
        n_passes += 1
        idle = 0 if has_cards else state.round - state.newest_round
        if idle and idle == config.idle_passes:
            return state._replace(n_passes=n_passes, phase=OVER, end=GIVEN_UP)
        if config.pass_bonus and has_cards:
            return state._replace(n_passes=n_passes, phase=FUGITIVE_DRAW, bonus=True)
    phase, n_left = _marshals_turn(state, state.piles)
    return state.after_placing(state.row, state.fugitive, n_passes, phase, n_left)


def _place(state: State) -> State:
    """Paragraphs 3, 4 and 8."""
    config, pending = state.config, state.pending
    escapes = pending[0] == config.last
    placed = Hideout(pending[0], pending[1:], state.round, state.n_drawn, escapes)
    row, left = (*state.row, placed), tuple([card for card in state.fugitive if card not in pending])
    if escapes:
        is_known = any(hideout.face_up and hideout.card >= config.manhunt_below for hideout in state.row)
        after = state.after_placing(row, left, state.n_passes, MANHUNT, 0)
        return _over(after, ESCAPED) if is_known else after
    goes_on = state.round == 1 and not state.row
    phase, n_left = (FUGITIVE_PLAY, 0) if goes_on else _marshals_turn(state, state.piles)
    return state.after_placing(row, left, state.n_passes, phase, n_left)


def _marshals_turn(state: State, piles: Piles) -> tuple[Phase, int]:
    return _marshal_goes_on(state.config.first_draws if state.round == 1 else 1, piles)


def _marshal_goes_on(n_left: int, piles: Piles) -> tuple[Phase, int]:
    """Paragraph 5: with all piles empty the draw is skipped."""
    return (MARSHAL_DRAW, n_left) if n_left and any(piles) else (MARSHAL_GUESS, 0)


def _ask(state: State) -> State:
    """Paragraphs 6, 7 and 11. An empty guess, where it is allowed, leaves no trace."""
    row, guesses, all_found = state.row, state.guesses, False
    if state.pending:
        row, guess, all_found = _claim(state, state.pending)
        guesses = (*guesses, guess)
    if all_found or state.round == state.config.max_rounds:
        return _over(state.after_guess(row, guesses, state.round, OVER), CAUGHT if all_found else NOT_ESCAPED)
    return state.after_guess(row, guesses, state.round + 1, FUGITIVE_DRAW if any(state.piles) else FUGITIVE_PLAY)


def _hunt(state: State, number: Card) -> State:
    """Paragraph 8: a miss loses, finding the last one wins."""
    row, guess, all_found = _claim(state, (number,))
    after = state._replace(row=row, guesses=(*state.guesses, guess))
    if all_found:
        return _over(after, CAUGHT)
    return after if guess.hit else _over(after, ESCAPED)


def _claim(state: State, numbers: Cards) -> tuple[Row, Guess, bool]:
    """Paragraph 6: all of the numbers are turned up, or none. The row after it, the guess, whether none is hidden."""
    row = state.row
    hidden = {hideout.card for hideout in row if not hideout.face_up}
    hit = hidden.issuperset(numbers)
    if hit:
        row = tuple([hideout._replace(face_up=True) if hideout.card in numbers else hideout for hideout in row])
    return row, Guess(state.round, numbers, hit, state.n_hideouts), hit and len(numbers) == len(hidden)


def _over(state: State, end: Outcome) -> State:
    return state._replace(phase=OVER, end=end)
