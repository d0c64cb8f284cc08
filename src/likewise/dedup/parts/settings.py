"""`PartSettings`: which repeated parts are removed, checked before work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias

from likewise.dedup.settings import DOCUMENT_DEFAULTS, FIRST, Keep
from likewise.errors import UsageError
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count
from likewise.types import GroupRule
from likewise.whole_numbers import check_whole

PartUnit: TypeAlias = Literal["paragraph", "line", "passage"]
CutAt: TypeAlias = Literal["word", "sentence", "paragraph"]

DOCUMENT, PASSAGE = "document", "passage"
MIN_WORDS = {"paragraph": 10, "line": 5, PASSAGE: 50}
UNITS = (DOCUMENT, *MIN_WORDS)
CUT_AT = ("word", "sentence", "paragraph")
DEFAULT_MIN_COUNT = 2
MIN_PASSAGE_WORDS = 5
_MAX_WORDS = 10**6
_MAX_WINDOW = 64  # shingles of which one is a fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class PartSettings:
    """What is a repeated part, and which one of several equal ones is kept.

    Attributes:
        unit: "paragraph", "line" or "passage".
        min_words: shorter parts are never removed.
        min_count: how often a paragraph or line must occur.
        cut_at: where passages may be cut: at words, or whole sentences or paragraphs only.
        groups: "within" if only the paragraphs or lines of one group are compared.
    """

    unit: str
    profile: Profile
    min_words: int
    min_count: int
    cut_at: str
    keep: Keep
    threads: int
    groups: GroupRule | None = None

    @classmethod
    def checked(
        cls,
        *,
        unit: str,
        profile: Profile | str = DEFAULT_PROFILE,
        min_words: int | None = None,
        min_count: int | None = None,
        cut_at: str | None = None,
        keep: str = FIRST,
        threads: int | None = None,
        groups: GroupRule | None = None,
    ) -> Self:
        """Settings from what a user gave; raises `UsageError` if something is wrong with it."""
        check_unit(unit)
        parsed = Profile.of(profile)
        passages = unit == PASSAGE
        if passages and parsed != Profile.of(DEFAULT_PROFILE):
            raise UsageError(
                f"profile cannot be combined with unit {unit!r}: passages are runs of words",
                hint="omit it; upper and lower case and punctuation do not matter",
            )
        if passages and min_count is not None:
            raise UsageError(
                f"min_count cannot be combined with unit {unit!r}",
                hint="it applies to paragraphs and lines",
            )
        if not passages and cut_at is not None:
            raise UsageError(
                f"cut_at cannot be combined with unit {unit!r}", hint="it applies to passages"
            )
        if cut_at is not None and cut_at not in CUT_AT:
            raise UsageError(f"cut_at is {cut_at!r}; it must be one of {', '.join(CUT_AT)}")
        words = MIN_WORDS[unit] if min_words is None else min_words
        check_whole("min_words", words, MIN_PASSAGE_WORDS if passages else 1, _MAX_WORDS)
        count = DEFAULT_MIN_COUNT if min_count is None else min_count
        check_whole("min_count", count, 2)
        return cls(
            unit=unit, profile=parsed, min_words=words, min_count=count, cut_at=cut_at or "word",
            keep=Keep.parse(keep), threads=thread_count(threads), groups=groups,
        )  # fmt: skip

    @property
    def shingle(self) -> int:
        """Words of the shingles that find passages: about half of a passage."""
        return max(self.min_words // 2 + 1, self.min_words - _MAX_WINDOW + 1)

    def to_dict(self) -> dict[str, Any]:
        """All that affects the result, in plain values."""
        shared = {"unit": self.unit, "min_words": self.min_words, "keep": str(self.keep)}
        if self.unit == PASSAGE:
            return {**shared, "cut_at": self.cut_at}
        own = {"min_count": self.min_count, "profile": str(self.profile), "groups": self.groups}
        return {**shared, **own}


def check_unit(unit: object) -> None:
    if unit not in UNITS:
        raise UsageError(f"unit is {unit!r}; it must be one of {', '.join(UNITS)}")


def part_settings(
    unit: str, parts: Mapping[str, Any], others: Mapping[str, Any], threads: int | None
) -> PartSettings | None:
    """The settings of a run on parts; None for one on documents.

    Args:
        parts: min_words, min_count and cut_at.
        others: of the other arguments, those that are not the same for all units.

    Raises `UsageError` if some of them do not apply to the unit.
    """
    check_unit(unit)
    if unit == DOCUMENT:
        refuse(parts, unit)
        return None
    shared = {name: others[name] for name in ("profile", "keep") if name in others}
    allowed = {*shared, "within"} if unit != PASSAGE else {*shared}
    refuse({name: value for name, value in others.items() if name not in allowed}, unit)
    groups: GroupRule | None = None if others.get("within") is None else "within"
    return PartSettings.checked(unit=unit, **parts, **shared, threads=threads, groups=groups)


def refuse(given: Mapping[str, Any], unit: str) -> None:
    """Raises for arguments that do not apply to the unit, if they differ from their defaults."""
    for name, value in given.items():
        default = DOCUMENT_DEFAULTS.get(name)
        if value is not None if default is None else value != default:
            others = "paragraphs, lines or passages" if unit == DOCUMENT else "whole documents"
            raise UsageError(
                f"{name} cannot be combined with unit {unit!r}", hint=f"it applies to {others}"
            )
