"""What Fugitive's page tells beyond the table: true, exact, and only from what its seat knows."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import pytest

from followed import as_json, follow
from manhunt.analysis.insights import UnknownInsight, insight_of, percent
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.ids import Seat
from manhunt.games.fugitive.beliefs.seats import sample_states
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.rules.game import FugitiveGame

GAME = FugitiveGame()
SPOKEN = (("notes", {}), ("graph", {}), ("why", {"position": "1", "value": "7"}), ("chance", {"numbers": "3,7"}))


def interesting(seed: int, seat: Seat = Seat.PURSUERS, preset: str | None = None) -> list:
    """The moments with something face down."""
    found = []
    for moment in follow("fugitive", make_config(preset), seed, most=70):
        row = moment.logs[seat].view.public.row
        if any(spot.card is None for spot in row):
            found.append(moment)
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("seat", [Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR])
def test_the_truth_is_among_the_candidates_and_shares_add_up(seed: int, seat: Seat) -> None:
    moments = interesting(seed, seat)[::6]
    assert moments
    for state, logs in moments:
        told = as_json(insight_of("notes", logs[seat], {}))
        assert told["exact"]
        for line, hideout in zip(told["positions"], state.row, strict=True):
            assert hideout.card in line["candidates"]
            assert line["chances"][str(hideout.card)] > 0
            assert sum(line["chances"].values()) == pytest.approx(1, abs=1e-4)
        for hideout in state.row:
            if not hideout.face_up:
                assert told["numbers"][str(hideout.card)] > 0
        assert sum(told["numbers"].values()) == pytest.approx(sum(not h.face_up for h in state.row), abs=1e-3)


def test_the_marshals_notes_are_the_exact_worlds_of_her_hand() -> None:
    state, logs = interesting(5)[-1]
    told = insight_of("notes", logs[Seat.PURSUERS], {})
    worlds = Worlds(logs[Seat.PURSUERS].view.public, state.marshal)
    for line in told["positions"]:
        assert set(line["candidates"]) == worlds.candidates(line["position"])
    assert insight_of("chance", logs[Seat.PURSUERS], {"numbers": "3"})["chance"] == pytest.approx(
        worlds.probability([3]), abs=1e-5
    )


def test_worlds_that_cannot_be_told_apart_give_equal_answers() -> None:
    n_compared = 0
    for moment in interesting(7)[::4]:
        view = moment.logs[Seat.PURSUERS].view
        if view.to_act is not Seat.PURSUERS:
            continue
        for other in sample_states(view, Random(2), 2):
            n_compared += other.row != moment.state.row
            for seat in (Seat.PURSUERS, Seat.SPECTATOR):
                true = moment.logs[seat]
                same = SeatLog("fugitive", seat, true.opening, true.events, GAME.view(other, seat))
                for what, params in SPOKEN:
                    assert insight_of(what, same, params) == insight_of(what, true, params)
    assert n_compared > 3


def test_his_notes_are_those_of_a_spectator() -> None:
    """What the Fugitive is told rests on the public table alone: neither his own cards nor her hand change it."""
    for moment in interesting(3)[::9]:
        his, everybodys = (insight_of("notes", moment.logs[seat], {}) for seat in (Seat.EVADER, Seat.SPECTATOR))
        assert {**his, "whose": ""} == {**everybodys, "whose": ""}


def test_why_gives_a_reason_or_a_row_that_fits() -> None:
    state, logs = interesting(2)[-1]
    log = logs[Seat.PURSUERS]
    hidden = next(i for i, h in enumerate(state.row, 1) if not h.face_up)
    true = insight_of("why", log, {"position": str(hidden), "value": str(state.row[hidden - 1].card)})
    assert true["possible"]
    assert f"position {hidden} can be {state.row[hidden - 1].card}, with a chance of" in true["words"]
    assert true["example"].startswith("0 ")
    own = state.marshal[0]
    refused = insight_of("why", log, {"position": str(hidden), "value": str(own)})
    assert not refused["possible"]
    assert refused["words"] == f"{own} is in your hand"
    for params in ({"position": "99", "value": "1"}, {"position": "1"}, {"position": "1", "value": "x"}):
        with pytest.raises(BadText, match="expected a whole number"):
            insight_of("why", log, params)


def test_the_graph_is_one_plain_svg_in_the_pages_colours() -> None:
    _, logs = interesting(1)[-1]
    svg = insight_of("graph", logs[Seat.SPECTATOR], {})["svg"]
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert all("style" not in part.attrib for part in root.iter())
    assert "var(--belief)" in svg
    assert "#" not in svg


@pytest.mark.parametrize("seed", range(2))
def test_hints_are_legal_steps_of_a_whole_turn(seed: int) -> None:
    asked = {Seat.EVADER: 0, Seat.PURSUERS: 0}
    for moment in list(follow("fugitive", make_config(), seed, most=60))[::3]:
        for seat in asked:
            log = moment.logs[seat]
            if log.view.to_act is seat:
                told = as_json(insight_of("hint", log, {"seconds": "0.2"}))
                assert told["action"] == told["line"][0]
                assert told["action"] in [GAME.format_action(log.view.config, action) for action in log.view.legal]
                assert told["winning"] is None or 0 <= told["winning"] <= 1
                asked[seat] += 1
            else:
                with pytest.raises(ManhuntError, match="not this seat's turn"):
                    insight_of("hint", log, {})
    assert min(asked.values()) > 2


def test_nothing_placed_and_game_over_are_no_errors() -> None:
    moments = list(follow("fugitive", make_config("mini"), 3))
    first, last = moments[0], moments[-1]
    for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR):
        assert insight_of("notes", first.logs[seat], {})["positions"] == []
        insight_of("graph", first.logs[seat], {})
        told = insight_of("notes", last.logs[seat], {})
        assert [line["candidates"] for line in told["positions"]] == [[h.card] for h in last.state.row]
        insight_of("graph", last.logs[seat], {})
    with pytest.raises(ManhuntError, match="the row is empty"):
        insight_of("why", first.logs[Seat.PURSUERS], {"position": "1", "value": "1"})


def test_unknown_insights_and_bad_numbers_are_refused_in_one_line() -> None:
    log = next(follow("fugitive", make_config(), 1)).logs[Seat.PURSUERS]
    with pytest.raises(UnknownInsight, match="insight"):
        insight_of("nots", log, {})
    for text in ("", "a", "0", "42", "3,", "3,-4"):
        with pytest.raises(BadText, match="expected numbers from 1 to 41"):
            insight_of("chance", log, {"numbers": text})


def test_percent_never_rounds_to_certainty() -> None:
    assert [percent(share) for share in (0.0, 0.0001, 0.34, 0.999, 1.0)] == [
        "0 %", "less than 1 %", "34 %", "more than 99 %", "100 %",
    ]  # fmt: skip
