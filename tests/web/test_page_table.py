"""A table in the browser: the invitation, places, levels and options by the host, chat, start, finding it again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browser_pages import PHONE
from sites import Site, running_site

FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site") / "games.db", "--lobby") as running:
        yield running


def give_name(page: Any, name: str) -> None:
    page.fill("dialog.naming input", name)
    page.keyboard.press("Enter")


def open_table(new_page: Any, name: str, game: str = "scotland_yard") -> tuple[Any, str]:
    """The host's page and the invitation."""
    page = new_page("/")
    page.click(f"[data-game={game}] .friends")
    give_name(page, name)
    page.wait_for_url("**/table/**")
    return page, page.get_by_label("Invitation link").input_value()


def place(page: Any, name: str) -> Any:
    return page.locator(f'[data-place="{name}"]')


def test_people_meet_at_a_table_and_the_game_begins_for_all(site: Site, new_page: Any, shot: Any) -> None:
    host, link = open_table(new_page, "Anna")
    assert host.get_by_role("button", name="Start the game").is_disabled()
    guest = new_page(link, size=PHONE)
    place(guest, "evader").get_by_role("button").click()
    give_name(guest, "Ben")
    place(host, "evader").get_by_text("Ben").wait_for()
    assert guest.evaluate(FITS)
    place(host, "pursuers/0").get_by_role("button").click()
    place(guest, "pursuers/0").get_by_text("Anna").wait_for()
    guest.get_by_text("Anna starts the game.").wait_for()
    host.select_option('[data-focus="agents pursuers"]', label="Hard")
    guest.get_by_text("an agent: Hard.").wait_for()
    host.select_option("select[name=clock]", label="3 minutes a turn")
    guest.get_by_text("Clock: 3 minutes a turn").wait_for()
    guest.get_by_text("Help while playing: none").wait_for()
    shot(host, "host")
    shot(guest, "guest")
    host.get_by_role("button", name="Start the game").click()
    for page in (host, guest):
        page.wait_for_url("**/play/*?table=*")
    assert host.url == guest.url
    guest.goto(link)
    guest.wait_for_url("**/play/*?table=*")
    guest.goto("/")
    guest.locator("#mine li", has_text="With Anna").get_by_role("link").click()
    guest.wait_for_url(host.url)


def test_chat_and_reactions_reach_everybody_and_stay(site: Site, new_page: Any) -> None:
    host, link = open_table(new_page, "Anna")
    guest = new_page(link)
    assert guest.locator(".chat-form").is_hidden(), "only people at the table speak"
    guest.get_by_role("button", name="Join the table").click()
    give_name(guest, "Ben")
    guest.get_by_label("Message").fill("Good <b>evening</b>")
    guest.keyboard.press("Enter")
    host.locator(".chat-log p", has_text="Ben Good <b>evening</b>").wait_for()
    assert guest.get_by_label("Message").input_value() == ""
    guest.get_by_label("Hello").click()
    host.locator(".chat-sign", has_text="Ben 👋").wait_for()
    host.get_by_label("Message").fill("Hello Ben")
    host.keyboard.press("Enter")
    guest.locator(".chat-log p", has_text="Anna Hello Ben").wait_for()
    assert host.locator(".chat-sign").count() == 1
    guest.reload()
    guest.locator(".chat-log .mine", has_text="You Good <b>evening</b>").wait_for()


def test_a_person_changes_places_and_name_and_the_host_frees_empty_chairs(site: Site, new_page: Any) -> None:
    host, link = open_table(new_page, "Anna")
    guest = new_page(link)
    guest.locator(".seat.pursuers").get_by_role("button", name="Take all").click()
    give_name(guest, "Ben")
    place(host, "pursuers/4").get_by_text("Ben").wait_for()
    place(guest, "pursuers/4").get_by_role("button", name="Leave").click()
    place(host, "pursuers/4").get_by_role("button", name="Take").click()
    place(guest, "pursuers/4").get_by_text("Anna").wait_for()
    guest.get_by_role("button", name="Change name").click()
    give_name(guest, "Benedict")
    place(host, "pursuers/0").get_by_text("Benedict").wait_for()
    guest.close()
    place(host, "pursuers/0").get_by_role("button", name="Free the place").click()
    place(host, "pursuers/0").get_by_text("Free").wait_for()


