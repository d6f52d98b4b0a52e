"""The notebook of Scotland Yard: typing in the public log of real games gives what the beliefs give."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.analysis.notebook import read_notebook
from manhunt.core.errors import BadConfig, BadText, ManhuntError
from manhunt.core.ids import Seat
from manhunt.core.outcome import Termination
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import Double
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.games.scotland_yard.rules.views import events, view
from manhunt.games.scotland_yard.show.insights import MODEL
from manhunt.games.scotland_yard.show.notebook import YardNotebook
from noted_lines import any_lines, check_answered
from scotland_yard_games import random_history, scotland_yard_histories

GAME = make_game("scotland_yard")
STARTS = ["123", "91", "50", "138", "174"]
OPTIONS = {"preset": "standard", "starts": STARTS}


def line_of(before, action, after, style=0):
    """A ply as somebody at the table writes it down, in one of several ways."""
    label = before.config.board.label
    if action.piece:
        ticket, to = action.ticket.letter, label(action.to)
        name, letter = str(action.piece), action.piece.letter
        return [f"{name} {ticket} {to}", f"{letter}:{ticket}{to}", f"{letter.lower()} {ticket.lower()} {to}"][style % 3]
    entries = after.log[before.round :]
    steps = [e.ticket.letter + ("" if e.node is None else f" {label(e.node)}") for e in entries]
    if isinstance(action, Double):
        return [f"2 {' '.join(steps)}", f"2: {', '.join(steps)}", f"x double {' '.join(steps)}"][style % 3]
    return [steps[0], steps[0].lower().replace(" ", ""), f"Mrx: {steps[0]}"][style % 3]


def typed(states, actions, rng):
    """The game's lines; how it ended is a line of its own where the table says it."""
    lines = [
        line_of(before, action, after, rng.randrange(3))
        for before, action, after in zip(states, actions, states[1:], strict=False)
    ]
    end = rules.outcome(states[-1])
    ends = {Termination.CAPTURE: ["caught"], Termination.STRANDED: ["stranded"]}
    return lines, ends.get(end.termination, []) if end and lines else []


def open_table(state):
    return YardNotebook(replace(view(state, Seat.PURSUERS), legal=()))


def told(before, action, after):
    return [event.seen_by(Seat.PURSUERS) for event in events(before, action, after)]


@given(scotland_yard_histories(max_nodes=8), st.integers(0, 2**32))
def test_the_lines_of_a_game_give_its_candidates_after_every_line(history, seed) -> None:
    states, actions = history
    if rules.outcome(states[0]) is not None:
        return
    lines, end = typed(states, actions, Random(seed))
    book, support = open_table(states[0]), Support()
    support.start(book.opening)
    assert book.support.candidates == support.candidates
    for line, before, action, after in zip(lines, states, actions, states[1:], strict=False):
        book.enter(line)
        support.observe(told(before, action, after))
        if rules.outcome(after) is None:
            assert book.support.candidates == support.candidates
            assert book.outcome is None
            assert book.view() == replace(view(after, Seat.PURSUERS), legal=())
    if end and book.outcome is None:
        book.enter(end[0])
    assert book.outcome == rules.outcome(states[-1])
    if book.quarry is not None:
        assert book.quarry == states[-1].quarry


@pytest.mark.parametrize("preset", GAME.presets)
def test_on_london_the_page_has_the_exact_probabilities(preset) -> None:
    rng = Random(5)
    config = make_config(preset, n_detectives=3)
    states, actions = random_history(rng, GAME.new(config, rng), 40)
    lines, _ = typed(states, actions, rng)
    label = config.board.label
    options = {"preset": preset, "n_detectives": 3, "starts": [label(node) for node in states[0].pursuers]}
    for n in (0, 1, 7, len(lines) - 1):
        belief = WeightedBelief(MODEL)
        belief.start(view(states[0], Seat.PURSUERS))
        for before, action, after in zip(states[:n], actions, states[1:], strict=False):
            belief.observe(told(before, action, after))
        page = read_notebook("scotland_yard", options, lines[:n])
        assert page["belief"] == pytest.approx({label(x): p for x, p in belief.probabilities.items()}, rel=1e-3)
        assert page["scene"]["marks"]["candidates"] == list(page["belief"])


@given(scotland_yard_histories(max_nodes=7), st.integers(0, 2**32))
def test_every_button_can_be_entered_and_no_other_way_is_missing(history, seed) -> None:
    states, actions = history
    if rules.outcome(states[0]) is not None:
        return
    rng = Random(seed)
    lines, _ = typed(states, actions, rng)
    n = rng.randrange(len(lines) + 1)
    opened = open_table(states[0])
    for line in lines[:n]:
        opened.enter(line)
    offered = set(complete(opened.next()))
    for line in offered:
        again = open_table(states[0])
        for each in lines[:n]:
            again.enter(each)
        again.enter(line)
    if n < len(lines) and opened.outcome is None:
        wanted = line_of(states[n], actions[n], states[n + 1])
        assert wanted in offered


def complete(buttons, head=""):
    """All lines that a tree of buttons can give."""
    for button in buttons:
        pick = button.get("pick", {"from": [None]})
        for each in pick["from"]:
            text = f"{head}{button['text']}" + ("" if each is None else f" {each}")
            then = pick["then"][each] if "then" in pick else button.get("then")
            yield from [text] if then is None else complete(then, f"{text} ")


