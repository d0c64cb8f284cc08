"""Tables of metadata with any header: which column is which, and which row fits which document."""

import io
import zipfile

import pytest

from likewise.documents import Reader
from likewise.documents.descriptions.columns import KEY, find_columns
from likewise.documents.descriptions.xlsx import MAX_ROWS
from likewise.documents.metadata import MetadataTable
from likewise.errors import SourceError, UsageError
from tests.documents.makers import make_xlsx

FILES = ["essay-01.docx", "essay-02.docx", "sub/Essay-03.pdf"]


def found(rows, ids, columns=None):
    table = MetadataTable("m.csv", rows, columns)
    table.expect(ids)
    return {id_: table.find(id_) for id_ in ids}, table.summary


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("Student;Essay file;Class", "author = 'Student', group = 'Class'"),
        ("Name;Datei;Klasse", "author = 'Name', group = 'Klasse'"),
        ("Étudiant;Nom du fichier;Groupe", "author = 'Étudiant', group = 'Groupe'"),
        ("Nombre completo;Archivo;Grupo", "author = 'Nombre completo', group = 'Grupo'"),
        ("Studente;Qualcosa;Corso", "author = 'Studente', group = 'Corso'"),
    ],
)
def test_the_column_of_files_is_found_by_its_content_and_others_by_their_words(write, header, said):
    lines = [header, *(f"Person {at};{name};7b" for at, name in enumerate(FILES))]
    table = MetadataTable.read(write("m.csv", "\n".join(lines)))
    table.expect(FILES)
    assert table.find("sub/Essay-03.pdf") == {"author": "Person 2", "group": "7b"}
    assert f"file = column '{header.split(';')[1]}', {said}" in table.summary


@pytest.mark.parametrize(
    "values",
    [
        ["essay-01", "essay-02", "essay-03"],
        ["ESSAY-01.DOCX", "Essay-02.docx", "SUB\\essay-03.PDF"],
        ["./essay-01.docx", "essay-02.docx", "Essay-03.pdf"],
    ],
)
def test_case_extension_and_folder_may_be_missing(values):
    rows = [{"Nr": at, "what": value, "Autor": f"A{at}"} for at, value in enumerate(values)]
    known, said = found(rows, FILES)
    assert [one["author"] for one in known.values()] == ["A0", "A1", "A2"]
    assert said == "3 of 3 documents described; file = column 'what', author = 'Autor'"


def test_an_exact_name_comes_before_one_in_another_case():
    known, _ = found(
        [{"f": "A.txt", "title": "1"}, {"f": "a.txt", "title": "2"}], ["a.txt", "A.txt"]
    )
    assert known == {"a.txt": {"title": "2"}, "A.txt": {"title": "1"}}


def test_files_that_differ_in_their_extension_are_not_confused():
    known, _ = found([{"f": "a.pdf", "title": "1"}], ["a.pdf", "a.docx"])
    assert known == {"a.pdf": {"title": "1"}, "a.docx": None}


@pytest.mark.parametrize(
    ("header", "row", "author"),
    [
        (("file", "Surname", "First name"), ("a.txt", "Smith", "Anna"), "Anna Smith"),
        (("file", "Vorname", "Nachname"), ("a.txt", "Jürgen", "Weiß"), "Jürgen Weiß"),
        (("file", "Vorname", "Name"), ("a.txt", "Jürgen", "Weiß"), "Jürgen Weiß"),
        (("file", "Nom", "Prénom"), ("a.txt", "Dupont", "Zoé"), "Zoé Dupont"),
        (("file", "Nombre", "Apellido(s)"), ("a.txt", "José", "Díaz"), "José Díaz"),
        (("file", "Full name", "Email address"), ("a.txt", "Anna Smith", "x@y"), "Anna Smith"),
    ],
)
def test_first_name_and_surname_make_the_author(header, row, author):
    known, _ = found([dict(zip(header, row, strict=True))], ["a.txt"])
    assert known["a.txt"] == {"author": author}


