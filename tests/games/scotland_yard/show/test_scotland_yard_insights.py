"""What pages say about Mr X: always true, from what everybody knows, and the same for all who know the same."""

from __future__ import annotations

from typing import Any

import pytest

from followed import as_json, follow
from manhunt.analysis.insights import UnknownInsight, insight_of
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.errors import BadText
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.rules.actions import Ticket
from manhunt.games.scotland_yard.rules.rules import fares, steps_of
from manhunt.games.scotland_yard.show.known_places import Chronicle

GAME = make_game("scotland_yard")
LONDON = GAME.make_config("standard", n_detectives=3)
OFTEN_SHOWN = GAME.make_config("standard", rounds=12, shown=[1, 2, 3, 5, 7, 9])
TICKETS = {str(ticket): ticket for ticket in Ticket}


def candidates_of(log: SeatLog) -> set[str]:
    support = Support()
    support.start(log.opening)
    support.observe(log.events)
    return {LONDON.board.label(node) for node in support.candidates}


@pytest.fixture(scope="module")
def moments() -> list[Any]:
    return list(follow("scotland_yard", LONDON, seed=11, most=44))


def test_the_truth_is_among_the_candidates_and_all_seats_believe_the_same(moments: list[Any]) -> None:
    for state, logs in moments[::3]:
        told = {seat: as_json(insight_of("belief", log, {})) for seat, log in logs.items()}
        assert LONDON.board.label(state.quarry) in told[Seat.PURSUERS]["candidates"]
        beliefs = [answer["belief"] for answer in told.values()]
        assert beliefs[0] == beliefs[1] == beliefs[2]
        assert sum(beliefs[0].values()) == pytest.approx(1.0, abs=0.01)
        if state.log:
            assert set(told[Seat.PURSUERS]["candidates"]) == candidates_of(logs[Seat.PURSUERS])


def test_why_says_impossible_of_exactly_those_that_are_no_candidates(moments: list[Any]) -> None:
    for _, logs in moments[2::11]:
        log = logs[Seat.PURSUERS]
        possible = candidates_of(log)
        for label in LONDON.board.labels[::4] + tuple(possible)[:12]:
            answer = insight_of("why", log, {"node": label})
            assert answer["possible"] is (label in possible), (label, answer["words"])
            assert len(answer["words"]) >= 2


def test_the_way_that_why_shows_can_be_walked_with_the_tickets_of_the_log(moments: list[Any]) -> None:
    for _, logs in moments[4::13]:
        log = logs[Seat.SPECTATOR]
        for label in sorted(candidates_of(log))[:15]:
            way = [LONDON.board.node(at) for at in insight_of("why", log, {"node": label})["way"]]
            paid = [entry.ticket for entry in log.view.log][len(log.view.log) - len(way) + 1 :]
            for here, to, ticket in zip(way[:-1], way[1:], paid, strict=True):
                assert (ticket, to) in fares(LONDON.board)[here]


def test_the_reasons_of_why_hold(moments: list[Any]) -> None:
    kinds = set()
    for _, logs in moments[1::6]:
        log = logs[Seat.PURSUERS]
        chronicle = Chronicle(log.opening, log.events)
        for node in sorted(set(LONDON.board.nodes()) - chronicle.candidates)[::3]:
            first, *rest = chronicle.why_not(node)
            label = LONDON.board.label(node)
            assert first.startswith(("Mr X was seen on ", "Mr X has not been seen yet"))
            reason = " ".join(rest)
            if " goes to " in reason:
                ticket = TICKETS[reason.partition(" he paid ")[2].partition(",")[0]]
                assert all((ticket, node) not in fares(LONDON.board)[n] for n in LONDON.board.nodes())
                kinds.add("ticket")
            elif "ruled out" in reason or "stood there" in reason or "came there" in reason:
                assert chronicle._ticket_ways(node, chronicle.known()) is not None
                assert "it was ruled out" not in reason
                kinds.add("detectives")
            else:
                assert label in reason
                kinds.add("no way")
    assert kinds == {"ticket", "detectives", "no way"}


def test_danger_counts_who_can_come_and_is_certain_when_mr_x_is_seen() -> None:
    n_shown = 0
    for state, logs in follow("scotland_yard", OFTEN_SHOWN, seed=6, most=44):
        log = logs[Seat.EVADER]
        if GAME.to_act(state) is not Seat.EVADER:
            continue
        danger = as_json(insight_of("danger", log, {}))["moves"]
        assert set(danger) == {GAME.format_action(LONDON, action) for action in log.view.legal}
        for action in log.view.legal:
            found = danger[GAME.format_action(LONDON, action)]
            near = sum(
                any(to == action.to and ticket < 3 and d.tickets[ticket] for ticket, to in fares(LONDON.board)[d.node])
                for d in log.view.detectives
            )
            assert found["reach"] == near
            assert 0 <= found["caught"] <= 1
            assert near or not found["caught"]
            if near and OFTEN_SHOWN.rounds[len(log.view.log) + len(steps_of(action)) - 1]:
                assert found["caught"] == 1
                n_shown += 1
    assert n_shown > 0


def test_danger_is_for_mr_x_alone(moments: list[Any]) -> None:
    with pytest.raises(BadText, match="only Mr X"):
        insight_of("danger", moments[3].logs[Seat.PURSUERS], {})


def test_a_hint_is_a_legal_move_and_spectators_get_the_detectives_plan(moments: list[Any]) -> None:
    before, after = moments[0].logs, moments[1].logs
    legal = {GAME.format_action(LONDON, action) for action in before[Seat.EVADER].view.legal}
    assert insight_of("hint", before[Seat.EVADER], {"seconds": "0.2"})["action"] in legal
    assert insight_of("hint", before[Seat.PURSUERS], {})["action"] is None
    plans = [insight_of("hint", after[seat], {"seconds": "0.3"}) for seat in (Seat.PURSUERS, Seat.SPECTATOR)]
    places = {LONDON.board.label(d.node) for d in after[Seat.PURSUERS].view.detectives}
    for plan in plans:
        assert plan["action"] in {GAME.format_action(LONDON, a) for a in after[Seat.PURSUERS].view.legal}
        assert {start for start, _ in plan["arrows"]} <= places
        assert 0 <= plan["confidence"] <= 1
        assert all(set(other) == {"moves", "value", "words"} for other in plan["alternatives"])


def test_bad_questions_are_refused_in_words(moments: list[Any]) -> None:
    log = moments[5].logs[Seat.PURSUERS]
    with pytest.raises(UnknownInsight, match="unknown insight 'future'"):
        insight_of("future", log, {})
    with pytest.raises(BadText, match="node=46"):
        insight_of("why", log, {})
    with pytest.raises(BadText, match="200"):
        insight_of("why", log, {"node": "200"})
    with pytest.raises(BadText, match=r"seconds=forever: expected a number from 0\.05 to 5"):
        insight_of("hint", log, {"seconds": "forever"})
