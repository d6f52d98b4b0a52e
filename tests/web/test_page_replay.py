"""The replay page in a browser: seats, keys, links, curves, what if, notes, downloads; wide, phone, dark."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boards_by_hand import SLOW, open_seat
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import parse_record
from random_games import SMALL, keep_random_games
from sites import Site

PHONE = (390, 844)
NewPage = Callable[..., Any]
GAMES = {**SMALL, "shortest_path": {"board": "contest:14:24:separation=3:cut=2:seed=7"}}


@pytest.fixture(scope="module")
def pasts(site: Site) -> dict[str, Hindsight]:
    """One finished game of each kind in the site's store; its uid is the game's name."""
    return keep_random_games(site.store, GAMES, seed=4)


def at(page: Any, ply: int, seat: str) -> None:
    """Wait until the page shows a moment; its address says which."""
    page.wait_for_url(re.compile(rf"\?ply={ply}&seat={seat}$"))


def has_quarry(page: Any) -> bool:
    return bool(page.locator(".layer-pieces [data-key='quarry']").count())


def test_seats_are_switched_and_the_address_tells(
    new_page: NewPage, pasts: dict[str, Hindsight], shot: Callable[[Any, str], Path]
) -> None:
    page = new_page("/replay/scotland_yard?ply=1&seat=pursuers")
    page.wait_for_selector(".layer-pieces [data-key='pursuer-0']", state="attached")
    assert not has_quarry(page)
    shot(page, "detectives")
    order = ["spectator", "truth", "evader", "pursuers"]
    for seat in order:
        page.keyboard.press("f")
        at(page, 1, seat)
        page.wait_for_selector(".layer-pieces [data-key='pursuer-0']", state="attached")
        page.wait_for_function(
            "seen => Boolean(document.querySelector(\".layer-pieces [data-key='quarry']\")) === seen",
            arg=seat in ("truth", "evader"),
        )
    page.get_by_text("Mr X", exact=True).first.click()
    at(page, 1, "evader")


def test_a_link_opens_the_same_picture(new_page: NewPage, pasts: dict[str, Hindsight]) -> None:
    page = new_page("/replay/scotland_yard")
    at(page, 0, "truth")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("f")
    at(page, 3, "evader")
    page.wait_for_selector(".layer-pieces [data-key='quarry']", state="attached")
    title = page.inner_text("#title")
    other = new_page(page.url.partition("/replay")[1] + page.url.partition("/replay")[2])
    other.wait_for_selector(".layer-pieces [data-key='quarry']", state="attached")
    other.wait_for_function("title => document.getElementById('title').textContent === title", arg=title)
    places = "() => [...document.querySelectorAll('.layer-pieces > *')].map((g) => g.getAttribute('transform'))"
    assert other.evaluate(places) == page.evaluate(places)
    assert other.locator("#tracks input:checked").get_attribute("value") == "evader"


def test_keys_go_through_the_game(new_page: NewPage, pasts: dict[str, Hindsight]) -> None:
    last = pasts["pursuit"].last
    page = new_page("/replay/pursuit?ply=2&seat=truth")
    page.wait_for_selector(".layer-pieces [data-key='quarry']", state="attached")
    for key, ply in (("ArrowRight", 3), ("ArrowLeft", 2), ("End", last), ("ArrowRight", last), ("Home", 0)):
        page.keyboard.press(key)
        at(page, ply, "truth")
    page.keyboard.press("Space")
    at(page, 1, "truth")
    page.keyboard.press("Space")
    page.get_by_label("Turn", exact=True).focus()
    page.keyboard.press("End")
    at(page, last, "truth")
    assert page.locator("#controls .where").inner_text() == f"{last} / {last}"
    page.get_by_label("Back one turn (left arrow)").click()
    at(page, last - 1, "truth")


def test_letters_step_by_move_by_round_and_to_the_end(new_page: NewPage, pasts: dict[str, Hindsight]) -> None:
    past = pasts["pursuit"]
    rounds = [past.round(ply) for ply in range(1, past.last + 1)]
    page = new_page("/replay/pursuit?seat=truth")
    page.wait_for_selector(".layer-pieces [data-key='quarry']", state="attached")
    page.keyboard.press("n")
    at(page, 1, "truth")
    page.keyboard.press("r")
    at(page, rounds.count(rounds[0]), "truth")
    page.keyboard.press("a")
    at(page, past.last, "truth")
    page.keyboard.press("n")
    at(page, past.last, "truth")
    page.keyboard.press("q")
    page.wait_for_url(re.compile(r"/$"))


@pytest.mark.parametrize("name", SMALL)
def test_every_game_is_shown_to_its_end(
    new_page: NewPage, pasts: dict[str, Hindsight], shot: Callable[[Any, str], Path], name: str
) -> None:
    past = pasts[name]
    page = new_page(f"/replay/{name}?ply={past.last // 2}", dark=name == "fugitive")
    page.wait_for_selector("#stage [data-part]")
    shot(page, "middle")
    titles = set()
    for _ in range(past.last):
        page.keyboard.press("ArrowRight")
        titles.add(page.inner_text("#title"))
    at(page, past.last, "truth")
    ending = page.inner_text("#who").split("·")[-1].strip()
    page.wait_for_function("() => !document.getElementById('title').textContent.includes('to move')")
    assert ending
    assert page.locator(".turns button[aria-current]").count() == 1


def test_the_analysis_is_drawn_and_leads_to_turns(
    new_page: NewPage, site: Site, pasts: dict[str, Hindsight], shot: Callable[[Any, str], Path]
) -> None:
    page = new_page("/replay/pursuit?ply=0&seat=truth")
    page.get_by_role("button", name="Analyse this game").click()
    chart = page.locator("svg.chart")
    chart.wait_for()
    page.wait_for_selector("svg.chart .line", state="attached")
    shot(page, "curve")
    chart.focus()
    page.keyboard.press("ArrowRight")
    at(page, 1, "truth")
    assert re.match(r"Ply 1: (never|caught)", chart.get_attribute("aria-valuetext"))
    box = chart.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 16, box["y"] + 30)
    at(page, pasts["pursuit"].last, "truth")
    found = site.api("/api/games/pursuit/analysis")
    marked = [move for move in found["moves"] if move["mark"]]
    assert page.locator("svg.chart .mark").count() == len(marked)
    assert page.locator(".judged li").count() == len(marked)
    page.reload()
    page.wait_for_selector("svg.chart .line", state="attached")
    page.get_by_text("How this was worked out").click()
    assert page.locator(".all-moves tbody tr").count() == len(found["turns"])


def test_a_judged_move_is_drawn_on_the_position_before_it(
    new_page: NewPage, site: Site, shot: Callable[[Any, str], Path]
) -> None:
    keep_random_games(site.store, {"pursuit": SMALL["pursuit"]}, seed=0, prefix="judged_")
    page = new_page("/replay/judged_pursuit?ply=0&seat=truth")
    page.get_by_role("button", name="Analyse this game").click()
    page.wait_for_selector(".judged li", state="attached")
    marked = [move for move in site.api("/api/games/judged_pursuit/analysis")["moves"] if move["mark"]]
    wrong = next(move for move in marked if move["arrows"]["best"])
    page.locator(".judged button").nth(marked.index(wrong)).click()
    at(page, wrong["ply"], "truth")
    page.wait_for_selector(".layer-arrows .worse", state="attached")
    page.wait_for_selector(".layer-arrows .better", state="attached")
    page.wait_for_function("words => document.getElementById('told').textContent.includes(words)", arg=wrong["words"])
    shot(page, "judged")


def test_what_knowledge_was_worth_is_asked_for_and_leads_to_the_moment(
    new_page: NewPage, site: Site, pasts: dict[str, Hindsight], shot: Callable[[Any, str], Path]
) -> None:
    page = new_page("/replay/scotland_yard?ply=0&seat=truth")
    page.get_by_role("button", name="What was each piece of knowledge worth?").click()
    rows = page.locator(".worth li button")
    rows.first.wait_for(timeout=SLOW)
    found = site.api("/api/games/scotland_yard/worth")["rows"]
    assert rows.count() == len(found)
    rows.nth(len(found) - 1).click()
    at(page, found[-1]["ply"], "truth")
    shot(page, "worth")
    page.reload()
    page.wait_for_selector(".worth li button", state="attached")
    assert rows.first.inner_text().startswith(found[0]["words"])
    page.goto(f"{site.url}/replay/pursuit")
    page.wait_for_selector(".turns button", state="attached")
    assert page.locator(".worth button").count() == 0


def test_what_if_begins_a_game_with_the_other_move(new_page: NewPage, site: Site, pasts: dict[str, Hindsight]) -> None:
    past = pasts["pursuit"]
    ply = next(p for p in range(past.last) if len(past.options(p)) > 1)
    seat = past.acting(ply)
    assert seat is not None
    played, other, words = past.record.actions[ply], None, ""
    for action in past.options(ply):
        text = past.game.format_action(past.config, action)
        if text != played and past.game.outcome(past.game.apply_action(past.states[ply], action)) is None:
            other, words = text, past.game.phrase_choice(past.states[ply], [action])
    page = new_page(f"/replay/pursuit?ply={ply}&seat=truth")
    page.locator(f"#panel-what-if [data-action='{other}']").click()
    page.locator("#panel-what-if select").select_option("random")
    page.get_by_role("button", name=f"Play on: {words}").click()
    page.wait_for_url(re.compile(rf"/play/\w+#{seat.value}="))
    uid = re.search(r"/play/(\w+)", page.url).group(1)  # type: ignore[union-attr]
    facts = site.api(f"/api/games/{uid}")
    assert (facts["game"], facts[seat.value], facts["state"]) == ("pursuit", "person", "running")


def test_notes_and_downloads(new_page: NewPage, site: Site, pasts: dict[str, Hindsight]) -> None:
    page = new_page("/replay/fugitive", accept_downloads=True)
    area = page.get_by_label("Notes on this game")
    page.wait_for_selector("#panel-notes textarea:enabled")
    area.fill("Why not 5?")
    page.get_by_text("Saved", exact=True).wait_for()
    assert site.api("/api/games/fugitive/notes") == {"text": "Why not 5?", "mine": True}
    for name, end in (("Record", ".txt"), ("Page", ".html")):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=name, exact=True).click()
        assert waiting.value.suggested_filename == f"manhunt-fugitive{end}"
        text = Path(waiting.value.path()).read_text(encoding="utf-8")
        assert end == ".html" or parse_record(text) == pasts["fugitive"].record
    page.get_by_role("button", name="GIF", exact=True).click()
    page.get_by_role("link", name="Save the GIF").wait_for()


def test_on_a_phone_everything_is_within_reach(
    new_page: NewPage, pasts: dict[str, Hindsight], shot: Callable[[Any, str], Path]
) -> None:
    page = new_page("/replay/scotland_yard?ply=2&seat=pursuers", size=PHONE, has_touch=True)
    page.wait_for_selector(".layer-pieces [data-key='pursuer-0']", state="attached")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("Forward one turn (right arrow, N)").tap()
    at(page, 3, "pursuers")
    for tab in ("What if", "Notes", "Download", "Turns"):
        page.get_by_role("tab", name=tab, exact=True).tap()
        assert page.locator(".panel.chosen h2").inner_text() == tab
    shot(page, "phone")


def test_a_running_game_is_not_looked_back_on(site: Site, chromium: Any) -> None:
    uid = site.begin("pursuit", evader="person", pursuers="person")["uid"]
    page = chromium.new_page()
    page.goto(f"{site.url}/replay/{uid}")
    page.get_by_role("heading", name="is not over").wait_for()
    page.get_by_role("link", name="Watch it").wait_for()
    page.close()


@pytest.mark.parametrize(("name", "dark"), [("scotland_yard", False), ("fugitive", True)])
def test_axe_finds_nothing_serious(new_page: NewPage, pasts: dict[str, Hindsight], name: str, dark: bool) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="NOT CHECKED: no axe-playwright-python")
    page = new_page(f"/replay/{name}?ply=2&seat=pursuers", dark=dark)
    page.wait_for_selector("#stage [data-part]")
    page.wait_for_load_state("networkidle")
    found = axe.Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")] == []


def test_the_page_shows_the_promise_before_and_the_proof_after_a_game(
    site: Site, new_page: NewPage, shot: Callable[[Any, str], Path]
) -> None:
    game = site.begin("pursuit", evader="person", pursuers="random")
    uid, promised = game["uid"], site.api(f"/api/games/{game['uid']}")["commitment"]
    page = open_seat(site.url, new_page, game["links"]["evader"], size=PHONE)
    page.get_by_role("tab", name="Table", exact=True).click()
    page.get_by_text(promised).scroll_into_view_if_needed()
    shot(page, "promise")
    with site.sit(uid, game["tokens"]["evader"]) as seat:
        seat.say({"t": "resign"})
        seat.hear_until("observe")
    page = new_page(f"/replay/{uid}", size=PHONE)
    page.get_by_role("tab", name="Deal", exact=True).click()
    proof = page.get_by_text(f"Deal verified: the setup matches the commitment {promised}")
    proof.scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "64 digits do not widen the page"
    shot(page, "proof")
    page = new_page(f"/replay/{uid}")
    page.get_by_text(promised).scroll_into_view_if_needed()
    shot(page, "proof-wide")