def test_a_grading_worksheet_of_moodle_fits_its_download():
    ids = [
        "Anna Smith_48213_assignsubmission_file_/essay.docx",
        "Anna Smith_48213_assignsubmission_file_/appendix.docx",
        "Иванова Мария_7_assignsubmission_onlinetext_/onlinetext.html",
        "Participant_9_assignsubmission_file_/essay.docx",
    ]
    rows = [
        {"Identifier": "Participant 48213", "Full name": "Anna Smith", "Status": "Submitted"},
        {"Identifier": "Participant 7", "Full name": "Мария Иванова", "Status": "Submitted"},
        {"Identifier": "Participant 9", "Full name": "Wei Wang", "Status": "Submitted"},
        {"Identifier": "Participant 10", "Full name": "Nobody Else", "Status": "No submission"},
    ]
    known, said = found(rows, ids)
    assert [one["author"] for one in known.values()] == [
        "Anna Smith", "Anna Smith", "Мария Иванова", "Wei Wang",
    ]  # fmt: skip
    assert said == (
        "4 of 4 documents described; file = column 'Identifier', author = 'Full name'; "
        "1 row matches no document: 'Participant 10'"
    )


def test_names_alone_fit_a_download_of_moodle_in_either_order():
    ids = [
        "Smith Anna_1_assignsubmission_file_/a.docx",
        "Weiß Jürgen_2_assignsubmission_file_/a.docx",
    ]
    known, said = found([{"Teilnehmer/in": "Anna Smith"}, {"Teilnehmer/in": "Jürgen Weiß"}], ids)
    assert [one["author"] for one in known.values()] == ["Anna Smith", "Jürgen Weiß"]
    assert said == (
        "2 of 2 documents described; file = column 'Teilnehmer/in', author = 'Teilnehmer/in'"
    )


def test_a_gradebook_of_canvas_fits_its_download():
    ids = ["smithanna_48213_9120045_essay.docx", "weissjurgen_LATE_48214_9120046_essay.docx"]
    rows = [
        {"Student": "Points Possible", "ID": "", "Section": ""},
        {"Student": "Smith, Anna", "ID": "48213", "Section": "7b"},
        {"Student": "Weiss, Jurgen", "ID": "48214", "Section": "7c"},
    ]
    by_name = [{name: value for name, value in row.items() if name != "ID"} for row in rows]
    for given in (rows, by_name):
        known, _ = found(given, ids)
        assert list(known.values()) == [
            {"author": "Smith, Anna", "group": "7b"},
            {"author": "Weiss, Jurgen", "group": "7c"},
        ]


def test_names_and_numbers_inside_of_file_names_are_found():
    ids = ["hw2-anna-smith.docx", "hw2-anna-schmidt.docx", "hw2-12345678.docx"]
    rows = [{"who": "Smith, Anna", "Matrikel": "1"}, {"who": "Anna Schmidt", "Matrikel": "2"}]
    known, _ = found(rows, ids[:2], {"author": "who"})
    assert [one["author"] for one in known.values()] == ["Smith, Anna", "Anna Schmidt"]
    known, _ = found([{"Matrikel": "12345678", "Name": "Wei"}], ids[2:])
    assert list(known.values()) == [{"author": "Wei"}]


def test_a_column_of_file_names_is_not_searched_for_words():
    rows = [{"f": "essay-1.docx", "title": "1"}, {"f": "essay-2.docx", "title": "2"}]
    known, _ = found(rows, ["essay-1.docx", "essay-2.docx", "old/essay-1-final.docx"])
    assert known["old/essay-1-final.docx"] is None


