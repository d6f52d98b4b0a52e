"""Home in the browser: two clicks to a game, the introduction, the fuller form, lists, theme, an invitation."""

from __future__ import annotations

from typing import Any

from boards_by_hand import open_seat, state_of

PHONE = (390, 844)


def test_a_first_visitor_plays_after_two_clicks_and_is_introduced(site: Any, new_page: Any, shot: Any) -> None:
    page = new_page("/")
    page.wait_for_selector(".game")
    shot(page, "home")
    page.click("[data-game=scotland_yard]")
    page.get_by_role("button", name="Play Scotland Yard").click()
    page.wait_for_url("**/play/**")
    page.wait_for_selector("dialog.intro[open]")
    shot(page, "introduction")
    titles = []
    while page.locator("dialog.intro").count():
        titles.append(page.inner_text("dialog.intro h2"))
        page.locator("dialog.intro button.primary").click()
    assert len(set(titles)) == len(titles) >= 5
    assert state_of(page) == "acting"
    page.reload()
    state_of(page)
    assert page.locator("dialog.intro").count() == 0
    page.get_by_role("button", name="Help").click()
    page.wait_for_selector("dialog.intro[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.intro", state="detached")


def test_people_choose_their_seat_and_a_level_and_find_both_again(site: Any, new_page: Any, shot: Any) -> None:
    page = new_page("/")
    page.click("[data-game=scotland_yard]")
    levels = page.eval_on_selector_all("[name=level]", "all => all.map(each => each.value)")
    assert levels == ["Beginner", "Easy", "Medium", "Hard", "Expert"]
    page.check("[name=level][value=Beginner]")
    page.check("[name=you][value=evader]")
    assert page.is_checked("[name=level][value=Beginner]")
    assert "Beginner: the detectives hunt where Mr X was" in page.inner_text("#chosen")
    shot(page, "levels")
    page.get_by_role("button", name="Play Scotland Yard").click()
    page.wait_for_url("**/play/**")
    page.get_by_role("button", name="Skip").click()
    assert page.inner_text("#who") == "You play Mr X against the detectives (Beginner)."
    page.goto("/")
    page.wait_for_selector("[name=level]")
    assert page.eval_on_selector_all(".levels :checked", "all => all.map(each => each.value)") == ["evader", "Beginner"]
    page.click("[data-game=pursuit]")
    assert page.locator("[name=level]").count() == 0


def test_the_link_for_another_person_works_and_resigning_ends_the_game(site: Any, new_page: Any, shot: Any) -> None:
    page = new_page("/")
    page.click("[data-game=pursuit]")
    page.click("summary")
    page.select_option("select[name=pursuers]", "link")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/play/**")
    page.get_by_role("button", name="Skip").click()
    invitation = page.get_by_label("Link for the other person")
    invitation.wait_for()
    shot(page, "invitation")
    other = open_seat(site.url, new_page, invitation.input_value())
    invitation.wait_for(state="detached")
    assert "You play the detectives" in other.inner_text("#who")
    other.get_by_role("button", name="Resign").click()
    other.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for one in (page, other):
        one.wait_for_selector(".turn.over")
        assert "gave up" in one.inner_text("#turn")
        assert one.get_by_role("link", name="Replay and analysis").count() == 1
    first = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != first and "/play/" in url)


def test_running_and_finished_games_are_listed(site: Any, new_page: Any, shot: Any) -> None:
    running = site.begin("scotland_yard", evader="person", pursuers="random")
    site.begin("pursuit", evader="random", pursuers="random", options={"max_rounds": 1})
    page = new_page("/")
    page.wait_for_selector(f'.lists a[href="/play/{running["uid"]}"]')
    page.wait_for_selector('.lists a[href^="/replay/"]')
    shot(page, "lists")


def test_theme_is_switched_and_remembered(site: Any, new_page: Any, shot: Any) -> None:
    page = new_page("/", dark=True)
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    page.get_by_label("Theme: as the system").click()
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
    page.click("[data-game=pursuit]")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("summary")
    page.select_option("select[name=board]", "made")
    page.fill("input[name=made]", "grid:1000x1000")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".toast")
    assert "1000000 nodes" in page.inner_text(".toast")
    shot(page, "error")
    opened.errors.clear()  # the browser reports a refused request as an error


def test_a_wrong_link_says_so(site: Any, new_page: Any, opened: Any) -> None:
    game = site.begin("pursuit")
    page = new_page(f"/play/{game['uid']}#evader=guessed")
    page.wait_for_selector(".notice h2")
    assert page.inner_text("#title") == "This game cannot be opened"
    page = new_page("/play/nosuchgame")
    page.wait_for_selector(".notice h2")
    opened.errors.clear()


def test_an_address_that_leads_nowhere_says_so(site: Any, new_page: Any, opened: Any) -> None:
    page = new_page("/nowhere")
    assert page.inner_text("h1") == "There is no such page"
    page.get_by_role("link", name="To the games").click()
    page.wait_for_selector("[data-game=pursuit]")
    assert page.request.get("/api/nowhere").json() == {"error": "there is no /api/nowhere"}
    opened.errors.clear()


def test_who_invited_somebody_comes_back_to_his_own_seat_only(site: Any, new_page: Any) -> None:
    page = new_page("/")
    page.click("[data-game=scotland_yard]")
    page.click("summary")
    page.select_option("select[name=evader]", "link")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".invite")
    page.goto("/")
    page.get_by_role("link", name="Play on").first.click()
    page.wait_for_selector(".invite")
    assert "#pursuers=" in page.url
    assert "evader=" not in page.url
