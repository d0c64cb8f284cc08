"""Types of the compiled core. Arrays are C-contiguous; long work releases the GIL."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
U32 = NDArray[np.uint32]
U64 = NDArray[np.uint64]

class Texts:
    """Many documents as UTF-8: views of Python strings, or of an Arrow column."""

    @staticmethod
    def from_strings(strings: Iterable[str], threads: int = 1) -> Texts: ...
    @staticmethod
    def from_buffers(data: Any, offsets: Any, wide: bool) -> Texts: ...
    @staticmethod
    def from_file(file: int, offsets: NDArray[np.int64], chosen: U32) -> Texts: ...
    @staticmethod
    def concatenated(parts: Sequence[Texts]) -> Texts: ...
    def select(self, chosen: U32) -> Texts: ...
    def __len__(self) -> int: ...
    @property
    def nbytes(self) -> int: ...

class Rules:
    """How text becomes shingles; made by Profile."""

    def __init__(
        self,
        *,
        unit: str,
        k: int,
        fold_case: bool,
        strip_accents: bool,
        keep_punctuation: bool,
        spaces: str,
        drop_digits: bool,
        drop_greek: bool,
        stop_words: Sequence[str],
        min_word_length: int,
        bag: bool,
        seed: int,
    ) -> None: ...

def scan(
    texts: Texts,
    rules: Rules,
    *,
    values: int,
    bands: int,
    rows: int,
    keep_sketches: bool,
    threads: int,
) -> tuple[U64, U64, U32 | None, U64 | None]:
    """Digests [n, 2], counts [n], sketches [n, values] and band keys [bands, n]."""

def merge_entries(runs: list[U64], present: U8) -> U64:
    """Sorted runs of entries as one, without documents whose flag is 0; empty flags keep all."""

def key_filter(entries: U64, *, bits: int) -> U8:
    """A bit for each value of the leading bits of a key, set where an entry has it."""

def bloom_filter(entries: U64, *, bits: int, skip: int) -> U8:
    """A Bloom filter of keys in 2^bits blocks of 64 bytes, by their leading bits, the first `skip`
    of which all keys share; blocks of other values are left out."""

def keys_in_bloom(filter: U8, keys: U32, *, bits: int) -> U32:
    """The keys that such a filter of all blocks may hold."""

def entries_of_hashes(hashes: U64, offsets: U64, common: U32) -> U64:
    """Entries of documents 0, 1, ... by the leading 32 bits of their hashes, without common keys:
    sorted, each once."""

def without_common(entries: U64, common: U32, *, most: int) -> tuple[U64, U32, U32]:
    """Sorted entries without common keys and without those of more than `most` documents; the
    latter keys, and how many documents have each."""

def entries_of_keys(buckets: U64, keys: U32) -> tuple[U64, U32]:
    """The entries of some keys, which ascend, out of buckets one behind the other: by key; and how
    many each key has."""

def evidence_of_parts(
    keys: U32, entries: U64, *, length: int, stride: int, documents: int, least: float
) -> tuple[U32, U32, NDArray[np.float64]]:
    """Documents, ascending, that share rare words with a part of a text: how many words with the
    part that speaks most for each, and its evidence."""

def count_keys(entries: U64) -> int:
    """How many different keys sorted entries have."""

def count_documents(entries: U64) -> int:
    """How many different documents the entries are of."""

def fingerprints(texts: Texts, rules: Rules, *, window: int, threads: int) -> tuple[U64, U64]:
    """Winnowed hashes of each document, once each and ascending, and where a document's begin."""

def sample_shingles(texts: Texts, rules: Rules, *, stride: int, threads: int) -> tuple[U64, U64]:
    """Every stride-th shingle of each document, from the first on, once each and ascending, and
    where a document's begin."""

class ItemGrams:
    """The shingles of many short texts, the items, to be looked up in documents.

    Gram i, of ascending hashes, is in items[offsets[i]] to items[offsets[i + 1]]. A document is a
    candidate for an item if the weights of its grams that are within `reaches` shingles of each
    other add up to `needs`.
    """

    def __init__(
        self, *, grams: U64, offsets: U64, items: U32, weights: U32, needs: U32, reaches: U32
    ) -> None: ...
    def find(self, texts: Texts, rules: Rules, *, threads: int) -> tuple[U32, U32, U32]:
        """Documents and items of the candidates, ordered; and each document's shingles."""

