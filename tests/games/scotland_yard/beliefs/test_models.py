"""Models of Mr X: weights and factors agree, the fit finds what made the games, scores mean what they say."""

import json
import math
from random import Random

import numpy as np
import pytest
from hypothesis import given

from manhunt.beliefs.score import gain_over
from manhunt.cli.main import run
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.beliefs import weighted_kernels as kernels
from manhunt.games.scotland_yard.beliefs.features import FAR_HOPS, FEATURES, feature_table, soon_shown
from manhunt.games.scotland_yard.beliefs.fit import decisions_of, fit_soft, log_loss
from manhunt.games.scotland_yard.beliefs.models import (
    CATEGORY_WEIGHTS,
    CategoryModel,
    SoftModel,
    UniformModel,
    load_soft,
    make_model,
    new_factors,
    pack_model_graph,
    parse_soft,
    shipped_soft,
)
from manhunt.games.scotland_yard.beliefs.score import score_model
from manhunt.games.scotland_yard.rules.actions import Double, Piece, Ticket, Tickets
from manhunt.games.scotland_yard.rules.model import StartingPlayer, new_game
from manhunt.games.scotland_yard.rules.packed import pack_table
from manhunt.games.scotland_yard.rules.rules import apply_action, legal_actions
from manhunt.play.record import Record
from scotland_yard_games import board_of, random_history, scotland_yard_histories
from scotland_yard_positions import setup_of

pytestmark = pytest.mark.kernel

THETA = [0.3, -0.2, 0.5, 0.1, 0.7, -0.4, 0.2, 0.3, -0.5, 0.6, -0.3, -0.8, 1.0, 0.4, 0.5, -0.6]
LINE = board_of("1-2:T 2-3:T 3-4:T 4-5:T 5-6:T 6-7:T 7-8:T 3-9:B 9-4:T")


def factor_weight(factors: kernels.Factors, state, action) -> float:
    """A move's weight as the kernel puts it together."""
    if isinstance(action, Double):
        steps = factors.first[action.ticket1] * factors.second[action.ticket2]
        return float(factors.double[state.quarry] * steps * factors.end[1, action.to])
    return float(factors.single[action.ticket] * factors.end[0, action.to])


@given(scotland_yard_histories(max_nodes=7, max_rounds=6))
def test_factors_equal_weights(history) -> None:
    for state in history[0]:
        actions = () if state.waiting else legal_actions(state)
        for model in (UniformModel(), CategoryModel(), SoftModel(THETA)) if actions else ():
            factors, table = new_factors(state.config.board), pack_table(state.config)
            places = np.array(state.pursuers, np.int32)
            model.fill(pack_model_graph(state.config.board), table.shown, places, state.round, factors)
            found = [factor_weight(factors, state, action) for action in actions]
            assert found == pytest.approx(list(model.weights(state, actions)), rel=1e-12)


def test_the_kernel_knows_the_order_of_the_features() -> None:
    numbers = {
        "second": kernels.SECOND,
        "exits": kernels.EXITS,
        "bus": kernels.BUS,
        "underground": kernels.BUS + 1,
        "secret": kernels.BUS + 2,
        "secret_after_shown": kernels.SECRET_AFTER_SHOWN,
        "secret_on_shown": kernels.SECRET_ON_SHOWN,
        "double": kernels.IS_DOUBLE,
        "double_in_danger": kernels.IN_DANGER,
        "double_over_shown": kernels.OVER_SHOWN,
        "near_by_shown": kernels.NEAR_BY_SHOWN,
        "exits_by_shown": kernels.EXITS_BY_SHOWN,
    }
    assert {name: FEATURES.index(name) for name in numbers} == numbers
    assert kernels.FAR_HOPS == FAR_HOPS


def line_game(mrx: str, red: str, rounds=(False, False, True, False)):
    tickets = Tickets(taxi=4, bus=1, secret=2, double=1)
    return new_game(
        LINE, rounds, StartingPlayer(Piece.MRX, tickets, mrx), [StartingPlayer(Piece.RED, Tickets(9, 9, 9), red)]
    )


def test_category_weights_go_by_the_nearest_detective() -> None:
    state = line_game("3", "1")
    moves = [a for a in legal_actions(state) if not isinstance(a, Double) and a.ticket is Ticket.TAXI]
    assert [LINE.label(a.to) for a in moves] == ["2", "4"]
    assert list(CategoryModel().weights(state, moves)) == [CATEGORY_WEIGHTS[0], CATEGORY_WEIGHTS[2]]
    far = line_game("7", "1")
    moves = [a for a in legal_actions(far) if not isinstance(a, Double)]
    assert set(CategoryModel().weights(far, moves)) == {CATEGORY_WEIGHTS[4]}


