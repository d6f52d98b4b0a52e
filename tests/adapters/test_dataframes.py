"""Data frames: one row for each thing, columns and types that never change, and a page that explains them."""

import re
import sys
from pathlib import Path

import pytest

from manhunt.adapters import pandas as frames
from manhunt.adapters.pandas import games_frame, matrix_frame, plies_frame, ratings_frame, standings_frame
from manhunt.agents.registry import make_agent
from manhunt.arena import make_plan, run_arena, run_tournament
from manhunt.arena.competition.file import parse_competition
from manhunt.arena.competition.run import begin_competition, run_competition
from manhunt.arena.competition.standings import table_of
from manhunt.arena.ledger import Ledger
from manhunt.arena.result import Played, Result
from manhunt.core.agent import Agent
from manhunt.core.errors import MissingExtra
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import game_names, kit_of
from manhunt.play.event_words import event_words
from manhunt.play.fault import Fault
from manhunt.play.record import load_record, replay
from manhunt.play.referee import Referee
from manhunt.store.connect import open_store

pytest.importorskip("pandas", reason="PANDAS IS NOT INSTALLED: pip install 'manhunt[dataframes]'")
import pandas as pd

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "dataframes.md"
TABLES = {
    "games_frame": frames.GAMES,
    "matrix_frame": frames.MATRIX,
    "ratings_frame": frames.RATINGS,
    "plies_frame": frames.PLIES,
    "standings_frame": frames.STANDINGS,
}


class Crashes(Agent):
    def act(self, view, limit, rng):
        raise RuntimeError("no idea")


def shape(frame) -> dict[str, str]:
    return {name: str(dtype) for name, dtype in frame.dtypes.items()}


