"""Which pairs are aligned: all of them, if these are few words; and how many at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# In one call of the core, both texts of each pair counted: enough to keep the threads busy, few
# enough for a progress bar.
_MAX_BATCH_WORDS = 500_000
_MAX_BATCH_PAIRS = 2048
# Up to so many words in both texts of all pairs (some seconds), every pair is aligned, so that
# nothing depends on a search for candidates.
_MAX_WORDS_ALL_PAIRS = 30_000_000


def can_align_all(words: int, documents: int, others: int, right: int, *, inside: bool) -> bool:
    """Whether all pairs are few enough.

    Args:
        words, documents: of the first collection.
        others, right: the words and documents of the second one.
        inside: whether documents of the first are compared with each other.
    """
    pairs = words * right + others * documents + (words * (documents - 1) if inside else 0)
    return pairs <= _MAX_WORDS_ALL_PAIRS


def aligned_together(pairs: Sequence[Sequence[int]], sizes: Sequence[int]) -> Iterator[slice]:
    """Pairs of documents of these sizes that are aligned in one call.

    Both the words of different documents and those of all pairs are limited; but one very long
    document may be aligned with several others.
    """
    begin = words = work = longest = 0
    documents: set[int] = set()
    for i, (a, b) in enumerate(pairs):
        own, longer = sizes[a] + sizes[b], max(sizes[a], sizes[b])
        new = own - sum(sizes[document] for document in (a, b) if document in documents)
        most = max(longest, longer)
        if i > begin and (
            i - begin == _MAX_BATCH_PAIRS
            or words + new > max(_MAX_BATCH_WORDS, 2 * most)
            or work + own > max(_MAX_BATCH_WORDS, 16 * most)
        ):
            yield slice(begin, i)
            begin, documents, new, most = i, set(), own, longer
            words = work = 0
        documents |= {a, b}
        words, work, longest = words + new, work + own, most
    if begin < len(pairs):
        yield slice(begin, len(pairs))