def test_features_of_a_double_move_by_hand() -> None:
    state = line_game("3", "2")
    double = next(
        a
        for a in legal_actions(state)
        if isinstance(a, Double) and (a.ticket1, a.ticket2) == (Ticket.BUS, Ticket.SECRET) and LINE.label(a.to) == "4"
    )
    row = dict(zip(FEATURES, feature_table(state, [double])[0], strict=True))
    wanted = dict.fromkeys(FEATURES, 0.0) | {
        "near_2": 1,
        "second": 1.0,  # one detective only: the second is far
        "exits": math.log(4),
        "bus": 1,
        "secret": 1,
        "double": 1,
        "double_in_danger": 1,
        "near_by_shown": 2 / 6 / 2,  # the double fills rounds 1 and 2; round 3, the next, is shown
        "exits_by_shown": math.log(4) / 2,
    }
    assert row == pytest.approx(wanted)


def test_soon_shown() -> None:
    rounds = (False, False, True, False)
    assert [soon_shown(rounds, r) for r in (1, 2, 3, 4, 5)] == [1 / 3, 1 / 2, 1, 0, 0]


def games_by(model, n_games: int, seed: int):
    """Games in which Mr X moves by the model and the detectives at random."""
    rng, found = Random(seed), []
    game = make_game("scotland_yard")
    config = game.make_config(rounds=8, shown=[4])
    for _ in range(n_games):
        states, actions = [game.new(config, rng)], []
        while options := legal_actions(states[-1]):
            weights = None if states[-1].waiting else list(model.weights(states[-1], options))
            actions.append(rng.choices(options, weights)[0])
            states.append(apply_action(states[-1], actions[-1]))
        found.append((tuple(states), tuple(actions)))
    return found


TRUE = SoftModel([-2.0, -1.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, -1.0, 1.0, 0.0, -3.0, 1.5, 0.0, 0.0, 0.0])


@pytest.fixture(scope="module")
def games():
    return games_by(TRUE, 40, 1)


def test_the_gradient_is_the_slope(games) -> None:
    decisions, theta = decisions_of(games[:5]), np.array(THETA)
    _, gradient = log_loss(theta, decisions)
    for i in range(len(theta)):
        step = np.zeros(len(theta))
        step[i] = 1e-5
        slope = (log_loss(theta + step, decisions)[0] - log_loss(theta - step, decisions)[0]) / 2e-5
        assert gradient[i] == pytest.approx(slope, abs=1e-6)


def test_the_fit_finds_the_model_that_made_the_games(games) -> None:
    decisions = decisions_of(games)
    fitted = fit_soft(decisions, penalty=1e-4)
    assert fitted.loss <= log_loss(TRUE.theta, decisions)[0] < fitted.uniform_loss
    other = decisions_of(games_by(TRUE, 40, 2))
    assert log_loss(fitted.model.theta, other)[0] < log_loss(TRUE.theta, other)[0] + 0.15
    weights = dict(zip(FEATURES, fitted.model.theta, strict=True))
    assert weights["near_1"] < weights["near_2"] < 0
    assert weights["double"] < -1.5
    assert weights["secret"] < -0.3


def test_the_model_that_made_the_games_scores_best(games) -> None:
    true, uniform = (score_model(model, games) for model in (TRUE, UniformModel()))
    gain = gain_over(true, uniform)
    assert gain.low > 0
    assert true.brier.value < uniform.brier.value
    assert true.rank.value < uniform.rank.value
    assert true.n_games == len(games)


def test_the_true_model_is_calibrated(games) -> None:
    """Probabilities of the model that made the games hold, within what chance allows."""
    for each in score_model(TRUE, games).calibration:
        spread = math.sqrt(each.predicted * (1 - each.predicted) / each.n) + 1e-9
        assert abs(each.observed - each.predicted) < 5 * spread


