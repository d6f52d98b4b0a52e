"""A game of another package without page, words and insights, in a real browser: played, asked about, replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from boards_by_hand import SLOW, events_seen, offered, open_seat, play_by_clicks, state_of, tap
from browser_pages import PHONE, WIDE
from outside_games import installed
from sites import Site, running_site

SEEN = {"manhunt-seen-tag_game": "true"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    with (
        pytest.MonkeyPatch.context() as patch,
        installed(folder, patch, tag_game="tag_game:KIT"),
        running_site(folder / "games.db") as running,
    ):
        yield running


def test_home_offers_the_game_and_introduces_it(site: Site, new_page: Any, shot: Any) -> None:
    page = new_page("/")
    page.wait_for_selector("[data-game=tag_game] .picture svg")
    assert "The hounds: random (" in page.text_content("[data-game=tag_game]")
    shot(page, "home")
    page.locator("[data-game=tag_game]").get_by_role("button", name="Play the Sly Fox").click()
    page.wait_for_url("**/play/**")
    page.wait_for_selector("dialog.intro[open]")
    shot(page, "introduction")
    titles, button = [], page.locator("dialog.intro button.primary")
    while True:
        titles.append(page.inner_text("dialog.intro h2"))
        is_last = button.inner_text() == "Play"
        button.click()
        if is_last:
            break
    assert len(set(titles)) == len(titles) >= 3
    assert state_of(page) == "acting"
    assert page.inner_text("#who") == "You play the Sly Fox against the hounds (random)."


def nodes_below_buttons(page: Any) -> list[str]:
    """Labels of nodes that the zoom buttons cover."""
    return list(
        page.evaluate("""() => {
            const buttons = document.querySelector(".board .zoom").getBoundingClientRect();
            return [...document.querySelectorAll(".nodes [data-node]")].filter((node) => {
                const box = node.querySelector("circle").getBoundingClientRect();
                return box.right > buttons.left && box.bottom > buttons.top;
            }).map((node) => node.dataset.node);
        }""")
    )


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_hounds_see_where_the_fox_can_be_and_ask_for_a_hint(
    site: Site, new_page: Any, shot: Any, size: tuple[int, int]
) -> None:
    game = site.begin("tag_game", evader="random", pursuers="person", seed=3)
    page = open_seat(site.url, new_page, game["links"]["pursuers"], SEEN, size=size)
    assert state_of(page) == "acting"
    page.wait_for_selector(".layer-glow circle", state="attached")
    assert page.locator("[data-piece=quarry]").count() == 0
    assert page.text_content(".known-words").startswith("The Sly Fox can be on ")  # type: ignore[union-attr]
    shot(page, "hounds")
    assert not nodes_below_buttons(page)
    page.click("button.hint")
    page.wait_for_selector(".hinted", timeout=SLOW)
    assert "This is what random would do." in page.inner_text(".hinted")
    seen = events_seen(page)
    page.get_by_role("button", name="Play this move").click()
    state_of(page, seen)
    if size == WIDE:
        page.get_by_role("button", name="Candidates").click()
        page.wait_for_selector(".layer-glow circle", state="detached")


def test_a_whole_game_by_clicks_has_a_story_and_a_replay(site: Site, new_page: Any, shot: Any) -> None:
    game = site.begin("tag_game", evader="person", pursuers="random", seed=1)
    page = open_seat(site.url, new_page, game["links"]["evader"], SEEN)
    page.locator(".known-words", has_text="Everything is visible here.").wait_for()
    assert " won: " in play_by_clicks(page)
    page.locator(".known-words", has_text="The game is over.").wait_for()
    assert any("Moved: piece" in line for line in page.locator(".story li").all_inner_texts())
    shot(page, "over")
    page.get_by_role("link", name="Replay and analysis").click()
    page.wait_for_selector("svg.manhunt-board")
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('#title').textContent.includes(' won: ')")
    page.get_by_text("There is no analysis for this game.").wait_for()
    assert page.get_by_role("button", name="Analyse this game").count() == 0
    page.get_by_role("radio", name="hounds").check(force=True)
    page.keyboard.press("Home")
    page.wait_for_selector(".layer-glow circle", state="attached")
    assert page.locator("[data-piece=quarry]").count() == 0
    shot(page, "replay")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.wait_for_function("document.querySelector('.board > svg').clientHeight < 500")
    assert not nodes_below_buttons(page)
    shot(page, "replay-on-a-phone")


def test_moves_can_be_chosen_from_the_list_too(site: Site, new_page: Callable[..., Any]) -> None:
    game = site.begin("tag_game", evader="person", pursuers="random", seed=2)
    page = open_seat(site.url, new_page, game["links"]["evader"], SEEN)
    state_of(page)
    rings = offered(page)
    listed = page.eval_on_selector_all(".moves button[data-action]", "all => all.map(b => b.textContent)")
    assert sorted(listed) == sorted(f"to {label}" for label in rings)
    seen = events_seen(page)
    page.locator(".moves button[data-action]").first.click()
    state_of(page, seen)
    if page.get_attribute("#stage", "data-state") == "acting":
        seen = events_seen(page)
        tap(page, offered(page)[-1])
        state_of(page, seen)
