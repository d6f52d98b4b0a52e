"""Fugitive as a picture: nobody sees more in it than in the view."""

import xml.etree.ElementTree as ET
from random import Random

from hypothesis import given

from fugitive_games import fugitive_histories
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.draw.scenes import draw_view
from manhunt.draw.svg import draw_scene
from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.notation import parse_action
from manhunt.games.fugitive.rules.views import view
from manhunt.games.fugitive.show.notepad import Mark, notepad, with_chances
from manhunt.games.fugitive.show.scene import ending, scene

GAME = FugitiveGame()


def played(text: str):
    config = make_config()
    given_cards, rest = [[4, 6, 8], [15, 16], []], []
    for pile in range(3):
        rest.append([card for card in config.cards_of(pile) if card not in given_cards[pile]])
    state = rules.start(config, given_cards, rest)
    for word in text.split():
        state = rules.apply_action(state, parse_action(config, word))
    return state


def hideouts(text: str) -> list[str]:
    """The number on each card of the row."""
    drawn = ET.fromstring(text)
    spots = [e for e in drawn.iter() if e.get("data-position")]
    return [next(t.text for t in spot.iter() if t.tag.endswith("text")) for spot in spots]  # type: ignore[misc]


def test_a_face_down_hideout_has_a_number_for_the_fugitive_alone() -> None:
    state = played("hide:3 done hide:6 done draw:low draw:high name:3 ask")
    assert hideouts(draw_view(view(state, Seat.EVADER))) == ["0", "3", "6"]
    assert hideouts(draw_view(view(state, Seat.PURSUERS))) == ["0", "3", "?"]
    assert hideouts(state._repr_svg_()) == ["0", "3", "6"]


def test_the_notepad_marks_what_is_certain() -> None:
    state = played("hide:3 sprint:1 done hide:6 done draw:low draw:high name:3 ask draw:low pass draw:low name:20 ask")
    marks = notepad(view(state, Seat.PURSUERS))
    assert marks[3] is Mark.SHOWN
    assert marks[1] is Mark.SPENT
    assert marks[20] is Mark.MISSED
    assert marks[5] is marks[29] is Mark.MARSHAL
    assert marks[6] is Mark.OPEN
    own = notepad(view(state, Seat.EVADER))
    assert own[6] is Mark.OWN_HIDEOUT
    assert own[42] is Mark.FUGITIVE
    assert own[5] is Mark.OPEN
    later = played(
        "hide:3 sprint:1 done hide:6 done draw:low draw:high name:3 ask draw:low pass draw:low name:20 ask"
        " draw:low hide:8 done draw:low name:21 ask"
    )
    assert notepad(view(later, Seat.PURSUERS))[20] is Mark.OPEN


@given(fugitive_histories())
def test_every_position_is_drawn_for_everybody(history) -> None:
    state = history[0][-1]
    for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR):
        text = draw_scene(with_chances(scene(view(state, seat)), {1: 0.5, 2: 0.0}))
        cells = [e.get("data-number") for e in ET.fromstring(text).iter() if e.get("data-number")]
        assert cells == [str(n) for n in range(1, state.config.last + 1)]


def test_two_worlds_of_one_view_are_one_picture() -> None:
    config, pictures = make_config("mini"), set()
    for dealt in range(3, 8):
        rest = [card for card in range(3, 8) if card != dealt]
        Random(dealt).shuffle(rest)
        state = GAME.start(config, {"dealt": [[dealt], []], "piles": [rest, [8, 9, 10, 11]]})
        pictures.add(draw_view(view(state, Seat.PURSUERS)))
    assert len(pictures) == 1


def test_endings_in_words() -> None:
    assert ending(Outcome(Side.EVADER, Termination.ARRIVAL)) == "the Fugitive wins (the Fugitive has escaped)"
    assert ending(Outcome(Side.PURSUERS, Termination.CAPTURE)) == "the Marshal wins (every hideout is face up)"
    assert "given up" in ending(Outcome(Side.PURSUERS, Termination.STRANDED))
    assert "not escaped" in ending(Outcome(Side.PURSUERS, Termination.SURVIVAL))
