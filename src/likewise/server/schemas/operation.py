"""What an operator is told."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from likewise.server.schemas.common import Count, Share


class IndexInfo(BaseModel):
    """What the index was made for, and what it holds."""

    model_config = ConfigDict(extra="allow")

    profile: str
    threshold: Share
    recall: Share
    values: Count
    bands: Count
    rows: Count
    keeps_text: bool
    min_words: Count | None = Field(
        description="Every run of so many equal words is found by `/api/passages`; null where "
        "passages are not looked for."
    )
    documents: Count
    set_aside: Count = Field(
        description="Runs of words that so many documents have that they lead to none."
    )
    bytes: Count = Field(description="On disk.")


class Health(BaseModel):
    """The server runs, and the index can be read."""

    status: Literal["ok"]
