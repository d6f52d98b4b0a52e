"""The sweep through files: the same answers, also after it was stopped and resumed."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from manhunt.core.errors import ManhuntError
from manhunt.solvers.hunt import Hunt, make_hunt
from manhunt.solvers.memory import TooLarge
from manhunt.solvers.retrograde import solve_hunt
from manhunt.solvers.sharded_sweep import OrderedShards, Shards, SortedShards, solve_in_shards
from manhunt.solvers.sorted_sweep import solve_sorted


def ladder(n: int, k: int, **rules: bool) -> Hunt:
    """Two rows of nodes with some rungs: many rounds until the last quarry is caught."""
    rng = Random(n)
    edges = [(v, v + 2) for v in range(n - 2)] + [(v, v + 1) for v in range(0, n - 1, 2) if v < 2 or rng.random() < 0.6]
    steps = [sorted({b for a, b in edges if a == v} | {a for a, b in edges if b == v}) for v in range(n)]
    return make_hunt(steps, steps, [[v] for v in range(n)], n_pursuers=k, **rules)


@pytest.mark.parametrize("quarry_first", [True, False])
@pytest.mark.parametrize("may_share", [True, False])
@pytest.mark.parametrize("k", [2, 3])
def test_shards_give_the_answers_of_the_sweeps_in_memory(
    k: int, may_share: bool, quarry_first: bool, tmp_path: Path
) -> None:
    hunt = ladder(12, k, may_share=may_share, quarry_first=quarry_first)
    ordered, whole = OrderedShards(hunt, tmp_path / "ordered"), solve_hunt(hunt)
    assert len(whole.survivors_by_round) > 1
    assert solve_in_shards(ordered) == whole
    assert solve_in_shards(SortedShards(hunt, tmp_path / "sorted"), n_threads=1) == solve_sorted(hunt)


@pytest.mark.parametrize("kind", [OrderedShards, SortedShards])
def test_a_stopped_sweep_is_resumed(kind: type[Shards], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hunt = ladder(12, 2, may_share=True)
    shards, work_out, seen = kind(hunt, tmp_path), Shards.work_out, []

    def stop(self: Shards, number: int, shard: int) -> Any:
        if (number, shard) == (3, 5):
            raise KeyboardInterrupt
        return work_out(self, number, shard)

    monkeypatch.setattr(Shards, "work_out", stop)
    with pytest.raises(KeyboardInterrupt):
        solve_in_shards(shards)
    assert len((tmp_path / "rounds.jsonl").read_text().splitlines()) == 3, "0, 1 and 2 are finished"

    def note(self: Shards, number: int, shard: int) -> Any:
        seen.append(number)
        return work_out(self, number, shard)

    monkeypatch.setattr(Shards, "work_out", note)
    assert solve_in_shards(shards) == solve_hunt(hunt)
    assert min(seen) == 3
    seen.clear()
    assert solve_in_shards(shards) == solve_hunt(hunt)
    assert seen == [], "all of it is written down"
    with pytest.raises(ManhuntError, match="has the rounds of another hunt"):
        solve_in_shards(kind(ladder(10, 2, may_share=True), tmp_path))
    next(tmp_path.glob("*.sets")).unlink()
    with pytest.raises(ManhuntError, match="is missing or damaged; start again in another folder"):
        solve_in_shards(shards)
    (tmp_path / "rounds.jsonl").write_text("{")
    with pytest.raises(ManhuntError, match="rounds.jsonl"):
        solve_in_shards(shards)
    with pytest.raises(ManhuntError, match="cannot make the folder"):
        solve_in_shards(kind(hunt, tmp_path / "rounds.jsonl"))


def test_what_does_not_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match="a shard on each of 2 threads needs about"):
        solve_in_shards(OrderedShards(ladder(12, 3), tmp_path), max_memory=1000, n_threads=2)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1000))
    with pytest.raises(ManhuntError, match="two rounds; 0.0 MB are free"):
        solve_in_shards(OrderedShards(ladder(12, 3), tmp_path))
