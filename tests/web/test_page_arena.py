"""The arena in a real browser: begin a match-up, watch it, stop it, go on, open a game."""

from browser_pages import PHONE


def count(page, selector, n):
    """Wait until so many are there."""
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_have_count(n)


def choose(page, game, evaders, pursuers, games):
    page.wait_for_selector("#begin [type=submit]")
    page.select_option("[name=game]", game)
    for seat, wanted in (("evader", evaders), ("pursuers", pursuers)):
        for box in page.query_selector_all(f"[name={seat}]"):
            if (box.get_attribute("value") in wanted) is not box.is_checked():
                box.click()
    page.fill("[name=games]", str(games))


def test_a_match_up_from_the_form_to_the_replay(new_page, shot) -> None:
    page = new_page("/arena")
    choose(page, "pursuit", {"random", "greedy"}, {"random"}, 3)
    assert page.inner_text("#count") == "2 × 1 pairings, 6 games in all."
    shot(page, "form")
    page.click("#begin [type=submit]")
    page.wait_for_selector("#detail >> text=All 6 games have been played.")
    assert page.url.rpartition("/")[0].endswith("/arena")
    assert page.locator(".matrix td b").count() == 2
    page.wait_for_selector("#runs .chip.done")
    page.click(".matrix button >> nth=1")
    page.wait_for_selector("#detail h3:has-text('against')")
    count(page, ".games li", 3)
    shot(page, "done")
    page.click(".games button >> nth=0")
    page.wait_for_url("**/replay/*")


def test_a_long_run_is_stopped_goes_on_and_is_deleted(new_page, shot) -> None:
    page = new_page("/arena")
    choose(page, "pursuit", {"random"}, {"random"}, 4000)
    page.select_option("[name=board]", "london")
    page.click("#begin [type=submit]")
    page.wait_for_selector("#detail >> text=/[1-9]\\d* of 4000 games played, about/")
    shot(page, "running")
    page.click("#detail >> text=Cancel")
    page.wait_for_selector("#detail >> text=/Stopped after \\d+ of 4000/")
    page.click("#detail >> text=Resume")
    page.wait_for_selector("#detail >> text=/games played|Waiting/")
    page.click("#detail >> text=Cancel")
    page.wait_for_selector("#detail >> text=/Stopped after \\d+ of 4000/")
    page.click("#detail >> text=Delete")
    page.click("dialog button.danger")
    page.wait_for_selector("#detail", state="hidden")


def test_mistakes_are_told_in_words(new_page) -> None:
    page = new_page("/arena")
    choose(page, "scotland_yard", set(), {"random"}, 5)
    assert page.inner_text("#count") == "Choose at least one agent for each side."
    assert page.locator("#begin [type=submit]").is_disabled()


def test_a_run_that_is_not_there_is_told(chromium, site) -> None:
    context = chromium.new_context(base_url=site.url)
    page = context.new_page()
    page.goto("/arena/nothing")
    page.wait_for_selector("#detail [role=alert]:has-text('there is no run')")
    context.close()


def test_usable_on_a_phone_in_the_dark(new_page, shot, site) -> None:
    body = {"game": "pursuit", "evaders": ["random"], "pursuers": ["random", "greedy"], "games": 2, "board": "grid:3x3"}
    run = site.api("/api/arena", body)["id"]
    page = new_page(f"/arena/{run}", PHONE, dark=True)
    page.wait_for_selector("#detail >> text=All 4 games have been played.")
    page.wait_for_selector(".games li")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], "nothing sticks out at the side"
    shot(page, "phone")
