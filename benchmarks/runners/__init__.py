"""One runner per contender; ``python -m benchmarks.runners JOB`` runs one in this process."""

from __future__ import annotations

from benchmarks.runners.contender import Contender

_ALL = (
    Contender(
        "likewise",
        "likewise",
        "likewise",
        "likewise",
        "ours:find_pairs",
        note="every pair verified on the full shingle sets",
    ),
    Contender(
        "likewise-exact",
        "likewise, exact",
        "likewise",
        "likewise",
        "ours:find_pairs_exactly",
        exact=True,
        note="exact join: nothing can be missed",
    ),
    Contender(
        "rensa-pairs",
        "rensa, pairs",
        "rensa",
        "rensa",
        "rensa:find_pairs",
        note="RMinHash.from_token_sets, RMinHashLSH insert_many and query_all, 8 bands; unverified",
    ),
    Contender(
        "rensa-marks",
        "rensa, marks only",
        "rensa",
        "rensa",
        "rensa:mark",
        gives="marks",
        note="RMinHash digest matrix and duplicate flags, 8 bands: says which documents, not pairs",
    ),
    Contender(
        "rensa-readme",
        "rensa, README",
        "rensa",
        "rensa",
        "rensa:keep_unique",
        gives="drops",
        note="the README's RMinHashDeduplicator.add_pairs with LSH: says which documents to drop",
    ),
    Contender(
        "rensa-slices",
        "rensa, plain shingling",
        "rensa",
        "rensa",
        "rensa:find_pairs_by_slices",
        note="as 'rensa, pairs', shingled by slices with all documents' shingles in memory,"
        " the shape of rensa's own benchmark script",
    ),
    Contender(
        "fastsketchlsh",
        "FastSketchLSH",
        "FastSketchLSH",
        "FastSketchLSH",
        "fastsketchlsh:find_pairs",
        note="FastSimilaritySketch.batch, LSH with the README's 16 bands; unverified",
    ),
    Contender(
        "datasketch",
        "datasketch",
        "datasketch",
        "datasketch",
        "datasketch:find_pairs",
        slow=True,
        note="MinHash.bulk, MinHashLSH at the threshold; unverified",
    ),
    Contender(
        "setsimilaritysearch",
        "SetSimilaritySearch",
        "SetSimilaritySearch",
        "SetSimilaritySearch",
        "setsimilaritysearch:find_pairs",
        exact=True,
        slow=True,
        note="all_pairs, exact",
    ),
)

CONTENDERS: dict[str, Contender] = {contender.name: contender for contender in _ALL}

# Not in the comparison: the command line, which reads its file itself.
COMMAND = Contender(
    "likewise-command", "likewise pairs FILE", "likewise", "likewise", "command:pairs"
)
