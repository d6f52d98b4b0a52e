"""How work in a worker process tells how far it is; elsewhere it tells nobody."""

import time
from collections.abc import Callable

Tell = Callable[[int, int, str], None]
LEAST_GAP_SECONDS = 0.1


class _Listener:
    tell: Tell | None = None
    next_at: float = 0.0


def report(done: int, total: int, words: str = "") -> None:
    """`done` of `total` parts are done; too many reports are dropped, so call it as often as you like."""
    now = time.monotonic()
    if _Listener.tell is None or (now < _Listener.next_at and done < total):
        return
    _Listener.next_at = now + LEAST_GAP_SECONDS
    _Listener.tell(done, total, words)


def listen(tell: Tell | None) -> None:
    """Who hears the reports from now on."""
    _Listener.tell, _Listener.next_at = tell, 0.0
