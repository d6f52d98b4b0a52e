"""Agents for the arena's tests, as files that workers can import."""

from pathlib import Path

import pytest

AGENTS = '''
import os, signal, sys, time
from pathlib import Path
from manhunt.core.agent import Advice, Agent

class Slow(Agent):
    def act(self, view, limit, rng):
        time.sleep(0.004)
        return Advice(rng.choice(view.legal))

class Gated(Agent):
    """Plays while fewer results are written than the file `gate` says."""
    def __init__(self, results: str, gate: str) -> None:
        self.results, self.gate = Path(results), Path(gate)
    def act(self, view, limit, rng):
        while self.n_results() >= int(self.gate.read_text() or 0):
            time.sleep(0.01)
        return Advice(rng.choice(view.legal))
    def n_results(self):
        return self.results.read_text().count("\\n") if self.results.exists() else 0

class Marks(Slow):
    """Leaves a mark named by the parent of its process: on a Ray cluster, the node."""
    def __init__(self, folder: str) -> None:
        open(os.path.join(folder, str(os.getppid())), "w").close()

class DiesOnce(Agent):
    """Takes its worker along in the first game that sees no mark."""
    def __init__(self, mark: str) -> None:
        self.mark = mark
    def act(self, view, limit, rng):
        if not os.path.exists(self.mark):
            open(self.mark, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return Advice(rng.choice(view.legal))

class Deadly(Agent):
    def act(self, view, limit, rng):
        os._exit(3)

class Crashes(Agent):
    def act(self, view, limit, rng):
        print("about to crash")
        raise RuntimeError(f"no idea what to do with {object()}")

class Hunter(Agent):
    from manhunt.core.ids import Seat
    seats = (Seat.PURSUERS,)
    def act(self, view, limit, rng):
        return Advice(view.legal[0])
'''


@pytest.fixture
def agents(tmp_path) -> Path:
    """The path of a file with agents of all kinds."""
    file = tmp_path / "strange_agents.py"
    file.write_text(AGENTS)
    return file
