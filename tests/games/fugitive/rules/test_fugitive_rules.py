"""The rule book, paragraph by paragraph."""

from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fugitive_games import fugitive_configs, fugitive_histories
from fugitive_tables import STANDARD, cards, dealt, offered, play, small
from manhunt.core.errors import BadConfig, IllegalAction
from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom
from manhunt.games.fugitive.rules.config import Opening, make_config, sprint_value
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.public import Draw, Guess, Phase
from manhunt.games.fugitive.rules.state import State

GAME = FugitiveGame()


def test_par_1_the_deck_and_its_piles() -> None:
    assert [len(STANDARD.cards_of(pile)) for pile in range(3)] == [11, 14, 13]
    assert STANDARD.pile_names == ("low", "middle", "high")
    assert cards(GAME.new(STANDARD, Random(1))) == list(range(1, 43))


@given(st.integers(0, 1000))
def test_par_2_the_deal(seed) -> None:
    state = GAME.new(STANDARD, Random(seed))
    homes = [STANDARD.pile_of[card] for card in state.fugitive]
    assert [homes.count(home) for home in (None, 0, 1, 2)] == [4, 3, 2, 0]
    assert {1, 2, 3, 42} <= set(state.fugitive)
    assert state.marshal == ()
    assert [len(pile) for pile in state.piles] == [8, 12, 13]


@given(fugitive_configs(), st.integers(0, 10_000))
def test_par_2_a_new_game_is_a_deal_that_was_begun(config, seed) -> None:
    assert GAME.new(config, Random(seed)) == GAME.start(config, GAME.deal(config, Random(seed)))


@given(fugitive_histories())
def test_what_is_offered_need_not_be_checked_again(history) -> None:
    for state in history[0]:
        for action in rules.legal_actions(state):
            assert rules.apply_legal(state, action) == rules.apply_action(state, action)


def test_par_2_every_deal_is_equally_likely() -> None:
    config = make_config("mini")
    rng = Random(1)
    dealt_cards = [GAME.new(config, rng).fugitive[2] for _ in range(2000)]
    assert all(330 < dealt_cards.count(card) < 470 for card in range(3, 8))


def test_par_3_a_hideout_lies_at_most_three_on() -> None:
    state = dealt(low=(4, 5, 7), middle=(15, 28))
    assert offered(play(state, "hide:3"))[-1] == "done"
    assert "done" not in offered(play(state, "hide:4"))


def test_par_3_odd_cards_sprint_one_even_cards_two() -> None:
    assert [sprint_value(card) for card in (1, 2, 3, 42)] == [1, 2, 1, 2]
    state = play(dealt(low=(4, 5, 7)), "hide:5")
    assert "done" in offered(play(state, "sprint:2"))
    assert "done" not in offered(play(state, "sprint:1"))
    assert "done" in offered(play(state, "sprint:1 sprint:3"))


def test_par_3_paying_more_than_needed_is_allowed() -> None:
    state = play(dealt(), "hide:1 sprint:2 sprint:4 sprint:16 done")
    assert state.row[0].sprints == (2, 4, 16)
    assert state.fugitive == (3, 6, 8, 15, 42)


def test_par_3_the_last_card_sprints_only_where_the_switch_says_so() -> None:
    assert "sprint:42" not in offered(play(dealt(), "hide:1"))
    allowed = dealt(config=make_config(allow_42_sprint=True))
    assert "sprint:42" in offered(play(allowed, "hide:1"))
    assert (
        42 not in play(allowed, "hide:5 sprint:42 done" if 5 in allowed.fugitive else "hide:1 sprint:42 done").fugitive
    )


def subsets(hand: list[int]) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(hand, n) for n in range(len(hand) + 1)))


def placements(state: State, hand: tuple[int, ...], before: int, *, first: bool) -> set[tuple[int, ...]]:
    """Paragraph 3 word by word: the hideout and its sprint cards."""
    config = state.config
    found = set()
    for hideout in hand:
        if hideout <= before or (first and hideout == config.last):
            continue
        usable = [c for c in hand if c != hideout and (c != config.last or config.allow_last_sprint)]
        for sprints in subsets(usable):
            if hideout - before <= config.reach + sum(sprint_value(c) for c in sprints):
                found.add((hideout, *sprints))
    return found


def placements_by_steps(state: State) -> set[tuple[int, ...]]:
    found, waiting = set(), [state]
    while waiting:
        here = waiting.pop()
        for action in rules.legal_actions(here):
            if isinstance(action, Hide | Sprint):
                waiting.append(rules.apply_action(here, action))
            elif isinstance(action, Done):
                found.add(here.pending)
    return found


