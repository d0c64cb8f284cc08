"""Zip archives: every member a document, bombs and tricks refused."""

import contextlib
import io
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents import Reader
from likewise.documents.archive import check_path, member_name
from likewise.documents.extraction import prefetch
from likewise.documents.unreadable import UnreadableError
from likewise.documents.zipped import Limits, TotalError, Zipped
from likewise.errors import SourceError
from tests.documents.makers import make_docx, make_pdf, make_zip, word_paragraph

# Reading


def test_every_member_is_a_document_known_by_archive_and_path(write, collect):
    members = {
        "b.txt": "plain",
        "a/essay.md": "# marked",
        "a/paper.pdf": make_pdf([["printed"], ["twice"]]),
        "word.docx": make_docx(word_paragraph("written")),
        "page.html": "<p>shown</p>",
    }
    write("class.zip", make_zip(members))
    got = collect("class.zip")
    assert got.by_id == {
        "class.zip/a/essay.md": "# marked",
        "class.zip/a/paper.pdf": "printed\ntwice\n",
        "class.zip/b.txt": "plain",
        "class.zip/page.html": "shown\n",
        "class.zip/word.docx": "written\n",
    }
    assert (got.skipped, got.notes) == ([], [])
    (batch,) = got.batches
    assert batch.page_starts == [None, (0, 8), None, None, None]


def test_an_archive_in_a_folder_is_known_by_its_path_there(write, collect):
    write("d/sub/class.zip", make_zip({"a.txt": "1"}))
    write("d/b.txt", "2")
    assert collect("d").ids == ["b.txt", "sub/class.zip/a.txt"]


def test_what_cannot_be_read_in_an_archive_is_skipped_with_its_reason(write, collect):
    members = {
        "good.txt": "good",
        "empty.pdf": "",
        "inner.zip": make_zip({"a.txt": "a"}),
        "more.txt.gz": "x",
        "photo.jpeg": "x",
        "table.csv": "text\na\n",
        "binary.txt": b"a\0b",
        "locked.pdf": make_pdf([["secret"]], user="1234"),
        "__MACOSX/._good.txt": "x",
        ".hidden/a.txt": "x",
    }
    write("class.zip", make_zip(members))
    got = collect("class.zip")
    assert got.ids == ["class.zip/good.txt"]
    assert got.skipped == [
        "class.zip/binary.txt: binary file (it has NUL bytes)",
        "class.zip/empty.pdf: an empty file",
        "class.zip/inner.zip: an archive in an archive; unpack it first",
        "class.zip/locked.pdf: encrypted, needs a password",
        "class.zip/more.txt.gz: compressed inside the archive; decompress it first",
        "class.zip/photo.jpeg: unsupported file type",
        "class.zip/table.csv: a table in an archive; unpack it first",
    ]
    assert collect("class.zip", shape="whole").by_id["class.zip/table.csv"] == "text\na\n"


def test_a_damaged_archive_is_skipped_among_others_and_an_error_alone(write, collect):
    write("d/a.txt", "a")
    write("d/b.zip", make_zip({"a.txt": "a" * 5000})[:-20])
    assert collect("d").skipped == ["d/b.zip: damaged or truncated"]
    with pytest.raises(SourceError, match=r"d/b\.zip: damaged or truncated"):
        list(Reader("d/b.zip"))


def test_an_archive_without_a_readable_member_is_an_error_that_tells_why(write):
    write("a.zip", make_zip({"a.jpeg": "x"}))
    with pytest.raises(SourceError, match=r"a\.zip: no documents \(skipped: a\.zip/a\.jpeg: uns"):
        list(Reader("a.zip"))


def test_a_damaged_member_costs_itself_alone(write, collect):
    data = bytearray(make_zip({"a.txt": "first " * 50, "b.txt": "second"}, zipfile.ZIP_STORED))
    data[data.index(b"first")] ^= 1
    write("a.zip", bytes(data))
    got = collect("a.zip")
    assert got.by_id == {"a.zip/b.txt": "second"}
    assert got.skipped == ["a.zip/a.txt: damaged or truncated"]


def test_progress_in_an_archive_rises_to_its_size(write):
    write("a.zip", make_zip({f"{i}.txt": "x" * 9999 for i in range(40)}))
    seen = []
    reader = Reader("a.zip", progress=seen.append)
    list(reader)
    assert seen == sorted(seen)
    assert seen[-1] == reader.total_bytes()
    assert len(set(seen)) > 20