def telling_words(texts: Texts, *, stem_letters: int, threads: int) -> tuple[U64, U64]:
    """Hashes by which the words of each document are told, in order, and where a document's begin:
    of their stems; in scripts without spaces, of a letter and the one behind it."""

def share_fingerprints(
    hashes: U64, offsets: U64, sides: U8 | None, *, most_documents: int, threads: int
) -> tuple[U32, U32, U32, int]:
    """Pairs a < b and how many fingerprints they share; how many were set aside as too common."""

def character_classes(texts: Texts, classes: U8, *, threads: int) -> U8:
    """Of each text the classes of all its characters, or-ed; `classes` has those of every code
    point. A text of ASCII alone has none."""

class CollectionWords:
    """The words of a collection, added in batches: numbered, counted, and by document in order."""

    def __init__(self, *, stem_letters: int, keep_order: bool) -> None: ...
    def add(self, texts: Texts, *, threads: int) -> None: ...
    def __len__(self) -> int:
        """How many documents."""

    def sizes(self) -> U32:
        """How many words each document has."""

    def counts(self) -> tuple[U64, U64]:
        """Hashes of stems, each once, and how often they are met."""

def share_words(
    words: CollectionWords,
    sides: U8 | None,
    *,
    length: int,
    stride: int,
    most_documents: int,
    least_evidence: float,
    most_candidates: int,
    threads: int,
) -> tuple[U32, U32, NDArray[np.float64]]:
    """Pairs a < b whose parts share rare words, and the evidence of the best pair of parts: each
    one of the best candidates of at least one of its documents."""

def share_parts(
    words: U32,
    offsets: U64,
    documents: U32,
    worths: NDArray[np.float64],
    sides: U8 | None,
    *,
    count: int,
    least_evidence: float,
    most_candidates: int,
    threads: int,
) -> tuple[U32, U32, NDArray[np.float64]]:
    """`share_words` for parts that are cut already: part i has the words [offsets[i], offsets[i +
    1]), once each and ascending, and is of a document below `count`; documents ascend."""

def word_worths(holders: U64, *, documents: int) -> NDArray[np.float64]:
    """What sharing each word is worth, by how many of the documents contain it: whole multiples of
    2^-20."""

def common_runs(a: U32, b: U32, *, least: int) -> U32:
    """Runs of equal words, [runs, 3]: place in a, place in b, words."""

def band_keys(sketches: U32, *, bands: int, rows: int) -> U64:
    """Band keys [bands, n] of sketches [n, values], as `scan` gives them."""

def find_copies(digests: U64, counts: U64) -> U32:
    """For each document the first one with the same elements."""

def expand_copies(
    first: U32, sides: U8 | None, a: U32, b: U32, *, max_copies: int
) -> tuple[U32, U32, U64]:
    """Pairs of firsts to pairs of copies: a, b and the number of the pair they come from."""

def find_candidates(
    keys: U64, chosen: U32, sides: U8 | None, *, max_bucket: int, threads: int
) -> tuple[U64, U32, int, int]:
    """Offsets [n + 1] and partners, large buckets, pairs set aside in them."""

def verify(
    texts: Texts,
    rules: Rules,
    offsets: U64,
    others: U32,
    *,
    begin: int,
    end: int,
    measure: str,
    threshold: float,
    threads: int,
) -> tuple[U32, U32, U64, U64, U64]:
    """a, b, shared, size_a, size_b of the candidates at or above the threshold: of Jaccard
    similarity, or of the containment of b in a."""

class ContainmentJoin:
    """Candidates for containment: counts all texts, indexes some, and looks up all."""

    def __init__(
        self,
        rules: Rules,
        *,
        threshold: float,
        max_documents: int,
        count_bits: int,
        repeat_bits: int,
        sided: bool,
    ) -> None: ...
    def count(self, texts: Texts, *, threads: int) -> None: ...
    def add(self, texts: Texts, numbers: U32, *, threads: int) -> None: ...
    @property
    def nbytes(self) -> int:
        """What the index takes of memory."""

    def probe(self, texts: Texts, numbers: U32, *, threads: int) -> U64:
        """Candidates, container << 32 | contained."""

    def finish(self) -> tuple[U64, U32]:
        """More candidates, and the documents that consist of boilerplate; empties the index."""

def count_distinct(texts: Texts, rules: Rules, chosen: U32, *, threads: int) -> U64: ...
def exact_join(
    texts: Texts,
    rules: Rules,
    chosen: U32,
    sides: U8 | None,
    *,
    measure: str,
    threshold: float,
    threads: int,
) -> tuple[U32, U32, U64, U64, U64]: ...
def shingle_hashes(texts: Texts, rules: Rules) -> tuple[U64, U64]:
    """Hashes of all documents, one after another, and offsets [n + 1]."""