@given(fugitive_histories(max_last=10))
def test_par_3_and_4_the_steps_lead_to_all_placements_and_no_others(history) -> None:
    for state in history[0]:
        if state.phase is not Phase.FUGITIVE_PLAY or state.pending:
            continue
        expected = placements(state, state.fugitive, state.last_card, first=not state.row)
        if state.config.opening_hideouts is Opening.EXACTLY_TWO and state.round == 1 and not state.row:
            leaving = set()
            for placed in expected:
                rest = tuple(card for card in state.fugitive if card not in placed)
                if placements(state, rest, placed[0], first=False):
                    leaving.add(placed)
            expected = leaving or expected
        assert placements_by_steps(state) == expected


def test_par_4_the_opening_has_one_or_two_hideouts() -> None:
    state = dealt()
    assert rules.to_act(state) is Seat.EVADER
    assert state.phase is Phase.FUGITIVE_PLAY
    assert "pass" not in offered(state)
    one = play(state, "hide:1 done")
    assert offered(one)[-1] == "pass"
    assert "hide:3" in offered(one)
    for after in (play(one, "pass"), play(one, "hide:3 done")):
        assert after.phase is Phase.MARSHAL_DRAW
        assert after.n_left == 2
        assert after.n_passes == 0


def test_par_4_exactly_two_leaves_a_second_hideout() -> None:
    state = small(last=9, piles=[], dealt=[], reach=3, opening_hideouts="exactly_two")
    one = play(state, "hide:3 done")
    assert "pass" not in offered(one)
    assert play(one, "hide:4 done").phase is Phase.MARSHAL_GUESS
    # All other cards as sprints would leave 9 alone, six cards off: 4 may go, 1 2 4 5 6 7 8 may not.
    with pytest.raises(IllegalAction, match="leaves no second one"):
        play(state, "hide:3 sprint:1 sprint:2 sprint:4 sprint:5 sprint:6 sprint:7 sprint:8")


def test_par_4_who_cannot_place_two_places_one() -> None:
    config = make_config(last=6, piles=[[2, 5]], dealt=[0], reach=1, opening_hideouts="exactly_two")
    state = rules.start(config, [[]], [[2, 3, 4, 5]])
    one = play(state, "hide:1 done")
    assert offered(one) == ["pass"]


def test_par_4_the_marshal_draws_two_and_sees_the_first_before_the_second() -> None:
    state = play(dealt(), "hide:3 done pass draw:low")
    assert state.marshal == (5,)
    assert state.phase is Phase.MARSHAL_DRAW
    state = play(state, "draw:high")
    assert state.marshal == (5, 29)
    assert state.phase is Phase.MARSHAL_GUESS
    assert state.draws == (Draw(Side.PURSUERS, 0, 1, 1), Draw(Side.PURSUERS, 2, 1, 1))


ROUND_1 = "hide:3 done pass draw:low draw:high name:9 ask"


def test_par_5_a_later_turn_draws_one_and_places_one_or_passes() -> None:
    state = play(dealt(), ROUND_1)
    assert state.round == 2
    assert offered(state) == ["draw:low", "draw:middle", "draw:high"]
    state = play(state, "draw:low")
    assert 7 in state.fugitive
    assert offered(state)[-1] == "pass"
    placed = play(state, "hide:6 done")
    assert placed.row[-1].n_draws == (1, 0, 0)
    assert placed.row[-1].round == 2
    for after in (placed, play(state, "pass")):
        assert after.phase is Phase.MARSHAL_DRAW
        assert after.n_left == 1
    assert play(state, "pass").n_passes == 1


def test_par_5_an_empty_pile_cannot_be_chosen_and_no_pile_means_no_draw() -> None:
    state = small(last=8, piles=[[4, 4], [5, 5], [6, 7]], dealt=[0, 0, 0], reach=3, first_draws=1)
    state = play(state, "hide:1 done pass draw:low name:7 ask")
    assert offered(state) == ["draw:middle", "draw:high"]
    with pytest.raises(IllegalAction, match=r"the low pile is empty \(paragraph 5\); legal: draw:middle, draw:high"):
        play(state, "draw:low")
    state = play(state, "draw:middle pass draw:high name:6 ask draw:high")
    assert not any(state.piles)
    state = play(state, "pass")
    assert state.phase is Phase.MARSHAL_GUESS
    assert play(state, "name:7 ask").phase is Phase.FUGITIVE_PLAY