def test_in_a_game_the_host_frees_the_place_of_one_who_left_and_another_takes_it_over(
    site: Site, new_page: Any, shot: Any
) -> None:
    host, link = open_table(new_page, "Anna")
    ben = new_page(link)
    place(ben, "pursuers/0").get_by_role("button").click()
    give_name(ben, "Ben")
    place(host, "evader").get_by_role("button").click()
    host.select_option("select[name=on_leave]", label="can be taken over by anyone after a minute")
    place(host, "pursuers/0").get_by_text("Ben").wait_for()
    host.get_by_role("button", name="Start the game").click()
    host.wait_for_url("**/play/*?table=*")
    ben.wait_for_url("**/play/*?table=*")
    cleo = new_page(link)
    cleo.get_by_role("button", name="Join the table").click()
    give_name(cleo, "Cleo")
    cleo.get_by_text("can be taken over by anyone after a minute").wait_for()
    place(cleo, "pursuers/0").get_by_text("Ben").wait_for()
    assert place(cleo, "pursuers/0").get_by_role("button").count() == 0
    host.locator("dialog.intro button.primary").click()
    assert host.get_by_role("button", name="Take over: red").count() == 0, "Mr X plays the other side"
    ben.close()
    host.get_by_role("button", name="Free the place: red").click()
    place(cleo, "pursuers/0").get_by_role("button", name="Take over").click()
    cleo.wait_for_url(host.url)
    cleo.wait_for_function("() => document.querySelector('#who').textContent.includes('You play the detectives')")
    shot(host, "freed")


def test_a_refused_take_back_is_reported_and_who_hands_a_place_over_only_watches(site: Site, new_page: Any) -> None:
    host, link = open_table(new_page, "Anna", "pursuit")
    place(host, "evader").get_by_role("button").click()
    ben = new_page(link)
    place(ben, "pursuers/1").get_by_role("button").click()
    give_name(ben, "Ben")
    cleo = new_page(link)
    place(cleo, "pursuers/0").get_by_role("button").click()
    give_name(cleo, "Cleo")
    place(host, "pursuers/0").get_by_text("Cleo").wait_for()
    host.get_by_role("button", name="Start the game").click()
    for page in (host, ben, cleo):
        page.wait_for_url("**/play/*?table=*")
        page.locator("dialog.intro button.primary").click()
    host.locator(".moves [data-action]").first.click()
    ben.get_by_text("Waiting for Cleo to move").wait_for()
    host.get_by_role("button", name="Take back").click()
    ben.locator(".asking .refuse").click()
    host.locator(".toast", has_text="the other side did not agree").wait_for()
    assert host.get_by_role("button", name="Take back").is_enabled()
    ben.get_by_role("button", name="Hand over: green").click()
    ben.get_by_role("dialog").get_by_role("button", name="Cleo").click()
    ben.get_by_text("You are watching").wait_for()
    ben.get_by_role("button", name="Pause").wait_for()
    assert ben.get_by_role("button", name="Resign").count() == 0


def test_a_link_that_works_only_here_is_marked_and_has_a_qr_code(site: Site, new_page: Any, shot: Any) -> None:
    host, link = open_table(new_page, "Anna", "pursuit")
    assert link.startswith(site.url)
    assert "works only on this computer" in host.inner_text(".warning")
    assert "manhunt web --lan" in host.inner_text(".warning")
    host.get_by_role("button", name="QR code").click()
    host.wait_for_function("() => document.querySelector('.qr img')?.naturalWidth > 0")
    shot(host, "qr")


def test_public_tables_are_listed_until_they_start(site: Site, new_page: Any) -> None:
    host, link = open_table(new_page, "Dora", "fugitive")
    other = new_page("/")
    host.check("[name=public]")
    row = other.locator(".lists li", has_text="Dora’s table")
    row.get_by_role("link", name="Join Fugitive").click()
    other.wait_for_url(link)


def test_a_game_for_one_begins_at_once_and_its_table_is_found(site: Site, new_page: Any) -> None:
    page = new_page("/")
    page.click("[data-game=fugitive] [data-seat=pursuers]")
    page.wait_for_url("**/play/*?table=*")
    table = page.url.split("table=")[1]
    page.goto(f"/table/{table}#stay")
    page.get_by_role("link", name="Back to the game").wait_for()
    assert page.inner_text('[data-place="pursuers"]').endswith("You")


def test_the_seats_of_the_fuller_form_are_the_places_of_the_table(site: Site, new_page: Any) -> None:
    page = new_page("/")
    page.locator("[data-game=pursuit]").get_by_role("button", name="More options").click()
    page.select_option("select[name=evader]", "you")
    page.select_option("select[name=pursuers]", "link")
    page.get_by_role("button", name="Start").click()
    give_name(page, "Anna")
    page.wait_for_url("**/table/**")
    place(page, "evader").get_by_text("You").wait_for()
