"""Names of submissions as Moodle and Canvas write them."""

import zipfile

import pytest

from likewise.documents import Reader
from likewise.documents.submission_names import submission_of

MOODLE = [
    ("Smith Anna_48213_assignsubmission_file_/essay.docx", "Smith Anna", "48213"),
    ("Smith Anna_48213_assignsubmission_file_essay.docx", "Smith Anna", "48213"),
    ("Weiß Jürgen_7_assignsubmission_onlinetext_/onlinetext.html", "Weiß Jürgen", "7"),
    (
        "O'Neill-Díaz María José_912_assignsubmission_file_/a_b_c.pdf",
        "O'Neill-Díaz María José",
        "912",
    ),
    ("Иванова Мария_1044_assignsubmission_file_/Эссе.docx", "Иванова Мария", "1044"),
    ("王小明_55_assignsubmission_file_/作文.docx", "王小明", "55"),
    ("محمد أحمد_612_assignsubmission_file_/مقال.docx", "محمد أحمد", "612"),
    ("SS25-Essay 1-4711.zip/Nguyễn Văn An_31_assignsubmission_file_/x.pdf", "Nguyễn Văn An", "31"),
    ("Participant_61002_assignsubmission_file_/essay.docx", "Participant 61002", "61002"),
    ("Teilnehmerin_61002_assignsubmission_file_/essay.docx", "Teilnehmerin 61002", "61002"),
]
CANVAS = [
    ("smithanna_48213_9120045_essay.docx", "smithanna", "48213"),
    ("smithanna_LATE_48213_9120045_Essay final-2.docx", "smithanna", "48213"),
    ("oneill-diaz_late_48213_9120045_essay.pdf", "oneill-diaz", "48213"),
    ("weißjürgen_4711_90210_essay_v2.pdf", "weißjürgen", "4711"),
    ("submissions.zip/ивановамария_1044_20771_Эссе.docx", "ивановамария", "1044"),
    ("王小明_551_20772_作文.docx", "王小明", "551"),
]
OTHERS = [
    "essay.docx",
    "essay_2024.docx",
    "chapter_12_34_text.txt",
    "scan_2024_0315_page.txt",
    "2024_1234_5678_notes.txt",
    "a/smith_anna_essay.docx",
    "_48213_assignsubmission_file_/essay.docx",
    "Smith Anna_48213_assignfeedback_comments_/essay.docx",
]


@pytest.mark.parametrize(("path", "author", "number"), MOODLE + CANVAS)
def test_author_and_number_are_in_the_name(path, author, number):
    assert submission_of(path) == (author, number)


@pytest.mark.parametrize("path", OTHERS)
def test_other_names_say_nothing(path):
    assert submission_of(path) is None


def test_a_downloaded_folder_and_its_zip_have_authors_and_keep_their_paths(tmp_path, write):
    paths = [path for path, _, _ in (*MOODLE[:7], *CANVAS[:2])]
    names = {path: f"{number} words of an essay" for number, path in enumerate(paths)}
    for name, text in names.items():
        write(f"course/{name.replace('.docx', '.txt').replace('.pdf', '.txt')}", text)
    with zipfile.ZipFile(tmp_path / "course.zip", "w") as archive:
        for name, text in names.items():
            archive.writestr(name.replace(".docx", ".txt").replace(".pdf", ".txt"), text)
    for source, prefix in (("course", ""), ("course.zip", "course.zip/")):
        (batch,) = Reader(str(tmp_path / source))
        known = dict(zip(batch.ids, batch.metadata, strict=True))
        assert known[f"{prefix}王小明_55_assignsubmission_file_/作文.txt"] == {"author": "王小明"}
        assert known[f"{prefix}smithanna_48213_9120045_essay.txt"] == {"author": "smithanna"}
        assert None not in known.values()


def test_documents_without_such_names_have_no_metadata(write):
    (batch,) = Reader(str(write("essays/a.txt", "some words").parent))
    assert batch.metadata is None
