"""Home in the browser: one click to a game, levels, the fuller form, games of this browser, lists, theme."""

from __future__ import annotations

from typing import Any

import pytest

from boards_by_hand import state_of

PHONE = (390, 844)
MOST_BYTES = 150_000
WEIGHT = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .reduce((sum, entry) => sum + entry.transferSize, 0)"""


def card(game: str) -> str:
    return f"[data-game={game}]"


def play(page: Any, game: str, seat: str) -> None:
    """One click on a card."""
    page.click(f"{card(game)} [data-seat={seat}]")
    page.wait_for_url("**/play/**")


def test_a_first_visitor_plays_after_one_click_and_is_introduced(site: Any, new_page: Any, shot: Any) -> None:
    page = new_page("/")
    page.wait_for_selector(f"{card('scotland_yard')} .picture svg")
    shot(page, "home")
    play(page, "scotland_yard", "pursuers")
    page.wait_for_selector("dialog.intro[open]")
    shot(page, "introduction")
    assert page.get_attribute("dialog.intro a.learn", "href") == "/learn/scotland_yard"
    page.locator("dialog.intro button.primary").click()
    page.wait_for_selector("dialog.intro", state="detached")
    assert state_of(page) == "acting"
    page.reload()
    state_of(page)
    assert page.locator("dialog.intro").count() == 0
    page.get_by_role("button", name="Help").click()
    page.wait_for_selector("dialog.intro[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.intro", state="detached")


def test_every_game_has_a_picture_and_home_is_light(site: Any, new_page: Any) -> None:
    page = new_page("/")
    for game in ("scotland_yard", "pursuit", "fugitive", "shortest_path"):
        page.wait_for_selector(f"{card(game)} .picture svg path, {card(game)} .picture svg rect")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(WEIGHT) < MOST_BYTES


@pytest.mark.parametrize("size", [(1440, 900), (1200, 800), PHONE], ids=["wide", "laptop", "phone"])
def test_the_first_game_can_be_started_without_scrolling(site: Any, new_page: Any, size: tuple[int, int]) -> None:
    page = new_page("/", size=size)
    page.wait_for_selector(f"{card('scotland_yard')} .picture svg")
    for seat in ("evader", "pursuers"):
        box = page.locator(f"{card('scotland_yard')} [data-seat={seat}]").bounding_box()
        assert box["y"] + box["height"] <= size[1]


def test_people_choose_a_level_and_find_it_again(site: Any, new_page: Any, shot: Any) -> None:
    page = new_page("/")
    level = page.get_by_label("Level of your opponents in Scotland Yard")
    level.locator("option").first.wait_for(state="attached")
    names = level.locator("option").all_inner_texts()
    assert names == ["Beginner", "Easy", "Medium", "Hard", "Expert"]
    level.select_option("Beginner")
    assert "The detectives hunt where Mr X was" in page.inner_text(card("scotland_yard"))
    assert "champion" not in page.inner_text(card("scotland_yard"))
    page.locator(card("scotland_yard")).get_by_role("button", name="About the levels").click()
    about = page.get_by_role("dialog")
    assert about.locator("li h3").all_inner_texts() == names
    about.get_by_text("Details").first.click()
    assert "champion" in about.locator("details").first.inner_text()
    shot(page, "levels")
    page.keyboard.press("Escape")
    page.reload()
    assert page.get_by_label("Level of your opponents in Scotland Yard").input_value() == "Beginner"
    play(page, "scotland_yard", "evader")
    page.locator("dialog.intro button.primary").click()
    page.wait_for_function("() => document.querySelector('#who').textContent.includes('Beginner')")


def test_a_game_of_this_browser_stands_on_top_until_it_is_over(site: Any, new_page: Any, shot: Any) -> None:
    page = new_page("/")
    play(page, "pursuit", "evader")
    address = page.url
    page.locator("dialog.intro button.primary").click()
    state_of(page)
    page.goto("/")
    page.wait_for_selector("#mine li.turn")
    assert "your turn" in page.inner_text("#mine")
    shot(page, "mine")
    page.get_by_role("link", name="Your turn: Pursuit").click()
    page.wait_for_url(address)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.wait_for_selector(".turn.over")
    page.goto("/")
    page.get_by_text("You lost: Mr X resigned").wait_for()


def test_running_and_finished_games_are_listed_with_their_results(site: Any, new_page: Any, shot: Any) -> None:
    running = site.begin("scotland_yard", evader="person", pursuers="random")
    site.begin("pursuit", evader="random", pursuers="random", options={"max_rounds": 1})
    page = new_page("/")
    page.wait_for_selector(f'.lists a[href="/play/{running["uid"]}"]')
    row = page.locator(".lists li", has=page.locator('a[href^="/replay/"]')).first
    row.wait_for()
    assert "round " in row.inner_text()
    assert "against" in row.inner_text()
    assert "person" not in page.inner_text(".lists")
    shot(page, "lists")


def test_theme_is_switched_and_remembered(site: Any, new_page: Any, shot: Any) -> None:
    page = new_page("/", dark=True)
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    page.get_by_label("Theme: system").click()
    light = page.evaluate(paper)
    assert light != dark
    page.reload()
    assert page.evaluate(paper) == light
    page.get_by_label("Theme: light").click()
    assert page.evaluate(paper) == dark
    page.wait_for_selector(".game")
    shot(page, "dark")


def test_home_fits_a_phone_and_errors_are_words(site: Any, new_page: Any, opened: Any, shot: Any) -> None:
    page = new_page("/", size=PHONE)
    page.wait_for_selector(card("pursuit"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(card("pursuit")).get_by_role("button", name="More options").click()
    page.select_option("select[name=board]", "made")
    page.fill("input[name=made]", "grid:1000x1000")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".toast")
    assert "1000000 nodes" in page.inner_text(".toast")
    shot(page, "error")
    opened.errors.clear()  # the browser reports a refused request as an error


def test_two_agents_can_be_watched(site: Any, new_page: Any) -> None:
    page = new_page("/")
    page.locator(card("pursuit")).get_by_role("button", name="More options").click()
    for seat in ("evader", "pursuers"):
        page.select_option(f"select[name={seat}]", "random")
    page.get_by_text("You watch.").wait_for()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/play/*")
    page.wait_for_selector("svg.manhunt-board")


def test_a_file_that_is_no_board_is_named_when_the_game_is_started(site: Any, new_page: Any, opened: Any) -> None:
    page = new_page("/")
    page.locator(card("pursuit")).get_by_role("button", name="More options").click()
    page.select_option("select[name=board]", "upload")
    assert "CSV: first a line a,b" in page.inner_text("[data-note=board]")
    page.set_input_files(
        "dialog input[type=file]", {"name": "odd.csv", "mimeType": "text/csv", "buffer": b"no board\n"}
    )
    page.wait_for_selector(".toast")
    page.get_by_label("Dismiss").click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".toast")
    assert page.inner_text(".toast").startswith("odd.csv is not a valid board: ")
    opened.errors.clear()


def test_a_name_is_asked_once_and_kept(site: Any, new_page: Any) -> None:
    page = new_page("/")
    page.get_by_role("button", name="Choose your name").click()
    page.fill("dialog.naming input", "  Anna  of Berlin ")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="You play as Anna of Berlin").wait_for()
    page.reload()
    page.get_by_role("button", name="You play as Anna of Berlin").wait_for()
    page.click(f"{card('pursuit')} .friends")
    page.wait_for_url("**/table/**")
    page.get_by_text("Anna of Berlin").first.wait_for()


def test_a_wrong_link_says_so(site: Any, new_page: Any, opened: Any) -> None:
    game = site.begin("pursuit")
    page = new_page(f"/play/{game['uid']}#evader=guessed")
    page.wait_for_selector(".notice h2")
    assert page.inner_text("#title") == "This game cannot be opened"
    page = new_page("/play/nosuchgame")
    page.wait_for_selector(".notice h2")
    page = new_page("/table/nosuchtable")
    page.get_by_text("This table cannot be opened").wait_for()
    opened.errors.clear()


def test_an_address_that_leads_nowhere_says_so(site: Any, new_page: Any, opened: Any) -> None:
    page = new_page("/nowhere")
    assert page.inner_text("h1") == "Page not found"
    page.get_by_role("link", name="Back to the games").click()
    page.wait_for_selector("[data-game=pursuit]")
    assert page.request.get("/api/nowhere").json() == {"error": "there is no /api/nowhere"}
    opened.errors.clear()
