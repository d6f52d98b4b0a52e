"""Events in words: the game's own, or general ones from kind and body; what is hidden stays unsaid."""

import pytest

from followed import follow
from manhunt.core.ids import Seat
from manhunt.core.registry import BUILT_IN, kit_of, make_game
from manhunt.play.event_words import event_words, general_words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"v": 3, "t": "moved", "piece": 0, "to": "12"}, "moved: piece 0, to 12"),
        ({"v": 3, "t": "sighting", "at": None, "round": 2}, "sighting: round 2"),
        ({"v": 3, "t": "places", "at": ["5", "7"]}, "places: at 5 7"),
        ({"v": 3, "t": "places", "at": []}, "places: at none"),
        ({"v": 3, "t": "guess", "hit": False, "of": {"red": "3"}}, "guess: hit no, of red 3"),
        ({"v": 3, "t": "dawn"}, "dawn"),
    ],
)
def test_general_words(event: dict, words: str) -> None:  # type: ignore[type-arg]
    assert general_words(event) == words


def test_a_hidden_event_has_no_words() -> None:
    assert event_words("pursuit", {"v": 7}) is None


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_game_without_words_has_a_story_all_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kit, game = kit_of(name), make_game(name)
    *_, last = follow(name, game.make_config(**kit.small), seed=1)
    read = [event for event in last.logs[Seat.SPECTATOR].events if event.get("t", "end") != "end"]
    own = [event_words(name, event) for event in read]
    assert own == [kit.part("words").tell(event) for event in read]
    monkeypatch.delitem(kit.parts, "words")  # type: ignore[arg-type]
    general = [event_words(name, event) for event in read]
    assert general == [general_words(event) for event in read]
    assert all(general)
