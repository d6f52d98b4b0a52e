"""Bots behind the agent contract: whole games in every language, and what a turn can end with."""

import json
import shlex
import shutil
import sys

import pytest

from bot_games import EXAMPLES, KIT, PLAIN, bad, compiled_c_bot, ends, left_over, referee, small_config
from manhunt.agents.bot import BotAgent
from manhunt.agents.link import Patience, parse_address, running_bots, stderr_note
from manhunt.agents.registry import make_agent
from manhunt.agents.wires.process import BotLimits
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent, BadConfig
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import game_names, make_game
from manhunt.core.turns import FAILED, TurnEnd
from manhunt.play.clock import TimeControl
from manhunt.play.fault import FaultPolicy
from manhunt.play.record import replay

NODE = None if shutil.which("node") is None else f"cmd:node {EXAMPLES / 'javascript_bot.js'}"


@pytest.fixture(scope="module")
def c_bot(tmp_path_factory) -> str | None:
    return compiled_c_bot(tmp_path_factory.mktemp("c"))


@pytest.mark.parametrize("language", ["kit", "plain", "javascript", "c"])
def test_whole_games_of_all_kinds(language: str, c_bot: str | None) -> None:
    spec = {"kit": KIT, "plain": PLAIN, "javascript": NODE, "c": c_bot}[language]
    if spec is None:
        pytest.skip(f"no tool for {language} here")
    with running_bots(keep=True):
        for name in game_names():
            match = referee(name, spec, spec, seed=5)
            outcome = match.run()
            assert match.faults == []
            assert len(match.actions) > 2
            assert replay(match.record()).states[-1] == match.state
            assert outcome == match.game.outcome(match.state)


def test_the_bot_with_a_plan_plays_scotland_yard_well() -> None:
    perl = shutil.which("perl")
    if perl is None:
        pytest.skip("no tool for perl here")
    spec = f"cmd:{perl} {EXAMPLES / 'scotland_yard_bot.pl'}"
    config = make_game("scotland_yard").make_config(n_detectives=4)
    winners = {}
    with running_bots(keep=True):
        for seed in range(8):
            for seats in ((spec, "random"), ("random", spec), ("random", "random")):
                match = referee("scotland_yard", *seats, config=config, seed=seed)
                winners[seats, seed] = match.run().winner
                assert match.faults == []
    for seats, side in (((spec, "random"), Side.EVADER), (("random", spec), Side.PURSUERS)):
        won, by_chance = (
            [winners[who, seed] for seed in range(8)].count(side) for who in (seats, ("random", "random"))
        )
        assert won > by_chance or won == 8


def test_a_bot_hears_what_its_seat_may_know_and_nothing_else() -> None:
    lines: list[tuple[str, dict]] = []
    config = make_game("pursuit").make_config(max_rounds=4, visibility="rounds", reveal_rounds=(3,))
    with running_bots(tap=lambda mark, line: lines.append((mark, json.loads(line)))):
        match = referee("pursuit", "random", PLAIN, config=config, seed=3)
        match.run()
    told = [message for mark, message in lines if mark == ">"]
    assert [m["t"] for m in told[:4]] == ["hello", "new", "observe", "go"]
    assert [m["t"] for m in told[-2:]] == ["observe", "bye"]
    events = [event for m in told if m["t"] == "observe" for event in m["events"]]
    assert events == list(match.events_for(Seat.PURSUERS))
    views = [m["view"] for m in told if m["t"] == "observe" and m["view"]]
    assert all(view["quarry"] is None for view in views if view["round"] != 3)
    assert [m["n"] for m in told if m["t"] == "go"] == list(range(1, sum(m["t"] == "go" for m in told) + 1))
    assert not any("setup" in json.dumps(m) for m in told)


