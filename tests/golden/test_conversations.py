"""The pages of the bot protocol, one a game, show what a real bot hears and says today."""

import pytest

from conversations import PAGES, conversation, page, samples
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import BUILT_IN


def test_every_game_has_its_page() -> None:
    assert set(samples()) == set(BUILT_IN) == {path.stem for path in PAGES.glob("*.md")}


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_page_is_what_is_said_today(name: str) -> None:
    assert (PAGES / f"{name}.md").read_text(encoding="utf-8") == page(name), "write it again: make golden"


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_conversation_goes_from_hello_to_the_result(name: str) -> None:
    for seat in PLAYERS:
        said = [line.message["t"] for line in conversation(name, seat)]
        assert said[:5] == ["hello", "hello", "new", "observe", "go"]
        assert said[-2:] == ["observe", "bye"]


def test_the_samples_show_hidden_events_and_a_reveal() -> None:
    heard = {name: conversation(name, Seat.PURSUERS) for name in ("pursuit", "scotland_yard", "fugitive")}
    events = {name: [e for line in lines for e in line.message.get("events", ())] for name, lines in heard.items()}
    assert all(any(set(event) == {"v"} for event in each) for each in events.values())
    assert any(event.get("t") == "sighting" and event["at"] for event in events["pursuit"])
    assert any(event.get("t") == "logged" and event["at"] for event in events["scotland_yard"])
    assert any(event.get("t") == "double" for event in events["scotland_yard"])
    assert any(event.get("t") == "revealed" for event in events["fugitive"])