def test_par_6_a_guess_is_right_as_a_whole_or_not_at_all() -> None:
    state = play(dealt(), "hide:1 done hide:3 sprint:2 done draw:low draw:low")
    missed = play(state, "name:3 name:4 ask")
    assert missed.guesses == (Guess(1, (3, 4), False, 2),)
    assert not any(hideout.face_up for hideout in missed.row)
    found = play(state, "name:3 ask")
    assert found.guesses == (Guess(1, (3,), True, 2),)
    assert [hideout.face_up for hideout in found.row] == [False, True]


def test_par_6_a_number_that_lies_face_up_is_no_face_down_hideout() -> None:
    state = play(dealt(), "hide:1 done hide:3 done draw:low draw:low name:3 ask draw:low pass draw:low")
    assert not play(state, "name:1 name:3 ask").guesses[-1].hit
    assert play(state, "name:1 ask").guesses[-1].hit


def test_par_6_numbers_are_1_to_41_and_at_least_one() -> None:
    state = play(dealt(), "hide:3 done pass draw:low draw:low")
    assert offered(state) == [f"name:{n}" for n in range(1, 42)]
    assert offered(play(state, "name:40")) == ["name:41", "ask"]
    free = dealt(config=make_config(must_guess=False))
    free = play(free, "hide:3 done pass draw:low draw:low")
    assert offered(free)[-1] == "ask"
    after = play(free, "ask")
    assert after.guesses == ()
    assert after.round == 2


def test_par_7_the_marshal_wins_with_all_hideouts_face_up() -> None:
    state = play(dealt(), "hide:1 done hide:3 done draw:low draw:low")
    assert str(rules.outcome(play(state, "name:1 name:3 ask"))) == "pursuers capture"
    assert rules.outcome(play(state, "name:1 ask")) is None


ALL = {"last": 9, "piles": [], "dealt": [], "reach": 3, "manhunt_below": 6}


def test_par_8_escape_with_a_high_hideout_face_up_wins_at_once() -> None:
    state = play(small(**ALL), "hide:3 done hide:6 done name:6 ask hide:9 sprint:1 done")
    assert str(rules.outcome(state)) == "evader arrival"
    assert rules.legal_actions(state) == ()
    assert rules.to_act(state) is None


def test_par_8_escape_without_one_starts_the_manhunt() -> None:
    state = play(small(**ALL), "hide:3 done hide:6 done name:3 ask hide:9 done")
    assert state.phase is Phase.MANHUNT
    assert state.row[-1].face_up
    assert offered(state) == [f"name:{n}" for n in range(1, 9)]
    assert str(rules.outcome(play(state, "name:6"))) == "pursuers capture"
    assert str(rules.outcome(play(state, "name:5"))) == "evader arrival"
    assert str(rules.outcome(play(state, "name:3"))) == "evader arrival"


def test_par_8_in_the_manhunt_the_marshal_goes_on_while_she_hits() -> None:
    state = play(small(**ALL), "hide:3 done hide:6 done name:1 ask hide:9 done name:3")
    assert state.phase is Phase.MANHUNT
    assert state.guesses[-1] == Guess(2, (3,), True, 2)
    assert str(rules.outcome(play(state, "name:6"))) == "pursuers capture"


def test_par_8_the_escape_obeys_paragraph_3_and_is_not_the_first_hideout() -> None:
    state = small(last=4, piles=[], dealt=[], reach=4)
    assert offered(state) == ["hide:1", "hide:2", "hide:3"]
    with pytest.raises(IllegalAction, match=r"4 cannot be the first hideout \(paragraph 8\)"):
        play(state, "hide:4")
    assert play(state, "hide:1 done hide:4 done").phase is Phase.MANHUNT


def test_par_10_the_bonus_card_of_a_pass() -> None:
    config = make_config("second-edition")
    state = play(dealt(config=config), ROUND_1 + " draw:high pass")
    assert offered(state) == ["draw:low", "pass"]
    assert rules.to_act(state) is Seat.EVADER
    with pytest.raises(IllegalAction, match="lowest pile that is not empty"):
        play(state, "draw:high")
    taken = play(state, "draw:low")
    assert 7 in taken.fugitive
    assert taken.draws[-1] == Draw(Side.EVADER, 0, 2, 1)
    declined = play(state, "pass")
    assert declined.n_passes == taken.n_passes == 1
    assert declined.phase is taken.phase is Phase.MARSHAL_DRAW