def prepared_hashes(texts: Texts, rules: Rules) -> U64:
    """Hashes of the shingles of one prepared text, with repeats; nothing is prepared again."""

def hash_only(texts: Texts, rules: Rules) -> int: ...
def prepared_text(texts: Texts, rules: Rules) -> str: ...
def shuffled_overlaps(
    texts: Texts, rules: Rules, *, what: str, seed: int | None, trials: int, threads: int
) -> tuple[U64, U64, U64]:
    """size_a, size_b, shared of two texts in each trial, their words or letters shuffled.

    Without a seed: of the texts as they stand, once.
    """

def align_columns(parts: U32, a: U32, b: U32, lengths: U32) -> U32:
    """For each word the smallest word of its column, by runs of equal words, the best ones first.

    A column has at most one word of each part.
    """

def find_clusters(documents: int, a: U32, b: U32) -> U32: ...
def kept_across(offsets: U64, neighbours: U32, texts: U32, groups: U32) -> U8:
    """Of copies, given as text and group from the best to the worst, which are kept."""

def clopper_pearson(agreeing: int, values: int, level: float) -> tuple[float, float]: ...
def vector_levels() -> list[str]:
    """What the machine can do: "none", "avx2", "avx512", as far as it goes."""

def limit_vectors(level: str) -> None:
    """Use no more than this level, on all threads."""

class AlignmentSettings:
    """How texts are aligned; made by the `AlignmentSettings` of `likewise.passages.alignment`."""

    def __init__(self) -> None: ...

def words_with_places(texts: Texts, *, stem_letters: int) -> tuple[U64, U64, U8, U32, U32, U8]:
    """Hashes, hashes of stems, letters, begins and ends in code points of the words of one text,
    and the n + 1 classes of the gaps around them."""

def numbered(hashes: U64) -> tuple[U32, U32]:
    """Hashes as 0, 1, 2, ... in the order in which they are met, and where each first is."""

def align_pairs(
    words: U32,
    forms: U32,
    gaps: U8,
    letters: U8,
    offsets: U64,
    a: U32,
    b: U32,
    rates: NDArray[np.float64],
    settings: AlignmentSettings,
    *,
    characters: U32,
    spelling: U32,
    threads: int,
) -> tuple[U32, NDArray[np.float64], U32]:
    """Passages of all pairs, of which a should be the longer text: [n, 7] of pair, a_begin, a_end,
    b_begin, b_end, first match, reworded; their evidence; and all matches, [m, 3] of the first word
    of a, that of b, and words."""

def split_texts(
    texts: Texts, rules: Rules, *, paragraphs: bool, threads: int
) -> tuple[U32, U32, U32, U32, U64, U64, U32]:
    """Lines or paragraphs with words, by document: documents, begins and ends in code points,
    words, both halves of digests; and of each document the words of all."""

def group_records(low: U64, high: U64, places: U64, *, least: int) -> tuple[U32, U64]:
    """Records that agree in both halves, group after group, each by ascending place; and where
    groups begin."""

class HashFilter:
    """Bits for hashes: never denies one that was added, and rarely confirms another."""

    def __init__(self, *, bits: int) -> None: ...
    def add(self, hashes: U64) -> None: ...

def fingerprint_windows(texts: Texts, *, words: int, shingle: int, threads: int) -> tuple[U64, U32]:
    """Winnowed hashes of shingles, one for each place that is the fingerprint of a run of words;
    and how many words each text has."""

def digest_windows(
    texts: Texts, filter: HashFilter, *, words: int, shingle: int, threads: int
) -> tuple[U32, U32, U64, U64]:
    """Runs of words whose fingerprint is in the filter: texts, first words, and both halves of
    digests."""

class WindowChoice:
    """Decides which runs of words are cut, text by text in the order of keeping."""

    def __init__(self, *, words: int) -> None: ...
    def cut(self, texts: U32, first_words: U32, groups: U64) -> tuple[U32, U32, U32]:
        """Texts, and the first word and the one after the last of what is cut."""

def range_characters(
    texts: Texts, of: U32, first: U32, last: U32, *, bounds: str, threads: int
) -> tuple[U32, U32, U32, U32, U32]:
    """Ranges of words as characters: texts, begins, ends, where the word before ends and where the
    one behind begins; of whole sentences or paragraphs only, where bounds say so."""