def test_two_students_of_one_name_are_not_guessed():
    ids = ["Smith Anna_1_assignsubmission_file_/a.docx", "Weiß Jo_2_assignsubmission_file_/a.docx"]
    rows = [{"Full name": "Anna Smith", "Group": "a"}, {"Full name": "Anna Smith", "Group": "b"}]
    known, _ = found([*rows, {"Full name": "Jo Weiß", "Group": "c"}], ids)
    assert list(known.values()) == [None, {"author": "Jo Weiß", "group": "c"}]


def test_the_user_may_name_the_columns():
    rows = [{"x": "a.txt", "Name": "essay", "Prüfling": "Anna"}]
    known, said = found(rows, ["a.txt"], {"author": "prüfling", KEY: "X"})
    assert known == {"a.txt": {"author": "Anna"}}
    assert "file = column 'x', author = 'Prüfling'" in said
    with pytest.raises(SourceError, match=r"m\.csv: no column 'y'; it has 'x', 'Name'"):
        found(rows, ["a.txt"], {"title": "y"})
    with pytest.raises(UsageError, match="unknown field 'writer' of metadata"):
        MetadataTable("m.csv", rows, {"writer": "x"})


def test_the_column_that_names_documents_is_nothing_else():
    assert find_columns(["name", "title"], 0).of == {KEY: (0,), "title": (1,)}


def test_a_spreadsheet_is_read_as_it_is_shown(write):
    rows = [
        ["Class 7b"],
        [],
        ["Datei", "Name", "Abgegeben", "Nr"],
        ["essay-01", "Weiß, Jürgen", 45_321, 12345678],
        ["essay-02", "王小明", 45_321.75, 2.5],
        [None, "Nobody", None, None],
    ]
    path = write("class.xlsx", make_xlsx(rows, date_columns=(2,)))
    for id_ in FILES[:2]:
        write(f"essays/{id_[:-5]}.txt", f"the words of {id_}")
    table = MetadataTable.read(path)
    (batch,) = Reader(str(path.parent / "essays"), metadata=table)
    assert list(batch.metadata) == [
        {"author": "Weiß, Jürgen", "date": "2024-01-30"},
        {"author": "王小明", "date": "2024-01-30T18:00:00"},
    ]
    assert table.summary == (
        "2 of 2 documents described; file = column 'Datei', author = 'Name', date = 'Abgegeben'; "
        "1 row matches no document: row 2"
    )


def _zipped(parts):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return data.getvalue()


BOOK = "<workbook/>"
SHEET = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\3\4 nothing", "damaged or truncated"),
        (b"", "damaged or truncated"),
        (_zipped({"word/document.xml": "<a/>"}), "another kind of zip archive"),
        (_zipped({"xl/workbook.xml": "<a"}), "damaged or truncated"),
        (_zipped({"xl/workbook.xml": BOOK}), "damaged or truncated"),
        (
            _zipped({"xl/workbook.xml": BOOK, SHEET: "<s><row><c t='s'><v>7</v></c></row></s>"}),
            "damaged or truncated",
        ),
        (
            _zipped({"xl/workbook.xml": BOOK, SHEET: b"<s>" + b" " * 5_000_000 + b"</s>"}),
            "a zip bomb",
        ),
        (
            _zipped({"xl/workbook.xml": BOOK, SHEET: "<s>" + "<row/>" * (MAX_ROWS + 1) + "</s>"}),
            "more than 100,000 rows",
        ),
        (
            _zipped(
                {
                    "xl/workbook.xml": '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
                    "<workbook>&b;</workbook>",
                }
            ),
            "damaged or truncated",
        ),
    ],
)
def test_a_hostile_spreadsheet_is_an_error(write, data, message):
    with pytest.raises(SourceError, match=message):
        MetadataTable.read(write("m.xlsx", data)).settle()


def test_a_small_file_does_not_become_a_large_table(write):
    header = ",".join(f"c{at}" for at in range(30_000))
    with pytest.raises(SourceError, match=r"1,000 rows of 30,000 columns, more than 20,000,000"):
        MetadataTable.read(write("m.csv", f"{header}\n" + "a\n" * 1_000))
