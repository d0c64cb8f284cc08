"""Collections on disk: files written to a folder and read as the commands do; nothing may be lost.

Also what lies beside a collection: archives, packed files, tables of metadata, the cache.
"""

from __future__ import annotations

import atexit
import gzip
import io
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import pyarrow as pa

from likewise.documents import reader
from likewise.documents.document import Document, Hidden
from likewise.documents.extraction.cache_entry import decode_outcome, encode_outcome
from likewise.documents.metadata import MetadataTable
from likewise.documents.notice import Skipped
from likewise.documents.unreadable import UnreadableError
from tests.documents import makers
from tests.fuzz import documents, tables
from tests.fuzz.mutations import mutate, mutate_zip, open_zip, words
from tests.fuzz.outcomes import LostError, Outcome

ESSAY = ("zz.txt", b"An essay that nothing is wrong with.")


@dataclass(frozen=True)
class Found:
    """What reading a folder gave."""

    texts: Mapping[str, str]
    skipped: list[Skipped]

    def has(self, name: str) -> bool:
        """Whether a document, or a member of an archive, was read or listed."""
        path = f"{folder()}/{name}"
        return any(id_ == name or id_.startswith(f"{name}/") for id_ in self.texts) or any(
            one.source == path or one.source.startswith(f"{path}/") for one in self.skipped
        )

    @property
    def total(self) -> int:
        """How many documents, rows or members were read or listed, the essay aside."""
        return len(self.texts) - 1 + len(self.skipped)

    @property
    def refused(self) -> bool:
        """Whether a file was skipped as a whole."""
        files = {f"{folder()}/{path.name}" for path in folder().iterdir()}
        return any(one.source in files and not one.place for one in self.skipped)


