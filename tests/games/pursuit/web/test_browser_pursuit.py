"""Pursuit in the browser: whole games by clicks, solved values, joint moves, watching agents by keys, own boards."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from boards_by_hand import SLOW, events_seen, offered, open_seat, play_by_clicks, state_of, tap


def test_a_whole_game_by_clicks_against_an_agent(site: Any, new_page: Any, shot: Any) -> None:
    game = site.begin("pursuit", evader="person", pursuers="random", options={"max_rounds": 4}, seed=1)
    page = open_seat(site.url, new_page, game["links"]["evader"])
    assert play_by_clicks(page).startswith(("You won", "You lost"))
    shot(page, "over")


def test_solved_values_stand_on_every_move_and_glow_on_every_node(site: Any, new_page: Any, shot: Any) -> None:
    game = site.begin("pursuit", evader="random", pursuers="person", seed=2)
    page = open_seat(site.url, new_page, game["links"]["pursuers"])
    state_of(page)
    page.click("button.solve")
    page.wait_for_selector(".layer-badges [data-badge]", state="attached", timeout=SLOW)
    assert set(page.eval_on_selector_all("[data-badge]", "all => all.map(b => b.dataset.badge)")) == set(offered(page))
    words = page.eval_on_selector_all(".moves button", "all => all.map(b => b.textContent)")
    assert all("caught in" in text or "gets away" in text or "never" in text for text in words)
    taken = set(page.eval_on_selector_all("[data-piece^=pursuer]", "all => all.map(p => p.dataset.at)"))
    assert page.locator(".layer-glow circle").count() == 20 - len(taken)
    box = page.locator('.nodes [data-node="13"] circle').first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(".under-cursor")
    assert page.inner_text(".under-cursor").startswith(("Mr X on 13: ", "red to 13: "))
    shot(page, "solved")
    page.click("button.hint")
    page.wait_for_selector(".hinted", timeout=SLOW)
    assert "Solved:" in page.inner_text(".hinted")
    seen = events_seen(page)
    page.get_by_role("button", name="Play this move").click()
    state_of(page, seen)


def test_joint_moves_are_composed_piece_by_piece_with_a_way_back(site: Any, new_page: Any, shot: Any) -> None:
    options = {"n_detectives": 2, "max_rounds": 3, "placement": "dealt"}
    game = site.begin(
        "pursuit", evader="random", pursuers="person", preset="cops-and-robbers", board="petersen", options=options
    )
    page = open_seat(site.url, new_page, game["links"]["pursuers"])
    if state_of(page) == "over":
        return
    seen = events_seen(page)
    first = page.locator(".moves button").first
    assert first.inner_text().startswith("red ")
    first.click()
    page.wait_for_selector("button.back")
    assert page.locator(".moves button").first.inner_text().startswith("green ")
    page.click("button.back")
    assert page.locator(".moves button").first.inner_text().startswith("red ")
    page.locator(".moves button").last.click()
    page.wait_for_selector("button.back")
    shot(page, "second-piece")
    page.locator(".moves button").last.click()
    state_of(page, seen)
    assert page.locator(".toast").count() == 0


def test_watching_by_keys(site: Any, new_page: Any, shot: Any) -> None:
    """Next, to the end of the round, play on, leave: as in the terminal."""
    game = site.begin("pursuit", evader="person", pursuers="random", options={"max_rounds": 3}, seed=5)
    page = open_seat(site.url, new_page, game["links"]["spectator"])
    page.wait_for_selector("#stage[data-v]")
    page.keyboard.press("n")
    page.wait_for_selector("#tools button[aria-pressed=true]")
    seen, title = events_seen(page), page.inner_text("#title")
    with site.sit(game["uid"], game["tokens"]["evader"]) as seat:
        seat.play(Random(1))
    page.wait_for_selector("text=to come")
    assert (events_seen(page), page.inner_text("#title")) == (seen, title)
    page.keyboard.press("n")
    page.wait_for_selector(f'#stage[data-v="{seen + 1}"]')
    page.keyboard.press("r")
    page.wait_for_function("() => !document.querySelector('#title').textContent.includes('round 1 ')")
    assert page.get_attribute("#stage", "data-v") is not None
    page.keyboard.press("a")
    page.wait_for_selector("#stage[data-state=over]")
    page.wait_for_selector(".turn.over")
    shot(page, "watched")
    page.keyboard.press("q")
    page.wait_for_url(site.url + "/")


def test_a_ply_that_was_asked_for_is_shown_when_it_comes(site: Any, new_page: Any) -> None:
    game = site.begin("pursuit", evader="person", pursuers="random", options={"max_rounds": 3}, seed=5)
    page = open_seat(site.url, new_page, game["links"]["spectator"])
    page.wait_for_selector("#stage[data-v]")
    seen = events_seen(page)
    page.keyboard.press("n")
    page.wait_for_selector("#tools button[aria-pressed=true]")
    page.keyboard.press("n")
    with site.sit(game["uid"], game["tokens"]["evader"]) as seat:
        seat.play(Random(1))
    page.wait_for_selector(f'#stage[data-v="{seen + 1}"]')
    page.wait_for_selector("text=to come")
    assert events_seen(page) == seen + 1


def test_a_board_of_ones_own(site: Any, new_page: Any, tmp_path: Path, shot: Any) -> None:
    file = tmp_path / "kite.csv"
    file.write_text("a,b\nb,c\nc,d\nd,a\nd,e\ne,f\n", encoding="utf-8")
    page = new_page("/")
    page.locator("[data-game=pursuit]").get_by_role("button", name="More options").click()
    page.select_option("select[name=board]", "upload")
    page.set_input_files("dialog input[type=file]", str(file))
    page.get_by_text("Board kite: 6 nodes.").wait_for()
    page.fill("input[name=option-n_detectives]", "1")
    page.select_option("select[name=evader]", "you")
    page.select_option("select[name=pursuers]", "random")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/play/**")
    page.locator("dialog.intro button.primary").click()
    page.wait_for_selector("svg.manhunt-board")
    assert page.locator(".nodes [data-node]").count() == 6
    state_of(page)
    tap(page, offered(page)[0])
    shot(page, "kite")
