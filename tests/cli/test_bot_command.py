"""`manhunt bot check`: every violation that it names is provoked and found; good bots have none."""

import json
import shlex

import jsonschema_rs
import pytest

from bot_games import PLAIN, bad, left_over
from manhunt.agents.wires.process import BotLimits
from manhunt.cli.main import run
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.protocol.session import Slip
from manhunt.testing.bots import check_bot

GAME = make_game("pursuit")
CONFIG = GAME.make_config(max_rounds=2)

PROVOKED = {
    "silent": Slip.LATE_HELLO,
    "late-hello": Slip.LATE_HELLO,
    "exit": Slip.NO_HELLO,
    "move-first": Slip.NO_HELLO,
    "garbage-hello": Slip.MALFORMED,
    "old-protocol": Slip.PROTOCOL,
    "refuse-hello": Slip.REFUSED,
    "unfit": Slip.UNFIT,
    "bad-options": Slip.OPTIONS,
    "no-seat": Slip.OPTIONS,
    "malformed": Slip.MALFORMED,
    "illegal": Slip.ILLEGAL,
    "wrong-n": Slip.WRONG_N,
    "twice": Slip.OUT_OF_TURN,
    "chatty": Slip.OUT_OF_TURN,
    "second-hello": Slip.OUT_OF_TURN,
    "late": Slip.LATE,
    "asleep": Slip.LATE,
    "flood": Slip.FLOOD,
    "long-line": Slip.FLOOD,
    "crash": Slip.CRASH,
    "crash-in-second-game": Slip.CRASH,
    "kill-itself": Slip.CRASH,
    "close-output": Slip.CRASH,
    "bye": Slip.CRASH,
    "eat": Slip.CRASH,
    "error": Slip.REFUSED,
    "deaf": Slip.DEAF,
    "fickle": Slip.FICKLE,
}


def checked(spec: str, **options):
    options.setdefault("seconds", 0.4 if " late " in spec or " asleep " in spec else 60)
    options.setdefault("hello_seconds", 0.5 if "silent" in spec or "late-hello" in spec else 60)
    return check_bot(spec, GAME, CONFIG, limits=BotLimits(memory_mb=200), **options)


@pytest.mark.parametrize("what", PROVOKED)
def test_every_violation_is_provoked_and_found(what: str) -> None:
    spec = bad(what)
    seats = () if what == "crash-in-second-game" else (Seat.EVADER,)
    for _ in range(10 if what == "fickle" else 1):  # by chance it plays the same short game twice
        report = checked(spec, games=1, seats=seats)
        if PROVOKED[what] in [violation.slip for violation in report.violations]:
            break
    assert PROVOKED[what] in [violation.slip for violation in report.violations]
    assert all(v.detail and "\n" not in v.detail for v in report.violations)
    assert left_over(spec) == []


def test_a_bot_that_acts_on_what_it_cannot_know_is_found(tmp_path) -> None:
    """It behaves in the dialogue and in the two equal games, and looks elsewhere afterwards."""
    counter = tmp_path / "starts"
    report = checked(bad("peek", str(counter)), games=1, seats=(Seat.PURSUERS,))
    assert [v.slip for v in report.violations] == [Slip.LEAK]


def test_a_command_that_does_not_start_is_found() -> None:
    (violation,) = checked("cmd:./no-such-bot").violations
    assert violation.slip is Slip.NO_START
    assert violation.detail == "./no-such-bot: No such file or directory"
    assert "`node bot.js`" in violation.advice


def test_no_violation_is_without_a_test() -> None:
    assert set(Slip) == {*PROVOKED.values(), Slip.NO_START, Slip.LEAK, Slip.HELD_BACK}  # the last: test_bot_mistakes.py


def test_all_options_that_make_no_sense_are_listed() -> None:
    (violation,) = checked(bad("bad-options"), certificate=False).violations
    assert violation.slip is Slip.OPTIONS
    assert violation.times == 4


def test_repeated_slips_are_counted_and_play_goes_on() -> None:
    report = checked(bad("illegal"), certificate=False)
    assert report.n_games == 2
    assert sum(v.times for v in report.violations) == report.n_moves > 2
    assert {v.where for v in report.violations} == {"as evader", "as pursuers"}


