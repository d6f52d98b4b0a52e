"""What to do at a first use, when the kernels of some work are not compiled yet.

Work is named `game/topic`. A topic is the name of an agent, or something that the platform does with every game
(`watch`, the web page, the demo, ...), or one of the game's own (`Kit.warm_up`). Work is warm once `manhunt warm` went
through it on this machine with these sources, or if its kernels came with the package. Otherwise it is cold:

- light work runs its kernels as plain Python, and starts a process that compiles them for the next time;
- everything else is compiled first, while a bar shows how long that takes.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from manhunt.core.jit import MODE_VARIABLE, is_plain, run_kernels_plain
from manhunt.core.kernel_files import cache_root, checked_suffix, shipped_card, source_hash
from manhunt.core.kit import Kit
from manhunt.core.registry import kit_of

WATCH, PAGE, TOUR, ANALYSIS, WORTH, COMPILED = "watch", "page", "tour", "analysis", "worth", "compiled"
ALL_TOPICS = "*"
"""Stands for all topics of a game where their kernels are counted."""


def topics_of(kit: Kit) -> tuple[str, ...]:
    """All topics of a game: its agents, what the platform does with it, and those of its own."""
    page = [PAGE] if kit.lobby.quick is not None else []
    parts = [part for part in (TOUR, ANALYSIS, WORTH, COMPILED) if kit.has(part)]
    return (*kit.agents, WATCH, *page, *parts, *kit.warm_up)


def work_of_agents(kit: Kit, specs: Iterable[str]) -> tuple[str, ...]:
    """The work of agents, given by their specs; bots and files have none."""
    names = (spec.partition(":")[0] for spec in specs)
    return tuple(dict.fromkeys(f"{kit.name}/{name}" for name in names if name in kit.agents))


def is_warm(work: str) -> bool:
    if not kernels_of(work):
        return True
    key = key_of(work)
    return shipped_card().get("work", {}).get(work) == key or _marker(work, key).exists()


def set_warm(work: str) -> None:
    """Remember that all kernels of some work are there."""
    marker = _marker(work, key_of(work))
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.touch()


def kernels_of(work: str) -> Mapping[str, tuple[int, float]]:
    """The modules whose kernels some work uses: how many, and the seconds to compile them."""
    game, _, topic = work.partition("/")
    return kit_of(game).kernels.get(topic, {})


def all_kernels_of(work: str) -> Mapping[str, tuple[int, float]]:
    """The same of all topics of its game together."""
    return kernels_of(f"{_game(work)}/{ALL_TOPICS}")


def key_of(work: str) -> str:
    """A hash of all sources that the kernels of some work are compiled from."""
    return _key(tuple(sorted(kernels_of(work))))


def is_light(work: str) -> bool:
    game, _, topic = work.partition("/")
    return topic in kit_of(game).light


def start_work(work: Iterable[str], *, heavy: bool = False, light: bool = False) -> None:
    """To be called before work imports its kernels: decides whether cold ones run plain or are compiled first.

    With `heavy` nothing counts as light, with `light` everything does.
    """
    if is_decided():
        return
    wanted = list(work)
    cold = [each for each in wanted if not is_warm(each)]
    if not cold:
        return
    to_wait_for = {_game(each) for each in cold if heavy or not (light or is_light(each))}
    compile_now([each for each in cold if _game(each) in to_wait_for])
    later = [each for each in cold if _game(each) not in to_wait_for]
    if later:
        plain_games = {_game(each) for each in later}
        run_kernels_plain(kit_of(game).home for game in {_game(each) for each in wanted} - plain_games)
        compile_in_background(later)


def is_decided() -> bool:
    """Whether somebody else decides how kernels run in this process."""
    return is_plain() or MODE_VARIABLE in os.environ


def compile_now(work: Sequence[str]) -> None:
    """Wait for the compiler, with a bar. What it leaves out is compiled at first use."""
    if work:
        subprocess.run(_command(work), stdin=subprocess.DEVNULL, check=False)


def compile_in_background(work: Sequence[str]) -> None:
    """A process of the lowest priority that goes on when this one ends."""
    nothing = subprocess.DEVNULL
    with_us = _command([*work, "--background"])
    process = subprocess.Popen(with_us, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
    process.returncode = 0  # nobody waits for it


def _command(words: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "manhunt", "warm", *words]


def _game(work: str) -> str:
    return work.partition("/")[0]


def _marker(work: str, key: str) -> Path:
    """The file that says that some work is warm."""
    return cache_root() / "warm" / f"{work.replace('/', '.')}-{key}{checked_suffix()}"


@cache
def _key(modules: tuple[str, ...]) -> str:
    return hashlib.sha256("".join(map(source_hash, modules)).encode()).hexdigest()[:16]