def test_views_are_json_with_labels_and_no_secrets() -> None:
    game = make_game("scotland_yard")
    states = [
        game.start(game.make_config(), {"mrx": at, "detectives": ["26", "29", "50", "53", "91"]})
        for at in ("146", "13")
    ]
    seen = [game.view_to_json(game.view(state, Seat.PURSUERS)) for state in states]
    assert seen[0] == seen[1]
    assert [d["at"] for d in seen[0]["detectives"]] == ["26", "29", "50", "53", "91"]
    assert [game.view_to_json(game.view(state, Seat.EVADER))["quarry"] for state in states] == ["146", "13"]


@pytest.mark.parametrize("name", game_names())
def test_every_view_has_what_bots_count_on(name: str) -> None:
    match = referee(name, "random")
    for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR):
        shown = match.game.view_to_json(match.view(seat))
        assert shown["seat"] == seat.value
        assert shown["to_act"] == match.to_act.value
        assert shown["outcome"] is None
        assert {"config", "legal"}.isdisjoint(shown)
        json.dumps(shown)


def test_the_same_seed_gives_the_same_game() -> None:
    with running_bots(keep=True):
        games = []
        for seed in (1, 1, 2):
            games.append(referee("pursuit", KIT, PLAIN, seed=seed))
            games[-1].run()
    assert games[0].actions == games[1].actions != games[2].actions


def test_one_process_plays_game_after_game_where_that_is_asked_for() -> None:
    with running_bots(keep=True):
        pids = []
        for seed in range(3):
            match = referee("pursuit", PLAIN, seed=seed)
            pids.append(match.agents[Seat.EVADER]._link.wire.pid)  # type: ignore[attr-defined]
            match.run()
    assert len(set(pids)) == 1
    fresh = [referee("pursuit", PLAIN, seed=seed) for seed in range(2)]
    assert len({match.agents[Seat.EVADER]._link.wire.pid for match in fresh}) == 2  # type: ignore[attr-defined]
    for match in fresh:
        match.run()


def test_what_a_bot_thinks_is_advice() -> None:
    match = referee("pursuit", KIT)
    match.step()
    note = match.agents[Seat.EVADER].turns[0]  # type: ignore[attr-defined]
    assert (note.n, note.end) == (1, TurnEnd.OK)
    assert note.text.startswith("one of ")
    match.run()


def test_a_foreseen_line_is_read_as_far_as_it_goes() -> None:
    program = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['t'] == 'hello': print(json.dumps({'t': 'hello', 'protocol': 1, 'name': 'a\\x1b[2Jb'}))\n"
        "    if m['t'] == 'go':\n"
        "        line = [m['legal'][0], m['legal'][0], 'then I win']\n"
        "        print(json.dumps({'t': 'info', 'value': 0.5, 'line': line, 'counters': {'nodes': 7}}))\n"
        "        print(json.dumps({'t': 'move', 'n': m['n'], 'action': m['legal'][0]}))\n"
        "    if m['t'] == 'bye': break\n"
    )
    match = referee("pursuit", f"cmd:{shlex.quote(sys.executable)} -u -c {shlex.quote(program)}")
    action = match.step()
    assert match.agents[Seat.EVADER].name == "a?[2Jb"  # type: ignore[attr-defined]
    assert match.advice.line == (action, action)
    assert match.advice.value == 0.5
    assert match.advice.counters == {"nodes": 7}
    match.run()


def test_the_clock_is_told_before_every_move() -> None:
    clocks = []

    def tap(mark: str, line: bytes) -> None:
        message = json.loads(line)
        if message["t"] == "go":
            clocks.append(message["clock"])

    with running_bots(tap=tap):
        referee("pursuit", PLAIN, limit=None, time_control=TimeControl(20, 1, 5, 0.5)).run()
    assert all(clock["move"] == 5 and clock["increment"] == 1 and clock["cap"] == 5 for clock in clocks)
    assert clocks[0]["bank"] == 20
    assert all(20 < clock["bank"] < 25 for clock in clocks[1:])


