"""The sample essays: a collection to try the app with."""

from __future__ import annotations

from pathlib import Path

import likewise
from likewise.server.errors import ApiError
from likewise.server.index_client import Entry

SAMPLES = "Sample essays"
"""The name of their collection."""


def sample_entries() -> list[Entry]:
    """The essays as documents. Raises `ApiError` if they were not installed."""
    package = Path(likewise.__file__).parent
    # In a copy of the repository, they are beside the source.
    for folder in (package, package.parents[1]):
        if paths := sorted((folder / "samples" / "essays").glob("*.txt")):
            return [Entry(path.name, path.read_text("utf-8")) for path in paths]
    raise ApiError(404, "the sample essays are not installed")
