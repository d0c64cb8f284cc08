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
        description="`/api/passages` finds every run of this many identical words; null where "
        "passages are not searched for."
    )
    documents: Count
    set_aside: Count = Field(
        description="Runs of words ignored because too many documents contain them."
    )
    bytes: Count = Field(description="Size on disk.")


class Health(BaseModel):
    """The server runs, and the index can be read."""

    status: Literal["ok"]
