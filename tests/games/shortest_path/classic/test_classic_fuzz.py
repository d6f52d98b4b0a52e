"""Whatever one client does: no crash, the other side is told, the server serves the next game."""

import asyncio
import json
from random import Random

import pytest

from classic_clients import ADVERSARY, PLAYER, LineClient, little_config, play_out, serving, until
from manhunt.games.shortest_path.classic.protocol import Role
from manhunt.games.shortest_path.classic.server import ClassicReport, ClassicServer
from noise import packets, spoiled

LITTLE = little_config()
HELLO = {role: json.dumps({"name": "fuzz", "type": role, "framing": "lines"}).encode() for role in (PLAYER, ADVERSARY)}
STEPS = (("1", "2"), ("2", "4"), ("4", "6"))
STREAM = {
    PLAYER: b"".join(json.dumps({"start_node": a, "end_node": b}).encode() for a, b in STEPS),
    ADVERSARY: b"".join(json.dumps({"node_1": "4", "node_2": "6"}).encode() for _ in STEPS),
}


async def honest(port: int, role: int) -> list[dict]:
    """Plays on until it is told that the game is over; all that it was told."""
    client = await LineClient.join(port, role, "honest")
    told = [await client.read()]
    step = 0
    while not told[-1].get("done"):
        if role == PLAYER and "new_cost" not in told[-1] and "add_cost" in told[-1]:
            told.append(await client.read())
            continue
        if role == PLAYER:
            client.step(*STEPS[min(step, 2)])
            step += 1
        elif "add_cost" in told[-1]:
            client.lift("4", "6")
        told.append(await client.read())
    await client.close()
    return told


async def misbehave(port: int, role: int, parts: list[bytes], *, hang_up: bool) -> None:
    """Says hello and then these bytes, packet by packet, reading nothing."""
    client = await LineClient.join(port, role, say_hello=False)
    for part in (HELLO[role], *parts):
        client.write(part)
        await asyncio.sleep(0.002)
    if hang_up:
        await client.close()


async def one_round(server: ClassicServer, role: int, parts: list[bytes], *, hang_up: bool) -> None:
    """The honest side hears of the end, and a sane game works afterwards."""
    playing = asyncio.create_task(honest(server.port, 1 - role))
    await until(lambda: server.n_waiting(Role(1 - role)) == 1)
    await misbehave(server.port, role, parts, hang_up=hang_up)
    told = await asyncio.wait_for(playing, 300)
    assert told[0]["graph"]["1"] == ["2", "3"]
    assert all(set(update) >= {"done", "edge", "error", "position"} for update in told[1:])
    assert told[-1]["done"] is True
    assert all(json.dumps(update).count('"') < 100 for update in told[1:])


def examined(rounds) -> list[ClassicReport]:
    """Run rounds on one server; no warning may come, and sane games must work between them."""
    reports: list[ClassicReport] = []

    async def main() -> None:
        async with serving(LITTLE, report=reports.append, bank_seconds=1.0) as server:
            for number, (role, parts, hang_up) in enumerate(rounds):
                await one_round(server, role, parts, hang_up=hang_up)
                if number % 10 == 9:
                    assert await play_out(server.port) == 6
            assert await play_out(server.port) == 6

    asyncio.run(main())
    assert [report.text for report in reports if report.kind == "warning"] == []
    return reports


@pytest.mark.parametrize("role", [PLAYER, ADVERSARY])
def test_random_bytes(role) -> None:
    rng = Random(role)
    examined([(role, packets(rng, rng.randbytes(rng.randint(1, 200))), True) for _ in range(20)])


@pytest.mark.parametrize("role", [PLAYER, ADVERSARY])
def test_cut_glued_and_spoiled_packets(role) -> None:
    rng = Random(10 + role)
    examined([(role, packets(rng, spoiled(rng, STREAM[role])), True) for _ in range(40)])


@pytest.mark.parametrize("role", [PLAYER, ADVERSARY])
def test_drops_at_every_point(role) -> None:
    stream = STREAM[role]
    examined([(role, [stream[:end]], True) for end in range(0, len(stream) + 1, 3)])


WRONG = [None, True, 0, 1.5, "x", [], {}, ["1", "2"], {"start_node": "1"}, {"node_1": "1"}, {"done": True}]


@pytest.mark.parametrize("role", [PLAYER, ADVERSARY])
def test_wrong_types_and_shapes(role) -> None:
    keys = ("start_node", "end_node") if role == PLAYER else ("node_1", "node_2")
    shapes = [{keys[0]: value, keys[1]: "1"} for value in WRONG] + WRONG
    examined([(role, [json.dumps(shape).encode()], False) for shape in shapes if shape != {keys[0]: "1"}])


@pytest.mark.parametrize("role", [PLAYER, ADVERSARY])
def test_huge_objects(role) -> None:
    huge = [b'{"a": "' + b"x" * 100_000, b"{" * 80_000, b'{"a":[' + b"[" * 70_000, b" " * 200_000 + b"x"]
    reports = examined([(role, [data], False) for data in huge])
    assert sum("longer than 65536 bytes" in report.text for report in reports) == 3


@pytest.mark.parametrize("role", [PLAYER, ADVERSARY])
def test_a_writer_that_is_too_slow_runs_out_of_time(role) -> None:
    reports = examined([(role, [STREAM[role][:1]], False)])
    side = "traveller" if role == PLAYER else "adversary"
    assert any(f"the {side} forfeits: time over (more than " in report.text for report in reports)
    assert any(report.text.endswith(f"ended: the {side} forfeits: time over") for report in reports)


def test_a_flood_of_objects_is_read_as_moves_and_no_more() -> None:
    reports = examined([(PLAYER, [STREAM[PLAYER][:40] * 2000], False)])
    assert sum(report.kind == "ended" for report in reports) == 2


@pytest.mark.parametrize(
    "hello", [b"", b"x", b"{}", b'{"name": 1, "type": 0}', b'{"name": "a", "type": 7}', b"\xff" * 99]
)
def test_a_bad_first_message_takes_no_place(hello) -> None:
    async def main() -> None:
        async with serving(LITTLE) as server:
            stranger = await LineClient.join(server.port, PLAYER, say_hello=False)
            stranger.write(hello)
            if hello:
                assert (await stranger.read())["error"] is True
            else:
                await stranger.close()
            assert await play_out(server.port) == 6

    asyncio.run(main())
