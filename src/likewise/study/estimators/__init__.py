"""Estimators of the similarity of two texts, each a small function of the same shape."""

from __future__ import annotations

from likewise.errors import UsageError
from likewise.study.estimators.affine import affine_papers, affine_prime, ru
from likewise.study.estimators.estimator import Estimator
from likewise.study.estimators.exact import exact, exact_by_file
from likewise.study.estimators.fast_sketch import sketch
from likewise.study.estimators.minhash import minhash, permutations
from likewise.study.estimators.rum import rum_hashed, rum_matrix, rum_published
from likewise.study.estimators.sampling import (
    sampling_coordinated,
    sampling_corrected,
    sampling_published,
)

__all__ = ["ESTIMATORS", "Estimator", "find_estimator"]

ESTIMATORS: dict[str, Estimator] = {
    estimator.name: estimator
    for estimator in (
        Estimator(
            "exact", exact,
            "Counts the shingles that the texts share.",
            "jaccard", sound=True, counts="nothing",
        ),
        Estimator(
            "exact-by-file", exact_by_file,
            "The same through files on disk, for texts that do not fit in memory (Gospels).",
            "jaccard", sound=True, counts="nothing",
        ),
        Estimator(
            "sampling-published", sampling_published,
            "Draws shingles from each text independently and compares the draws (Gospels).",
            "nothing: the similarity of two draws, which grows with their size",
            sound=False, counts="draws", has_interval=False,
        ),
        Estimator(
            "sampling-corrected", sampling_corrected,
            "The same draws; the number of shared shingles is divided by the share of pairs drawn.",
            "jaccard", sound=True, counts="draws",
        ),
        Estimator(
            "sampling-coordinated", sampling_coordinated,
            "Keeps the shingles whose hash is below a limit, the same ones in both texts.",
            "jaccard", sound=True, counts="draws",
        ),
        Estimator(
            "ru", ru,
            "Minimum of x*i+y modulo n over the rows of the matrix of both texts (Gospels, RU).",
            "nothing: its own probability of agreement, larger if n has small divisors",
            sound=False,
        ),
        Estimator(
            "rum-published", rum_published,
            "Minimum of x*i+y over the row numbers of two concatenated draws (Gospels, RUM).",
            "nothing: blind to the texts; only their lengths matter",
            sound=False, drawn_first=True, has_interval=False,
        ),
        Estimator(
            "rum-hashed", rum_hashed,
            "RUM with each row's shingle hashed in place of its number, which is MinHash.",
            "jaccard", sound=True,
        ),
        Estimator(
            "rum-matrix", rum_matrix,
            "RUM with both rows of a shared shingle marked for both texts, in random orders.",
            "dice", sound=True,
        ),
        Estimator(
            "permutations", permutations,
            "Which shingle of each text comes first in a shuffle of all (Tweets).",
            "jaccard", sound=True,
        ),
        Estimator(
            "affine-prime", affine_prime,
            "Minimum of x*h+y modulo the prime 2^61-1 over the hashed shingles.",
            "jaccard", sound=True,
        ),
        Estimator(
            "affine-papers", affine_papers,
            "Minimum of ((x*i+y) mod 10,000,013) mod 1,000,003 over the shingles' rows (Papers).",
            "nothing: its own probability of agreement, larger for long texts", sound=False,
        ),
        Estimator(
            "minhash", minhash,
            "Minimum hash of the shingles under each of many hash functions.",
            "jaccard", sound=True,
        ),
        Estimator(
            "sketch", sketch,
            "The fast similarity sketch that the other commands use, one pass for all values.",
            "jaccard", sound=True,
        ),
    )
}  # fmt: skip


def find_estimator(name: str) -> Estimator:
    """The estimator of a name; raises if there is none."""
    if name not in ESTIMATORS:
        hint = f"use one of {', '.join(ESTIMATORS)}"
        raise UsageError(f"there is no estimator {name!r}", hint=hint)
    return ESTIMATORS[name]
