"""The look of our HTML pages: the tokens as CSS variables, light and dark, and what all pages share."""

from __future__ import annotations

from dataclasses import fields

from manhunt.draw.look import CORNER, DARK, FONT, LIGHT, TEXT_SIZES, Theme

PAGE = Theme(**{f.name: "page" if f.name == "name" else f"var(--{f.name})" for f in fields(Theme)})
"""A theme whose colours are the page's variables, so that one drawing serves light and dark."""

NOT_AFFILIATED = "manhunt is an independent project, not affiliated with any game publisher."

_BASE = """
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:%(body)spx/1.5 %(font)s}
h1{font-size:%(h1)spx;line-height:1.2;margin:0 0 4px}
h2{font-size:%(h2)spx;margin:0 0 4px}
p{margin:0 0 12px}
a{color:var(--ferry)}
.quiet{color:var(--quiet);font-size:%(small)spx}
.fault{color:var(--danger)}
:focus-visible{outline:3px solid var(--offer);outline-offset:2px;border-radius:4px}
section{background:var(--surface);border:1px solid var(--line);border-radius:%(corner)spx;padding:20px;margin-top:20px}
.wide{overflow-x:auto}
footer{color:var(--quiet);font-size:%(small)spx;margin-top:28px}
"""


def base_style() -> str:
    """Variables of both themes, letters, headings, cards."""
    small, body, h2, _, h1 = TEXT_SIZES
    sizes = {"font": FONT, "small": small, "body": body, "h1": h1, "h2": h2, "corner": CORNER}
    dark = f"@media(prefers-color-scheme:dark){{:root{{{tokens(DARK)}}}}}"
    return f":root{{color-scheme:light dark;{tokens(LIGHT)}}}{dark}{_BASE % sizes}"


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
