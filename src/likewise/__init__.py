"""likewise finds texts that have wording in common.

The layout is the data flow; data moves one way, and each step is a folder:

    documents → text → sketches → search → passages → survey → output, pages
    (read)      (cut)  (sign)     (pairs)  (align)    (all of   (show)
                                                       them)

`comparison` measures two texts, `index` keeps documents in a database, `dedup` removes duplicates,
`statistics` has the laws of estimates and of chance, and `study` the experiments on them. `cli`,
`server` and `spark` are the ways to use it all.

Everything public is here, imported when first used:

    find_pairs      similar pairs inside a collection, or between two
    find_passages   copied passages, however small a part of their documents
    deduplicate     one of each group of similar documents is kept
    align           the passages that two texts share
    compare         two texts, by every measure, and beside what chance gives
    compare_files   the same for files of any size
    Index           a database of documents, to check new ones against
    sketch          signatures of texts, and what they estimate
    Profile         how text becomes shingles
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from likewise import moved_modules

if TYPE_CHECKING:
    from likewise.comparison.comparison import Comparison, compare
    from likewise.comparison.files import compare_files
    from likewise.dedup.deduplicate import Deduplicated, DuplicateCluster, deduplicate
    from likewise.errors import DocumentError, LikewiseError, SourceError, UsageError
    from likewise.index.index import Index
    from likewise.passages.alignment import align
    from likewise.passages.find import find_passages
    from likewise.passages.passage import Passage
    from likewise.passages.results import PassagePair, Passages
    from likewise.search.clusters import Cluster
    from likewise.search.find import find_pairs
    from likewise.search.pairs import Pair, Pairs
    from likewise.sketches.signatures import Signatures, sketch
    from likewise.statistics.bands import Layout, choose_layout
    from likewise.statistics.chance import Chance
    from likewise.statistics.estimate import Estimate
    from likewise.text.profile import Profile
    from likewise.text.word_frequencies import Frequencies

__version__ = "0.7.0"

_HOME = {
    "Chance": "likewise.statistics.chance",
    "Cluster": "likewise.search.clusters",
    "Comparison": "likewise.comparison.comparison",
    "Deduplicated": "likewise.dedup.deduplicate",
    "DocumentError": "likewise.errors",
    "DuplicateCluster": "likewise.dedup.deduplicate",
    "Estimate": "likewise.statistics.estimate",
    "Frequencies": "likewise.text.word_frequencies",
    "Index": "likewise.index.index",
    "Layout": "likewise.statistics.bands",
    "LikewiseError": "likewise.errors",
    "Pair": "likewise.search.pairs",
    "Pairs": "likewise.search.pairs",
    "Passage": "likewise.passages.passage",
    "PassagePair": "likewise.passages.results",
    "Passages": "likewise.passages.results",
    "Profile": "likewise.text.profile",
    "Signatures": "likewise.sketches.signatures",
    "SourceError": "likewise.errors",
    "UsageError": "likewise.errors",
    "align": "likewise.passages.alignment",
    "choose_layout": "likewise.statistics.bands",
    "compare": "likewise.comparison.comparison",
    "compare_files": "likewise.comparison.files",
    "deduplicate": "likewise.dedup.deduplicate",
    "find_pairs": "likewise.search.find",
    "find_passages": "likewise.passages.find",
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


moved_modules.install()


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'likewise' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
