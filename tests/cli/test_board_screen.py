"""A game on a board that brings no screen: `watch` and `play` in lines, JSON, pictures and a real terminal."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from manhunt.cli.main import run
from manhunt.cli.terminal.board_screen import BoardScreen, seat_words, strongest_agents
from manhunt.cli.terminal.contract import make_screen
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of
from manhunt.play.record import load_record, replay
from outside_games import installed
from pseudo_terminal import Terminal


@pytest.fixture(autouse=True)
def tag(tmp_path, monkeypatch):
    with installed(tmp_path, monkeypatch, tag_game="tag_game:KIT"):
        yield


def watch(capsys, *arguments: object) -> list[str]:
    assert run(["watch", "tag_game", "--no-viz", "--seed", "3", *map(str, arguments)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out.splitlines()


def play(capsys, monkeypatch, typed: str, *arguments: object) -> list[str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert run(["play", "tag_game", "--seed", "3", *map(str, arguments)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out.splitlines()


def test_it_is_the_screen_of_games_without_one() -> None:
    assert isinstance(make_screen("tag_game"), BoardScreen)
    assert make_screen("tag_game").words == {"sly-fox": Seat.EVADER, "hounds": Seat.PURSUERS}


def test_the_strongest_agents_play_where_they_were_measured() -> None:
    kit = kit_of("scotland_yard")
    chosen = strongest_agents(kit, seat_words(kit))
    for word, spec in chosen.items():
        seat = seat_words(kit)[word]
        (level,) = [level for level in kit.levels if level.seat is seat and level.spec == spec]
        assert level.strength == max(other.strength for other in kit.levels if other.seat is seat)
    assert make_screen("tag_game").default_agents == {"sly-fox": "random", "hounds": "random"}


def test_a_whole_game_as_lines(capsys) -> None:
    lines = watch(capsys)
    assert lines[0] == "Tag, seed 3: sly-fox random, hounds random"
    assert any(line.startswith("round 1: moved: piece 0, to ") for line in lines)
    assert any(line.startswith("round 2: moved: piece quarry, to ") for line in lines), "it is seen in round 2"
    assert not any(line.startswith("round 1: moved: piece quarry") for line in lines)
    assert any(line.startswith("round 1: moved: piece quarry") for line in watch(capsys, "--reveal"))
    assert lines[-1].startswith("Result: ")
    assert " won: " in lines[-1]


def test_a_whole_game_as_json_with_its_record_and_pictures(capsys, tmp_path: Path) -> None:
    record, picture, film = (tmp_path / name for name in ("game.txt", "game.svg", "game.gif"))
    *events, outcome = map(json.loads, watch(capsys, "--json", "--record", record, "--save", picture))
    assert [event["v"] for event in events] == list(range(1, len(events) + 1))
    assert outcome["plies"] == len(replay(load_record(record)).actions) > 3
    assert load_record(record).game == "tag_game"
    assert 'data-piece="pursuer-1"' in picture.read_text()
    watch(capsys, "--save", film)
    assert film.read_bytes().startswith(b"GIF8")


def test_options_of_the_game_are_set_by_name(capsys) -> None:
    watch(capsys, "--set", "rounds=1", "--board", "petersen")
    assert run(["watch", "tag_game", "--no-viz", "--set", "rounds=1", "--seed", "3", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert told[-1]["plies"] <= 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--set", "rounds"), "argument --set: 'rounds': write KEY=VALUE"),
        (("--set", "speed=3"), "invalid game options: "),
        (("--set", "rounds=many"), "max_rounds"),
        (("--board", "londn"), "did you mean london?"),
        (("--preset", "sed"), "did you mean seed?"),
        (("--agent-sly-fox", "randm"), "did you mean random?"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments: tuple[str, ...], message: str) -> None:
    assert run(["watch", "tag_game", *arguments]) == 2
    printed = capsys.readouterr()
    (line,) = printed.err.splitlines()
    assert message in line
    assert printed.out == ""


def test_a_person_plays_the_quarry(capsys, monkeypatch) -> None:
    lines = play(capsys, monkeypatch, "#1\n" * 4, "--as", "sly-fox")
    assert any(line.startswith("Tag, round 0: the Sly Fox to move (grid:3x4): #1 X:") for line in lines)
    assert "The Sly Fox to move: " in lines
    assert lines[-1].startswith("Result: ")


def test_a_person_who_hunts_is_told_where_the_quarry_can_be(capsys, monkeypatch) -> None:
    lines = play(capsys, monkeypatch, "nowhere\n" + "#1\n" * 8, "--as", "hounds")
    assert any(line.startswith("'nowhere' is not legal now; legal: ") for line in lines)
    assert any(line.startswith("The Sly Fox can be on ") for line in lines)
    assert lines[-1].startswith("Result: ")


def test_candidates_are_marked_on_the_map_and_the_truth_is_among_them() -> None:
    """Every view of the hounds in a whole game."""
    from manhunt.agents.registry import make_agent
    from manhunt.play.onlooker import Onlooker
    from manhunt.play.referee import Referee

    game = kit_of("tag_game").game
    agents = {seat: make_agent("random", "tag_game", seat) for seat in (Seat.EVADER, Seat.PURSUERS)}
    referee = Referee(game, game.make_config(), agents, seed=5)
    onlooker = Onlooker(referee, Seat.PURSUERS)
    screen = BoardScreen("tag_game")
    screen.open(onlooker.view)
    referee.register(lambda notice: screen.hear(notice.events), Seat.PURSUERS)
    n_hidden = 0
    while not onlooker.over:
        onlooker.step()
        view: Any = onlooker.view
        nodes = screen.candidates(view)
        if view.quarry is None and not onlooker.over:
            n_hidden += 1
            assert referee.state.quarry in nodes
            picture = screen.picture(view, 80, 20).plain
            label = view.config.board.label
            for node in set(nodes) - set(view.pursuers):
                seen_here = view.sighting is not None and view.sighting.node == node
                signs = [f"? {label(node)}"] if seen_here else [f"?{label(node)} ", f"({label(node)}?)"]
                assert any(sign in picture for sign in signs)
        else:
            assert nodes == ()
    assert n_hidden > 3


def test_watch_by_keys_in_a_terminal() -> None:
    with Terminal("watch", "tag_game", "--seed", "3", "--pace", "0") as terminal:
        terminal.expect("Tag, round 0: the Sly Fox to move (grid:3x4)", "red", "The Sly Fox can be on", " N ")
        terminal.press("n")
        terminal.expect("the hounds to move")
        terminal.press("a")
        terminal.expect(" won: ")
        terminal.press("q")
        terminal.expect("Result: ")
        assert terminal.wait() == 0
        assert terminal.is_cooked()


def test_play_in_a_terminal() -> None:
    with Terminal("play", "tag_game", "--as", "hounds", "--seed", "3") as terminal:
        terminal.expect("The hounds to move:", "(", "#1 ", "type a number")
        terminal.press("#1\n")
        terminal.expect("The hounds to move:")
        terminal.press("q\n")
        terminal.expect("The game is unfinished.")
        assert terminal.wait() == 0


def test_help_shows_seats_board_and_settings(capsys) -> None:
    with pytest.raises(SystemExit):
        run(["play", "tag-game", "--help"])
    text = capsys.readouterr().out
    for words in ("--agent-sly-fox", "--board B", "--set KEY=VALUE", "manhunt play tag_game --as sly-fox"):
        assert words in text


def test_a_game_without_a_screen_of_its_own_has_hints_help_and_take_backs(capsys, monkeypatch) -> None:
    words = list(BoardScreen("tag_game").words)
    lines = play(capsys, monkeypatch, "?\n#1\nu\nq\n", "--as", words[0], "--hints", "--no-viz")
    hints = [line for line in lines if line.startswith("Hint: Try: ")]
    assert hints
    assert lines[lines.index("Moves:") + 1].startswith("  ")
    assert "taken back; 1 turn in all, which the record will mention" in lines