def test_a_score_by_hand() -> None:
    """1-2-3-4, a detective on 4: from 1 and 3 he must go to 2, from 2 either way; so 2 has 2/3, 1 and 3 have 1/6."""
    board = board_of("1-2:T 2-3:T 3-4:T")
    mrx, red = StartingPlayer(Piece.MRX, Tickets(taxi=2), "1"), StartingPlayer(Piece.RED, Tickets(9), "4")
    state = new_game(board, [False], mrx, [red])
    score = score_model(UniformModel(), [((state, state.advance("T2")), legal_actions(state))])
    assert score.n_positions == score.n_games == 1
    assert score.log_loss.value == pytest.approx(math.log(3 / 2))
    assert math.isnan(score.log_loss.low)
    assert score.brier.value == pytest.approx(1 / 9 + 2 / 36)
    assert (score.rank.value, score.top.value, score.candidates.value) == (1, 1, 3)
    bins = {round(each.predicted, 3): (each.n, each.observed) for each in score.calibration}
    assert bins == {0.167: (2, 0), 0.667: (1, 1)}


def test_models_by_name_and_file(tmp_path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(SoftModel(THETA, {"games": 3}).format())
    again = make_model(str(path))
    assert isinstance(again, SoftModel)
    assert list(again.theta) == pytest.approx(THETA)
    assert again.provenance == {"games": 3}
    assert [make_model(name).name for name in ("uniform", "category", "soft")] == ["uniform", "category", "soft"]
    with pytest.raises(ManhuntError, match="unknown model 'sofd'; did you mean soft"):
        make_model("sofd")


def test_the_shipped_model_says_where_it_comes_from() -> None:
    assert {"command", "games", "decisions", "mrx"} <= set(shipped_soft().provenance)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "does not parse"),
        ("[]", "is not a fitted model"),
        ('{"format": "manhunt soft model 1", "weights": {"near_1": 1}}', "missing or unknown"),
    ],
)
def test_a_bad_model_file_is_one_line(tmp_path, text, words) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(BadText, match=words):
        load_soft(path)
    with pytest.raises(BadText, match="does not parse"):
        parse_soft(json.dumps({"format": "manhunt soft model 1"}))


@pytest.fixture(scope="module")
def folder(tmp_path_factory, games):
    where = tmp_path_factory.mktemp("records")
    game = make_game("scotland_yard")
    for i, (states, actions) in enumerate(games[:6]):
        setup = setup_of(states[0])
        outcome = game.outcome(states[-1])
        record = Record.of(game, states[0].config, setup, actions, names={Seat.EVADER: "x"}, outcome=outcome)
        record.save(where / f"{i}.txt")
    return where


def test_command_fits_and_scores(folder, tmp_path, capsys) -> None:
    model, plot = tmp_path / "mine.json", tmp_path / "plot.png"
    assert run(["beliefs", "fit", str(folder), "--out", str(model), "--json"]) == 0
    fitted = json.loads(capsys.readouterr().out)
    assert fitted["games"] == 6
    assert fitted["loss"] < fitted["uniform_loss"]
    assert load_soft(model).provenance["decisions"] == fitted["decisions"]
    assert run(["beliefs", "score", str(folder), "--model", "uniform", str(model), "--json", "--plot", str(plot)]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert [s["model"] for s in scores] == ["uniform", str(model)]
    assert scores[1]["log_loss"]["value"] < scores[0]["log_loss"]["value"]
    assert sum(row["n"] for row in scores[0]["calibration"]) == sum(row["n"] for row in scores[1]["calibration"])
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert run(["beliefs", "score", str(folder / "0.txt"), "--model", "uniform", "category"]) == 0
    printed = capsys.readouterr().out
    assert "log-loss" in printed
    assert "calibration" in printed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["score", "nowhere.txt"], "cannot read the record nowhere.txt"),
        (["score", "FOLDER", "--model", "sofd"], "unknown model 'sofd'"),
        (["score", "FOLDER", "--plot", "x.doc"], "must end in .png or .svg"),
        (["score", "EMPTY"], "no records"),
        (["fit", "FOLDER", "--out", "none/x.json"], "cannot write"),
        (["fit", "FOLDER", "--out", "x.json", "--penalty", "-1"], "--penalty must be 0 or more"),
        ([], "required"),
    ],
)
def test_bad_input_is_one_line(arguments, words, folder, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    places = {"FOLDER": str(folder), "EMPTY": "empty"}
    assert run(["beliefs", *(places.get(a, a) for a in arguments)]) == 2
    printed = capsys.readouterr()
    assert printed.err.count("\n") == 1
    assert words in printed.err


def test_games_without_a_move_cannot_be_fitted() -> None:
    states, actions = random_history(Random(1), line_game("7", "1"), 0)
    with pytest.raises(BadText, match="no decision of Mr X"):
        decisions_of([(states, actions)])
