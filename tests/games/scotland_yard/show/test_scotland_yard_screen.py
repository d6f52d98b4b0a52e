"""Scotland Yard on the command line: typed moves, double moves in steps, one detective alone, secrets, the screen."""

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from manhunt.cli.main import run
from manhunt.cli.terminal.contract import Submenu
from manhunt.cli.terminal.frame import compose
from manhunt.cli.terminal.playing import make_offers, parse_choice
from manhunt.core.errors import BadText
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.rules.actions import Double, Piece
from manhunt.games.scotland_yard.rules.config import ScotlandYardOrder
from manhunt.games.scotland_yard.rules.game import make_setup
from manhunt.games.scotland_yard.rules.rules import steps_of
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.games.scotland_yard.rules.views import ScotlandYardView
from manhunt.games.scotland_yard.rules.views import view as view_of
from manhunt.games.scotland_yard.rules.words import tell
from manhunt.games.scotland_yard.show.insights import CLEAR
from manhunt.games.scotland_yard.show.teamwork import in_turn, team_with
from manhunt.games.scotland_yard.show.terminal import COLOURS, ScotlandYardScreen
from manhunt.games.scotland_yard.show.terminal_notes import log_lines, offer_lines
from manhunt.play.record import load_record, replay
from pseudo_terminal import Terminal

GAME = make_game("scotland_yard")
QUICK = ("--agent-mrx", "random", "--agent-detectives", "random")
HIDDEN_EVENT = re.compile(r"^\{\"v\": \d+\}$")


def play(capsys, monkeypatch, typed: str, seat: str, *arguments: object, code: int = 0) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    other = {"mrx": QUICK[2:], "detectives": QUICK[:2]}.get(seat, QUICK)
    assert run(["play", "scotland_yard", "--as", seat, *other, *map(str, arguments)]) == code
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def start(mrx: int = 104, detectives: tuple[int, ...] = (117,), **options: object) -> ScotlandYardState:
    config = GAME.make_config(n_detectives=len(detectives), **options)
    return GAME.start(config, make_setup(mrx, detectives))


def opened(view: ScotlandYardView) -> ScotlandYardScreen:
    screen = ScotlandYardScreen()
    screen.open(view)
    return screen


def screenful(screen: ScotlandYardScreen, view: ScotlandYardView, size: tuple[int, int] = (80, 24)) -> str:
    console = Console(width=size[0], height=size[1], record=True, file=io.StringIO())
    offers = make_offers(screen, view, None) if view.legal else []
    rows = screen.offer_rows(view, offers, size[0]) if offers else []
    console.print(compose(console, screen, view, log=["one", "two"], footer=rows, spare=2))
    return console.export_text()


# -- choosing ----------------------------------------------------------------------------------------


def test_singles_by_ticket_and_doubles_in_steps() -> None:
    """Paragraph 9's first table: 4 single moves are listed, 54 double moves are one line."""
    view = view_of(start(), Seat.EVADER)
    screen = opened(view)
    top = make_offers(screen, view, None)
    assert [str(item) for item in top] == ["#1 T86", "#2 T116", "#3 S86", "#4 S116", "#5 2:"]
    rides = parse_choice(view, top, "2:")
    assert rides == Submenu(("2:",))
    firsts = make_offers(screen, view, None, rides.path)
    assert [item.words for item in firsts] == ["T86", "T116", "S86", "S116"]
    second = parse_choice(view, firsts, "t116")
    doubles = make_offers(screen, view, None, second.path)
    assert parse_choice(view, doubles, "T127") == GAME.parse_action(view.config, "2:T116,T127")


@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_the_steps_lead_to_every_double_move_and_to_nothing_else(seed: int) -> None:
    state = GAME.new(GAME.make_config(n_detectives=3), Random(seed))
    view = view_of(state, Seat.EVADER)
    screen = opened(view)
    top = make_offers(screen, view, None)
    reached = [item.action for item in top if not isinstance(item.action, Submenu)]
    for entry in [item for item in top if isinstance(item.action, Submenu)]:
        for first in make_offers(screen, view, None, entry.action.path):
            reached += [item.action for item in make_offers(screen, view, None, first.action.path)]
    assert sorted(map(str, reached)) == sorted(map(str, view.legal))


