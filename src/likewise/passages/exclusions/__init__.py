"""Parts of a text to be excluded from matching: quotations, the bibliography, a list of phrases.

Each function takes one text and returns disjoint ranges of its code points, in order. Text excluded
by mistake hides a copy, so in doubt nothing is excluded.
"""

from likewise.passages.exclusions.bibliography import bibliography
from likewise.passages.exclusions.phrases import phrases
from likewise.passages.exclusions.quotations import quotations
from likewise.passages.ranges import Range, merge

__all__ = ["Range", "bibliography", "merge", "phrases", "quotations"]
