"""Every page, light and dark, wide and on a phone, by the rules of axe-core: no findings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from boards_by_hand import SLOW
from manhunt.analysis.puzzles import puzzles_of
from random_games import SMALL, keep_random_games
from sites import Site

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="NOT CHECKED: no axe-playwright-python")

GAMES = ("scotland_yard", "pursuit", "fugitive", "shortest_path")
SEAT = {"scotland_yard": "pursuers", "pursuit": "pursuers", "fugitive": "pursuers", "shortest_path": "evader"}
WIDE, PHONE = (1280, 800), (390, 844)
OVER = ("scotland_yard", "fugitive", "pursuit")
PAGES = [(path, WIDE) for path in ("/", "/learn", "/learn/pursuit/1", "/arena", "/standings", "/offline")]
PAGES += [(path, PHONE) for path in ("/", "/puzzles", "/notebook")]


def findings(page: Any) -> list[str]:
    """What axe-core finds, with the elements."""
    return [
        f"{violation['id']}: {node['html'][:160]} ({node['failureSummary'].splitlines()[-1].strip()})"
        for violation in axe.Axe().run(page).response["violations"]
        for node in violation["nodes"]
    ]


def in_both_themes(page: Any) -> list[str]:
    found = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [f"{theme}: {finding}" for finding in findings(page)]
    return found


@pytest.fixture(scope="module")
def finished(site: Site) -> None:
    """Games that are over, by the name `over-` and the game's."""
    keep_random_games(site.store, {game: SMALL[game] for game in OVER}, seed=4, prefix="over-")


@pytest.mark.parametrize(("path", "size"), PAGES)
def test_pages_have_no_findings(new_page: Callable[..., Any], path: str, size: tuple[int, int]) -> None:
    page = new_page(path, size=size)
    page.wait_for_load_state("networkidle")
    assert in_both_themes(page) == []


@pytest.mark.parametrize("name", ["More options", "About the levels"])
def test_sheets_of_home_have_no_findings(new_page: Callable[..., Any], name: str) -> None:
    page = new_page("/", size=PHONE)
    page.locator("[data-game=scotland_yard]").get_by_role("button", name=name).click()
    page.locator("dialog[open]").wait_for()
    assert in_both_themes(page) == []


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_table_and_its_game_with_chat_have_no_findings(new_page: Callable[..., Any], size: tuple[int, int]) -> None:
    page = new_page("/", size=size)
    page.click("[data-game=pursuit] .friends")
    assert in_both_themes(page) == []
    page.fill("dialog.naming input", "Anna")
    page.keyboard.press("Enter")
    page.locator(".place").first.get_by_role("button").click()
    page.locator(".place.mine").wait_for()
    page.get_by_role("button", name="QR code").click()
    page.wait_for_function("() => document.querySelector('.qr img')?.naturalWidth > 0")
    assert findings(page) == []
    page.keyboard.press("Escape")
    guest = new_page(page.get_by_label("Invitation link").input_value())
    guest.get_by_role("button", name="Join the table").click()
    guest.fill("dialog.naming input", "Ben")
    guest.keyboard.press("Enter")
    guest.get_by_label("Message").fill("Good evening")
    guest.keyboard.press("Enter")
    page.locator(".chat-log p", has_text="Good evening").wait_for()
    assert in_both_themes(page) == []
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/play/*?table=*")
    page.get_by_text("Your turn").first.wait_for()
    page.locator("dialog.intro").wait_for()
    page.keyboard.press("Escape")
    if size == PHONE:
        page.get_by_role("tab", name="Chat").first.click()
    page.locator(".chat-log p", has_text="Good evening").wait_for()
    assert in_both_themes(page) == []


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_games_have_no_findings(new_page: Callable[..., Any], site: Site, game: str, size: tuple[int, int]) -> None:
    mine = SEAT[game]
    begun = site.begin(game, **{"evader": "random", "pursuers": "random", mine: "person"})
    page = new_page(begun["links"][mine], size=size, dark=size == PHONE)
    page.get_by_text("Your turn").first.wait_for()
    if page.get_by_role("dialog").count():
        assert findings(page) == []
        page.keyboard.press("Escape")
    assert findings(page) == []


@pytest.mark.parametrize("game", OVER)
@pytest.mark.usefixtures("finished")
def test_the_end_and_the_replay_have_no_findings(new_page: Callable[..., Any], game: str) -> None:
    page = new_page(f"/play/over-{game}", size=PHONE)
    page.locator(".ending").wait_for()
    assert in_both_themes(page) == []
    page.goto(f"/replay/over-{game}?ply=3&seat=pursuers")
    page.locator("#controls button").first.wait_for()
    page.wait_for_load_state("networkidle")
    assert in_both_themes(page) == []


@pytest.mark.usefixtures("finished")
def test_a_judged_game_has_no_findings(new_page: Callable[..., Any]) -> None:
    page = new_page("/replay/over-pursuit")
    page.get_by_role("button", name="Analyse this game").click()
    page.wait_for_selector(".both-sides", timeout=SLOW)
    assert in_both_themes(page) == []


def test_an_answered_puzzle_has_no_findings(new_page: Callable[..., Any]) -> None:
    puzzle = next(each for each in puzzles_of("scotland_yard") if each.kind == "where")
    page = new_page(f"/puzzles/{puzzle.id}")
    page.locator(f".moves button[data-action='{puzzle.best}']").click()
    page.locator(".ending").wait_for()
    assert in_both_themes(page) == []
