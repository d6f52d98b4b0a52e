"""Night Chase in a real browser, with the pages that any game on a board gets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boards_by_hand import SLOW, events_seen, offered, open_seat, play_by_clicks, state_of, tap
from browser_pages import PHONE, WIDE
from example_games import known_here
from sites import Site, running_site

SEEN = {"manhunt-seen-night_chase": "true"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, night_chase_folder: Path) -> Iterator[Site]:
    """A server process that knows the game."""
    store = tmp_path_factory.mktemp("site") / "games.db"
    with known_here(night_chase_folder), running_site(store) as running:
        yield running


def leave_introduction(page: Any) -> list[str]:
    """The titles that a first visitor reads."""
    titles, button = [], page.locator("dialog.intro button.primary")
    while True:
        titles.append(page.inner_text("dialog.intro h2"))
        is_last = button.inner_text() == "Play"
        button.click()
        if is_last:
            return titles


def deal_seed(page: Any, seed: int) -> None:
    """The next game that this page starts is dealt from a seed, so that no lucky step ends it early."""

    def add_seed(route: Any) -> None:
        route.continue_(post_data=json.dumps({**route.request.post_data_json, "seed": seed}))

    page.route("**/api/tables", add_seed)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_visitor_starts_a_game_hunts_resigns_and_opens_the_replay(
    site: Site, new_page: Any, shot: Any, size: tuple[int, int]
) -> None:
    page = new_page("/", size=size)
    page.wait_for_selector("[data-game=night_chase] .picture svg")
    card = page.text_content("[data-game=night_chase]")
    assert "Night Chase" in card
    assert "the hunters see the runner only when one of them is close" in card
    assert "The runner: greedy (" in card
    shot(page, "home")

    deal_seed(page, 2)
    page.locator("[data-game=night_chase]").get_by_role("button", name="Play the hunters").click()
    page.wait_for_url("**/play/**")
    assert leave_introduction(page)[0] == "A hunt on a board"
    assert state_of(page) == "acting"
    assert page.inner_text("#who") == "You play the hunters against the runner (greedy)."
    for _ in range(2):
        seen = events_seen(page)
        tap(page, offered(page)[0])
        assert state_of(page, seen) == "acting"
    assert page.text_content(".story li").startswith(("the runner ", "green goes to "))
    shot(page, "hunters")

    page.click("button.hint")
    page.wait_for_selector(".hinted", timeout=SLOW)
    assert "This is what greedy would do." in page.inner_text(".hinted")
    shot(page, "hint")
    seen = events_seen(page)
    page.get_by_role("button", name="Play this move").click()
    state_of(page, seen)

    page.get_by_role("button", name="Resign").click()
    page.locator("dialog button, .ask button", has_text="Resign").last.click()
    page.wait_for_selector(".turn.over")
    assert page.inner_text("#turn") == "You lost"
    assert "You resigned." in page.inner_text(".ending")
    page.get_by_role("link", name="Replay and analysis").click()
    page.wait_for_selector("svg.manhunt-board")
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('#title').textContent.includes('the runner won')")
    assert page.locator("[data-piece=quarry]").count() == 1, "the truth is shown"
    shot(page, "replay")


def test_hunters_see_where_the_runner_can_be(site: Site, new_page: Any, shot: Any) -> None:
    game = site.begin("night_chase", evader="greedy", pursuers="person", seed=2)
    page = open_seat(site.url, new_page, game["links"]["pursuers"], SEEN)
    assert state_of(page) == "acting"
    page.wait_for_selector(".layer-glow circle", state="attached")
    assert page.locator("[data-piece=quarry]").count() == 0
    assert page.inner_text(".known-words") == "The runner can be on 29 nodes."
    assert page.locator(".layer-glow circle").count() == 29
    assert page.inner_text(".standing").split("\n") == ["R", "red on 4", "G", "green on 1"]
    shot(page, "candidates")
    page.get_by_role("button", name="Candidates").click()
    page.wait_for_selector(".layer-glow circle", state="detached")


def test_a_runner_who_is_seen_stands_on_the_hunters_board(site: Site, new_page: Any, shot: Any) -> None:
    options = {"sight": 9, "rounds": 1}
    game = site.begin("night_chase", evader="greedy", pursuers="person", seed=2, options=options)
    page = open_seat(site.url, new_page, game["links"]["pursuers"], SEEN)
    assert state_of(page) == "acting"
    page.locator(".known-words", has_text="Everything is visible here.").wait_for()
    assert page.locator("[data-piece=quarry]").count() == 1
    assert page.locator(".standing li").all_inner_texts()[0].split("\n")[0] == "X", "R is the red hunter's letter"
    shot(page, "seen")


def test_a_whole_game_of_the_runner_has_a_story_and_a_replay_of_each_seat(site: Site, new_page: Any, shot: Any) -> None:
    game = site.begin("night_chase", evader="person", pursuers="greedy", seed=3)
    page = open_seat(site.url, new_page, game["links"]["evader"], SEEN)
    assert "The hunters (greedy) won: the runner was caught." in play_by_clicks(page)
    story = page.locator(".story li").all_inner_texts()
    assert story[-1] == "Hunters on 17 20"
    assert "The runner is on 25" in story
    assert "Red goes to 16" in story
    shot(page, "over")
    page.get_by_role("link", name="Replay and analysis").click()
    page.wait_for_selector("svg.manhunt-board")
    page.get_by_role("radio", name="hunters").check(force=True)
    page.keyboard.press("Home")
    page.wait_for_selector(".layer-glow circle", state="attached")
    assert page.locator("[data-piece=quarry]").count() == 0
    plies = page.inner_text(".turns")
    assert "hidden" in plies
    assert "h0:16" in plies, "the hunters know their own moves"
    shot(page, "replay")
