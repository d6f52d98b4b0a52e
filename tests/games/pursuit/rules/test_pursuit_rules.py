"""The rule book of Pursuit, paragraph by paragraph."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from manhunt.boards.build import build_board
from manhunt.boards.catalog import load_board
from manhunt.core.errors import BadBoard, BadConfig, BadText, IllegalAction
from manhunt.core.ids import Node, Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.games.pursuit.rules.actions import JointMove, PursuitMove
from manhunt.games.pursuit.rules.config import PlacementRule, PursuitConfig, PursuitOrder, Visibility
from manhunt.games.pursuit.rules.game import PursuitGame, make_setup
from manhunt.games.pursuit.rules.state import PursuitState

GAME = PursuitGame()
CAUGHT = Outcome(Side.PURSUERS, Termination.CAPTURE)
STRANDED = Outcome(Side.PURSUERS, Termination.STRANDED)
SURVIVED = Outcome(Side.EVADER, Termination.SURVIVAL)


def board(*edges: str, name: str = "drawn"):
    """`board("1-2", "2-3")`."""
    pairs = (edge.split("-") for edge in edges)
    return build_board(name, [(a, b, None) for a, b in pairs])


def start(place, mrx, *detectives, **options) -> PursuitState:
    config = PursuitConfig(place, n_detectives=len(detectives), **options)
    return GAME.start(config, make_setup(config, mrx, list(detectives)))


def offered(state: PursuitState) -> list[str]:
    return [GAME.format_action(state.config, action) for action in GAME.legal_actions(state)]


def play(state: PursuitState, *texts: str) -> PursuitState:
    for text in texts:
        state = GAME.apply_action(state, GAME.parse_action(state.config, text))
    return state


PATH5 = board("1-2", "2-3", "3-4", "4-5")


def test_par_1_kinds_of_transport_are_ignored() -> None:
    state = start(load_board("london"), 1, 199)
    assert offered(state) == ["X:8", "X:9", "X:46", "X:58"]  # 46 by bus and by underground: one move


def test_par_2_detectives_stand_on_different_nodes() -> None:
    with pytest.raises(BadConfig, match="two detectives on node 3"):
        start(PATH5, 1, 3, 3)


def test_par_2_at_least_one_detective() -> None:
    with pytest.raises(BadConfig, match="at least 1"):
        start(PATH5, 1)
    with pytest.raises(BadConfig, match="no detectives"):
        GAME.start(PursuitConfig(PATH5), {"mrx": "1", "detectives": []})


def test_par_2_a_detective_on_the_quarrys_node_is_a_catch_at_once() -> None:
    state = start(PATH5, 3, 3)
    assert GAME.outcome(state) == CAUGHT
    assert GAME.legal_actions(state) == ()
    assert GAME.to_act(state) is None


def test_par_3_the_quarry_moves_then_the_detectives_in_order() -> None:
    state = start(load_board("top-right-20"), 1, 5, 10)
    seats = []
    for text in ("X:8", "d0:15", "d1:11", "X:1"):
        seats.append(GAME.to_act(state))
        state = play(state, text)
    assert seats == [Seat.EVADER, Seat.PURSUERS, Seat.PURSUERS, Seat.EVADER]


def test_par_3_the_second_detective_cannot_go_first() -> None:
    state = play(start(load_board("top-right-20"), 1, 5, 10), "X:8")
    with pytest.raises(IllegalAction, match=r"the detectives cannot play d1:11 .*legal: d0:15, d0:16"):
        play(state, "d1:11")


def test_par_4_the_quarry_goes_to_a_free_neighbour_and_cannot_stay() -> None:
    state = start(board("1-2", "1-3", "1-4"), 1, 3)
    assert offered(state) == ["X:2", "X:4"]
    with pytest.raises(IllegalAction, match=r"the quarry cannot play X:3 .*legal: X:2, X:4"):
        play(state, "X:3")


def test_par_4_no_free_neighbour_on_his_turn_is_stranded() -> None:
    assert GAME.outcome(start(PATH5, 1, 2)) == STRANDED
    lonely = build_board("lonely", [("1", "2", None)], ["1", "2", "3"])
    assert GAME.outcome(start(lonely, 3, 1)) == STRANDED


def test_par_5_a_detective_does_not_step_onto_another_and_may_enter_what_was_left() -> None:
    state = play(start(board("1-2", "2-3", "3-4", "8-9"), 8, 3, 2), "X:9")
    assert offered(state) == ["d0:4"]  # 2 is taken
    assert offered(play(state, "d0:4")) == ["d1:1", "d1:3"]  # 3 was left a moment ago


def test_par_5_a_detective_without_a_free_node_stays() -> None:
    state = play(start(board("1-2", "8-9"), 8, 1, 2), "X:9")
    assert offered(state) == ["d0:1"]
    after = play(state, "d0:1")
    assert after.pursuers == state.pursuers
    assert offered(after) == ["d1:2"]
    assert GAME.to_act(play(after, "d1:2")) is Seat.EVADER


def test_par_5_a_detective_who_can_move_cannot_stay() -> None:
    state = play(start(PATH5, 1, 4), "X:2")
    assert offered(state) == ["d0:3", "d0:5"]


def test_par_6_landing_on_the_quarry_catches_and_later_detectives_do_not_move() -> None:
    state = play(start(PATH5, 2, 4, 5), "X:3")
    after = play(state, "d0:3")
    assert GAME.outcome(after) == CAUGHT
    assert after.waiting == (1,)
    assert GAME.legal_actions(after) == ()


def test_par_7_free_after_the_last_round_he_wins() -> None:
    state = play(start(PATH5, 1, 5, max_rounds=1), "X:2")
    assert GAME.outcome(state) is None
    assert GAME.outcome(play(state, "d0:4")) == SURVIVED


def test_par_7_the_default_is_15_rounds() -> None:
    assert GAME.make_config().max_rounds == 15


def test_par_7_caught_in_the_last_round_is_caught() -> None:
    assert GAME.outcome(play(start(PATH5, 1, 3, max_rounds=1), "X:2", "d0:2")) == CAUGHT


def test_par_8_the_round_is_counted_up_by_the_quarrys_move() -> None:
    state = start(PATH5, 1, 5)
    assert state.round == 0
    state = play(state, "X:2")
    assert state.round == 1
    assert play(state, "d0:4").round == 1


@pytest.mark.parametrize("rounds", [0, -3])
def test_rounds_must_be_positive(rounds: int) -> None:
    with pytest.raises(BadConfig, match="it must be 1 or more"):
        PursuitConfig(PATH5, max_rounds=rounds)


def test_switch_first_mover() -> None:
    state = start(PATH5, 1, 4, first=Side.PURSUERS, max_rounds=1)
    assert offered(state) == ["d0:3", "d0:5"]
    assert GAME.outcome(play(state, "d0:5", "X:2")) == SURVIVED


def test_switch_pieces_may_stay() -> None:
    state = start(PATH5, 1, 4, quarry_may_stay=True, detectives_may_stay=True)
    assert offered(state) == ["X:1", "X:2"]
    assert offered(play(state, "X:1")) == ["d0:3", "d0:4", "d0:5"]


def test_switch_detectives_may_share() -> None:
    state = play(start(PATH5, 1, 3, 4, may_share=True), "X:2")
    assert offered(state) == ["d0:2", "d0:4"]
    assert play(state, "d0:4").pursuers == (3, 3)


def test_switch_order_any() -> None:
    state = play(start(PATH5, 1, 4, 5, order=PursuitOrder.ANY), "X:2")
    assert offered(state) == ["d0:3", "d1:5"]  # d1 is walled in and would stay
    after = play(state, "d0:3")
    assert offered(after) == ["d1:4"]


def test_switch_all_at_once_lets_detectives_swap_and_follow() -> None:
    state = play(start(PATH5, 1, 4, 5, order=PursuitOrder.AT_ONCE), "X:2")
    assert GAME.legal_actions(state) == (JointMove((2, 3)), JointMove((4, 3)))
    assert offered(state) == ["all:3,4", "all:5,4"]


def test_switch_all_at_once_walled_in_everybody_stays() -> None:
    state = play(start(board("1-2", "8-9", "8-7", "9-7"), 1, 8, order=PursuitOrder.AT_ONCE), "X:2")
    assert offered(state) == ["all:7", "all:9"]
    star = play(start(board("1-2", "1-3", "5-6"), 5, 2, 3, order=PursuitOrder.AT_ONCE), "X:6")
    assert offered(star) == ["all:2,3"]  # both could only go to 1


def test_switch_quarry_may_step_onto_a_detective() -> None:
    state = start(PATH5, 2, 3, may_step_onto=True)
    assert offered(state) == ["X:1", "X:3"]
    assert GAME.outcome(play(state, "X:3")) == CAUGHT


def test_switch_capture_on_a_neighbouring_node() -> None:
    assert GAME.outcome(start(PATH5, 1, 2, reach_hops=1)) == CAUGHT
    assert GAME.outcome(play(start(PATH5, 1, 4, reach_hops=1), "X:2", "d0:3")) == CAUGHT


def test_switch_sight_range() -> None:
    state = start(PATH5, 1, 5, visibility=Visibility.SIGHT, sight_hops=2)
    assert GAME.view(state, Seat.PURSUERS).quarry is None
    assert GAME.view(state, Seat.EVADER).quarry == 0
    near = play(state, "X:2", "d0:4")
    assert GAME.view(near, Seat.PURSUERS).quarry == 1
    far = play(near, "X:1")
    view = GAME.view(far, Seat.PURSUERS)
    assert view.quarry is None
    assert (view.sighting.node, view.sighting.round) == (1, 1)


def test_switch_reveal_rounds() -> None:
    state = start(PATH5, 1, 5, visibility=Visibility.ROUNDS, reveal_rounds=(2,))
    hidden = play(state, "X:2")
    assert GAME.view(hidden, Seat.SPECTATOR).quarry is None
    shown = play(hidden, "d0:4", "X:1")
    assert GAME.view(shown, Seat.SPECTATOR).quarry == 0
    assert GAME.view(play(shown, "d0:5"), Seat.SPECTATOR).sighting.node == 0


def test_preset_cops_and_robbers_places_cops_then_the_robber() -> None:
    config = GAME.make_config("cops-and-robbers", board="petersen", n_detectives=2)
    state = GAME.new(config, Random(0))
    assert GAME.to_act(state) is Seat.PURSUERS
    state = play(state, "d0:1", "d1:1")
    assert GAME.to_act(state) is Seat.EVADER
    assert "X:1" not in offered(state)
    state = play(state, "X:7")
    assert GAME.to_act(state) is Seat.PURSUERS
    assert all(text.startswith("all:") for text in offered(state))
    assert config.max_rounds is None


def test_placed_on_a_full_board_the_robber_is_caught_at_once() -> None:
    config = PursuitConfig(board("1-2"), 2, may_share=True, placement=PlacementRule.CHOSEN)
    state = play(GAME.new(config, Random(0)), "d0:1", "d1:2")
    assert GAME.outcome(play(state, "X:1")) == CAUGHT


def test_old_states_stay_as_they_were() -> None:
    state = start(PATH5, 1, 5)
    copy = replace(state)
    play(state, "X:2", "d0:4")
    assert state == copy


@pytest.mark.parametrize("text", ["8", "X8", "d2:8", "e0:8", "d:8", "d-1:8", "all:8", "all:8,9,10", ""])
def test_notation_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadText):
        GAME.parse_action(GAME.make_config(), text)


def test_notation_names_an_unknown_node() -> None:
    with pytest.raises(BadBoard, match="no node '99' on board top-right-20"):
        GAME.parse_action(GAME.make_config(), "X:99")


@pytest.mark.parametrize("nodes", [(0, 99), (-1, 0), (0, "1"), (None, 1)])
def test_a_joint_move_with_one_odd_node_is_refused_in_words(nodes: tuple[Any, ...]) -> None:
    state = start(PATH5, 1, 4, 5, order=PursuitOrder.AT_ONCE)
    state = play(state, "X:2")
    with pytest.raises(IllegalAction, match="is not an action; give"):
        GAME.apply_action(state, JointMove(nodes))


def test_a_refusal_tells_the_detectives_no_place_that_they_do_not_see() -> None:
    hidden = start(PATH5, 1, 5, visibility=Visibility.ROUNDS, reveal_rounds=(3,))
    for state, place in ((hidden, "quarry not seen"), (start(PATH5, 1, 5), "quarry on 2")):
        with pytest.raises(IllegalAction, match=place):
            GAME.apply_action(play(state, "X:2"), PursuitMove(Node(0), 0))
    with pytest.raises(IllegalAction, match="quarry on 1"):
        GAME.apply_action(hidden, PursuitMove(Node(4)))


def test_actions_after_the_end_are_refused() -> None:
    with pytest.raises(IllegalAction, match=r"the game is over \(pursuers capture\)"):
        GAME.apply_action(start(PATH5, 3, 3), PursuitMove(1))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "cops"}, "unknown preset 'cops'"),
        ({"may_fly": True}, "unknown option of pursuit 'may_fly'"),
        ({"order": "random"}, "unknown order 'random'; known: in-order, any, at-once"),
        ({"n_detectives": 20}, "20 detectives do not fit beside the quarry; board top-right-20 has room for 19"),
        ({"reach_hops": 2}, "reach_hops is 2"),
        ({"sight_hops": -1}, "sight_hops is -1"),
        ({"visibility": "rounds", "reveal_rounds": (0,)}, "rounds are counted from 1"),
    ],
)
def test_bad_configs_say_which_part(options, message) -> None:
    with pytest.raises(BadConfig, match=message.replace("(", r"\(")):
        GAME.make_config(**options)
