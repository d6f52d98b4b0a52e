"""Fugitive in the browser: whole games by clicks, chances and reasons, the manhunt, keyboard, phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from sites import Site

PHONE = (390, 844)
READY = '.fg-bar:is([data-state="acting"], [data-state="hunt"], [data-state="over"])'


def open_seat(site: Site, new_page: Callable[..., Any], link: str, **options: Any) -> Any:
    """A seat's page without introduction and pauses."""
    stored = {"manhunt-seen-fugitive": "true", "manhunt-pace": "0"}
    local = [{"name": name, "value": value} for name, value in stored.items()]
    state = {"cookies": [], "origins": [{"origin": site.url, "localStorage": local}]}
    return new_page(link, storage_state=state, **options)


def state_of(page: Any) -> str:
    """Waits until something is to be done here, or the game is over."""
    page.wait_for_selector(READY)
    return str(page.get_attribute(".fg-bar", "data-state"))


def draw_if_offered(page: Any, last: bool = False) -> bool:
    piles = page.locator(".fg-pile.offer")
    if not piles.count():
        return False
    (piles.last if last else piles.first).click()
    return True


def likeliest(page: Any) -> str:
    """The number of the notepad with the largest chance among those that can be named."""
    cells = page.eval_on_selector_all(
        ".fg-number.free", "cells => cells.map(c => [c.dataset.number, parseInt(c.lastChild.textContent) || 0])"
    )
    return str(max(cells, key=lambda cell: cell[1])[0])


def guess(page: Any, number: str) -> None:
    page.click(f'[data-number="{number}"]')
    assert page.get_attribute(f'[data-number="{number}"]', "aria-pressed") == "true"
    page.click("[data-act=ask]")


def place_something(page: Any) -> None:
    """The farthest hideout that can be paid, with as few cards as it takes; a pass if there is none."""
    cards = page.eval_on_selector_all("[data-card][data-use=offer]", "all => all.map(c => c.dataset.card)")
    if not cards:
        page.click("[data-act=pass]")
        return
    page.click(f'[data-card="{cards[-1]}"]')
    for card in reversed(cards):
        if page.is_enabled("[data-act=place]"):
            break
        if page.locator(f'[data-card="{card}"][data-use=offer]').count():
            page.click(f'[data-card="{card}"]')
    for other in page.eval_on_selector_all("[data-card][data-use=offer]", "all => all.map(c => c.dataset.card)"):
        if not page.is_enabled("[data-act=place]"):
            page.click(f'[data-card="{other}"]')
    page.click("[data-act=place]")


def test_the_marshal_plays_a_whole_game_by_clicks(site: Site, new_page: Callable[..., Any], shot: Any) -> None:
    begun = site.begin("fugitive", evader="hr-1", pursuers="person", preset="mini", seed=6)
    page = open_seat(site, new_page, begun["links"]["pursuers"])
    n_guesses = 0
    while state_of(page) != "over":
        if not draw_if_offered(page):
            if n_guesses == 1:
                shot(page, "guess")
            guess(page, likeliest(page))
            n_guesses += 1
        page.wait_for_selector('.fg-bar:not([data-state="busy"])')
    assert n_guesses > 0
    assert page.locator(".fg-guesses li").count() == n_guesses
    assert re.search(r"You (won|lost)", page.inner_text("#turn"))
    assert site.api(f"/api/games/{begun['uid']}")["state"] == "finished"
    assert "?" not in page.locator(".fg-row").inner_text()
    shot(page, "over")


def test_the_fugitive_plays_a_whole_game_by_clicks(site: Site, new_page: Callable[..., Any], shot: Any) -> None:
    begun = site.begin("fugitive", evader="person", pursuers="random", preset="mini", seed=2)
    page = open_seat(site, new_page, begun["links"]["evader"])
    n_placed = 0
    while state_of(page) != "over":
        if not draw_if_offered(page, last=True):
            before = page.locator(".fg-spot").count()
            place_something(page)
            page.wait_for_selector('.fg-bar:not([data-state="busy"])')
            n_placed += page.locator(".fg-spot").count() > before
        page.wait_for_selector('.fg-bar:not([data-state="busy"])')
    assert n_placed > 0
    shot(page, "over")


