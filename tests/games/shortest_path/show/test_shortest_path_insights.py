"""Route, bounds and hints of Adversarial Shortest Path."""

from __future__ import annotations

import pytest

from followed import Moment, as_json, follow
from manhunt.analysis.insights import UnknownInsight, insight_of
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.ids import Seat
from manhunt.games.shortest_path.rules.config import make_config
from manhunt.games.shortest_path.rules.costs import cheapest_ways
from manhunt.games.shortest_path.rules.game import ShortestPathGame
from manhunt.games.shortest_path.solvers.bounds import bounds_from_json, check_bounds

CONFIG = make_config(None, "contest:12:20:separation=4:cut=2:seed=3")
GAME = ShortestPathGame()


@pytest.fixture(scope="module")
def moments() -> list[Moment]:
    return list(follow("shortest_path", CONFIG, 4))


def test_the_route_tells_every_step_and_what_the_rest_would_have_cost(moments: list[Moment]) -> None:
    label = CONFIG.board.label
    for n, moment in enumerate(moments):
        told = as_json(insight_of("route", moment.logs[Seat.SPECTATOR], {}))
        assert told["nodes"][0] == label(CONFIG.source)
        assert told["nodes"][-1] == label(moment.state.quarry)
        assert len(told["points"]) == n + 1
        assert told["points"][-1]["paid"] == moment.state.total
        rest = cheapest_ways(CONFIG, moment.state.raises).distance[moment.state.quarry]
        assert told["points"][-1]["likely"] == moment.state.total + rest
        assert len(told["raised"]) == sum(moment.state.raises)
        assert sum(step["cost"] for step in told["steps"]) == pytest.approx(moment.state.total)


def test_bounds_of_now_and_of_the_start_hold(moments: list[Moment]) -> None:
    first = insight_of("bounds", moments[0].logs[Seat.EVADER], {"seconds": "0.2"})
    assert first["lower"] <= first["upper"] * (1 + 1e-9)
    check_bounds(moments[0].state, bounds_from_json(first["certificate"], CONFIG.board))
    log = moments[2].logs[Seat.EVADER]
    now = as_json(insight_of("bounds", log, {"seconds": "0.2"}))
    check_bounds(moments[2].state, bounds_from_json(now["certificate"], CONFIG.board))
    assert now["total"]["lower"] == now["paid"] + now["lower"]
    assert insight_of("bounds", log, {"seconds": "0.2", "of": "start"})["lower"] == pytest.approx(first["lower"])


def test_before_a_raise_only_the_lower_bound_is_told(moments: list[Moment]) -> None:
    told = insight_of("bounds", moments[1].logs[Seat.PURSUERS], {"seconds": "0.2"})
    assert told["upper"] is None
    assert told["words"].startswith("with the raise to come the traveller still pays at least ")


def test_after_the_end_the_start_is_judged(moments: list[Moment]) -> None:
    log = moments[-1].logs[Seat.SPECTATOR]
    assert insight_of("bounds", log, {})["words"] == "the traveller has arrived; nothing is left to pay"
    told = insight_of("bounds", log, {"of": "start", "seconds": "0.2"})
    assert told["verdict"].startswith(f"paid {moments[-1].state.total:.6g}; best play costs ")


def test_hints_are_legal_and_certified(moments: list[Moment]) -> None:
    for moment, seat, key in ((moments[0], Seat.EVADER, "upper"), (moments[1], Seat.PURSUERS, "lower")):
        log = moment.logs[seat]
        told = as_json(insight_of("hint", log, {"seconds": "0.2"}))
        action = GAME.parse_action(CONFIG, told["action"])
        assert action in log.view.legal
        assert list(told["certified"]) == [key]
        assert told["certified"][key] > 0
        with pytest.raises(ManhuntError, match="not this seat's turn"):
            insight_of("hint", moment.logs[Seat.SPECTATOR], {})


def test_wrong_questions_are_refused_in_one_line(moments: list[Moment]) -> None:
    log = moments[0].logs[Seat.EVADER]
    with pytest.raises(UnknownInsight):
        insight_of("bound", log, {})
    for params in ({"seconds": "0"}, {"seconds": "x"}, {"seconds": "1000"}, {"of": "end"}):
        with pytest.raises(BadText, match="expected"):
            insight_of("bounds", log, params)
