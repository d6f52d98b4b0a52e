"""`manhunt tournament` as people type it."""

import json
import shutil
from pathlib import Path

import pytest

from manhunt.arena.competition.file import parse_competition
from manhunt.arena.competition.run import begin_competition
from manhunt.cli.main import run
from manhunt.core.seeds import parse_secret
from manhunt.play.record import load_record
from manhunt.store.connect import open_store

EVENING = """name = "evening"
seed = 1
[format]
games = 2
[[game]]
game = "pursuit"
board = "grid:3x3"
options = { n_detectives = 1, max_rounds = 4 }
[[bot]]
name = "ann"
agent = "random"
[[bot]]
name = "bob <b>"
agent = "greedy"
[[bot]]
name = "cy"
command = "./there-is-no-such-bot"
"""


@pytest.fixture
def file(tmp_path) -> Path:
    file = tmp_path / "evening.toml"
    file.write_text(EVENING)
    return file


def tournament(*arguments: object) -> int:
    return run(["tournament", *map(str, arguments)])


def test_a_lost_game_leads_to_its_record(file, capsys, tmp_path) -> None:
    assert tournament("run", file, "--workers", 0) == 0
    assert f"manhunt tournament games {file} --lost-by BOT --records lost" in capsys.readouterr().out
    lost = tmp_path / "lost"
    assert tournament("games", file, "--lost-by", "ann", "--records", lost, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["total"] == len(told["games"]) > 0
    for game in told["games"]:
        assert game["loser"] == "ann" != game["winner"]
        record = load_record(game["record"])
        assert len(record.replay()) == game["plies"] + 1
        assert str(record.outcome) == game["outcome"]
    assert len(list(lost.iterdir())) == told["total"]
    assert tournament("games", file, "--won-by", "CY") == 0  # a part of a name is enough, too
    assert capsys.readouterr().out == "no such game\n"
    assert tournament("games", file, "--lost-by", "bob", "--json") == 0
    assert {game["loser"] for game in json.loads(capsys.readouterr().out)["games"]} == {"bob <b>"}
    assert tournament("games", file, "--lost-by", "b", "--game", "nothing") == 2
    assert "unknown game of this tournament 'nothing'" in capsys.readouterr().err
    assert tournament("games", file, "--limit", 2, "--records", tmp_path / "two") == 0
    shown = capsys.readouterr().out
    assert "... and 10 before these" in shown
    assert f"manhunt replay {tmp_path / 'two' / '000010-'}" in shown
    assert tournament("games", file, "--lost-by", "nobody") == 2
    assert capsys.readouterr().err == "manhunt: unknown bot 'nobody'; known: ann, bob <b>, cy\n"


def test_records_stay_closed_while_a_tournament_runs(file, capsys, tmp_path) -> None:
    competition = parse_competition(EVENING)
    store = open_store(file.with_suffix(".db"))
    begin_competition(store, competition, EVENING)
    store.close()
    assert tournament("games", file, "--records", tmp_path / "lost") == 2
    assert "the tournament is not finished" in capsys.readouterr().err
    assert not (tmp_path / "lost").exists()
    assert tournament("games", file) == 0


def test_run_status_resume_export(file, capsys, tmp_path) -> None:
    assert tournament("run", file, "--workers", 0) == 0
    out, err = capsys.readouterr()
    assert "evening  finished, 12 of 12 games" in out
    assert "line 17: bot 'cy' will forfeit its games: " in err
    assert file.with_suffix(".db").exists()

    assert tournament("status", file, "--json") == 0
    state = json.loads(capsys.readouterr().out)
    assert (state["finished"], state["played"], state["of"]) == (True, 12, 12)
    assert state["standings"][-1]["bot"] == "cy"
    assert state["standings"][-1]["forfeits"] == 8
    assert tournament("status", file, "--game", "pursuit") == 0
    assert "forfeits" in capsys.readouterr().out

    assert tournament("run", file, "--workers", 0) == 2
    assert "'evening' is finished (12 games in" in capsys.readouterr().err
    assert tournament("resume", file, "--workers", 0, "--json") == 0
    assert json.loads(capsys.readouterr().out) == state

    site = tmp_path / "site"
    assert tournament("export", file, "--out", site, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"out": str(site), "pages": 14}
    assert sorted(p.name for p in (site / "games").iterdir()) == [f"{n:06d}.html" for n in range(12)]
    assert sorted(p.name for p in (site / "records").iterdir()) == [f"{n:06d}.txt" for n in range(12)]
    assert '<a href="../records/000003.txt" download>' in (site / "games" / "000003.html").read_text()
    assert json.loads((site / "results.json").read_text())["standings"] == state["standings"]
    index, games = (site / "index.html").read_text(), (site / "games.html").read_text()
    assert "there-is-no-such-bot" in index[index.index('id="faults"') :]
    assert "not affiliated with any game publisher" in index
    assert "bob &lt;b&gt;" in index
    assert "bob <b>" not in index + games
    assert all(f'href="games/{n:06d}.html"' in games for n in range(12))
    for page in site.rglob("*.html"):
        text = page.read_text()
        assert "src=" not in text
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in text
    assert tournament("export", file, "--out", site, "--replays", 1) == 0, "a site may be written anew"


def test_a_name_in_a_store_will_do(file, capsys, tmp_path) -> None:
    store = tmp_path / "other.db"
    assert tournament("run", file, "--workers", 0, "--store", store) == 0
    file.unlink()
    capsys.readouterr()
    assert tournament("status", "evening", "--store", store, "--json") == 0
    assert json.loads(capsys.readouterr().out)["finished"] is True
    assert tournament("resume", "evening", "--store", store, "--workers", 0) == 0


def test_the_store_of_the_environment(file, capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("MANHUNT_STORE", str(tmp_path / "env.db"))
    assert tournament("run", file, "--workers", 0) == 0
    assert (tmp_path / "env.db").exists()
    assert not file.with_suffix(".db").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["play", "x.toml"], "unknown command of tournament 'play'; known: check, run, resume"),
        (["run"], "the following arguments are required: FILE"),
        (["run", "{none}.toml"], "cannot read .*none.toml: No such file"),
        (["resume", "{file}"], "there is no store .*evening.db; run a tournament first"),
        (["status", "evening"], "there is no file evening; to name a tournament in a store, give --store"),
        (["run", "{file}", "--store", "postgresql://a@127.0.0.1:1/b"], "127.0.0.1:1/b does not answer: .*refused"),
        (["run", "{file}", "--store", "mysql://a/b"], "no store in a mysql database"),
        (["run", "{file}", "--workers", "1", "--ray", "local"], "--workers and --ray exclude each other"),
        (["export", "{file}"], "the following arguments are required: --out"),
    ],
)
def test_bad_input_is_one_line_before_the_first_game(file, capsys, arguments, told) -> None:
    import re

    given = [a.replace("{file}", str(file)).replace("{none}", str(file.parent / "none")) for a in arguments]
    assert tournament(*given) == 2
    err = capsys.readouterr().err
    assert re.search(told, err), err
    assert len(err.splitlines()) == 1
    assert not file.with_suffix(".db").exists()


