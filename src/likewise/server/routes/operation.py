"""What an operator asks: the index, whether all is well, and how much there is to do."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from likewise.server.answer import as_json, json_answer
from likewise.server.metrics import CONTENT_TYPE
from likewise.server.routes.common import PREFIX, errors, service_of
from likewise.server.schemas import operation as schemas

router = APIRouter(tags=["operation"])


@router.get(
    f"{PREFIX}/index",
    summary="Describe the index",
    response_model=schemas.IndexInfo,
    responses=errors(),
)
async def info(request: Request) -> Response:
    """What the index was made for, and what it holds."""
    service = service_of(request)
    return json_answer(await service.fetch(lambda: as_json(service.index.info())))


@router.get(
    "/health",
    summary="Check the health of the server",
    response_model=schemas.Health,
    responses=errors(),
)
async def health(request: Request) -> Response:
    """Answers 200 if the server runs and the index can be read, else 503. Needs no token."""
    service = service_of(request)
    await service.check()
    return json_answer(as_json({"status": "ok"}))


@router.get(
    "/metrics",
    summary="Metrics for Prometheus",
    response_class=Response,
    responses={
        **errors(),
        200: {
            "description": "Requests, durations, documents, and requests in progress.",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        },
    },
)
async def metrics(request: Request) -> Response:
    """Numbers of all processes of the server, in Prometheus' text format."""
    service = service_of(request)
    return Response(service.pools.metrics.text(await service.count()), media_type=CONTENT_TYPE)
