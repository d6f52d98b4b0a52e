"""What a built site must be: every link and anchor leads somewhere, and nothing is loaded from another machine."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {
    "img": ("src", "srcset"), "script": ("src",), "link": ("href",), "iframe": ("src",), "source": ("src", "srcset"),
    "audio": ("src",), "video": ("src", "poster"), "object": ("data",), "embed": ("src",), "use": ("href",),
    "form": ("action",),
}  # fmt: skip
"""Attributes that make a browser load something, by element."""
ELSEWHERE = "https://unpkg.com/"
"""From where the theme's scripts would load more."""
NOT_LOADED = {"canonical", "next", "prev", "alternate", "author"}


_URL = r"url\([\"']?(https?:)?//"
LOADING = {
    ".css": re.compile(rf"{_URL}|@import"),
    ".html": re.compile(rf"{_URL}|[\s\"']mermaid[\s\"']|data-md-component=[\"']?source"),
    ".js": re.compile(re.escape(ELSEWHERE)),
}
"""What would make a page load something from another machine, in its styles or by the theme's scripts."""


@dataclass
class Page(HTMLParser):
    """Anchors, links and loaded files of one page."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        have = {name: value or "" for name, value in attrs}
        self.anchors |= {have[name] for name in ("id", "name") if name in have}
        if tag == "a" and "href" in have:
            self.links.append(have["href"])
        if tag == "link" and have.get("rel", "") in NOT_LOADED:
            return
        self.loaded += [have[name] for name in LOADS.get(tag, ()) if have.get(name)]


def read_page(file: Path) -> Page:
    page = Page()
    page.feed(file.read_text(encoding="utf-8"))
    return page


def troubles(site: Path) -> Iterator[str]:
    """One line for each broken link and for each file that would come from another machine."""
    pages = {file.resolve(): read_page(file) for file in sorted(site.rglob("*.html"))}
    if not pages:
        yield f"{site} has no pages"
    for file, page in pages.items():
        if file.name == "404.html":
            continue  # its links begin at the top of a server
        name = file.relative_to(site.resolve())
        for target in page.loaded:
            if urlsplit(target).scheme not in ("", "data") or target.startswith("//"):
                yield f"{name} loads {target}"
            elif not urlsplit(target).scheme and not (file.parent / unquote(urlsplit(target).path)).exists():
                yield f"{name} loads {target}, which is missing"
        for target in page.links:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue  # a link that a person may follow
            there = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not there.is_file():
                yield f"{name} links to {target}, which is missing"
            elif parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].anchors:
                yield f"{name} links to {target}, which has no such place"
    for file in sorted(path for path in site.rglob("*") if path.suffix in LOADING):
        if LOADING[file.suffix].search(file.read_text(encoding="utf-8")):
            yield f"{file.relative_to(site)} loads something from elsewhere"
