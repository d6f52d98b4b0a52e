"""REST: boards as pictures, and the look's colours."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from manhunt.draw.look import DARK, LIGHT
from manhunt.draw.page_style import tokens
from manhunt.server.errors import NotFound
from manhunt.server.grounds import ground_svg
from manhunt.server.site import site_of

router = APIRouter()
FOR_EVER = "public, max-age=31536000, immutable"
Digest = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]


@router.get("/api/boards/{digest}.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def get_board(digest: Digest, request: Request) -> Response:
    board = await asyncio.to_thread(site_of(request).boards.find, digest)
    if board is None:
        raise NotFound(f"no board {digest[:12]}... is played on here")
    svg = await asyncio.to_thread(ground_svg, board)
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": FOR_EVER})


@router.get("/tokens.css", response_class=Response, responses={200: {"content": {"text/css": {}}}})
async def get_tokens() -> Response:
    """The colours as variables: light, dark by the system's wish, and either by `data-theme` on the page."""
    dark = tokens(DARK)
    rules = [
        f":root{{color-scheme:light;{tokens(LIGHT)}}}",
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}",
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}",
    ]
    return Response("\n".join(rules) + "\n", media_type="text/css", headers={"Cache-Control": "no-cache"})
