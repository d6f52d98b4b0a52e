"""REST: boards as pictures, uploaded boards, and the look's colours."""

import re
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, Field, ValidationError

from manhunt.core.errors import BadBoard
from manhunt.draw.look import DARK, LIGHT
from manhunt.draw.markup import printable
from manhunt.draw.page_style import tokens
from manhunt.server.addresses import client_address
from manhunt.server.board_images import READ, in_layout_time
from manhunt.server.errors import NotFound
from manhunt.server.site import in_thread, site_of

router = APIRouter()
FOR_EVER = "public, max-age=31536000, immutable"
Digest = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]


@router.get("/api/boards/{digest}.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def get_board(digest: Digest, request: Request) -> Response:
    site = site_of(request)
    board = await in_thread(request, site.boards.find, digest)
    if board is None:
        raise NotFound(f"no board {digest[:12]}... is played on here")
    svg = await site.boards.svg(board, site.pool, client_address(request))
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": FOR_EVER})


class BoardBody(BaseModel, extra="forbid"):
    """A board to upload: the text of a CSV (`a,b` or `a,b,transport`) or coursework file, with positions if any."""

    name: Annotated[str, Field(min_length=1, max_length=80)] = "uploaded"
    text: Annotated[str, Field(min_length=1)]
    positions: str | None = None


_UPLOAD_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": BoardBody.model_json_schema()},
            "text/csv": {"schema": {"type": "string"}},
        },
    }
}


class BoardName(BaseModel):
    board: str
    name: str
    nodes: int


@router.post("/api/boards", status_code=201, openapi_extra=_UPLOAD_BODY)
async def upload_board(request: Request) -> BoardName:
    """The text of a CSV file as it is (text/csv), or as JSON with name and positions."""
    body = _body_of(await request.body(), request.headers.get("content-type", ""))
    site, owner = site_of(request), client_address(request)
    site.watch.check_room()
    with site.addresses.upload(owner, len(body.text) + len(body.positions or "")):
        args = (body.text, _plain_name(body.name), body.positions, site.settings.limits)
        board = await in_layout_time(site.pool, site.settings.limits, owner, READ, *args)
        name = await in_thread(request, site.boards.keep, board)
    return BoardName(board=name, name=board.name, nodes=board.n_nodes)


def _body_of(data: bytes, content_type: str) -> BoardBody:
    try:
        if content_type.lower().startswith("application/json"):
            return BoardBody.model_validate_json(data)
        return BoardBody(text=data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadBoard("the board is not text in UTF-8") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise BadBoard(f"{'.'.join(map(str, first['loc'])) or 'the board'}: {first['msg']}") from None


def _plain_name(text: str) -> str:
    """What people may read, and no name by which a board could be looked up elsewhere."""
    return " ".join(re.sub(r"[:/\\]", " ", printable(text)).split()) or "uploaded"


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
