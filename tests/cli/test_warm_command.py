"""`manhunt warm`, and first uses of commands with an empty cache."""

import json
import os
import subprocess
import sys

import pytest

from manhunt.cli.main import run
from manhunt.cli.warm import find_work, seconds_to_compile
from manhunt.cli.warm_topics import play_and_ask, use_topic
from manhunt.core.jit import MODE_VARIABLE
from manhunt.core.registry import kit_of, kits
from manhunt.core.warm import ALL_TOPICS, is_warm, kernels_of, topics_of

QUICK_GAMES = [kit.name for kit in kits() if kit.lobby.quick is not None]
SMALL = "shortest_path/committed"
"""Work with few kernels, quick to compile."""
compiled_only = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled here")


def start(*words: str, cache, **environment: str) -> subprocess.Popen[str]:
    env = {key: value for key, value in os.environ.items() if key != MODE_VARIABLE}
    env |= {"NUMBA_CACHE_DIR": str(cache), **environment}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-m", "manhunt", *words], env=env, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    )


@pytest.mark.parametrize("game", QUICK_GAMES)
def test_every_question_of_a_quick_game_is_answered(game: str) -> None:
    answers = play_and_ask(kit_of(game))
    assert set(answers) == set(kit_of(game).questions)
    assert all(answers.values())


@compiled_only
def test_it_compiles_what_is_cold_and_nothing_twice(tmp_path) -> None:
    for expected in ([SMALL], []):
        process = start("warm", SMALL, "--json", cache=tmp_path)
        out, err = process.communicate()
        assert process.returncode == 0
        assert list(json.loads(out)["seconds"]) == expected
        assert ("compiling kernels, first time only: about " in err) == bool(expected)


def test_wrong_words_are_one_line(capsys) -> None:
    assert run(["warm", "pursuit/greedier"]) == 2
    assert "unknown topic of pursuit 'greedier'; did you mean greedy" in capsys.readouterr().err
    assert run(["warm", "persuit"]) == 2
    assert "did you mean pursuit" in capsys.readouterr().err


def test_a_game_is_all_its_cold_topics(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    wanted = find_work(["pursuit"])
    assert set(wanted) == {
        f"pursuit/{topic}" for topic in topics_of(kit_of("pursuit")) if kernels_of(f"pursuit/{topic}")
    }
    assert all(not is_warm(work) for work in wanted)


def test_topics_that_share_kernels_are_counted_once() -> None:
    kernels = kit_of("pursuit").kernels
    everything = seconds_to_compile([f"pursuit/{topic}" for topic in kernels if topic != ALL_TOPICS])
    assert {module: n for module, (n, _) in everything.items()} == {m: n for m, (n, _) in kernels[ALL_TOPICS].items()}
    assert seconds_to_compile(["pursuit/tour"], ["pursuit/solve"]) == {}


@compiled_only
def test_a_background_compiler_ends_with_whoever_started_it(tmp_path) -> None:
    process = start("warm", "--background", "scotland_yard/minimax", cache=tmp_path)
    process.communicate()  # which closes its input
    assert process.returncode == 0
    assert not list(tmp_path.rglob("warm/*"))


@compiled_only
@pytest.mark.parametrize(
    "words",
    [
        "watch pursuit --seed 7 --no-viz",
        "watch scotland_yard --detectives 3 --seed 7 --no-viz",
        "watch fugitive --seed 7 --no-viz",
        "watch shortest_path --seed 7 --no-viz --bounds 100",  # which ends when both bounds meet
        "solve --board petersen --preset cops-and-robbers --cop-number",
    ],
)
def test_results_are_the_same_without_compiled_kernels(words, tmp_path, capsys) -> None:
    plain = start(*words.split(), cache=tmp_path, MANHUNT_KERNELS="plain")
    assert run(words.split()) == 0
    assert plain.communicate()[0] == capsys.readouterr().out
    assert not list(tmp_path.rglob("*.nbi"))


def test_a_topic_of_the_games_own_is_a_command_line_that_works(monkeypatch) -> None:
    ran: list[int] = []
    monkeypatch.setattr("manhunt.cli.main.run", lambda words: ran.append(run(words)))
    for kit in kits():
        for topic in kit.warm_up:
            use_topic(f"{kit.name}/{topic}")
    assert ran == [0] * len(ran) != []
