"""Puzzles of all games: every one is what its values say, and nothing tells what is right before it is answered."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from manhunt.analysis.puzzle_json import answer_json, list_json, puzzle_json
from manhunt.analysis.puzzles import (
    LEVELS,
    all_puzzles,
    answer,
    choose,
    daily,
    daily_of_all,
    find_puzzle,
    level_of,
    pose,
    position_of,
    puzzles_of,
    rating_of,
    story,
)
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.puzzle import Puzzle
from manhunt.core.registry import BUILT_IN, kit_of
from manhunt.games.scotland_yard.puzzles.where import candidates

EVERY = list(all_puzzles().values())


def is_exact(puzzle: Puzzle) -> bool:
    right: bool = kit_of(puzzle.game).part("puzzles").check(puzzle, position_of(puzzle))
    return right


@pytest.mark.parametrize("game", BUILT_IN)
def test_all_puzzles_are_what_their_values_say(game: str) -> None:
    """All values are worked out again from the position alone."""
    assert [puzzle.id for puzzle in puzzles_of(game) if not is_exact(puzzle)] == []


@pytest.mark.parametrize("game", BUILT_IN)
def test_the_check_finds_another_best_answer_and_another_value(game: str) -> None:
    for kind in kit_of(game).part("puzzles").KINDS:
        puzzle = next(each for each in puzzles_of(game) if each.kind == kind)
        other = next(answer for answer in puzzle.values if answer != puzzle.best)
        swapped = {**puzzle.values, other: puzzle.values[puzzle.best], puzzle.best: puzzle.values[other]}
        assert not is_exact(replace(puzzle, best=other))
        assert not is_exact(replace(puzzle, values=swapped))
        assert not is_exact(replace(puzzle, best=other, values=swapped))


@pytest.mark.parametrize("game", BUILT_IN)
def test_there_are_many_of_every_kind_and_of_several_levels(game: str) -> None:
    puzzles = puzzles_of(game)
    assert len(puzzles) >= 60
    assert {puzzle.kind for puzzle in puzzles} == set(kit_of(game).part("puzzles").KINDS)
    assert len(Counter(puzzle.level for puzzle in puzzles)) >= 2
    for puzzle in puzzles:
        assert puzzle.rating == rating_of(dict(puzzle.solved))
        assert puzzle.level == level_of(puzzle.rating)
        assert set(puzzle.solved) == set(LEVELS)


def test_ids_are_unique_and_no_position_is_there_twice() -> None:
    assert len(EVERY) == sum(len(puzzles_of(game)) for game in BUILT_IN)
    places = Counter(str((p.game, p.config, p.setup, p.actions, sorted(p.values))) for p in EVERY)
    assert places.most_common(1)[0][1] == 1


@pytest.mark.parametrize("game", BUILT_IN)
def test_what_is_posed_does_not_tell_the_answer(game: str) -> None:
    """The same position with another answer and other values is posed in the same words."""
    for puzzle in puzzles_of(game)[::7]:
        shown = puzzle_json(puzzle)
        other = next(answer for answer in puzzle.values if answer != puzzle.best)
        swapped = dict.fromkeys(puzzle.values, puzzle.values[other])
        blind = Puzzle(
            puzzle.id, game, puzzle.kind, puzzle.seat, puzzle.config, puzzle.setup, puzzle.actions, other, swapped,
            puzzle.more, {}, puzzle.rating, puzzle.level,
        )  # fmt: skip
        assert puzzle_json(blind) == shown
        assert not {"best", "values", "solved", "setup", "actions"} & set(shown)


def test_worlds_that_look_the_same_are_posed_the_same() -> None:
    """Mr X stands elsewhere among his candidates: question, scene and offers stay as they are."""
    for puzzle in [each for each in puzzles_of("scotland_yard") if each.kind == "where"][::5]:
        position = position_of(puzzle)
        posed = pose(puzzle, position)
        for node in candidates(position):
            elsewhere = replace(position.state, quarry=node)
            assert pose(puzzle, replace(position, states=(*position.states[:-1], elsewhere))) == posed


@pytest.mark.parametrize("game", BUILT_IN)
def test_the_best_answer_is_offered_and_right_and_another_is_wrong(game: str) -> None:
    for kind in kit_of(game).part("puzzles").KINDS:
        puzzle = next(each for each in puzzles_of(game) if each.kind == kind)
        for is_best in (True, False):
            wanted = puzzle.best if is_best else next(each for each in puzzle.values if each != puzzle.best)
            texts, found = [], None
            while found is None or (found.solved is None and not found.words):
                offers = pose(puzzle, found and found.position).scene.offers
                offered = [offer.action for offer in offers]
                fits = [text for text in (wanted, f"name:{wanted}", "ask") if text in offered and text not in texts]
                texts.append(fits[0])
                found = answer(puzzle, texts)
            assert (found.solved is not False) is is_best, puzzle.id
            assert found.words.startswith(("Yes", "Right") if is_best else "No")
            assert found.solved is None or (found.why and found.best)


def test_a_hunt_of_several_rounds_goes_on_to_the_catch() -> None:
    puzzle = max(
        (each for each in puzzles_of("pursuit") if each.kind == "catch"), key=lambda p: int(p.config["max_rounds"])
    )
    module, texts = kit_of("pursuit").part("puzzles"), [puzzle.best]
    found = answer(puzzle, texts)
    rounds = {found.position.state.round}
    while found.solved is None:
        values = module.values_of(found.position)
        texts.append(min(values, key=lambda text: values[text] or 99))
        found = answer(puzzle, texts)
        rounds.add(found.position.state.round)
    assert found.solved is True
    assert found.position.state.quarry in found.position.state.pursuers
    assert len(rounds) == puzzle.config["max_rounds"] >= 4
    with pytest.raises(BadText, match="over after"):
        answer(puzzle, [*texts, texts[-1]])


def test_what_cannot_be_answered_is_one_clear_line() -> None:
    puzzle = puzzles_of("pursuit")[0]
    for texts in ([], ["nonsense"], ["d0:1"], ["x"] * 61):
        with pytest.raises(ManhuntError) as refused:
            answer(puzzle, texts)
        assert "\n" not in str(refused.value)
    where = next(each for each in puzzles_of("scotland_yard") if each.kind == "where")
    with pytest.raises(BadText, match="choose one of"):
        answer(where, ["no station"])
    with pytest.raises(ManhuntError, match="there is no puzzle"):
        find_puzzle("nothing")


def test_every_day_has_a_puzzle_and_none_comes_again_too_soon() -> None:
    first = date(2027, 1, 1)
    days = [first + timedelta(days=i) for i in range(60)]
    for game in BUILT_IN:
        chosen = [daily(day, puzzles_of(game)) for day in days]
        assert len({puzzle.id for puzzle in chosen if puzzle}) == 60
    of_all = [daily_of_all(first + timedelta(days=i)) for i in range(60 * len(BUILT_IN))]
    assert {puzzle.game for puzzle in of_all[: len(BUILT_IN)] if puzzle} == set(BUILT_IN)
    assert len({puzzle.id for puzzle in of_all if puzzle}) == len(of_all)
    assert list_json(first)["daily"] == list_json(first, game="pursuit")["daily"]
    assert daily(first, []) is None


def test_they_are_chosen_by_game_and_level_the_easiest_first() -> None:
    easy = choose("fugitive", "Easy")
    assert {(puzzle.game, puzzle.level) for puzzle in easy} <= {("fugitive", "Easy")}
    ratings = [puzzle.rating for puzzle in choose()]
    assert ratings == sorted(ratings)
    assert len(ratings) == len(EVERY)
    with pytest.raises(BadText, match="unknown level"):
        choose(level="Impossible")


def test_ratings_rise_with_what_is_not_solved() -> None:
    def rated(*n: int) -> int:
        return rating_of({level: (solved, 10) for level, solved in zip(LEVELS, n, strict=True)})

    assert rated(10, 10, 10, 10, 10) < rated(0, 10, 10, 10, 10) < rated(0, 0, 0, 10, 10) < rated(0, 0, 0, 0, 0)
    assert [level_of(rated(*n)) for n in ((10,) * 5, (0, 0, 5, 10, 10), (0,) * 5)] == ["Beginner", "Medium", "Expert"]


def test_the_story_tells_what_the_seat_knows() -> None:
    puzzle = next(each for each in puzzles_of("scotland_yard") if each.kind == "where")
    told = " ".join(story(puzzle))
    assert "Mr X pays" in told
    assert f"Mr X is on {puzzle.setup['mrx']['at']}" not in told


def test_the_answer_says_where_he_can_be() -> None:
    puzzle = next(each for each in puzzles_of("scotland_yard") if each.kind == "where")
    found = answer_json(puzzle.id, [puzzle.best])
    assert found["solved"] is True
    assert found["offers"] == []
    can = [station for station, possible in puzzle.values.items() if possible]
    assert set(can) <= set(found["scene"]["marks"]["candidates"])
