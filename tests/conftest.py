"""Settings of all tests: reproducible examples, no deadlines (the first call of a kernel compiles it)."""

import contextlib
import gc
import os
import signal
import sys

# Matrices of the tests are small: more threads only wait for each other, and several processes run side by side.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import HealthCheck, settings

pytest_plugins = ["browser_pages", "example_games", "kernels_once", "skips_in_ci"]

settings.register_profile(
    "manhunt",
    deadline=None,
    derandomize=os.environ.get("HYPOTHESIS_RANDOM") is None,
    print_blob=True,
    max_examples=int(os.environ.get("HYPOTHESIS_EXAMPLES", "60")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("manhunt")

# OpenSpiel loads absl, whose log handler closes its stream when a server sets up logging, even if that is pytest's own.
with contextlib.suppress(ImportError):
    from absl import logging as absl_logging

    absl_logging.get_absl_handler().python_handler.stream = sys.__stderr__

os.environ.setdefault("MANHUNT_KERNELS", "compiled")  # no command under test starts a compiler in the background

# A shell that runs the tests in the background lets all processes ignore Ctrl-C, and nohup a closed terminal; commands
# under test must hear both.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_finish() -> None:
    """What thousands of collected tests hold is not looked through again by every garbage collection."""
    gc.collect()
    gc.freeze()
