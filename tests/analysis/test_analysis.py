"""Analyses: planted blunders are marked, forced moves never, and nothing hidden moves a mark."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from manhunt.analysis.analyse import analyse
from manhunt.analysis.findings import GRAVE, QUICK, STATED, estimate, mark_of
from manhunt.core.errors import BadText
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import make_game
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.show.analysis import Exact
from manhunt.games.pursuit.solvers.tables import FOREVER, open_table, solve_to_table
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import Record
from manhunt.testing.worlds import OtherWorlds
from random_games import SMALL, random_record


def stopped(name: str, config: Any, setup: Any, actions: Any) -> str:
    """The record of a game that somebody gave up there."""
    outcome = Outcome(Side.EVADER, Termination.FORFEIT)
    return Record.of(make_game(name), config, setup, actions, outcome=outcome, fault="gave up").format()


def moves_at(found: dict[str, Any], ply: int) -> list[dict[str, Any]]:
    return [move for move in found["moves"] if move["ply"] == ply]


@pytest.mark.parametrize("name", SMALL)
def test_analyses_of_all_games_have_the_same_form(name: str) -> None:
    record = random_record(name, **SMALL[name])
    found = analyse(record.format(), QUICK)
    past = Hindsight(record)
    assert (found["game"], found["plies"]) == (name, past.last)
    assert found["how"]
    assert found["stated"].startswith("?!")
    low, high = found["axis"]["low"], found["axis"]["high"]
    for curve in found["curves"]:
        plies = [ply for ply, *_ in curve["points"]]
        assert plies == sorted(set(plies))
        assert all(0 <= ply <= past.last and low <= a <= v <= b <= high for ply, v, a, b in curve["points"])
    for move in found["moves"]:
        acting = past.acting(move["ply"])
        assert acting is not None
        assert move["seat"] == acting.value
        assert move["low"] <= move["lost"] <= move["high"]
        assert move["mark"] is None or move["lost"] > 0 or found["axis"]["unit"] == "rounds"


@pytest.mark.parametrize("name", SMALL)
def test_forced_moves_are_never_judged(name: str) -> None:
    for seed in range(3):
        record = random_record(name, seed, **SMALL[name])
        past = Hindsight(record)
        judged = {move["ply"] for move in analyse(record.format(), QUICK)["moves"]}
        assert not judged & {ply for ply in range(past.last) if len(past.options(ply)) == 1}


def test_a_forced_move_without_a_good_end_is_not_marked() -> None:
    """On a path the quarry at its end has one way to go, into the detective's reach."""
    game = make_game("pursuit")
    config = game.make_config(board="path:5", n_detectives=1, max_rounds=5)
    setup = {"mrx": "1", "detectives": ["4"]}
    state = game.start(config, setup)
    actions = []
    while game.outcome(state) is None:
        actions.append(game.legal_actions(state)[0])
        state = game.apply_action(state, actions[-1])
    record = Record.of(game, config, setup, actions, outcome=game.outcome(state))
    assert not moves_at(analyse(record.format(), QUICK), 0)


def test_scotland_yard_a_catch_that_was_left_is_a_mistake() -> None:
    """Mr X is shown beside a detective, who walks away."""
    game = make_game("scotland_yard")
    config = game.make_config(n_detectives=1, rounds=4, shown=(1, 4))
    setup = {"mrx": {"at": "45"}, "detectives": [{"piece": "red", "at": "58"}], "free": True}
    texts = ["T46", "R:T75"]
    actions = [game.parse_action(config, text) for text in texts]
    found = analyse(stopped("scotland_yard", config, setup, actions), QUICK)
    (blunder,) = moves_at(found, 1)
    assert blunder["best"] == "R:B46"
    assert blunder["mark"] == "blunder"
    assert blunder["low"] > GRAVE
    assert blunder["words"].startswith("red by taxi to 75 instead of by bus to 46: ")
    assert blunder["arrows"] == {"played": (("58", "75"),), "best": (("58", "46"),)}
    better = [game.parse_action(config, text) for text in ("T46", "R:B46")]
    caught = Record.of(game, config, setup, better, outcome=Outcome(Side.PURSUERS, Termination.CAPTURE))
    (catch,) = moves_at(analyse(caught.format(), QUICK), 1)
    assert (catch["mark"], catch["lost"]) == (None, 0.0)


def test_scotland_yard_walking_up_to_a_detective_is_a_mistake_of_mr_x() -> None:
    game = make_game("scotland_yard")
    config = game.make_config(n_detectives=1, rounds=1, shown=(1,))
    setup = {"mrx": {"at": "45"}, "detectives": [{"piece": "red", "at": "58"}], "free": True}
    actions = [game.parse_action(config, "T46")]
    (blunder,) = moves_at(analyse(stopped("scotland_yard", config, setup, actions), QUICK), 0)
    assert blunder["mark"] == "blunder"


def test_fugitive_a_certain_number_that_is_not_named_is_a_mistake() -> None:
    """In the manhunt one hideout is left and all worlds agree on it; she names a card that she holds herself."""
    past = Hindsight(random_record("fugitive", 65, preset="mini"))
    game, config = past.game, past.config
    ply = next(ply for ply, state in enumerate(past.states) if state.phase.value == "manhunt")
    view: Any = past.game.view(past.states[ply], Seat.PURSUERS)
    (certain,) = (card for card, chance in enumerate(Worlds(view.public, view.marshal).hideouts) if chance == 1.0)
    wrong = game.parse_action(config, f"name:{view.marshal[0]}")
    end = game.outcome(game.apply_action(past.states[ply], wrong))
    record = Record.of(game, config, past.record.setup, [*past.actions[:ply], wrong], outcome=end)
    (blunder,) = moves_at(analyse(record.format(), QUICK), ply)
    assert (blunder["best"], blunder["mark"]) == (f"name:{certain}", "blunder")


