"""Scotland Yard's pictures: pieces where they stand, the log slot by slot, nothing that a seat must not see."""

from dataclasses import replace
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import make_game
from manhunt.core.scene import StripField
from manhunt.draw.look import DARK, LIGHT
from manhunt.draw.scenes import draw_view, scene_of
from manhunt.draw.strip import Strip, on_colour
from manhunt.draw.svg import draw_board, draw_scene
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.games.scotland_yard.rules.views import view as view_of
from manhunt.games.scotland_yard.show.scene import ending

GAME = make_game("scotland_yard")
OTHERS = (Seat.PURSUERS, Seat.SPECTATOR)


def start(mrx: int = 104, detectives: tuple[int, ...] = (117, 53), **options: object) -> ScotlandYardState:
    config = GAME.make_config(n_detectives=len(detectives), **options)
    return GAME.start(config, make_setup(mrx, detectives))


def after(*moves: str, **options: object) -> ScotlandYardState:
    state = start(**options)
    for move in moves:
        state = state.advance(move)
    return state


def draw_state(state: ScotlandYardState, seat: Seat = Seat.SPECTATOR) -> str:
    return draw_view(view_of(state, seat))


def marked(svg: str, attribute: str) -> dict[str, str]:
    root = ElementTree.fromstring(svg)
    return {e.attrib[attribute]: e.attrib.get("data-node", "") for e in root.iter() if attribute in e.attrib}


def slots(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [" ".join(t.text or "" for t in e if t.text) for e in root.iter() if e.get("class") == "slot"]


def group_nodes(svg: str, name: str) -> set[str]:
    root = ElementTree.fromstring(svg)
    (found,) = [e for e in root.iter() if e.get("class") == name]
    return {e.attrib["data-node"] for e in found}


def test_pieces_stand_on_their_nodes_with_their_own_colours() -> None:
    assert marked(draw_state(start(), Seat.EVADER), "data-piece") == {
        "quarry-0": "104", "pursuer-0": "117", "pursuer-1": "53",
    }  # fmt: skip
    config = GAME.make_config(n_detectives=1)
    yellow = GAME.start(config, {"mrx": "104", "detectives": [{"piece": "yellow", "at": "117"}]})
    svg = draw_state(yellow)
    assert marked(svg, "data-piece") == {"pursuer-4": "117"}
    assert ">yellow</text>" in svg


def test_values_show_themselves_in_notebooks() -> None:
    state = start()
    view = view_of(state, Seat.PURSUERS)
    assert state._repr_svg_() == draw_state(state, Seat.EVADER)
    assert view._repr_svg_() == draw_view(view)


@given(st.integers(0, 10**6))
@settings(max_examples=5)
def test_hidden_places_give_the_same_picture(seed: int) -> None:
    one, other, *detectives = Random(seed).sample(range(1, 200), 5)
    for seat in OTHERS:
        pictures = {draw_state(start(mrx, tuple(detectives)), seat) for mrx in (one, other)}
        assert len(pictures) == 1
        assert "quarry-0" not in pictures.pop()


def test_the_last_sighting_stays_with_its_round() -> None:
    state = after("2:T116,T127", "R:T108", "G:T54", "T133", "R:T117", "G:T53", "T141")
    for seat in OTHERS:
        svg = draw_state(state, seat)
        assert marked(svg, "data-piece") == {"hidden-0": "133", "pursuer-0": "117", "pursuer-1": "53"}
        assert ">round 3</text>" in svg


def test_the_end_shows_where_he_was() -> None:
    state = after("T116", "R:T116")
    for seat in OTHERS:
        assert marked(draw_state(state, seat), "data-piece")["quarry-0"] == "116"


def test_every_slot_of_the_log_is_there() -> None:
    state = after("2:T116,T127", "R:T108", "G:T54", "S133")
    texts = slots(draw_state(state))
    assert texts == ["1 T", "2 T", "3 S 133", *map(str, range(4, 25))]


def test_a_long_log_wraps() -> None:
    chips = tuple(StripField(str(i)) for i in range(60))
    strip = Strip(LIGHT, chips, 500)
    assert strip.per_row * 34 <= 500
    assert strip.draw(0).count('class="slot"') == 60
    assert Strip(LIGHT, (), 500).height == 0


def test_letters_can_be_read_on_their_tickets() -> None:
    assert on_colour("#FFFFFF") == "#14171D"
    assert on_colour("#000000") == "#FFFFFF"
    for theme in (LIGHT, DARK):
        for colour in (theme.taxi, theme.bus, theme.underground, theme.secret):
            light, dark = sorted((_luminance(colour), _luminance(on_colour(colour))))
            assert (dark + 0.05) / (light + 0.05) > 3.4, colour


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_candidates_and_belief_glow() -> None:
    state = start()
    view, board = view_of(state, Seat.PURSUERS), state.config.board
    nodes = [board.node(label) for label in ("46", "58")]
    svg = draw_scene(replace(scene_of(view), candidates=tuple(nodes)))
    assert group_nodes(svg, "belief") == {"46", "58"}
    assert "candidates: 2" in svg
    weighted = draw_scene(replace(scene_of(view), belief={nodes[0]: 0.75, nodes[1]: 0.25}))
    assert 'data-weight="0.75"' in weighted


def test_only_the_seat_that_acts_is_offered_moves() -> None:
    """First steps only: a double move's second node is no offer yet."""
    assert group_nodes(draw_state(start(), Seat.EVADER), "offers") == {"86", "116"}
    for seat in OTHERS:
        assert scene_of(view_of(start(), seat)).choices == ()


@pytest.mark.parametrize(
    ("moves", "title"),
    [
        ((), "round 1 of 24: Mr X to move"),
        (("T116",), "round 1 of 24: detectives to move (R G)"),
        (("T116", "R:T108"), "round 1 of 24: green to move"),
        (("2:T116,T127", "R:T108", "G:T54"), "round 3 of 24 (shown): Mr X to move"),
        (("T116", "R:T116"), "round 1 of 24: the detectives win (Mr X is caught)"),
    ],
)
def test_titles_say_round_and_turn(moves: tuple[str, ...], title: str) -> None:
    assert scene_of(view_of(after(*moves), Seat.SPECTATOR)).title == f"Scotland Yard, {title}"


def test_endings_name_winner_and_way() -> None:
    assert ending(Outcome(Side.EVADER, Termination.EXHAUSTED)) == "Mr X wins (no detective can move)"
    assert ending(Outcome(Side.PURSUERS, Termination.STRANDED)) == "the detectives win (Mr X cannot move)"


def test_tickets_are_told() -> None:
    caption = scene_of(view_of(start(), Seat.SPECTATOR)).caption
    assert "Mr X's tickets: taxi 4, bus 3, underground 3, secret 5, double 2." in caption
    assert any("red 11 8 4" in line and "green 11 8 4" in line for line in caption)


def test_boards_without_a_log_have_no_strip() -> None:
    assert 'class="strip"' not in draw_board(start().config.board)
