"""A page that does not read is dropped; the others do not wait for it, and it may come again."""

import asyncio
import json
import socket
from random import Random

import pytest

from manhunt.server.sockets import CLOSE_SLOW, Outbox
from sites import Site


class StuckSocket:
    """Takes one message, then nothing until it is closed."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.codes: list[int] = []
        self.let_go = asyncio.Event()

    async def send_text(self, text: str) -> None:
        self.sent.append(text)
        if len(self.sent) > 1:
            await self.let_go.wait()

    async def close(self, code: int) -> None:
        self.codes.append(code)


def test_a_full_queue_ends_the_socket_and_keeps_nothing() -> None:
    async def scene() -> StuckSocket:
        stuck = StuckSocket()
        outbox = Outbox(stuck, 8)  # type: ignore[arg-type]
        running = asyncio.get_running_loop().create_task(outbox.run())
        await asyncio.sleep(0)
        for i in range(100):
            outbox.put(str(i))
            await asyncio.sleep(0)
        assert len(outbox._waiting) == 0
        stuck.let_go.set()
        await running
        return stuck

    stuck = asyncio.run(scene())
    assert stuck.codes == [CLOSE_SLOW]
    assert stuck.sent == ["0", "1"]


def test_a_reader_who_takes_nothing_is_not_waited_for() -> None:
    async def scene() -> None:
        outbox = Outbox(StuckSocket(), 8)  # type: ignore[arg-type]
        running = asyncio.get_running_loop().create_task(outbox.run())
        outbox.abandon = running.cancel
        for i in range(100):
            outbox.put(str(i))
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(scene())


@pytest.mark.parametrize("n_deaf", [3])
def test_others_do_not_wait_for_a_deaf_spectator(site: Site, n_deaf: int) -> None:
    begun = site.begin("scotland_yard", seed=4)
    deaf = [site.sit(begun["uid"]) for _ in range(n_deaf)]
    for each in deaf:
        each.socket.socket.setblocking(True)  # nobody calls recv on it
    with site.sit(begun["uid"], begun["tokens"]["evader"]) as evader:
        assert evader.play(Random(2))["over"]
    for each in deaf:
        each.socket.socket.shutdown(socket.SHUT_RDWR)  # it would wait for an answer that it does not read
        each.socket.close()
    with site.sit(begun["uid"]) as again:
        assert json.dumps(again.hear_until("observe")["over"]) == "true"
