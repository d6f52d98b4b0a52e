"""The notebook without a connection: the service worker has its page and what was worked out, and nothing of games."""

from __future__ import annotations

from typing import Any

from sites import Site

KEPT = "n => caches.open('manhunt-notebook-answers').then(found => found.keys()).then(keys => keys.length >= n)"
ALL_KEPT = """() => caches.keys()
    .then(names => Promise.all(names.map(name => caches.open(name).then(found => found.keys()))))
    .then(lists => lists.flat().map(request => new URL(request.url).pathname))"""


def write(page: Any, line: str) -> None:
    page.fill("#line", line)
    page.press("#line", "Enter")


def test_the_notebook_works_while_the_server_is_away(own_site: Site, chromium: Any) -> None:
    context = chromium.new_context(base_url=own_site.url)
    page = context.new_page()
    page.goto("/notebook/scotland_yard")
    page.wait_for_selector("#stage .nodes [data-node]")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.wait_for_function(KEPT, arg=1)
    write(page, "taxi")
    page.get_by_text("Mr X pays taxi in round 1").wait_for()
    page.wait_for_function(KEPT, arg=2)
    page.goto("/")
    page.click("[data-game=pursuit] [data-seat=evader]")
    page.wait_for_url("**/play/**")
    page.wait_for_selector("svg.manhunt-board")
    own_site.kill()

    page.goto("/notebook")
    page.get_by_text("Mr X pays taxi in round 1").wait_for()
    write(page, "bus")
    page.get_by_text("No connection. Your lines are kept").wait_for()
    page.reload()
    page.wait_for_selector("#stage .nodes [data-node]")
    assert page.locator(".lines li b").all_inner_texts() == ["bus", "taxi"]
    page.goto("/")
    page.get_by_role("link", name="Open the notebook").wait_for()

    asked = [path for path in page.evaluate(ALL_KEPT) if path.startswith("/api/")]
    assert asked
    assert all(path.startswith(("/api/notebook", "/api/boards/")) for path in asked)
    assert not any(path.startswith(("/play", "/table")) for path in page.evaluate(ALL_KEPT))
    context.close()


def test_the_page_can_be_installed(site: Site, new_page: Any) -> None:
    page = new_page("/")
    address = page.get_attribute("link[rel=manifest]", "href")
    manifest = page.request.get(address).json()
    assert manifest["display"] == "standalone"
    sizes = {icon["sizes"] for icon in manifest["icons"] if icon["type"] == "image/png"}
    assert sizes == {"192x192", "512x512"}
    for icon in manifest["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.ok
        assert answer.headers["content-type"].startswith(icon["type"])
