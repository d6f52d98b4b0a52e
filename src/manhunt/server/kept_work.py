"""Work on a finished game whose document is kept with the game: made once by a job, then there for everybody."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from manhunt.analysis import analyse, worth
from manhunt.server.addresses import client_address
from manhunt.server.errors import NotFound
from manhunt.server.jobs import Job
from manhunt.server.site import in_thread, site_of
from manhunt.store.attachments import ANALYSIS, WORTH, load_attachment, save_attachment
from manhunt.store.connect import Store


@dataclass(frozen=True, slots=True)
class KeptWork:
    """One kind of document; those of another version are made anew."""

    kind: str
    version: int
    task: str
    """`module:function` of a record's text."""
    missing: str
    """What is said where there is none."""

    async def find(self, uid: str, request: Request) -> dict[str, Any] | None:
        return await in_thread(request, self._load, site_of(request).store, uid)

    async def get(self, uid: str, request: Request) -> dict[str, Any]:
        """The document; NotFound where none was made."""
        found = await self.find(uid, request)
        if found is None:
            raise NotFound(self.missing)
        return found

    async def start(self, uid: str, record: str, request: Request) -> Job:
        """The job that makes and keeps it; one that has ended where it is there already."""
        site, key = site_of(request), (self.kind, uid)
        if (kept := await self.find(uid, request)) is not None:
            return site.jobs.done(kept, key=key)

        async def keep(found: dict[str, Any]) -> dict[str, Any]:
            await asyncio.to_thread(save_attachment, site.store, uid, self.kind, json.dumps(found))
            return found

        return site.jobs.start(self.task, record, key=key, then=keep, owner=client_address(request))

    def _load(self, store: Store, uid: str) -> dict[str, Any] | None:
        text = load_attachment(store, uid, self.kind)
        found: dict[str, Any] | None = None if text is None else json.loads(text)
        return found if found is not None and found.get("version") == self.version else None


ANALYSES = KeptWork(
    ANALYSIS, analyse.VERSION, "manhunt.analysis.analyse:analyse", "this game has not been analysed yet"
)
WORTHS = KeptWork(
    WORTH, worth.VERSION, "manhunt.analysis.worth:worth", "the worth of things in this game has not been computed yet"
)
