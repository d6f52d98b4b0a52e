"""What visitors are told about the strength of agents is what was measured."""

import re
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from manhunt.agents.registry import make_agent
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.kit import Kit, Level
from manhunt.core.registry import BUILT_IN, kit_of

ROOT = Path(__file__).parents[2]
NOT_MEASURED = "by what it does; not measured"
KITS = [kit_of(name) for name in BUILT_IN]
ROWS = [(kit, level) for kit in KITS for level in kit.levels]
MEASURED = [(kit, level) for kit, level in ROWS if level.score is not None]
FIGURE = re.compile(r"(\d+(?:\.\d+)?) %|(?:paid|took) (\d+(?:\.\d+)?)")


def name_of(value: Kit | Level) -> str:
    return value.name if isinstance(value, Kit) else f"{value.seat.value} {value.title or value.spec}"


def other(seat: Seat) -> Seat:
    return next(each for each in PLAYERS if each is not seat)


@pytest.mark.parametrize(("kit", "level"), ROWS, ids=name_of)
def test_a_level_is_measured_or_says_that_it_is_not(kit: Kit, level: Level) -> None:
    measured = (level.score, level.against, level.games)
    if level.source == NOT_MEASURED:
        assert measured == (None, None, None)
    else:
        assert None not in measured
        assert (ROOT / level.source).is_file()


@pytest.mark.parametrize(("kit", "level"), ROWS, ids=name_of)
def test_figures_in_a_summary_are_the_score(kit: Kit, level: Level) -> None:
    told = [float(percent or cost) for percent, cost in FIGURE.findall(level.summary)]
    assert told == ([] if level.score is None else [level.score])


@pytest.mark.parametrize(("kit", "level"), MEASURED, ids=name_of)
def test_a_score_stands_in_the_document_that_it_comes_from(kit: Kit, level: Level) -> None:
    assert level.against is not None
    make_agent(level.against, kit.name, other(level.seat))
    name = level.title or level.name
    evader, pursuers = (name, level.against) if level.seat is Seat.EVADER else (level.against, name)
    told = cell(ROOT / level.source, evader, pursuers)
    is_theirs = level.seat is Seat.PURSUERS and not kit.game.capabilities.costs
    assert level.score == (round(100 - told, 1) if is_theirs else told)


@pytest.mark.parametrize("kit", KITS, ids=name_of)
@pytest.mark.parametrize("seat", PLAYERS)
def test_levels_do_not_contradict_the_scores(kit: Kit, seat: Seat) -> None:
    """Against the same opponent, an agent of a higher level was at least as good; a cost is good for the pursuers."""
    sign = -1 if kit.game.capabilities.costs and seat is Seat.EVADER else 1
    rows = [level for level in kit.levels if level.seat is seat and level.score is not None]
    for one, two in combinations(rows, 2):
        if one.against == two.against and one.strength != two.strength:
            stronger, weaker = (one, two) if one.strength > two.strength else (two, one)
            assert stronger.score is not None
            assert weaker.score is not None
            assert sign * stronger.score >= sign * weaker.score, f"{stronger.spec} is ranked above {weaker.spec}"


@pytest.mark.parametrize("kit", KITS, ids=name_of)
@pytest.mark.parametrize("seat", PLAYERS)
def test_named_levels_are_a_ladder(kit: Kit, seat: Seat) -> None:
    """Each of another strength, and better than the one below against the same opponent."""
    rows = [level for level in kit.levels if level.seat is seat and level.title]
    sign = -1 if kit.game.capabilities.costs and seat is Seat.EVADER else 1
    assert len({level.against for level in rows}) <= 1
    assert len({level.title for level in rows}) == len({level.spec for level in rows}) == len(rows)
    for stronger, weaker in pairwise(rows):
        assert stronger.strength > weaker.strength
        assert stronger.score is not None
        assert weaker.score is not None
        assert sign * stronger.score > sign * weaker.score


def test_people_choose_from_five_levels_in_both_seats() -> None:
    names = ["Expert", "Hard", "Medium", "Easy", "Beginner"]
    for kit in KITS:
        for seat in PLAYERS:
            levels = [level for level in kit.levels if level.seat is seat and level.title]
            assert [level.title for level in levels] == names, kit.name


@pytest.mark.parametrize("kit", KITS, ids=name_of)
def test_the_quick_game_is_against_a_level(kit: Kit) -> None:
    quick = kit.lobby.quick
    assert quick is not None
    assert kit.title_of_level(other(quick.you), quick.agent)


def cell(document: Path, evader: str, pursuers: str) -> float:
    """The first number in the row of an evader and the column of pursuers, of the only table that has both."""
    found, columns = [], []
    for line in document.read_text(encoding="utf-8").splitlines():
        cells = [text.strip(" `*") for text in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            columns = []
        elif not columns:
            columns = cells
        elif cells[0] == evader and pursuers in columns[1:]:
            found.append(cells[1 + columns[1:].index(pursuers)])
    (text,) = found
    return float(re.findall(r"\d+(?:\.\d+)?", text)[0])
