"""Tournaments played to the end in this process: the table, faults, resuming, Swiss rounds, costs."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from manhunt.arena.competition import play as playing
from manhunt.arena.competition import run as running
from manhunt.arena.competition.file import parse_competition
from manhunt.arena.competition.model import (
    Competition,
    ProgrammeGame,
    TournamentBot,
    competition_from_text,
    differences,
    with_late_bots,
)
from manhunt.arena.competition.pairing import expected_matches
from manhunt.arena.competition.run import made_with, progress_of, run_competition
from manhunt.arena.competition.scores import scores_of
from manhunt.arena.competition.standings import table_of, table_to_json
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Seat
from manhunt.play.record import parse_record, replay
from manhunt.store.connect import open_store
from manhunt.store.games import load_record
from manhunt.store.tournaments import KeptResult, create_tournament, find_tournament

EVENING = """name = "evening"
seed = 4
[clock]
cap = 20.0
[[game]]
game = "pursuit"
board = "grid:3x3"
options = { n_detectives = 1, max_rounds = 4 }
[[game]]
name = "path"
game = "shortest_path"
[[bot]]
name = "ann"
agent = "random"
[[bot]]
name = "bob"
agent = "greedy"
games = ["pursuit"]
[[bot]]
name = "cy"
agent = "random@1"
"""
AGENTS = """
import time
from manhunt.core.agent import Advice, Agent
from manhunt.core.errors import BadAgent

class Crashes(Agent):
    def act(self, view, limit, rng):
        raise RuntimeError("no idea")

class Refuses(Agent):
    def start(self, view):
        raise BadAgent("I have no table of this board")
    def act(self, view, limit, rng):
        return Advice(view.legal[0])

class Illegal(Agent):
    def act(self, view, limit, rng):
        return Advice("nonsense")

class Hangs(Agent):
    def act(self, view, limit, rng):
        while True:
            time.sleep(0.05)
