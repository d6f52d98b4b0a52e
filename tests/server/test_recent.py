"""What was used last: how much is kept, what goes first, and that threads may share it."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from manhunt.server.recent import Recent
from manhunt.server.shared_work import LONGEST_KEPT, SharedWork


@given(st.integers(1, 4), st.lists(st.tuples(st.booleans(), st.integers(0, 6)), max_size=40))
def test_what_was_not_used_for_the_longest_time_goes_first(most: int, uses: list[tuple[bool, int]]) -> None:
    recent: Recent[int, int] = Recent(most)
    in_order: list[int] = []
    for i, (keeps, key) in enumerate(uses):
        if keeps:
            recent.keep(key, i)
        else:
            assert (recent.get(key) is not None) == (key in in_order)
        if keeps or key in in_order:
            in_order = [*(each for each in in_order if each != key), key][-most:]
        if keeps:
            assert recent.get(key) == i


@dataclass(frozen=True)
class Slow:
    """A key during whose lookup another thread gets its turn."""

    name: int

    def __hash__(self) -> int:
        time.sleep(1e-5)
        return self.name


def test_threads_may_share_it() -> None:
    recent: Recent[Slow, int] = Recent(2)

    def use(seed: int) -> None:
        rng = Random(seed)
        for _ in range(60):
            key = Slow(rng.randrange(4))
            assert recent.get(key) in (None, key.name)
            recent.keep(key, key.name)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(use, range(4)))


def test_shared_answers_are_kept_but_not_whole_pages() -> None:
    async def scene() -> None:
        shared, made = SharedWork(), list[str]()

        async def make(text: str) -> str:
            made.append(text)
            return text

        for text in ("short", "short", "x" * (LONGEST_KEPT + 1), "x" * (LONGEST_KEPT + 1)):
            assert await shared.answer(len(text), partial(make, text), Request({"type": "http"})) == text
        assert [len(text) for text in made] == [5, LONGEST_KEPT + 1, LONGEST_KEPT + 1]

    asyncio.run(scene())
