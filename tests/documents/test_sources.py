"""Which files a source stands for, and their ids."""

import gzip
import os

import pytest

from likewise.documents import Reader, read_text
from likewise.documents.sources import find_origins
from likewise.errors import SourceError, UsageError
from tests.documents.makers import make_zip


def test_a_folder_gives_its_files_in_the_order_of_their_paths(write, collect):
    for name in ("essays/b.txt", "essays/a/z.md", "essays/a.txt", "essays/README"):
        write(name, name)
    got = collect(["essays"])
    assert got.ids == ["README", "a.txt", "a/z.md", "b.txt"]
    assert got.by_id["a/z.md"] == "essays/a/z.md"


def test_hidden_files_and_folders_are_passed_over_in_silence(write, collect):
    write("essays/a.txt", "a")
    write("essays/.b.txt", "b")
    write("essays/.git/c.txt", "c")
    got = collect(["essays"])
    assert (got.ids, got.skipped) == (["a.txt"], [])


def test_files_of_an_unknown_kind_in_a_folder_are_skipped_and_listed(write, collect):
    write("essays/a.txt", "a")
    write("essays/photo.jpeg", "x")
    assert collect(["essays"]).skipped == ["essays/photo.jpeg: unsupported file type"]


def test_a_binary_file_in_a_folder_is_skipped_and_listed(write, collect):
    write("essays/a.txt", "a")
    write("essays/b.txt", b"ab\0cd")
    write("essays/c.txt", b"\x89PNG\n")
    assert collect(["essays"]).skipped == [
        "essays/b.txt: binary file (it has NUL bytes)",
        "essays/c.txt: binary file (PNG)",
    ]


def test_an_empty_file_in_a_folder_is_an_empty_document(write, collect):
    write("essays/a.txt", "")
    assert collect(["essays"]).by_id == {"a.txt": ""}


def test_a_pattern_gives_ids_below_its_fixed_part_and_reads_any_kind(write, collect):
    write("src/a/x.py", "x = 1")
    write("src/b/y.py", "y = 2")
    write("src/b/y.c", "int y;")
    assert collect(["src/*/*.py"]).ids == ["a/x.py", "b/y.py"]
    assert collect(["src/**/*.py"]).ids == ["a/x.py", "b/y.py"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(write, collect):
    write("a[1].md", "yes")
    write("a1.md", "no")
    assert collect(["a[1].md"]).by_id == {"a[1].md": "yes"}


def test_several_files_are_known_by_their_names(write, collect):
    write("x/a.txt", "one\ntwo")
    write("y/b.txt", "three")
    assert collect(["x/a.txt", "y/b.txt"]).by_id == {"a.txt": "one\ntwo", "b.txt": "three"}


def test_all_ids_are_paths_as_given_when_names_would_collide(write, collect):
    write("x/a.txt", "1")
    write("y/a.txt", "2")
    write("y/b.txt", "3")
    assert collect(["x/a.txt", "y/a.txt"]).ids == ["x/a.txt", "y/a.txt"]
    assert collect(["./x/", "y"]).ids == ["x/a.txt", "y/a.txt", "y/b.txt"]


def test_the_same_file_twice_is_an_error(write):
    write("x/a.txt", "1")
    with pytest.raises(SourceError, match=r"duplicate source x/a\.txt"):
        Reader(["x/a.txt", "./x/a.txt"])
    with pytest.raises(SourceError, match="duplicate source standard input"):
        Reader(["-", "-"])


def test_one_source_need_not_be_in_a_list(write, collect):
    path = write("a.md", "a")
    assert collect("a.md").ids == collect(path).ids == ["a.md"]


def test_a_missing_file_is_an_error_before_any_reading(write):
    write("a.txt", "a")
    with pytest.raises(SourceError, match=r"^gone\.txt: no such file or folder$"):
        Reader(["a.txt", "gone.txt"])


def test_a_pattern_without_a_match_is_an_error(write):
    write("a.txt", "a")
    with pytest.raises(SourceError, match="no file matches this pattern"):
        Reader(["*.md"])


def test_a_folder_without_a_readable_file_is_an_error_that_tells_why(write):
    write("photos/a.jpeg", "x")
    with pytest.raises(SourceError, match=r"photos: no documents \(skipped: photos/a.jpeg: uns"):
        Reader(["photos"])


def test_an_empty_folder_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="no documents"):
        Reader([tmp_path])


def test_a_link_that_leads_nowhere_is_skipped_in_a_folder_and_an_error_by_name(write, tmp_path):
    write("essays/a.txt", "a")
    os.symlink("nowhere", tmp_path / "essays/b.txt")
    assert [str(s) for s in Reader(["essays"]).skipped] == ["essays/b.txt: a broken link"]
    with pytest.raises(SourceError, match=r"essays/b\.txt: cannot be read: No such file"):
        Reader(["essays/b.txt"])


@pytest.fixture
def as_nobody(tmp_path):
    """Root may read everything: where the tests run as root, one is somebody else for a while."""
    tmp_path.chmod(0o755)
    if os.getuid() != 0:
        yield
        return
    nobody = 65534
    os.setresuid(nobody, nobody, 0)
    yield
    os.setresuid(0, 0, 0)


