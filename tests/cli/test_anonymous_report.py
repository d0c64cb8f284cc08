"""`likewise report --anonymous`: no name in the bytes, the same figures, and the key."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.survey.anonymity import contents, data_of, found_in
from tests.survey.made_texts import some
from tools.classroom.files import write_class
from tools.classroom.school_class import make_class

SAMPLES = Path(__file__).parents[2] / "samples"
STUDENTS = {
    "Weiß Jürgen": ("weiss@uni.example", "4711001"),
    "Ada Lovelace": ("al99@uni.example", "4711002"),
    "Nobody Else": ("else@uni.example", "4711003"),
}


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"))))


@pytest.fixture
def moodle(tmp_path: Path) -> Path:
    """A download with the names of its authors in paths and texts, and a table about them."""
    shared = " ".join(some(60, "shared"))
    for number, (author, (email, student)) in enumerate(list(STUDENTS.items())[:2]):
        folder = tmp_path / f"Course/{author}_{48210 + number}_assignsubmission_file_"
        folder.mkdir(parents=True)
        other = "Ada Lovelace" if number == 0 else "Jürgen Weiß"
        (folder / f"essay {author}.txt").write_text(
            f"{author}, {student}, {email}\n\n{' '.join(some(80, number))} with {other} and "
            f"Else\n\n{shared}\n\n{author.split()[-1]} {number + 2}\n"
        )
    lines = ["Full name,E-mail,Matrikelnummer,Group"]
    lines += [f"{name},{email},{number},Blue" for name, (email, number) in STUDENTS.items()]
    (tmp_path / "class.csv").write_text("\n".join(lines))
    return tmp_path


def test_nothing_of_a_download_is_in_the_report(run: Run, moodle: Path) -> None:
    result = run(
        "report", "Course", "--metadata", "class.csv", "--anonymous", "--key", "key.csv",
        "-o", "report.html",
    )  # fmt: skip
    assert result.status == 0, result.err
    assert "names were replaced by [name] in" in result.err
    assert "key.csv says what the numbers stand for; keep it apart" in result.err
    page = (moodle / "report.html").read_bytes()
    wanted = [*STUDENTS, "Weiß", "Jürgen", "Lovelace", "Else\\n", "4821", "4711", "weiss@", "al99",
              "Course", "class.csv", "Blue", str(moodle)]  # fmt: skip
    assert found_in(page, wanted) == []
    assert (moodle / "key.csv").stat().st_mode & 0o777 == 0o600
    rows = rows_of(moodle / "key.csv")
    assert {row["author"] for row in rows} == {"Weiß Jürgen", "Ada Lovelace"}
    assert [row["group_in_report"] for row in rows] == ["Group 1", "Group 1"]
    names = {data["id"]: data["text"] for name, data in data_of(page).items() if "text-" in name}
    for row in rows:
        first = some(80, 0 if "Weiß" in row["file"] else 1)[0]
        assert first in names[row["document"]]


def test_the_key_is_never_lost_and_replaces_no_source(run: Run, moodle: Path) -> None:
    common = ("report", "Course", "--anonymous", "-o", "r.html", "--quiet")
    assert run(*common, "--key", "key.csv").status == 0
    first = (moodle / "key.csv").read_bytes()
    again = run(*common, "--key", "key.csv")
    assert again.status == 2
    assert "key.csv: already exists" in again.err
    (moodle / "key.csv").chmod(0o644)
    (moodle / "key.csv").write_text("old")
    assert run(*common, "--key", "key.csv", "--overwrite").status == 0
    assert (moodle / "key.csv").read_bytes() == first
    assert (moodle / "key.csv").stat().st_mode & 0o777 == 0o600
    source = next((moodle / "Course").rglob("*.txt"))
    for key in (source, "r.html", "class.csv"):
        refused = run(*common, "--metadata", "class.csv", "--key", key, "--overwrite")
        assert refused.status == 2, key
    assert source.read_text().startswith(source.parent.name.partition("_")[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--key", "key.csv"], "--key requires --anonymous"),
        (["--keep-dates"], "--keep-dates requires --anonymous"),
        (["--overwrite"], "--overwrite requires --anonymous"),
        (["--anonymous", "--overwrite"], "--overwrite requires --key"),
        (["--anonymous", "--key", "nowhere/key.csv"], "does not exist"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    run: Run, moodle: Path, options: list[str], message: str
) -> None:
    result = run("report", "Course", "-o", "r.html", *options)
    assert result.status == 2
    assert message in result.err
    assert not (moodle / "r.html").exists()


def test_without_a_key_the_command_says_that_there_is_none(run: Run, moodle: Path) -> None:
    result = run("report", "Course", "--anonymous", "-o", "r.html")
    assert "no key was written" in result.err


def test_files_that_could_not_be_read_have_numbers(run: Run, tmp_path: Path) -> None:
    result = run(
        "report", SAMPLES / "journal/2018", "--no-cache", "--anonymous", "--key", "key.csv",
        "--title", "A journal", "-o", "r.html",
    )  # fmt: skip
    assert result.status == 0
    page = (tmp_path / "r.html").read_bytes()
    survey = data_of(page)["survey"]
    assert survey["title"] == "A journal"
    ((number, place, reason),) = survey["run"]["skipped"]
    assert (number, place) == ("File 1", "")
    assert reason.startswith("no text")
    assert found_in(page, ["notice", "2018/", ".pdf"]) == []
    assert rows_of(tmp_path / "key.csv")[-1]["file"].endswith("notice.pdf")


def test_a_class_against_the_one_before(run: Run, tmp_path: Path) -> None:
    """Two reports on a class: one with names, and one without."""
    school_class = make_class(1, essays=40, last_year=20, long_words=2_000)
    write_class(school_class, tmp_path / "class")
    options = ("report", "class/this-year", "--against", "class/last-year", "--metadata",
               "class/metadata.csv", "--template", "class/assignment.txt", "--quiet")  # fmt: skip
    assert run(*options, "-o", "named.html").status == 0
    anonymous = run(*options, "--anonymous", "--key", "key.csv", "-o", "anonymous.html")
    assert anonymous.status == 0, anonymous.err
    page = (tmp_path / "anonymous.html").read_bytes()
    known = rows_of(tmp_path / "class/metadata.csv")
    assert len(known) >= 40
    files = {name for row in known for name in (row["id"], Path(row["id"]).name)}
    # "Library", of one word, is in the script of the page.
    assert found_in(page, {row["author"] for row in known if " " in row["author"]} | files) == []
    # Stems are numbers: nowhere by themselves.
    words = set(re.findall(r"\w+", contents(page)))
    assert not {"student"} & words
    with_names = (tmp_path / "named.html").read_bytes()
    assert found_in(with_names, {row["author"] for row in known})
    before, after = (data_of(one)["survey"] for one in (with_names, page))
    for name in ("histogram", "similarity", "chance", "exclusions"):
        assert before[name] == after[name]
    file_of = {row["document"]: row["file"] for row in rows_of(tmp_path / "key.csv")}
    rows = []
    for survey in (before, after):
        columns = survey["documents"]["columns"]
        figures = ("words", "matched", "highest", "sources", "run", "flags")
        names = [file_of.get(id_, id_).removeprefix("archive: ") for id_ in columns["id"]]
        rows.append({
            (name, bool(columns["archive"][row])): [columns[figure][row] for figure in figures]
            for row, name in enumerate(names)
        })  # fmt: skip
    assert rows[0] == rows[1]
