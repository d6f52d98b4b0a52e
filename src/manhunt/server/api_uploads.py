"""REST: records that visitors bring, to be looked back on."""

from fastapi import APIRouter, Request
from pydantic import BaseModel

from manhunt.core.errors import BadText
from manhunt.server.addresses import client_address
from manhunt.server.record_uploads import SOURCE, check_in_time, keep_record
from manhunt.server.site import in_thread, site_of

router = APIRouter(prefix="/api")
_BODY = {"requestBody": {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}}


class ReplayLink(BaseModel):
    uid: str
    link: str


@router.post("/replays", status_code=201, openapi_extra=_BODY)
async def upload_record(request: Request) -> ReplayLink:
    """The text of a record; the game must be over, and its moves must follow the rules. The link stays valid."""
    try:
        text = (await request.body()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadText(f"{SOURCE} is not text in UTF-8") from None
    site, owner = site_of(request), client_address(request)
    site.watch.check_room()
    with site.addresses.upload_record(owner, len(text)):
        game = await check_in_time(site.pool, text, site.settings.limits, owner)
        uid = await in_thread(request, keep_record, site.store, game)
    return ReplayLink(uid=uid, link=f"/replay/{uid}")
