"""likewise finds texts that share their words.

The flow is the layout; data moves one way, and each step is a folder:

    documents → text → sketches → search → evidence → report
    (read)      (cut)  (sign)     (find)   (measure)  (show)
                           ↘ index
                             (keep)

Everything public is here, imported when first used:

    find_pairs      similar pairs inside a collection, or between two
    find_passages   copied passages, however small a part of their documents
    deduplicate     one of each group of similar documents is kept
    align           the passages that two texts share
    compare         two texts, by every measure, and beside what chance gives
    compare_files   the same for files of any size
    Index           a database of documents, asked about new ones
    sketch          signatures of texts, and what they estimate
    Profile         how text becomes shingles

Beside the flow stand `statistics` (the laws of estimates, and chance levels) and `study` (the
experiments on them).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likewise.dedup.deduplicate import Deduplicated, DuplicateCluster, deduplicate
    from likewise.errors import DocumentError, LikewiseError, SourceError, UsageError
    from likewise.evidence.alignment import align
    from likewise.evidence.by_file import compare_files
    from likewise.evidence.comparison import Comparison, compare
    from likewise.evidence.find import find_passages
    from likewise.evidence.frequencies import Frequencies
    from likewise.evidence.passage import Passage
    from likewise.evidence.passages import PassagePair, Passages
    from likewise.index.index import Index
    from likewise.search.clusters import Cluster
    from likewise.search.find import find_pairs
    from likewise.search.pairs import Pair, Pairs
    from likewise.sketches.signatures import Signatures, sketch
    from likewise.statistics.bands import Layout, choose_layout
    from likewise.statistics.chance import Chance
    from likewise.statistics.estimate import Estimate
    from likewise.text.profile import Profile

__version__ = "0.6.0"

_HOME = {
    "Chance": "likewise.statistics.chance",
    "Cluster": "likewise.search.clusters",
    "Comparison": "likewise.evidence.comparison",
    "Deduplicated": "likewise.dedup.deduplicate",
    "DocumentError": "likewise.errors",
    "DuplicateCluster": "likewise.dedup.deduplicate",
    "Estimate": "likewise.statistics.estimate",
    "Frequencies": "likewise.evidence.frequencies",
    "Index": "likewise.index.index",
    "Layout": "likewise.statistics.bands",
    "LikewiseError": "likewise.errors",
    "Pair": "likewise.search.pairs",
    "Pairs": "likewise.search.pairs",
    "Passage": "likewise.evidence.passage",
    "PassagePair": "likewise.evidence.passages",
    "Passages": "likewise.evidence.passages",
    "Profile": "likewise.text.profile",
    "Signatures": "likewise.sketches.signatures",
    "SourceError": "likewise.errors",
    "UsageError": "likewise.errors",
    "align": "likewise.evidence.alignment",
    "choose_layout": "likewise.statistics.bands",
    "compare": "likewise.evidence.comparison",
    "compare_files": "likewise.evidence.by_file",
    "deduplicate": "likewise.dedup.deduplicate",
    "find_pairs": "likewise.search.find",
    "find_passages": "likewise.evidence.find",
    "sketch": "likewise.sketches.signatures",
}

__all__ = [
    "Chance",
    "Cluster",
    "Comparison",
    "Deduplicated",
    "DocumentError",
    "DuplicateCluster",
    "Estimate",
    "Frequencies",
    "Index",
    "Layout",
    "LikewiseError",
    "Pair",
    "Pairs",
    "Passage",
    "PassagePair",
    "Passages",
    "Profile",
    "Signatures",
    "SourceError",
    "UsageError",
    "__version__",
    "align",
    "choose_layout",
    "compare",
    "compare_files",
    "deduplicate",
    "find_pairs",
    "find_passages",
    "sketch",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'likewise' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
