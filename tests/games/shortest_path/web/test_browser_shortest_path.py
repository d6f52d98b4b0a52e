"""Adversarial Shortest Path in the browser: steps by nodes, raises by lines, bounds, large graphs, phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boards_by_hand import FINGERS_HAVE_ROOM
from sites import Site

PHONE = (390, 844)
LARGE = "contest:300:800:separation=12:cut=3:seed=1"
LONG = 300_000
"""Milliseconds: what is certified may have to be compiled first."""


def open_seat(site: Site, new_page: Callable[..., Any], link: str, **options: Any) -> Any:
    """A seat's page without introduction and pauses."""
    stored = {"manhunt-seen-shortest_path": "true", "manhunt-pace": "0"}
    local = [{"name": name, "value": value} for name, value in stored.items()]
    state = {"cookies": [], "origins": [{"origin": site.url, "localStorage": local}]}
    return new_page(link, storage_state=state, **options)


def click_node(page: Any, label: str) -> None:
    """On the board itself."""
    box = page.locator(f'.board .node[data-node="{label}"] circle').first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def click_line(page: Any, edge: str) -> None:
    """In the middle of an edge's line."""
    place = page.evaluate(
        """edge => {
          const path = document.querySelector(`.lines [data-edge="${edge}"]`);
          const middle = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
          return [middle.x, middle.y];
        }""",
        edge,
    )
    page.mouse.click(*place)


def ways(page: Any) -> list[list[str]]:
    """The cheapest way as pairs of nodes."""
    found: list[str] = page.eval_on_selector_all(".sp-way path", "all => all.map(p => p.dataset.way)")
    return [way.split(" ") for way in found]


NEXT_TURN = """seen => {
    const { v, state } = document.querySelector("#stage").dataset;
    return Number(v) > Number(seen) && state !== "waiting";
}"""


def wait_for_turn(page: Any) -> bool:
    """Until something is offered; False when the game is over."""
    page.wait_for_selector('#turn.over, [data-part=moves] button[data-action="-"]')
    return page.locator("#turn.over").count() == 0


def test_the_traveller_crosses_by_clicks_on_nodes(site: Site, new_page: Callable[..., Any], shot: Any) -> None:
    begun = site.begin("shortest_path", evader="person", pursuers="greedy", seed=1)
    page = open_seat(site, new_page, begun["links"]["evader"])
    n_moves = 0
    while wait_for_turn(page):
        page.wait_for_selector(".sp-way path", state="attached")
        (_, to), *_ = ways(page)
        assert page.locator(f'[data-offer="{to}"]').count() == 1
        seen = page.get_attribute("#stage", "data-v")
        click_node(page, to)
        n_moves += 1
        page.wait_for_function(NEXT_TURN, arg=seen)
        if n_moves == 3:
            page.wait_for_selector(".sp-lines .raised[data-level]", state="attached")
            assert page.locator(".sp-costs text").count() == page.locator(".sp-lines .raised").count()
            shot(page, "way")
    assert 5 <= n_moves < 40
    assert "traveller arrives and pays" in page.inner_text(".ending")
    page.wait_for_selector(f'.sp-chart text:has-text("{2 * n_moves - 1} plies")')
    assert page.locator(".sp-lines .route").count() > 3
    page.click("[data-bounds=start]")
    page.wait_for_selector('.sp-bounds:has-text("best play costs")', timeout=LONG)
    assert page.locator(".sp-chart .band").count() == 1
    shot(page, "arrived")


def test_the_adversary_raises_by_line_by_ends_by_list_and_by_name(
    site: Site, new_page: Callable[..., Any], shot: Any
) -> None:
    begun = site.begin("shortest_path", evader="committed", pursuers="person", seed=2)
    page = open_seat(site, new_page, begun["links"]["pursuers"], dark=True)
    raised: list[str] = []

    def now_raised(n: int) -> None:
        page.wait_for_function("n => document.querySelectorAll('.sp-lines .raised').length === n", arg=n)

    assert wait_for_turn(page)
    page.wait_for_selector(".sp-way path", state="attached")
    a, b = ways(page)[-1]
    edge = page.get_attribute(f'.lines [data-edge="{a} {b}"], .lines [data-edge="{b} {a}"]', "data-edge")
    click_line(page, edge)
    page.wait_for_selector('.ask:has-text("Raise it")')
    page.keyboard.press("Escape")
    page.wait_for_selector(".ask", state="detached")
    click_line(page, edge)
    shot(page, "asked")
    page.click(".ask button")
    now_raised(1)
    raised.append(edge)

    assert wait_for_turn(page)
    a, b = ways(page)[1]
    click_node(page, a)
    page.wait_for_selector(f'[data-part=moves] .lead:has-text("Edge from {a}")')
    click_node(page, b)
    now_raised(2)

    assert wait_for_turn(page)
    page.locator('.sp-raises button[aria-label*="from 1 to"]').first.click()
    now_raised(3)

    assert wait_for_turn(page)
    a, b = page.locator('.sp-raises button[aria-label*="from 1 to"]').last.get_attribute("data-action").split("-")
    page.fill('[aria-label="Edge from node"]', b)
    page.fill('[aria-label="Edge to node"]', a)
    page.click(".sp-ends button")
    now_raised(4)
    while wait_for_turn(page):
        page.locator("[data-part=moves] button[data-action='-']").click()
        page.wait_for_selector("[data-part=moves] button[data-action='-']", state="detached")
    assert "traveller arrives" in page.inner_text(".ending")


