"""Build the site and check it."""

import json
import os
import subprocess
import sys
from pathlib import Path

from docs_site.checks import ELSEWHERE, troubles
from docs_site.navigation import navigation
from docs_site.sources import write_pages

ROOT = Path(__file__).parents[2]


def build(site: Path, pages: Path) -> int:
    """Write the pages, build the site from them in strict mode, check it; 0 if all is well."""
    write_pages(ROOT, pages)
    config = pages.with_suffix(".yml")
    config.write_text(json.dumps(settings(site, pages)), encoding="utf-8")
    # The notice is about the year in which the theme's support ends: docs/decisions/documentation-site.md.
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(config)]
    if (code := subprocess.run(command, env=quiet).returncode) != 0:
        return code
    cut_off(site)
    found = list(troubles(site))
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


def cut_off(site: Path) -> None:
    """The theme's scripts would load what an old browser or a diagram needs from a public server: here they do not."""
    for script in site.rglob("*.js"):
        text = script.read_text(encoding="utf-8")
        if (own := text.replace(ELSEWHERE, "assets/")) != text:
            script.write_text(own, encoding="utf-8")


def settings(site: Path, pages: Path) -> dict[str, object]:
    """What `mkdocs.yml` leaves open."""
    home, *sections = navigation(ROOT / "docs")
    return {
        "INHERIT": str(Path(__file__).parent / "mkdocs.yml"),
        "docs_dir": str(pages),
        "site_dir": str(site),
        "nav": [{"Home": home}, *sections],
        "plugins": {"mkdocstrings": {"handlers": {"python": {"paths": [str(ROOT / "src")]}}}},
    }