def test_a_file_that_changed_is_refused(file, capsys) -> None:
    assert tournament("run", file, "--workers", 0) == 0
    file.write_text(EVENING.replace("seed = 1", "seed = 2"))
    capsys.readouterr()
    assert tournament("resume", file) == 2
    assert "differs from the tournament in" in (err := capsys.readouterr().err)
    assert "seed is 1 there, 2 in the file" in err
    file.write_text(EVENING.replace('"evening"', '"morning"'))
    assert tournament("status", file) == 2
    assert "unknown tournament 'morning'; " in (err := capsys.readouterr().err)
    assert "known: evening; it was not begun: manhunt tournament run" in err


def test_unknown_game_and_foreign_folders(file, capsys, tmp_path) -> None:
    assert tournament("run", file, "--workers", 0) == 0
    capsys.readouterr()
    assert tournament("status", file, "--game", "pursit") == 2
    assert "unknown game of this tournament 'pursit'; did you mean pursuit" in capsys.readouterr().err
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("x")
    assert tournament("export", file, "--out", tmp_path / "full") == 2
    assert "is not empty and is not a tournament site" in capsys.readouterr().err
    assert tournament("export", file, "--out", tmp_path / "full" / "mine.txt") == 2
    assert "is a file; name a folder" in capsys.readouterr().err