def test_a_word_document_called_zip_is_read_as_what_it_is(write, collect):
    write("essay.zip", make_docx(word_paragraph("written")))
    got = collect("essay.zip")
    assert got.by_id == {"essay.zip": "written\n"}
    assert got.notes == ["essay.zip: a Word document despite its name; read as DOCX"]


# Tricks with names


@pytest.mark.parametrize(
    "name",
    [
        "../a.txt",
        "a/../../b.txt",
        "/etc/a.txt",
        "C:\\a.txt",
        "c:a.txt",
        "..\\a.txt",
        "\\\\h\\a.txt",
    ],
)
def test_paths_that_lead_out_of_the_archive_are_refused(write, collect, name):
    write("a.zip", make_zip({name: "x", "good.txt": "good"}))
    got = collect("a.zip")
    assert got.ids == ["a.zip/good.txt"]
    assert len(got.skipped) == 1
    assert got.skipped[0].endswith(": its path points outside the archive")


@given(st.text(st.sampled_from("ab./\\:C\0\n"), min_size=1))
def test_a_path_that_passes_stays_below_where_it_is_unpacked(name):
    try:
        check_path(name)
    except UnreadableError:
        return
    parts = name.replace("\\", "/").split("/")
    assert ".." not in parts
    assert not name.startswith(("/", "\\"))
    assert not name.startswith(("a:", "b:", "C:"))
    assert name.isprintable()


def test_names_with_control_characters_are_refused_and_shown_escaped(write, collect):
    data = make_zip({"a.txt_x": "x", "b.txt\x1b[31m": "y", "good.txt": "good"})
    write("a.zip", data.replace(b"a.txt_x", b"a.txt\0x"))
    assert collect("a.zip").skipped == [
        "a.zip/a.txt\\x00x: its name has control characters",
        "a.zip/b.txt\\x1b[31m: its name has control characters",
    ]