def test_what_is_typed_stays_when_an_answer_comes(site: Site, new_page: Callable[..., Any]) -> None:
    begun = site.begin("shortest_path", evader="committed", pursuers="person", seed=2)
    page = open_seat(site, new_page, begun["links"]["pursuers"])
    assert wait_for_turn(page)
    held: list[Any] = []
    is_late = True
    page.route("**/insights/route*", lambda route: held.append(route) if is_late else route.continue_())
    page.click("[data-part=moves] button[data-action='-']")
    page.wait_for_function("() => document.title.includes('round 2: the adversary')")
    assert wait_for_turn(page)
    page.fill('[aria-label="Edge from node"]', "17")
    is_late = False
    for route in held:
        route.continue_()
    page.wait_for_selector('.sp-chart text:has-text("3 plies")')
    assert page.input_value('[aria-label="Edge from node"]') == "17"
    assert page.evaluate("document.activeElement.ariaLabel") == "Edge from node"


def test_bounds_and_hints_can_be_cancelled_and_asked(site: Site, new_page: Callable[..., Any], shot: Any) -> None:
    begun = site.begin("shortest_path", evader="person", pursuers="random", board=LARGE)
    page = open_seat(site, new_page, begun["links"]["evader"])
    assert wait_for_turn(page)
    page.select_option("[data-part=bounds] select", "20")
    page.click("[data-bounds=now]")
    page.click(".busy >> text=Cancel")
    page.wait_for_selector('.sp-bounds:has-text("Cancelled")')
    page.select_option("[data-part=bounds] select", "1")
    page.click("[data-bounds=now]")
    page.wait_for_selector('.sp-bounds:has-text("Best play from here costs")', timeout=LONG)
    page.click("button.hint")
    page.wait_for_selector('.told:has-text("you will pay at most")', timeout=LONG)
    page.wait_for_selector(".layer-arrows g", state="attached")
    shot(page, "hint")
    page.click("text=Play this move")
    page.wait_for_selector('.sp-facts:has-text("in 1 move")')


def test_a_large_graph_is_thinned_and_can_be_played_on_a_phone(
    site: Site, new_page: Callable[..., Any], shot: Any
) -> None:
    begun = site.begin("shortest_path", evader="person", pursuers="greedy", board=LARGE)
    page = open_seat(site, new_page, begun["links"]["evader"], size=PHONE, has_touch=True)
    assert wait_for_turn(page)
    page.wait_for_selector("svg.sp-crowded")
    assert page.locator(".lines [data-edge]").count() == 800
    assert 5 < page.locator(".sp-lines .plain").count() < 100
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.wait_for_function(FINGERS_HAVE_ROOM)
    shot(page, "board")
    (_, to), *_ = ways(page)
    click_node(page, to)
    page.wait_for_function("() => document.title.includes('round 1')")
    assert wait_for_turn(page)
    page.click("role=tab[name=Costs]")
    page.wait_for_selector(".sp-chart .paid", state="attached")
    shot(page, "costs")


def test_keyboard_alone(site: Site, new_page: Callable[..., Any]) -> None:
    begun = site.begin("shortest_path", evader="person", pursuers="person", seed=1)
    traveller = open_seat(site, new_page, begun["links"]["evader"])
    assert wait_for_turn(traveller)
    traveller.locator(".board > svg").focus()
    for key in ("ArrowRight", "Enter"):
        traveller.keyboard.press(key)
    traveller.wait_for_function("() => document.title.includes('round 1')")
    adversary = open_seat(site, new_page, begun["links"]["pursuers"])
    assert wait_for_turn(adversary)
    adversary.locator(".sp-raises button").first.focus()
    adversary.keyboard.press("Enter")
    adversary.wait_for_selector(".sp-lines .raised", state="attached")
