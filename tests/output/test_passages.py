"""Passages for people: both sides, where they stand, shortened and harmless; rows for programs."""

from __future__ import annotations

import json
import re
from io import BytesIO
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents.document import Document
from likewise.output.excerpt import excerpt, shortened, wrapped
from likewise.output.passages import (
    Documents,
    View,
    notes,
    passage_rows,
    passages_text,
    summary,
)
from likewise.output.rows import write_rows
from likewise.output.table import display_width
from likewise.passages.find import find_passages
from likewise.passages.passage import Passage
from likewise.passages.results import PassagePair, Passages
from tests.strategies import texts

RUN = "twelve quiet herons stood upon the frozen river until the evening bells began"
CHANGED = RUN.replace("frozen river", "grey lake").replace("evening ", "").replace("quiet", "the")
OWN = "My own essay begins with words of its own.\n"
OTHER = "Another beginning altogether,\nwhich takes two lines.\n"


def document(text: str, *more: Any, **named: Any) -> Document:
    return Document(text, *more, id="an id", **named)


def one_pair(a: Document, b: Document, in_a: str, in_b: str) -> tuple[Passages, Documents]:
    """Two documents with one passage, known by its text on both sides."""
    starts = a.text.index(in_a), b.text.index(in_b)
    ends = starts[0] + len(in_a), starts[1] + len(in_b)
    passage = Passage(
        starts[0], ends[0], starts[1], ends[1], 10, 4, 0.875, "edited", 50.0, 13, 13, 8, 0.00012
    )
    pair = PassagePair(
        a="a.txt", b="b.txt", passages=(passage,), size_a=20, size_b=26, words_a=12, words_b=17,
        p=0.00012, chance_run=2,
    )  # fmt: skip
    return Passages([pair]), {"a.txt": a, "b.txt": b}


def shown(
    a: Document, b: Document, in_a: str = RUN, in_b: str = RUN, view: View | None = None
) -> str:
    passages, documents = one_pair(a, b, in_a, in_b)
    return "".join(passages_text(passages, documents, documents, view or View()))


def test_both_sides_are_shown_with_their_context_and_line() -> None:
    a, b = document(f"{OWN}Then {RUN}, and so on."), document(f"{OTHER}{RUN}. The end.")
    out = shown(a, b)
    assert out.startswith(
        "a  a.txt\nb  b.txt\n"
        "   12 shared words of a and 17 of b in 1 passage: 60% of a, 65% of b; "
        "longest run 4 words\n"
    )
    joined = " ".join(out.split())
    assert "\n   edited, 10 shared words of 13 and 13, longest run 4\n   so long a match in " in out
    assert "in unrelated texts of these lengths: 1 in 8,300 a line 2" in joined
    assert f"a line 2: … essay begins with words of its own. Then [{RUN}], and so on." in joined
    assert f"b line 3: Another beginning altogether, which takes two lines. [{RUN}]. The" in joined
    assert all(len(line) <= 100 for line in out.splitlines())


def test_pages_and_titles_are_reported_where_they_are_known() -> None:
    paged = document(OWN + RUN, (0, len(OWN)), metadata={"title": "The Heron"})
    out = shown(paged, document(f"{OTHER}{RUN}."))
    assert "a  a.txt  (The Heron)\nb  b.txt\n" in out
    assert "a  p. 2, line 1:" in out
    assert "b  line 3:" in out


def test_context_may_be_none_and_a_long_passage_is_shortened_in_the_middle() -> None:
    long = " ".join(f"number{i}" for i in range(200))
    out = shown(document(f"x y {long} z"), document(long), long, long, View(context=0))
    joined = " ".join(out.split())
    assert "a line 1: … [number0" in joined
    assert "number19 … (160 words) … number180" in joined
    assert "number199] …" in joined
    assert "number20 " not in joined


def test_differences_are_marked_word_by_word() -> None:
    out = shown(document(CHANGED), document(RUN), CHANGED, RUN, View(differences=True))
    assert (
        "differences, [-b-] {+a+}: twelve [-quiet-] {+the+} herons stood upon the [-frozen river-] "
        "{+grey lake+} until the [-evening-] bells began"
    ) in " ".join(out.split())
    same = shown(document(RUN), document(RUN.upper()), RUN, RUN.upper(), View(differences=True))
    assert "differences, [-b-] {+a+}:  none in the words\n" in same


def test_of_very_many_differences_the_first_are_shown() -> None:
    a = " ".join(f"same{i} new{i}" for i in range(500))
    b = " ".join(f"same{i}" for i in range(500))
    out = shown(document(a), document(b), a, b, View(differences=True))
    assert "{+new59+}" in out
    assert "{+new60+}" not in out
    assert "… and 440 more differences" in " ".join(out.split())