@cache
def folder() -> Path:
    """Return a folder for this process."""
    made = tempfile.mkdtemp(prefix="likewise-fuzz-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    # The parsers run in this process, as in `documents`.
    reader.Extraction = lambda **_: documents.extraction()  # type: ignore[assignment,misc]
    return Path(made)


def write_files(files: Mapping[str, bytes]) -> Path:
    """Write files to the folder, and nothing else; return it."""
    for path in folder().iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, data in files.items():
        (folder() / name).write_bytes(data)
    return folder()


def read_files(files: Mapping[str, bytes]) -> Found:
    """Read files, and an essay, as a folder; each must be read or listed."""
    path = write_files({**files, ESSAY[0]: ESSAY[1]})
    source = reader.Reader(path, cache=False)
    texts: dict[str, str] = {}
    for batch in source:
        texts.update(zip(batch.ids, batch.texts.to_pylist(), strict=True))
    found = Found(texts, source.skipped)
    if source.documents != len(texts):
        raise LostError("two documents have one id")
    if texts.get(ESSAY[0]) != ESSAY[1].decode():
        raise LostError("the essay")
    for name in files:
        is_table = re.search(
            r"\.(csv|tsv|jsonl|json|parquet|arrow)", name
        )  # which may have no rows
        if not is_table and not found.has(name):
            raise LostError(name)
    return found


def archive(rng: Random) -> Outcome:
    """A zip archive of texts and documents, damaged: every member is read or listed."""
    members = {f"{n}.txt": words(rng).encode() for n in range(rng.randint(0, 5))}
    if rng.random() < 0.3:
        members["page.html"] = b"<p>some words"
    if rng.random() < 0.2:
        members["report.docx"] = makers.make_docx(makers.word_paragraph("some words"))
    sound = makers.make_zip(members)
    damaged = sound if rng.random() < 0.05 else mutate_zip(rng, members)
    if rng.random() < 0.3:
        damaged = mutate(rng, sound)
    found = read_files({"a.zip": damaged})
    if damaged == sound and len(found.texts) != len(members) + 1:
        raise LostError("a member of a sound archive")
    listed = _listed(damaged)
    if listed is not None and found.total < listed and not found.refused:
        raise LostError(f"{found.total} of {listed} members")
    return "ok" if len(found.texts) > 1 else "clear error"


def _listed(data: bytes) -> int | None:
    """Return how many files an archive has, by the standard library."""
    try:
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    except Exception:
        return None
    return sum(not name.endswith("/") and not name.startswith((".", "__MACOSX")) for name in names)


def packed(rng: Random) -> Outcome:
    """A text or a table that is compressed, with damaged data."""
    name, data = rng.choice(
        (
            ("a.txt", lambda: words(rng, 500).encode()),
            ("a.csv", lambda: tables.make_csv(rng, ",")),
            ("a.jsonl", lambda: tables.make_jsonl(rng)),
            ("a.html", lambda: b"<p>" + words(rng).encode()),
        )
    )
    content = data()
    if rng.random() < 0.3:
        content = mutate(rng, content)
    if rng.random() < 0.5:
        name += ".gz"
        content = gzip.compress(content, mtime=0)
    else:
        name += ".zst"
        content = pa.compress(content, "zstd", asbytes=True)
    if rng.random() < 0.2:
        content *= 2  # several members or frames
    found = read_files({name: mutate(rng, content, 2)})
    return "ok" if len(found.texts) > 1 else "clear error"


def mixed(rng: Random) -> Outcome:
    """A folder of damaged files of all kinds, some with the name of another kind."""
    makers_ = (
        (".docx", documents.make_docx),
        (".odt", documents.make_odt),
        (".pptx", documents.make_pptx),
        (".epub", documents.make_epub),
        (".txt", lambda rng: words(rng).encode()),
        (".md", lambda rng: words(rng).encode("utf-16")),
        (".html", lambda rng: b"<p>" + words(rng).encode()),
        (".rtf", lambda rng: rb"{\rtf1 " + words(rng).encode("cp1252", "ignore") + b"}"),
        (".csv", lambda rng: tables.make_csv(rng, ",")),
        (".jsonl", lambda rng: tables.make_jsonl(rng)),
        (".zip", lambda rng: makers.make_zip({"a.txt": words(rng)})),
    )
    files: dict[str, bytes] = {}
    for number in range(rng.randint(1, 5)):
        extension, make = rng.choice(makers_)
        data = make(rng)
        if rng.random() < 0.2:
            extension = rng.choice(makers_)[0]
        if data[:2] == b"PK" and rng.random() < 0.5:
            data = mutate_zip(rng, open_zip(data))
        files[f"{number}{extension}"] = mutate(rng, data) if rng.random() < 0.6 else data
    found = read_files(files)
    return "ok" if len(found.texts) > 1 else "clear error"


def metadata(rng: Random) -> Outcome:
    """A table of metadata, damaged or of odd values, and the rows of two documents."""
    kind = rng.choice((".csv", ".tsv", ".jsonl", ".parquet", ".xlsx"))
    names = rng.sample(("id", "file", "title", "author", "date", "group", "x"), rng.randint(1, 5))
    if kind == ".parquet":
        data = tables.make_parquet(rng, names)
    elif kind == ".jsonl":
        data = tables.make_jsonl(rng, names)
    elif kind == ".xlsx":
        values = [names, *([rng.choice(("0", "a/0.txt", 1, 45_000.5, None)) for _ in names],) * 3]
        data = mutate_zip(rng, open_zip(makers.make_xlsx(values, (rng.randrange(3),))))
    else:
        data = tables.make_csv(rng, "," if kind == ".csv" else "\t", names)
    changed = data if kind == ".xlsx" and rng.random() < 0.7 else mutate(rng, data)
    table = MetadataTable.read(write_files({f"m{kind}": changed}) / f"m{kind}")
    if rng.random() < 0.5:
        table.expect(("0", "a/0.txt", "1", "Ann_7_assignsubmission_file_/x.txt"))
    for id_ in ("0", "a/0.txt", "1"):
        found = table.find(id_)
        if found is not None and not all(isinstance(value, str) for value in found.values()):
            raise LostError("metadata that is no text")
    list(map(str, table.notes))
    return "ok"


def cache_entry(rng: Random) -> Outcome:
    """An entry of the cache, damaged or crafted: it gives a text or is ignored."""
    text = words(rng)
    hidden = (Hidden(rng.randint(0, len(text)), words(rng, 3), "white", 7),)
    entry = encode_outcome(
        rng.choice(
            (
                Document(text),
                Document(text, (0, len(text) // 2)),
                Document(text, (0,), (words(rng),), hidden),
                UnreadableError(words(rng), lasting=rng.random() < 0.5),
            )
        )
    )
    try:
        found = decode_outcome(_craft(rng, entry) if rng.random() < 0.8 else mutate(rng, entry))
    except ValueError:
        return "clear error"
    if isinstance(found, Document):
        encode_outcome(found)
        starts = (0, *(found.page_starts or ()), len(found.text))
        if list(starts) != sorted(starts):
            raise LostError("pages begin outside the text")
    return "ok"


def _craft(rng: Random, entry: bytes) -> bytes:
    """Damage what is inside an entry, whose checksum then fits."""
    magic, _, packed_ = entry.partition(b"\n")
    content = zlib.decompress(packed_)
    if rng.random() < 0.05:
        content = rng.choice((b"[", b'{"pages":')) * rng.choice((10, 100_000))
    return magic + b"\n" + zlib.compress(mutate(rng, content), 1)
