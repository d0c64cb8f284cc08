"""The made-up class: the files are as they should be, and what is said to be true of them is."""

from __future__ import annotations

import csv
import subprocess
import sys
import zipfile
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import pypdfium2
import pytest

from tests.tools.conftest import SMALL
from tools.classroom.assignment import ASSIGNMENT, QUESTIONS
from tools.classroom.copying import KINDS
from tools.classroom.corpus import MAX_RUN
from tools.classroom.essay import Essay, text_of
from tools.classroom.files import write_class
from tools.classroom.school_class import Planted, SchoolClass, make_class
from tools.classroom.scoring import ReadClass
from tools.classroom.sentence import OWN, TEMPLATE
from tools.classroom.truth import Truth


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_same_seed_gives_the_same_files(class_folder: Path, tmp_path: Path) -> None:
    write_class(make_class(1, **SMALL), tmp_path / "again")
    write_class(make_class(2, **SMALL), tmp_path / "other")
    assert files_of(class_folder) == files_of(tmp_path / "again")
    assert files_of(class_folder) != files_of(tmp_path / "other")


def test_all_files_are_read_with_the_words_that_were_planned(read_class: ReadClass) -> None:
    assert len(read_class.first) == 24
    assert len(read_class.second) == 8 + 1


def test_a_third_of_the_essays_is_of_each_format(small_class: SchoolClass) -> None:
    assert Counter(one.format for one in small_class.this_year) == dict.fromkeys(
        ("docx", "pdf", "txt"), 8
    )


def test_essays_are_in_a_folder_for_each_question(class_folder: Path) -> None:
    for year in ("this-year", "last-year"):
        assert {path.name for path in (class_folder / year).iterdir()} == set(QUESTIONS)


def test_essays_have_150_to_3000_words(small_class: SchoolClass) -> None:
    sizes = [one.size(template=False) for one in small_class.this_year]
    assert min(sizes) >= 150
    assert max(sizes) <= 3000
    assert max(sizes) > 4 * min(sizes)


def test_title_pages_and_metadata_have_the_names(
    small_class: SchoolClass, read_class: ReadClass, class_folder: Path
) -> None:
    names = {row["id"]: row["author"] for row in rows_of(class_folder / "metadata.csv")}
    for id_, one in read_class.first.items():
        assert names[id_] in one.text[:100]
        assert one.text.count("Student") == 1
        assert " ".join(ASSIGNMENT) in " ".join(one.text.split()).replace("- ", "")
    assert len(set(names.values())) == len(small_class.essays)


def test_word_files_have_styles_and_a_footer(class_folder: Path) -> None:
    for path in class_folder.rglob("*.docx"):
        with zipfile.ZipFile(path) as package:
            assert b"Reading course" in package.read("word/footer1.xml")
            assert b'w:styleId="Title"' in package.read("word/styles.xml")
            assert b"footerReference" in package.read("word/document.xml")


def test_pages_of_pdfs_have_a_running_header_and_footer(class_folder: Path) -> None:
    for path in class_folder.rglob("*.pdf"):
        with pypdfium2.PdfDocument(path) as document:
            assert len(document) >= 2
            for number in range(len(document)):
                text = document[number].get_textpage().get_text_bounded()
                assert f"Page {number + 1} of {len(document)}" in text
                assert text.startswith(("Reading course", "A reader"))


def test_pdfs_break_words_at_line_ends(class_folder: Path) -> None:
    with pypdfium2.PdfDocument(class_folder / "sources" / "long.pdf") as document:
        text = "".join(page.get_textpage().get_text_bounded() for page in document)
    assert text.count("\x02") + text.count("\ufffe") >= 10


def test_some_text_files_are_not_utf8(class_folder: Path) -> None:
    def is_utf8(data: bytes) -> bool:
        try:
            data.decode()
        except UnicodeDecodeError:
            return False
        return True

    kinds = Counter(is_utf8(path.read_bytes()) for path in class_folder.rglob("*.txt"))
    assert kinds[True]
    assert kinds[False]


def test_every_kind_of_copy_is_planted(small_class: SchoolClass) -> None:
    assert {one.kind for one in small_class.planted} == set(KINDS)
    assert len(KINDS) >= 8


