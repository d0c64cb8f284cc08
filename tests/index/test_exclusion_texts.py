"""Phrases and templates that an app excludes are facts of an index."""

from __future__ import annotations

from pathlib import Path

import pytest

from likewise.index.damage import DamageError
from likewise.index.exclusion_texts import ExclusionTexts
from likewise.index.index import Index


def test_they_are_stored_and_changed(path: str) -> None:
    with Index.create(path) as index:
        assert index.exclusion_texts == ExclusionTexts()
        index.change_exclusion_texts(lambda known: known.with_phrases(["thank you", "thank you "]))
        index.change_exclusion_texts(lambda known: known.with_template("task", "The task is this."))
    with Index(path) as index:
        assert index.exclusion_texts == ExclusionTexts(
            ("thank you",), {"task": "The task is this."}
        )
        index.change_exclusion_texts(lambda known: known.without_template("task"))
        assert index.exclusion_texts == ExclusionTexts(("thank you",))


@pytest.mark.parametrize("stored", ["[", "[1, 2]", '[["a"], {"b": 1}]', '["a"]', "{}"])
def test_what_was_damaged_is_reported(tmp_path: Path, stored: str) -> None:
    with Index.create(str(tmp_path / "a.db")) as index:
        with index._store.write() as transaction:
            transaction.set_fact("exclusions", stored)
        with pytest.raises(DamageError):
            index.exclusion_texts  # noqa: B018
