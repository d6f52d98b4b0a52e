"""Agents inside workers that never return lose on time, and everything else goes on."""

from functools import partial

import pytest

import hanging_agents
from manhunt.arena import tournament
from manhunt.arena.competition import run as running
from manhunt.arena.competition.file import parse_competition
from manhunt.arena.competition.run import begin_competition, run_competition
from manhunt.arena.competition.standings import table_of
from manhunt.arena.match import HUNG
from manhunt.arena.players import make_players
from manhunt.arena.schedule import make_plan
from manhunt.arena.tournament import run_tournament
from manhunt.core.agent import Limit
from manhunt.core.ids import Seat, Side
from manhunt.store.connect import open_store

SPEC = f"{hanging_agents.__file__}:Stuck"
EVENING = """name = "evening"
[clock]
cap = 0.05
[[game]]
game = "pursuit"
board = "grid:3x3"
options = { n_detectives = 1, max_rounds = 3 }
[[bot]]
name = "ann"
agent = "random"
[[bot]]
name = "cy"
agent = "AGENT"
seats = ["evader"]
"""


def test_an_agent_that_never_returns_loses_its_games_of_a_matrix(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(tournament, "make_players", partial(make_players, play=hanging_agents.play_task))
    plan = make_plan("pursuit", ["random", SPEC], ["random"], 2, limit=Limit(0.05))
    warned: list[str] = []
    ledger = run_tournament(plan, out=tmp_path, workers=1, warn=warned.append)
    assert ledger.n_finished == 4
    lost = [result for row in ledger.rows for result in row[1] if row[0] == SPEC]
    assert [cell.n_faults for cell in lost] == [2]
    assert {(fault.seat, fault.why, fault.detail) for _, fault in ledger.faults} == {(Seat.EVADER, "time", HUNG)}
    assert lost[0].evader_rate is not None
    assert lost[0].evader_rate.value == 0
    assert len(warned) == 2
    assert all(text.startswith("the evader of ") and "never returned" in text for text in warned)


@pytest.mark.parametrize("kind", ["Sleeps", "Stuck"])
def test_an_agent_that_never_returns_forfeits_its_games_of_a_tournament(tmp_path, monkeypatch, kind: str) -> None:
    monkeypatch.setattr(running, "play_matches", hanging_agents.play_matches)
    text = EVENING.replace("AGENT", f"{hanging_agents.__file__}:{kind}")
    competition = parse_competition(text, folder=str(tmp_path))
    store = open_store(tmp_path / "a.db")
    progress = run_competition(store, *begin_competition(store, competition, text), workers=1)
    table = table_of(progress)
    store.close()
    assert progress.is_finished
    assert [(f.bot, f.seat, f.kind, f.policy, f.detail) for f in table.faults] == [
        ("cy", Seat.EVADER, "timeout", "forfeit", HUNG)
    ]
    (result,) = progress.results.values()
    assert result.outcome == f"{Side.PURSUERS.value} forfeit"
    assert (result.game_uid is not None) == (kind == "Sleeps"), "a record is kept where the worker could hand it over"