FORFEITS = {
    "malformed": TurnEnd.ILLEGAL,
    "illegal": TurnEnd.ILLEGAL,
    "wrong-n": TurnEnd.ILLEGAL,
    "second-hello": TurnEnd.ILLEGAL,
    "crash": TurnEnd.CRASH,
    "kill-itself": TurnEnd.CRASH,
    "error": TurnEnd.CRASH,
    "bye": TurnEnd.CRASH,
    "exit": TurnEnd.CRASH,
    "garbage-hello": TurnEnd.CRASH,
    "old-protocol": TurnEnd.CRASH,
    "unfit": TurnEnd.CRASH,
    "resign": TurnEnd.RESIGN,
}


@pytest.mark.parametrize("what", FORFEITS)
def test_every_end_of_a_turn_is_typed_and_forfeits(what: str) -> None:
    spec = bad(what)
    match = referee("pursuit", spec)
    assert match.run() == Outcome(Side.PURSUERS, Termination.FORFEIT)
    assert ends(match) == [FORFEITS[what]]
    assert match.faults[0].policy is FaultPolicy.FORFEIT
    forfeit = next(event for event in match.events_for(Seat.SPECTATOR) if event.get("t") == "forfeit")
    assert forfeit["why"] == FORFEITS[what].why
    assert match.record().fault
    assert left_over(spec) == []


def test_a_long_stderr_keeps_the_line_that_names_the_error() -> None:
    node = "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module '/bots/nofile.js'\n"
    frames = "".join(f"    at Module._resolve (node:internal/modules/cjs/loader:{n}:15)\n" for n in range(1200, 1212))
    said = stderr_note(node + frames + "\nNode.js v20.20.2\n")
    assert "stderr: Error: Cannot find module '/bots/nofile.js' ..." in said
    assert said.endswith("Node.js v20.20.2")
    assert len(said) <= 400
    python = "Traceback (most recent call last):\n" + frames + "ValueError: no way out\n"
    assert stderr_note(python).startswith("; stderr: ...")
    assert stderr_note(python).endswith("ValueError: no way out")
    assert stderr_note("Error: short\n  at 1") == "; stderr: Error: short at 1"


def test_the_reason_of_a_crash_has_the_stderr() -> None:
    match = referee("pursuit", bad("crash"))
    match.run()
    assert "exited with code 1; stderr: " in match.fault
    assert match.fault.endswith("ZeroDivisionError: integer division or modulo by zero")
    assert "ZeroDivisionError" in match.agents[Seat.EVADER].turns[0].stderr  # type: ignore[attr-defined]
    match = referee("pursuit", bad("exit"))
    match.run()
    assert match.fault == "no hello: exited with code 1; stderr: I do not want to"


@pytest.mark.parametrize("spec", ["cmd:./no-such-bot --level 3", "tcp:127.0.0.1:9", "ws://127.0.0.1:9/x"])
def test_a_bot_that_does_not_start_forfeits(spec: str) -> None:
    match = referee("pursuit", spec)
    assert match.run().termination is Termination.FORFEIT
    assert ends(match) == [TurnEnd.CRASH]
    assert match.fault.startswith("does not start: ")


POLICIES = [
    ("malformed", FaultPolicy.RANDOM, "pursuit"),
    ("illegal", FaultPolicy.PASS, "pursuit"),
    ("crash", FaultPolicy.RANDOM, "pursuit"),
    ("illegal", FaultPolicy.RANDOM, "shortest_path"),
    ("crash", FaultPolicy.PASS, "shortest_path"),
    ("resign", FaultPolicy.PASS, "fugitive"),
]


