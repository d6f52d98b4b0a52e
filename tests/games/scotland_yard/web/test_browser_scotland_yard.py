"""Scotland Yard in the browser: whole games by clicks, double moves, what can be known, keyboard, phone, one screen."""

from __future__ import annotations

from typing import Any

from boards_by_hand import (
    FINGERS_HAVE_ROOM,
    SLOW,
    events_seen,
    offered,
    open_seat,
    play_by_clicks,
    state_of,
    take_menu,
    tap,
)
from sites import start_site

SHORT = {"n_detectives": 2, "rounds": 3, "shown": [1]}
PHONE = (390, 844)
FOCUS_IS_OFFERED = """() => {
    const focus = document.querySelector("[data-focus]").dataset.focus;
    return [...document.querySelectorAll("[data-offer]")].some((offer) => offer.dataset.offer === focus);
}"""


def test_a_whole_game_by_clicks_against_an_agent(site: Any, new_page: Any, shot: Any) -> None:
    game = site.begin("scotland_yard", evader="random", pursuers="person", options=SHORT, seed=1)
    page = open_seat(site.url, new_page, game["links"]["pursuers"])
    assert play_by_clicks(page).startswith(("You won", "You lost"))
    assert page.get_attribute("#tools a.button", "href") == f"/replay/{game['uid']}"
    assert page.locator(".chip b").first.inner_text() in "TBUS"
    assert page.locator('[data-piece="quarry"]').count() == 1
    shot(page, "over")


def test_a_whole_game_as_mr_x(site: Any, new_page: Any) -> None:
    game = site.begin("scotland_yard", evader="person", pursuers="random", options=SHORT, seed=2)
    page = open_seat(site.url, new_page, game["links"]["evader"])
    assert play_by_clicks(page).startswith(("You won", "You lost"))


def test_a_double_move_over_a_reveal_in_two_steps_with_a_way_back(site: Any, new_page: Any, shot: Any) -> None:
    options = {"n_detectives": 1, "rounds": 6, "shown": [2]}
    game = site.begin("scotland_yard", evader="person", pursuers="random", options=options, seed=3)
    page = open_seat(site.url, new_page, game["links"]["evader"])
    state_of(page)
    seen = events_seen(page)
    page.click("button.double")
    firsts = offered(page)
    tap(page, firsts[0])
    take_menu(page)
    page.wait_for_selector(".layer-offers .chosen", state="attached")
    page.click("button.back")
    page.wait_for_selector(".layer-offers .chosen", state="detached")
    assert offered(page) == firsts
    tap(page, firsts[-1])
    take_menu(page)
    page.wait_for_selector(".layer-offers .chosen", state="attached")
    shot(page, "second-step")
    seconds = [label for label in offered(page) if label != firsts[-1]]
    tap(page, seconds[0])
    take_menu(page)
    state_of(page, seen)
    assert page.locator(".toast").count() == 0
    rounds = page.eval_on_selector_all(".chip", "all => all.map(c => c.firstChild.textContent)")
    assert "seen on" not in rounds[0]
    assert rounds[1].endswith(f"seen on {seconds[0]}")
    assert page.get_attribute("svg [data-piece=quarry]", "data-at") == seconds[0]


def test_heat_map_hint_danger_and_why(site: Any, new_page: Any, shot: Any) -> None:
    options = {"n_detectives": 3, "rounds": 5, "shown": [1]}
    game = site.begin("scotland_yard", evader="person", pursuers="random", options=options, seed=4)
    page = open_seat(site.url, new_page, game["links"]["evader"], stored={"manhunt-knowing-mrx": '"off"'})
    state_of(page)
    assert page.locator(".layer-glow circle").count() == 0
    page.get_by_text("Candidates").click()
    page.wait_for_selector(".layer-glow circle", state="attached", timeout=SLOW)
    n_candidates = page.locator(".layer-glow circle").count()
    page.get_by_text("Probabilities").click()
    page.wait_for_selector(".layer-glow [data-weight]", state="attached", timeout=SLOW)
    weights = page.eval_on_selector_all(".layer-glow circle", "all => all.map(c => Number(c.dataset.weight))")
    assert len(weights) == n_candidates
    assert abs(sum(weights) - 1) < 0.02
    page.click("button.weigh")
    page.wait_for_selector(".layer-badges [data-badge]", state="attached", timeout=SLOW)
    assert set(page.eval_on_selector_all("[data-badge]", "all => all.map(b => b.dataset.badge)")) == set(offered(page))
    page.click("button.hint")
    page.wait_for_selector(".hinted", timeout=SLOW)
    assert page.locator("[data-arrow]").count() >= 1
    shot(page, "hint")
    page.get_by_label("Station", exact=True).fill("199")
    page.get_by_role("button", name="Ask").click()
    page.wait_for_selector(".why .told", timeout=SLOW)
    assert "199" in page.inner_text(".why")


