"""The page of puzzles in a browser: answer on the board or on the cards, see why, go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from manhunt.analysis.puzzles import puzzles_of

PHONE = (390, 844)


def test_a_wrong_answer_is_explained_and_the_puzzle_tried_again(new_page: Callable[..., Any]) -> None:
    from playwright.sync_api import expect

    puzzle = next(each for each in puzzles_of("scotland_yard") if each.kind == "where")
    page = new_page(f"/puzzles/{puzzle.id}")
    expect(page.locator("#title")).to_contain_text("Mr X was seen on")
    wrong = next(station for station in puzzle.values if station != puzzle.best)
    page.locator(f".moves button[data-action='{wrong}']").click()
    expect(page.locator(".ending")).to_have_attribute("data-solved", "false")
    expect(page.locator(".ending")).to_contain_text("The answer was:")
    page.keyboard.press("r")
    expect(page.locator("#stage")).to_have_attribute("data-state", "acting")
    page.locator(f".moves button[data-action='{puzzle.best}']").click()
    expect(page.locator(".ending")).to_have_attribute("data-solved", "true")
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator("#stage")).not_to_have_attribute("data-puzzle", puzzle.id)


def test_cards_are_answered_on_a_phone(new_page: Callable[..., Any]) -> None:
    from playwright.sync_api import expect

    puzzle = next(each for each in puzzles_of("fugitive") if each.kind == "guess")
    page = new_page(f"/puzzles/{puzzle.id}", size=PHONE, dark=True)
    page.locator(f".fg-number[data-number='{puzzle.best}']").click()
    page.locator("[data-act=ask]").click()
    expect(page.locator(".ending")).to_have_attribute("data-solved", "true")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
