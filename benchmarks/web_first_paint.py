"""How soon a page is there, and how heavy it is: home and the London board in Chromium, with an empty cache.

    python benchmarks/web_first_paint.py --pages 5

First paint is the browser's own measure; `board` is when all stations stand on the page and moves are offered. Weight
is what came over the wire, headers included. `--slow 4` gives the pages a processor four times slower. Needs
playwright and Chromium.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

import measure  # noqa: F401  (finds the helpers of the tests)

from sites import Site, running_site

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
TIMES = """() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  now: performance.now(),
  bytes: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .reduce((sum, entry) => sum + entry.transferSize, 0),
})"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--pages", type=int, default=5, metavar="N", help="how often each page is opened (default 5)")
    parser.add_argument("--slow", type=float, default=1, metavar="N", help="a processor N times slower (default 1)")
    options = parser.parse_args()
    n_pages = options.pages
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    folder = tempfile.TemporaryDirectory()
    with folder, running_site(Path(folder.name) / "games.db") as site, sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for name, path, ready in pages(site):
            rows = [measured(browser, site.url + path, ready, options.slow) for _ in range(n_pages)]
            told = ", ".join(
                f"{key} {statistics.median(row[key] for row in rows):.0f} ms" for key in ("paint", "board")
            )
            print(f"{name}: {told} (medians of {n_pages}), {rows[0]['bytes'] / 1000:.0f} kB")
        browser.close()


def pages(site: Site) -> list[tuple[str, str, str]]:
    """Name, path, and what is there when the page is ready."""
    london = site.begin("scotland_yard", evader="person", pursuers="random")["links"]["evader"]
    pursuit = site.begin("pursuit", evader="person", pursuers="random")["links"]["evader"]
    return [("home", "/", ".game"), ("London", london, "[data-offer]"), ("Pursuit", pursuit, "[data-offer]")]


def measured(browser: Any, url: str, ready: str, slow: float) -> dict[str, float]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slow})
    page.goto(url)
    page.wait_for_selector(ready, state="attached")
    times: dict[str, float] = page.evaluate(TIMES)
    context.close()
    return {"paint": times["paint"], "board": times["now"], "bytes": times["bytes"]}


if __name__ == "__main__":
    main()
