"""`manhunt warm`: compile kernels before they are needed, on all processors."""

from __future__ import annotations

import json
import os
import queue
import stat
import subprocess
import sys
import threading
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from manhunt.cli.parser import Parser, whole_number
from manhunt.cli.screen import print_json, progress_bar, say
from manhunt.core.errors import BadConfig, ManhuntError, unknown
from manhunt.core.files import lock
from manhunt.core.kernel_files import cache_root
from manhunt.core.registry import find_name, kit_of, kits
from manhunt.core.warm import all_kernels_of, is_warm, kernels_of, set_warm, topics_of

DESCRIPTION = """Compile the kernels for this machine, so that nothing waits for the compiler later.
Without arguments, compile everything that is not compiled yet. You can interrupt it: finished kernels are kept.
You never need this command: what is missing is compiled when it is first used."""
EPILOG = """examples:
  manhunt warm
  manhunt warm GAME
  manhunt warm GAME/AGENT --jobs 1"""
LOWEST_PRIORITY = 19
TITLE = "compiling kernels, first time only"


def build_parser() -> Parser:
    parser = Parser(prog="manhunt warm", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("work", nargs="*", metavar="GAME[/TOPIC]", help="what to compile (default: everything)")
    text = "processes (default: one for each processor)"
    parser.add_argument("--jobs", type=whole_number(1), default=os.cpu_count() or 1, metavar="N", help=text)
    text = "quietly, in one process of the lowest priority, unless one is running already; ends when its input ends"
    parser.add_argument("--background", action="store_true", help=text)
    parser.add_argument("--json", action="store_true", help="print the seconds of each topic as JSON")
    return parser


def main(options: Namespace) -> int:
    wanted = find_work(options.work)
    if options.background:
        return _compile_in_background(wanted)
    try:
        seconds = compile_with_bar(wanted, options.jobs)
    except KeyboardInterrupt:
        say("finished kernels are kept", stderr=True)
        return 130
    if options.json:
        print_json({"seconds": {work: round(taken, 2) for work, taken in seconds.items()}})
    elif not options.work:
        say("everything is compiled" if not wanted else f"compiled: {', '.join(wanted)}")
    return 0


def find_work(words: Sequence[str]) -> list[str]:
    """`game/topic` of everything that is asked for and cold; BadConfig if there is no such game or topic."""
    chosen = [word.partition("/")[::2] for word in words] or [(kit.name, "") for kit in kits()]
    found = []
    for name, topic in chosen:
        kit = kit_of(find_name(name) or name)
        topics = topics_of(kit)
        if topic and topic not in topics:
            raise BadConfig(unknown(f"topic of {kit.name}", topic, topics))
        found += [f"{kit.name}/{each}" for each in ([topic] if topic else topics)]
    return [work for work in dict.fromkeys(found) if not is_warm(work)]


def seconds_to_compile(wanted: Iterable[str], present: Iterable[str] = ()) -> dict[str, tuple[int, float]]:
    """By module: how many kernels are left to compile, at the most, and the seconds for each."""
    n_present = Counter[str]()
    for work in present:
        for module, (n, _) in kernels_of(work).items():
            n_present[module] = max(n_present[module], n)
    n_wanted, seconds_each, n_in_all = Counter[str](), dict[str, float](), Counter[str]()
    for work in wanted:
        n_in_all |= Counter({module: n for module, (n, _) in all_kernels_of(work).items()})
        for module, (n, seconds) in kernels_of(work).items():
            n_wanted[module] += n
            seconds_each[module] = seconds / n
    left = {module: min(n, n_in_all[module]) - n_present[module] for module, n in n_wanted.items()}
    return {module: (n, seconds_each[module]) for module, n in left.items() if n > 0}


def compile_with_bar(wanted: Sequence[str], jobs: int) -> dict[str, float]:
    """Go through all topics, the longest first; returns the processor seconds of each."""
    if not wanted:
        return {}
    everything = [f"{kit.name}/{topic}" for kit in kits() for topic in topics_of(kit)]
    left = seconds_to_compile(wanted, [work for work in everything if work not in wanted and is_warm(work)])
    total = sum(n * each for n, each in left.values())
    order = sorted(wanted, key=lambda work: -sum(seconds for _, seconds in kernels_of(work).values()))
    n_workers = min(jobs, len(order))
    with progress_bar() as bar:
        task = bar.add_task(TITLE, total=total, note="")
        if bar.disable:
            say(f"{TITLE}: about {max(1.0, total / n_workers):.0f} s", stderr=True)
        compiled = Counter[str]()

        def count(module: str) -> None:
            n, each = left.get(module, (0, 0.0))
            compiled[module] += 1
            if compiled[module] <= n:
                bar.advance(task, each)

        return _TopicWorkers(order, n_workers, count).run()


class _TopicWorkers:
    """Processes that go through topics; they end with this one."""

    def __init__(self, order: Sequence[str], n: int, compiled: Callable[[str], object]) -> None:
        self._waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
        for work in order:
            self._waiting.put(work)
        self._compiled = compiled
        self._seconds: dict[str, float] = {}
        self._failed: list[str] = []
        command = [sys.executable, "-m", "manhunt.cli.warm_topics"]
        pipe = subprocess.PIPE
        self._processes = [
            subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, bufsize=1)
            for _ in range(n)
        ]

    def run(self) -> dict[str, float]:
        threads = [threading.Thread(target=self._feed, args=(process,)) for process in self._processes]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            for process in self._processes:
                process.kill()
                process.wait()
        if self._failed:
            raise ManhuntError(f"could not compile {', '.join(self._failed)}")
        return self._seconds

    def _feed(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        with process.stdin, process.stdout:
            while not self._waiting.empty():
                work = self._waiting.get()
                process.stdin.write(f"{work}\n")
                for line in process.stdout:
                    said = json.loads(line)
                    if "work" in said:
                        break
                    self._compiled(said["kernel"])
                else:  # it has ended
                    self._failed.append(work)
                    return
                self._seconds[work] = said["seconds"]
                set_warm(work)


def _compile_in_background(wanted: Sequence[str]) -> int:
    """One topic after the other, unless another process is at it."""
    from manhunt.cli.warm_topics import use_topic

    if hasattr(os, "nice"):
        os.nice(LOWEST_PRIORITY)
    if stat.S_ISFIFO(os.fstat(0).st_mode):
        threading.Thread(target=_end_with_input, daemon=True).start()
    cache_root().mkdir(parents=True, exist_ok=True)
    with (cache_root() / "compiling").open("a") as file:
        if lock(file):
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            for work in wanted:
                use_topic(work)
                set_warm(work)
    return 0


def _end_with_input() -> None:
    """Whoever holds the other end has ended, however that was."""
    os.read(0, 1)
    os._exit(0)
