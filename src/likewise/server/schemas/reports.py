"""Answers about reports to save."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from likewise.server.schemas.common import ApiModel, Count


class ReportProgress(ApiModel):
    """Whether a report is ready, or the progress of making it."""

    state: Literal["ready", "running", "empty"]
    stage: str | None = Field(None, description="The current step, if `state` is `running`.")
    done: Count | None = None
    total: Count | None = None
