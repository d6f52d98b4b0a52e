"""The look of our HTML pages: the tokens as CSS variables, light and dark, and what all pages share."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from importlib import resources

from manhunt.draw.look import CORNER, DARK, FONT, LIGHT, TEXT_SIZES, Theme

PAGE = Theme(**{f.name: "page" if f.name == "name" else f"var(--{f.name})" for f in fields(Theme)})
"""A theme whose colours are the page's variables, so that one drawing serves light and dark."""

NOT_AFFILIATED = "manhunt is an independent project, not affiliated with any game publisher."


@lru_cache(maxsize=1)
def base_style() -> str:
    """Variables of both themes, letters, headings, cards."""
    small, body, h2, _, h1 = TEXT_SIZES
    sizes = f"--small:{small}px;--body:{body}px;--h1:{h1}px;--h2:{h2}px;--corner:{CORNER}px;--font:{FONT};"
    dark = f"@media(prefers-color-scheme:dark){{:root{{{tokens(DARK)}}}}}"
    shared = resources.files("manhunt.draw").joinpath("page.css").read_text(encoding="utf-8")
    return f":root{{color-scheme:light dark;{sizes}{tokens(LIGHT)}}}{dark}{shared}"


def tokens(theme: Theme) -> str:
    return "".join(f"--{f.name}:{getattr(theme, f.name)};" for f in fields(theme) if f.name != "name")


def head(title: str, style: str) -> str:
    """The beginning of a page; `title` is escaped by the caller. Nothing may be loaded from elsewhere."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{title}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style></head>"
    )
