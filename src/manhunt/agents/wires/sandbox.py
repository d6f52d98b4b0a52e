"""What a bot's process sees of this machine: a few variables of the environment and, on request, a sandbox.

The sandbox is bubblewrap (`bwrap`): no network, a file system that cannot be written, a `/tmp` and processes of its
own, and none of the sockets under `/run`. Files that hold secrets of running games are covered.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from manhunt.core.errors import BadAgent, BadConfig

ALWAYS = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
"""Variables that every bot gets where they are set; none of them is about manhunt."""
TMP = "/tmp"
BESIDE = ("", "-wal", "-shm", "-journal")
"""What SQLite puts beside a file of its own."""
NIX = "/run/current-system"
TRY_SECONDS = 20.0
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(=.*)?", re.S)


@dataclass(frozen=True, slots=True)
class BotSurroundings:
    """`environment` lists variables that bots get besides the usual ones: NAME as it is here, or NAME=VALUE."""

    environment: tuple[str, ...] = ()
    sandbox: bool = False
    hidden: tuple[str, ...] = ()
    """Files that a bot in the sandbox cannot read."""

    def __post_init__(self) -> None:
        for text in self.environment:
            check_variable(text)


def check_variable(text: object) -> None:
    if not isinstance(text, str) or not _VARIABLE.fullmatch(text) or "\0" in text:
        raise BadConfig(f"{text!r} is not a variable; write NAME to hand it on, or NAME=VALUE")


def bot_environment(surroundings: BotSurroundings, ours: Mapping[str, str] = os.environ) -> dict[str, str]:
    """All that a bot's process inherits."""
    given = {name: ours[name] for name in ALWAYS if name in ours} | {"PYTHONUNBUFFERED": "1"}
    if surroundings.sandbox:
        given["TMPDIR"] = TMP
    for text in surroundings.environment:
        name, is_set, value = text.partition("=")
        if is_set or name in ours:
            given[name] = value if is_set else ours[name]
    return given


def in_sandbox(command: Sequence[str], hidden: Sequence[str] = ()) -> list[str]:
    """The command that starts a command in the sandbox, with the present folder as its own."""
    if why := sandbox_trouble():
        raise BadAgent(why)
    folder = os.getcwd()
    if Path(folder) == Path(TMP):
        raise BadAgent(f"a bot in the sandbox has a {TMP} of its own, so its files must be elsewhere or in a folder")
    words = [*_BARE, "--tmpfs", "/run"]
    for place in _places_below(TMP, [folder, *command]):
        words += ["--ro-bind", place, place]
    if os.path.isdir(NIX):
        words += ["--ro-bind", NIX, NIX]
    for file in (f"{file}{end}" for file in hidden for end in BESIDE):
        if os.path.exists(file):
            words += ["--ro-bind", os.devnull, file]
    return [*words, "--chdir", folder, "--", *command]


_BARE = [
    "bwrap",
    *("--die-with-parent", "--unshare-all", "--cap-drop", "ALL"),
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", TMP),
]


def _places_below(top: str, places: Sequence[str]) -> list[str]:
    """Folders below `top` that the bot needs although it gets another one there, each once.

    With a file comes its folder, with an interpreter of a virtual environment the whole of it.
    """
    needed = dict.fromkeys(_with_surroundings(Path(os.path.abspath(place)), top) for place in places)
    below = [path for path in needed if path.is_relative_to(top) and path.exists()]
    return [str(path) for path in below if not any(path.is_relative_to(other) for other in below if other != path)]


def _with_surroundings(path: Path, top: str) -> Path:
    if not path.is_file():
        return path
    folder = path.parent
    if (folder.parent / "pyvenv.cfg").exists():
        return folder.parent
    return path if folder == Path(top) else folder


@cache
def sandbox_trouble() -> str | None:
    """Why there can be no sandbox here, in one line; None if there can."""
    if shutil.which(_BARE[0]) is None:
        return "there is no sandbox here: bwrap is not installed; install the package bubblewrap"
    try:
        tried = subprocess.run([*_BARE, "--", "true"], capture_output=True, text=True, timeout=TRY_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"there is no sandbox here: {error}"
    if tried.returncode == 0:
        return None
    words = tried.stderr.strip().splitlines() or [f"bwrap ended with code {tried.returncode}"]
    return f"there is no sandbox here: {words[-1]}; bwrap needs user namespaces"
