"""Draws the icons of the installed web app from `web/icon.svg`: `python packaging/draw_icons.py`."""

from pathlib import Path

import manhunt
from manhunt.draw.pictures import png_of

WEB = Path(manhunt.__file__).parent / "web"
PAPER = "#F6F3EA"
SIZES = {"icon-192.png": 192, "icon-512.png": 512, "icon-maskable.png": 512}
SAFE = 26.0
"""In a picture of 32: a maskable icon may lose its corners, so its sign is smaller."""


def main() -> None:
    sign = (WEB / "icon.svg").read_text(encoding="utf-8")
    inner = sign.partition(">")[2].removesuffix("</svg>\n").removesuffix("</svg>")
    for name, size in SIZES.items():
        is_maskable = "maskable" in name
        margin = (32 - SAFE) / 2 if is_maskable else 0.0
        box = f"{-margin} {-margin} {32 + 2 * margin} {32 + 2 * margin}"
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="{box}">'
        png = png_of(f"{head}{inner}</svg>", PAPER if is_maskable else None)
        (WEB / name).write_bytes(png)
        print(f"{name}: {len(png)} bytes")


if __name__ == "__main__":
    main()
