"""`Survey`: a whole collection as it is shown: documents, pairs, how similar they are, the run.

Similar pairs and pairs that share passages are listed together, each with all measures; what is too
much to be listed is counted.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from likewise import __version__
from likewise.arrays import Floats, Ints
from likewise.documents.document import FIELDS, Document
from likewise.documents.texts import text_digest
from likewise.passages.matching_text import find_common_text
from likewise.passages.passage import ATTRIBUTIONS
from likewise.run import Progress, Stats, counted, silent
from likewise.search.order import id_key
from likewise.statistics.null_models import NULL_MODELS
from likewise.survey.archive import Archive, check_unique
from likewise.survey.collection_pairs import CollectionPairs
from likewise.survey.exclusion_data import exclusion_data
from likewise.survey.exclusions import exclusions_view
from likewise.survey.families import SurveyFamilies
from likewise.survey.hidden_characters import collection_sentence
from likewise.survey.run_facts import run_view
from likewise.survey.scores import ATTRIBUTION_COLUMNS, DocumentScores
from likewise.survey.settings import RunFacts, SurveySettings
from likewise.survey.shown_passages import passage_words, passages_view
from likewise.survey.shown_text import ShownText, shown_texts

FORMAT = 1
BINS = 50
_BATCH_TEXTS = 1000
_DEFAULT = SurveySettings()
_NO_FACTS = RunFacts()


class Survey:
    """A collection, with the texts and passages of what is listed. The ids must be unique.

    With an archive, the documents of the collection are under review: they are compared with each
    other and with those of the archive, which are not compared with each other.

    Attributes:
        texts: all documents, in the order of their ids, those of the archive last.
        under_review: how many of them are not of the archive.
        pairs: all pairs.
        scores: of all documents.
        families: wording that the same documents share.
        rows: which of the pairs are listed, in order.
        listed: which of the documents are, by number.
    """

    def __init__(
        self,
        documents: Iterable[Document],
        settings: SurveySettings = _DEFAULT,
        run: RunFacts = _NO_FACTS,
        progress: Progress = silent,
        archive: Archive | None = None,
    ) -> None:
        self.settings = settings
        self.run = run
        self.archive = archive
        self._stats = Stats()
        ordered = sorted(documents, key=lambda document: id_key(document.id))
        check_unique(ordered)
        self.under_review = len(ordered)
        names: list[str | None] = [None] * len(ordered)
        for name, document in archive.named(ordered) if archive else ():
            names.append(name)
            ordered.append(document)
        with self._stats.timed("prepare"):
            common = find_common_text([one.text for one in ordered], settings.exclude)
            self.texts: list[ShownText] = []
            for begin in range(0, len(ordered), _BATCH_TEXTS):
                progress("prepare", begin, len(ordered))
                batch = ordered[begin : begin + _BATCH_TEXTS]
                self.texts += shown_texts(batch, settings.exclude, common)
            if archive is not None:
                self.texts = [
                    replace(text, archive=name)
                    for text, name in zip(self.texts, names, strict=True)
                ]
        archive_size = None if archive is None else len(archive)
        self.pairs = CollectionPairs(self.texts, settings, progress, archive_size)
        excluded = common.described("excluded") if common else []
        self._common_text = [*excluded, *self.pairs.common_text]
        self.rows = self.pairs.list_first(settings.max_pairs)
        with self._stats.timed("scores"):
            self.scores = DocumentScores.of(self.texts, self.pairs)
        with self._stats.timed("families"):
            self.families = SurveyFamilies.of(self.texts, self.pairs, settings, progress)
        self.listed = self._list_documents()
        self._place = {number: row for row, number in enumerate(self.listed.tolist())}

    @property
    def in_archive(self) -> Ints:
        """Documents of the archive that are in a pair, by number."""
        found = np.unique(self.pairs.table.b)  # a is under review
        return found[found >= self.under_review].astype(np.int64)

    def _list_documents(self) -> Ints:
        """Those of listed pairs, and then those with most in common with any other.

        Of the archive only those that are in a pair.
        """
        table = self.pairs.table
        able = np.concatenate([np.arange(self.under_review), self.in_archive])
        needed = np.union1d(table.a[self.rows], table.b[self.rows]).astype(np.int64)
        most = max(self.settings.max_documents, len(needed))
        if len(able) <= most:
            return able
        share = self.scores.matched / np.maximum(self.pairs.sizes, 1)
        rank = np.maximum(self.scores.highest, share)
        rank[needed] = 2.0
        return np.sort(able[np.argsort(-rank[able], kind="stable")[:most]])

    def pair(self, row: int) -> tuple[int, int]:
        """The rows of both documents of a listed pair."""
        a, b = self._numbers(row)
        return self._place[a], self._place[b]

    def _numbers(self, row: int) -> tuple[int, int]:
        table, at = self.pairs.table, int(self.rows[row])
        return int(table.a[at]), int(table.b[at])

    def text(self, row: int) -> ShownText:
        """A listed document as it is shown."""
        return self.texts[int(self.listed[row])]

    def passages(self, row: int) -> list[dict[str, Any]]:
        """The passages of a listed pair, possibly reworded ones last."""
        a, b = self._numbers(row)
        shared = self.pairs.passages.get((a, b))
        return passages_view(self.texts[a], self.texts[b], shared.every if shared else ())

    def figures_of_rows(self) -> Floats:
        """The figures by which listed pairs are ordered, as shown; a row for each pair."""
        shared, jaccard = self.pairs.shared[self.rows], self.pairs.jaccard[self.rows]
        return np.column_stack([jaccard, shared["share_a"], shared["share_b"]]).round(6)

    def aligned_words(self) -> Iterator[tuple[tuple[int, int], tuple[Ints, Ints]]]:
        """The matched words of listed pairs by number: the numbers of both documents, and for each
        matched word its number in a and in b."""
        for row in range(len(self.rows)):
            a, b = self._numbers(row)
            shared = self.pairs.passages.get((a, b))
            for passage in shared.every if shared else ():
                yield (a, b), passage_words(self.texts[a], self.texts[b], passage)

    def to_dict(
        self,
        with_text: Collection[int] | None = None,
        left_out: Sequence[str] = (),
        *,
        digests: bool = True,
    ) -> dict[str, Any]:
        """Everything as plain values.

        `with_text` are the rows of documents whose text can be shown, all if not given; `left_out`
        are more sentences on what is not included; without `digests`, nobody can tell whether a
        text that he has is one of these.
        """
        return {
            "format": FORMAT,
            "title": self.run.title,
            "identity": self._identity(),
            "version": __version__,
            "made": self.run.made,
            "documents": self._documents(with_text, digests=digests),
            "archive": self._archive(),
            "pairs": self._pairs(),
            "families": self._families,
            "histogram": {
                "pairs": histogram(self.pairs.jaccard),
                "documents": histogram(self.scores.highest[: self.under_review]),
            },
            "similarity": self._similarity(),
            "chance": self._chance(),
            "chance_reason": self.pairs.chances.reason,
            "attributions": self._attributions(),
            "common_text": self._common_text,
            "hidden_characters": collection_sentence(text.hidden_characters for text in self.texts),
            "threshold": self.settings.threshold,
            "min_words": self.settings.min_words,
            "exclusion_data": self._exclusion_data,
            "exclusions": exclusions_view(self.settings.exclude, self.texts, self._counts()),
            "left_out": [*self.run.left_out, *self._left_out(), *left_out],
            "run": run_view(
                self.settings, self.run, self._stats, self.pairs.stats, self.pairs.passage_stats
            ),
        }

    @cached_property
    def _exclusion_data(self) -> dict[str, Any]:
        return exclusion_data(self)

    @cached_property
    def _families(self) -> dict[str, Any]:
        return self.families.to_dict(self._place, self.listed.tolist())

    def _identity(self) -> str:
        """The same for all surveys of the same documents under review, whatever the settings."""
        known = [[one.document.id, one.digest] for one in self.texts[: self.under_review]]
        return text_digest(json.dumps(known))

    def _documents(self, with_text: Collection[int] | None, *, digests: bool) -> dict[str, Any]:
        chosen = self.listed.tolist()
        columns = described_columns([self.texts[number].document for number in chosen])
        columns |= {
            "words": self.pairs.sizes[self.listed].tolist(),
            "characters": [len(self.texts[number].document.text) for number in chosen],
            "matched": self.scores.matched[self.listed].tolist(),
            **{
                name: self.scores.attributed[self.listed, place].tolist()
                for place, name in enumerate(ATTRIBUTION_COLUMNS)
            },
            "highest": _rounded(self.scores.highest[self.listed]),
            "sources": self.scores.sources[self.listed].tolist(),
            "run": self.scores.longest[self.listed].tolist(),
            "best": [self._place.get(number) for number in self.scores.best[self.listed].tolist()],
            "flags": [len(self.texts[number].flags) for number in chosen],
            "text": [int(with_text is None or row in with_text) for row in range(len(self.listed))],
        }
        if digests:
            columns["digest"] = [self.texts[number].digest for number in chosen]
        if self.archive is not None:
            columns["archive"] = [self.texts[number].archive for number in chosen]
        count = self.under_review if self.run.documents is None else self.run.documents
        return {"count": count, "columns": columns}

    def _archive(self) -> dict[str, Any] | None:
        """The number of its documents and how many are in a pair; None if there is no archive."""
        if self.archive is None:
            return None
        return {
            "names": list(self.archive.collections),
            "count": len(self.archive),
            "found": len(self.in_archive),
        }

    def _pairs(self) -> dict[str, Any]:
        pairs, rows = self.pairs, self.rows
        table, shared = pairs.table.take(rows), pairs.shared[rows]
        columns: dict[str, list[Any]] = {
            "a": [self._place[number] for number in table.a.tolist()],
            "b": [self._place[number] for number in table.b.tolist()],
            "jaccard": _rounded(table.jaccard()),
            "containment_a": _rounded(table.containment_a()),
            "containment_b": _rounded(table.containment_b()),
            "shared": table.shared.tolist(),
            "size_a": table.size_a.tolist(),
            "size_b": table.size_b.tolist(),
            "words": shared["words"].tolist(),
            "words_b": shared["words_b"].tolist(),
            "share_a": _rounded(shared["share_a"]),
            "share_b": _rounded(shared["share_b"]),
            "passages": shared["passages"].tolist(),
            "reworded": shared["reworded"].tolist(),
            "run": shared["run"].tolist(),
            "run_p": [None if np.isnan(p) else p for p in shared["p"].tolist()],
            "chance_run": pairs.chance_runs(rows),
        }
        if pairs.chances.null is not None:
            columns |= {
                "chance": _rounded(pairs.chances.chance[rows]),
                "p": _significant(pairs.chances.p_value[rows]),
                "q": _significant(pairs.chances.q_value[rows]),
            }
        return {"count": len(pairs), "columns": columns}

    def _attributions(self) -> dict[str, dict[str, int]]:
        """By group, the shared words of all documents under review, and how many have some."""
        words = self.scores.attributed[: self.under_review]
        return {
            group: {
                "words": int(words[:, place].sum()),
                "documents": int(np.count_nonzero(words[:, place])),
            }
            for place, group in enumerate(ATTRIBUTIONS)
        }

    def _similarity(self) -> dict[str, float]:
        values = self.scores.highest[: self.under_review] if self.under_review else np.zeros(1)
        highest, mean, median = _rounded(
            np.array([values.max(), values.mean(), float(np.median(values))])
        )
        return {"highest": highest, "mean": mean, "median": median}

    def _chance(self) -> dict[str, Any] | None:
        null = self.pairs.chances.null
        if null is None:
            return None
        mean, highest = _rounded(np.array([null.mean(), null[-1]]))
        return {
            "mean": mean,
            "highest": highest,
            "pairs": len(null),
            "what": NULL_MODELS["corpus"].what,
        }

    def _left_out(self) -> list[str]:
        sentences = []
        if (more := len(self.pairs) - len(self.rows)) > 0:
            sentences.append(
                f"{counted(len(self.pairs), 'pair')} were found; the {len(self.rows):,} most "
                f"similar are listed, the other {more:,} are not."
            )
        count = self.under_review + len(self.in_archive)
        if (more := count - len(self.listed)) > 0:
            sentences.append(
                f"There are {counted(count, 'document')}; the {len(self.listed):,} with "
                f"the most in common with another are listed, the other {more:,} are not."
            )
        return [*sentences, *self.families.left_out()]

    def _counts(self) -> dict[str, int]:
        below = self.pairs.stats.counts.get("below_min_share", 0)
        return self.pairs.passage_stats.counts | {"below_min_share": below}


def described_columns(documents: Iterable[Document]) -> dict[str, list[Any]]:
    """Ids, and titles, authors, dates and groups if any are known."""
    described = [document.described() for document in documents]
    columns = {name: [one[name] for one in described] for name in ("id", *FIELDS)}
    return {
        name: values
        for name, values in columns.items()
        if name == "id" or any(value is not None for value in values)
    }


def histogram(values: Floats) -> list[int]:
    bins = np.minimum((values * BINS).astype(np.int64), BINS - 1)
    counts: list[int] = np.bincount(bins, minlength=BINS).tolist()
    return counts


def _rounded(values: Floats) -> list[float]:
    rounded: list[float] = np.round(values, 6).tolist()
    return rounded


def _significant(values: Floats) -> list[float]:
    return [float(f"{value:.4g}") for value in values.tolist()]
