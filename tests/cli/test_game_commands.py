"""Commands that games bring: they are listed, found by the game's name or without it, and refused in one line."""

import subprocess
import sys

import pytest

from manhunt.cli.game_commands import game_commands
from manhunt.cli.main import COMMANDS, build_parser, run
from manhunt.core.registry import game_names
from outside_games import installed


@pytest.fixture
def tag(tmp_path, monkeypatch):
    with installed(tmp_path, monkeypatch, tag_game="tag_game:KIT"):
        yield


def refused(capsys, *arguments: str) -> str:
    assert run(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    return line


def help_of(capsys, *arguments: str) -> str:
    with pytest.raises(SystemExit) as left:
        run([*arguments, "--help"])
    assert left.value.code == 0
    return capsys.readouterr().out


def test_every_command_of_a_game_is_listed_with_it() -> None:
    text = build_parser().format_help()
    for name, owners in game_commands().items():
        assert f"\n  {name} " in text
        assert all(f" {game}: {command.summary}\n" in text for game, command in owners.items())


def test_a_command_that_no_game_brings_does_not_exist(capsys) -> None:
    assert "greet" not in build_parser().format_help()
    assert "unknown command 'greet'" in refused(capsys, "greet")


def test_a_command_of_another_package_appears_and_runs(tag, capsys) -> None:
    assert "  greet       tag_game: say hello\n" in build_parser().format_help()
    assert run(["greet"]) == run(["greet", "--name", "Ann"]) == run(["greet", "tag-game", "--name", "Bob"]) == 0
    assert capsys.readouterr().out == "hello world\nhello Ann\nhello Bob\n"
    assert "manhunt greet --name Ann" in help_of(capsys, "greet")


def test_a_command_that_reads_its_words_itself_gets_all_but_the_game(tag, capsys) -> None:
    assert run(["echo", "one", "two"]) == run(["echo", "tag_game", "three"]) == 0
    assert capsys.readouterr().out == "one two\nthree\n"


def test_names_of_the_platforms_commands_are_taken(tag, capsys) -> None:
    assert "this name is taken" not in build_parser().format_help()
    assert run(["watch", "tag-game", "--no-viz", "--seed", "1"]) == 0
    assert capsys.readouterr().out.startswith("Tag, seed 1: ")


def test_a_mistyped_command_of_a_game_is_guessed(capsys) -> None:
    assert "did you mean solve?" in refused(capsys, "solv")


@pytest.mark.parametrize("word", ["nonsense", "scotland-yard", "tag_game"])
def test_an_unknown_game_is_one_line(capsys, word: str) -> None:
    told = refused(capsys, "solve", word)
    assert told == f"manhunt: unknown game to solve {word!r}; known: pursuit, fugitive"


def test_a_game_that_has_to_be_named(capsys) -> None:
    told = refused(capsys, "study")
    assert told == "manhunt: the following arguments are required: GAME (see 'manhunt study --help')"
    assert "unknown game to study 'pursuit'; known: fugitive" in refused(capsys, "study", "pursuit")
    told = refused(capsys, "study", "--games", "0", "fugitive")  # the game may stand behind options
    assert "0 is too small" in told


@pytest.mark.parametrize("spelling", ["shortest-path", "shortest_path"])
def test_hyphens_and_underscores_are_the_same(capsys, spelling: str) -> None:
    assert "'70000' is not a port" in refused(capsys, "serve", spelling, "--port", "70000")
    assert "manhunt watch shortest_path --seed 7" in help_of(capsys, "watch", spelling)
    assert run(["agents", "--game", spelling, "--json"]) == 0


def test_agents_of_a_game_with_or_without_the_option(capsys) -> None:
    answers = []
    for words in (["fugitive"], ["--game", "fugitive"]):
        assert run(["agents", *words, "--json"]) == 0
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1]
    assert "bir-1" in answers[0]
    assert "mcts" not in answers[0]
    assert run(["agents", "fugitive", "--game", "pursuit"]) == 2
    assert capsys.readouterr().err == "manhunt: fugitive and --game pursuit: name one game\n"


def test_help_names_the_other_games_that_have_the_command(capsys) -> None:
    assert "manhunt solve fugitive --help   small decks" in help_of(capsys, "solve")
    assert "manhunt solve pursuit --help" in help_of(capsys, "solve", "fugitive")
    assert help_of(capsys, "solve", "pursuit") == help_of(capsys, "solve")


def test_a_game_that_does_not_load_takes_no_other_command_away(tmp_path, monkeypatch, capsys) -> None:
    with installed(tmp_path, monkeypatch, broken="no_such_package:KIT"):
        assert "broken" in game_names()
        assert set(game_commands()) == {"solve", "beliefs", "train", "study", "serve"}
        assert "game broken does not load" in refused(capsys, "watch", "broken")


@pytest.mark.parametrize("command", [[], ["watch"], ["play"], ["boards"], ["demo"]])
def test_help_stays_cheap_with_a_game_of_another_package(tag, command: list[str]) -> None:
    line = [sys.executable, "-X", "importtime", "-m", "manhunt", *command, "--help"]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    if not command:
        assert "tag_game: say hello" in done.stdout
        assert all(f"\n  {name} " in done.stdout for name in COMMANDS)
    loaded = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
    assert not loaded & {"tag_game.game", "tag_game.greet_command", "numpy", "numba", "rich", "networkx"}
