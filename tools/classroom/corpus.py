"""`Corpus`: English prose for the essays, cut so that no two documents share a long run of words.

The text is the King James Version, which is free, long, and real language. It often repeats
itself and tells some stories twice, so that a verse is skipped

- where it has a run of more than `MAX_RUN` words that was given out already, or
- where it retells an earlier document: `TOGETHER` consecutive verses there share rare words with
  it that weigh `RETOLD` or more and are at least a third of its own (the weight of a word is its
  inverse document frequency); or where that is so of the verse and those before it together, with
  twice the weight and a quarter of their own.

Between two documents `APART` words or more are left out, so that none goes on where another ended.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator

from likewise.text.words import words_of
from tools.classroom.sentence import Sentence

MAX_RUN = 7
RARE = 4.5
RETOLD = 14.0
TOGETHER = 4
APART = 200

# Books that retell others, or themselves, are left out: Jeremiah and Ezekiel, Matthew and Mark,
# Galatians and Hebrews (of Romans), Kings and Chronicles.
SUBJECTS = {
    "families": "GENESIS JUDGES RUTH SAMUEL_1 SAMUEL_2 ESTHER",
    "wisdom": "JOB PSALMS PROVERBS ECCLESIASTES SONG_OF_SONGS",
    "prophets": "ISAIAH LAMENTATIONS DANIEL HOSEA JOEL AMOS JONAH MICAH NAHUM HABAKKUK ZEPHANIAH "
    "HAGGAI ZECHARIAH MALACHI",
    "letters": "LUKE JOHN ACTS ROMANS CORINTHIANS_1 CORINTHIANS_2 JAMES REVELATION",
    "law": "EXODUS LEVITICUS NUMBERS DEUTERONOMY JOSHUA",
}
_MARKS = re.compile(r"[\[\]¶]|\bSelah[.,]?")  # which are not part of the sentences

_END = Sentence("", ())


class Corpus:
    """Prose on several subjects; every part of it is given out once.

    Attributes:
        weights: of each word (by its hash), how rare it is.
        vocabulary: ordinary words, for replacements.
    """

    def __init__(self, rng: random.Random) -> None:
        verses = {subject: _verses(names.split()) for subject, names in SUBJECTS.items()}
        self._left: dict[str, Iterator[Sentence]] = {}
        documents: Counter[int] = Counter()
        spellings: dict[int, str] = {}
        first = 1
        total = 0
        for subject, texts in verses.items():
            sentences = []
            for text in texts:
                words = words_of(text)
                sentences.append(Sentence(text, tuple(range(first, first + len(words)))))
                first += len(words)
                hashes = words.hashes.tolist()
                documents.update(set(hashes))
                for hashed, begin, end in zip(hashes, words.begins, words.ends, strict=True):
                    spellings[hashed] = text[begin:end]
            total += len(sentences)
            turn = rng.randrange(len(sentences))
            self._left[subject] = iter(sentences[turn:] + sentences[:turn])
        self.weights = {word: math.log(total / seen) for word, seen in documents.items()}
        self.vocabulary = sorted(
            {spellings[w].lower() for w, seen in documents.items() if 20 <= seen <= 1000}
        )
        self._documents = 0
        self._runs: set[tuple[int, ...]] = set()
        self._places: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self._verse = 0

    def take(self, subject: str, size: int) -> list[Sentence]:
        """Consecutive sentences of at least `size` words that no other document has."""
        self._documents += 1
        self._verse += TOGETHER
        taken: list[Sentence] = []
        tail: list[int] = []
        before: deque[list[int]] = deque(maxlen=TOGETHER - 1)
        total = 0
        while total < size:
            sentence = next(self._left[subject], None)
            if sentence is None:
                raise ValueError(f"no text is left on {subject}; ask for fewer or shorter essays")
            hashes = sentence.words.hashes.tolist()
            both = tail + hashes
            runs = [tuple(both[i : i + MAX_RUN + 1]) for i in range(len(both) - MAX_RUN)]
            together = [word for verse in before for word in verse] + hashes
            if (
                not self._runs.isdisjoint(runs)
                or self._is_retold(hashes, RETOLD, 1 / 3)
                or self._is_retold(together, 2 * RETOLD, 1 / 4)
            ):
                continue
            self._runs.update(runs)
            for word in self._rare(hashes):
                self._places[word].append((self._documents, self._verse))
            self._verse += 1
            tail = both[-MAX_RUN:]
            before.append(hashes)
            taken.append(sentence)
            total += len(hashes)
        left_out = 0
        while left_out < APART:
            left_out += len(next(self._left[subject], _END).origins) or APART
        return taken

    def _rare(self, hashes: list[int]) -> list[int]:
        return sorted({word for word in hashes if self.weights[word] >= RARE})

    def _is_retold(self, hashes: list[int], least: float, part: float) -> bool:
        """Whether some verses of another document share so much with these words."""
        rare = self._rare(hashes)
        shared: defaultdict[int, float] = defaultdict(float)
        for word in rare:
            windows = {
                verse - back
                for document, verse in self._places[word]
                if document != self._documents
                for back in range(TOGETHER)
            }
            for window in windows:
                shared[window] += self.weights[word]
        own = sum(self.weights[word] for word in rare)
        return max(shared.values(), default=0.0) >= max(least, part * own)


def _verses(names: list[str]) -> list[str]:
    import pythonbible
    from pythonbible.verses import VERSE_IDS

    wanted = {pythonbible.Book[name].value for name in names}
    texts = []
    for verse in VERSE_IDS:
        if verse // 1_000_000 not in wanted:
            continue
        try:
            text = pythonbible.get_verse_text(verse, pythonbible.Version.KING_JAMES)
        except pythonbible.VersionMissingVerseError:
            continue
        if text:
            texts.append(" ".join(_MARKS.sub("", text).split()))
    return texts
