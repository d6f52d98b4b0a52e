"""At a first use, light work begins at once and everything else is compiled first."""

import os
import subprocess
import sys

import pytest

from manhunt.core import warm
from manhunt.core.jit import MODE_VARIABLE
from manhunt.core.kernel_files import file_of, source_hash
from manhunt.core.registry import BUILT_IN, kit_of

LIGHT, HEAVY, OTHER_LIGHT = "pursuit/tour", "fugitive/tour", "shortest_path/watch"


@pytest.fixture
def decided(monkeypatch, tmp_path) -> list[tuple[str, object]]:
    """What was decided, with an empty cache and nothing shipped."""
    seen: list[tuple[str, object]] = []
    monkeypatch.delenv(MODE_VARIABLE, raising=False)
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(warm, "shipped_card", dict)
    monkeypatch.setattr(warm, "run_kernels_plain", lambda but: seen.append(("plain but", sorted(but))))
    monkeypatch.setattr(warm, "compile_in_background", lambda work: seen.append(("later", list(work))))
    monkeypatch.setattr(warm, "compile_now", lambda work: seen.append(("now", list(work))) if work else None)
    return seen


def test_light_work_begins_at_once_and_is_compiled_for_the_next_time(decided) -> None:
    warm.start_work([LIGHT])
    assert decided == [("plain but", []), ("later", [LIGHT])]


def test_everything_else_is_compiled_first(decided) -> None:
    warm.start_work([HEAVY])
    warm.start_work([LIGHT], heavy=True)
    assert decided == [("now", [HEAVY]), ("now", [LIGHT])]


def test_one_heavy_topic_makes_its_whole_game_wait_and_no_other(decided) -> None:
    warm.start_work([LIGHT, HEAVY, "fugitive/bir-1", OTHER_LIGHT])
    assert decided == [
        ("now", [HEAVY, "fugitive/bir-1"]),
        ("plain but", ["manhunt.games.fugitive"]),
        ("later", [LIGHT, OTHER_LIGHT]),
    ]


def test_a_warm_game_stays_compiled_beside_a_cold_one(decided) -> None:
    warm.set_warm(LIGHT)
    warm.start_work([LIGHT, OTHER_LIGHT])
    assert decided == [("plain but", ["manhunt.games.pursuit"]), ("later", [OTHER_LIGHT])]


def test_warm_work_and_work_without_kernels_need_no_decision(decided) -> None:
    warm.set_warm(HEAVY)
    warm.start_work([HEAVY, "pursuit/greedy"])
    assert decided == []


@pytest.mark.parametrize(("name", "value"), [(MODE_VARIABLE, "compiled"), ("NUMBA_DISABLE_JIT", "1")])
def test_the_environment_decides_before_us(decided, monkeypatch, name, value) -> None:
    monkeypatch.setenv(name, value)
    warm.start_work([LIGHT, HEAVY])
    assert decided == []


def test_a_changed_source_makes_it_cold(decided, monkeypatch) -> None:
    warm.set_warm(LIGHT)
    assert warm.is_warm(LIGHT)
    monkeypatch.setattr(warm, "source_hash", lambda module: source_hash(module)[::-1])
    warm._key.cache_clear()
    assert not warm.is_warm(LIGHT)
    warm._key.cache_clear()


def test_shipped_kernels_are_warm_if_they_are_of_these_sources(decided, monkeypatch) -> None:
    monkeypatch.setattr(warm, "shipped_card", lambda: {"work": {LIGHT: warm.key_of(LIGHT), HEAVY: "other"}})
    assert warm.is_warm(LIGHT)
    assert not warm.is_warm(HEAVY)


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_topic_is_measured(game) -> None:
    """`make kernels` writes the file anew."""
    kit = kit_of(game)
    assert set(kit.kernels) == {*warm.topics_of(kit), warm.ALL_TOPICS}
    assert kit.light <= set(kit.kernels)
    for modules in kit.kernels.values():
        assert all(file_of(module) for module in modules)
        assert all(n > 0 and seconds >= 0 for n, seconds in modules.values())


def test_agents_have_work_and_bots_and_files_have_none() -> None:
    kit = kit_of("scotland_yard")
    specs = ["mcts:iterations=5", "random", "bot:cmd", "mine.py:Mine", "mcts"]
    assert warm.work_of_agents(kit, specs) == ("scotland_yard/mcts",)


MIXED = """
from manhunt.core.jit import is_plain, run_kernels_plain
run_kernels_plain(["manhunt.games.fugitive"])
from manhunt.core.kernel_random import below
from manhunt.games.fugitive.beliefs import card_kernels
from manhunt.solvers import layer_kernels
print(type(below).__name__, is_plain(card_kernels.__name__), is_plain(layer_kernels.__name__))
"""


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled here")
def test_a_compiled_game_keeps_all_kernels_that_it_can_call(monkeypatch) -> None:
    monkeypatch.delenv(MODE_VARIABLE, raising=False)
    ran = subprocess.run([sys.executable, "-c", MIXED], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["CPUDispatcher", "False", "True"]
