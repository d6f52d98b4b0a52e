"""Starts one bot within limits and ends it with all its offspring; run as a script, imports nothing of manhunt.

Arguments: the descriptor of a pipe from the manager, the memory, CPU time and processes allowed, how the bot is parted
from other processes, the command. While the pipe is open the bot may live; when the manager closes it, or dies, all
that came from the bot is killed. On Linux this process is the reaper of all its descendants, so that a bot that forks
and detaches stays within reach.

With `namespace`, and where the kernel allows it, the bot gets a process namespace of its own: it can send signals to
nobody outside, and the kernel kills everybody inside when the first process of the namespace ends. That one is a fork
of this program which starts the bot, buries its orphans, and ends with the bot or with this process.
"""

import contextlib
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
NEW_USER, NEW_PROCESSES = 0x10000000, 0x20000000  # CLONE_NEWUSER, CLONE_NEWPID
NAMESPACE, SANDBOX = "namespace", "sandbox"
BWRAPS = 2
"""Processes of the sandbox besides the bot's own: bwrap outside and inside."""
NOT_STARTED = 127
LOOK_SECONDS = 0.25
PAGE = resource.getpagesize()


def children_of(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/children") as file:
                found += map(int, file.read().split())
    return found


def descendants() -> list[int]:
    every: list[int] = []
    waiting = children_of(os.getpid())
    while waiting:
        pid = waiting.pop()
        every.append(pid)
        waiting += children_of(pid)
    return every


def resident_bytes(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * PAGE
    return 0


def kill_all(first: int) -> None:
    """Stop everybody before killing, so that nobody forks meanwhile; again until nobody is left."""
    with contextlib.suppress(OSError):
        os.killpg(first, signal.SIGKILL)
    for _ in range(200):
        every = descendants()
        for sign in (signal.SIGSTOP, signal.SIGKILL):
            for pid in every:
                with contextlib.suppress(OSError):
                    os.kill(pid, sign)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not descendants():
            return
        time.sleep(0.005)


def bound(kind: int, most: int) -> None:
    """Lower a limit of this process, never raise it."""
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (most, most))


def become_bot(command: list[str], limits: dict[str, int], trouble: int) -> None:
    os.setsid()
    memory = limits["memory_mb"] * 1024 * 1024
    # Private writable memory; languages that reserve much address space (Node, Java, Go) can live with that.
    bound(resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS, memory)
    bound(resource.RLIMIT_CPU, limits["cpu_seconds"])
    bound(resource.RLIMIT_CORE, 0)
    for sign in (signal.SIGPIPE, signal.SIGINT, signal.SIGCHLD):
        signal.signal(sign, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(trouble, f"{command[0]}: {error.strerror}".encode())
        os._exit(NOT_STARTED)


def system_call(name: str, *arguments: int) -> bool:
    import ctypes

    return bool(getattr(ctypes.CDLL(None), name)(*arguments) == 0)


def be_reaper() -> None:
    if sys.platform == "linux":
        system_call("prctl", SUBREAPER, 1, 0, 0, 0)


def enter_namespace() -> bool:
    """Let the next child be the first process of a namespace; False where that is not allowed."""
    if sys.platform != "linux":
        return False
    user, group = os.geteuid(), os.getegid()
    if user == 0 and system_call("unshare", NEW_PROCESSES):
        return True
    if not system_call("unshare", NEW_USER | NEW_PROCESSES):
        return False
    with contextlib.suppress(OSError):
        for file, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{file}", "w") as out:
                out.write(text)
    return True


def be_first(command: list[str], limits: dict[str, int], trouble: int, ended: int) -> None:
    """The first process of the namespace: start the bot, wait for everybody, tell how the bot ended."""
    system_call("prctl", DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    bot = os.fork()
    if bot == 0:
        become_bot(command, limits, trouble)
    os.close(trouble)
    let_go_of_the_pipes()
    while True:
        pid, status = os.wait()
        if pid == bot:
            os.write(ended, str(status).encode())
            os._exit(0)


def let_go_of_the_pipes() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def too_much(limits: dict[str, int], helper: int) -> str:
    """Why the bot has to end now, or nothing."""
    every = [pid for pid in descendants() if pid != helper]
    if len(every) > limits["processes"] + limits["helpers"]:
        return f"more than {limits['processes']} processes"
    if sum(map(resident_bytes, every)) > limits["memory_mb"] * 1024 * 1024:
        return f"more than {limits['memory_mb']} MB in all its processes"
    return ""


def watch(
    first: int, control: int, woken: int, limits: dict[str, int], helper: int, say: Callable[[str], None]
) -> int | None:
    """Until the bot ends or has to; returns its wait status, None if we end it."""
    while True:
        ready, _, _ = select.select([control, woken], [], [], LOOK_SECONDS)
        if woken in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(woken, 4096)
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if found[0] == first:
                    return found[1]
        if control in ready and not os.read(control, 1):
            return None
        if not ready and (why := too_much(limits, helper)):
            say(why)
            return None


def main() -> None:
    control, *numbers = map(int, sys.argv[1:5])
    limits, command = dict(zip(("memory_mb", "cpu_seconds", "processes"), numbers, strict=True)), sys.argv[6:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    be_reaper()
    woken, waking = os.pipe2(os.O_NONBLOCK) if hasattr(os, "pipe2") else os.pipe()
    os.set_blocking(waking, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waking)
    heard, trouble = os.pipe()
    told, ended = os.pipe()
    is_apart = sys.argv[5] == NAMESPACE and enter_namespace()
    limits["helpers"] = BWRAPS if sys.argv[5] == SANDBOX else 0
    first = os.fork()
    if first == 0:
        os.close(control)
        if is_apart:
            be_first(command, limits, trouble, ended)
        become_bot(command, limits, trouble)
    os.close(trouble)
    os.close(ended)
    let_go_of_the_pipes()
    report = os.fdopen(os.dup(control), "wb", buffering=0)  # the pipe to the manager is a socket: it goes both ways

    def say(why: str) -> None:
        with contextlib.suppress(OSError):
            report.write(why.encode())

    failure = os.read(heard, 4096)
    if failure:
        say("does not start: " + failure.decode("utf-8", "replace"))
    status = watch(first, control, woken, limits, first if is_apart else 0, say)
    kill_all(first)
    if status is not None and is_apart:
        status = int(os.read(told, 64) or status)
    if status is not None and not failure:
        code = os.waitstatus_to_exitcode(status)
        say(f"exited with code {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}")


if __name__ == "__main__":
    main()
