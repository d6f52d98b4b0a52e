"""Pursuit's pictures: every piece where it stands, nothing that a seat must not see, every action clickable."""

from random import Random
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import make_game
from manhunt.draw.scenes import draw_view, scene_of
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.actions import PursuitAction
from manhunt.games.pursuit.rules.config import PursuitOrder
from manhunt.games.pursuit.rules.game import make_setup
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.rules.views import PursuitView
from manhunt.games.pursuit.rules.views import view as view_of
from manhunt.games.pursuit.show.scene import ending, scene

GAME = make_game("pursuit")
HIDDEN = {"visibility": "rounds", "reveal_rounds": (1,)}


def start(*, mrx: int = 1, detectives: tuple[int, ...] = (5, 10), **options: object) -> PursuitState:
    config = GAME.make_config(n_detectives=len(detectives), **options)
    return GAME.start(config, make_setup(config, mrx, list(detectives)))


def after(state: PursuitState, *moves: str) -> PursuitState:
    for move in moves:
        state = GAME.apply_action(state, GAME.parse_action(state.config, move))
    return state


def pieces_in(svg: str) -> dict[str, str]:
    root = ElementTree.fromstring(svg)
    return {e.attrib["data-piece"]: e.attrib["data-node"] for e in root.iter() if "data-piece" in e.attrib}


def draw_state(state: PursuitState) -> str:
    return draw_view(view_of(state, Seat.EVADER))


def title_of(view: PursuitView) -> str:
    return scene(view).title


def offers_of(view: PursuitView) -> set[str]:
    return {view.config.board.label(node) for node in scene(view).choices}


def test_pieces_stand_on_their_nodes() -> None:
    assert pieces_in(draw_state(start())) == {"quarry-0": "1", "pursuer-0": "5", "pursuer-1": "10"}


def test_values_show_themselves_in_notebooks() -> None:
    state = start()
    view = view_of(state, Seat.EVADER)
    assert state._repr_svg_() == draw_state(state)
    assert view._repr_svg_() == draw_view(view)


def test_a_hidden_quarry_is_not_drawn() -> None:
    state = start(**HIDDEN)
    assert "quarry-0" in pieces_in(draw_view(view_of(state, Seat.EVADER)))
    for seat in (Seat.PURSUERS, Seat.SPECTATOR):
        assert pieces_in(draw_view(view_of(state, seat))) == {"pursuer-0": "5", "pursuer-1": "10"}
        assert draw_view(view_of(start(mrx=9, **HIDDEN), seat)) == draw_view(view_of(state, seat))


def test_the_last_sighting_stays_with_its_round() -> None:
    state = after(start(**HIDDEN), "X:8", "d0:15", "d1:2", "X:18")
    svg = draw_view(view_of(state, Seat.PURSUERS))
    assert pieces_in(svg) == {"hidden-0": "8", "pursuer-0": "15", "pursuer-1": "2"}
    assert "round 1" in svg
    assert "18" not in pieces_in(svg).values()


def test_only_the_seat_that_acts_is_offered_moves() -> None:
    state = start()
    assert offers_of(view_of(state, Seat.EVADER)) == {"8", "9"}
    assert offers_of(view_of(state, Seat.PURSUERS)) == set()
    assert offers_of(view_of(after(state, "X:8"), Seat.PURSUERS)) == {"15", "16"}


def test_titles_say_round_and_turn() -> None:
    state = start(max_rounds=3)
    assert title_of(view_of(state, Seat.SPECTATOR)) == "Pursuit, round 1 of 3: Mr X to move"
    moved = after(state, "X:8")
    assert title_of(view_of(moved, Seat.SPECTATOR)) == "Pursuit, round 1 of 3: red to move"
    placing = GAME.start(GAME.make_config("cops-and-robbers", board="path:4", n_detectives=1), {})
    assert title_of(view_of(placing, Seat.SPECTATOR)) == "Pursuit, round 1: red to choose a place"
    placed = after(placing, "d0:2")
    assert title_of(view_of(placed, Seat.SPECTATOR)) == "Pursuit, round 1: Mr X to choose a place"
    assert title_of(view_of(after(placed, "X:4"), Seat.SPECTATOR)) == "Pursuit, round 1: detectives to move"
    hidden = view_of(start(**HIDDEN), Seat.PURSUERS)
    assert title_of(hidden) == "Pursuit, round 1 of 15: Mr X to move"


def test_endings_name_winner_and_way() -> None:
    assert ending(Outcome(Side.PURSUERS, Termination.CAPTURE)) == "the detectives win (Mr X is caught)"
    assert ending(Outcome(Side.EVADER, Termination.SURVIVAL)) == "Mr X wins (Mr X survived all rounds)"


@given(
    st.sampled_from(["petersen", "ring:6", "grid:3x3"]),
    st.sampled_from(["seed", "cops-and-robbers"]),
    st.sampled_from(["in-order", "any", "at-once"]),
    st.integers(0, 10**6),
)
def test_every_action_can_be_picked_node_by_node(board: str, preset: str, order: str, seed: int) -> None:
    """Picks of different actions differ, none begins another, and all of their destinations are offered.

    Detectives on one node are alike, so that either may be meant.
    """
    rng = Random(seed)
    state = GAME.new(GAME.make_config(preset, board=board, order=order, max_rounds=3), rng)
    while rules.outcome(state) is None:
        view = view_of(state, rules.to_act(state))
        shown = scene(view)
        ways = {offer.picks for offer in shown.offers if offer.action}
        places = [view.pursuers[a.piece] if _picks_piece(view, a) else None for a in view.legal if hasattr(a, "to")]
        moves = [action for action in view.legal if hasattr(action, "to")]
        assert len(ways) == len({(place, move.to) for place, move in zip(places, moves, strict=True)})
        assert not any(one != other and other[: len(one)] == one for one in ways for other in ways)
        destinations = {node for action in view.legal for node in getattr(action, "to_all", ())}
        assert set(shown.choices) == destinations | {move.to for move in moves}
        state = rules.apply_action(state, rng.choice(view.legal))
    for seat in PLAYERS:
        assert scene_of(view_of(state, seat)).choices == ()


def _picks_piece(view: PursuitView, action: PursuitAction) -> bool:
    return action.piece is not None and view.config.order is PursuitOrder.ANY and not view.placing
