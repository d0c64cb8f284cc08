"""Plain text with numbers of verses, lines and sections."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents import Document, Reader, read_document
from likewise.documents.numbered import RULES, with_references
from likewise.documents.numbered.lines import read_lines
from likewise.errors import UsageError


def marked(rule: str, text: str) -> list[tuple[str, str]]:
    """Each stretch of the text with its reference, without blank ones."""
    document = with_references(Document(text), rule)
    if document.references is None:
        return []
    offsets = document.references.offsets
    ends = (*offsets[1:], len(document.text))
    return [
        (str(document.references.at(at) or ""), stretch)
        for at, end in zip(offsets, ends, strict=True)
        if (stretch := " ".join(document.text[at:end].split()))
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Mt 3,7 But when he saw\nMt 3,8-9 Bring forth\n1 Cor 13:4 Charity",
            [("Mt 3,7", "But when he saw"), ("Mt 3,8–9", "Bring forth"),
             ("1 Cor 13,4", "Charity")],
        ),
        (  # as Project Gutenberg prints it
            "The Book of Ruth\n\n\n1:1 Now it came to pass in the days\nwhen judges ruled. 1:2 And "
            "at 3:45\nhe left.\n\n2:1 And Naomi had a kinsman\n",
            [("The Book of Ruth 1,1", "Now it came to pass in the days when judges ruled."),
             ("The Book of Ruth 1,2", "And at 3:45 he left."),
             ("The Book of Ruth 2,1", "And Naomi had a kinsman")],
        ),
        (
            "Matthew\n\nChapter 1\nThe birth\n1 The book of\n2 Abraham had 3 sons,\n144 of them.\n"
            "[4] Judah\n\nCHAPTER II.\n1. Now\nMark 1\n1 The beginning",
            [("Matthew 1", "The birth"), ("Matthew 1,1", "The book of"),
             ("Matthew 1,2", "Abraham had 3 sons, 144 of them."), ("Matthew 1,4", "Judah"),
             ("Matthew 2,1", "Now"), ("Mark 1,1", "The beginning")],
        ),
        ("Obadiah\n\n1:1 The vision\n\nJonah\n\n1:1 Now the word",
         [("Obadiah 1,1", "The vision Jonah"), ("Jonah 1,1", "Now the word")]),
        ("Luther 1545\n\nPsalm 23\n1 Der Herr\n2 Er weidet",
         [("23,1", "Der Herr"), ("23,2", "Er weidet")]),
        ("No numbers at all.", []),
    ],
)  # fmt: skip
def test_verses_begin_where_their_numbers_are(text: str, expected: list[tuple[str, str]]) -> None:
    assert marked("verses", text) == expected


def test_lines_of_verse_are_counted_between_their_numbers() -> None:
    text = (
        "ACT III\nSCENE I. A room\n\nTo be, or not to be       56\nWhether\nThe slings\nOr    59\n"
        "ACT IV, SCENE 2\n1 One\n\n2 Two\nThree\n[5]  Five\n"
    )
    assert marked("lines", text) == [
        ("3", "ACT III"), ("3.1", "SCENE I. A room"), ("3.1.56", "To be, or not to be"),
        ("3.1.57", "Whether"), ("3.1.58", "The slings"), ("3.1.59", "Or"),
        ("4.2", "ACT IV, SCENE 2"), ("4.2.1", "One"), ("4.2.2", "Two"), ("4.2.3", "Three"),
        ("4.2.5", "Five"),
    ]  # fmt: skip


def test_lines_before_the_first_number_are_counted_back_from_it() -> None:
    assert marked("lines", "one\ntwo\nthree\t3\nfour in 1999") == [
        ("1", "one"), ("2", "two"), ("3", "three"), ("4", "four in 1999"),
    ]  # fmt: skip


def test_names_of_speakers_are_not_counted_as_lines() -> None:
    play = (
        "ACT III. SCENE 1\n\n[Enter HAMLET]\nHAMLET\nTo be, or not to be      56\nWhether tis\n"
        "OPHELIA\nThe slings\nHam.\nOr to take\nAnd by opposing         60\nOPHELIA\nGood my lord\n"
    )
    text, references = read_lines(play)
    assert references is not None
    found = {line: str(references.at(text.index(line))) for line in text.splitlines() if line}
    assert found == {
        "ACT III. SCENE 1": "3.1", "[Enter HAMLET]": "3.1.56", "HAMLET": "3.1.56",
        "To be, or not to be": "3.1.56", "Whether tis": "3.1.57", "OPHELIA": "3.1.58",
        "The slings": "3.1.58", "Ham.": "3.1.59", "Or to take": "3.1.59",
        "And by opposing": "3.1.60", "Good my lord": "3.1.61",
    }  # fmt: skip
    poem, numbered = read_lines("ROMA\nb\nc\nd\ne    5\n")  # a line in capitals, which counts
    assert numbered is not None
    assert [str(numbered.at(poem.index(line))) for line in ("ROMA", "b", "e")] == ["1", "2", "5"]


def test_sections_are_those_of_markdown_and_of_numbered_headings() -> None:
    text = (
        "# Title\n\nIntro\n\nmore\n\n## Methods\nfoo\n\nbar\n\n## Results\n\n"
        "2.1 Sampling\n\nbaz\n\nCoda\n----\nend\n\n§ 12 law\n\nmore law\n"
    )
    assert marked("sections", text) == [
        ("", "# Title"), ("¶ 1", "Intro"), ("¶ 2", "more"), ("Methods", "## Methods"),
        ("Methods ¶ 1", "foo"), ("Methods ¶ 2", "bar"), ("Results", "## Results"),
        ("2.1 Sampling", "2.1 Sampling baz"), ("Coda", "Coda ---- end"),
        ("Coda › § 12 ¶ 1", "§ 12 law"), ("Coda › § 12 ¶ 2", "more law"),
    ]  # fmt: skip


@given(
    st.sampled_from(RULES), st.text(st.sampled_from("Mt 13:7.,[]\n\t#=§ACThapersé"), max_size=60)
)
def test_no_word_is_lost_and_references_are_in_the_text(rule: str, text: str) -> None:
    document = with_references(Document(text), rule)
    letters = [letter for letter in document.text if letter.isalpha()]
    rest = iter(text)
    assert all(letter in rest for letter in letters)  # in the same order
    if document.references is not None:
        document.references.check()
        assert document.references.fits(len(document.text))


@pytest.mark.parametrize("rule", RULES)
def test_a_text_without_numbers_stays_as_it_is(rule: str) -> None:
    text = "It was a quiet street.\nNobody came, and nobody went.\n"
    document = with_references(Document(text), rule)
    assert (document.text, document.references) == (text, None)
    assert document.notes[-1].startswith("no ")


def test_a_rule_is_for_plain_text_alone(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("3:7 But when\n3:8 Bring", "utf-8")
    (tmp_path / "b.html").write_text("<p>3:7 But when</p>", "utf-8")
    (tmp_path / "c.txt").write_bytes("3:7 été".encode("latin-1"))
    (batch,) = Reader(str(tmp_path), places="verses")
    found = {one.id: (one.text, one.reference(0, 1)) for one in batch.documents()}
    assert found == {
        "a.txt": ("But when\nBring", "3,7"), "b.html": ("3:7 But when\n", ""),
        "c.txt": ("été", "3,7"),
    }  # fmt: skip
    document, _ = read_document(tmp_path / "a.txt", places="verses")
    assert document.reference(0, len(document.text)) == "3,7–8"


def test_an_unknown_rule_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text", "utf-8")
    with pytest.raises(UsageError, match="unknown rule 'pages'"):
        Reader(str(tmp_path), places="pages")
    with pytest.raises(UsageError, match="unknown rule 'pages'"):
        read_document(tmp_path / "a.txt", places="pages")
