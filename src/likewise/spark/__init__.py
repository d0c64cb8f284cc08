"""The same steps on a Spark cluster: `find_pairs`, `deduplicate`, `decontaminate`, `find_passages`,
`find_families` and `sketch` on DataFrames.

::

    df ─ scan.py ─────────────────→ buckets.py ─→ verify.py ─→ connected_components.py ─→ choice.py
         (digest and band keys;     (pairs that    (exact       (clusters)                 (kept or
          one row for each digest)   share a key)   Jaccard)                                removed)

For containment, `containment.py` takes the place of `buckets.py`. `passages/` has the steps of
passages and their families. What is decided is decided by `likewise.dedup.rules`, by the functions
of `likewise.passages` and by the core, as on one machine; Spark moves the rows. Nothing that grows
with the data comes to the driver or is sent to every executor.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likewise.spark.decontamination import Decontamination, decontaminate
    from likewise.spark.dedup import Deduplication
    from likewise.spark.duplicates import deduplicate
    from likewise.spark.pairs import find_pairs
    from likewise.spark.parts.part_deduplication import PartDeduplication
    from likewise.spark.passages.search import PassageSearch, find_families, find_passages
    from likewise.spark.sketches import sketch

_HOME = {
    "Decontamination": "likewise.spark.decontamination",
    "decontaminate": "likewise.spark.decontamination",
    "Deduplication": "likewise.spark.dedup",
    "PartDeduplication": "likewise.spark.parts.part_deduplication",
    "deduplicate": "likewise.spark.duplicates",
    "PassageSearch": "likewise.spark.passages.search",
    "find_families": "likewise.spark.passages.search",
    "find_pairs": "likewise.spark.pairs",
    "find_passages": "likewise.spark.passages.search",
    "sketch": "likewise.spark.sketches",
}

__all__ = [
    "Decontamination",
    "Deduplication",
    "PartDeduplication",
    "PassageSearch",
    "decontaminate",
    "deduplicate",
    "find_families",
    "find_pairs",
    "find_passages",
    "sketch",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'likewise.spark' has no attribute {name!r}")
    try:
        value = getattr(import_module(_HOME[name]), name)
    except ModuleNotFoundError as error:
        if error.name not in ("pyspark", "pandas"):
            raise
        from likewise.errors import UsageError

        raise UsageError(
            f"Spark requires {error.name}, which is not installed",
            hint="pip install 'likewise[spark]'; Java 17 or later is required too",
        ) from error
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