def page(*lines, **options):
    return read_notebook("scotland_yard", {**OPTIONS, **options}, list(lines))


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["T", "T"], "line 2: it is the turn of red, green, blue, white, yellow; write red and where he goes"),
        (["T 46"], "line 1: Mr X is hidden in round 1: write the ticket alone, T"),
        (["hello"], "line 1: 'hello' is not an entry; write T for a taxi"),
        (["red T 124"], "line 1: red cannot go by taxi to 124: it is Mr X's turn"),
        (["T", "red U 124"], "line 2: red cannot go by underground to 124: no underground edge joins 123 and 124"),
        (["T", "red T 124", "red T 123"], "line 3: red cannot go by taxi to 123: red has moved already this turn"),
        (["T", "red T 999"], "line 2: 'red T 999': no node '999' on board london"),
        (["2 T"], "line 1: a double move has two tickets: write 2 T B"),
        (["caught"], "line 1: Mr X cannot be caught here: no detective has just come to where he can be"),
        (["stranded"], "line 1: Mr X can move now, wherever he is"),
        ([" "], "line 1: an empty line; write T"),
        (["T" * 200], "line 1: a line has 80 characters at most"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_lost(lines, reason) -> None:
    shown = page(*lines, "B", "U")
    assert shown["entries"][len(lines) - 1]["error"].startswith(reason)
    assert [entry["text"] for entry in shown["entries"]] == [*lines, "B", "U"]
    assert shown["entries"][-1] == {"text": "U", "unread": True}
    assert shown["belief"] == page(*lines[:-1])["belief"]


def test_a_sighting_that_no_way_leads_to_is_refused_with_the_ways() -> None:
    moves = ["red T 124", "green T 105", "blue T 38", "white T 150", "yellow T 161"]
    back = ["red T 123", "green T 91", "blue T 50", "white T 138", "yellow T 174"]
    shown = page("T", *moves, "T", *back, "T 1")
    assert shown["entries"][-1]["error"].startswith("line 13: Mr X cannot be on 1 by taxi: it leads to ")
    wrong_ticket = page("T", *moves, "T", *back, "T")
    assert "shows himself in round 3" in wrong_ticket["entries"][-1]["error"]


def test_a_ticket_that_no_candidate_can_pay_contradicts() -> None:
    options = {"rounds": 4, "shown": [1], "n_detectives": 1, "starts": ["91"], "free": True}
    shown = read_notebook("scotland_yard", options, ["T 196", "red T 72", "U"])
    reason = "none of the stations where he can be (196) has a free one"
    assert shown["entries"][-1]["error"] == f"line 3: Mr X cannot have paid underground in round 2: {reason}"


def test_what_is_left_open_is_told_as_it_is() -> None:
    shown = page()
    assert shown["board"]["name"] == "london"
    assert [button["text"] for button in shown["next"]] == ["T", "B", "S", "2"]
    assert shown["scene"]["turn"] == "evader"
    after = page("S")
    assert [button["text"] for button in after["next"]] == ["red", "green", "blue", "white", "yellow"]
    assert after["entries"] == [{"text": "S", "words": "Mr X pays secret in round 1"}]
    assert {offer["piece"] for offer in after["offers"]} == {"red", "green", "blue", "white", "yellow"}
    assert page("S", after["offers"][0]["action"])["entries"][1]["words"].startswith("red goes by ")
    assert read_notebook("scotland_yard", {}, [])["table"]["detectives"][0]["at"] == "26"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"starts": ["1"]}, "1 start stations for 5 detectives"),
        ({"starts": ["1", "1", "2", "3", "4"]}, "red and green are both on 1"),
        ({"starts": ["1", "2", "3", "4", "x"]}, "no node 'x'"),
        ({"starts": "12345"}, "starts is a list"),
        ({"starts": STARTS, "free": 3}, "free is true"),
        ({"starts": STARTS, "board": "/etc/passwd"}, "no option 'board'"),
        ({"preset": "nothing", "starts": STARTS}, "unknown preset"),
        ({"rounds": "x", "starts": STARTS}, "rounds"),
    ],
)
def test_bad_options_are_refused_in_one_line(options, reason) -> None:
    with pytest.raises(BadConfig, match=reason):
        read_notebook("scotland_yard", options, [])


def test_questions_are_answered_from_the_lines() -> None:
    shown = read_notebook("scotland_yard", OPTIONS, ["T"], {"what": "why", "node": "199"})
    assert shown["answer"]["possible"] is False
    with pytest.raises(ManhuntError, match="unknown insight"):
        read_notebook("scotland_yard", OPTIONS, [], {"what": "truth"})
    with pytest.raises(BadText, match="400 at most"):
        read_notebook("scotland_yard", OPTIONS, ["T"] * 401)
    with pytest.raises(BadConfig, match="unknown notebook"):
        read_notebook("pursuit", {}, [])


WORDS = ["T", "B", "U", "S", "2", "X", "red", "r", "caught", "stranded", "ß", ":", "T46", "double"]


@given(any_lines(WORDS, -1, 210))
def test_any_lines_are_answered_in_words(lines) -> None:
    check_answered(read_notebook("scotland_yard", OPTIONS, lines), lines)


@given(
    st.dictionaries(
        st.sampled_from(["preset", "n_detectives", "rounds", "shown", "order", "starts", "free"]),
        st.one_of(
            st.none(), st.booleans(), st.integers(-5, 10**12), st.text(max_size=4), st.lists(st.integers(0, 200))
        ),
    )
)
def test_any_options_are_taken_or_refused_in_one_line(options) -> None:
    try:
        shown = read_notebook("scotland_yard", options, [])
    except ManhuntError as error:
        assert "\n" not in str(error)
    else:
        assert shown["belief"]
