"""`manhunt play` from the outside: typed moves, hints, secrets, files, and a real terminal."""

import io
import json
import re
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from manhunt.cli.main import run
from manhunt.cli.terminal.contract import make_screen
from manhunt.cli.terminal.frame import compose
from manhunt.cli.terminal.playing import make_offers, parse_choice
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.core.registry import game_names, make_game
from manhunt.core.seeds import parse_secret
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.actions import PursuitMove
from manhunt.games.pursuit.rules.game import make_setup
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.rules.views import view as view_of
from manhunt.games.pursuit.show.terminal_hints import solver_hints, table_hints
from manhunt.games.pursuit.solvers.exhaustive import solve_one_start
from manhunt.games.pursuit.solvers.policy_file import save_policy
from manhunt.games.pursuit.solvers.tables import solve_to_table
from pseudo_terminal import Terminal

GAME = make_game("pursuit")
SCREEN = make_screen("pursuit")
START = ("--mrx", "1", "--detectives", "5", "10", "--seed", "3")


def play(capsys, monkeypatch, typed: str, *arguments: object, code: int = 0) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert run(["play", "pursuit", *map(str, arguments)]) == code
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def start(**options: object) -> PursuitState:
    config = GAME.make_config(**options)
    return GAME.start(config, make_setup(config, 1, [5, 10]))


@pytest.mark.parametrize("typed", ["1", "#1", "X:8", "x:8", "8", " 8 "])
def test_a_move_by_number_notation_or_node(capsys, monkeypatch, typed: str) -> None:
    text = play(capsys, monkeypatch, f"{typed}\n", "--as", "mrx", *START)
    assert "#1 X:8  #2 X:9" in text
    assert "round 1: Mr X goes to 8" in text


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("castle", "'castle' is not legal now; legal: X:8, X:9"),
        ("17", "'17' is not legal now; legal: X:8, X:9"),
        ("#7", "there is no move #7; the numbers are #1 to #2"),
        ("", "type a number"),
    ],
)
def test_bad_typing_is_answered_in_one_line_and_asked_again(capsys, monkeypatch, typed: str, answer: str) -> None:
    lines = play(capsys, monkeypatch, f"{typed}\n9\nq\n", "--as", "mrx", *START).splitlines()
    (found,) = [i for i, line in enumerate(lines) if answer in line]
    assert lines[found + 1] == "Mr X to move: "
    assert lines[found + 2] == "round 1: Mr X goes to 9"


def test_a_number_that_could_be_two_moves_is_asked_again() -> None:
    state = GAME.start(config := GAME.make_config(board="ring:5"), make_setup(config, 3, [5, 1]))
    view = view_of(state, Seat.EVADER)
    offers = make_offers(SCREEN, view, None)
    assert [str(offer) for offer in offers] == ["#1 X:2", "#2 X:4"]
    with pytest.raises(BadText, match=r"2 could be #2 \(X:4\) or X:2; type one of these"):
        parse_choice(view, offers, "2")
    with pytest.raises(BadText, match="is not legal now"):
        parse_choice(view, offers, "1" * 5_000)
    board = config.board
    assert parse_choice(view, offers, "1") == parse_choice(view, offers, "X:2") == PursuitMove(board.node(2))
    assert parse_choice(view, offers, "4") == parse_choice(view, offers, "#2") == PursuitMove(board.node(4))


@pytest.mark.parametrize("typed", ["q\n", "Q\n", "quit\n", "", "1\n"])
def test_quitting_and_the_end_of_input_leave_the_game_unfinished(capsys, monkeypatch, typed: str) -> None:
    lines = play(capsys, monkeypatch, typed, "--as", "mrx", *START).splitlines()
    assert lines[-1] == "The game is unfinished."


