"""`record.analyse()`: the findings with the moments that they speak of."""

import json
from dataclasses import replace

import pytest

from manhunt.analysis.analyse import analyse
from manhunt.analysis.analysed_game import analyse_record
from manhunt.analysis.findings import FOUND, Effort
from manhunt.core.ids import PLAYERS, Seat
from random_games import random_record

LITTLE = Effort(iterations=20, screened=4, sampled=20, played=(2, 4), seconds=0.02)


def test_it_says_what_the_web_app_says() -> None:
    record = random_record("pursuit", 3)
    found = record.analyse(quick=True)
    whole = analyse(record.format())
    assert json.loads(json.dumps(found.to_json())) == json.loads(json.dumps(whole))


def test_marked_moves_and_the_moment_before_them() -> None:
    record = random_record("pursuit", 3)
    found = analyse_record(record, effort=LITTLE)
    assert found.marked
    assert found.worst in found.marked
    for move in found.marked:
        before = found.before(move)
        assert before.ply == move.ply
        assert found.past.acting(move.ply) is Seat(move.seat)
    shown = found._repr_html_()
    assert shown.count("<tr>") == 1 + len(found.marked)
    assert record.about in shown
    assert repr(found).endswith(f"{len(found.marked)} of {len(found.findings.moves)} decisions marked>")


def test_the_worst_move_of_one_seat_is_not_the_opponents() -> None:
    found = analyse_record(random_record("pursuit", 3), effort=LITTLE)
    lost = {
        seat: max((m.lost for m in found.marked if m.seat == seat.value and m.lost > 0), default=0) for seat in PLAYERS
    }
    assert sum(map(bool, lost.values())), "else nothing is tested"
    for seat in PLAYERS:
        worst = found.worst_of(seat)
        assert (worst.lost if worst else 0) == lost[seat]
        assert worst is None or worst.seat == seat.value
    assert found.worst.lost == max(lost.values())


def test_a_good_find_is_never_the_worst_move() -> None:
    found = analyse_record(random_record("pursuit", 3), effort=LITTLE)
    find = replace(found.marked[0], mark=FOUND, lost=0.0)
    only = replace(found, findings=replace(found.findings, moves=[find]))
    assert only.marked == (find,)
    assert only.worst is None
    assert only.worst_of(Seat(find.seat)) is None


@pytest.mark.parametrize("name", ["fugitive", "shortest_path"])
def test_other_games_are_analysed_alike(name) -> None:
    found = analyse_record(random_record(name, 5), effort=LITTLE)
    assert found.findings.moves
    assert found._repr_html_()