def wanted(table) -> dict[str, str]:
    return {name: "category" if isinstance(kind, tuple) else kind for name, kind in table.items()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    out: Path = tmp_path_factory.mktemp("arena") / "out"
    run_arena("pursuit", ["random", Crashes], ["random", "greedy"], 3, seed=1, workers=0, out=out)
    return out


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return run_arena("pursuit", ["random", Crashes], ["random", "greedy"], 3, seed=1, workers=0)


def recorded(game: str):
    rules = kit_of(game).game
    agents = {seat: make_agent("random", game, seat) for seat in PLAYERS}
    referee = Referee(rules, rules.make_config(**kit_of(game).small), agents, seed=3)
    referee.run()
    return referee.record()


def test_one_row_a_game(ledger, folder) -> None:
    frame = games_frame(ledger)
    assert shape(frame) == wanted(frames.GAMES)
    assert list(frame["number"]) == list(range(12))
    assert list(frame["deal"]) == [number // 4 for number in range(12)]
    records = [load_record(file) for file in sorted((folder / "records").iterdir())]
    for row, record in zip(frame.itertuples(), records, strict=True):
        assert (row.evader, row.pursuers) == (record.seats["evader"], record.seats["pursuers"])
        assert f"{row.winner} {row.termination}" == str(record.outcome)
        assert row.plies == len(record.actions)
    assert list(frame["winner"].cat.categories) == ["evader", "pursuers"]
    assert list(frame["evader"].cat.categories) == ["random", "Crashes"]
    assert (frame["evader_decisions"] > 0).all()
    crashed = frame[frame["evader"] == "Crashes"]
    assert set(crashed["fault_seat"]) == {"evader"}
    assert crashed["fault_detail"].str.contains("RuntimeError: no idea").all()
    assert frame[frame["evader"] == "random"]["fault"].isna().all()


def test_a_folder_gives_the_frame_of_its_run(ledger, folder) -> None:
    """Thinking times are those of another run."""
    for make in (matrix_frame, ratings_frame):
        pd.testing.assert_frame_equal(make(folder), make(ledger))
    timeless = [name for name in frames.GAMES if "seconds" not in name]
    pd.testing.assert_frame_equal(games_frame(str(folder))[timeless], games_frame(ledger)[timeless])


def test_the_frame_of_games_adds_up_to_the_matrix(ledger) -> None:
    games, matrix = games_frame(ledger), matrix_frame(ledger)
    assert shape(matrix) == wanted(frames.MATRIX)
    won = games.groupby(["evader", "pursuers"], observed=False)["winner"].agg(lambda column: (column == "evader").sum())
    assert list(won) == list(matrix["evader_wins"])
    assert ((matrix["evader_rate_low"] <= matrix["evader_rate"]) & (matrix["evader_rate"] <= 1)).all()
    assert list(matrix["evader_forfeits"]) == [0, 0, 3, 3]
    assert matrix["mean_cost"].isna().all()


def test_costs_and_games_that_nobody_could_play() -> None:
    options = dict(kit_of("shortest_path").small)
    ledger = run_arena("shortest_path", "random", "random", 5, seed=1, workers=0, **options)
    frame = games_frame(ledger)
    assert (frame["cost"].notna() == (frame["termination"] == "arrival")).all()
    lost = Ledger(make_plan("pursuit", ["random"], ["random"], 2))
    assert games_frame(lost).empty
    assert shape(games_frame(lost)) == wanted(frames.GAMES)
    assert matrix_frame(lost)["evader_rate"].isna().all()
    lost.book(Played(Result(1, None, 0, 0, Fault(None, "worker died", "3 workers died"))))
    (row,) = games_frame(lost).itertuples()
    assert row.number == 1
    assert row.fault == "worker died"
    assert all(pd.isna(value) for value in (row.winner, row.rounds, row.plies, row.fault_seat, row.evader_seconds))


def test_compiled_games_have_no_times() -> None:
    ledger = run_tournament(make_plan("scotland_yard", "random", "random", 4, seed=1, records=False), workers=0)
    frame = games_frame(ledger)
    assert len(frame) == 4
    assert frame["evader_seconds"].isna().all()
    assert (frame["plies"] > 0).all()


@pytest.mark.parametrize("game", game_names())
def test_one_row_a_ply(game: str) -> None:
    record = recorded(game)
    frame = plies_frame(record)
    assert shape(frame) == wanted(frames.PLIES)
    assert list(frame["action"]) == list(record.actions)
    past = replay(record)
    assert list(frame["seat"]) == [past.game.to_act(state).value for state in past.states[:-1]]
    assert frame["round"].is_monotonic_increasing


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("seat", PLAYERS)
def test_a_seat_reads_what_it_could_read(game: str, seat: Seat) -> None:
    record = recorded(game)
    past = replay(record)
    frame, n_hidden = plies_frame(record, seat), 0
    for i, row in enumerate(frame.itertuples()):
        events = past.game.events(past.states[i], past.actions[i], past.states[i + 1])
        shown = past.game.visible_notation(past.config, past.actions[i], events, seat)
        assert shown is None if pd.isna(row.action) else row.action == shown
        told = [] if pd.isna(row.words) else row.words.split("; ")
        assert told == [text for event in events if (text := event_words(game, event.seen_by(seat)))]
        n_hidden += sum(seat not in event.audience for event in events)
    assert (n_hidden == 0) == (list(frame["words"].dropna()) == list(plies_frame(record)["words"].dropna()))
    if past.game.capabilities.hidden and seat is Seat.PURSUERS and game != "pursuit":
        assert list(frame["action"].fillna("")) != list(record.actions)


TOURNAMENT = """
name = "evening"
seed = 1
[[game]]
game = "pursuit"
options = { max_rounds = 4 }
[[bot]]
name = "one"
agent = "random"
[[bot]]
name = "two"
agent = "greedy"
"""


def test_one_row_a_bot(tmp_path) -> None:
    store = open_store(tmp_path / "games.db")
    kept, competition = begin_competition(store, parse_competition(TOURNAMENT), TOURNAMENT)
    table = table_of(run_competition(store, kept, competition, workers=0))
    frame = standings_frame(table)
    assert shape(frame) == wanted(frames.STANDINGS)
    assert list(frame["bot"]) == [standing.name for standing in table.standings]
    assert frame["points"].sum() == frame["games"].sum() / 2
    assert (frame["decisions"] > 0).all()


def test_the_page_names_every_column_with_its_type() -> None:
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]
    found = {}
    for section in sections:
        title = re.match(r"`(\w+)\(", section)
        if title:
            found[title[1]] = re.findall(r"^\| `(\w+)` \| `?(\w+)`? \|", section, re.M)
    assert found == {name: list(wanted(table).items()) for name, table in TABLES.items()}


def test_without_pandas_one_line_says_what_to_install(ledger, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"^data frames need the extra 'dataframes': .*pip install .*dataframes\]'$"):
        games_frame(ledger)