def test_par_11_the_rounds_are_over() -> None:
    state = small(last=9, piles=[[4, 8]], dealt=[0], max_rounds=2, first_draws=0)
    state = play(state, "hide:3 done pass name:1 ask draw:pile1 pass draw:pile1 name:1 ask")
    assert str(rules.outcome(state)) == "pursuers survival"


def test_par_11_two_idle_passes_lose() -> None:
    state = small(**ALL, max_rounds=9)
    state = play(state, "hide:3 done pass name:1 ask pass name:1 ask")
    assert rules.outcome(state) is None
    assert str(rules.outcome(play(state, "pass"))) == "pursuers stranded"
    again = play(state, "hide:4 done name:1 ask pass name:1 ask pass")
    assert str(rules.outcome(again)) == "pursuers stranded"
    endless = play(
        small(**ALL, max_rounds=9, idle_passes=0), "hide:3 done pass" + 8 * " name:1 ask pass" + " name:1 ask"
    )
    assert str(rules.outcome(endless)) == "pursuers survival"


def test_par_11_a_turn_with_a_drawn_card_is_not_idle() -> None:
    state = small(last=9, piles=[[7, 8]], dealt=[0], reach=3, first_draws=1)
    state = play(state, "hide:1 done pass draw:pile1 name:8 ask draw:pile1 pass name:8 ask pass name:8 ask")
    assert rules.outcome(state) is None
    assert str(rules.outcome(play(state, "pass"))) == "pursuers stranded"


@given(fugitive_configs(), st.integers(0, 1000))
def test_every_game_ends_with_all_cards_in_place(config, seed) -> None:
    rng = Random(seed)
    state = GAME.new(config, rng)
    for _ in range(2000):
        assert cards(state) == list(range(1, config.last + 1))
        legal = rules.legal_actions(state)
        if not legal:
            break
        state = rules.apply_action(state, rng.choice(legal))
    end = rules.outcome(state)
    assert end is not None
    assert (end.winner is Side.EVADER) <= (state.last_card == config.last)


@given(fugitive_histories(max_last=8))
def test_an_action_is_accepted_iff_it_is_offered(history) -> None:
    for state in history[0]:
        cards = range(-1, state.config.last + 2)
        every = [kind(card) for kind in (TakeFrom, Hide, Sprint, Name) for card in cards] + [Done(), Pass(), Ask()]
        legal = rules.legal_actions(state)
        assert [action for action in every if accepted(state, action)] == [a for a in every if a in legal]


def accepted(state: State, action: Action) -> bool:
    try:
        rules.check_action(state, action)
    except IllegalAction:
        return False
    return True


BAD_ACTIONS = [
    ("", "hide:9", r"9 is not in his hand \(paragraph 3\); legal: hide:1, "),
    ("", "hide:42", r"42 cannot be the first hideout \(paragraph 8\)"),
    ("hide:3 done", "hide:2", r"2 is not above 3, the last of the row \(paragraph 3\)"),
    ("hide:3 done", "hide:42", r"42 is 39 above 3, and all his sprint cards reach 15 \(paragraph 3\)"),
    ("hide:8", "done", r"8 after 0 needs sprints worth 5, and those named are worth 0 \(paragraph 3\)"),
    ("hide:8", "sprint:8", r"8 is not in his hand any more"),
    ("hide:8", "sprint:42", r"42 is never a sprint card \(paragraph 3\)"),
    ("hide:8 sprint:4", "sprint:2", r"sprint cards must ascend, and 4 was named"),
    ("hide:15", "sprint:15", r"not in his hand any more"),
    ("hide:15", "sprint:3", r"with it 15 could not be completed any more"),
    ("", "pass", r"the opening is one or two hideouts \(paragraph 4\)"),
    ("", "draw:low", r"he has to place a hideout or pass \(paragraph 5\)"),
    ("hide:3", "pass", r"he is placing 3 \(paragraph 3\)"),
    ("hide:3 done pass", "name:3", r"the Marshal cannot name:3 \(round 1\): she has to draw a card \(paragraph 5\)"),
    ("hide:3 done pass draw:low draw:low", "ask", r"a guess has one number or more \(paragraph 6\)"),
    ("hide:3 done pass draw:low draw:low", "name:42", r"hideouts are numbered 1 to 41 \(paragraph 6\)"),
    ("hide:3 done pass draw:low draw:low name:7", "name:5", r"must ascend, and 7 was named \(paragraph 6\)"),
    ("hide:1 done hide:3 done draw:low draw:low name:1 name:3 ask", "pass", r"the game is over \(pursuers capture\)"),
]


