"""The page of common mistakes is true: a tiny bot makes each of them, and `manhunt bot check` names it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from manhunt.agents import link
from manhunt.cli.main import run
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.protocol.session import Slip
from manhunt.testing.bots import ADVICE, check_bot

BOTS = Path(__file__).parents[1] / "support" / "mistaken_bots"
PAGE = (Path(__file__).parents[2] / "docs/how-to/bots-mistakes.md").read_text(encoding="utf-8")
GAME = make_game("pursuit")
OPEN = GAME.make_config(max_rounds=12)
HIDDEN = GAME.make_config(max_rounds=3, visibility="rounds", reveal_rounds=(2,))

NAMED = {
    "no_flush": (Slip.HELD_BACK, 'when its input ended, it said \'{"t": "hello"'),
    "no_flush_of_moves": (Slip.HELD_BACK, 'when its input ended, it said \'{"t": "move", "n": 1'),
    "waits_for_more": (Slip.HELD_BACK, 'when its input ended, it said \'{"t": "move"'),
    "own_dice": (Slip.FICKLE, "take all chance from the seed in go"),
    "set_order": (Slip.FICKLE, "take all chance from the seed in go"),
    "all_the_time": (Slip.LATE, "s of 0.1"),
    "prints": (Slip.MALFORMED, "'thinking about"),
    "small_integers": (Slip.MALFORMED, "missing required field `action`"),
    "one_read": (Slip.CRASH, "Extra data"),
    "answers_everything": (Slip.OUT_OF_TURN, "it is not the bot's turn"),
    "first_event": (Slip.CRASH, "KeyError: 'to'"),
    "hidden_events": (Slip.CRASH, "KeyError: 't'"),
    "numbers_for_labels": (Slip.CRASH, "KeyError: "),
    "view_after_the_end": (Slip.CRASH, "'NoneType' object is not subscriptable"),
    "first_game_only": (Slip.WRONG_N, "the manager asked for 1"),
    "stays": (Slip.DEAF, "after bye"),
}
SILENT = ("no_flush_of_moves", "waits_for_more")


def spec(name: str) -> str:
    return f"cmd:{sys.executable} {BOTS / name}.py"


@pytest.mark.parametrize("name", NAMED)
def test_a_mistake_is_named(name: str, monkeypatch) -> None:
    monkeypatch.setattr(link, "END_OF_INPUT_SECONDS", 60.0)  # it ends within milliseconds, but the machine may be busy
    slip, words = NAMED[name]
    seconds = 0.1 if name == "all_the_time" else 0.5 if name in SILENT else 60
    config = HIDDEN if name == "hidden_events" else OPEN
    seats = (Seat.PURSUERS,) if name == "hidden_events" else () if name == "first_game_only" else (Seat.EVADER,)
    hello_seconds = 2 if name == "no_flush" else 60
    for seed in range(5):  # two processes may order a set alike, and throw the same dice
        report = check_bot(
            spec(name), GAME, config, seats=seats, seconds=seconds, hello_seconds=hello_seconds, games=1, seed=seed
        )
        found = {v.slip: v for v in report.violations}
        if slip in found or slip is not Slip.FICKLE:
            break
    assert words in found[slip].detail
    assert found[slip].advice == ADVICE[slip]


def test_the_check_itself_makes_a_bot_that_never_flushes_fail(monkeypatch, capsys) -> None:
    """Also where the variable that switches Python's buffers off is set for everybody."""
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    monkeypatch.setattr(link, "END_OF_INPUT_SECONDS", 60.0)
    words = ["bot", "check", spec("no_flush_of_moves"), "--game", "pursuit", "--seat", "evader", "--seconds", "0.5"]
    assert run([*words, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["violations"]
    assert "holds its lines back" in [each["what"] for each in found]
    assert all(each["advice"] for each in found)


def test_the_advice_is_printed(capsys) -> None:
    assert run(["bot", "check", spec("prints"), "--game", "pursuit", "--seat", "evader"]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "malformed line: write only messages to stdout, and all else to stderr" in printed


def test_the_page_shows_every_mistake_and_nothing_else() -> None:
    quoted = re.findall(r"<!-- from tests/support/mistaken_bots/(\w+)\.py -->", PAGE)
    assert sorted(quoted) == sorted(NAMED) == sorted(path.stem for path in BOTS.glob("*.py"))
    for slip, _ in NAMED.values():
        assert f"**{slip.value}**" in PAGE