def test_a_passage_can_do_nothing_to_the_terminal() -> None:
    evil = RUN.replace("quiet", "quiet \x1b[2J\x07").replace("upon", "upon\u202e\r\n")
    a, b = document(f"\x1b]0;title\x07 {evil}"), document(f"{evil} x")
    out = shown(a, b, evil, evil, View(differences=True))
    assert re.fullmatch(r"[^\x00-\x09\x0b-\x1f\x7f\u202e]*", out)
    assert "\\x1b[2J" in out


def test_no_passages_and_many_pairs_are_reported() -> None:
    assert "".join(passages_text(Passages([]), {}, {}, View())) == "no passages\n"
    passages, documents = one_pair(document(RUN), document(RUN), RUN, RUN)
    many = Passages(passages.pairs * 6)
    out = "".join(passages_text(many, documents, documents, View(shown=2)))
    assert out.count("edited,") == 2
    assert out.endswith("… and 4 more pairs\n")
    assert "more pair" not in "".join(passages_text(many, documents, documents, View(shown=6)))


def test_rows_have_offsets_places_and_texts() -> None:
    a, b = document(f"{OWN}Then {CHANGED}, so."), document(f"{OTHER}{RUN}. The end.")
    passages, documents = one_pair(a, b, CHANGED, RUN)
    out = BytesIO()
    write_rows(passage_rows(passages, documents, documents, differences=True), "jsonl", out)
    row = json.loads(out.getvalue())
    assert (row["a_text"], row["b_text"]) == (CHANGED, RUN)
    assert a.text[row["a_start"] : row["a_end"]] == CHANGED
    assert (row["a_page"], row["a_line"], row["b_page"], row["b_line"]) == (None, 2, None, 3)
    changed = [part["kind"] for part in row["differences"] if part["kind"] != "equal"]
    assert changed == ["replaced", "replaced", "left out"]
    assert (row["words"], row["similarity"], row["kind"], row["evidence"]) == (
        10,
        0.875,
        "edited",
        50,
    )


def test_parquet_has_whole_numbers_where_pages_are_missing_or_nothing_was_found() -> None:
    one, documents = one_pair(document(RUN), document(RUN), RUN, RUN)
    for passages in (one, Passages([])):
        out = BytesIO()
        write_rows(passage_rows(passages, documents, documents), "parquet", out)
        schema = pq.read_table(out).schema
        assert {str(schema.field(n).type) for n in ("a_page", "a_line", "words")} == {"int64"}
        assert str(schema.field("similarity").type) == "double"


def test_the_summary_says_what_was_found_and_how() -> None:
    passages = find_passages([RUN, RUN])
    assert summary(passages.stats).startswith(
        "1 passage in 1 pair among 2 documents (by runs of 12"
    )


def test_notes_tell_where_text_is_stored_otherwise_than_it_is_shown() -> None:
    mixed = RUN.replace("herons", "hеrоns").replace("river", "rivеr")  # Cyrillic letters
    passages = find_passages([mixed, RUN], ids=["a.txt", "b.txt"])
    assert len(passages) == 1
    assert [note for note in notes(passages) if "a.txt" in note and "2 look-alike" in note]


# --- excerpts


@given(texts, st.integers(0, 80), st.integers(0, 80), st.integers(0, 6))
def test_any_stretch_of_any_text_is_shown_on_one_harmless_line(
    text: str, first: int, second: int, context: int
) -> None:
    start, end = sorted((min(first, len(text)), min(second, len(text))))
    line = excerpt(text, start, end, context)
    assert line.isprintable()


@pytest.mark.parametrize("text", ["x" * 1_000_000, "x" * 999 + " " + "y" * 1_000_000, "\n" * 9999])
def test_what_has_no_spaces_is_shown_in_part(text: str) -> None:
    assert len(excerpt(text, 5, len(text) - 5, 8)) < 6000


def test_words_around_are_counted_from_the_passage_on() -> None:
    text = "one two three [four] five, six seven"
    start = text.index("four")
    assert excerpt(text, start, start + 4, 2) == "… two three [[four]] five, six …"
    assert excerpt(text, 0, len(text), 2) == "[one two three [four] five, six seven]"


def test_a_few_words_more_are_not_worth_shortening() -> None:
    words = " ".join(map(str, range(30)))
    assert shortened(words, 20) == words
    assert shortened(words + " 30", 20).split(" … ")[1] == "(11 words)"


@given(st.lists(st.text("ab漢é\u0301", min_size=1, max_size=30), max_size=12), st.integers(8, 40))
def test_wrapping_keeps_every_letter_inside_the_width(words: list[str], width: int) -> None:
    lines = list(wrapped(" ".join(words), width, "a  ", "   "))
    assert all(display_width(line) <= width for line in lines)
    assert lines[0].startswith("a")
    assert "".join("".join(line[3:].split()) for line in lines) == "".join(words)