def test_a_bot_that_does_not_play_the_game_is_told_before_the_first(file, capsys, tmp_path) -> None:
    import sys

    bot = tmp_path / "chess.py"
    hello = {"t": "hello", "protocol": 1, "name": "deep", "games": ["chess"]}
    bot.write_text(
        f"import sys, json\nsys.stdin.readline()\nprint(json.dumps({hello}), flush=True)\nsys.stdin.read()\n"
    )
    file.write_text(EVENING.replace('"./there-is-no-such-bot"', f'"{sys.executable} {bot}"'))
    assert tournament("run", file, "--workers", 0) == 2
    told = "line 17: bot 'cy' does not play pursuit; it plays chess; say what it plays with games = [...]"
    assert told in capsys.readouterr().err
    assert tournament("status", file) == 2, "nothing was begun"


def test_a_finished_tournament_points_to_its_table_and_its_site(file, capsys) -> None:
    assert tournament("run", file, "--workers", 0) == 0
    out = capsys.readouterr().out
    assert f"manhunt tournament status {file}" in out.replace("\n", "")
    assert f"manhunt tournament export {file} --out site" in out.replace("\n", "")
    assert tournament("run", file) == 2
    err = capsys.readouterr().err
    assert f"see manhunt tournament status {file} and manhunt tournament export {file} --out site" in err
    assert "resume" not in err
    assert tournament("status", file) == 0
    assert f"manhunt tournament export {file} --out site" in capsys.readouterr().out.replace("\n", "")


def test_the_store_is_remembered_without_its_password(file, capsys, tmp_path) -> None:
    from manhunt.cli.tournament import remember, verb_parser

    store = tmp_path / "elsewhere.db"
    assert tournament("run", file, "--workers", 0, "--store", store) == 0
    capsys.readouterr()
    assert tournament("status", file, "--json") == 0
    assert json.loads(capsys.readouterr().out)["finished"] is True
    note = file.with_suffix(".store")
    assert note.read_text() == f"{store}\n"
    store.rename(tmp_path / "moved.db")
    assert tournament("status", file) == 2
    assert "there is no store" in capsys.readouterr().err, "the usual one is looked for where the noted one is gone"
    url = "postgresql://me:secret@host/games"
    remember(verb_parser("run").parse_args([str(file), "--store", url]))
    assert note.read_text() == "postgresql://me@host/games\n"
    remember(verb_parser("run").parse_args([str(file), "--store", str(file.with_suffix(".db"))]))
    assert not note.exists(), "the usual one needs no note"


def test_bots_that_were_added_join_when_they_are_let(file, capsys) -> None:
    assert tournament("run", file, "--workers", 0) == 0
    file.write_text(EVENING + '[[bot]]\nname = "dan"\nagent = "random"\n')
    capsys.readouterr()
    assert tournament("resume", file, "--workers", 0) == 2
    err = capsys.readouterr().err
    assert "bot 'dan' is in the file, but not there; to let them join: manhunt tournament resume" in err
    assert "--late" in err
    assert tournament("resume", file, "--workers", 0, "--late", "--json") == 0
    state = json.loads(capsys.readouterr().out)
    assert (state["finished"], state["played"]) == (True, 24)
    assert "dan" in [row["bot"] for row in state["standings"]]
    assert tournament("status", file) == 0, "the file is that of the tournament again"


def test_status_says_whether_the_sandbox_is_active(file, capsys, monkeypatch) -> None:
    from manhunt.agents.wires import sandbox
    from manhunt.arena.competition import play
    from manhunt.cli import tournament_screen

    assert tournament("run", file, "--workers", 0) == 0
    assert "sandbox: off" in capsys.readouterr().out
    file.write_text(EVENING.replace("evening", "safe").replace("[format]", "[limits]\nsandbox = true\n[format]"))
    for module in (sandbox, play, tournament_screen):
        monkeypatch.setattr(module, "sandbox_trouble", lambda: "there is no sandbox here: bwrap is not installed")
    assert tournament("run", file, "--workers", 0) == 2
    err = capsys.readouterr().err
    assert err == (
        f"manhunt: {file} line 4: there is no sandbox here: bwrap is not installed, or leave out sandbox = true\n"
    )
    assert tournament("check", file) == 2
    capsys.readouterr()
    for module in (sandbox, play, tournament_screen):
        monkeypatch.setattr(module, "sandbox_trouble", lambda: None)
    assert tournament("run", file, "--workers", 0) == 0
    capsys.readouterr()
    assert tournament("status", file) == 0
    assert "sandbox: active for 1 of 3 bots" in capsys.readouterr().out.replace("\n", "")
    assert tournament("status", file, "--json") == 0
    assert json.loads(capsys.readouterr().out)["sandbox"] == {"asked": True, "active": True, "why": None}