@pytest.mark.parametrize(("before", "action", "message"), BAD_ACTIONS)
def test_a_bad_action_is_told_its_paragraph(before, action, message) -> None:
    state = play(dealt(), before)
    with pytest.raises(IllegalAction, match=message) as error:
        play(state, action)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("action", [None, "hide:3", 3, Hide(True), Hide("3"), Name(2.0), TakeFrom(-1), TakeFrom("low")])
def test_what_is_no_action_is_refused_in_words(action) -> None:
    for state in (dealt(), play(dealt(), "hide:3 done pass"), play(dealt(), "hide:3 done pass draw:low draw:low")):
        with pytest.raises(IllegalAction):
            rules.apply_action(state, action)


BAD_CONFIGS = [
    ({"piles": [[4, 14], [14, 28], [29, 41]]}, r"pile 2 \(14-28\) overlaps the pile before it, which ends with 14"),
    ({"piles": [[4, 14], [15, 28], [29, 42]]}, "pile 3 is 29-42; piles hold cards from 1 to 41"),
    ({"piles": [[14, 4], [15, 28], [29, 41]]}, "pile 1 is 14-4"),
    ({"piles": [[0, 14], [15, 28], [29, 41]]}, "pile 1 is 0-14"),
    ({"piles": 7}, "piles must be a list of lowest and highest cards"),
    ({"dealt": [3, 2]}, "dealt has 2 numbers for 3 piles"),
    ({"dealt": [12, 2, 0]}, "12 cards dealt from pile 1; it has 11"),
    ({"dealt": [-1, 2, 0]}, "-1 cards dealt"),
    ({"last": 63, "piles": [], "dealt": []}, "last is 63; it must be from 2 to 62"),
    ({"reach": 0}, "reach is 0; it must be from 1 to 62"),
    ({"last": "42"}, "last must be a whole number"),
    ({"must_guess": 1}, "must_guess must be true or false"),
    ({"opening_hideouts": "three"}, "unknown opening_hideouts 'three'"),
    ({"opening": "three"}, "unknown option of fugitive 'opening'; did you mean opening_hideouts"),
    (
        {"max_rounds": 3, "dealt": [0, 0, 0]},
        "no way to the last card 42: even with all possible cards the Fugitive reaches 16",
    ),
]


@pytest.mark.parametrize(("options", "message"), BAD_CONFIGS)
def test_a_config_that_cannot_be_played_is_refused(options, message) -> None:
    with pytest.raises(BadConfig, match=message):
        make_config(**options)


def test_a_choice_in_words() -> None:
    game, state = FugitiveGame(), dealt()
    placed = [TakeFrom(0), Hide(9), Sprint(2), Sprint(4), Sprint(6), Done(), Hide(12), Sprint(5), Done()]
    said = "draw from the low pile, hide at 9 with 2, 4 and 6, hide at 12 with 5"
    assert game.phrase_choice(state, placed) == said
    assert game.phrase_choice(state, [Sprint(2), Sprint(4)]) == "pay with 2 and 4"
    assert game.phrase_choice(state, [Name(7), Name(10), Name(11), Ask()]) == "guess 7, 10 and 11"
    assert game.phrase_choice(state, [Pass()]) == "pass"
    assert game.phrase_choice(state, [Done()]) == "pay no more"
    assert game.phrase_choice(state, [Ask()]) == "guess nothing"


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(BadConfig, match="unknown preset 'tiny'; "):
        make_config("tiny")


BAD_SETUPS = [
    ({}, "dealt must be a list of cards for each pile"),
    ({"dealt": [[3]], "piles": [[4, 5, 6, 7], [8, 9, 10, 11]]}, "dealt has 1 lists, but there are 2 piles"),
    ({"dealt": [[3], []], "piles": [[4, 5, 6, 6], [8, 9, 10, 11]]}, "each card of the pile1 pile, 3 to 7, once"),
    (
        {"dealt": [[3, 4], []], "piles": [[5, 6, 7], [8, 9, 10, 11]]},
        "2 cards of the pile1 pile are dealt; it must be 1",
    ),
    ({"dealt": [["3"], []], "piles": [[4, 5, 6, 7], [8, 9, 10, 11]]}, "dealt must be a list of cards"),
]


@pytest.mark.parametrize(("setup", "message"), BAD_SETUPS)
def test_a_setup_that_is_not_the_deck_is_refused(setup, message) -> None:
    with pytest.raises(BadConfig, match=message):
        GAME.start(make_config("mini"), setup)
