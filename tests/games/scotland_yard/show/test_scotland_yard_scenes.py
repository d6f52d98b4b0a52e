"""Scotland Yard for its page: every move is offered once, and a scene shows no more than its seat may know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from followed import as_json, follow
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.rules import team
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.games.scotland_yard.rules.notation import format_action
from manhunt.games.scotland_yard.rules.views import view as view_of
from scene_pages import page_offers, page_scene

GAME = make_game("scotland_yard")
LONDON = GAME.make_config("standard")
SHORT = GAME.make_config("ravensburger", n_detectives=2, rounds=6, shown=[2, 4])


def actions_of(offers: list[dict[str, Any]]) -> list[str]:
    """All actions that clicks can end in."""
    singles = [offer["action"] for offer in offers if "action" in offer]
    doubles = [action for offer in offers for step in offer.get("double", {}).values() for action in step["then"]]
    return singles + doubles


@pytest.mark.parametrize(("config", "seed"), [(LONDON, 1), (LONDON, 2), (SHORT, 3), (SHORT, 4)])
def test_every_legal_move_is_reached_in_exactly_one_way(config: Any, seed: int) -> None:
    for state, logs in follow("scotland_yard", config, seed, most=40):
        for seat, log in logs.items():
            reached = actions_of(page_offers(log.view))
            assert sorted(reached) == sorted(format_action(config, action) for action in log.view.legal)
            assert bool(reached) is (GAME.to_act(state) is seat)


def test_the_steps_of_a_double_move_are_those_of_its_notation() -> None:
    view = next(follow("scotland_yard", LONDON, 5)).logs[Seat.EVADER].view
    (doubles,) = [offer["double"] for offer in page_offers(view) if "double" in offer]
    for first, step in doubles.items():
        assert first == step["ticket"][0].upper() + step["to"]
        for action, (ticket, to) in step["then"].items():
            assert action == f"2:{first},{ticket[0].upper()}{to}"


def test_a_detectives_offer_names_piece_place_and_ticket() -> None:
    moments = follow("scotland_yard", LONDON, 6)
    next(moments)
    view = next(moments).logs[Seat.PURSUERS].view
    places = {str(d.piece): LONDON.board.label(d.node) for d in view.detectives}
    for offer in page_offers(view):
        assert offer["picks"] == [places[offer["piece"]], offer["to"]]
        assert offer["words"] == f"{offer['piece']} by {offer['ticket']} to {offer['to']}"


@pytest.mark.parametrize("config", [LONDON, SHORT])
def test_whoever_cannot_tell_two_worlds_apart_gets_the_same_scene_and_offers(config: Any) -> None:
    n_compared = 0
    for state, logs in follow("scotland_yard", config, 7, most=25):
        support = Support()
        log = logs[Seat.PURSUERS]
        support.start(log.opening)
        support.observe(log.events)
        if log.view.outcome is not None:
            continue
        for node in sorted(support.candidates)[:6]:
            other = replace(state, quarry=node)
            for seat in (Seat.PURSUERS, Seat.SPECTATOR):
                mine, theirs = logs[seat].view, view_of(other, seat)
                assert page_scene(mine) == page_scene(theirs)
                assert page_offers(mine) == page_offers(theirs)
                n_compared += node != state.quarry
    assert n_compared > 20


def test_a_scene_is_json_with_labels_and_tells_the_log_and_the_tickets() -> None:
    state = GAME.start(LONDON, make_setup("35", ["26", "29", "50", "53", "91"]))
    for text in ("T36", "R:T27", "G:T6", "B:T37", "W:T40", "Y:T105"):
        state = GAME.apply_action(state, GAME.parse_action(LONDON, text))
    state = GAME.apply_action(state, GAME.parse_action(LONDON, "2:S35,T48"))
    mine, theirs = (as_json(page_scene(view_of(state, seat))) for seat in (Seat.EVADER, Seat.PURSUERS))
    assert [slot["ticket"] for slot in theirs["log"][:4]] == ["taxi", "secret", "taxi", None]
    assert theirs["log"][2] == {"round": 3, "shown": True, "ticket": "taxi", "at": "48"}
    assert theirs["seen"] == {"at": "48", "round": 3}
    assert theirs["marks"]["lastSeen"] == {"at": "48", "name": "Mr X", "words": "round 3"}
    assert theirs["tickets"][0]["at"] is None
    assert mine["tickets"][0]["at"] == "48"
    assert theirs["tickets"][0]["held"]["double"] == 1
    assert [row["at"] for row in theirs["tickets"][1:]] == ["27", "6", "37", "40", "105"]
    assert (theirs["round"], theirs["turn"], theirs["nextShown"]) == (3, "pursuers", 8)
    assert theirs["title"] == "Scotland Yard, round 3 of 24 (shown): detectives to move (R G B W Y)"


def test_after_the_end_everybody_sees_mr_x_and_how_it_ended() -> None:
    last = list(follow("scotland_yard", SHORT, 8))[-1]
    for log in last.logs.values():
        scene = as_json(page_scene(log.view))
        assert scene["turn"] is None
        assert scene["outcome"]["winner"] in ("evader", "pursuers")
        assert "win" in scene["outcome"]["words"]
        assert scene["marks"]["pieces"][0]["id"] == "quarry"


def test_a_planned_turn_of_the_last_round_can_be_shown() -> None:
    config = GAME.make_config("standard", n_detectives=1, rounds=2, shown=[1])
    for state, _ in follow("scotland_yard", config, seed=2, most=20):
        if state.round == 2 and GAME.to_act(state) is Seat.PURSUERS:
            seen = view_of(state, Seat.PURSUERS)
            planned = page_scene(team.planned(seen, seen.legal[:1]))
            assert planned["round"] == 2
            return
    raise AssertionError("no game came to its last round")
