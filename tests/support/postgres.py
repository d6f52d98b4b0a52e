"""A PostgreSQL server for one test run: in a temporary folder, on the loopback address, gone afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from manhunt.core.errors import ManhuntError

USER = "postgres"


class NoPostgres(ManhuntError):
    """The server's programs are not installed, or may not be run by this user."""


def find_programs() -> Path:
    """The folder with initdb and pg_ctl; the newest where there are several."""
    on_path = shutil.which("initdb")
    folders = [Path(on_path).parent] if on_path else []
    installed = Path("/usr/lib/postgresql").glob("*/bin")
    folders += sorted(installed, key=lambda folder: -float(folder.parent.name))
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "pg_ctl").exists():
            return folder
    raise NoPostgres("PostgreSQL is not installed (no initdb found): apt-get install -y postgresql")


@contextmanager
def throwaway_postgres() -> Iterator[str]:
    """The URL of a fresh server; NoPostgres where there can be none."""
    programs = find_programs()
    user = _as_user()
    home = Path(tempfile.mkdtemp(prefix="manhunt-postgres-"))
    try:
        if user:
            shutil.chown(home, USER)
        data, port = home / "data", _free_port()
        # No fsync: nothing here has to outlive the machine. What a killed client leaves behind is the same.
        settings = f"-h 127.0.0.1 -p {port} -k {home} -c fsync=off -c max_connections=40"
        _run([*user, str(programs / "initdb"), "-U", USER, "-A", "trust", "-D", str(data)], home)
        control = [*user, str(programs / "pg_ctl"), "-D", str(data), "-w"]
        _run([*control, "-l", str(home / "log"), "-o", settings, "start"], home)
        try:
            yield f"postgresql://{USER}@127.0.0.1:{port}/postgres"
        finally:
            _run([*control, "-m", "immediate", "stop"], home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _as_user() -> Sequence[str]:
    """The server refuses to run as root, so root runs it as the user that its package made."""
    if not hasattr(os, "geteuid"):
        raise NoPostgres("throw-away PostgreSQL servers need a Unix system")
    if os.geteuid() != 0:
        return ()
    runuser = shutil.which("runuser")
    if runuser is None:
        raise NoPostgres("PostgreSQL cannot run as root, and there is no runuser to run it as another user")
    return (runuser, "-u", USER, "--")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _run(command: Sequence[str], home: Path) -> None:
    done = subprocess.run(command, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    if done.returncode:
        told = (done.stderr or done.stdout).strip().splitlines() or ["no reason given"]
        raise NoPostgres(f"{Path(command[-1] if 'initdb' in command else command[0]).name} failed: {told[-1]}")
