"""REST: watch and cancel long work."""

from typing import Any

from fastapi import APIRouter, Request

from manhunt.server.addresses import client_address
from manhunt.server.site import site_of

router = APIRouter(prefix="/api/jobs")


@router.get("/{job}")
async def get_job(job: str, request: Request) -> dict[str, Any]:
    return site_of(request).jobs.find(job).to_json()


@router.delete("/{job}")
async def cancel_job(job: str, request: Request) -> dict[str, Any]:
    return site_of(request).jobs.cancel(job, client_address(request)).to_json()