"""


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path / "a.db")
    yield store
    store.close()


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """An agent that hung in one test must not end this process in the next."""
    yield
    playing._hung.clear()


def begun(store, competition: Competition):
    return create_tournament(
        store, competition.name, competition.spec(), competition.run_id, "", made_with(competition)
    )


def played(store, text: str, folder: str = ".", **options):
    competition = parse_competition(text, folder=folder)
    return run_competition(store, begun(store, competition), competition, workers=0, **options)


def test_every_game_is_kept_with_its_record(store) -> None:
    progress = played(store, EVENING)
    assert progress.is_finished
    assert progress.n_played == progress.n_planned == expected_matches(progress.competition) == 6 + 2
    for result in progress.results.values():
        record = parse_record(load_record(store, result.game_uid))
        assert (record.seats["evader"], record.seats["pursuers"]) == (result.evader, result.pursuers)
        assert str(record.outcome) == result.outcome
        replay(record)
    assert find_tournament(store, "evening").finished_at is not None


def test_mirrored_games_start_from_the_same_deal(store) -> None:
    progress = played(store, EVENING)
    setups = {}
    for result in progress.results.values():
        record = parse_record(load_record(store, result.game_uid))
        setups.setdefault((result.entry, result.deal), []).append(record.setup)
    assert all(setup == found[0] for found in setups.values() for setup in found)


def test_the_table_counts_what_was_played(store) -> None:
    progress = played(store, EVENING)
    table = table_of(progress)
    assert sum(s.points for s in table.standings) == 2 * table.n_counted == 16
    for standing in table.standings:
        mine = [r for r in progress.results.values() if standing.name in (r.evader, r.pursuers)]
        assert standing.n_games == len(mine)
    assert table.standings[0].rank == 1
    reference = table.of("ann").roles[Seat.EVADER]
    assert reference.is_reference
    assert reference.elo.value == 0
    assert table.faults == ()
    assert set(table.balance) == {"pursuit", "path"}


@pytest.mark.parametrize("stop_after", [0, 3, 6])
def test_a_run_that_is_cut_off_goes_on_without_loss(tmp_path, monkeypatch, stop_after: int) -> None:
    monkeypatch.setattr(running, "GROUP_SECONDS", 0.0)

    class Cut(Exception):
        pass

    def cut(progress) -> None:
        if progress.n_played > stop_after:
            raise Cut

    whole, torn = open_store(tmp_path / "whole.db"), open_store(tmp_path / "torn.db")
    right = table_to_json(table_of(played(whole, EVENING)))
    competition = parse_competition(EVENING)
    kept = begun(torn, competition)
    with pytest.raises(Cut):
        run_competition(torn, kept, competition, workers=0, watch=cut)
    assert stop_after < progress_of(torn, kept, competition).n_played < 8
    assert not progress_of(torn, kept, competition).is_finished
    progress = run_competition(torn, kept, competition, workers=0)
    assert table_to_json(table_of(progress)) == right
    assert progress_of(torn, kept, competition).is_finished
    whole.close()
    torn.close()


def test_swiss_rounds_in_and_after_an_interruption(tmp_path) -> None:
    text = EVENING.replace("[clock]", '[format]\nkind = "swiss"\nrounds = 3\n[clock]')
    whole, torn = open_store(tmp_path / "whole.db"), open_store(tmp_path / "torn.db")
    right = played(whole, text)
    assert len(right.rounds) == 3
    assert all(sum("" in pair for pair in pairs) == 1 for pairs in right.rounds), "three bots: one is off"
    competition = parse_competition(text)
    kept = begun(torn, competition)

    def cut(progress) -> None:
        if len(progress.rounds) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_competition(torn, kept, competition, workers=0, watch=cut)
    progress = run_competition(torn, kept, competition, workers=0)
    assert progress.rounds == right.rounds
    assert table_to_json(table_of(progress)) == table_to_json(table_of(right))
    for store in (whole, torn):
        store.close()


LATE = """[[bot]]
name = "dan"
agent = "random"
"""


def joined(store, text: str) -> tuple[running.Progress, Competition]:
    """As `manhunt tournament resume FILE --late` does it."""
    kept = find_tournament(store, "evening")
    before = competition_from_text(kept.spec)
    kept, competition = running.join_late(store, kept, with_late_bots(before, parse_competition(text)), text)
    assert find_tournament(store, "evening").finished_at is None
    return run_competition(store, kept, competition, workers=0), competition


def test_a_late_bot_plays_everybody_on_the_same_deals_and_old_games_stay(store) -> None:
    before = played(store, EVENING).results
    progress, competition = joined(store, EVENING + LATE)
    assert progress.is_finished
    assert {number: result for number, result in progress.results.items() if number in before} == before
    late = [result for number, result in progress.results.items() if number not in before]
    assert {frozenset((r.evader, r.pursuers)) for r in late} == {
        frozenset(("dan", name)) for name in ("ann", "bob", "cy")
    }
    setups = {}
    for result in progress.results.values():
        record = parse_record(load_record(store, result.game_uid))
        setups.setdefault((result.entry, result.deal), []).append(record.setup)
    assert all(setup == found[0] for found in setups.values() for setup in found)
    assert progress.n_played == expected_matches(competition)
    assert competition_from_text(competition.spec()) == replace(competition, folder=".")
    again, _ = joined(store, EVENING + LATE + LATE.replace("dan", "eve"))
    assert again.is_finished
    assert table_of(again).of("eve").n_games == table_of(again).of("dan").n_games


def test_nobody_joins_when_the_secret_is_published(store) -> None:
    text = EVENING.replace("seed = 4\n", "")
    competition = parse_competition(text)
    run_competition(store, *running.begin_competition(store, competition, text), workers=0)
    kept = find_tournament(store, "evening")
    late = with_late_bots(running.competition_of(kept), parse_competition(text + LATE))
    with pytest.raises(ManhuntError, match="nobody can join any more: 'evening' is finished, and everybody may know"):
        running.join_late(store, kept, late, text)


def test_a_late_bot_plays_the_deals_of_the_secret(store, monkeypatch) -> None:
    monkeypatch.setattr(running, "GROUP_SECONDS", 0.0)
    text = EVENING.replace("seed = 4\n", "")
    kept, competition = running.begin_competition(store, parse_competition(text), text)

    def cut(progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_competition(store, kept, competition, workers=0, watch=cut)
    late = with_late_bots(running.competition_of(kept), parse_competition(text + LATE))
    kept, competition = running.join_late(store, kept, late, text)
    progress = run_competition(store, kept, competition, workers=0)
    assert progress.is_finished
    assert progress.origin["secret"] == competition.secret.hex == find_tournament(store, "evening").secret
    assert table_of(progress).of("dan").n_games == 6 + 4, "three hunts and two crossings, both sides of each"


def test_only_new_bots_below_the_others_can_join() -> None:
    before = parse_competition(EVENING)
    for text in (
        EVENING,
        EVENING.replace("seed = 4", "seed = 5") + LATE,
        EVENING.replace("[[bot]]", LATE + "[[bot]]", 1),
    ):
        assert with_late_bots(before, parse_competition(text)) is before
    late = with_late_bots(before, parse_competition(EVENING + LATE))
    assert [bot.name for bot in late.bots] == ["ann", "bob", "cy", "dan"]
    assert differences(replace(late, bots=tuple(replace(bot, since=1) for bot in late.bots)), late) == []


def test_a_late_bot_joins_the_next_swiss_round(store) -> None:
    text = EVENING.replace("[clock]", '[format]\nkind = "swiss"\nrounds = 3\n[clock]')
    competition = parse_competition(text)

    def cut(progress) -> None:
        if len(progress.rounds) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_competition(store, begun(store, competition), competition, workers=0, watch=cut)
    n_before = len(progress_of(store, find_tournament(store, "evening"), competition).results)
    progress, competition = joined(store, text + LATE)
    assert progress.is_finished
    assert len(progress.results) > n_before
    (since,) = [bot.since for bot in competition.bots if bot.name == "dan"]
    assert 1 <= since <= 2
    for number, pairs in enumerate(progress.rounds):
        assert any("dan" in pair for pair in pairs) == (number >= since)
    with pytest.raises(ManhuntError, match="nobody can join any more: the last of 3 rounds has begun"):
        joined(store, text + LATE + LATE.replace("dan", "eve"))


def test_what_is_kept_must_fit_the_schedule(store) -> None:
    competition = parse_competition(EVENING)
    kept = begun(store, competition)
    run_competition(store, kept, competition, workers=0)
    other = replace(competition, bots=competition.bots[::-1])
    with pytest.raises(ManhuntError, match="is kept as ann against bob, but the schedule has game 0, cy against bob"):
        progress_of(store, kept, other)


FAULTS = {
    "Crashes": ("crash", "RuntimeError: no idea", "forfeit"),
    "Refuses": ("crash", "does not start: I have no table of this board", "forfeit"),
    "Illegal": ("illegal", "", "forfeit"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_bot_that_fails_loses_its_games_and_nothing_else_is_touched(store, tmp_path, kind: str) -> None:
    (tmp_path / "odd.py").write_text(AGENTS)
    text = EVENING.replace('agent = "random@1"', f'agent = "odd.py:{kind}"\ngames = ["pursuit"]')
    table = table_of(played(store, text, str(tmp_path)))
    why, detail, policy = FAULTS[kind]
    assert table.of("cy").points == 0
    assert table.of("cy").forfeits == table.of("cy").n_games == 4
    assert {(f.bot, f.kind, f.policy) for f in table.faults} == {("cy", why, policy)}
    assert all(detail in f.detail for f in table.faults)
    assert table.of("ann").forfeits == table.of("bob").forfeits == 0


def test_policies_let_a_game_go_on(store, tmp_path) -> None:
    (tmp_path / "odd.py").write_text(AGENTS)
    text = EVENING.replace('agent = "random@1"', 'agent = "odd.py:Crashes"\ngames = ["pursuit"]')
    text = text.replace("[clock]", '[faults]\ncrash = "random"\n[clock]')
    table = table_of(played(store, text, str(tmp_path)))
    assert table.of("cy").forfeits == 0
    assert table.of("cy").faults["crash"] > table.of("cy").n_games
    assert {f.policy for f in table.faults} == {"random"}


def test_an_agent_that_hangs_forfeits_and_the_run_goes_on(store, tmp_path) -> None:
    (tmp_path / "odd.py").write_text(AGENTS)
    text = EVENING.replace('agent = "random@1"', 'agent = "odd.py:Hangs"\ngames = ["pursuit"]\nseats = ["evader"]')
    text = text.replace("[clock]", "[limits]\ngame_seconds = 2.5\n[clock]").replace("cap = 20.0", "")
    competition = parse_competition(text, folder=str(tmp_path))
    warned: list[str] = []
    progress = run_competition(store, begun(store, competition), competition, workers=2, warn=warned.append)
    table = table_of(progress)
    assert progress.is_finished
    assert table.unplayed == ()
    assert table.of("cy").forfeits == table.of("cy").n_games == 2
    # On a busy machine a game of others may take as long.
    assert {(f.seat, f.kind, f.detail) for f in table.faults if f.bot == "cy"} == {
        (Seat.EVADER, "timeout", "the game took more than 2.5 s")
    }


def test_a_command_that_does_not_start_is_a_forfeit_with_its_words(store, tmp_path) -> None:
    script = tmp_path / "sorry.py"
    script.write_text("import sys\nsys.exit('my model file is missing')\n")
    text = EVENING.replace('agent = "random@1"', f'command = "{sys.executable} {script}"\ngames = ["pursuit"]')
    table = table_of(played(store, text, str(tmp_path)))
    assert table.of("cy").forfeits == 4
    assert all("my model file is missing" in fault.detail + fault.stderr for fault in table.faults)
    missing = EVENING.replace('"evening"', '"other"').replace('agent = "random@1"', 'command = "./none"')
    table = table_of(played(store, missing, str(tmp_path)))
    assert all("does not start" in fault.detail and "./none" in fault.detail for fault in table.faults)
    assert table.of("cy").forfeits == table.of("cy").n_games > 0


def test_a_bot_of_the_protocol_plays(store) -> None:
    bot = Path(__file__).parents[2] / "examples" / "bots" / "plain_bot.py"
    text = EVENING.replace('agent = "random@1"', f'command = "{sys.executable} {bot}"')
    table = table_of(played(store, text))
    assert table.faults == ()
    assert table.of("cy").n_games == 6


def test_changed_files_of_bots_are_told(store, tmp_path) -> None:
    (tmp_path / "odd.py").write_text(AGENTS)
    text = EVENING.replace('agent = "random@1"', 'agent = "odd.py:Crashes"\ngames = ["pursuit"]')
    competition = parse_competition(text, folder=str(tmp_path))
    kept = begun(store, competition)
    run_competition(store, kept, competition, workers=0)
    (tmp_path / "odd.py").write_text(AGENTS + "# better now\n")
    warned: list[str] = []
    run_competition(store, kept, competition, workers=0, warn=warned.append)
    assert warned == ["the file odd.py of bot cy has changed since it joined; its older games stay"]


def test_every_file_that_a_command_names_is_watched(tmp_path) -> None:
    (tmp_path / "team").mkdir()
    for name in ("team/bot.py", "weights.bin", "book with spaces.txt"):
        (tmp_path / name).write_text(name)
    command = "python3 team/bot.py --model=weights.bin 'book with spaces.txt' team missing.txt"
    bots = (TournamentBot("a", f"cmd:{command}"), TournamentBot("b", "random"))
    competition = Competition("c", 0, (PATH,), bots, folder=str(tmp_path))
    before = running.file_hashes(competition)
    assert {bot: sorted(files) for bot, files in before.items()} == {
        "a": ["book with spaces.txt", "team/bot.py", "weights.bin"]
    }
    (tmp_path / "weights.bin").write_text("better ones")
    after = running.file_hashes(competition)
    assert [name for name in before["a"] if before["a"][name] != after["a"][name]] == ["weights.bin"]


def test_hashes_of_earlier_versions_are_understood(store, tmp_path) -> None:
    """They kept one hash a bot."""
    (tmp_path / "odd.py").write_text(AGENTS)
    text = EVENING.replace('agent = "random@1"', 'agent = "odd.py:Crashes"\ngames = ["pursuit"]')
    competition = parse_competition(text, folder=str(tmp_path))
    kept = begun(store, competition)
    (one,) = kept.made_with["files"]["cy"].values()
    assert running.changes(replace(kept, made_with={**kept.made_with, "files": {"cy": one}}), competition) == []
    (tmp_path / "odd.py").write_text("")
    assert running.changes(replace(kept, made_with={**kept.made_with, "files": {"cy": one}}), competition) == [
        "the file of bot cy has changed since it joined; its older games stay"
    ]


# Scores where a cost decides

PATH = ProgrammeGame("path", "shortest_path", {}, 1)


def row(number: int, evader: str, pursuers: str, outcome: str | None) -> KeptResult:
    return KeptResult(number, 0, 0, 0, evader, pursuers, outcome, 1, 1)


def points(
    rows: list[KeptResult], bots: tuple[TournamentBot, ...] = (TournamentBot("a", "x"), TournamentBot("b", "x"))
) -> list[int]:
    return [score.evader_points for score in scores_of(Competition("c", 0, (PATH,), bots), rows)]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("evader arrival 5", "evader arrival 7", [2, 0]),  # a travelled cheaper and wins both
        ("evader arrival 7", "evader arrival 5", [0, 2]),
        ("evader arrival 5", "evader arrival 5", [1, 1]),
        ("pursuers forfeit", "evader arrival 5", [0, 2]),  # a forfeits its journey
        ("evader forfeit", "evader arrival 5", [2, 0]),  # b forfeits as adversary, and loses its journey too
        ("pursuers forfeit", "pursuers forfeit", [0, 0]),
        (None, "evader arrival 5", []),  # nothing to compare with
    ],
)
def test_the_cheaper_journey_wins_both_games_of_a_deal(first, second, expected) -> None:
    assert points([row(0, "a", "b", first), row(1, "b", "a", second)]) == expected


def test_equal_shares_and_opponents_in_swiss_rounds_are_ordered_by_the_games_between() -> None:
    bots = tuple(TournamentBot(name, "random") for name in "abcd")
    competition = Competition("c", 0, (ProgrammeGame("hunt", "pursuit", {}, 1),), bots, "swiss", rounds=3)
    won = [("c", "d"), ("a", "b"), ("a", "c"), ("b", "d"), ("d", "a"), ("b", "c")]
    rows = [KeptResult(n, n // 2, 0, 0, *pair, "evader survival", 1, 1) for n, pair in enumerate(won)]
    progress = running.Progress(competition, {row.number: row for row in rows})
    assert [(s.rank, s.name, s.direct) for s in table_of(progress).standings] == [
        (1, "a", 1.0),
        (2, "b", 0.0),
        (3, "c", 1.0),
        (4, "d", 0.0),
    ]
    assert len({s.buchholz for s in table_of(progress).standings}) == 2
    assert "buchholz" in table_to_json(table_of(progress))["standings"][0]
    others = table_of(replace_format(progress, "round-robin"))
    assert [(s.rank, s.name, s.buchholz) for s in others.standings] == [
        (1, "a", None),
        (1, "b", None),
        (3, "c", None),
        (3, "d", None),
    ], "elsewhere equal shares are equal ranks"


def replace_format(progress: running.Progress, kind: str) -> running.Progress:
    return running.Progress(replace(progress.competition, format=kind), progress.results)


def test_buchholz_is_the_mean_share_of_the_opponents() -> None:
    bots = tuple(TournamentBot(name, "random") for name in "abcd")
    competition = Competition("c", 0, (ProgrammeGame("hunt", "pursuit", {}, 1),), bots, "swiss", rounds=2)
    games = [(0, "a", "b"), (0, "c", "d"), (1, "a", "c"), (1, "b", "d")]  # the first named wins
    results = {
        n: KeptResult(n, round_, 0, 0, winner, loser, "evader survival", 1, 1)
        for n, (round_, winner, loser) in enumerate(games)
    }
    table = table_of(running.Progress(competition, results))
    assert [(s.name, s.rank, s.share, s.buchholz) for s in table.standings] == [
        ("a", 1, 1.0, 0.5),
        ("b", 2, 0.5, 0.5),
        ("c", 2, 0.5, 0.5),
        ("d", 4, 0.0, 0.5),
    ]
    results[3] = replace(results[3], evader="d", pursuers="b")
    table = table_of(running.Progress(competition, results))
    assert [(s.name, s.rank, s.buchholz) for s in table.standings] == [
        ("a", 1, 0.25),
        ("c", 2, 0.75),
        ("d", 3, 0.25),
        ("b", 4, 0.75),
    ], "c and d have the same share; c met a"


def test_a_half_played_pair_does_not_count_yet() -> None:
    assert points([row(0, "a", "b", "evader arrival 5")]) == []


def test_travellers_without_a_mirror_are_measured_by_the_median_of_the_deal() -> None:
    bots = (
        *(TournamentBot(name, "x", (), (Seat.EVADER,)) for name in "abc"),
        TournamentBot("d", "x", (), (Seat.PURSUERS,)),
    )
    costs = {"a": 3, "b": 5, "c": 9}
    rows = [row(i, name, "d", f"evader arrival {cost}") for i, (name, cost) in enumerate(costs.items())]
    assert points(rows, bots) == [2, 1, 0]


def test_a_game_that_could_not_be_played_counts_for_nobody() -> None:
    assert points([row(0, "a", "b", None)]) == []
