"""Phrases and templates that an app excludes from the comparison, in the facts of an index."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from likewise.errors import UsageError
from likewise.index.damage import DamageError
from likewise.index.stores.transaction import Snapshot, Transaction
from likewise.passages.exclusions import phrases
from likewise.text.words import words_of

MAX_PHRASES = 200
MAX_PHRASE_CHARACTERS = 300
MAX_TEMPLATES = 20
MAX_TEMPLATE_CHARACTERS = 1_000_000
"""Of all templates together."""
_FACT = "exclusions"


@dataclass(frozen=True, slots=True)
class ExclusionTexts:
    """Phrases, and the texts of templates by their names."""

    phrases: tuple[str, ...] = ()
    templates: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, snapshot: Snapshot) -> ExclusionTexts:
        stored = snapshot.fact(_FACT)
        if not stored:
            return cls()
        try:
            listed, templates = json.loads(stored)
            if (
                _are_texts(listed)
                and isinstance(templates, dict)
                and _are_texts(templates.values())
            ):
                return cls(tuple(listed), templates)
        except (ValueError, TypeError, RecursionError):
            pass
        raise DamageError("the exclusions are not as they were written")

    def write(self, transaction: Transaction) -> None:
        stored = json.dumps([list(self.phrases), dict(self.templates)])
        transaction.set_fact(_FACT, stored)

    def with_phrases(self, listed: Iterable[str]) -> ExclusionTexts:
        """With these phrases in place of all. Raises `UsageError` for one without a word."""
        kept = tuple(dict.fromkeys(phrase.strip() for phrase in listed))
        if len(kept) > MAX_PHRASES:
            raise UsageError(f"{len(kept):,} phrases; at most {MAX_PHRASES:,} can be excluded")
        for phrase in kept:
            if len(phrase) > MAX_PHRASE_CHARACTERS:
                raise UsageError(
                    f"a phrase has {len(phrase):,} characters; at most {MAX_PHRASE_CHARACTERS:,}",
                    hint="add longer text as a template",
                )
        phrases("", kept)
        return replace(self, phrases=kept)

    def with_template(self, name: str, text: str) -> ExclusionTexts:
        """With a template, in place of one of the same name."""
        if not len(words_of(text)):
            raise UsageError(f"the template {name!r} has no text")
        templates = {**self.templates, name: text}
        if len(templates) > MAX_TEMPLATES:
            raise UsageError(f"at most {MAX_TEMPLATES} templates can be excluded")
        if sum(map(len, templates.values())) > MAX_TEMPLATE_CHARACTERS:
            raise UsageError(
                f"the templates have more than {MAX_TEMPLATE_CHARACTERS:,} characters together"
            )
        return replace(self, templates=templates)

    def without_template(self, name: str) -> ExclusionTexts:
        """Without the template of this name, if there is one."""
        rest = {other: text for other, text in self.templates.items() if other != name}
        return replace(self, templates=rest)


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)
