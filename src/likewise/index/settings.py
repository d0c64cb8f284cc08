"""`IndexSettings`: the profile and promises of an index, stored in it; they never change."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, TypedDict

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.arrays import U32, U64
from likewise.errors import LikewiseError, UsageError
from likewise.index.damage import DamageError
from likewise.index.postings.entries import BANDS, RUNS, WORDS
from likewise.passages.settings import MIN_MIN_WORDS
from likewise.sketches.scan import Scan, scan
from likewise.statistics.bands import (
    DEFAULT_RECALL,
    DEFAULT_VALUES,
    Layout,
    check_recall,
    check_threshold,
    choose_layout,
    layout_by_hand,
)
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.whole_numbers import check_whole

DEFAULT_THRESHOLD = 0.5
MAX_MIN_WORDS = 1000


class IndexOptions(TypedDict, total=False):
    """The settings of `Index.create`, which describes them."""

    profile: Profile | str
    threshold: float
    recall: float
    values: int
    keep_text: bool
    min_words: int | None


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """The settings of an index; see `Index.create`. `layout` has the bands that give the recall."""

    profile: Profile
    threshold: float
    recall: float
    values: int
    layout: Layout
    keep_text: bool
    min_words: int | None = None

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of entries that documents have."""
        return (BANDS,) if self.min_words is None else (BANDS, RUNS, WORDS)

    @classmethod
    def checked(
        cls,
        *,
        profile: Profile | str = DEFAULT_PROFILE,
        threshold: float = DEFAULT_THRESHOLD,
        recall: float = DEFAULT_RECALL,
        values: int = DEFAULT_VALUES,
        keep_text: bool = True,
        min_words: int | None = None,
    ) -> IndexSettings:
        """Raises `UsageError` for values that are invalid or do not go together."""
        check_threshold(threshold)
        check_recall(recall)
        layout = choose_layout(threshold, recall, values)
        if layout is None:
            raise UsageError(
                f"no bands of {values} values find {recall:g} of the documents at {threshold:g}",
                hint="use more values, a lower recall or a higher threshold",
            )
        settings = cls(Profile.of(profile), threshold, recall, values, layout, keep_text, min_words)
        settings._check_passages()
        return settings

    def _check_passages(self) -> None:
        if self.min_words is not None:
            check_whole("min_words", self.min_words, MIN_MIN_WORDS, MAX_MIN_WORDS)
            if not self.keep_text:
                raise UsageError(
                    "passages require stored texts",
                    hint="store the texts, or disable passages",
                )

    def _check_stored(self) -> None:
        """Raises `UsageError` for values that no index has."""
        check_threshold(self.threshold)
        check_recall(self.recall)
        layout_by_hand(self.layout.bands, self.layout.rows, self.values)
        if self.layout.recall(self.threshold) < self.recall:
            raise UsageError(f"{self.layout} do not give a recall of {self.recall:g}")
        if not isinstance(self.keep_text, bool):
            raise UsageError("keep_text is neither true nor false")
        self._check_passages()

    def sketch(self, texts: Texts, threads: int) -> Scan:
        """The signatures and band keys of texts."""
        return scan(
            texts, self.profile, values=self.values, layout=self.layout, keep_signatures=True,
            threads=threads,
        )  # fmt: skip

    def band_keys(self, signatures: U32) -> U64:
        """Of signatures that are stored."""
        return _core.band_keys(signatures, bands=self.layout.bands, rows=self.layout.rows)

    def count_shingles(self, texts: Texts, threads: int) -> list[int]:
        every = np.arange(len(texts), dtype=np.uint32)
        counts: list[int] = _core.count_distinct(
            texts, self.profile.rules(), every, threads=threads
        ).tolist()
        return counts

    def summary(self) -> dict[str, Any]:
        """As users see them."""
        return {
            "profile": str(self.profile),
            "threshold": self.threshold,
            "recall": self.recall,
            "values": self.values,
            "bands": self.layout.bands,
            "rows": self.layout.rows,
            "keeps_text": self.keep_text,
            "min_words": self.min_words,
        }

    def to_json(self) -> str:
        """As stored: with every field of the profile, and the versions its hashes depend on."""
        return json.dumps(asdict(self) | {"profile": self.profile.to_dict()})

    @classmethod
    def from_json(cls, stored: str, where: str) -> IndexSettings:
        """Raises if the hashes of this version are not those of the index."""
        try:
            fields: dict[str, Any] = json.loads(stored)
            # Older indexes compare letters as stored, and have no passages.
            profile = {"letters": "stored", **fields["profile"]}
            fields = {"min_words": None, **fields}
            fields["profile"] = Profile(**{n: profile[n] for n in Profile.__dataclass_fields__})
            fields["layout"] = Layout(**fields["layout"])
            settings = cls(**{name: fields[name] for name in cls.__dataclass_fields__})
            settings._check_stored()
        except KeyError as error:
            raise DamageError(f"its settings have no {error}", where) from error
        except UsageError as error:
            raise DamageError(f"its settings are impossible: {error}", where) from error
        except (TypeError, ValueError, RecursionError, OverflowError) as error:
            raise DamageError("its settings are not those of an index", where) from error
        now = settings.profile.to_dict()
        for name in now.keys() | profile.keys():
            if now.get(name) != profile.get(name):
                raise LikewiseError(
                    f"{where}: created with {name} {profile.get(name)}, but this version has "
                    f"{now.get(name)}: the same text would have other shingles",
                    hint="create the index again from the documents, or use the version it was "
                    "created with",
                )
        return settings


def checked_options(settings: IndexOptions) -> dict[str, Any]:
    """Settings as an index has them. Raises `UsageError` for one that no index has."""
    if unknown := settings.keys() - IndexOptions.__annotations__.keys():
        raise UsageError(
            f"an index has no setting {min(unknown)!r}",
            hint=f"settings are {', '.join(IndexOptions.__annotations__)}",
        )
    checked: dict[str, Any] = dict(settings)
    if "profile" in settings:
        checked["profile"] = Profile.of(settings["profile"])
    return checked
