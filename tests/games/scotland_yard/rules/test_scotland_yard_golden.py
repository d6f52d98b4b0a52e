"""The golden games of Scotland Yard hold the scenes they are there for.

Caught: ply 5 is `2:T115,S108`, a double move over the shown round 3 whose second ride takes the ferry 115-108.
Escaped: ply 4 is `2:S157,T156`, by the ferry 115-157 in the shown round 3.
"""

from pathlib import Path

import pytest

from manhunt.core.ids import Transport
from manhunt.games.scotland_yard.rules.actions import Double
from manhunt.games.scotland_yard.rules.rules import fares, steps_of
from manhunt.play.record import ReplayedGame, load_record, replay

HERE = Path(__file__).parents[3] / "golden"
CAUGHT, ESCAPED = (HERE / f"scotland-yard-{name}.record.txt" for name in ("caught", "escaped"))


def rides(replayed: ReplayedGame) -> list[tuple[int, int, bool, bool]]:
    """Of Mr X's rides: ply, round, whether it is part of a double move, and whether only a ferry goes there."""
    board, found = replayed.config.board, []
    for ply, (before, action) in enumerate(zip(replayed.states, replayed.actions, strict=False), 1):
        if action.piece.is_detective:
            continue
        here = before.quarry
        for i, (ticket, to) in enumerate(steps_of(action)):
            assert (ticket, to) in fares(board)[here]
            kinds = {kind for node, kind in board.steps(here) if node == to}
            found.append((ply, before.round + i + 1, isinstance(action, Double), kinds == {Transport.FERRY}))
            here = to
    return found


@pytest.mark.parametrize(
    ("path", "ply", "outcome"), [(CAUGHT, 5, "pursuers capture"), (ESCAPED, 4, "evader survival")], ids=lambda v: str(v)
)
def test_a_double_move_over_a_shown_round_with_a_ferry(path: Path, ply: int, outcome: str) -> None:
    replayed = replay(load_record(path))
    assert str(replayed.game.outcome(replayed.states[-1])) == outcome
    taken = rides(replayed)
    shown = replayed.config.shown_rounds
    assert any(at == ply and is_double and round_ in shown for at, round_, is_double, _ in taken)
    assert any(at == ply and is_ferry for at, _, _, is_ferry in taken)


@pytest.mark.parametrize("path", [CAUGHT, ESCAPED], ids=lambda p: p.name)
def test_the_transcript_tells_the_candidates_and_the_truth_is_among_them(path: Path) -> None:
    lines = path.with_name(path.name.replace(".record.", ".transcript.")).read_text(encoding="utf-8").splitlines()
    truths = [line.split(" X@")[1].split("=")[0] for line in lines if line.startswith("truth ")]
    known = [line.split(": ")[1].split() for line in lines if line.startswith("  P knows ")]
    assert len(truths) == len(known) == len(replay(load_record(path)).states)
    assert all(place in nodes for place, nodes in zip(truths, known, strict=True))