def test_a_placement_can_be_taken_back_until_it_is_sent(site: Site, new_page: Callable[..., Any], shot: Any) -> None:
    begun = site.begin("fugitive", evader="person", pursuers="person", seed=5)
    page = open_seat(site, new_page, begun["links"]["evader"], dark=True)
    state_of(page)
    offered = page.eval_on_selector_all("[data-card][data-use=offer]", "all => all.map(c => Number(c.dataset.card))")
    far = next(card for card in offered if card > 4)
    page.click(f'[data-card="{far}"]')
    assert page.is_disabled("[data-act=place]")
    assert f"It needs sprint cards worth {far - 3}; chosen: 0." in page.inner_text(".fg-says")
    sprint = next(card for card in offered if card not in (far, 3))
    page.click(f'[data-card="{sprint}"]')
    assert f"chosen: {2 - sprint % 2}." in page.inner_text(".fg-says")
    shot(page, "composing")
    page.click("[data-act=back]")
    assert page.inner_text(".fg-says") == "Choose the card of your next hideout."
    page.click('[data-card="3"]')
    page.click("[data-act=place]")
    page.wait_for_selector('.fg-spot:nth-child(2) .fg-card.down:has-text("3")')
    other = open_seat(site, new_page, begun["links"]["pursuers"])
    other.wait_for_selector('.fg-spot:nth-child(2) .fg-card.down:has-text("?")')
    assert "Position 1: unknown, face down" in other.inner_text(".fg-row")


def test_a_placement_that_was_begun_elsewhere_goes_on(site: Site, new_page: Callable[..., Any]) -> None:
    """A page that was closed between two steps of one turn."""
    begun = site.begin("fugitive", evader="person", pursuers="person", seed=5)
    with site.sit(begun["uid"], begun["tokens"]["evader"]) as seat:
        go = seat.hear_until("go")
        hide = next(offer for offer in go["offers"] if offer["kind"] == "hide" and offer["need"] == 4)
        assert seat.move(go["n"], hide["action"])["t"] == "observe"
    page = open_seat(site, new_page, begun["links"]["evader"])
    state_of(page)
    hideout = hide["picks"][0]
    assert page.inner_text(".fg-says") == f"You are placing {hideout}. Add sprint cards: it is not paid yet."
    assert page.is_disabled("[data-act=place]")
    while not page.is_enabled("[data-act=place]"):
        page.locator("[data-card][data-use=offer]").first.click()
        page.wait_for_selector('.fg-bar[data-state="acting"]')
    page.click("[data-act=place]")
    page.wait_for_selector(f'.fg-spot:nth-child(2) .fg-card.down:has-text("{hideout}")')


def test_the_manhunt_ends_with_a_miss(site: Site, new_page: Callable[..., Any], shot: Any) -> None:
    """Two people: he runs to the escape, she never finds anything."""
    begun = site.begin("fugitive", evader="person", pursuers="person", preset="mini", seed=8)
    fugitive = open_seat(site, new_page, begun["links"]["evader"])
    marshal = open_seat(site, new_page, begun["links"]["pursuers"])
    for _ in range(5_000):  # most rounds of this loop wait for the other page to hear of a move
        fugitive.wait_for_selector(f"{READY}, [data-state=waiting]")
        if marshal.get_attribute(".fg-bar", "data-state") == "hunt":
            break
        if fugitive.get_attribute(".fg-bar", "data-state") == "acting":
            if not draw_if_offered(fugitive, last=True):
                place_something(fugitive)
            fugitive.wait_for_selector('.fg-bar:not([data-state="busy"])')
        elif marshal.get_attribute(".fg-bar", "data-state") == "acting":
            if not draw_if_offered(marshal):
                guess(marshal, "11")
            marshal.wait_for_selector('.fg-bar:not([data-state="busy"])')
        else:
            marshal.wait_for_timeout(30)
    assert marshal.get_attribute(".fg-bar", "data-state") == "hunt"
    assert "A miss loses" in marshal.inner_text(".fg-says")
    shot(marshal, "hunt")
    hidden = set(fugitive.eval_on_selector_all("[data-mark=hideout]", "all => all.map(c => c.dataset.number)"))
    wrong = next(str(n) for n in range(1, 12) if str(n) not in hidden)
    guess(marshal, wrong)
    for page in (marshal, fugitive):
        page.wait_for_selector('.fg-bar[data-state="over"]')
        assert "The Fugitive has escaped." in page.inner_text(".ending")


