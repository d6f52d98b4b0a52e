"""Variations on the replay page, and two browsers that look together."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browser_pages import PHONE
from manhunt.play.hindsight import Hindsight
from random_games import SMALL, keep_random_games
from sites import Site

NewPage = Callable[..., Any]


@pytest.fixture(scope="module")
def pasts(site: Site) -> dict[str, Hindsight]:
    return keep_random_games(site.store, SMALL, seed=4, prefix="varied_")


def at(page: Any, ply: int, seat: str = "truth", more: str = "") -> None:
    page.wait_for_url(re.compile(rf"\?ply={ply}&seat={seat}{more}$"))


def test_a_move_on_the_page_begins_a_variation_with_a_name_and_a_comment(
    new_page: NewPage, site: Site, pasts: dict[str, Hindsight], shot: Callable[[Any, str], Path]
) -> None:
    past, uid = pasts["pursuit"], "varied_pursuit"
    ply = next(ply for ply in range(past.last) if len(past.options(ply)) > 2)
    played = past.record.actions[ply]
    page = new_page(f"/replay/{uid}?ply={ply}&seat=truth")
    page.wait_for_selector(".layer-pieces [data-key='quarry']", state="attached")
    page.keyboard.press("b")
    page.locator(f"#panel-moves [data-action]:not([data-action='{played}'])").first.click()
    at(page, ply + 1, more="&variation=1")
    page.locator(f"#stage[data-offered='1 {ply + 1}']").wait_for()
    page.locator("#panel-moves [data-action]").first.click()
    at(page, ply + 2, more="&variation=1")
    assert page.locator(".turns .variation button").count() == 2
    page.get_by_role("button", name="Name", exact=True).click()
    page.get_by_label("Name of the variation").fill("Another way")
    page.keyboard.press("Enter")
    page.locator(".turns .variation b", has_text="Another way").wait_for()
    page.get_by_label("Comment on this moment").fill("<b>Better?</b>")
    page.get_by_label("Comment on this moment").blur()
    page.locator(".turns .comment", has_text="<b>Better?</b>").wait_for()
    shot(page, "variation")
    page.get_by_role("button", name="Best moves here").click()
    page.locator(".engine li").first.wait_for()
    for key, there in (("ArrowLeft", ply + 1), ("Home", 0), ("End", ply + 2)):
        page.keyboard.press(key)
        at(page, there, more="&variation=1")
    other = new_page(page.url.removeprefix(site.url), size=PHONE)
    other.locator(".turns .comment", has_text="<b>Better?</b>").wait_for()
    assert other.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    other.get_by_role("tab", name="Variations", exact=True).click()
    other.get_by_role("button", name="Delete", exact=True).click()
    other.locator("dialog").get_by_role("button", name="Delete", exact=True).click()
    at(other, ply)
    other.locator(".turns .variation").wait_for(state="detached")
    assert site.api(f"/api/games/{uid}/tree")["variations"] == []


def test_two_browsers_follow_one_cursor(
    new_page: NewPage, pasts: dict[str, Hindsight], shot: Callable[[Any, str], Path]
) -> None:
    ann = new_page("/replay/varied_scotland_yard?ply=0&seat=truth")
    ann.get_by_role("button", name="Review together").click()
    ben = new_page("/replay/varied_scotland_yard?ply=0&seat=truth&together=1")
    ben.locator("#panel-together .here", has_text="1 other is here.").wait_for()
    ann.get_by_role("button", name="Lead", exact=True).click()
    ann.get_by_role("textbox", name="Your name").fill("Ann")
    ann.keyboard.press("Enter")
    ann.locator("#panel-together .leads", has_text="Ann").wait_for()
    ann.keyboard.press("ArrowRight")
    at(ben, 1, more="&together=1")
    ann.keyboard.press("f")
    at(ben, 1, "evader", "&together=1")
    ann.keyboard.press("ArrowRight")
    at(ben, 2, "evader", "&together=1")
    ben.keyboard.press("ArrowLeft")
    at(ben, 1, "evader", "&together=1")
    ben.locator(".follow[aria-pressed=false]").wait_for()
    ann.keyboard.press("Home")
    at(ann, 0, "evader", "&together=1")
    shot(ann, "leading")
    ben.get_by_role("button", name="Follow", exact=True).click()
    at(ben, 0, "evader", "&together=1")
