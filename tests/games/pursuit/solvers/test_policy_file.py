"""The exhaustive question's known answer, and policy files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Seat, Side
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.actions import PursuitMove
from manhunt.games.pursuit.rules.config import make_config
from manhunt.games.pursuit.rules.game import PursuitGame, make_setup
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.solvers.exhaustive import OneStart, solve_one_start
from manhunt.games.pursuit.solvers.policy_file import QuarryPolicy, check_agreement, load_policy, save_policy
from manhunt.solvers.memory import TooLarge


def start(board: str, mrx: int, detectives: list[int], rounds: int | None, **options: Any) -> PursuitState:
    config = make_config(board=board, n_detectives=len(detectives), max_rounds=rounds, **options)
    return PursuitGame().start(config, make_setup(config, mrx, detectives))


@pytest.fixture(scope="module")
def answer() -> OneStart:
    return solve_one_start(start("top-right-20", 1, [5, 10], 4))


@pytest.fixture
def file(answer: OneStart, tmp_path: Path) -> Path:
    save_policy(tmp_path / "policy.json", answer)
    return tmp_path / "policy.json"


def test_known_answer_of_the_rule_book(answer: OneStart) -> None:
    assert answer.forced_escape
    assert answer.states_evaluated == 630
    assert answer.policy_size == 113
    assert answer.first_move == answer.config.board.node(8)
    assert answer.survival_rounds == 4


def test_file_has_the_documented_blocks(file: Path) -> None:
    data = json.loads(file.read_text())
    assert list(data) == ["format", "board", "config", "solver", "policy"]
    assert data["format"] == "scotlandyard-policy-v2"
    assert data["board"] == "top-right-20"
    assert data["config"] == {"mrx_start": 1, "detective_starts": [5, 10], "max_rounds": 4}
    assert data["solver"] == {"forced_escape": True, "states_evaluated": 630, "policy_size": 113}
    assert data["policy"]["r=0|p=mrx|x=1|d=5,10"] == 8
    assert len(data["policy"]) == 113


def test_file_round_trips(answer: OneStart, file: Path) -> None:
    policy = load_policy(file)
    assert policy.config == answer.config
    assert (policy.start.quarry, policy.start.pursuers) == (answer.quarry, answer.pursuers)
    assert policy.moves == {(e.round, e.quarry, e.pursuers): e.to for e in answer.policy()}


def always_escapes(policy: QuarryPolicy, state: PursuitState) -> bool:
    """Against every detective strategy: all their moves are tried."""
    end = rules.outcome(state)
    if end is not None:
        return end.winner is Side.EVADER
    if rules.to_act(state) is Seat.EVADER:
        to = policy.move(state)
        assert to is not None
        return always_escapes(policy, rules.apply_action(state, PursuitMove(to)))
    return all(always_escapes(policy, rules.apply_action(state, a)) for a in rules.legal_actions(state))


def test_policy_escapes_every_detective_strategy(file: Path) -> None:
    policy = load_policy(file)
    assert always_escapes(policy, policy.start)


def test_policy_has_one_legal_entry_for_every_running_quarry_state(answer: OneStart) -> None:
    """Smallest winning node; in lost states the smallest legal one."""
    expected, stack, seen = {}, [start("top-right-20", 1, [5, 10], 4)], set()
    memo: dict[PursuitState, bool] = {}

    def wins(state: PursuitState) -> bool:
        if state not in memo:
            end = rules.outcome(state)
            after = [rules.apply_action(state, a) for a in rules.legal_actions(state)]
            best = any if rules.to_act(state) is Seat.EVADER else all
            memo[state] = end.winner is Side.EVADER if end else best([wins(s) for s in after])
        return memo[state]

    while stack:
        state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        legal = rules.legal_actions(state)
        stack += [rules.apply_action(state, a) for a in legal]
        if legal and rules.to_act(state) is Seat.EVADER:
            good = [a for a in legal if wins(rules.apply_action(state, a))]
            move = (good or legal)[0]
            assert isinstance(move, PursuitMove)
            expected[state.round, state.quarry, state.pursuers] = move.to
    assert {(e.round, e.quarry, e.pursuers): e.to for e in answer.policy()} == expected


def test_survival_depths_are_rounds_from_the_state_on(answer: OneStart, tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    save_policy(path, answer, with_survival=True)
    depths = json.loads(path.read_text())["survival_depths"]
    assert depths["r=0|p=mrx|x=1|d=5,10"] == 4
    assert set(depths) == set(json.loads(path.read_text())["policy"])
    assert all(depth <= 4 - int(key[2]) for key, depth in depths.items())
    assert load_policy(path).moves == {(e.round, e.quarry, e.pursuers): e.to for e in answer.policy()}


def test_other_presets_keep_their_rules(tmp_path: Path) -> None:
    path = tmp_path / "cops.json"
    found = solve_one_start(start("ring:6", 1, [3, 5], 3, preset="cops-and-robbers"))
    save_policy(path, found)
    assert load_policy(path).config == found.config


def test_old_name_of_the_board_is_accepted(file: Path) -> None:
    change(file, board="top-right-simple-v1", unknown_block={"x": 1})
    assert load_policy(file).config.board.name == "top-right-20"


def change(file: Path, **blocks: object) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **blocks}))


def change_entry(file: Path, key: str, move: object) -> None:
    data = json.loads(file.read_text())
    data["policy"][key] = move
    file.write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("key", "move", "words"),
    [
        ("r=0|p=mrx|x=1|d=5,10", 3, "illegal move 1 -> 3"),
        ("r=0|p=mrx|x=1|d=5,10", 99, "no node '99'"),
        ("r=0|p=mrx|x=1|d=5,10", None, "must be the label"),
        ("r=0|x=1|d=5,10", 8, "must look like"),
        ("r=0|p=mrx|x=1|d=5", 8, "1 detectives"),
        ("r=7|p=mrx|x=1|d=5,10", 8, "ends after 4"),
        ("r=0|p=mrx|x=1|d=8,10", 8, "a detective stands there"),
    ],
)
def test_bad_entries_are_named(file: Path, key: str, move: object, words: str) -> None:
    change_entry(file, key, move)
    with pytest.raises(ManhuntError) as error:
        load_policy(file)
    assert words in str(error.value)
    assert key in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_are_not_such_policies(file: Path, tmp_path: Path) -> None:
    from manhunt.boards.catalog import load_board

    with pytest.raises(ManhuntError, match="not for london"):
        load_policy(file, load_board("london"))
    with pytest.raises(ManhuntError, match="cannot read"):
        load_policy(tmp_path / "none.json")
    whole = file.read_text()
    file.write_text(whole[: len(whole) // 2])
    with pytest.raises(ManhuntError, match="no JSON from character .*line 69"):
        load_policy(file)
    file.write_text(whole.replace("policy-v2", "policy-v1"))
    with pytest.raises(ManhuntError, match="format 'scotlandyard-policy-v1'"):
        load_policy(file)
    file.write_text('{"format": "scotlandyard-policy-v2"}')
    with pytest.raises(ManhuntError, match="block is missing"):
        load_policy(file)
    file.write_text(whole.replace('"policy_size": 113', '"policy_size": 112'))
    with pytest.raises(ManhuntError, match="113 entries, but policy_size is 112"):
        load_policy(file)


def test_options_beside_a_file_must_agree(file: Path) -> None:
    policy = load_policy(file)
    check_agreement(policy, file, mrx="1", detectives=["5", "10"], max_rounds=4)
    for options, word in (
        ({"mrx": "2"}, "--mrx"),
        ({"detectives": ["10", "5"]}, "--detectives"),
        ({"max_rounds": 5}, "--max"),
    ):
        with pytest.raises(ManhuntError, match=word):
            check_agreement(policy, file, **{"mrx": None, "detectives": None, "max_rounds": None, **options})  # type: ignore[arg-type]


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(ManhuntError, match="visibility is rounds"):
        solve_one_start(start("top-right-20", 1, [5, 10], 4, visibility="rounds", reveal_rounds=[3]))
    with pytest.raises(ManhuntError, match="limit of rounds"):
        solve_one_start(start("top-right-20", 1, [5, 10], None))
    with pytest.raises(TooLarge, match="of memory"):
        solve_one_start(start("london", 1, [50, 100], 10), max_memory=1 << 20)


def test_many_detectives_are_found_without_an_index() -> None:
    """Five detectives on London are too many tuples for an index; two rounds are few states."""
    found = solve_one_start(start("london", 1, [50, 100, 150, 180, 190], 1))
    assert found.forced_escape
    assert found.first_move == 7
