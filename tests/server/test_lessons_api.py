"""REST of lessons: what pages get, what is refused, and that nothing hidden is among it."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest

from manhunt.analysis.lessons import lessons_of
from manhunt.core.registry import BUILT_IN
from sites import Site

MARSHAL = "/api/lessons/fugitive/2"


def step(site: Site, path: str, answers: list[list[str]], **more: Any) -> Any:
    return site.api(f"{path}/step", {"answers": answers, **more})


def test_all_lessons_are_listed(site: Site) -> None:
    games = {game["name"]: game for game in site.api("/api/lessons")["games"]}
    assert set(games) == set(BUILT_IN)
    for name, game in games.items():
        assert [lesson["title"] for lesson in game["lessons"]] == [lesson.title for lesson in lessons_of(name)]


def test_a_lesson_has_its_texts_and_no_answers(site: Site) -> None:
    lesson = site.api(MARSHAL)
    assert [row["task"] for row in lesson["steps"]][1] == "Draw from the low pile."
    assert {"text", "task", "show", "isNew"} == set(lesson["steps"][0])
    assert lesson["page"]["module"] == "/games/fugitive/page.js"
    assert "dealt" not in json.dumps(lesson)


def test_a_step_is_judged_and_the_board_can_be_fetched(site: Site) -> None:
    path = "/api/lessons/scotland_yard/1"
    begun = step(site, path, [[]])
    assert (begun["verdict"], begun["offers"], begun["isLast"]) == ("read", [], False)
    wrong = step(site, path, [[], ["R:T32"]], hint=True)
    assert (wrong["verdict"], wrong["hint"]["actions"]) == ("wrong", ["R:T46"])
    assert len(wrong["frames"]) == 1
    done = step(site, path, [[], ["R:T46"], ["G:B58"]])
    assert (done["verdict"], done["offers"]) == ("done", [])
    assert [len(frame["sentences"]) for frame in done["frames"]] == [1, 1]
    with urllib.request.urlopen(f"{site.url}/api/boards/{done['board']['digest']}.svg") as answer:
        assert b'data-board="west London"' in answer.read()


def test_what_is_hidden_from_the_learner_is_not_sent(site: Site) -> None:
    """The Marshal's lesson: the Fugitive's cards are in no answer before they lie face up."""
    for answers in ([[]], [[], ["draw:low"]], [[], ["draw:low"], ["draw:low"], []]):
        sent = step(site, MARSHAL, answers)
        scene = sent["frames"][-1]["scene"]
        assert [spot["card"] for spot in scene["row"]] == [None, None]
        assert scene["hands"]["fugitive"]["cards"] is None


def test_questions_are_answered_as_far_as_the_lesson_allows(site: Site) -> None:
    found = site.api("/api/lessons/scotland_yard/3/insights/belief", {"answers": [[]]})
    assert found["candidates"] == ["1", "34", "58", "78"]
    status, error = site.refusal("/api/lessons/scotland_yard/3/insights/hint", {"answers": [[]]})
    assert (status, "no advice" in error) == (403, True)
    status, error = site.refusal("/api/lessons/scotland_yard/1/insights/belief", {"answers": [[]]})
    assert (status, "no help" in error) == (403, True)


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/api/lessons/chess/1", None, 404, "there are no lessons of chess"),
        ("/api/lessons/pursuit/4", None, 404, "its lessons are 1 to 3"),
        ("/api/lessons/pursuit/0", None, 400, "number"),
        ("/api/lessons/pursuit/1/step", {"answers": []}, 400, "answers"),
        ("/api/lessons/pursuit/1/step", {"answers": [[]], "odd": 1}, 400, "odd"),
        ("/api/lessons/pursuit/1/step", {"answers": [[], ["d0:99"]]}, 400, "no node '99'"),
        ("/api/lessons/pursuit/1/step", {"answers": [[], [], []]}, 400, "step 2 is not done yet"),
        ("/api/lessons/pursuit/1/step", {"answers": [["a"] * 101]}, 400, "answers"),
        ("/api/lessons/pursuit/3/insights/nonsense", {"answers": [[]]}, 404, "nonsense"),
    ],
)
def test_odd_requests_are_refused_in_words(site: Site, path: str, body: Any, status: int, words: str) -> None:
    found, error = site.refusal(path, body)
    assert (found, words in error) == (status, True), error
