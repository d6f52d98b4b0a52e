"""What each seat may know, and text that reads back."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fugitive_games import fugitive_configs, fugitive_histories, random_history
from fugitive_tables import dealt, play
from manhunt.core.agent import Advice, Agent
from manhunt.core.errors import BadText
from manhunt.core.events import number_events
from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.actions import Hide, TakeFrom
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.notation import format_action, parse_action
from manhunt.games.fugitive.rules.public import Phase
from manhunt.games.fugitive.rules.views import known_to, view
from manhunt.testing import check_agent, check_game, examine_agent
from manhunt.testing.worlds import OtherWorlds

GAME = FugitiveGame()
MINI = make_config("mini")


@given(fugitive_configs(), st.integers(0, 1000))
def test_any_deck_keeps_the_contract(config, seed) -> None:
    check_game(GAME, config, seed=seed)


def test_par_9_the_marshal_sees_piles_and_counts_but_no_cards() -> None:
    state = play(dealt(), "hide:3 sprint:1 sprint:2 done pass draw:low draw:high name:9 ask draw:low hide:6")
    seen = view(state, Seat.PURSUERS)
    assert seen.fugitive is None
    assert seen.marshal == seen.hand == (5, 29)
    assert seen.pending == ()
    assert seen.hand_sizes == (7, 2)
    assert seen.pile_sizes == (6, 12, 12)
    spot = seen.public.row[0]
    assert (spot.card, spot.sprints, spot.n_sprints, spot.n_draws) == (None, None, 2, (0, 0, 0))
    own = view(state, Seat.EVADER)
    assert own.row[0].card == 3
    assert own.row[0].sprints == (1, 2)
    assert own.marshal is None
    assert own.pending == (6,)
    assert own.public == seen.public
    spectator = view(state, Seat.SPECTATOR)
    assert spectator.hand == ()
    assert spectator.fugitive is spectator.marshal is None


def test_par_9_the_fugitive_does_not_see_a_guess_before_it_is_asked() -> None:
    state = play(dealt(), "hide:3 done pass draw:low draw:high name:9")
    assert view(state, Seat.PURSUERS).pending == (9,)
    assert view(state, Seat.EVADER).pending == ()


def test_par_8_the_sprint_cards_of_the_escape_stay_face_down() -> None:
    config = make_config(last=9, piles=[], dealt=[], manhunt_below=6)
    state = play(rules.start(config, [], []), "hide:3 done hide:6 done name:3 ask hide:9 sprint:1 done")
    assert state.phase is Phase.MANHUNT
    spot = view(state, Seat.PURSUERS).public.row[-1]
    assert (spot.card, spot.sprints, spot.n_sprints) == (9, None, 1)
    assert view(play(state, "name:1"), Seat.PURSUERS).public.row[-1].sprints == (1,)


@given(fugitive_histories())
def test_after_the_end_everybody_sees_everything(history) -> None:
    state = history[0][-1]
    if state.end is None:
        return
    for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR):
        seen = view(state, seat)
        assert seen.fugitive == state.fugitive
        assert seen.marshal == state.marshal
        assert [(spot.card, spot.sprints) for spot in seen.public.row] == [(h.card, h.sprints) for h in state.row]


@given(fugitive_histories())
def test_no_event_or_view_tells_the_marshal_a_hidden_card(history) -> None:
    states, actions = history
    for before, action, after in zip(states, actions, states[1:], strict=False):
        if after.end is not None:
            continue
        for event in GAME.events(before, action, after):
            told = event.seen_by(Seat.PURSUERS)
            if event.kind == "placed" and not after.row[-1].face_up:
                assert told["card"] is None
            if isinstance(action, Hide):
                assert set(told) == {"v"}
            if isinstance(action, TakeFrom) and before.phase is Phase.FUGITIVE_DRAW and event.kind == "card":
                assert set(told) == {"v"}
        hidden = [spot for spot, h in zip(view(after, Seat.PURSUERS).row, after.row, strict=True) if not h.face_up]
        assert all(spot.card is None and spot.sprints is None for spot in hidden)


@pytest.mark.parametrize("seat", [Seat.EVADER, Seat.PURSUERS])
def test_worlds_that_look_the_same_have_the_same_views_and_are_really_others(seat) -> None:
    n_others = 0
    for seed in range(6):
        rng = Random(seed)
        setup = GAME.deal(MINI, Random(seed))
        states, actions = random_history(MINI, Random(seed))
        others = OtherWorlds(GAME, MINI, setup, seat, rng=rng, most=24)
        for i, action in enumerate(actions[:-1]):
            others.advance(action)
            for past in others.pasts(2):
                n_others += 1
                assert past.states[-1] != states[i + 1]
                assert view(past.states[-1], seat) == view(states[i + 1], seat)
                assert GAME.start(MINI, past.setup) == past.states[0]
                assert told(past.states, past.actions, seat) == told(states, actions[: i + 1], seat)
    assert n_others > 50


def told(states, actions, seat) -> list[dict[str, Any]]:
    seen = [e.seen_by(seat) for e in number_events(GAME.opening_events(states[0]), 1)]
    for before, action, after in zip(states, actions, states[1:], strict=False):
        seen += [e.seen_by(seat) for e in number_events(GAME.events(before, action, after), 1)]
    return seen


@pytest.mark.parametrize("seat", [Seat.EVADER, Seat.PURSUERS])
def test_the_random_agent_gets_its_certificate(seat) -> None:
    assert check_agent("random", "fugitive", MINI, seat, games=2, positions=4).n_worlds > 0


def test_a_marshal_who_looks_at_the_truth_is_found_out() -> None:
    import gc

    from manhunt.play.referee import Referee

    class Peeker(Agent):
        """Names the true hideouts."""

        def act(self, view, limit, rng) -> Advice:
            states = [each.state for each in gc.get_objects() if isinstance(each, Referee)]
            for state in states:
                wanted = {f"name:{h.card}" for h in state.row if not h.face_up}
                for action in view.legal:
                    if format_action(view.config, action) in wanted:
                        return Advice(action)
            return Advice(view.legal[-1])

    report = examine_agent(Peeker, "fugitive", MINI, Seat.PURSUERS, games=4, positions=6)
    assert report.fault is not None
    assert "two worlds that look the same" in report.fault


@given(fugitive_histories())
def test_text_reads_back(history) -> None:
    for state in history[0]:
        for action in rules.legal_actions(state):
            text = format_action(state.config, action)
            assert parse_action(state.config, text) == action
            assert parse_action(state.config, text.replace(":", " ")) == action


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a move; write draw:PILE"),
        ("hide", "'hide': '' is not a card; they are numbered 0 to 42"),
        ("hide:43", "'43' is not a card"),
        ("hide:-1", "'-1' is not a card"),
        ("name:x", "'x' is not a card"),
        ("draw:lowest", "no pile 'lowest'; the piles are low, middle, high"),
        ("done:3", "is not a move"),
        ("jump:3", "is not a move"),
    ],
)
def test_bad_text_says_what_would_be_right(text, message) -> None:
    with pytest.raises(BadText, match=message):
        parse_action(make_config(), text)


def test_a_round_begins_with_the_fugitives_first_action() -> None:
    steps = ["hide:3", "done", "pass", "draw:low", "draw:low", "name:1", "ask", "draw:low"]
    rounds = [GAME.round_of(play(dealt(), " ".join(steps[:n]))) for n in range(len(steps) + 1)]
    assert rounds == [0, 1, 1, 1, 1, 1, 1, 1, 2]


def test_par_9_only_the_marshal_reasons_from_her_hand() -> None:
    state = play(dealt(), "hide:3 sprint:1 sprint:2 done pass draw:low draw:high name:9 ask draw:low hide:6")
    public, hand = known_to(view(state, Seat.PURSUERS))
    assert hand == (5, 29)
    assert public == view(state, Seat.PURSUERS).public
    for seat in (Seat.EVADER, Seat.SPECTATOR):
        public, hand = known_to(view(state, seat))
        assert hand == ()
        assert all(draw.side is not Side.PURSUERS for draw in public.draws)