def judged_by(found: dict[str, Any], seat: Seat) -> tuple[Any, Any]:
    moves = [move for move in found["moves"] if move["seat"] == seat.value]
    return moves, [curve["points"] for curve in found["curves"] if curve["seat"] == seat.value]


@pytest.mark.parametrize(
    ("name", "seat", "plies"),
    [
        ("pursuit", Seat.PURSUERS, 8),
        ("scotland_yard", Seat.PURSUERS, 6),
        ("fugitive", Seat.PURSUERS, 12),
        ("fugitive", Seat.EVADER, 12),
    ],
)
def test_what_a_seat_cannot_know_moves_none_of_its_marks(name: str, seat: Seat, plies: int) -> None:
    game = make_game(name)
    hidden = {"visibility": "rounds", "reveal_rounds": [3]} if name == "pursuit" else {}
    config = game.make_config(**SMALL[name], **hidden)
    n_compared = 0
    for seed in range(4):
        setup = game.deal(config, Random(seed))
        worlds = OtherWorlds(game, config, setup, seat, rng=Random(seed))
        state, actions, rng = game.start(config, setup), list[Any](), Random(seed)
        while len(actions) < plies and game.outcome(state) is None:
            action = rng.choice(game.legal_actions(state))
            after = game.apply_action(state, action)
            if game.outcome(after) is not None:
                break
            actions.append(action)
            worlds.advance(action)
            state = after
        mine = judged_by(analyse(stopped(name, config, setup, actions), QUICK), seat)
        for past in worlds.pasts(1):
            other = analyse(stopped(name, config, past.setup, past.actions), QUICK)
            assert judged_by(other, seat) == mine
            n_compared += 1
    assert n_compared > 0


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Exact, Path]:
    config = make_game("pursuit").make_config(**SMALL["pursuit"])
    path = tmp_path_factory.mktemp("tables") / "grid.table"
    solve_to_table(config, path)
    return config, Exact(open_table(path)), path


def test_pursuit_values_are_those_of_the_table(solved: tuple[Any, Exact, Path]) -> None:
    config, exact, path = solved
    table, record = open_table(path), random_record("pursuit", 2, **SMALL["pursuit"])
    past = Hindsight(record)
    points = analyse(record.format(), QUICK)["curves"][0]["points"]
    top = max(value for _, value, *_ in points)
    n_looked_up = 0
    for ply, state in enumerate(past.states):
        if not state.waiting and not rules.is_caught(state):
            known = table.rounds_survived(state.quarry, state.pursuers) + state.round
            known = FOREVER if known >= config.max_rounds else known
            assert exact.total(state) == known
            assert points[ply][1] == min(known, top)
            n_looked_up += 1
    assert n_looked_up > 2


def best(state: Any) -> bool:
    """Whether the quarry gets away, by the rules alone."""
    end = rules.outcome(state)
    if end is not None:
        return end.winner is Side.EVADER
    ways = [best(rules.apply_action(state, action)) for action in rules.legal_actions(state)]
    return any(ways) if rules.to_act(state) is Seat.EVADER else all(ways)


def test_pursuit_marks_are_those_of_plain_minimax() -> None:
    n_mistakes = 0
    for seed in range(12):
        record = random_record("pursuit", seed, board="grid:2x3", n_detectives=1, max_rounds=3)
        past = Hindsight(record)
        for move in analyse(record.format(), QUICK)["moves"]:
            before, after = best(past.states[move["ply"]]), best(past.states[move["ply"] + 1])
            assert (move["mark"] == "blunder") == (before != after), move
            n_mistakes += move["mark"] == "blunder"
    assert n_mistakes > 0


def test_surprise_is_the_probability_of_the_truth() -> None:
    record = random_record("scotland_yard", 1, **SMALL["scotland_yard"])
    past = Hindsight(record)
    points = dict(analyse(record.format(), QUICK)["surprise"])
    assert set(points) == set(range(past.last + 1))
    assert all(bits >= 0 for bits in points.values())
    shown = [ply for ply, state in enumerate(past.states) if state.log and state.log[-1].node is not None]
    assert shown
    assert all(points[ply] == pytest.approx(0, abs=1e-9) for ply in shown)
    assert max(points.values()) > 1
    assert analyse(random_record("shortest_path", **SMALL["shortest_path"]).format(), QUICK)["surprise"] is None


def test_few_equal_values_are_not_certain() -> None:
    assert estimate([0.0] * 8).high > STATED
    assert estimate([1.0] * 8).low < 0.9
    wide, narrow = estimate([0.0, 1.0] * 8), estimate([0.0, 1.0] * 80)
    assert wide.low < narrow.low < 0.5 < narrow.high < wide.high
    assert (mark_of(STATED), mark_of(0.06), mark_of(0.15), mark_of(0.5)) == (None, "slip", "mistake", "blunder")


def test_a_game_that_goes_on_is_not_analysed() -> None:
    game = make_game("pursuit")
    config = game.make_config()
    record = Record.of(game, config, game.deal(config, Random(0)), [])
    with pytest.raises(BadText, match="the game is not over"):
        analyse(record.format(), QUICK)