def test_a_file_without_permission_is_an_error_by_name_and_skipped_in_a_folder(
    write, collect, request
):
    write("essays/a.txt", "a")
    write("essays/b.txt", "b").chmod(0)
    request.getfixturevalue("as_nobody")
    with pytest.raises(SourceError, match="no permission"):
        Reader(["essays/b.txt"])
    assert collect(["essays"]).skipped == ["essays/b.txt: no permission to read it"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shape": "pages"}, "unknown shape 'pages'"),
        ({"shape": "lines", "text": "body"}, "--text names a column, but --lines"),
        ({"encoding": "utf-9"}, "unknown encoding 'utf-9'"),
        ({"encoding": "base64"}, "unknown encoding 'base64'"),
        ({"batch_bytes": 0}, "batch_bytes is 0"),
    ],
)
def test_a_bad_argument_is_a_usage_error(write, options, message):
    write("a.txt", "a")
    with pytest.raises(UsageError, match=message) as caught:
        Reader(["a.txt"], **options)
    assert caught.value.exit_status == 2


def test_no_source_at_all_is_a_usage_error():
    with pytest.raises(UsageError, match="no source is given"):
        Reader([])


LITTER = ("~$a.docx", "Thumbs.db", ".DS_Store", "desktop.ini", "._a.docx", "__MACOSX/._a.txt")


def test_what_systems_leave_in_folders_and_archives_is_passed_over_without_a_word(write, collect):
    for name in LITTER:
        write(f"essays/{name}", b"\0\5\x16\7")
    write("essays/a.txt", "a")
    write("class.zip", make_zip({"b.txt": "b", **dict.fromkeys(LITTER, b"\0\5\x16\7")}))
    got = collect(["essays", "class.zip"])
    assert (got.ids, got.skipped) == (["a.txt", "class.zip/b.txt"], [])
    assert collect("essays/*").ids == ["a.txt"]


def test_files_that_a_shell_names_beside_the_others_do_not_end_the_run(write, collect):
    for name in ("b.pages", "~$a.docx", "Thumbs.db", "desktop.ini", ".DS_Store"):
        write(f"d/{name}", b"\0\5\x16\7")
    write("d/a.txt", "a")
    write("d/.notes.txt", "n")
    given = sorted(f"d/{name}" for name in os.listdir("d"))
    got = collect(given)
    assert got.ids == [".notes.txt", "a.txt"]
    assert got.skipped == ["d/b.pages: unsupported file type: save .pages as .docx"]
    with pytest.raises(SourceError, match=r"no documents \(skipped: d/b.pages: unsupported"):
        collect(["d/Thumbs.db", "d/b.pages"])


def test_a_hidden_file_that_is_named_is_read(write, collect):
    write(".notes.txt", "n")
    assert collect(".notes.txt", shape="files").texts == ["n"]


@pytest.mark.parametrize(
    ("name", "better"),
    [(".pages", ".docx"), (".key", ".pptx"), (".xlsx", ".csv"), (".wpd", ".docx")],
)
def test_a_file_type_that_is_not_read_comes_with_what_to_do(write, collect, name, better):
    write("d/a.txt", "a")
    write(f"d/b{name}", b"PK\3\4")
    reason = f"unsupported file type: save {name} as {better}"
    assert collect("d").skipped == [f"d/b{name}: {reason}"]
    with pytest.raises(SourceError, match=reason):
        collect(f"d/b{name}")
    with pytest.raises(SourceError, match=reason):
        read_text(f"d/b{name}")


@pytest.mark.parametrize(
    ("stream", "advice"),
    [
        ("WordDocument", "save .doc as .docx"),
        ("PowerPoint Document", "save .ppt as .pptx"),
        ("Workbook", "save .xls as .csv"),
    ],
)
def test_files_of_old_office_programs_come_with_what_to_do(write, collect, stream, advice):
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + stream.encode("utf-16-le")
    write("d/a.txt", "a")
    write("d/b.doc", data)
    assert collect("d").skipped == [f"d/b.doc: unsupported file type: {advice}"]


def test_json_is_a_table_if_it_has_an_object_per_line_or_is_an_array(tmp_path):
    """As Spark and others write it; other JSON is skipped in a folder, and text where it is
    named."""
    rows = b'{"id": 1, "text": "one"}\n{"id": 2, "text": "two"}\n'
    (tmp_path / "part-0.json").write_bytes(rows)
    (tmp_path / "part-1.json.gz").write_bytes(gzip.compress(rows))
    (tmp_path / "long.json").write_bytes(b'{"text": "' + b"long " * (1 << 20) + b'"}')
    (tmp_path / "settings.json").write_bytes(b'{\n  "text": "x"\n}\n')
    (tmp_path / "list.json").write_bytes(b'[{"text": "x"}]\n')
    (tmp_path / "lines.json").write_bytes('\n [\n "é"]'.encode("utf-16"))
    (tmp_path / "none.json").write_bytes(b"[ ]\n")
    (tmp_path / "numbers.json").write_bytes(b"[1, 2]\n")
    origins, skipped = find_origins([tmp_path], "auto")
    found = {origin.id: origin.kind for origin in origins}
    lines = ("long.json", "part-0.json", "part-1.json.gz")
    arrays = ("list.json", "lines.json", "none.json")
    assert found == dict.fromkeys(lines, "jsonl") | dict.fromkeys(arrays, "json")
    assert [str(item).rpartition("/")[2] for item in skipped] == [
        "numbers.json: unsupported file type", "settings.json: unsupported file type"
    ]  # fmt: skip
    named, _ = find_origins([tmp_path / "numbers.json"], "auto")
    assert named[0].kind == "text"
