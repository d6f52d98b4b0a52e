"""For the tests of bots: commands, little games, and a look at what is left of them."""

import os
import shutil
import sys
import time
import uuid
from pathlib import Path
from typing import Any

from manhunt.agents.bot import BotAgent
from manhunt.agents.random import RandomAgent
from manhunt.core.agent import Agent, Limit
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.core.turns import TurnEnd
from manhunt.play.referee import Referee

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
BAD = Path(__file__).with_name("bad_bot.py")
PLAIN = f"cmd:{sys.executable} {EXAMPLES / 'plain_bot.py'}"
KIT = f"cmd:{sys.executable} {EXAMPLES / 'python_bot.py'}"
SMALL = {
    "pursuit": {"max_rounds": 4},
    "scotland_yard": {},
    "shortest_path": {"board": "contest:12:18:separation=3:cut=2:seed=1"},
    "fugitive": {"preset": "mini"},
}


def small_config(name: str) -> Any:
    return make_game(name).make_config(**SMALL.get(name, {}))


def bad(what: str, *more: str) -> str:
    """The spec of a bad bot, with a mark by which its processes can be found."""
    return " ".join([f"cmd:{sys.executable} {BAD} {what} mark-{uuid.uuid4().hex}", *more])


def alive(spec: str) -> list[str]:
    """Processes that carry the mark of a bad bot."""
    mark = next(word for word in spec.split() if word.startswith("mark-")).encode()
    return [pid for pid in os.listdir("/proc") if pid.isdecimal() and _is_marked(pid, mark)]


def left_over(spec: str) -> list[str]:
    """The same; those that are ending get some time."""
    end = time.monotonic() + 60
    while (found := alive(spec)) and time.monotonic() < end:
        time.sleep(0.01)
    return found


def _is_marked(pid: str, mark: bytes) -> bool:
    try:
        return mark in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def referee(name: str, evader: Agent | str, pursuers: Agent | str = "random", **options: Any) -> Referee:
    """A little game; texts are bots, `random` is our own."""
    agents = {}
    for seat, who in zip(PLAYERS, (evader, pursuers), strict=True):
        agents[seat] = who if isinstance(who, Agent) else RandomAgent() if who == "random" else BotAgent(who)
    options.setdefault("limit", Limit(seconds=60))
    config = options.pop("config", None) or small_config(name)
    return Referee(make_game(name), config, agents, **options)


def ends(match: Referee) -> list[TurnEnd | None]:
    return [fault.end for fault in match.faults]


def compiled_c_bot(folder: Path) -> str | None:
    """The spec of the C bot, or None where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    program = folder / "c_bot"
    source = EXAMPLES / "c_bot.c"
    assert (
        os.spawnl(os.P_WAIT, compiler, compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(source))
        == 0
    )
    return f"cmd:{program}"


__all__ = ["KIT", "PLAIN", "Seat", "alive", "bad", "compiled_c_bot", "ends", "left_over", "referee", "small_config"]
