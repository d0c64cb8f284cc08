"""likewise finds texts that have wording in common.

The layout is the data flow; data moves one way, and each step is a folder:

    documents → text → sketches → search → passages → survey → output, pages
    (read)      (cut)  (sign)     (pairs)  (align)    (all of   (show)
                                                       them)

`comparison` measures two texts, `index` keeps documents in a database, `dedup` removes duplicates,
`decontamination` finds benchmarks in training data,
`statistics` has the laws of estimates and of chance, and `study` the experiments on them. `cli`,
`server` and `spark` are the ways to use it all.

Everything public is here, imported when first used:

    find_pairs      similar pairs inside a collection, or between two
    find_passages   copied passages, however small a part of their documents
    find_families   the wording that several documents share, from their passages
    make_synopsis   two to five texts in parallel columns, and how many of their words agree
    deduplicate     one of each group of similar documents is kept; deduplicate_files does the same
                    with files of any size
    decontaminate   training texts without the items of benchmarks; decontaminate_files does the
                    same with files of any size
    align           the passages that two texts share
    compare         two texts, by every measure, and beside what chance gives
    compare_files   the same for files of any size
    Index           a database of documents, to check new ones against
    sketch          signatures of texts: estimated, searched, saved and loaded
    Profile         how text becomes shingles
    register_filesystem  a filesystem of fsspec or pyarrow, as an address for sources and outputs
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from likewise import moved_modules

if TYPE_CHECKING:
    from likewise.comparison.comparison import Comparison, compare
    from likewise.comparison.files import compare_files
    from likewise.decontamination.contamination import Contamination
    from likewise.decontamination.decontaminate import Decontaminated, decontaminate
    from likewise.decontamination.decontaminate_files import decontaminate_files
    from likewise.dedup.deduplicate import deduplicate
    from likewise.dedup.deduplicate_files import deduplicate_files
    from likewise.dedup.deduplicated import Deduplicated, DuplicateCluster
    from likewise.dedup.parts.report import PartReport
    from likewise.dedup.parts.result import DeduplicatedParts, Template
    from likewise.dedup.report import Report
    from likewise.dedup.settings import DedupSettings
    from likewise.documents.document import Document
    from likewise.errors import (
        DocumentError,
        LikewiseError,
        SourceError,
        StorageError,
        UsageError,
    )
    from likewise.index.adding import Added
    from likewise.index.index import Index
    from likewise.index.matches import Match
    from likewise.index.passage_results import IndexPassages
    from likewise.index.stored_document import StoredDocument
    from likewise.passages.alignment import AlignmentSettings, align
    from likewise.passages.families.family import Family, Witness
    from likewise.passages.families.find import find_families
    from likewise.passages.families.results import Families
    from likewise.passages.find import find_passages
    from likewise.passages.passage import Passage
    from likewise.passages.results import PassagePair, Passages
    from likewise.passages.scores import DocumentScore
    from likewise.passages.settings import Exclusions
    from likewise.run import Stats
    from likewise.search.clusters import Cluster
    from likewise.search.find import find_pairs
    from likewise.search.pairs import Pair, Pairs
    from likewise.sketches.estimated_pairs import EstimatedPair, EstimatedPairs
    from likewise.sketches.signatures import Signatures, sketch
    from likewise.statistics.bands import Layout, choose_layout
    from likewise.statistics.chance import Chance
    from likewise.statistics.estimate import Estimate
    from likewise.storage.registry import register_filesystem
    from likewise.survey.synopsis.synopsis import Synopsis, make_synopsis
    from likewise.text.profile import Profile
    from likewise.text.word_frequencies import Frequencies

__version__ = "0.7.0"

_HOME = {
    "Added": "likewise.index.adding",
    "AlignmentSettings": "likewise.passages.alignment",
    "Chance": "likewise.statistics.chance",
    "Cluster": "likewise.search.clusters",
    "Comparison": "likewise.comparison.comparison",
    "Contamination": "likewise.decontamination.contamination",
    "Decontaminated": "likewise.decontamination.decontaminate",
    "DedupSettings": "likewise.dedup.settings",
    "Deduplicated": "likewise.dedup.deduplicated",
    "DeduplicatedParts": "likewise.dedup.parts.result",
    "Document": "likewise.documents.document",
    "DocumentError": "likewise.errors",
    "DocumentScore": "likewise.passages.scores",
    "DuplicateCluster": "likewise.dedup.deduplicated",
    "Estimate": "likewise.statistics.estimate",
    "EstimatedPair": "likewise.sketches.estimated_pairs",
    "EstimatedPairs": "likewise.sketches.estimated_pairs",
    "Exclusions": "likewise.passages.settings",
    "Families": "likewise.passages.families.results",
    "Family": "likewise.passages.families.family",
    "Frequencies": "likewise.text.word_frequencies",
    "Index": "likewise.index.index",
    "IndexPassages": "likewise.index.passage_results",
    "Layout": "likewise.statistics.bands",
    "LikewiseError": "likewise.errors",
    "Match": "likewise.index.matches",
    "Pair": "likewise.search.pairs",
    "Pairs": "likewise.search.pairs",
    "PartReport": "likewise.dedup.parts.report",
    "Passage": "likewise.passages.passage",
    "PassagePair": "likewise.passages.results",
    "Passages": "likewise.passages.results",
    "Profile": "likewise.text.profile",
    "Report": "likewise.dedup.report",
    "Signatures": "likewise.sketches.signatures",
    "SourceError": "likewise.errors",
    "Stats": "likewise.run",
    "StorageError": "likewise.errors",
    "StoredDocument": "likewise.index.stored_document",
    "Synopsis": "likewise.survey.synopsis.synopsis",
    "Template": "likewise.dedup.parts.result",
    "UsageError": "likewise.errors",
    "Witness": "likewise.passages.families.family",
    "align": "likewise.passages.alignment",
    "choose_layout": "likewise.statistics.bands",
    "compare": "likewise.comparison.comparison",
    "compare_files": "likewise.comparison.files",
    "decontaminate": "likewise.decontamination.decontaminate",
    "decontaminate_files": "likewise.decontamination.decontaminate_files",
    "deduplicate": "likewise.dedup.deduplicate",
    "deduplicate_files": "likewise.dedup.deduplicate_files",
    "find_families": "likewise.passages.families.find",
    "find_pairs": "likewise.search.find",
    "find_passages": "likewise.passages.find",
    "make_synopsis": "likewise.survey.synopsis.synopsis",
    "register_filesystem": "likewise.storage.registry",
    "sketch": "likewise.sketches.signatures",
}

__all__ = [
    "Added",
    "AlignmentSettings",
    "Chance",
    "Cluster",
    "Comparison",
    "Contamination",
    "Decontaminated",
    "DedupSettings",
    "Deduplicated",
    "DeduplicatedParts",
    "Document",
    "DocumentError",
    "DocumentScore",
    "DuplicateCluster",
    "Estimate",
    "EstimatedPair",
    "EstimatedPairs",
    "Exclusions",
    "Families",
    "Family",
    "Frequencies",
    "Index",
    "IndexPassages",
    "Layout",
    "LikewiseError",
    "Match",
    "Pair",
    "Pairs",
    "PartReport",
    "Passage",
    "PassagePair",
    "Passages",
    "Profile",
    "Report",
    "Signatures",
    "SourceError",
    "Stats",
    "StorageError",
    "StoredDocument",
    "Synopsis",
    "Template",
    "UsageError",
    "Witness",
    "__version__",
    "align",
    "choose_layout",
    "compare",
    "compare_files",
    "decontaminate",
    "decontaminate_files",
    "deduplicate",
    "deduplicate_files",
    "find_families",
    "find_pairs",
    "find_passages",
    "make_synopsis",
    "register_filesystem",
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