AGENTS = """
from manhunt.core.agent import Advice, Agent
class Fine(Agent):
    def act(self, view, limit, rng):
        return Advice(view.legal[0])
class Crashes(Agent):
    def act(self, view, limit, rng):
        raise RuntimeError("no idea")
"""


def test_check_tries_every_bot_and_lists_what_is_wrong(file, capsys, tmp_path) -> None:
    import sys

    (tmp_path / "mine.py").write_text(AGENTS)
    bot = Path(__file__).parents[2] / "examples" / "bots" / "plain_bot.py"
    rows = {
        "dan": f'command = "{sys.executable} {bot}"',
        "eve": 'agent = "mine.py:Fine"',
        "flo": 'agent = "mine.py:Crashes"',
    }
    file.write_text(EVENING + "".join(f'[[bot]]\nname = "{name}"\n{spec}\n' for name, spec in rows.items()))
    assert tournament("check", file, "--json") == 1
    found = json.loads(capsys.readouterr().out)
    by_bot = {row["bot"]: row for row in found["bots"]}
    assert [name for name, row in by_bot.items() if row["ok"]] == ["ann", "bob <b>", "dan", "eve"]
    assert "there-is-no-such-bot" in by_bot["cy"]["problems"][0]
    assert "no idea" in by_bot["flo"]["problems"][0]
    assert by_bot["dan"]["moves"] > 0
    assert not file.with_suffix(".db").exists(), "nothing is played"
    file.write_text(EVENING.replace('command = "./there-is-no-such-bot"', 'agent = "greedy"'))
    assert tournament("check", file) == 0
    assert "all bots are ready" in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["", "check", "run", "resume", "status", "export"])
def test_help_has_an_example(verb, capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        tournament(*filter(None, [verb]), "--help")
    assert ended.value.code == 0
    assert "example" in capsys.readouterr().out


def test_the_example_evening(capsys, tmp_path) -> None:
    """As in docs/how-to/tournament.md."""
    examples = Path(__file__).parents[2] / "examples"
    shutil.copytree(examples / "bots", tmp_path / "bots")
    shutil.copytree(examples / "tournament", tmp_path / "evening")
    file = tmp_path / "evening" / "class.toml"
    assert tournament("run", file, "--workers", 0) == 0
    assert tournament("export", file, "--out", tmp_path / "site", "--replays", 0) == 0
    assert tournament("status", file, "--json") == 0
    state = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert state["finished"] is True
    assert all(row["faults"] == {} for row in state["standings"])


def test_a_seed_is_warned_of_and_without_one_a_secret_is_published_at_the_end(file, capsys, tmp_path) -> None:
    assert tournament("run", file, "--workers", 0, "--json") == 0
    out, err = capsys.readouterr()
    assert "with a seed, bots can work out every deal" in err
    assert json.loads(out)["seed"] == 1

    other = tmp_path / "secret.toml"
    other.write_text(EVENING.replace("seed = 1\n", ""))
    assert tournament("run", other, "--workers", 0, "--json") == 0
    out, err = capsys.readouterr()
    assert "with a seed" not in err
    state = json.loads(out)
    assert "seed" not in state
    assert parse_secret(state["secret"]).fingerprint == state["fingerprint"]
    assert tournament("status", other) == 0
    assert f"secret {state['secret']}" in capsys.readouterr().out
    assert tournament("export", other, "--out", tmp_path / "site") == 0
    assert state["secret"] in (tmp_path / "site" / "index.html").read_text()