def test_detectives_get_a_plan_and_ask_about_a_station_by_a_click(site: Any, new_page: Any, shot: Any) -> None:
    options = {"n_detectives": 2, "rounds": 4, "shown": [1]}
    game = site.begin("scotland_yard", evader="random", pursuers="person", options=options, seed=5)
    page = open_seat(site.url, new_page, game["links"]["pursuers"])
    state_of(page)
    page.wait_for_selector(".layer-glow circle", state="attached", timeout=SLOW)
    taken = set(offered(page)) | set(page.eval_on_selector_all("[data-piece]", "all => all.map(p => p.dataset.at)"))
    tap(page, next(label for label in ("199", "1", "93", "7") if label not in taken))
    page.wait_for_selector(".why .told", timeout=SLOW)
    assert page.inner_text(".why").startswith("Why not")
    assert "seen on" in page.inner_text(".why")
    page.click("button.hint")
    page.wait_for_selector(".hinted", timeout=2 * SLOW)
    assert "Plan:" in page.inner_text(".hinted")
    assert page.locator("[data-arrow]").count() >= 1
    shot(page, "plan")


def test_phone(site: Any, new_page: Any, shot: Any) -> None:
    game = site.begin("scotland_yard", evader="random", pursuers="person", options=SHORT, seed=6)
    page = open_seat(site.url, new_page, game["links"]["pursuers"], size=PHONE, has_touch=True)
    state_of(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shot(page, "moves")
    assert not page.is_visible(".tickets")
    page.get_by_role("tab", name="Tickets").click()
    assert page.is_visible(".tickets")
    assert not page.is_visible(".moves")
    page.locator(".tickets .place").nth(0).click()
    page.wait_for_function(
        "() => Number(document.querySelector('.board svg').getAttribute('viewBox').split(' ')[2]) < 700"
    )
    label = page.locator(".nodes .node text.label").first
    assert label.evaluate("text => text.getBoundingClientRect().height") > 11
    shot(page, "tickets")
    seen = events_seen(page)
    page.get_by_role("tab", name="Moves").click()
    page.locator(".movers button").last.click()
    page.wait_for_function(FINGERS_HAVE_ROOM)
    shot(page, "near")
    target = chosen_offers(page)[0]
    finger(page, target)
    page.wait_for_selector(".ask, .board .preview")
    if page.locator(".ask").count():
        take_menu(page)
    else:
        assert events_seen(page) == seen
        shot(page, "preview")
        finger(page, target)
    state_of(page, seen)


def test_a_phone_on_its_side(site: Any, new_page: Any, shot: Any) -> None:
    game = site.begin("scotland_yard", evader="random", pursuers="person", options=SHORT, seed=6)
    page = open_seat(site.url, new_page, game["links"]["pursuers"], size=(844, 390), has_touch=True)
    state_of(page)
    page.wait_for_function(FINGERS_HAVE_ROOM)
    shot(page, "landscape")
    assert not page.is_visible("#top")
    assert page.get_by_role("link", name="Back to the games").is_visible()
    assert page.locator("#stage").bounding_box()["height"] == 390
    board, moves = (page.locator(name).first.bounding_box() for name in (".board > svg", ".moves [data-action]"))
    assert board["height"] >= 385
    assert moves["x"] >= board["x"] + board["width"]
    assert moves["y"] + moves["height"] <= 390
    assert page.locator(".zoom").bounding_box()["x"] >= board["x"] + board["width"], "the buttons cover no station"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def chosen_offers(page: Any) -> list[str]:
    """Offers of the chosen detective that are in sight."""
    return list(
        page.eval_on_selector_all(
            "[data-offer]:not(.faint)",
            """all => {
                const stage = document.querySelector(".board > svg").getBoundingClientRect();
                const across = (box) => box.x > 0 && box.right < stage.right;
                const seen = (box) => across(box) && box.y > stage.y && box.bottom < stage.bottom;
                return all.filter((ring) => seen(ring.getBoundingClientRect())).map((ring) => ring.dataset.offer);
            }""",
        )
    )


def finger(page: Any, label: str) -> None:
    box = page.locator(f'.nodes [data-node="{label}"] circle').first.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_keyboard_only(site: Any, new_page: Any, shot: Any) -> None:
    game = site.begin("scotland_yard", evader="random", pursuers="person", options=SHORT, seed=7)
    page = open_seat(site.url, new_page, game["links"]["pursuers"])
    seen = -1
    for n in range(12):
        if state_of(page, seen) == "over":
            break
        seen = events_seen(page)
        page.evaluate("document.activeElement.blur()")
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('svg.manhunt-board')"):
                break
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("[data-focus]", state="attached")
        page.wait_for_function(FOCUS_IS_OFFERED)  # the next frame shows where the focus went
        if n == 0:
            shot(page, "focus")
        page.keyboard.press("Enter")
        page.evaluate("new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))")
        if page.locator(".ask").count():
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
    page.wait_for_selector(".turn.over")


def test_two_people_at_one_screen_never_see_the_secret_in_between(site: Any, new_page: Any, shot: Any) -> None:
    options = {"n_detectives": 1, "rounds": 3, "shown": [3]}
    game = site.begin("scotland_yard", evader="person", pursuers="person", options=options, seed=8)
    tokens = game["tokens"]
    link = f"/play/{game['uid']}#evader={tokens['evader']}&pursuers={tokens['pursuers']}"
    page = new_page(link, storage_state=stored_for(site.url))
    page.wait_for_selector(".curtain")
    page.click(".curtain button")
    page.wait_for_selector("svg [data-piece=quarry]", state="attached")
    tap(page, offered(page)[0])
    take_menu(page)
    page.wait_for_selector(".curtain")
    shot(page, "curtain")
    assert page.locator("svg.manhunt-board").count() == 0
    assert page.locator(".panel").count() == 0
    assert "detectives" in page.inner_text(".curtain")
    page.click(".curtain button")
    page.wait_for_selector("svg [data-piece=pursuer-0]", state="attached")
    assert page.locator("svg [data-piece=quarry]").count() == 0
    assert page.locator(".story li").count() > 0
    assert "Mr X is on" not in page.inner_text(".story")


def test_the_page_goes_on_by_itself_after_the_server_was_killed(own_site: Any, new_page: Any, opened: Any) -> None:
    game = own_site.begin("scotland_yard", evader="random", pursuers="person", options=SHORT, seed=9)
    page = open_seat(own_site.url, new_page, game["links"]["pursuers"], base=own_site.url)
    state_of(page)
    seen = events_seen(page)
    title = page.inner_text("#title")
    own_site.kill()
    page.wait_for_selector(".turn.lost")
    assert "Trying again" in page.inner_text("#turn")
    again = start_site(own_site.store, int(own_site.url.rpartition(":")[2]))
    try:
        page.wait_for_selector(".turn.yours", timeout=SLOW)
        assert page.inner_text("#title") == title
        tap(page, offered(page)[0])
        take_menu(page)
        state_of(page, seen)
    finally:
        page.goto("about:blank")
        again.kill()
    opened.errors.clear()  # the browser reports refused connections as errors


def stored_for(url: str) -> dict[str, Any]:
    local = [{"name": "manhunt-seen-scotland_yard", "value": "true"}, {"name": "manhunt-pace", "value": "0"}]
    return {"cookies": [], "origins": [{"origin": url, "localStorage": local}]}
