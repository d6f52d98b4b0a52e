"""`manhunt arena` as people type it."""

import json
import re

import pytest

from manhunt.cli.main import run
from manhunt.core.errors import BadConfig, ManhuntError
from manhunt.core.game import option_names
from manhunt.core.registry import game_names, kit_of, make_game
from manhunt.play.record import load_record

GREEDY = ["arena", "pursuit", "--evader", "random", "greedy", "--pursuers", "random"]
PURSUIT = ["arena", "pursuit", "--mrx", "random", "--detectives", "random"]


def test_a_matrix_with_intervals_ratings_and_times(capsys) -> None:
    line = ["arena", "pursuit", "--mrx", "random", "greedy", "--detectives", "random", "--games", "6", "--workers", "0"]
    assert run(line) == 0
    told = capsys.readouterr()
    assert told.err == ""
    for wanted in (
        "Pursuit, 6 games a cell, secret seed",
        "Mr X wins",
        "95 % interval",
        "rounds",
        "same deals",
        "reference",
    ):
        assert wanted in told.out
    assert re.search(r"\d+\.\d to \d+\.\d", told.out)


def test_a_lost_game_leads_to_its_record_and_its_replay(capsys, tmp_path) -> None:
    out, page = tmp_path / "duel", tmp_path / "duel.html"
    line = [*GREEDY, "--games", "5", "--workers", "0"]
    assert run([*line, "--seed", "1", "--out", str(out)]) == 0
    assert f"a game that was lost: manhunt arena games {out} --lost-by AGENT" in capsys.readouterr().out
    assert run(["arena", "games", str(out), "--json"]) == 0
    every = json.loads(capsys.readouterr().out)
    assert [game["number"] for game in every["games"]] == list(range(10))
    for way, seat in (("--lost-by", "pursuers"), ("--won-by", "evader")):
        assert run(["arena", "games", str(out), way, "gree", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["games"] == [g for g in every["games"] if g["evader"] == "greedy" and g["winner"] == seat]
    lost = next(game for game in every["games"] if game["record"])
    assert len(load_record(lost["record"]).replay()) == lost["plies"] + 1
    assert run(["arena", "games", str(out), "--limit", "3"]) == 0
    shown = capsys.readouterr().out
    assert "... and 7 more" in shown
    assert f"manhunt replay {out}" in shown
    assert run(["arena", "report", str(out), "--html", str(page), "--replays", "2", "--json"]) == 0
    assert sorted(file.name for file in (tmp_path / "duel-games").iterdir()) == [f"{n:06d}.html" for n in range(4)]
    links = re.findall(r'href="([^"]+)"', page.read_text(encoding="utf-8").partition('id="games"')[2])
    assert len(links) == 10 + 4
    assert all((tmp_path / link).is_file() for link in links)


def test_games_that_are_not_there_are_refused_in_one_line(capsys, tmp_path) -> None:
    out = str(tmp_path / "duel")
    line = [*GREEDY, "--games", "1", "--workers", "0"]
    assert run([*line, "--out", out]) == 0
    capsys.readouterr()
    for arguments, words in (
        (["games", out, "--lost-by", "nobody"], "unknown agent of this run 'nobody'; known: random, greedy"),
        (["games", out, "--evader", "r"], "'r' could be random or greedy; give more of the name"),
        (["games", str(tmp_path)], "holds no tournament"),
        (["report", out, "--replays", "2"], "give --html FILE, too"),
    ):
        assert run(["arena", *arguments]) == 2
        told = capsys.readouterr()
        assert (told.out, told.err.count("\n")) == ("", 1)
        assert words in told.err


def test_json_is_one_document(capsys) -> None:
    assert run([*PURSUIT, "--games", "5", "--workers", "0", "--seed", "7", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (cell,) = told["cells"]
    assert cell["games"] == 5
    assert 0 <= cell["evader_rate"]["low"] <= cell["evader_rate"]["value"] <= cell["evader_rate"]["high"] <= 1
    assert {row["seat"] for row in told["times"]} == {"evader", "pursuers"}
    assert all(row["mean_seconds"] > 0 for row in told["times"])
    assert told["seed"] == 7


def test_generic_names_of_the_sides_and_settings(capsys) -> None:
    line = ["arena", "pursuit", "--evader", "random", "--pursuers", "random@1", "--games", "2", "--workers", "0"]
    line += ["--board", "grid:5x5", "--n-detectives", "3", "--set", "max_rounds=4", "--iterations", "5", "--json"]
    assert run(line) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["cells"][0]["pursuers"] == "random@1"
    assert told["cells"][0]["mean_rounds"] <= 4


def test_each_game_has_its_own_words_for_the_sides(capsys) -> None:
    line = ["--games", "1", "--workers", "0", "--preset", "mini", "--seed", "0", "--json"]
    assert run(["arena", "fugitive", "--fugitive", "random", "--marshal", "random", *line]) == 0
    own = json.loads(capsys.readouterr().out)
    assert run(["arena", "fugitive", "--evader", "random", "--pursuers", "random", *line]) == 0
    assert json.loads(capsys.readouterr().out)["cells"] == own["cells"]
    assert run(["arena", "fugitive", "--agent-fugitive", "random", "--agent-pursuers", "random", *line]) == 0
    assert json.loads(capsys.readouterr().out)["cells"] == own["cells"]
    line = ["--traveller", "random", "--adversary", "random", "--games", "1", "--workers", "0", "--board", "grid:3x3"]
    ends = ["--set", "source=1", "--set", "target=9"]
    assert run(["arena", "shortest-path", *line, *ends]) == 0
    assert "what the traveller pays" in capsys.readouterr().out
    assert run(["arena", "fugitive", "--mrx", "random", "--marshal", "random"]) == 2
    assert "arguments are required: --agent-fugitive" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        run(["arena", "shortest-path", "--help"])
    help_text = capsys.readouterr().out
    assert "--agent-traveller AGENT" in help_text
    assert "--traveller" not in help_text
    assert "--n-detectives" not in help_text


def test_a_game_without_a_screen_has_the_general_words(monkeypatch, capsys) -> None:
    monkeypatch.delitem(kit_of("pursuit").parts, "screen")
    assert (
        run(["arena", "pursuit", "--evader", "random", "--pursuers", "random", "--games", "1", "--workers", "0"]) == 0
    )
    assert "1 game a cell" in capsys.readouterr().out
    assert run(PURSUIT) == 2


def test_reports_of_a_folder(tmp_path, capsys) -> None:
    out = str(tmp_path / "duel")
    line = ["arena", "pursuit", "--mrx", "random", "greedy", "--detectives", "random", "greedy", "--games", "4"]
    assert run([*line, "--workers", "0", "--out", out]) == 0
    capsys.readouterr()
    page, text = tmp_path / "duel.html", tmp_path / "duel.md"
    assert run(["arena", "report", out, "--html", str(page), "--markdown", str(text)]) == 0
    assert "Mr X wins" in capsys.readouterr().out
    html = page.read_text()
    assert html.count("<svg") >= 8
    assert "prefers-color-scheme:dark" in html
    assert not re.search(r"<script|<link|@import|url\(|src=|href=.https?:", html), "nothing from elsewhere"
    assert re.search(r"^\| greedy \| \*\*\d", text.read_text(), re.M)
    assert run(["arena", "report", out, "--json"]) == 0
    matrix = json.loads((tmp_path / "duel" / "matrix.json").read_text())
    assert matrix.items() <= json.loads(capsys.readouterr().out).items()


def test_a_page_escapes_what_it_shows(tmp_path) -> None:
    (tmp_path / "a<b>&.py").write_text(
        "from manhunt.core.agent import Advice, Agent\n"
        "class Bot(Agent):\n"
        "    def act(self, view, limit, rng):\n"
        "        raise ValueError('<script>')\n"
    )
    spec, out, page = f"{tmp_path}/a<b>&.py:Bot", tmp_path / "out", tmp_path / "page.html"
    line = ["arena", "pursuit", "--mrx", spec, "--detectives", "random", "--games", "1", "--workers", "0"]
    assert run([*line, "--out", str(out)]) == 0
    assert run(["arena", "report", str(out), "--html", str(page)]) == 0
    assert "<script" not in page.read_text()
    assert "a&lt;b&gt;&amp;" in page.read_text()


def test_compare_finds_the_better_agent(capsys) -> None:
    line = ["arena", "compare", "random", "greedy", "--game", "pursuit", "--as", "detectives", "--seed", "0"]
    assert run([*line, "--elo1", "100", "--workers", "0", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "H1"
    assert told["llr"] >= told["bounds"][1]
    assert told["elo"]["low"] > 0
    assert told["deals"] == told["both_won"] + told["old_only"] + told["new_only"] + told["both_lost"] < 10_000


def test_compare_may_stay_undecided(capsys) -> None:
    line = ["arena", "compare", "random", "greedy", "--game", "pursuit", "--as", "mrx", "--max-games", "2"]
    assert run([*line, "--workers", "0"]) == 0
    assert "undecided: more games are needed" in capsys.readouterr().out


BAD = {
    "unknown game 'pursuits'; did you mean pursuit?": ["arena", "pursuits", *PURSUIT[2:]],
    "Mr X: unknown agent 'rndom'; did you mean random?": [
        "arena",
        "pursuit",
        "--mrx",
        "rndom",
        "--detectives",
        "random",
    ],
    "agent random has no option 'depth'; it has none": [*PURSUIT[:4], "--detectives", "random:depth=2"],
    "agent file none.py does not exist": [*PURSUIT[:4], "--detectives", "none.py:Bot"],
    "0 games; a tournament needs at least 1": [*PURSUIT, "--games", "0"],
    "--seconds and --iterations exclude each other": [*PURSUIT, "--seconds", "1", "--iterations", "5"],
    "a limit of 0 iterations is too small": [*PURSUIT, "--iterations", "0"],
    "argument --seed: -1 is too small; the minimum is 0": [*PURSUIT, "--seed", "-1"],
    "cannot write no/such/duel: the folder no/such does not exist": [*PURSUIT, "--out", "no/such/duel"],
    "--workers and --ray exclude each other": [*PURSUIT, "--workers", "2", "--ray", "local"],
    "argument --set: 'rounds': write KEY=VALUE": [*PURSUIT, "--set", "rounds"],
    "unknown option of pursuit 'rounds'": [*PURSUIT, "--set", "rounds=3"],
    "unknown board 'londn'": [*PURSUIT, "--board", "londn"],
    "the following arguments are required": ["arena", "pursuit", "--mrx", "random"],
    "OLD and NEW are both random": ["arena", "compare", "random", "random", "--game", "pursuit", "--as", "mrx"],
    "elo0 must be the smaller": ["arena", "compare", "random", "greedy", "--as", "mrx", "--elo0", "9", "--elo1", "3"],
    "--max-games is 0": ["arena", "compare", "random", "greedy", "--as", "mrx", "--max-games", "0"],
    "argument --as: unknown role 'marshal'; known: mrx, detectives, evader, pursuers": [
        "arena",
        "compare",
        "random",
        "greedy",
        "--game",
        "pursuit",
        "--as",
        "marshal",
    ],
    "--bounds: pursuit has no certified bounds; games that have them: shortest_path": [*PURSUIT, "--bounds", "1"],
    "nowhere holds no tournament": ["arena", "report", "nowhere"],
}


@pytest.mark.parametrize("told", BAD)
def test_bad_input_is_one_line(told: str, capsys) -> None:
    assert run(BAD[told]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert told in printed.err


def test_an_agent_file_that_does_not_import(tmp_path, capsys) -> None:
    (tmp_path / "bot.py").write_text("import nonsense_that_is_not_there\n")
    assert run([*PURSUIT[:4], "--detectives", f"{tmp_path}/bot.py:Bot"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "does not import: ModuleNotFoundError" in told


def test_another_configuration_leaves_what_was_finished(tmp_path, capsys) -> None:
    line = [*PURSUIT, "--games", "2", "--workers", "0", "--out", str(tmp_path / "out")]
    assert run(line) == 0
    kept = (tmp_path / "out" / "results.jsonl").read_bytes()
    capsys.readouterr()
    assert run([*line, "--seed", "5"]) == 2
    assert re.search(r"there seed is a secret \([0-9a-f]{8}\), not 5", capsys.readouterr().err)
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == kept


@pytest.mark.parametrize("verb", [[], ["compare"], ["report"]])
def test_help_has_an_example(verb: list[str], capsys) -> None:
    with pytest.raises(SystemExit):
        run(["arena", *verb, "--help"])
    assert "example" in capsys.readouterr().out


@pytest.mark.parametrize("name", game_names())
def test_help_lists_what_set_knows(capsys, name) -> None:
    game = make_game(name)
    listed = option_names(game)
    assert listed
    for option in listed:  # whatever is wrong with the value, the option is known
        try:
            game.make_config(**{option: "?"})
        except ManhuntError as error:
            assert "unknown option" not in str(error)
    with pytest.raises(BadConfig) as refused:
        game.make_config(nonsense=1)
    known = re.split(r"[ ,]+", str(refused.value).partition("known: ")[2].partition(", ...")[0])
    assert set(known) - {"board", "preset"} <= {*listed, "allow_42_sprint"}
    with pytest.raises(SystemExit):
        run(["arena", name, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert f"Options of {name}: {', '.join(listed)}" in shown.replace("- ", "-")


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        (("--shown", "[2,4]"), "--shown [2,4]; did you mean --set shown=[2,4]? (see"),
        (("--shown=[2]",), "--shown=[2]; did you mean --set shown=[2]? (see"),
        (("--mrx_tickets", "--json"), "--mrx_tickets; did you mean --set mrx_tickets=VALUE? (see"),
        (("--detective-ticket", "1"), "did you mean --set detective_tickets=1"),
        (("--gamse", "1"), "--gamse 1; did you mean --games or"),
    ],
)
def test_an_option_of_the_game_is_set(capsys, given, advice) -> None:
    line = ["arena", "scotland_yard", "--agent-mrx", "random", "--agent-detectives", "random"]
    assert run([*line, *given]) == 2
    assert advice in capsys.readouterr().err


def test_a_wrong_list_is_answered_with_one_that_can_be_typed(capsys) -> None:
    line = ["arena", "scotland_yard", "--agent-mrx", "random", "--agent-detectives", "random"]
    line += ["--games", "1", "--workers", "0"]
    for option in ("shown", "mrx_starts"):
        assert run([*line, "--set", f"{option}=2"]) == 2
        said = capsys.readouterr().err
        example = re.search(r"such as (\[.*\]),", said)
        assert example, said
        assert run([*line, "--set", f"{option}={example[1]}"]) == 0, capsys.readouterr().err
        capsys.readouterr()
