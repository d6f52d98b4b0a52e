"""Night Chase is installed, nothing else changes: every command knows it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from example_games import NIGHT_CHASE, known_here
from manhunt.core.registry import game_names
from manhunt.play.record import load_record, replay
from manhunt.play.replay_page import replay_page

PLAIN_BOT = NIGHT_CHASE.parents[1] / "bots" / "plain_bot.py"
SMALL = ("--board", "grid:3x3", "--set", "hunters=1", "--set", "rounds=4")


def test_the_tests_themselves_do_not_know_it() -> None:
    assert "night_chase" not in game_names()


def test_the_whole_game_has_at_most_400_lines() -> None:
    files = [*NIGHT_CHASE.rglob("*.py"), *NIGHT_CHASE.rglob("*.json")]
    assert len(files) == 10
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= 400


def test_games_lists_it(manhunt) -> None:
    lines = manhunt("games").stdout.splitlines()
    start = lines.index("night_chase  runner, hunters")
    told = " ".join(" ".join(lines[start:]).split())
    assert "the hunters see the runner only when one of them is close" in told
    assert "blind hunters see nothing until they catch the runner README of Night Chase, paragraphs 1 to 7" in told
    (row,) = [row for row in json.loads(manhunt("games", "--json").stdout) if row["name"] == "night_chase"]
    assert (row["title"], row["hidden"], row["chance"]) == ("Night Chase", True, False)
    assert row["seats"] == {"evader": "runner", "pursuers": "hunters"}
    assert [preset["name"] for preset in row["presets"]] == ["standard", "blind", "moonlight"]


def test_agents_lists_those_that_play_it(manhunt) -> None:
    rows = json.loads(manhunt("agents", "--game", "night_chase", "--json").stdout)
    assert {row["name"] for row in rows} == {"random", "learned", "greedy"}
    told = " ".join(manhunt("agents", "--game", "night_chase").stdout.split())
    assert "greedy The runner keeps away from the nearest hunter; the hunters close in" in told
    assert "temperature: a number, default 0.0" in told


def test_watch_tells_what_spectators_may_know(manhunt) -> None:
    lines = manhunt("watch", "night_chase", "--seed", 2, "--no-viz").stdout.splitlines()
    assert lines[0] == "Night Chase, seed 2: runner greedy, hunters greedy"
    assert lines[1:3] == ["hunters on 4 1", "round 1: the runner moves"]
    assert any(line.startswith("round 1: green goes to ") for line in lines)
    assert any("the runner is seen on " in line for line in lines)
    assert not any("the runner is on " in line for line in lines)
    assert lines[-1].startswith("Result: the ")
    revealed = manhunt("watch", "night_chase", "--seed", 2, "--no-viz", "--reveal").stdout.splitlines()
    assert sum("the runner is on " in line for line in revealed) > 1


def test_watch_makes_json_picture_and_a_record_that_replays(manhunt, night_chase_folder: Path, tmp_path: Path) -> None:
    words = ("watch", "night_chase", "--seed", 5, "--json", "--save", "last.svg", "--record", "game.txt")
    *events, outcome = [json.loads(line) for line in manhunt(*words).stdout.splitlines()]
    assert [event["v"] for event in events] == list(range(1, len(events) + 1))
    assert len(events) == 3 + 3 * outcome["plies"] + 1, "three for the opening, three for each ply, the end"
    assert sum(set(event) == {"v"} for event in events) == 1 + sum(event.get("piece", 0) is None for event in events)

    picture = ElementTree.parse(tmp_path / "last.svg")
    pieces = {element.get("data-piece") for element in picture.iter() if element.get("data-piece")}
    assert {"pursuer-0", "pursuer-1"} <= pieces

    with known_here(night_chase_folder):
        record = load_record(tmp_path / "game.txt")
        past = replay(record)
        assert len(past.actions) == outcome["plies"]
        assert record.format() == (tmp_path / "game.txt").read_text(encoding="utf-8")
        assert str(past.states[-1].config.board.name) == "grid:6x6"
        page = replay_page(record)
    assert "<title>Night Chase: greedy against greedy</title>" in page
    assert "runner: greedy · hunters: greedy · seed 5" in page
    again = manhunt("watch", "night_chase", "--seed", 5, "--no-viz", "--record", "again.txt")
    assert (tmp_path / "again.txt").read_bytes() == (tmp_path / "game.txt").read_bytes(), again.stdout


def test_options_and_boards_are_set_by_name(manhunt, tmp_path: Path) -> None:
    words = ("--preset", "blind", "--set", "sight=2", "--set", "hunters=3", "--board", "dodecahedron")
    manhunt("watch", "night_chase", "--no-viz", *words, "--record", "game.txt")
    head = (tmp_path / "game.txt").read_text(encoding="utf-8")
    config = json.loads(next(line for line in head.splitlines() if line.startswith("config: "))[8:])
    assert config["board"]["name"] == "dodecahedron"
    assert (config["preset"], config["hunters"], config["sight"], config["rounds"]) == ("blind", 3, 2, 20)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("--set", "sigt=2"),
            "unknown option of night_chase 'sigt'; did you mean sight? known: hunters, rounds, sight",
        ),
        (("--set", "sight=-1"), "sight must be a whole number of 0 or more, not -1"),
        (("--set", "hunters=two"), "hunters must be a whole number of 1 or more, not 'two'"),
        (("--set", "hunters=36"), "36 hunters are too many for grid:6x6: 36 nodes"),
        (("--preset", "day"), "unknown preset 'day'"),
        (("--agent-runner", "gredy"), "did you mean greedy?"),
    ],
)
def test_bad_options_are_one_line(manhunt, words: tuple[str, ...], told: str) -> None:
    done = manhunt("watch", "night_chase", *words, code=2)
    (line,) = done.stderr.splitlines()
    assert told in line
    assert done.stdout == ""


def test_a_person_hunts_by_typing(manhunt) -> None:
    lines = manhunt(
        "play", "night_chase", "--as", "hunters", "--seed", 2, typed="R:1\n" + "#1\n" * 40
    ).stdout.splitlines()
    assert lines[0] == "Night Chase, seed 2: runner greedy, hunters person"
    assert "Night Chase, round 1: the hunters to move (grid:6x6): #1 h0:3  #2 h0:5  #3 h0:10" in lines
    assert any(line.startswith("'R:1' is not legal now; legal: ") for line in lines)
    assert any(line.startswith("The runner can be on 29 nodes: ") for line in lines)
    assert not any("the runner is on " in line for line in lines)
    assert lines[-1].startswith("Result: the ")


def test_a_person_runs_by_typing(manhunt) -> None:
    lines = manhunt("play", "night_chase", "--as", "runner", "--seed", 2, typed="#1\n" * 20).stdout.splitlines()
    assert lines[:3] == ["Night Chase, seed 2: runner person, hunters greedy", "hunters on 4 1", "the runner is on 8"]
    assert "Night Chase, round 0: the runner to move (grid:6x6): #1 R:2  #2 R:7  #3 R:9  #4 R:14" in lines
    assert lines[-1] == "Result: the hunters won: the runner was caught in round 1."


def test_arena_plays_every_pair(manhunt) -> None:
    words = ("--evader", "random", "greedy", "--pursuers", "random", "greedy", "--games", 6, "--seed", 1, "--json")
    told = json.loads(manhunt("arena", "night_chase", *words, *SMALL).stdout)
    assert (told["game"], told["finished"], told["of"]) == ("night_chase", 24, 24)
    assert {(cell["evader"], cell["pursuers"]) for cell in told["cells"]} == {
        (evader, pursuers) for evader in ("random", "greedy") for pursuers in ("random", "greedy")
    }
    for cell in told["cells"]:
        assert sum(cell["endings"].values()) == cell["games"] == 6
        assert set(cell["endings"]) <= {"capture", "stranded", "survival"}
        assert cell["forfeits"] == {"evader": 0, "pursuers": 0}
    assert "runner \\ hunters" in manhunt("arena", "night_chase", *words[:-1], *SMALL).stdout


def test_a_bot_in_another_process_plays_it(manhunt) -> None:
    told = manhunt("bot", "check", f"{sys.executable} {PLAIN_BOT}", "--game", "night_chase").stdout
    assert "at night_chase: 2 whole games" in told
    assert "leak certificate as pursuers: no difference in " in told
    assert told.endswith("no violations\n")


EVENING = f"""name = "Night evening"
seed = 4
[format]
games = 1
[[game]]
game = "night_chase"
board = "grid:3x3"
options = {{ hunters = 1, rounds = 4, sight = 2 }}
[[bot]]
name = "ann"
agent = "random"
[[bot]]
name = "bob"
agent = "greedy"
[[bot]]
name = "cy"
command = "{sys.executable} {PLAIN_BOT}"
"""


def test_a_tournament_is_played_and_exported(manhunt, tmp_path: Path) -> None:
    (tmp_path / "evening.toml").write_text(EVENING, encoding="utf-8")
    assert "Night evening  finished, 6 of 6 games" in manhunt("tournament", "run", "evening.toml").stdout
    manhunt("tournament", "export", "evening.toml", "--out", "site")
    pages = sorted((tmp_path / "site" / "games").glob("*.html"))
    assert len(pages) == 6
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "<title>Night Chase: " in text
        assert "game: night_chase" in text, "the record is in the page"
    results = json.loads((tmp_path / "site" / "results.json").read_text(encoding="utf-8"))
    assert {row["bot"] for row in results["standings"]} == {"ann", "bob", "cy"}
    assert sum(row["forfeits"] for row in results["standings"]) == 0


PROGRAM = """
from manhunt import Seat, make_agent, make_game, play_game

game = make_game("night_chase")
config = game.make_config("moonlight", board="petersen", hunters=1, rounds=6)
agents = {seat: make_agent("greedy", "night_chase", seat) for seat in (Seat.EVADER, Seat.PURSUERS)}
print(play_game(game, config, agents, seed=3).format())
"""


def test_a_program_plays_it(environment: dict[str, str]) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:2] == ["manhunt record 1", "game: night_chase"]
    assert any('"preset": "moonlight", "hunters": 1, "rounds": 6, "sight": 2' in line for line in lines)
    assert any(line.startswith("1. R:") for line in lines)
    assert any(line.startswith("outcome: ") for line in lines)
