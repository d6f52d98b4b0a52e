"""Table files, what is refused, and the agent that plays from them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from manhunt.core.agent import Limit
from manhunt.core.errors import BadConfig, ManhuntError
from manhunt.core.ids import Node, Seat
from manhunt.games.pursuit.agents.policy import PolicyAgent
from manhunt.games.pursuit.agents.table import TableAgent
from manhunt.games.pursuit.rules import rules, views
from manhunt.games.pursuit.rules.config import PursuitConfig, make_config
from manhunt.games.pursuit.rules.game import PursuitGame
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.solvers.all_starts import solve_all_starts
from manhunt.games.pursuit.solvers.exhaustive import solve_one_start
from manhunt.games.pursuit.solvers.policy_file import save_policy
from manhunt.games.pursuit.solvers.tables import FOREVER, open_table, solve_table, solve_to_table
from manhunt.solvers.tables import BadTable
from pursuit_reference import Reference, all_starts

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "two.table"
    solve_to_table(make_config(board="top-right-20", n_detectives=2), path)
    return path


def test_table_keeps_board_rules_and_sizes(file: Path) -> None:
    table = open_table(file)
    assert table.config == make_config(board="top-right-20", n_detectives=2, max_rounds=None)
    assert table.states == 20 * 19 * 18
    assert table.fixpoint


def test_table_agrees_with_one_start(file: Path) -> None:
    table, config = open_table(file), make_config(board="top-right-20", n_detectives=2, max_rounds=9)
    for quarry, *pursuers in ((0, 4, 9), (5, 0, 1), (8, 2, 17), (12, 3, 0)):
        state = rules.begun(PursuitState(config, Node(quarry), tuple(Node(d) for d in pursuers)))
        told = table.rounds_survived(Node(quarry), state.pursuers)
        assert min(told, 9) == solve_one_start(state).survival_rounds


def test_every_flipped_byte_and_every_cut_is_noticed(file: Path, tmp_path: Path) -> None:
    good = file.read_bytes()
    rng, bad = Random(5), tmp_path / "bad.table"
    header_end = good.index(b'"fixpoint"')
    for at in [0, 9, 13, 40, header_end, *(rng.randrange(8192, len(good)) for _ in range(30)), len(good) - 1]:
        bad.write_bytes(good[:at] + bytes([good[at] ^ 0x41]) + good[at + 1 :])
        with pytest.raises(ManhuntError) as error:
            open_table(bad)
        assert "\n" not in str(error.value)
    for size in (0, 5, 16, 300, 5000, len(good) // 2, len(good) - 1):
        bad.write_bytes(good[:size])
        with pytest.raises(BadTable):
            open_table(bad)
    bad.write_bytes(good + b"x")
    with pytest.raises(BadTable, match="cut off or added to"):
        open_table(bad)
    with pytest.raises(ManhuntError, match="cannot read"):
        open_table(tmp_path / "none.table")


def test_large_tables_are_checked_where_they_are_read(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("manhunt.solvers.tables.CHECK_ALL_BELOW", 0)
    monkeypatch.setattr("manhunt.solvers.tables.BLOCK", 1024)
    config = make_config(board="top-right-20", n_detectives=2)
    solve_to_table(config, tmp_path / "b.table")
    good = bytearray((tmp_path / "b.table").read_bytes())
    good[-20] ^= 1  # among the checksums
    (tmp_path / "sums.table").write_bytes(good)
    with pytest.raises(BadTable, match="list of checksums"):
        open_table(tmp_path / "sums.table")
    good[-20] ^= 1
    good[8192 + 100] ^= 1
    (tmp_path / "c.table").write_bytes(good)
    table = open_table(tmp_path / "c.table")
    assert table.rounds_survived(Node(0), (Node(18), Node(19))) >= 0
    with pytest.raises(BadTable, match="block 0"):
        table.rounds_survived(Node(3), (Node(0), Node(1)))


def test_other_board_and_other_rules_are_refused(file: Path) -> None:
    table = open_table(file)
    with pytest.raises(BadTable, match="is for board top-right-20, not for london"):
        table.check_game(make_config(board="london"))
    with pytest.raises(BadTable, match="reach_hops is 0 there, 1 here"):
        table.check_game(make_config(board="top-right-20", reach_hops=1))
    with pytest.raises(BadTable, match="n_detectives is 2 there, 3 here"):
        table.check_game(make_config(board="top-right-20", n_detectives=3))


def test_many_rounds_take_two_bytes(tmp_path: Path) -> None:
    """A detective who may wait walks a long path down: the far quarry lasts more than 254 rounds."""
    config = make_config(board="path:270", n_detectives=1, quarry_may_stay=True, detectives_may_stay=True)
    found = solve_to_table(config, tmp_path / "long.table")
    table = open_table(tmp_path / "long.table")
    assert found.rounds_to_capture_all is not None
    assert found.rounds_to_capture_all > 260
    assert found.longest is not None
    assert table.rounds_survived(found.longest.quarry, found.longest.pursuers) == found.longest.rounds
    assert table.rounds_survived(Node(1), (Node(0),)) < FOREVER
    per_round = [0] * (found.rounds_to_capture_all + 1)
    for d in range(270):
        for x in range(270):
            per_round[table.rounds_survived(Node(x), (Node(d),))] += x != d
    alive = [found.states - sum(per_round[: i + 1]) for i in range(found.rounds_to_capture_all)]
    assert tuple(alive) == found.survivors_by_round


def test_nothing_half_written_when_interrupted(tmp_path: Path) -> None:
    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_to_table(make_config(board="top-right-20"), tmp_path / "t.table", on_round=stop)
    assert list(tmp_path.iterdir()) == []


def test_too_large_is_refused_before_the_work() -> None:
    with pytest.raises(ManhuntError, match=r"5 detectives needs about .* GB"):
        solve_all_starts(make_config(board="london", n_detectives=5), max_memory=1 << 30)
    with pytest.raises(ManhuntError, match="--set order=at-once or --set may_share=true needs 81.4 MB"):
        solve_all_starts(make_config(board="london", n_detectives=3), max_memory=1 << 27)
    with pytest.raises(BadConfig, match="order any needs may_share or detectives_may_stay"):
        solve_all_starts(make_config(board="top-right-20", order="any"))
    with pytest.raises(BadConfig, match="tables with order at-once need may_share"):
        solve_table(make_config(board="top-right-20", order="at-once"))
    with pytest.raises(BadConfig, match="visibility is sight"):
        solve_all_starts(make_config(board="top-right-20", visibility="sight"))


def play(
    config: PursuitConfig, state: PursuitState, quarry: TableAgent | PolicyAgent, pursuers: TableAgent
) -> PursuitState:
    rng = Random(0)
    while rules.to_act(state) is not None:
        seat = rules.to_act(state)
        assert seat is not None
        agent = quarry if seat is Seat.EVADER else pursuers
        advice = agent.act(views.view(state, seat), Limit(), rng)
        state = rules.apply_action(state, advice.action)
    return state


@pytest.mark.parametrize("start", [(0, 4, 9), (8, 2, 17), (12, 3, 0), (19, 1, 10), (5, 0, 1)])
def test_two_table_agents_play_out_the_tables_value(file: Path, start: tuple[int, ...]) -> None:
    agent = TableAgent(file=str(file))
    config = make_config(board="top-right-20", max_rounds=12)
    state = rules.begun(PursuitState(config, Node(start[0]), (Node(start[1]), Node(start[2]))))
    told = agent.table.rounds_survived(Node(start[0]), state.pursuers)
    end = play(config, state, agent, agent)
    outcome = rules.outcome(end)
    assert outcome is not None
    assert outcome.value == (1.0 if told >= 12 else -1.0)
    stranded = outcome.termination.value == "stranded"
    assert end.round == (12 if told >= 12 else told + (0 if stranded else 1))


def test_table_agent_says_what_it_knows(file: Path) -> None:
    agent = TableAgent(file=str(file))
    config = make_config(board="top-right-20", max_rounds=15)
    state = rules.begun(PursuitState(config, Node(0), (Node(4), Node(9))))
    advice = agent.act(views.view(state, Seat.EVADER), Limit(), Random(0))
    assert advice.value == -1.0
    assert advice.counters["rounds"] == 4
    assert advice.line[0] == advice.action
    assert len(advice.line) == 6
    short = replace(state, config=replace(config, max_rounds=4))
    assert agent.act(views.view(short, Seat.EVADER), Limit(), Random(0)).value == 1.0


def test_table_agent_places_the_cops_of_the_textbook_game(tmp_path: Path) -> None:
    config = make_config("cops-and-robbers", "ring:7", n_detectives=2)
    solve_to_table(config, tmp_path / "ring.table")
    agent = TableAgent(file=str(tmp_path / "ring.table"))
    end = play(config, PursuitGame().start(config, {}), agent, agent)
    outcome = rules.outcome(end)
    assert outcome is not None
    assert outcome.value == -1.0
    assert end.round == 1


def test_policy_agent_escapes_the_perfect_detectives(file: Path, tmp_path: Path) -> None:
    config = make_config(board="top-right-20", max_rounds=4)
    state = rules.begun(PursuitState(config, Node(0), (Node(4), Node(9))))
    save_policy(tmp_path / "p.json", solve_one_start(state))
    agent = PolicyAgent(file=str(tmp_path / "p.json"))
    agent.start(views.view(state, Seat.EVADER))
    outcome = rules.outcome(play(config, state, agent, TableAgent(file=str(file))))
    assert outcome is not None
    assert outcome.value == 1.0
    other = rules.begun(PursuitState(config, Node(8), (Node(4), Node(9))))
    with pytest.raises(ManhuntError, match=r"has no entry r=0\|p=mrx\|x=9\|d=5,10; it is for the start Mr X 1"):
        agent.act(views.view(other, Seat.EVADER), Limit(), Random(0))
    longer = replace(state, config=replace(config, max_rounds=5))
    with pytest.raises(ManhuntError, match="is for 4 rounds; this game has 5"):
        agent.start(views.view(longer, Seat.EVADER))


def test_agents_without_a_file_say_what_to_write() -> None:
    for agent in (TableAgent, PolicyAgent):
        with pytest.raises(ManhuntError, match="needs a file"):
            agent()


def test_same_table_whatever_the_number_of_threads(tmp_path: Path) -> None:
    config = make_config(board="dodecahedron", n_detectives=3)
    results = {solve_all_starts(config, n_threads=n) for n in (1, 2, 5)}
    assert len(results) == 1
    digests = set()
    for name in ("a", "b"):
        solve_to_table(config, tmp_path / name)
        digests.add(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())
    assert len(digests) == 1


def test_a_table_of_an_earlier_version_opens() -> None:
    """The file was written before tables moved to the platform."""
    path, config = DATA / "grid-3x3.table", make_config(board="grid:3x3", n_detectives=2, max_rounds=None)
    table, reference = open_table(path), Reference(config)
    assert table.config == config
    assert (table.states, table.rounds, table.fixpoint) == (9 * 8 * 7, 4, True)
    for quarry, pursuers in all_starts(config):
        told = table.rounds_survived(Node(quarry), tuple(map(Node, pursuers)))
        assert told == reference.rounds_survived(quarry, pursuers, 9)


def test_tables_are_written_as_before(tmp_path: Path) -> None:
    solve_to_table(make_config(board="grid:3x3", n_detectives=2, max_rounds=7), tmp_path / "new.table")
    assert (tmp_path / "new.table").read_bytes() == (DATA / "grid-3x3.table").read_bytes()
