"""For operators: the index, the health of the server, and metrics."""

from __future__ import annotations

from fastapi import Request, Response

from likewise.server.json_response import JsonResponse
from likewise.server.metrics import CONTENT_TYPE
from likewise.server.middleware.collection_routing import SERVICE
from likewise.server.routes.dependencies import AllServices, CurrentService
from likewise.server.routes.router import PREFIX, api_router
from likewise.server.schemas import operation as schemas
from likewise.server.service import Service

router = api_router("operation", prefix="")


@router.get(f"{PREFIX}/index", summary="Describe the index", response_model=schemas.IndexInfo)
async def info(service: CurrentService) -> Response:
    """Settings and contents of the index."""
    return await service.fetch(lambda index: JsonResponse(index.info()))


@router.get("/health", summary="Check the health of the server", response_model=schemas.Health)
async def health(service: CurrentService) -> Response:
    """Answers 200 if the server is running and the index can be read, else 503. Needs no token."""
    await service.check()
    return JsonResponse({"status": "ok"})


@router.get(
    "/metrics",
    summary="Metrics for Prometheus",
    response_class=Response,
    responses={
        200: {
            "description": "Requests, durations, documents, and requests in progress.",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        },
    },
)
async def metrics(request: Request, services: AllServices) -> Response:
    """Metrics of all processes of the server, in Prometheus' text format.

    Without the number of documents where the first collection is not shared with readers.
    """
    service: Service | None = request.scope.get(SERVICE)
    count = None if service is None else await service.count()
    return Response(services.pools.metrics.text(count), media_type=CONTENT_TYPE)