def test_a_double_move_can_be_typed_at_once() -> None:
    view = view_of(start(), Seat.EVADER)
    offers = make_offers(opened(view), view, None)
    assert isinstance(parse_choice(view, offers, "2:t116,s127"), Double)


def test_a_node_never_means_a_double_move_and_two_tickets_are_asked_about() -> None:
    view = view_of(start(), Seat.EVADER)
    offers = make_offers(opened(view), view, None)
    with pytest.raises(BadText, match="116 could be T116 or S116; type one of these"):
        parse_choice(view, offers, "116")
    with pytest.raises(BadText, match="'127' is not legal now"):
        parse_choice(view, offers, "127")


def test_a_ride_of_two_detectives_is_asked_about() -> None:
    view = view_of(start(46, (141, 118)).advance("T47"), Seat.PURSUERS)
    offers = make_offers(opened(view), view, None)
    for typed in ("T134", "134"):
        with pytest.raises(BadText, match=f"{typed} could be R:T134 or G:T134; type one of these"):
            parse_choice(view, offers, typed)
    assert parse_choice(view, offers, "g:t134").piece is Piece.GREEN
    assert parse_choice(view, offers, "t158").piece is Piece.RED


def test_steps_in_plain_lines_and_back(capsys, monkeypatch) -> None:
    text = play(capsys, monkeypatch, "2:\n#1\nb\n2:\n1\n1\n", "mrx", "--seed", 3, "--detectives", 2)
    assert text.count("b goes back") == 4
    assert "round 1: Mr X makes a double move" in text


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("castle", "'castle' is not legal now; legal: "),
        ("2:T1,T2", "'2:T1,T2' is not legal now; legal: "),
        ("#99", "there is no move #99; the numbers are #1 to #"),
        ("", "type a number (#2)"),
        ("@46", "around 46: taxi to 33 45 47 61, bus to 1 34 58 78, underground to 1 13 74 79"),
        ("@r", "around "),
        ("@200", "no node or piece '200'; write @46, @R or @ alone"),
    ],
)
def test_what_is_no_move_gets_one_line_and_is_asked_again(capsys, monkeypatch, typed: str, answer: str) -> None:
    lines = play(capsys, monkeypatch, f"{typed}\nq\n", "mrx", "--seed", 3).splitlines()
    asked = [i for i, line in enumerate(lines) if line == "Mr X to move: "]
    assert len(asked) == 2
    assert asked[1] == asked[0] + 2
    assert answer in lines[asked[0] + 1]
    assert lines[-1] == "The game is unfinished."


