"""The index and the health of the server."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from likewise.server.schemas.common import ApiModel, Count, Share


class IndexInfo(ApiModel):
    """Settings and contents of the index."""

    model_config = ConfigDict(extra="allow")

    profile: str
    threshold: Share
    recall: Share
    values: Count
    bands: Count
    rows: Count
    keeps_text: bool
    min_words: Count | None
    """`/api/passages` finds every run of this many identical words; null if the index has no
    passages."""
    documents: Count
    set_aside: Count
    """Runs of words ignored because too many documents contain them."""
    review_marks: Count = Field(description="Marks of pairs and passages.")
    bytes: Count = Field(description="Size on disk.")


class Health(ApiModel):
    """The server is running and the index can be read."""

    status: Literal["ok"]
