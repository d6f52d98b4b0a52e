"""Whatever a bot's process does harms nothing but its own score, and nothing of it is left behind."""

import gc
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot_games import PLAIN, alive, bad, ends, left_over, referee
from manhunt.agents.link import Patience, running_bots
from manhunt.agents.wires.process import BotLimits
from manhunt.agents.wires.stream import MOST_STDERR_BYTES
from manhunt.core.agent import Limit
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import make_game
from manhunt.core.turns import FAILED, TurnEnd
from manhunt.play.fault import FaultPolicy

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to look for what is left")
LOST = Outcome(Side.PURSUERS, Termination.FORFEIT)
HURRIED = Patience(hello_seconds=120, leave_seconds=0.2, grace_seconds=0.0)
TIGHT = BotLimits(memory_mb=200, cpu_seconds=60, processes=20)

VICES = {
    "asleep": (TurnEnd.TIMEOUT, "no move within"),
    "spin": (TurnEnd.TIMEOUT, "no move within"),
    "stop-itself": (TurnEnd.TIMEOUT, "no move within"),
    "half-a-line": (TurnEnd.TIMEOUT, "no move within"),
    "not-reading": (TurnEnd.TIMEOUT, "no move within"),
    "flood-stderr": (TurnEnd.TIMEOUT, "no move within"),
    "close-input": (TurnEnd.TIMEOUT, "no move within"),
    "flood": (TurnEnd.CRASH, "output flood: more than 1048576 bytes before a move"),
    "long-line": (TurnEnd.CRASH, "output flood: a line of more than 65536 bytes"),
    "close-output": (TurnEnd.CRASH, "crash: closed its output"),
    "close-all": (TurnEnd.CRASH, "crash: closed its output"),
    "fork-and-crash": (TurnEnd.CRASH, "crash: exited with code 3"),
    "eat": (TurnEnd.CRASH, ("MemoryError", "more than 200 MB in all its processes")),  # whichever comes first
}


@pytest.mark.parametrize("what", VICES)
def test_a_vice_costs_the_game_and_nothing_else(what: str) -> None:
    end, detail = VICES[what]
    spec = bad(what)
    limit = Limit(seconds=0.3 if end is TurnEnd.TIMEOUT else 60)
    with running_bots(limits=TIGHT, patience=HURRIED):
        match = referee("pursuit", spec, limit=limit)
        assert match.run() == LOST
    assert ends(match) == [end]
    assert any(words in match.fault for words in ((detail,) if isinstance(detail, str) else detail))
    assert left_over(spec) == []


@pytest.mark.parametrize(
    ("what", "detail"),
    [("breed", "more than 20 processes"), ("eat-in-children", "more than 200 MB in all its processes")],
)
def test_offspring_is_counted_in(what: str, detail: str) -> None:
    spec = bad(what)
    with running_bots(limits=TIGHT, patience=HURRIED):
        match = referee("pursuit", spec, limit=Limit(seconds=120))
        assert match.run() == LOST
    assert detail in match.fault
    assert left_over(spec) == []


def test_offspring_that_detached_itself_ends_with_the_bot() -> None:
    spec = bad("fork-and-stay")
    with running_bots(limits=TIGHT, patience=HURRIED):
        match = referee("pursuit", spec)
        match.run()
    assert match.faults == []
    assert left_over(spec) == []


def test_a_bot_that_uses_up_its_processor_time_is_ended() -> None:
    spec = bad("spin")
    with running_bots(limits=BotLimits(cpu_seconds=1), patience=HURRIED):
        match = referee("pursuit", spec, limit=Limit(seconds=300))
        assert match.run() == LOST
    assert "killed by SIG" in match.fault
    assert left_over(spec) == []


def test_stderr_is_kept_for_each_move_and_bounded() -> None:
    with running_bots(limits=TIGHT, patience=HURRIED):
        match = referee("pursuit", bad("flood-stderr"), limit=Limit(seconds=1))
        match.run()
    (note,) = match.agents[Seat.EVADER].turns  # type: ignore[attr-defined]
    assert note.end is TurnEnd.TIMEOUT
    assert 0 < len(note.stderr) <= MOST_STDERR_BYTES
    assert set(note.stderr) == {"y"}


def test_memory_of_the_manager_does_not_grow_with_a_flood() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for what in ("flood", "flood-stderr", "long-line"):
        with running_bots(limits=TIGHT, patience=HURRIED):
            referee("pursuit", bad(what), limit=Limit(seconds=0.3)).run()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024


def test_the_other_seat_plays_on_unharmed() -> None:
    """A good bot against bad ones, with one and the same process."""
    with running_bots(limits=TIGHT, patience=HURRIED, keep=True):
        for what in ("crash", "asleep", "flood", "close-all"):
            match = referee("pursuit", bad(what), PLAIN, limit=Limit(seconds=0.5))
            assert match.run() == LOST
            assert [fault.seat for fault in match.faults] == [Seat.EVADER]
        match = referee("pursuit", PLAIN, PLAIN)
        match.run()
        assert match.faults == []


def test_a_bot_that_never_reads_does_not_block_the_manager() -> None:
    """What it should have read is far more than a pipe holds."""
    spec = bad("not-reading")
    config = make_game("shortest_path").make_config(board="contest:300:1410:separation=8:cut=4:seed=0")
    with running_bots(patience=HURRIED):
        policies = dict.fromkeys(FAILED, FaultPolicy.RANDOM)
        match = referee("shortest_path", "random", spec, config=config, limit=Limit(seconds=0.005), policies=policies)
        while len(match.actions) < 60:
            match.step()
        match.agents[Seat.PURSUERS].stop()
    assert ends(match) == [TurnEnd.TIMEOUT] * 30
    assert left_over(spec) == []


def test_descriptors_are_given_back() -> None:
    def n_open() -> int:
        return len(os.listdir("/proc/self/fd"))

    with running_bots(patience=HURRIED):
        referee("pursuit", PLAIN).run()
        before = n_open()
        for spec in (PLAIN, bad("crash"), bad("exit"), "cmd:./no-such-bot", "tcp:127.0.0.1:9", bad("asleep")):
            referee("pursuit", spec, limit=Limit(seconds=0.2)).run()
        assert n_open() == before


PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
from bot_games import referee
from manhunt.core.agent import Limit
match = referee("pursuit", {spec!r}, limit=Limit(seconds=600))
print("ready", flush=True)
match.run()
"""


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_bots_do_not_outlive_a_manager_that_is_killed(sign: signal.Signals) -> None:
    spec = bad("fork-and-sleep")
    code = PROGRAM.format(folder=str(Path(__file__).parents[1] / "support"), spec=spec)
    manager = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert manager.stdout is not None
    assert manager.stdout.readline() == b"ready\n"
    assert alive(spec)
    manager.send_signal(sign)
    manager.wait(120)
    manager.stdout.close()
    assert manager.returncode != 0
    # The manager's own command line has the mark, too, and is gone by now.
    assert left_over(spec) == []


def test_an_agent_that_is_forgotten_takes_its_bot_along() -> None:
    spec = bad("none")
    match = referee("pursuit", spec)
    match.step()
    assert alive(spec)
    del match
    gc.collect()
    assert left_over(spec) == []