@pytest.mark.parametrize("seat", ["mrx", "detectives", "red", "white"])
def test_a_whole_game_from_every_seat_and_its_record(capsys, monkeypatch, tmp_path: Path, seat: str) -> None:
    file = tmp_path / "game.txt"
    text = play(capsys, monkeypatch, "#1\n" * 200, seat, "--seed", 1, "--rounds", 4, "--record", file)
    assert text.splitlines()[-1].startswith("Result: ")
    record = load_record(file)
    assert replay(record).game.outcome(replay(record).states[-1]) == record.outcome
    names = {"mrx": ("person", "random"), "detectives": ("random", "person")}
    shared = ("random", f"person as {seat} and random")
    assert (record.seats["evader"], record.seats["pursuers"]) == names.get(seat, shared)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--as", "white", "--detectives", "3"), "--as white: with 3 detectives there are red, green, blue"),
        (("--as", "purple"), "invalid choice: 'purple'"),
        (("--as", "mrx", "--detectives", "6"), "6 detectives; from 1 to 5 can play"),
        (("--as", "mrx", "--board", "petersen"), "Scotland Yard needs taxi"),
        (("--as", "mrx", "--shown", "30"), "round 30 cannot be shown"),
        (("--as", "red", "--figure"), "with --figure a person plays a whole seat"),
        (("--as", "detectives", "--figure", "--reveal"), "--reveal shows everything in the terminal"),
        (("--as", "detectives", "--agent-detectives", "random"), "you play the detectives yourself"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments: tuple[str, ...], message: str) -> None:
    assert run(["play", "scotland_yard", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


# -- one detective -----------------------------------------------------------------------------------


def test_one_detective_is_moved_in_seat_order_and_nobody_else(capsys, monkeypatch) -> None:
    text = play(capsys, monkeypatch, "#1\n#1\n", "green", "--seed", 2, "--detectives", 3, "--rounds", 3)
    moved = re.findall(r"(red|green|blue) goes", text)
    assert moved[:6] == ["red", "green", "blue"] * 2
    assert "#1 " in text
    assert set(re.findall(r"^(\w+) to move: $", text, re.M)) == {"Green"}


@given(st.integers(0, 10**6), st.sampled_from(COLOURS))
@settings(max_examples=20)
def test_a_team_splits_the_moves(seed: int, colour: str) -> None:
    """Whoever is asked gets exactly the moves of the first detective who can move."""
    piece = Piece[colour.upper()]
    rng, team = Random(seed), team_with(piece)
    state = GAME.new(GAME.make_config(), rng)
    for _ in range(12):
        seat = GAME.to_act(state)
        if seat is None:
            break
        view = view_of(state, seat)
        if seat is Seat.PURSUERS:
            first = view.legal[0].piece
            expected = tuple(action for action in view.legal if action.piece is first)
            assert in_turn(view).legal == expected
            assert team.mine(view) == (expected if first is piece else ())
            seated = replace(state, config=replace(state.config, order=ScotlandYardOrder.SEATED))
            assert view_of(seated, seat) == in_turn(view)
        state = GAME.apply_action(state, rng.choice(view.legal))


# -- secrets -----------------------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.sampled_from([(80, 24), (140, 40)]))
@settings(max_examples=6)
def test_the_screen_cannot_tell_hidden_places_apart(seed: int, size: tuple[int, int]) -> None:
    rng = Random(seed)
    config = GAME.make_config(n_detectives=3)
    one, other, *detectives = rng.sample(config.board.labels, 5)
    pictures = set()
    for mrx in (one, other):
        state = GAME.start(config, make_setup(mrx, detectives))
        for seat in (Seat.PURSUERS, Seat.SPECTATOR):
            view = view_of(state, seat)
            screen = opened(view)
            texts = [screenful(screen, view, size), screen.header(view), screen.prompt(view), *screen.briefing(view)]
            pictures.add("\n".join(texts))
    assert len(pictures) == 1


def test_detectives_are_told_no_node_before_the_rules_do(capsys, monkeypatch) -> None:
    text = play(capsys, monkeypatch, "#1\n" * 60, "detectives", "--seed", 4, "--rounds", 5, "--detectives", 2)
    before = text.partition("Result: ")[0]
    told = [line for line in before.splitlines() if re.search(r"Mr X (is|was) on|seen on", line)]
    assert [line for line in told if "seen on" in line] != []
    assert all(line.startswith("round 3: ") for line in told if "seen on" in line)
    assert not any("Mr X is on" in line for line in told)


@pytest.mark.parametrize("seat", ["detectives", "red"])
def test_revealed_play_traces_mrx_offers_the_same_and_is_recorded_as_such(
    capsys, monkeypatch, tmp_path: Path, seat: str
) -> None:
    table = ("--seed", 4, "--rounds", 5, "--detectives", 2, "--record", tmp_path / "game.txt")
    hidden = play(capsys, monkeypatch, "#1\n" * 60, seat, *table)
    plain = load_record(tmp_path / "game.txt")
    text = play(capsys, monkeypatch, "#1\n" * 60, seat, *table, "--reveal")
    record = load_record(tmp_path / "game.txt")
    assert record.actions == plain.actions  # nobody but the person sees more
    who = "person" if seat == "detectives" else "person as red and random"
    assert (plain.seats["pursuers"], record.seats["pursuers"]) == (who, f"{who} who sees everything")
    offers = [[line for line in told.splitlines() if line.startswith(" R ")] for told in (hidden, text)]
    assert offers[0] == offers[1]
    again = replay(record)
    went = [node for move in again.actions if move.piece is Piece.MRX for _, node in steps_of(move)]
    assert (
        re.findall(r"Mr X is on (\d+)$", text, re.M) == again.config.board.text([again.states[0].quarry, *went]).split()
    )
    assert "Mr X can be on" in text
    assert "X on ?" not in text


def test_revealed_play_in_json_tells_every_event(capsys, monkeypatch) -> None:
    text = play(capsys, monkeypatch, "#1\n", "detectives", "--seed", 4, "--json", "--reveal")
    parsed = [json.loads(line) for line in text.splitlines()]
    assert any(event["t"] == "quarry" for event in parsed)
    assert not any(HIDDEN_EVENT.match(line) for line in text.splitlines())


def test_json_hides_by_numbers_and_offers_everything(capsys, monkeypatch) -> None:
    text = play(capsys, monkeypatch, "castle\n@46\n", "detectives", "--seed", 4, "--json")
    lines = text.splitlines()
    assert any(HIDDEN_EVENT.match(line) for line in lines)
    parsed = [json.loads(line) for line in lines]
    assert not any(event.get("t") == "quarry" for event in parsed)
    assert [event["t"] for event in parsed if "v" not in event] == [
        "your turn", "error", "your turn", "note", "your turn", "outcome",
    ]  # fmt: skip
    assert parsed[-1]["termination"] == "unfinished"
    mrx = [json.loads(line) for line in play(capsys, monkeypatch, "", "mrx", "--seed", 4, "--json").splitlines()]
    offered = next(event["legal"] for event in mrx if event["t"] == "your turn")
    assert any(text.startswith("2:") for text in offered)


# -- hints -------------------------------------------------------------------------------------------


def with_hints(capsys, monkeypatch, typed: str, seat: str, *arguments: object) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert run(["play", "scotland_yard", "--as", seat, "--seed", "4", *QUICK[:2], *map(str, arguments)]) == 0
    return capsys.readouterr().out


def turns_in(text: str) -> list[dict[str, Any]]:
    return [event for event in map(json.loads, text.splitlines()) if event.get("t") == "your turn"]


@pytest.mark.kernel
@pytest.mark.parametrize("seat", ["detectives", "green"])
def test_hints_in_json_have_a_plan_its_confidence_and_alternatives(capsys, monkeypatch, seat: str) -> None:
    small = ("--detectives", 3, "--rounds", 6, "--json")
    turns = turns_in(with_hints(capsys, monkeypatch, "#1\n#1\n#1\n", seat, "--hints", *small))
    assert len(turns) == 4
    for turn in turns:
        hint = turn["hint"]
        assert hint["action"] in turn["legal"]
        assert 0 <= hint["confidence"] <= 1
        assert 1 <= len(hint["alternatives"]) <= 2
        assert 1 <= len(hint["believed"]) <= 3
        assert list(hint["believed"].values()) == sorted(hint["believed"].values(), reverse=True)
        assert hint["chance"] == pytest.approx((1 - hint["value"]) / 2, abs=0.001)
        values = [hint["value"], *(other["value"] for other in hint["alternatives"])]
        assert values == sorted(values)  # Mr X's: the detectives' best is his worst
        assert all(other["words"].endswith(" instead") for other in hint["alternatives"])
        gap = (values[1] - values[0]) / 2
        told = re.search(r"How clear: ([^.(]+?)(?: \(by (\d+\.\d) points\))?\.", hint["words"])
        assert told is not None
        assert hint["confidence"] == pytest.approx(gap, abs=0.002)
        little, large, full = CLEAR[Seat.PURSUERS]
        assert hint["clear"] == pytest.approx(min(1.0, hint["confidence"] / full), abs=0.002)
        words = ["others are about as good", "somewhat better than the next", "clearly the best"]
        assert told[1] == words[(hint["confidence"] >= little) + (hint["confidence"] >= large)]
        assert told[2] is None or float(told[2]) == pytest.approx(100 * gap, abs=0.2)
    assert turns == turns_in(with_hints(capsys, monkeypatch, "#1\n#1\n#1\n", seat, "--hints", *small))
    plain = turns_in(with_hints(capsys, monkeypatch, "#1\n#1\n#1\n", seat, *small))
    assert plain == [{key: value for key, value in turn.items() if key != "hint"} for turn in turns]


@pytest.mark.kernel
def test_hints_in_plain_lines_name_the_plan_then_the_next_best(capsys, monkeypatch) -> None:
    text = with_hints(capsys, monkeypatch, "what\n#1\n", "detectives", "--hints", "--no-viz", "--detectives", 2)
    hints = [line for line in text.splitlines() if line.startswith(("Hint: ", "   or: "))]
    best = [line for line in hints if line.startswith("Hint: Plan: ")]
    assert len(best) == 2  # once a turn, not again after a line that means nothing
    for words in ("Chance to catch Mr X: ", "How clear: ", "Mr X is "):
        assert all(words in line for line in best)
    assert len(hints) > len(best)
    assert "Hint" not in with_hints(capsys, monkeypatch, "#1\n", "detectives", "--no-viz", "--detectives", 2)


@pytest.mark.kernel
def test_mr_x_gets_hints_from_what_he_knows(capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(["play", "scotland_yard", "--as", "mrx", "--hints", "--json", "--seed", "4", *QUICK[2:]]) == 0
    (turn,) = turns_in(capsys.readouterr().out)
    assert turn["hint"]["action"] in turn["legal"]
    assert turn["hint"]["words"].startswith("Best: ")


@pytest.mark.kernel
def test_hints_on_the_screen() -> None:
    arguments = ("--as", "detectives", "--detectives", "2", "--hints", "--seed", "3", *QUICK[:2])
    with Terminal("play", "scotland_yard", *arguments) as terminal:
        terminal.expect("Hint: Plan: ", "or: ", "etectives to move:")
        terminal.press("q\n")
        assert terminal.wait() == 0


def watched(capsys, *arguments: str) -> str:
    assert run(["watch", "scotland_yard", *QUICK, "--seed", "6", "--rounds", "4", *arguments]) == 0
    return capsys.readouterr().out


def test_watching_shows_what_a_spectator_may_see_unless_revealed(capsys) -> None:
    public, revealed = watched(capsys, "--no-viz"), watched(capsys, "--no-viz", "--reveal")
    assert "Mr X is on" not in public
    assert "Mr X is on" in revealed
    assert public.splitlines()[-1] == revealed.splitlines()[-1]
    lines = [json.loads(line) for line in watched(capsys, "--json").splitlines()]
    assert lines[-1]["t"] == "outcome"
    assert not any(line.get("t") == "quarry" for line in lines)


def test_the_last_position_can_be_saved(capsys, tmp_path: Path) -> None:
    file = tmp_path / "end.svg"
    watched(capsys, "--no-viz", "--save", str(file))
    assert file.read_text().startswith("<svg")


# -- what is known -----------------------------------------------------------------------------------


@given(st.integers(0, 10**6))
@settings(max_examples=10)
def test_the_screen_knows_the_exact_candidates_from_any_seat(seed: int) -> None:
    rng = Random(seed)
    state = GAME.new(GAME.make_config(n_detectives=2, rounds=6), rng)
    support = Support()
    support.start(view_of(state, Seat.PURSUERS))
    screens = {seat: opened(view_of(state, seat)) for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR)}
    while GAME.to_act(state) is not None:
        after = GAME.apply_action(state, action := rng.choice(GAME.legal_actions(state)))
        events = GAME.events(state, action, after)
        state = after
        support.observe(event.seen_by(Seat.PURSUERS) for event in events)
        for seat, screen in screens.items():
            screen.hear([event.seen_by(seat) for event in events])
            view = view_of(state, seat)
            wanted = () if view.outcome is not None else tuple(sorted(support.candidates))
            assert screen.candidates(view) == wanted
            assert view.outcome is not None or state.quarry in wanted


# -- the screen --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (130, 40), (220, 60), (60, 22)])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_screen_fits(size: tuple[int, int], seed: int) -> None:
    rng = Random(seed)
    state = GAME.new(GAME.make_config(), rng)
    screens = {seat: opened(view_of(state, seat)) for seat in (Seat.EVADER, Seat.PURSUERS)}
    for _ in range(18 if size[0] < 100 else 7):
        seat = GAME.to_act(state)
        assert seat is not None
        view = view_of(state, seat)
        text = screenful(screens[seat], view, size)
        lines = text.rstrip("\n").split("\n")
        assert len(lines) <= size[1] - 2
        assert max(map(len, lines)) <= size[0]
        assert all(f"#{item.number} " in text for item in make_offers(screens[seat], view, None))
        action = rng.choice(view.legal)
        after = GAME.apply_action(state, action)
        for each, screen in screens.items():
            screen.hear([event.seen_by(each) for event in GAME.events(state, action, after)])
        state = after


def test_the_log_shows_every_slot() -> None:
    state = start()
    for move in ("2:T116,T127", "R:T108", "T133"):
        state = state.advance(move)
    lines = [line.plain for line in log_lines(view_of(state, Seat.PURSUERS))]
    assert lines[0] == "  1  T  T [ T 133] \u00b7  \u00b7  \u00b7  \u00b7 [  ?  ]"
    assert len(lines) == 3
    assert "".join(lines).count("[") == 5


def test_offers_wrap_under_their_head() -> None:
    view = view_of(start(128, (117,)), Seat.EVADER)
    items = make_offers(opened(view), view, None)
    rows = [row.plain for row in offer_lines(items, 40)]
    assert all(len(row) <= 40 for row in rows)
    assert any(row.startswith("     #") for row in rows)
    assert sum(row.count("#") for row in rows) == len(items)


def test_events_in_words() -> None:
    assert tell({"t": "logged", "round": 3, "ticket": "bus", "at": "46"}) == "Mr X pays bus in round 3, seen on 46"
    assert tell({"t": "logged", "round": 4, "ticket": "secret", "at": None}) == "Mr X pays secret in round 4"
    assert tell({"t": "turn", "movers": ["mrx"], "outcome": None, "quarry": None}) is None


def test_playing_in_a_terminal() -> None:
    with Terminal("play", "scotland_yard", "--as", "mrx", "--seed", "3", *QUICK[2:]) as terminal:
        terminal.expect("round 1 of 24: Mr X to move", "#1 T151", "X 166", "Mr X to move:")
        terminal.press("castle\n")
        terminal.expect("'castle' is not legal now; legal: T151")
        terminal.press("2:\n")
        terminal.expect("2:T", "b goes back")
        terminal.press("#1\n")
        terminal.expect("2:T151,T")
        terminal.press("#1\n")
        terminal.expect("round 3 of 24 (shown): Mr X to move")
        terminal.press("q\n")
        terminal.expect("The game is unfinished.")
        assert terminal.wait() == 0
        assert terminal.is_cooked()


def test_watching_in_a_terminal() -> None:
    with Terminal("watch", "scotland_yard", "--seed", "3", "--pace", "0", "--rounds", "3", *QUICK) as terminal:
        terminal.expect("round 1 of 3: Mr X to move", "next")
        terminal.press("n")
        terminal.expect("detectives to move (R G B W Y)")
        terminal.press("a")
        terminal.expect("Result: ")
        terminal.press("q")
        assert terminal.wait() == 0


def test_a_drawn_seed_is_told_when_the_game_is_over(capsys, monkeypatch) -> None:
    text = play(capsys, monkeypatch, "", "detectives", "--detectives", 2)
    assert "seed shown at the end" in text
    assert not re.search(r"seed \d|seed was", text)
    text = play(capsys, monkeypatch, "1\n" * 400, "detectives", "--detectives", 1, "--rounds", 2)
    assert re.search(r"The seed was [0-9a-f]{64}\.\nResult: ", text)