def test_a_whole_game_as_detectives(capsys, monkeypatch, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    typed = "#1\n" * 4
    text = play(capsys, monkeypatch, typed, "--as", "detectives", *START, "--max-rounds", 2, "--record", file)
    assert text.splitlines()[-1] == "Result: Mr X wins (Mr X survived all rounds) in round 2."
    assert 'seats: {"evader": "solved", "pursuers": "person"}' in file.read_text()


def test_json_offers_moves_and_answers_errors(capsys, monkeypatch) -> None:
    text = play(capsys, monkeypatch, "castle\nX:9\n", "--as", "mrx", *START, "--json", "--max-rounds", 1, "--hints")
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["t"] for line in lines] == [
        "detectives", "quarry", "your turn", "error", "your turn", "moved", "moved", "moved", "end", "outcome",
    ]  # fmt: skip
    hint = lines[2].pop("hint")
    assert lines[2] == {"t": "your turn", "legal": ["X:8", "X:9"], "wins": [True, True]}
    assert hint["action"] in ("X:8", "X:9")
    assert hint["words"].startswith("Best: ")
    assert lines[-1]["winner"] == "evader"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "arguments are required: --as"),
        (("--as", "fugitive"), "invalid choice: 'fugitive'"),
        (("--as", "mrx", "--agent-mrx", "random"), "you play Mr X yourself"),
        (
            ("--as", "mrx", "--table", "no.table", "--visibility", "rounds"),
            "solved hints need a game that everybody sees",
        ),
        (("--as", "mrx", "--policy-file", "nowhere.json"), "cannot read policy nowhere.json"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments: tuple[str, ...], message: str) -> None:
    assert run(["play", "pursuit", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


# -- secrets -----------------------------------------------------------------------------------------


def screenful(view: object, columns: int) -> str:
    console = Console(width=columns, height=30, record=True, file=io.StringIO())
    console.print(compose(console, SCREEN, view))
    return "\n".join([console.export_text(), SCREEN.header(view), SCREEN.prompt(view)])


@settings(max_examples=20)
@given(st.sampled_from(["petersen", "grid:4x4", "london"]), st.integers(0, 1000), st.sampled_from([80, 140]))
def test_the_screen_cannot_tell_hidden_places_apart(board: str, seed: int, columns: int) -> None:
    """Two truths that differ only in where the unseen quarry is give the same screen."""
    rng = Random(seed)
    config = GAME.make_config(board=board, visibility="rounds", reveal_rounds=(99,))
    one, other, *detectives = rng.sample(config.board.labels, 4)
    pictures = []
    for quarry in (one, other):
        state = GAME.start(config, make_setup(config, quarry, detectives))
        for seat in (Seat.PURSUERS, Seat.SPECTATOR):
            pictures.append(screenful(view_of(state, seat), columns))
    assert len(set(pictures)) == 1
    assert "Mr X on" not in pictures[0]


def test_a_hidden_quarry_is_told_only_where_it_is_revealed(capsys, monkeypatch) -> None:
    hidden = ("--visibility", "rounds", "--reveal-rounds", "2", "--max-rounds", "3")
    text = play(capsys, monkeypatch, "#1\n" * 6, "--as", "detectives", *START, *hidden)
    told = [line for line in text.splitlines() if "Mr X" in line and "goes" in line]
    assert len(told) == 1
    assert told[0].startswith("round 2: ")
    assert "Result: " in text


# -- hints -------------------------------------------------------------------------------------------


@cache
def escapes(state: PursuitState) -> bool:
    """Plain minimax over the rules."""
    end = rules.outcome(state)
    if end is not None:
        return end.winner is Side.EVADER
    after = (escapes(rules.apply_action(state, action)) for action in rules.legal_actions(state))
    return any(after) if rules.to_act(state) is Seat.EVADER else all(after)


@given(
    st.sampled_from(["ring:5", "path:5", "petersen", "grid:3x3"]),
    st.sampled_from(["in-order", "any", "at-once"]),
    st.sampled_from(["evader", "pursuers"]),
    st.integers(1, 3),
    st.randoms(use_true_random=False),
)
def test_hints_agree_with_plain_minimax(board: str, order: str, first: str, rounds: int, rng) -> None:
    config = GAME.make_config(board=board, order=order, first=first, max_rounds=rounds, n_detectives=2)
    state = GAME.new(config, rng)
    if rules.outcome(state) is not None:
        return
    advisers = {seat: solver_hints(view_of(state, seat)) for seat in PLAYERS}
    while rules.outcome(state) is None:
        seat = rules.to_act(state)
        verdicts = advisers[seat](view_of(state, seat))
        wanted = seat is Seat.EVADER
        assert verdicts == {
            action: escapes(rules.apply_action(state, action)) is wanted for action in rules.legal_actions(state)
        }
        state = rules.apply_action(state, rng.choice(rules.legal_actions(state)))


def test_hints_mark_the_known_first_move() -> None:
    view = view_of(start(max_rounds=4), Seat.EVADER)
    offers = make_offers(SCREEN, view, solver_hints(view))
    assert str(offers[0]) == "#1 X:8 wins"
    assert all(offer.wins == escapes(rules.apply_action(start(max_rounds=4), offer.action)) for offer in offers)


def test_hints_from_a_table_agree_with_plain_minimax(tmp_path: Path) -> None:
    file = tmp_path / "ring.table"
    solve_to_table(GAME.make_config(board="grid:3x3", n_detectives=2), file)
    config = GAME.make_config(board="grid:3x3", n_detectives=2, max_rounds=4)
    for seed in range(5):
        state = GAME.new(config, Random(seed))
        while rules.outcome(state) is None:
            seat = rules.to_act(state)
            view = view_of(state, seat)
            assert table_hints(view, file)(view) == {
                action: escapes(rules.apply_action(state, action)) is (seat is Seat.EVADER) for action in view.legal
            }
            state = rules.apply_action(state, Random(seed).choice(view.legal))


# -- policy files ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("policies") / "x_1_d_5_10.json"
    save_policy(file, solve_one_start(start(max_rounds=4)))
    return file


def test_a_policy_file_brings_its_game_and_plays_mr_x(capsys, monkeypatch, policy: Path) -> None:
    text = play(capsys, monkeypatch, "#1\n" * 8, "--as", "detectives", "--policy-file", policy)
    assert "detectives on 5 10\nMr X on 1\n" in text
    assert "round 1: Mr X goes to 8" in text
    assert "round 0 of 4" not in text
    assert text.splitlines()[-1] == "Result: Mr X wins (Mr X survived all rounds) in round 4."


def test_options_that_agree_with_the_policy_file_are_welcome(capsys, monkeypatch, policy: Path) -> None:
    same = ("--mrx", "1", "--detectives", "5", "10", "--max-rounds", "4", "--board", "top-right-20")
    text = play(capsys, monkeypatch, "", "--as", "detectives", "--policy-file", policy, *same, "--seed", "1")
    assert "round 1: Mr X goes to 8" in text


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--mrx", "9"), "--mrx 9 contradicts"),
        (("--detectives", "10", "5"), "--detectives 10 5 contradicts"),
        (("--detectives", "5"), "contradicts"),
        (("--max-rounds", "5"), "--max-rounds 5 contradicts"),
        (("--n-detectives", "3"), "--n-detectives 3 contradicts"),
        (("--order", "any"), "--order any contradicts"),
        (("--board", "london"), "not for london"),
        (("--agent-mrx", "random"), "already plays Mr X"),
    ],
)
def test_options_that_contradict_the_policy_file_are_refused(
    capsys, policy: Path, option: tuple[str, ...], message: str
) -> None:
    assert run(["play", "pursuit", "--as", "detectives", "--policy-file", str(policy), *option]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_nobody_else_plays_the_seat_of_the_person(capsys, policy: Path) -> None:
    assert run(["play", "pursuit", "--as", "mrx", "--policy-file", str(policy)]) == 2
    assert "you play Mr X yourself" in capsys.readouterr().err


# -- the screen --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (130, 40), (220, 60), (60, 18)])
@pytest.mark.parametrize("board", ["top-right-20", "london", "grid:10x10", "complete:5"])
def test_the_screen_fits(size: tuple[int, int], board: str) -> None:
    config = GAME.make_config(board=board, n_detectives=3)
    view = view_of(GAME.new(config, Random(1)), Seat.EVADER)
    console = Console(width=size[0], height=size[1], file=io.StringIO(), record=True)
    console.print(compose(console, SCREEN, view, log=["one", "two", "three"]))
    lines = console.export_text().rstrip("\n").split("\n")
    assert len(lines) <= size[1]
    assert max(map(len, lines)) <= size[0]
    text = "\n".join(lines)
    assert all(f"{letter} " in text for letter in "XRGB")
    assert all(f"({config.board.label(action.to)})" in text for action in view.legal) or board == "london"


def test_every_screen_answers_for_its_game() -> None:
    for name in game_names():
        screen = make_screen(name)
        assert screen.game == name
        assert set(screen.words.values()) == set(PLAYERS)
    with pytest.raises(ManhuntError, match="unknown game 'chess'"):
        make_screen("chess")


def test_playing_in_a_terminal() -> None:
    with Terminal("play", "pursuit", "--as", "mrx", *START) as terminal:
        terminal.expect("round 1 of 15: Mr X to move", "#1 X:8", "(8)", "Mr X to move:")
        terminal.press("castle\n")
        terminal.expect("'castle' is not legal now; legal: X:8, X:9")
        terminal.press("8\n")
        terminal.expect("round 2 of 15: Mr X to move", "#3 X:19")
        terminal.press("q\n")
        terminal.expect("The game is unfinished.")
        assert terminal.wait() == 0
        assert terminal.is_cooked()


def test_ctrl_c_in_a_terminal() -> None:
    with Terminal("play", "pursuit", "--as", "mrx", *START) as terminal:
        terminal.expect("Mr X to move:")
        terminal.press("\x03\n")  # a signal between the prompt and the reading is noticed at the next key
        terminal.expect("manhunt: interrupted")
        assert terminal.wait() == 130


def test_a_drawn_seed_is_a_secret_that_is_told_at_the_end_and_plays_the_game_again(capsys) -> None:
    line = ["watch", "pursuit", "--no-viz", "--mrx", "1", "--detectives", "5", "10"]
    assert run(line) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Pursuit, seed shown at the end: ")
    told = re.fullmatch(r"The seed was ([0-9a-f]{64})\.", lines[-2])
    assert told
    assert run([*line, "--seed", told[1]]) == 0
    again = capsys.readouterr().out.splitlines()
    assert again[1:] == [*lines[1:-2], lines[-1]]
    assert run([*line, "--seed", "12ab"]) == 2
    assert "'12ab' is not a whole number, nor a 64-digit secret" in capsys.readouterr().err


def test_nothing_tells_the_seed_before_the_end(capsys) -> None:
    assert run(["watch", "scotland_yard", "--rounds", "2", "--json"]) == 0
    *events, outcome = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    seed = parse_secret(outcome["seed"])
    assert seed.hex not in json.dumps(events)
    assert [event["t"] for event in events if event.get("t") == "commitment"] == ["commitment"]
