"""A collection as a report to save: one HTML file, and the key of an anonymous one."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Response

from likewise.server.jobs.reports import ReportOptions
from likewise.server.json_response import JsonResponse
from likewise.server.routes.dependencies import CurrentService
from likewise.server.routes.router import PREFIX, api_router, errors
from likewise.server.schemas.reports import ReportProgress

router = api_router("report", f"{PREFIX}/report")


async def _options(
    anonymous: Annotated[bool, Query(description="Without names.")] = False,
    keep_dates: Annotated[
        bool, Query(description="With the dates of documents, if it is anonymous.")
    ] = False,
) -> ReportOptions:
    return ReportOptions(anonymous, anonymous and keep_dates)


Options = Annotated[ReportOptions, Depends(_options)]


@router.get("", summary="Make a report", response_model=ReportProgress, responses=errors(422))
async def make(options: Options, service: CurrentService) -> Response:
    """Makes a report on the collection in the background.

    Repeat the request until `state` is `ready`, then get the file. It covers the same documents,
    with the same figures, as `/api/view/survey`.
    """
    return JsonResponse(await service.fetch(lambda index: service.reports.progress(options)))


@router.get(
    "/file",
    summary="Save a report",
    response_class=Response,
    responses={
        200: {"content": {"text/html": {"schema": {"type": "string"}}}, "description": "The page."},
        **errors(422),
    },
)
async def file(options: Options, service: CurrentService) -> Response:
    """The report as one HTML file, if it is ready: see `/api/report`."""
    saved = await service.fetch(lambda index: service.reports.saved(options))
    return _attachment(saved.page, "text/html", "report.html")


@router.get(
    "/key",
    summary="Save the key of an anonymous report",
    response_class=Response,
    responses={
        200: {"content": {"text/csv": {"schema": {"type": "string"}}}, "description": "The key."},
        **errors(422),
    },
)
async def key(options: Options, service: CurrentService) -> Response:
    """What the numbers of an anonymous report stand for, as CSV, if the report is ready."""
    anonymous = options._replace(anonymous=True)
    saved = await service.fetch(lambda index: service.reports.saved(anonymous))
    return _attachment(saved.key, "text/csv", "key.csv")


def _attachment(data: bytes, kind: str, name: str) -> Response:
    # No browser shows it as a page of this site.
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=headers)
