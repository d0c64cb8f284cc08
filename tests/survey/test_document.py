"""Documents that are looked at, as they come from a reader and from an index."""

from __future__ import annotations

from pathlib import Path

from likewise.documents.batch import Batch
from likewise.documents.document import Hidden
from likewise.documents.texts import text_array
from likewise.index.index import Index


def test_a_batch_gives_pages_metadata_and_hidden_text() -> None:
    hidden = (Hidden(3, "unseen", "white", 6),)
    batch = Batch(
        ["a", "b"],
        text_array(["one text", "two"]),
        [(0, 4), None],
        [{"title": "One"}, None],
        [hidden, ()],
    )
    first, second = batch.documents()
    assert (first.id, first.text, first.page_starts) == ("a", "one text", (0, 4))
    assert first.metadata == {"title": "One"}
    assert first.hidden == hidden
    assert (second.page_starts, second.metadata, second.hidden) == (None, None, ())


def test_a_plain_batch_gives_texts_alone() -> None:
    (only,) = Batch(["a"], text_array(["one text"])).documents()
    assert only.described() == {
        "id": "a", "title": None, "author": None, "date": None, "group": None,
    }  # fmt: skip


def test_a_stored_document_is_as_it_was_added(tmp_path: Path) -> None:
    with Index.create(tmp_path / "one.db") as index:
        index.add(["one text"], ["a"], metadata=[{"title": "One"}], page_starts=[(0, 4)])
        stored = index.get("a")
    assert stored is not None
    shown = stored.to_document()
    assert (shown.id, shown.text, shown.page_starts) == ("a", "one text", (0, 4))
    assert shown.described()["title"] == "One"