def test_chances_reasons_and_graph(site: Site, new_page: Callable[..., Any], shot: Any) -> None:
    begun = site.begin("fugitive", evader="bir-1", pursuers="person", seed=3)
    page = open_seat(site, new_page, begun["links"]["pursuers"])
    for _ in range(2):
        state_of(page)
        draw_if_offered(page)
        page.wait_for_selector('.fg-bar:not([data-state="busy"])')
    page.wait_for_selector(".fg-chances td.may")
    page.wait_for_selector('.fg-number[data-mark="marshal"]')
    told = site.api(f"/api/games/{begun['uid']}/insights/notes", token=begun["tokens"]["pursuers"])
    page.wait_for_function(
        "n => document.querySelectorAll('.fg-chances td.may').length === n",
        arg=sum(len(line["candidates"]) for line in told["positions"]),
    )
    number, share = max(told["positions"][0]["chances"].items(), key=lambda entry: entry[1])
    cell = page.locator(f'td[data-position="1"][data-value="{number}"]')
    assert cell.inner_text() == str(round(100 * share))
    cell.click()
    page.wait_for_selector(f'.fg-why:has-text("position 1 can be {number}, with a chance of")')
    own = page.locator('[data-mark="marshal"]').first.get_attribute("data-number")
    page.locator(f'td[data-position="1"][data-value="{own}"]').focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector(f'.fg-why:has-text("{own} is in your hand")')
    shot(page, "table")
    page.click('[data-number="1"]')
    page.wait_for_selector('.fg-chance:has-text("Right with a chance of")')
    page.click(".fg-switch >> text=Graph")
    page.wait_for_selector(".fg-graph svg circle")
    assert page.locator(".fg-graph svg [data-position]").count() > 5
    shot(page, "graph")
    page.click(".fg-switch >> text=Off")
    assert page.locator(".fg-graph").count() == 0
    assert page.inner_text('[data-number="1"] small') == ""
    page.reload()
    page.wait_for_selector(".fg-known.off")


def test_a_hint_can_be_taken_over(site: Site, new_page: Callable[..., Any]) -> None:
    begun = site.begin("fugitive", evader="person", pursuers="random", preset="mini", seed=1)
    page = open_seat(site, new_page, begun["links"]["evader"])
    state_of(page)
    page.click("text=What would you do?")
    page.wait_for_selector(".fg-hint b")
    words = page.inner_text(".fg-hint b")
    assert re.match(r"Hide at \d+", words)
    page.click("text=Use it")
    assert page.inner_text("[data-use=hideout] b") == re.findall(r"\d+", words)[0]
    assert page.is_enabled("[data-act=place]")


def test_keyboard_alone(site: Site, new_page: Callable[..., Any]) -> None:
    begun = site.begin("fugitive", evader="hr-1", pursuers="person", seed=4)
    page = open_seat(site, new_page, begun["links"]["pursuers"])
    for _ in range(2):
        state_of(page)
        page.wait_for_selector(".fg-pile.offer")
        page.locator(".fg-pile.offer").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector('.fg-bar:not([data-state="busy"])')
    page.wait_for_selector(".fg-number.free")
    page.locator(".fg-number[tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowDown", "Space"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.number") == "16"
    assert page.get_attribute('[data-number="16"]', "aria-pressed") == "true"
    page.locator("[data-act=ask]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector('.fg-guesses li:has-text("16")')


@pytest.mark.parametrize("seat", ["pursuers", "evader"])
def test_phone(site: Site, new_page: Callable[..., Any], shot: Any, seat: str) -> None:
    other = {"pursuers": "evader", "evader": "pursuers"}[seat]
    begun = site.begin("fugitive", **{seat: "person", other: "hr-1" if other == "evader" else "hr-1c"}, seed=3)
    page = open_seat(site, new_page, begun["links"][seat], size=PHONE, has_touch=True)
    state_of(page)
    if seat == "evader":
        place_something(page)
    else:
        draw_if_offered(page)
    page.wait_for_selector('.fg-bar:not([data-state="busy"])')
    page.wait_for_selector(".fg-chances.tall td.may")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    small = page.eval_on_selector_all(
        ".fg-number, .fg-pile, .fg-acts button", "all => all.map(e => Math.min(e.clientHeight, e.clientWidth))"
    )
    assert min(small) >= 40
    shot(page, seat)
    page.set_viewport_size({"width": 844, "height": 390})
    table = page.locator(".fg")
    table.evaluate("table => table.scrollTo(0, table.scrollHeight)")
    end = page.locator(".fg > *").last.bounding_box()
    assert end["y"] + end["height"] <= 390, "on its side the phone shows the table to its end"
    shot(page, f"{seat}-landscape")
