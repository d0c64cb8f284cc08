"""Parts of a text to be left out of matching: quotations, the bibliography, a list of phrases.

Each function looks at one text alone and gives ranges in its code points, in order and apart from
each other. A passage that is left out by mistake is a copy that nobody sees, so what is not
clearly one of these is no part of any range.
"""

from likewise.passages.exclusions.bibliography import bibliography
from likewise.passages.exclusions.phrases import phrases
from likewise.passages.exclusions.quotations import quotations
from likewise.passages.ranges import Range, merge

__all__ = ["Range", "bibliography", "merge", "phrases", "quotations"]