@pytest.mark.parametrize(("what", "policy", "name"), POLICIES)
def test_other_policies_play_on(what: str, policy: FaultPolicy, name: str) -> None:
    match = referee(name, bad(what), policies=dict.fromkeys(FAILED, policy))
    outcome = match.run()
    assert outcome == match.game.outcome(match.state)
    turns = [a for i, a in enumerate(match.actions) if i in [fault.ply for fault in match.faults]]
    assert len(turns) == len(match.faults) >= 2
    stand_ins = [event for event in match.events_for(Seat.SPECTATOR) if event.get("t") == "stand-in"]
    assert len(stand_ins) == len(match.faults)
    assert all(event["policy"] == policy.value and event["seat"] == "evader" for event in stand_ins)
    if name == "shortest_path" and policy is FaultPolicy.PASS:
        assert {match.game.format_action(match.config, action) for action in turns} == {"-"}


def test_a_late_move_is_let_pass_and_the_next_counts() -> None:
    """The bot answers each `go` 0.7 s late or in time; what it says for an older one is not taken for the newer."""
    policies = dict.fromkeys(FAILED, FaultPolicy.RANDOM)
    with running_bots(patience=Patience(grace_seconds=0.0)):
        match = referee("pursuit", bad("late"), policies=policies, limit=Limit(seconds=0.3))
        match.run()
    assert set(ends(match)) == {TurnEnd.TIMEOUT}
    assert match.game.outcome(match.state) is not None


def test_the_clock_has_the_last_word_and_a_grace() -> None:
    match = referee("pursuit", PLAIN, limit=None, time_control=TimeControl(cap_seconds=1e-9, grace_seconds=0))
    assert match.run().termination is Termination.FORFEIT
    assert ends(match) == [TurnEnd.TIMEOUT]
    match = referee("pursuit", PLAIN, limit=None, time_control=TimeControl(cap_seconds=1e-9, grace_seconds=120))
    match.run()
    assert match.faults == []


def test_bad_specs_are_one_line() -> None:
    for spec, text in (
        ("cmd:", "has no command"),
        ("cmd:'open", "No closing quotation"),
        ("tcp:9000", "write tcp:HOST:PORT"),
        ("tcp:host:port", "write tcp:HOST:PORT"),
        ("tcp:h:99999", "write tcp:HOST:PORT"),
        ("ws:nowhere", "write ws://HOST:PORT/PATH"),
    ):
        with pytest.raises(BadAgent, match=text) as caught:
            make_agent(spec, "pursuit", Seat.EVADER)
        assert "\n" not in str(caught.value)
    assert isinstance(make_agent("cmd:./bot --level 3"), BotAgent)
    assert parse_address("ws://localhost/x").port == 80
    assert parse_address("tcp:[::1]:90").host == "::1"
    with pytest.raises(BadConfig, match="memory_mb must be a whole number of at least 1"):
        BotLimits(memory_mb=0)


def test_options_reach_the_bot() -> None:
    lines = []
    with running_bots(tap=lambda mark, line: lines.append(json.loads(line))):
        match = referee("pursuit", BotAgent(PLAIN, {"level": 3}))
        match.run()
    assert next(m for m in lines if m["t"] == "new")["options"] == {"level": 3}


def test_a_long_list_of_legal_actions_is_left_out(monkeypatch) -> None:
    monkeypatch.setattr("manhunt.agents.bot.MOST_LEGAL", 3)
    lines = []
    with running_bots(tap=lambda mark, line: lines.append(json.loads(line))):
        match = referee("shortest_path", "random", PLAIN)
        match.run()
    go = next(m for m in lines if m["t"] == "go")
    assert go["legal"] is None
    assert go["n_legal"] == len(small_config("shortest_path").board.edges) + 1
    assert ends(match) == [TurnEnd.RESIGN], "the example knows no other way"


def test_the_example_bots_are_short_and_explain_themselves() -> None:
    import subprocess

    for path in EXAMPLES.iterdir():
        if path.suffix not in (".py", ".js", ".c"):
            continue
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 100, path.name
        if path.suffix == ".py":
            done = subprocess.run([sys.executable, path, "-h"], capture_output=True, text=True, timeout=300)
            assert done.returncode == 0
            assert "usage" in done.stdout
