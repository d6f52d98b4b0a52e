"""The notebook of Fugitive: typing in what the Marshal saw of real games gives her exact notes."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fugitive_games import fugitive_histories, random_history
from manhunt.analysis.notebook import read_notebook
from manhunt.core.errors import BadConfig, ManhuntError
from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.actions import Ask, Done, Name, Pass, TakeFrom
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.rules.public import Phase
from manhunt.games.fugitive.rules.views import view
from manhunt.games.fugitive.show.notebook import FugitiveNotebook
from noted_lines import any_lines, check_answered


def lines_of(before, action, after, style=0):
    """What the Marshal writes down of one ply; nothing while a placement or a guess is being put together."""
    config = before.config
    if isinstance(action, TakeFrom):
        name = config.pile_names[action.pile]
        if after.draws[-1].side is Side.EVADER:
            return [[f"he {name}", f"Fugitive draws from the {name} pile", f"F {name}"][style % 3]]
        card = before.piles[action.pile][0]
        return [[f"I {card}", f"I {name} {card}", f"m {card}"][style % 3]]
    if isinstance(action, Pass):
        return ["pass"]
    if isinstance(action, Done):
        placed = after.row[-1]
        word = "escape" if placed.card == config.last else "hide"
        return [f"{word} {len(placed.sprints)}" if placed.sprints or style % 2 else word]
    if isinstance(action, Ask) or (isinstance(action, Name) and before.phase is Phase.MANHUNT):
        return guess_lines(before, after, style)
    return []


def guess_lines(before, after, style):
    if len(after.guesses) == len(before.guesses):
        return ["guess none"]
    guess = after.guesses[-1]
    numbers = " ".join(map(str, guess.numbers))
    answer = (["yes", "hit", "found"] if guess.hit else ["no", "miss", "wrong"])[style % 3]
    lines = [f"guess {numbers} {answer}" if style % 2 else f"{numbers} {answer}"]
    for position, (old, new) in enumerate(zip(before.row, after.row, strict=True), 1):
        if new.face_up and not old.face_up:
            lines.append(" ".join(map(str, ["show", position, new.card, *new.sprints])))
    return lines


def known(state):
    """The Marshal's view of a state, without what is told only when a game is over."""
    shown = view(state, Seat.PURSUERS)
    return replace(shown, fugitive=None, pending=(), legal=())


@given(fugitive_histories(), st.integers(0, 2**32))
def test_the_lines_of_a_game_give_the_marshals_view_after_every_line(history, seed) -> None:
    states, actions = history
    rng = Random(seed)
    book = FugitiveNotebook(states[0].config)
    for before, action, after in zip(states, actions, states[1:], strict=False):
        lines = lines_of(before, action, after, rng.randrange(6))
        for line in lines:
            book.enter(line)
        assert book.table.end == rules.outcome(after)
        if lines and rules.outcome(after) is None:
            assert replace(book.table.view(), legal=()) == known(after)


def typed(config, seed, max_plies=10_000):
    states, actions = random_history(config, Random(seed), max_plies)
    lines, ends = [], []
    for before, action, after in zip(states, actions, states[1:], strict=False):
        told = lines_of(before, action, after)
        lines += told
        ends += [(len(lines), after)] if told else []
    return lines, ends


