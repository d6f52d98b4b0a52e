"""A running site for tests of the server and of its pages, and pages in real Chromium.

`site` is a server process on a free port, which all tests of a pytest process share: a test looks at its own games
and leaves nothing running. `new_page(...)` opens a page in it; when the test ends no page may have logged an error.
`shot(page, name)` keeps a picture below the folder MANHUNT_SHOTS; without one no picture is taken.
With MANHUNT_SLOW=6 every page has a processor six times slower and answers that come late, as on a busy machine: a test
that does not wait for what it looks at fails then.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from sites import Site, start_site

# The headless shell draws no window around the pages: half the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
WIDE, PHONE = (1280, 800), (390, 844)
PATIENCE = int(os.environ.get("MANHUNT_PATIENCE", "180000"))
SLOW = float(os.environ.get("MANHUNT_SLOW", "1"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: from the first one on Playwright's event loop runs in this process, beside which no
    test can start its own. The long ones come first among them, so that no process is left alone with one."""
    items.sort(
        key=lambda item: ("chromium" in getattr(item, "fixturenames", ()), item.get_closest_marker("long") is None)
    )


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server for all tests."""
    running = start_site(tmp_path_factory.mktemp("site") / "games.db")
    yield running
    running.kill()


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A server for one test, which may stop it."""
    running = start_site(tmp_path / "games.db")
    yield running
    running.kill()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser; without one these tests are skipped, and say so."""
    if CHROMIUM is None:
        pytest.skip("NOT TESTED IN A BROWSER: Chromium is not installed (apt-get install -y chromium-headless-shell)")
    playwright = pytest.importorskip("playwright.sync_api", reason="NOT TESTED IN A BROWSER: no playwright")
    playwright.expect.set_options(timeout=PATIENCE)
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Opened:
    """Browser contexts of one test, and the errors that their pages logged."""

    contexts: list[Any] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


NewPage = Callable[..., Any]


@pytest.fixture
def opened(chromium: Any) -> Iterator[Opened]:
    found = Opened()
    yield found
    for context in found.contexts:
        context.close()
    assert not found.errors, found.errors


@pytest.fixture
def new_page(chromium: Any, opened: Opened, site: Site) -> NewPage:
    """`new_page(path="/", size=WIDE, dark=False, base=None, **context options)`."""

    def make(
        path: str = "/", size: tuple[int, int] = WIDE, dark: bool = False, base: str | None = None, **options: Any
    ) -> Any:
        context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            base_url=base or site.url,
            reduced_motion="reduce",
            **options,
        )
        context.set_default_timeout(PATIENCE)
        opened.contexts.append(context)
        page = context.new_page()
        if SLOW > 1:
            slow_down(context.new_cdp_session(page))
        page.on("console", lambda message: opened.errors.extend([message.text] if message.type == "error" else []))
        page.on("pageerror", lambda error: opened.errors.append(str(error)))
        page.goto(path)
        return page

    return make


def slow_down(devtools: Any) -> None:
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
    unlimited = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    devtools.send("Network.emulateNetworkConditions", {"latency": 100 * SLOW, **unlimited})


@pytest.fixture
def shot(request: pytest.FixtureRequest) -> Callable[[Any, str], None]:
    """Keep a picture of a page, to be looked at by a person."""

    def take(page: Any, name: str) -> None:
        if folder := os.environ.get("MANHUNT_SHOTS"):
            file = f"{request.node.name}-{name}.png".replace("/", "_").replace("[", "-").replace("]", "")
            page.screenshot(path=str(Path(folder) / file))

    return take
