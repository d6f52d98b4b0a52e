"""Takes the pictures of the documentation anew, so that they show what the pages look like today: `make pictures`.

    python packaging/make_pictures.py [NAME ...]

Starts a server of its own, plays in headless Chromium, and writes docs/pictures/*.png and hunt.gif. Games and agents
have fixed seeds and count steps instead of seconds, so that the same code makes nearly the same pictures.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from sites import Site, running_site  # noqa: E402  (the helpers of the tests)

PICTURES = ROOT / "docs" / "pictures"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
WIDE, PHONE = (1280, 800), (390, 844)
COLOURS = 256
CARDS_READY = '.fg-bar:is([data-state="acting"], [data-state="hunt"])'
N_GUESSES = 3
NewPage = Callable[..., Any]


def main() -> None:
    chosen = sys.argv[1:] or list(SHOTS)
    if strange := set(chosen) - set(SHOTS):
        sys.exit(f"unknown picture {sorted(strange)[0]!r}; known: {', '.join(SHOTS)}")
    PICTURES.mkdir(exist_ok=True)
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_site(Path(folder) / "games.db") as site,
        sync_playwright() as engine,
    ):
        browser = engine.chromium.launch(executable_path=found, args=["--no-sandbox"])

        def new_page(path: str, size: tuple[int, int] = WIDE, **options: Any) -> Any:
            view = {"width": size[0], "height": size[1]}
            context = browser.new_context(viewport=view, reduced_motion="reduce", base_url=site.url, **options)
            context.add_init_script("localStorage.setItem('manhunt-name', '\"Anna\"');" + SEEN)
            page = context.new_page()
            page.goto(path)
            return page

        for name in chosen:
            print(name, flush=True)
            SHOTS[name](site, new_page)
        browser.close()


SEEN = "".join(
    f"localStorage.setItem('manhunt-seen-{game}', 'true');"
    for game in ("pursuit", "scotland_yard", "fugitive", "shortest_path")
)


def medium(game: str, seat: Seat) -> str:
    """The agent of the level Medium."""
    return next(level.spec for level in kit_of(game).levels if level.seat is seat and level.title == "Medium")


def keep(page: Any, name: str, full: bool = False) -> None:
    """The page as a PNG of its most frequent colours, which a repository can carry."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur()")
    page.wait_for_function("document.fonts.status === 'loaded'")
    image = Image.open(io.BytesIO(page.screenshot(full_page=full))).convert("RGB")
    used = sorted(image.getcolors(image.width * image.height) or (), reverse=True)[:COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in used for part in colour])
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(PICTURES / f"{name}.png", optimize=True)


def move(page: Any, n: int = 1) -> None:
    """The first moves of the list."""
    for _ in range(n):
        page.wait_for_selector("#stage[data-state=acting]")
        v = page.get_attribute("#stage", "data-v")
        page.locator(".moves [data-action]").first.click()
        page.wait_for_function("v => document.querySelector('#stage').dataset.v !== v", arg=v)
    page.wait_for_selector("#stage[data-state=acting]")


def home(site: Site, new_page: NewPage) -> None:
    page = new_page("/", (1280, 1040))
    page.wait_for_load_state("networkidle")
    page.wait_for_function("[...document.images].every((image) => image.complete)")
    keep(page, "home")


def scotland_yard(site: Site, new_page: NewPage) -> None:
    """Detectives in the third round, who look at Mr X's chances."""
    begun = site.begin("scotland_yard", evader=medium("scotland_yard", Seat.EVADER), pursuers="person", seed=7)
    page = new_page(begun["links"]["pursuers"])
    move(page, 17)
    page.get_by_text("Probabilities", exact=True).click()
    page.wait_for_load_state("networkidle")
    keep(page, "scotland-yard")


def phone(site: Site, new_page: NewPage) -> None:
    """The same game in the hand of Mr X."""
    begun = site.begin("scotland_yard", evader="person", pursuers=medium("scotland_yard", Seat.PURSUERS), seed=5)
    page = new_page(begun["links"]["evader"], PHONE, has_touch=True, is_mobile=True)
    page.wait_for_selector("#stage[data-state=acting]")
    keep(page, "phone")


def fugitive(site: Site, new_page: NewPage) -> None:
    """The Marshal after three guesses of the likeliest number, who looks at the chances."""
    begun = site.begin("fugitive", evader=medium("fugitive", Seat.EVADER), pursuers="person", seed=4)
    page = new_page(begun["links"]["pursuers"])
    n_guesses = 0
    while n_guesses < N_GUESSES or not page.locator(".fg-pile.offer").count():
        page.wait_for_selector(CARDS_READY)
        if page.locator(".fg-pile.offer").count():
            page.locator(".fg-pile.offer").nth(min(n_guesses, 1)).click()
        else:
            page.wait_for_load_state("networkidle")
            chances = "cells => cells.map((cell) => [cell.dataset.number, parseInt(cell.lastChild.textContent) || 0])"
            likeliest, _ = max(page.eval_on_selector_all(".fg-number.free", chances), key=lambda cell: cell[1])
            page.click(f'[data-number="{likeliest}"]')
            page.click("[data-act=ask]")
            n_guesses += 1
        page.wait_for_selector(CARDS_READY)
    page.wait_for_load_state("networkidle")
    keep(page, "fugitive")


def hunt(site: Site, new_page: NewPage) -> None:
    """A short game of Pursuit between good agents, as a film."""
    command = ["watch", "pursuit", "--no-viz", "--board", "town-50", "--n-detectives", "3", "--seed", "5"]
    command += ["--agent-mrx", "greedy", "--agent-detectives", "solved"]
    saving = [sys.executable, "-m", "manhunt", *command, "--save", str(PICTURES / "hunt.gif")]
    subprocess.run(saving, check=True, stdout=subprocess.DEVNULL)


SHOTS: dict[str, Callable[[Site, NewPage], None]] = {
    "home": home,
    "scotland-yard": scotland_yard,
    "phone": phone,
    "fugitive": fugitive,
    "hunt": hunt,
}

if __name__ == "__main__":
    main()
