"""Hands for boards in a browser: a seat's page without introduction, clicks on nodes, waiting for the turn."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

READY = "#stage:is([data-state=acting], [data-state=over])"
SLOW = int(os.environ.get("MANHUNT_PATIENCE", "300000"))
"""Milliseconds for what a worker may have to compile first."""
FINGERS_HAVE_ROOM = """() => {
    const near = [...document.querySelectorAll("[data-offer]:not(.faint)")];
    const rings = near.map((ring) => ring.getBoundingClientRect());
    const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
    const view = document.querySelector(".board > svg").getAttribute("viewBox");
    const still = view === window.viewBefore;
    window.viewBefore = view;
    return near.length > 0 && still && rings.every((a, i) => rings.slice(i + 1).every((b) => {
        const [[ax, ay], [bx, by]] = [middle(a), middle(b)];
        return Math.hypot(ax - bx, ay - by) >= 40;
    }));
}"""
"""Whether the map has come to rest and all offers that are not pale are at least 40 pixels apart."""


def open_seat(
    url: str, new_page: Callable[..., Any], link: str, stored: dict[str, str] | None = None, **options: Any
) -> Any:
    games = ("scotland_yard", "pursuit")
    kept = {**{f"manhunt-seen-{game}": "true" for game in games}, "manhunt-pace": "0", **(stored or {})}
    local = [{"name": name, "value": value} for name, value in kept.items()]
    page = new_page(link, storage_state={"cookies": [], "origins": [{"origin": url, "localStorage": local}]}, **options)
    page.wait_for_selector("svg.manhunt-board")
    return page


def state_of(page: Any, after: int = -1) -> str:
    """Waits for the own turn or the end, later than the event `after`."""
    page.wait_for_function(
        "after => { const d = document.querySelector('#stage').dataset;"
        " return ['acting', 'over'].includes(d.state) && Number(d.v) > after }",
        arg=after,
        timeout=SLOW,
    )
    return str(page.get_attribute("#stage", "data-state"))


def events_seen(page: Any) -> int:
    return int(page.get_attribute("#stage", "data-v"))


def tap(page: Any, label: str) -> None:
    """Click the middle of a node."""
    box = page.locator(f'.nodes [data-node="{label}"] circle').first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def offered(page: Any) -> list[str]:
    page.wait_for_selector("[data-offer]", state="attached")
    return list(page.eval_on_selector_all("[data-offer]", "all => all.map(o => o.dataset.offer)"))


def take_menu(page: Any) -> None:
    """Choose the first entry of the small menu, if one has opened."""
    page.evaluate("new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))")
    if page.locator(".ask button").count():
        page.locator(".ask button").first.click()


def play_by_clicks(page: Any, most: int = 200) -> str:
    """Always the first ring, until the game is over; the words of the result."""
    seen = -1
    for _ in range(most):
        if state_of(page, seen) == "over":
            break
        seen = events_seen(page)
        tap(page, offered(page)[0])
        take_menu(page)
    page.wait_for_selector(".turn.over")
    assert page.locator(".toast").count() == 0
    return str(page.inner_text(".ending"))
