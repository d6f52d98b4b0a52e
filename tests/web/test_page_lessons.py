"""Lessons in a real browser: one on a board and one with cards, from the list to the end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boards_by_hand import SLOW, tap
from browser_pages import PHONE, WIDE


def wait_for(page: Any, step: int, state: str) -> None:
    """Until the position of a step (counted from 1) is shown, and judged like this."""
    page.wait_for_selector(f"#stage[data-step='{step - 1}'][data-state='{state}']", timeout=SLOW)


def go_on(page: Any) -> None:
    page.click("#lesson .next:not(:disabled)")


def open_lesson(page: Any, title: str) -> None:
    page.get_by_role("link", name=f"Start: {title}").click()
    wait_for(page, 1, "read")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_lesson_on_a_board_from_the_list_to_the_end(
    site: Any, new_page: Any, shot: Any, size: tuple[int, int]
) -> None:
    page = new_page("/", size=size)
    page.get_by_role("link", name="New here? Learn in 5 minutes").click()
    page.wait_for_url("**/learn")
    page.wait_for_selector(".course")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shot(page, "list")
    open_lesson(page, "Catch Mr X")
    go_on(page)
    wait_for(page, 2, "open")
    page.keyboard.press("h")
    page.get_by_text("One way to do it: red to 6.").wait_for()
    tap(page, "9")
    wait_for(page, 2, "wrong")
    page.get_by_text("From 9 it is 3 steps to Mr X; red was only 2 steps away.").wait_for()
    shot(page, "wrong")
    page.locator(".moves button[data-action='d0:11']").click()
    wait_for(page, 2, "done")
    assert page.evaluate("document.activeElement.classList.contains('next')")
    page.keyboard.press("Enter")
    wait_for(page, 3, "open")
    page.reload()
    wait_for(page, 3, "open")
    for moves in (["d1:6"], ["d0:7"], ["d0:6", "d1:7"], ["d0:2", "d1:3"]):
        for action in moves:
            page.locator(f".moves button[data-action='{action}']").click()
        page.wait_for_selector("#stage[data-state=done]", timeout=SLOW)
        shot(page, f"after-{moves[-1]}")
        page.keyboard.press("n")
        page.wait_for_selector("#stage:not([data-state=done])")
    wait_for(page, 7, "read")
    page.get_by_role("link", name="Next lesson: Get away").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto("/learn")
    page.get_by_text("1 of 3 lessons done").wait_for()


def test_a_lesson_with_cards_step_by_step(site: Any, new_page: Any, shot: Any) -> None:
    page = new_page("/learn/fugitive")
    assert page.locator(".course h2").first.inner_text() == "Fugitive"
    open_lesson(page, "Run from 0 to 42")
    go_on(page)
    wait_for(page, 2, "open")
    page.click("[data-card='5']")
    page.click("[data-card='8']")
    page.click("[data-act=place]")
    wait_for(page, 2, "wrong")
    page.get_by_text("5 is too far for a hideout without sprint cards: it needs cards worth 2.").wait_for()
    shot(page, "wrong")
    page.click("[data-card='3']")
    page.click("[data-act=place]")
    wait_for(page, 2, "done")
    go_on(page)
    wait_for(page, 3, "open")
    for card in ("8", "2"):
        page.click(f"[data-card='{card}']")
    page.click("[data-act=place]")
    wait_for(page, 3, "done")
    shot(page, "placed")
    go_on(page)
    wait_for(page, 4, "open")
    page.click("[data-pile=middle]")
    wait_for(page, 4, "done")
    go_on(page)
    wait_for(page, 5, "open")
    for card in ("12", "20"):
        page.click(f"[data-card='{card}']")
    page.click("[data-act=place]")
    wait_for(page, 5, "done")
    go_on(page)
    wait_for(page, 6, "open")
    for card in ("42", "2", "40"):
        page.click(f"[data-card='{card}']")
    page.click("[data-act=place]")
    wait_for(page, 6, "done")
    go_on(page)
    wait_for(page, 7, "read")
    page.get_by_role("link", name="Next lesson: Find the hideouts").wait_for()
    shot(page, "end")


def test_answers_of_another_day_and_wrong_addresses(site: Any, new_page: Any, opened: Any) -> None:
    odd = json.dumps({"pursuit/1": {"done": False, "answers": [[], ["d0:99"], []]}})
    local = [{"name": "manhunt-lessons", "value": odd}]
    kept = {"cookies": [], "origins": [{"origin": site.url, "localStorage": local}]}
    page = new_page("/learn/pursuit/1", storage_state=kept)
    wait_for(page, 1, "read")
    page.goto("/learn/pursuit/9")
    page.get_by_text("there is no lesson 9 of pursuit").wait_for()
    opened.errors.clear()  # the browser reports a refused request as an error
