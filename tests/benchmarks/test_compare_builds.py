"""The harness that compares two builds: its statistics by hand, its order, its words."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "compare_builds.py"
TREE = str(SCRIPT.parents[1])


@pytest.fixture(scope="module")
def harness() -> ModuleType:
    spec = importlib.util.spec_from_file_location("compare_builds", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def test_interval_and_p_value_of_paired_differences(harness) -> None:
    # Differences 0.1, 0.2, 0.3: mean 0.2, sd 0.1; Student's quantile for 2 degrees of freedom is 4.30265.
    found = harness.PairedTest((1.0, 1.5, 2.0), (1.1, 1.7, 2.3))
    mean, low, high = found.difference
    assert mean == pytest.approx(0.2)
    assert (low, high) == pytest.approx((0.2 - 4.30265 * 0.1 / 3**0.5, 0.2 + 4.30265 * 0.1 / 3**0.5), abs=1e-5)
    assert found.p_values == pytest.approx({"t-test": 0.0741799, "Wilcoxon": 0.25}, abs=1e-6)
    lines = found.lines(["old", "new"])
    assert lines[2].startswith("new less old: +0.2000 s (+13.3 %), 95 % interval -0.0484 to +0.4484")
    assert lines[-1] == "no significant difference at the 5 % level"


def test_a_clear_difference_names_the_faster_build_whichever_it_is(harness) -> None:
    slow, fast = (2.0, 2.1, 1.9, 2.05), (1.0, 1.05, 0.95, 1.0)
    assert harness.PairedTest(slow, fast).lines(["a", "b"])[-1] == "b is faster, significant at the 5 % level"
    assert harness.PairedTest(fast, slow).lines(["a", "b"])[-1] == "a is faster, significant at the 5 % level"


def test_two_builds_that_never_differ(harness) -> None:
    found = harness.PairedTest((1.0, 1.5), (1.0, 1.5))
    assert found.p_values == {"t-test": 1.0, "Wilcoxon": 1.0}
    assert found.lines(["a", "b"])[-1] == "no significant difference at the 5 % level"


def test_builds_take_turns_and_each_warms_up_once(harness) -> None:
    ran = []

    class Fake:
        def __init__(self, name: str, seconds: float) -> None:
            self.name, self.seconds = name, seconds

        def run(self, command: Any, clock: str) -> float:
            ran.append(self.name)
            return self.seconds

    found = harness.measure_pairs([Fake("a", 1.0), Fake("b", 2.0)], ["work"], 3, "wall")
    assert "".join(ran) == "ab" + "ab" + "ba" + "ab"
    assert (found.first, found.second) == ((1.0,) * 3, (2.0,) * 3)


def test_a_command_may_measure_itself_and_runs_on_the_source_of_its_build() -> None:
    done = run("rules", "kernels", "--runs", 2, "--run", "python -c \"print('seconds: 0.5')\"", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["seconds"] == {"rules": [0.5, 0.5], "kernels": [0.5, 0.5]}
    source = f"import manhunt; assert manhunt.__file__.startswith({TREE!r}); print('seconds: 1')"
    done = run(TREE, TREE, "--runs", 2, "--run", f'python -c "{source}"')
    assert done.returncode == 0, done.stderr


def test_repeated_comparisons_count_the_differences_found() -> None:
    done = run("rules", "kernels", "--runs", 2, "--repeat", 2, "--run", "python -c \"print('seconds: 0.5')\"")
    assert done.stdout == "0 of 2 comparisons found a difference at the 5 % level\n"
    work = "python -c \"print('seconds:', {'rules': 2, 'kernels': 1}['{build}'])\""
    assert run("rules", "kernels", "--runs", 2, "--repeat", 2, "--run", work).stdout.startswith("2 of 2 comparisons")


def test_without_a_command_trees_run_the_rule_tests_of_the_first(harness) -> None:
    build = harness.parse_build(TREE)
    words = harness.command_of([build, build], None)
    files = {Path(word).name for word in words if word.endswith(".py")}
    assert {"test_scotland_yard_moves.py", "test_scotland_yard_end.py", "test_scotland_yard_setup.py"} <= files
    assert not any("kernels" in name for name in files)


@pytest.mark.kernel
def test_both_rule_implementations_count_the_same_trees() -> None:
    printed = [run("--count", implementation).stdout.splitlines() for implementation in ("rules", "kernels")]
    assert printed[0][0] == printed[1][0]
    assert printed[0][0].endswith(" moves counted")
    assert all(lines[1].startswith("seconds: ") for lines in printed)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give two builds"),
        (("rules",), "give two builds"),
        (("rules", "nowhere"), "nowhere is no build; give a folder with src/manhunt, or rules or kernels"),
        (("rules", TREE), "have no work in common; give it with --run"),
        (("rules", "kernels", "--runs", "1"), "--runs 1: two pairs or more have an interval"),
        (("rules", "kernels", "--run", ""), "--run needs a command"),
        (("rules", "kernels", "--run", "python -c 'raise ValueError(7)'"), "ended with code 1: ValueError: 7"),
        (("rules", "kernels", "--run", "no-such-program"), "no-such-program"),
    ],
)
def test_bad_input_is_one_line_and_code_2(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert message in line