def test_links_are_not_followed(write, collect):
    link = zipfile.ZipInfo("link.txt")
    link.create_system = 3
    link.external_attr = 0o120777 << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("good.txt", "good")
    write("a.zip", out.getvalue())
    got = collect("a.zip")
    assert got.ids == ["a.zip/good.txt"]
    assert got.skipped == ["a.zip/link.txt: a link, not followed"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_path_that_is_there_twice_is_read_once(write, collect):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", "first")
        archive.writestr("a.txt", "second")
    write("a.zip", out.getvalue())
    got = collect("a.zip")
    assert got.by_id == {"a.zip/a.txt": "first"}
    assert got.skipped == ["a.zip/a.txt: duplicate path in the archive"]


@pytest.mark.parametrize(
    ("encoding", "flag"), [("utf-8", True), ("utf-8", False), ("cp437", False)]
)
def test_names_are_decoded_as_they_were_meant(encoding, flag):
    data = make_zip({"Aufsätze/Über_uns.txt": "x"})
    assert "Über".encode() in data
    raw = "Aufsätze/Über_uns.txt".encode(encoding)
    if not flag:
        # As older programs write it: without the mark that says UTF-8.
        data = _rename(raw)
    (member,) = Zipped(io.BytesIO(data)).members
    assert member_name(member) == "Aufsätze/Über_uns.txt"


def _rename(raw):
    data = make_zip({"x" * len(raw): "x"})
    return data.replace(b"x" * len(raw), raw)


# Bombs


def test_a_bomb_is_refused_and_the_rest_is_read(write, collect):
    write("a.zip", make_zip({"bomb.txt": b"\n" * (20 << 20), "good.txt": "good"}))
    got = collect("a.zip")
    assert got.ids == ["a.zip/good.txt"]
    assert got.skipped == [
        "a.zip/bomb.txt: a zip bomb? It becomes more than 200 times as large when unpacked"
    ]


def test_a_bomb_in_a_word_document_is_refused(write, collect):
    write("d/a.docx", make_docx("<w:p/>" * (4 << 20)))
    write("d/b.txt", "b")
    assert collect("d").skipped == [
        "d/a.docx: a zip bomb? It becomes more than 200 times as large when unpacked"
    ]


def test_an_archive_that_is_too_much_in_all_is_read_up_to_there(write, collect, monkeypatch):
    limits = Limits(total=25_000)
    monkeypatch.setattr(prefetch, "Zipped", lambda file: Zipped(file, limits))
    write("a.zip", make_zip({f"{i}.txt": "x" * 10_000 for i in range(5)}))
    got = collect("a.zip")
    assert got.ids == ["a.zip/0.txt", "a.zip/1.txt"]
    assert got.skipped == [
        "a.zip: more than 25,000 bytes unpacked in total; 3 of its 5 members were not read"
    ]


@given(
    st.lists(st.integers(0, 3000), max_size=8),
    st.integers(1, 3000),
    st.integers(1, 9000),
    st.integers(1, 50),
)
def test_nothing_over_a_limit_is_given_and_everything_under_it_is(sizes, member, total, ratio):
    limits = Limits(member=member, total=total, ratio=ratio, harmless=500)
    data = make_zip({str(i): b"x" * size for i, size in enumerate(sizes)})
    package = Zipped(io.BytesIO(data), limits)
    given_ = 0
    for size, info in zip(sizes, package.members, strict=True):
        bad = size > member or (size > 500 and size > ratio * info.compress_size)
        try:
            content = package.read(info)
        except TotalError:
            assert given_ + size > total
            return
        except UnreadableError:
            assert bad
            given_ += size
        else:
            assert not bad
            assert content == b"x" * size
            given_ += size
            assert given_ <= total


def test_sizes_that_headers_claim_are_not_believed():
    """The header says 10 bytes; the data go on."""
    data = make_zip({"a": b"x" * 1_000_000})
    lying = data.replace(struct.pack("<L", 1_000_000), struct.pack("<L", 10))
    with pytest.raises(UnreadableError, match="damaged"):
        Zipped(io.BytesIO(lying)).get("a")


def test_too_many_members_or_too_long_a_list_of_them_are_refused():
    data = make_zip({f"{i}.txt": "" for i in range(20)})
    with pytest.raises(UnreadableError, match="more than 10 members"):
        Zipped(io.BytesIO(data), Limits(members=10))
    with pytest.raises(UnreadableError, match="list of members is larger than 512 bytes"):
        Zipped(io.BytesIO(data), Limits(directory=512))
    # A record that claims a list of gigabytes is refused before anything is read.
    end = data.rindex(b"PK\5\6")
    lying = data[: end + 12] + struct.pack("<L", 1 << 30) + data[end + 16 :]
    with pytest.raises(UnreadableError, match="list of members is larger than 16 MiB"):
        Zipped(io.BytesIO(lying))


def test_encrypted_members_and_rare_methods_are_refused():
    data = bytearray(make_zip({"a": "secret"}))
    data[6] |= 1
    data[data.rindex(b"PK\1\2") + 8] |= 1
    with pytest.raises(UnreadableError, match="encrypted, needs a password"):
        Zipped(io.BytesIO(bytes(data))).get("a")
    with pytest.raises(UnreadableError, match="unsupported compression method"):
        Zipped(io.BytesIO(make_zip({"a": "x"}, zipfile.ZIP_LZMA))).get("a")


@given(st.binary(max_size=40), st.integers(0, 200), st.integers(0, 255))
def test_any_damage_gives_the_content_or_a_reason(junk, at, value):
    data = bytearray(make_zip({"a.txt": b"content" * 9, "b.txt": b"more"}) + junk)
    data[at % len(data)] = value
    with contextlib.suppress(UnreadableError):
        package = Zipped(io.BytesIO(bytes(data)))
        for member in package.members:
            assert isinstance(package.read(member), bytes)
            member_name(member).encode()


def test_a_member_without_a_name_is_listed(write, collect):
    archive = make_zip({"a.txt": "first", "b.txt": "second"})
    directory = archive.index(b"PK\1\2")
    unnamed = bytearray(archive)
    struct.pack_into("<H", unnamed, directory + 28, 0)  # the length of its name
    del unnamed[directory + 46 : directory + 51]
    end = unnamed.index(b"PK\5\6")
    (size,) = struct.unpack_from("<L", unnamed, end + 12)
    struct.pack_into("<L", unnamed, end + 12, size - 5)
    write("d/a.zip", bytes(unnamed))
    found = collect("d")
    assert found.texts == ["second"]
    assert found.skipped == ["d/a.zip/: a member without a name"]


def test_a_document_in_a_damaged_archive_is_not_taken_for_all_of_it(write, collect):
    document = make_docx(word_paragraph("a report"))
    archive = make_zip({"a.txt": "first", "b.docx": document}, zipfile.ZIP_STORED)
    end = archive.rindex(b"PK\5\6")
    write("d/a.zip", archive[:end] + b"XX" + archive[end + 2 :])
    write("d/b.txt", "second")
    found = collect("d")
    assert found.texts == ["second"]
    assert found.skipped == ["d/a.zip: damaged or truncated"]