def test_a_good_bot_has_a_clean_bill_and_certificates_for_both_seats() -> None:
    report = checked(PLAIN, games=1)
    assert report.ok
    assert report.n_games == 2
    assert [c.seat for c in report.certificates] == [Seat.EVADER, Seat.PURSUERS]
    assert all(c.ok and c.n_replays for c in report.certificates)


def test_the_certificate_compares_worlds_where_something_is_hidden() -> None:
    config = GAME.make_config(max_rounds=4, visibility="rounds", reveal_rounds=(3,))
    report = check_bot(PLAIN, GAME, config, seats=(Seat.PURSUERS,), games=1)
    assert report.ok
    assert report.certificates[0].n_worlds > 0


def test_a_bot_that_resigns_breaks_no_rule_but_gets_no_certificate() -> None:
    report = checked(bad("resign"))
    assert report.ok
    assert report.n_resigned == report.n_moves > 0
    assert report.certificates == []


def command(spec: str) -> str:
    return spec.removeprefix("cmd:")


def test_the_command_prints_a_clean_bill(capsys) -> None:
    assert run(["bot", "check", command(PLAIN), "--game", "pursuit", "--certificate", "0"]) == 0
    printed = capsys.readouterr().out
    assert "plain python random 1.0 at pursuit: 2 whole games" in printed
    assert "no violations" in printed


def test_the_command_prints_violations_and_fails(capsys) -> None:
    assert run(["bot", "check", command(bad("illegal")), "--game", "pursuit"]) == 1
    printed = capsys.readouterr().out
    assert "illegal move" in printed
    assert "no violations" not in printed


def test_the_command_speaks_json(capsys) -> None:
    assert run(["bot", "check", command(bad("crash")), "--game", "pursuit", "--seat", "evader", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["name"] == "bad crash"
    (violation,) = found["violations"]
    assert violation["slip"] == "crash"
    assert violation["where"] == "as evader"
    assert "ZeroDivisionError" in violation["detail"]


def test_the_dialogue_can_be_shown(capsys) -> None:
    words = ["bot", "check", command(PLAIN), "--game", "pursuit", "--show", "--certificate", "0", "--seat", "evader"]
    assert run(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith('> {"t":"hello","protocol":1,')
    assert lines[1] == '< {"t": "hello", "protocol": 1, "name": "plain python random", "version": "1.0"}'
    assert any(line.startswith('< {"t": "move", "n": 1, ') for line in lines)


def test_the_schema_can_be_printed_for_all_games_one_game_or_one_seat(capsys) -> None:
    printed = {}
    for words in ("", "--game fugitive", "--game scotland-yard --seat pursuers"):
        assert run(["bot", "schema", *words.split()]) == 0
        printed[words] = json.loads(capsys.readouterr().out)
    assert "pursuit.evader" in printed[""]["$defs"]
    assert {name.partition(".")[0] for name in printed["--game fugitive"]["$defs"] if "." in name} == {
        *("manager", "bot", "event", "fugitive"),
    }
    (of_seat,) = (schema for words, schema in printed.items() if "--seat" in words)
    check = jsonschema_rs.validator_for(of_seat)
    assert check.is_valid({"t": "observe", "events": [{"v": 1}], "view": None})
    assert not check.is_valid({"t": "observe", "events": [{"v": 1, "t": "quarry", "at": "7"}], "view": None})
    assert not check.is_valid({"t": "move", "n": 1, "action": "RT7"})


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("bot", "the following arguments are required"),
        ("bot check ./bot", "--game"),
        ("bot check --game pursuit", "COMMAND"),
        ("bot schema ./bot", "does not take './bot'"),
        ("bot schema --seat evader", "--seat needs --game"),
        ("bot schema --game chess", "unknown game 'chess'"),
        ("bot chek ./bot --game pursuit", "did you mean check or schema?"),
        ("bot check ./bot --game chess", "unknown game 'chess'"),
        ("bot check ./bot --game pursuit --seat goal", "unknown seat 'goal'"),
        ("bot check ./bot --game pursuit --seconds 0", "leaves no time"),
        ("bot check ./bot --game fugitive --board london", "board"),
        ("bot check '' --game pursuit", "has no command"),
        ("bot check tcp:nowhere --game pursuit", "write tcp:HOST:PORT"),
    ],
)
def test_bad_input_is_one_line(words: str, said: str, capsys) -> None:
    assert run(shlex.split(words)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert said in printed.err