@pytest.mark.parametrize("preset", ["standard", "mini", "second-edition"])
def test_the_page_has_the_exact_chances(preset) -> None:
    lines, ends = typed(make_config(preset), 3)
    for n, state in ends[:: max(1, len(ends) // 5)]:
        shown = read_notebook("fugitive", {"preset": preset}, lines[:n])
        if rules.outcome(state) is not None or all(h.face_up for h in state.row):
            continue
        seen = view(state, Seat.PURSUERS)
        worlds = Worlds(seen.public, seen.marshal)
        for position in shown["notes"]["positions"]:
            chances = worlds.marginals[position["position"]]
            wanted = {str(card): float(p) for card, p in enumerate(chances) if p > 0}
            assert position["chances"] == pytest.approx(wanted, abs=2e-6)
        assert not any("error" in entry for entry in shown["entries"])


@given(fugitive_histories(max_plies=30), st.integers(0, 2**32))
def test_what_comes_next_is_among_the_buttons(history, seed) -> None:
    states, actions = history
    rng, lines = Random(seed), []
    for before, action, after in zip(states, actions, states[1:], strict=False):
        lines += lines_of(before, action, after)
    n = rng.randrange(len(lines) + 1)
    book = FugitiveNotebook(states[0].config)
    for line in lines[:n]:
        book.enter(line)
    buttons = book.next()
    if n < len(lines):
        assert any(fits(button, lines[n]) for button in buttons), (lines, buttons)
    for line in sample_lines(buttons, rng):
        again = FugitiveNotebook(states[0].config)
        for each in lines[:n]:
            again.enter(each)
        try:
            again.enter(line)
        except ManhuntError as error:
            assert "no row of hideouts fits" in str(error) or "cannot" in str(error), line


def fits(button, line):
    """Whether pressing the button can give the line."""
    words, text = line.split(), button["text"].split()
    if words[0].isdigit():
        words = ["guess", *words]
    rest = words[len(text) :]
    if words[: len(text)] != text:
        return False
    ends = [each["text"] for each in button.get("then", [])]
    if ends:
        if rest[-1:] != [rest[-1]] or rest[-1] not in ends:
            return False
        rest = rest[:-1]
    pick = button.get("pick")
    if pick is None:
        return not rest
    rest = rest or ["0"]  # `hide` alone is `hide 0`
    return set(rest) <= set(pick["from"]) and pick["n"] in (None, len(rest))


def sample_lines(buttons, rng):
    for button in buttons:
        pick = button.get("pick")
        n = 0 if pick is None else min(pick["n"] or rng.randint(1, 2), len(pick["from"]))
        picked = rng.sample(pick["from"], n) if n else []
        for end in [f" {each['text']}" for each in button.get("then", [])] or [""]:
            yield " ".join([button["text"], *picked]) + end


def page(*lines, **options):
    return read_notebook("fugitive", options, list(lines))


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["he low"], "line 1: the Fugitive has to place a hideout or pass now"),
        (["pass"], "line 1: in his first turn the Fugitive places a hideout"),
        (["escape"], "line 1: 42 cannot be the first hideout"),
        (["hide 9"], "line 1: the Fugitive has 9 cards, too few for 9 sprint cards"),
        (["hide", "hide", "I 42"], "line 3: 42 is in no pile; they hold 4 to 14, 15 to 28, 29 to 41"),
        (["hide", "hide", "I 5", "I 5"], "line 4: you hold 5 already"),
        (["hide", "hide", "I low 20"], "line 3: 'I low 20': 20 belongs to the middle pile"),
        (["hide", "hide", "I 5", "I 6", "guess 42 no"], "line 5: 42 cannot be guessed"),
        (["hide", "hide", "I 5", "I 6", "guess 5 yes"], "line 5: 5 cannot be found: you see it elsewhere"),
        (["hide", "hide", "I 5", "I 6", "guess 40 yes"], "line 5: 40 cannot be on the row"),
        (["hide", "hide", "I 5", "I 6", "guess 1 2 3 yes"], "line 5: 3 numbers cannot be right with 2 hideouts"),
        (["hide", "hide", "I 5", "I 6", "guess 1"], "line 5: 'guess 1': end it with yes or no"),
        (["hide", "hide", "I 5", "I 6", "guess 1 yes", "he low"], "line 6: first write where 1 lay"),
        (["hide", "hide", "I 5", "I 6", "guess 1 yes", "show 1 1 2"], "line 6: hideout 1 has 0 sprint cards, not 1"),
        (["hide", "hide", "I 5", "I 6", "guess 3 yes", "show 9 3"], "line 6: no hideout 9 lies face down"),
        (["wait"], "line 1: 'wait' is not an entry; write hide 2"),
        (["hide two"], "line 1: 'hide two': 'two' is not a number"),
        (["hide", "hide", "he high"], "line 3: the Marshal is to draw now"),
        (["hide", "hide", "I 5", "I 6", "guess 9 no", "he top"], "line 6: unknown pile 'top'"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_lost(lines, reason) -> None:
    shown = page(*lines, "pass")
    assert shown["entries"][len(lines) - 1]["error"].startswith(reason)
    assert [entry["text"] for entry in shown["entries"]] == [*lines, "pass"]
    assert shown["entries"][-1] == {"text": "pass", "unread": True}
    assert shown["scene"] == page(*lines[:-1])["scene"]


def test_a_line_after_which_no_deal_fits_is_found() -> None:
    """1, 2 and 3 missed: two hideouts without sprint cards reach 6 at most, and 4 to 6 are hers or unreachable."""
    lines = ["hide", "hide", "I 4", "I 5", "guess 1 no", "he low", "pass", "I 6", "guess 2 no"]
    lines += ["he low", "pass", "I 7", "guess 3 no", "he low"]
    shown = page(*lines)
    wrong = [i for i, entry in enumerate(shown["entries"], 1) if "error" in entry]
    assert wrong == [9]
    assert "fit" in shown["entries"][8]["error"]
    assert shown["notes"]["positions"][0]["chances"]


def test_cards_of_a_right_guess_are_turned_up_one_by_one() -> None:
    lines = ["hide 1", "hide", "I 5", "I 20", "guess 1 4 yes"]
    shown = page(*lines)
    assert shown["toTurnUp"] == [1, 4]
    assert [button["text"] for button in shown["next"]] == ["show 1 1"]
    assert shown["next"][0]["pick"]["n"] == 1
    assert shown["scene"]["guesses"] == [], "the guess counts when its cards lie open"
    after = page(*lines, "show 1 1 3", "show 2 4")
    assert after["scene"]["outcome"]["winner"] == "pursuers"
    assert after["next"] == []


def test_why_is_answered_from_the_lines() -> None:
    lines = ["hide", "hide 1", "I 5", "I 20", "guess 9 no"]
    shown = read_notebook("fugitive", {}, lines, {"what": "why", "position": "1", "value": "20"})
    assert shown["answer"]["words"] == "20 is in your hand"
    hint = read_notebook("fugitive", {}, lines[:4], {"what": "hint", "seconds": "0.2"})["answer"]
    assert hint["words"].startswith("guess ")
    with pytest.raises(ManhuntError, match="position=9"):
        read_notebook("fugitive", {}, lines, {"what": "why", "position": "9", "value": "20"})


def test_bad_options_are_refused_in_one_line() -> None:
    for options, reason in (({"presett": "x"}, "no option 'presett'"), ({"preset": "x"}, "unknown preset")):
        with pytest.raises(BadConfig, match=reason):
            read_notebook("fugitive", options, [])


WORDS = ["hide", "escape", "pass", "he", "I", "guess", "show", "low", "yes", "no", "none", "²", ":", ";"]


@given(any_lines(WORDS, -2, 60))
def test_any_lines_are_answered_in_words(lines) -> None:
    check_answered(read_notebook("fugitive", {"preset": "mini"}, lines), lines)
