"""Every page, light and dark, wide and on a phone, by the rules of axe-core: nothing serious."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sites import Site

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="NOT CHECKED: no axe-playwright-python")

SERIOUS = ("serious", "critical")
GAMES = ("scotland_yard", "pursuit", "fugitive", "shortest_path")
SEAT = {"scotland_yard": "pursuers", "pursuit": "pursuers", "fugitive": "pursuers", "shortest_path": "evader"}


def serious(page: Any) -> list[str]:
    """What axe-core calls serious or critical, with the elements."""
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {node['html'][:160]} ({node['failureSummary'].splitlines()[-1].strip()})"
        for violation in found
        if violation["impact"] in SERIOUS
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/learn", "/learn/pursuit/1", "/puzzles", "/notebook", "/arena", "/standings"])
def test_pages_have_no_serious_findings(new_page: Callable[..., Any], path: str, dark: bool) -> None:
    page = new_page(path, dark=dark)
    page.wait_for_load_state("networkidle")
    assert serious(page) == []


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_a_table_has_no_serious_findings(new_page: Callable[..., Any], phone: bool) -> None:
    page = new_page("/", size=(390, 844) if phone else (1280, 800), dark=phone)
    page.click("[data-game=scotland_yard] .friends")
    assert serious(page) == []
    page.fill("dialog.naming input", "Anna")
    page.keyboard.press("Enter")
    page.locator(".place").first.get_by_role("button").click()
    page.locator(".place.mine").wait_for()
    assert serious(page) == []
    page.get_by_role("button", name="QR code").click()
    page.wait_for_function("() => document.querySelector('.qr img')?.naturalWidth > 0")
    assert serious(page) == []


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_games_have_no_serious_findings(new_page: Callable[..., Any], site: Site, game: str, phone: bool) -> None:
    mine = SEAT[game]
    seats = {"evader": "random", "pursuers": "random"} | {mine: "person"}
    begun = site.begin(game, **seats)
    page = new_page(begun["links"][mine], size=(390, 844) if phone else (1280, 800), dark=phone)
    page.get_by_text("Your turn").first.wait_for()
    if page.get_by_role("dialog").count():
        assert serious(page) == []
        page.keyboard.press("Escape")
    assert serious(page) == []
