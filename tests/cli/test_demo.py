"""`manhunt demo` from the outside: lines for pipes, one JSON document, keys in a real terminal."""

import json
import re

import pytest

from manhunt.cli.main import run
from manhunt.core.registry import kits_with
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.show.tour import belief_text
from pseudo_terminal import Terminal


@pytest.fixture(scope="module")
def played():
    """The acts that are games, in their order."""
    acts = [kit.part("tour").act(7) for kit in kits_with("tour")]
    return [act for act in acts if act.key is None]


def test_lines_tell_all_four_parts_and_what_to_try(capsys) -> None:
    assert run(["demo", "--seed", "7"]) == 0
    out = capsys.readouterr().out
    parts = ("1 A board solved", "2 Scotland Yard", "3 Fugitive", "4 A crossing", "5 What to try next")
    assert [out.index(part) for part in parts] == sorted(out.index(part) for part in parts)
    assert "Mr X escapes, whatever the detectives do; his first move is 8." in out
    assert re.search(r"round 3: .* seen on \d+.*\| he is on \d+", out)
    assert "manhunt play scotland_yard --as mrx" in out
    assert "\x1b" not in out, "no colours for pipes"


def test_json_is_one_document_and_the_same_for_the_same_seed(capsys) -> None:
    texts = []
    for _ in range(2):
        assert run(["demo", "--seed", "11", "--json"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    told = json.loads(texts[0])
    assert told["solve"] == {
        "board": "top-right-20",
        "mrx": "1",
        "detectives": ["5", "10"],
        "rounds": 4,
        "forced_escape": True,
        "survival_rounds": 4,
        "states_evaluated": 630,
        "first_move": "8",
    }
    assert [game["game"] for game in told["games"]] == ["scotland_yard", "fugitive", "shortest_path"]
    assert all(game["winner"] in ("evader", "pursuers") for game in told["games"])
    assert told["games"][2]["cost"] > 0


def test_the_belief_told_is_what_the_public_events_give(played) -> None:
    yard = played[0]
    support, found = Support(), []
    support.start(yard.played.views[0])
    for events, view in zip(yard.played.events[1:], yard.played.views[1:], strict=True):
        support.observe(events)
        if view.outcome is None and not view.waiting:
            found.append((view.round, len(support.candidates)))
    assert [(known["round"], known["candidates"]) for known in yard.beliefs] == found
    assert len(found) > 5


def test_every_part_shows_only_what_its_seat_may_see(played) -> None:
    for act in played:
        hidden = [event for events in act.played.events for event in events if "t" not in event]
        assert all(set(event) == {"v"} for event in hidden)
    assert not any("Mr X is on" in line for _, line in played[0].said)


def test_belief_in_words() -> None:
    assert belief_text({"candidates": 1, "likeliest": "46", "chance": 1.0}) == "he is on 46"
    text = belief_text({"candidates": 12, "likeliest": "46", "chance": 0.314})
    assert text == "he can be on 12 stations, likeliest 46 (31 %)"


def test_help_has_an_example_and_a_bad_seed_is_refused(capsys) -> None:
    with pytest.raises(SystemExit):
        run(["demo", "--help"])
    assert "manhunt demo --fast" in capsys.readouterr().out
    assert run(["demo", "--seed", "x"]) == 2
    assert (
        capsys.readouterr().err == "manhunt: argument --seed: 'x' is not a whole number (see 'manhunt demo --help')\n"
    )


def test_keys_go_through_the_parts_and_q_quits() -> None:
    with Terminal("demo") as terminal:
        terminal.expect("A board solved", "Mr X escapes", "8.")
        terminal.press(" ")
        terminal.expect("Scotland Yard on London")
        terminal.press(" ")
        terminal.expect("Mr X can be on", "any key")
        terminal.press(" ")
        terminal.expect("in round", "Public information alone")
        terminal.press("q")
        assert terminal.wait() == 0
        assert terminal.is_cooked()


def test_ctrl_c_ends_it_in_one_line() -> None:
    with Terminal("demo") as terminal:
        terminal.expect("Mr X escapes")
        terminal.press("\x03")
        assert terminal.wait() == 130
        assert terminal.is_cooked()
