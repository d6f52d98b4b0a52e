"""The tournament file: what it says, and what is wrong with it, with the line."""

import re
from pathlib import Path

import pytest

from manhunt.arena.competition.file import CAP_SECONDS, Lines, load_competition, parse_competition
from manhunt.arena.competition.model import competition_from_text, differences
from manhunt.arena.competition.pairing import expected_matches
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Seat

GOOD = """name = "evening"
seed = 4

[format]
kind = "round-robin"
games = 2

[clock]
bank = 30.0
increment = 0.5
cap = 5

[faults]
timeout = "random"
crash = "forfeit"

[limits]
iterations = 20
memory_mb = 300

[[game]]
game = "pursuit"
board = "grid:4x4"
options = { n_detectives = 2, max_rounds = 6 }

[[game]]
name = "long way"
game = "shortest_path"
games = 1

[[bot]]
name = "ann"
agent = "random"

[[bot]]
name = "bob"
command = "./bob --level 3"

[[bot]]
name = "cy"
agent = "dijkstra"
games = ["long way"]
seats = ["evader"]
"""


def edited(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def test_a_good_file() -> None:
    competition = parse_competition(GOOD)
    assert [(e.name, e.game, e.deals) for e in competition.entries] == [
        ("pursuit", "pursuit", 2),
        ("long way", "shortest_path", 1),
    ]
    assert [bot.spec for bot in competition.bots] == ["random", "cmd:./bob --level 3", "dijkstra"]
    assert competition.bots[2].seats == (Seat.EVADER,)
    assert competition.clock.bank_seconds == 30
    assert competition.clock.cap_seconds == 5
    assert competition.limit.iterations == 20
    assert competition.policies == {"timeout": "random", "crash": "forfeit"}
    assert competition.bot_limits == {"memory_mb": 300}
    # ann and bob: 2 deals of pursuit and 1 of the other, both ways; cy as evader against each of them
    assert expected_matches(competition) == 4 + 2 + 2


def test_it_comes_back_from_its_text() -> None:
    competition = parse_competition(GOOD)
    assert competition_from_text(competition.spec()) == competition
    assert competition_from_text(competition.to_text()) == competition
    with pytest.raises(ManhuntError, match="holds no tournament"):
        competition_from_text("{}")


def test_processes_always_have_a_clock() -> None:
    without = edited("bank = 30.0\nincrement = 0.5\ncap = 5\n", "")
    assert parse_competition(without).clock.cap_seconds == CAP_SECONDS
    no_process = without.replace('command = "./bob --level 3"', 'agent = "random"')
    assert parse_competition(no_process).clock.cap_seconds is None


BAD = {
    "unknown game": ('game = "pursuit"', 'game = "pursiut"', "line 22: unknown game 'pursiut'; did you mean pursuit"),
    "unknown board": ('"grid:4x4"', '"gird"', "line 23: unknown board 'gird'"),
    "unknown option of a game": ("n_detectives = 2,", "n_cops = 2,", "line 24: .*n_cops"),
    "option out of range": ("max_rounds = 6", "max_rounds = -1", "line 24: .*max_rounds"),
    "unknown agent": (
        'agent = "random"',
        'agent = "rndom"',
        "line 33: bot 'ann' .*unknown agent 'rndom'; did you mean",
    ),
    "unknown option of an agent": (
        'agent = "random"',
        'agent = "random:x=1"',
        "line 33: bot 'ann' .*agent random has no option 'x'",
    ),
    "two bots of one name": (
        'name = "bob"',
        'name = "ann"',
        r"line 36: two bots are named 'ann' \(the other in line 32\)",
    ),
    "two games of one name": ('"long way"', '"pursuit"', "line 27: two games are named 'pursuit'"),
    "unknown option": ("seed = 4", "sede = 4", "line 2: unknown option 'sede'; did you mean seed"),
    "unknown option of a bot": ("command =", "comand =", "line 37: unknown option 'comand'; did you mean command"),
    "unknown option of the clock": ("bank =", "banc =", "line 9: unknown option 'banc'"),
    "bad seed": ("seed = 4", "seed = -4", "line 2: seed is -4; the minimum is 0"),
    "seed is not a number": ("seed = 4", 'seed = "4"', "line 2: seed must be a whole number, not '4'"),
    "no name": ('name = "evening"\n', "", "line 1: name is missing"),
    "unknown format": ('"round-robin"', '"round"', "line 5: unknown format 'round'; did you mean round-robin"),
    "rounds of a round robin": ("games = 2\n", "rounds = 2\n", "line 6: rounds belong to the format swiss"),
    "Swiss without rounds": ('"round-robin"', '"swiss"', "line 5: the format swiss needs rounds"),
    "gauntlet without challengers": ('"round-robin"', '"gauntlet"', "line 5: the format gauntlet needs challengers"),
    "unknown challenger": (
        'kind = "round-robin"',
        'kind = "gauntlet"\nchallengers = ["anne"]',
        "line 6: unknown bot 'anne'; did you mean ann",
    ),
    "no games": ("games = 2\n", "games = 0\n", "line 6: games is 0; the minimum is 1"),
    "bad clock": ("bank = 30.0", "bank = 0.0", "line 9: bank_seconds must be more than 0"),
    "unknown fault": ('timeout = "random"', 'late = "random"', "line 14: unknown end of a turn 'late'"),
    "unknown policy": ('timeout = "random"', 'timeout = "ignore"', "line 14: timeout: unknown policy 'ignore'"),
    "two limits": ("memory_mb = 300", "seconds = 2", "line 18: seconds and iterations exclude each other"),
    "bad limit": ("memory_mb = 300", "memory_mb = 1.5", "line 19: memory_mb must be a whole number"),
    "bot that is two": (
        'agent = "random"',
        'agent = "random"\nremote = "tcp:a:1"',
        "line 34: a bot has one of command",
    ),
    "bot that is nothing": ('agent = "random"\n', "", "line 31: a bot has one of command, agent and remote.*none"),
    "bad remote": ('agent = "random"', 'remote = "http://a"', "line 33: remote 'http://a' is not an address; write"),
    "unknown game of a bot": ('["long way"]', '["long wy"]', "line 42: unknown game 'long wy'; did you mean long way"),
    "unknown seat": ('["evader"]', '["evaders"]', "line 43: unknown seat 'evaders'; did you mean evader"),
    "agent that cannot play the seat": (
        'seats = ["evader"]\n',
        "",
        "line 41: bot 'cy' in long way as pursuers: .*does not play",
    ),
    "agent that cannot play the game": (
        'games = ["long way"]\n',
        "",
        "line 41: bot 'cy' in pursuit as evader: .*does not play",
    ),
    "no TOML": ("seed = 4", "seed = ", "Invalid value .*line 2"),
    "a text for a table": ("[clock]\nbank = 30.0\nincrement = 0.5\ncap = 5\n", "", None),
    "one bot": (GOOD[GOOD.index('[[bot]]\nname = "bob"') :], "", "line 31: a tournament needs at least 2 bots"),
    "no bot": (GOOD[GOOD.index("[[bot]]") :], "", "a tournament needs at least one bot"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_names_the_thing_and_the_line(case: str) -> None:
    old, new, told = BAD[case]
    if told is None:
        text, told = 'clock = "blitz"\n' + edited(old, new), "line 1: clock is a table"
    else:
        text = edited(old, new)
    with pytest.raises(ManhuntError, match=told) as caught:
        parse_competition(text, "evening.toml")
    assert str(caught.value).startswith("evening.toml")
    assert "\n" not in str(caught.value)


def test_nobody_can_meet() -> None:
    text = edited('agent = "random"', 'agent = "random"\ngames = ["pursuit"]')
    text = text[: text.index('[[bot]]\nname = "bob"')] + text[text.index('[[bot]]\nname = "cy"') :]
    with pytest.raises(ManhuntError, match="no two bots can meet"):
        parse_competition(text)


def test_files_that_cannot_be_read(tmp_path) -> None:
    with pytest.raises(ManhuntError, match="cannot read .*none.toml: No such file"):
        load_competition(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(ManhuntError, match="is not a text file in UTF-8"):
        load_competition(tmp_path / "latin.toml")


def test_boards_and_agents_are_looked_for_beside_the_file(tmp_path) -> None:
    (tmp_path / "mine.py").write_text(
        "from manhunt import Strategy\n"
        "class Mine(Strategy):\n    def choose_move(self, board, view, seat, moves):\n        return moves[0]\n"
    )
    (tmp_path / "ring.csv").write_text("a,b\n1,2\n2,3\n3,4\n4,1\n")
    text = GOOD.replace('"grid:4x4"', '"ring.csv"').replace('agent = "random"', 'agent = "mine.py:Mine"')
    (tmp_path / "evening.toml").write_text(text)
    competition, source = load_competition(tmp_path / "evening.toml")
    assert source == text
    assert competition.entries[0].config["board"]["name"] == "ring"
    assert competition.folder == str(tmp_path)


def test_lines_of_keys() -> None:
    text = (
        'a = 1\n# b = 2\n[x]\n"k" = """\nfake = 3\n"""\nreal = 4\n[[y]]\nk = 1\n[[ y ]] # again\nk = 2\n[x.z]\nq = 1\n'
    )
    lines = Lines(text)
    assert [lines.of("a"), lines.of("x"), lines.of("x", "real"), lines.of("x", "fake")] == [1, 3, 7, 3]
    assert [lines.of("y", 0, "k"), lines.of("y", 1, "k"), lines.of("y", 1), lines.of("x", "z", "q")] == [9, 11, 10, 13]
    assert lines.of("nowhere", 3) == 1


def test_differences_in_words() -> None:
    kept = parse_competition(GOOD)
    assert differences(kept, kept) == []
    assert differences(kept, parse_competition(edited("seed = 4", "seed = 5"))) == ["seed is 4 there, 5 in the file"]
    renamed = parse_competition(GOOD.replace('"ann"', '"anna"'))
    assert differences(kept, renamed) == [
        "bot 'ann' is there, but not in the file",
        "bot 'anna' is in the file, but not there",
    ]
    other = parse_competition(edited("max_rounds = 6", "max_rounds = 7"))
    assert differences(kept, other) == ["game 'pursuit' is different there"]


@pytest.mark.parametrize("page", ["how-to/tournament.md", "reference/tournament-file.md"])
def test_the_files_of_the_documents_are_good(page: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8")
    found = re.findall(r"^```toml\n(.*?)^```", text, re.M | re.S)
    assert found
    for block in found:
        assert expected_matches(parse_competition(block, page)) > 0