@pytest.mark.slow
def test_a_class_of_full_size_in_which_most_essays_copy_nothing_and_some_everything() -> None:
    full = make_class()
    assert (len(full.this_year), len(full.last_year)) == (120, 80)
    assert full.long.size(template=False) >= 80_000
    truth = Truth(full.this_year, template=False)
    others = Truth(full.this_year, [*full.last_year, full.long], template=False)
    copies = {one.copy.id for one in full.planted}
    assert len(copies) < 120 / 2
    shares = [
        truth.share(truth.of_document(one) + others.of_document(one), one) for one in full.this_year
    ]
    assert sum(share > 0.95 for share in shares) >= 3
    assert sum(share == 0 for share in shares) > 30


def words_of_copy(one: Planted) -> tuple[list[int], list[int]]:
    return (
        one.copy.hashes[slice(*one.copy_range)].tolist(),
        one.source.hashes[slice(*one.source_range)].tolist(),
    )


def test_planted_ranges_have_the_words_of_their_source(small_class: SchoolClass) -> None:
    for one in small_class.planted:
        copy, source = words_of_copy(one)
        if one.kind == "reordered":
            assert copy != source
            assert sorted(copy) == sorted(source)
        elif one.kind == "one word in 8":
            assert len(copy) == len(source)
            equal = sum(a == b for a, b in zip(copy, source, strict=True))
            assert equal == pytest.approx(len(copy) * 7 / 8, abs=1)
        elif one.kind == "reworded":
            assert 3 * len(copy) < len(source)
            assert not runs(copy, MAX_RUN + 1) & runs(source, MAX_RUN + 1)
        elif one.kind == "look-alikes":
            assert copy != source
            assert len(copy) == len(source)
        else:
            assert copy == source


def runs(words: list[int], size: int) -> set[tuple[int, ...]]:
    return {tuple(words[i : i + size]) for i in range(len(words) - size + 1)}


def test_documents_that_share_nothing_have_no_long_run_of_equal_words(
    small_class: SchoolClass,
) -> None:
    others = [*small_class.last_year, small_class.long]
    of = {
        one.path: runs(one.hashes[one.origins < TEMPLATE].tolist(), MAX_RUN + 1)
        for one in small_class.essays
    }
    for truth in (
        Truth(small_class.this_year, template=False),
        Truth(small_class.this_year, others, template=False),
    ):
        for a, b in truth.pairs:
            if not truth.words(a, b):
                assert not of[a.path] & of[b.path]


@pytest.mark.parametrize("template", [True, False])
def test_shared_words_are_those_of_the_same_origin(
    small_class: SchoolClass, template: bool
) -> None:
    first, second = small_class.this_year, [*small_class.last_year, small_class.long]

    def origins(essay: Essay) -> list[int]:
        kept = essay.origins.tolist()
        return [o for o in kept if o != OWN and (template or o < TEMPLATE)]

    for others, truth in (
        (None, Truth(first, template=template)),
        (second, Truth(first, second, template=template)),
    ):
        pairs = list(combinations(first, 2) if others is None else product(first, others))
        shared: dict[str, set[int]] = {one.path: set() for one in small_class.essays}
        for a, b in pairs:
            both = set(origins(a)) & set(origins(b))
            shared[a.path] |= both
            shared[b.path] |= both
            assert truth.words(a, b) == sum(o in both for o in origins(a))
        for one in first:
            assert truth.of_document(one) == len(shared[one.path])


def test_tables_tell_the_same_truth(small_class: SchoolClass, class_folder: Path) -> None:
    inside = Truth(small_class.this_year, template=False)
    listed = {
        (row["a"], row["b"]): int(row["words"])
        for row in rows_of(class_folder / "pairs.csv")
        if row["b"].startswith("this-year")
    }
    assert listed == inside.shared
    planted = rows_of(class_folder / "planted.csv")
    assert [row["copy"] for row in planted] == [one.copy.path for one in small_class.planted]
    assert len(rows_of(class_folder / "documents.csv")) == len(small_class.this_year)


def test_a_title_is_made_of_words_of_the_essay(small_class: SchoolClass) -> None:
    for one in small_class.this_year:
        body = " ".join(map(text_of, one.body)).lower()
        assert all(word in body for word in one.title.lower().split(", "))


def classroom(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tools.classroom", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )


def test_command_refuses_a_folder_with_files_in_it(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("kept")
    done = classroom(str(tmp_path))
    assert done.returncode == 2
    assert "is not empty" in done.stderr


def test_command_needs_enough_essays(tmp_path: Path) -> None:
    done = classroom(str(tmp_path / "new"), "--essays", "5")
    assert done.returncode == 2
    assert "too few" in done.stderr
    assert not (tmp_path / "new").exists()
