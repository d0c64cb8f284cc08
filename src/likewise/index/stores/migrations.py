"""Versions of the tables, and the statements that bring older ones up to date.

Both databases understand them, but for the name of the type of bytes. They run in one transaction
when an index is opened, so that an index is of one version or the next and never between; a newer
one than we know is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from likewise.errors import SourceError

SCHEMA = 3

# From each version to the next.
_STEPS: dict[int, tuple[str, ...]] = {
    1: (  # entries and segments got a kind; those that were there are of bands
        "ALTER TABLE segments ADD COLUMN kind INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE waiting RENAME TO waiting_1",
        "CREATE TABLE waiting "
        "(kind INTEGER, key BIGINT, number BIGINT, PRIMARY KEY (kind, key, number))",
        "INSERT INTO waiting SELECT 0, key, number FROM waiting_1",
        "DROP TABLE waiting_1",
    ),
    2: (  # blobs for what is common, and how many documents there are as a fact
        "CREATE TABLE blobs (name TEXT PRIMARY KEY, data {bytes} NOT NULL)",
        "INSERT INTO facts SELECT 'documents', CAST(count(*) AS TEXT) FROM documents",
    ),
}


def steps_from(version: int, name: str, *, bytes_type: str) -> Iterator[str]:
    """The statements from a version to ours; `name` is what messages call the index."""
    if version > SCHEMA:
        raise SourceError(
            f"{name}: created by a newer version of likewise (schema {version}, this one reads "
            f"{SCHEMA})",
            hint="install the newer version",
        )
    for number in range(max(version, 1), SCHEMA):
        for statement in _STEPS[number]:
            yield statement.format(bytes=bytes_type)
