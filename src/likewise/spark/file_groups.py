"""Sources → files in groups that are read and written alike.

On disk, the files are those of the local engine: `open_rows` finds them and their columns.
Elsewhere Spark lists them, with the same rules for names.
"""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from likewise.documents.kinds import EXTENSIONS, is_litter, split_name
from likewise.documents.tables.arrow import Arrow
from likewise.documents.tables.delimited import Csv
from likewise.documents.tables.parquet import Parquet
from likewise.documents.tables.source import open_rows
from likewise.documents.utf8 import begins_as_utf8
from likewise.errors import ColumnError, SourceError
from likewise.spark import filesystem

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from likewise.documents.tables.source import RowSource
    from likewise.documents.tables.table import Table

FormatName = Literal["parquet", "orc", "json", "csv", "arrow"]
_FORMATS: dict[str, FormatName] = {
    "parquet": "parquet", "orc": "orc", "jsonl": "json", "json": "json", "csv": "csv",
    "tsv": "csv", "arrow": "arrow",
}  # fmt: skip
# Spark reads zstd, but most installations cannot write it.
_CODECS = {".gz": "gzip", ".zst": "gzip", ".bz2": "bzip2"}
# What Spark reads and the local engine does not.
_SPARK_ONLY = (".orc", ".bz2")
_NO_ID_HINT = "rows have no position in Spark, so they need an id: name its column with --id"


@dataclass(frozen=True)
class Layout:
    """What the files of a group have in common.

    Attributes:
        format: how Spark reads and writes them.
        text, id: their columns; None where Spark has to find them.
        names: the header of CSV; the columns of Parquet with their types; else nothing.
        delimiter: that of CSV.
        keys: of the folders key=value that the files are in.
        is_array: files of JSON that are arrays, and not lines.
        joined: whether texts are joined from lists, as far as is known.
        numbers: whether the column that decides contains numbers, where the file has no types.
    """

    format: FormatName
    text: str | None = None
    id: str | None = None
    names: tuple[str, ...] = ()
    delimiter: str = ","
    keys: tuple[str, ...] = ()
    numbers: bool = True
    is_array: bool = False
    joined: bool = False


@dataclass
class FileGroup:
    """Files with the same layout; what is written is packed as the first of them is."""

    layout: Layout
    paths: list[str] = field(default_factory=list)

    @property
    def compression(self) -> str | None:
        return _CODECS.get(os.path.splitext(self.paths[0])[1].lower())


@dataclass(frozen=True)
class Wanted:
    """The columns that the user named, and the names that are going to be added."""

    text: str | None = None
    id: str | None = None
    keep: str | None = None
    added: tuple[str, ...] = ()


def find_groups(
    spark: SparkSession,
    sources: Sequence[str],
    wanted: Wanted,
    opened: Callable[[RowSource], None] | None = None,
) -> list[FileGroup]:
    """The files of all sources, in groups.

    `opened` is called with the files on disk. Raises `SourceError` for what Spark cannot read.
    """
    here = [_on_disk(spark, source) for source in sources]
    found: dict[Layout, FileGroup] = {}
    paths = [path for path in here if path is not None]
    if paths:
        source = open_rows(
            paths, text=wanted.text, id=wanted.id, column=wanted.keep, reserved=wanted.added
        )
        if opened is not None:
            opened(source)
        for table in source.files:
            if (layout := _layout(table)) is not None:
                _add(found, layout, f"file://{os.path.abspath(table.origin.path or '')}")
    for path, address in zip(here, sources, strict=True):
        if path is None:
            for layout, name in _elsewhere(spark, address):
                _add(found, layout, name)
    if not found:
        raise SourceError(f"{', '.join(sources[:3])}: no rows")
    return list(found.values())


def _add(found: dict[Layout, FileGroup], layout: Layout, path: str) -> None:
    found.setdefault(layout, FileGroup(layout)).paths.append(path)


def _on_disk(spark: SparkSession, source: str) -> str | None:
    """The path of a source that the local engine can list; None where Spark has to."""
    address = source if re.match(r"\w[\w+.-]*:/", source) else "/"
    if filesystem.scheme(spark, address) != "file":
        return None
    path = re.sub(r"^file:(//)?(?=/)", "", source)
    inside = os.path.join(glob.escape(path), "**", "*") if os.path.isdir(path) else path
    if any(name.lower().endswith(_SPARK_ONLY) for name in glob.iglob(inside, recursive=True)):
        return None
    return path


def _layout(table: Table) -> Layout | None:
    """How a file of the local engine is read by Spark; None if it has no rows."""
    origin = table.origin
    name = os.path.basename(origin.path or "")
    form = _FORMATS.get(table.kind)
    if form is None:
        raise SourceError(
            f"{origin.name}: is not a table; Spark reads .parquet, .orc, .arrow, .jsonl, .json, "
            ".csv and .tsv files",
            hint="name the tables by a pattern, or use --engine local",
        )
    if table.columns is None:
        return None
    if table.columns.id is None:
        raise ColumnError(f"{origin.name}: no id column", hint=_NO_ID_HINT)
    if _is_hidden(name) or ":" in name:
        raise SourceError(
            f"{origin.name}: Spark does not read files whose names begin with _ or . or contain :",
            hint="rename the file, or use --engine local",
        )
    if (origin.path or "") != origin.name:
        raise SourceError(f"{origin.name}: the name is not valid UTF-8", hint="rename the file")
    if form == "parquet" and origin.compression is not None:
        raise SourceError(
            f"{origin.name}: Spark does not read compressed Parquet files",
            hint="decompress it, or use --engine local",
        )
    if form not in ("parquet", "arrow") and not begins_as_utf8(origin):
        raise SourceError(
            f"{origin.name}: is not UTF-8, which Spark requires",
            hint="convert it to UTF-8, or use --engine local",
        )
    values = table.reading.values
    layout = Layout(
        form, table.columns.text, table.columns.id, keys=_keys(origin.id),
        numbers=values is None or values.family in ("numbers", "true or false"),
        is_array=table.kind == "json", joined=table.joined,
    )  # fmt: skip
    if isinstance(table, Parquet):
        with table.open_file() as file:
            names = tuple(f"{field.name}: {field.type}" for field in file.schema_arrow)
            return _without_own_keys(replace(layout, names=names), file.schema_arrow.names)
    if isinstance(table, Arrow):
        schema = table.schema()
        names = tuple(f"{field.name}: {field.type}" for field in schema)
        return _without_own_keys(replace(layout, names=names), schema.names)
    if isinstance(table, Csv):
        if twice := next((n for n in table.names if table.names.count(n) > 1), None):
            raise ColumnError(
                f"{origin.name}: {table.names.count(twice)} columns are called {twice!r}",
                hint="rename one of them, or use --engine local",
            )
        layout = replace(layout, names=tuple(table.names), delimiter=table.delimiter)
        return _without_own_keys(layout, table.names)
    return layout


def _is_hidden(name: str) -> bool:
    """Whether Spark passes over a file, even one that is named."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def _keys(below: str) -> tuple[str, ...]:
    """The keys of the folders key=value in a path.

    >>> _keys("crawl/year=2026/lang=en/part-1.parquet")
    ('year', 'lang')
    """
    folders = below.split("/")[:-1]
    return tuple(dict.fromkeys(name.partition("=")[0] for name in folders if name.find("=") > 0))


def _without_own_keys(layout: Layout, names: Sequence[str]) -> Layout:
    """A column of the file goes before a folder of the same name."""
    return replace(layout, keys=tuple(key for key in layout.keys if key not in names))


def _elsewhere(spark: SparkSession, source: str) -> Iterator[tuple[Layout, str]]:
    """The files of a source as Spark lists them: those below a folder, or that match a pattern."""
    fixed, matches = _split_pattern(filesystem.qualified(spark, source))
    rows = (
        spark.read.format("binaryFile").option("recursiveFileLookup", True).load(fixed)
        .select("path").orderBy("path").toLocalIterator()
    )  # fmt: skip
    count = 0
    for row in rows:
        path: str = row["path"]
        below = path[len(fixed.rstrip("/")) + 1 :] if path.startswith(fixed) else ""
        if not matches(path) or any(map(is_litter, below.split("/"))):
            continue
        if (form := _format(path)) is not None:
            count += 1
            delimiter = "\t" if split_name(path)[0] in (".tsv", ".tab") else ","
            yield Layout(form, delimiter=delimiter, keys=_keys(below)), path
    if not count:
        raise SourceError(
            f"{source}: no tables; Spark reads .parquet, .orc, .jsonl, .json, .csv and .tsv files"
        )


def _format(path: str) -> FormatName | None:
    """The format of a file by its name; without an extension it is what such tables mostly are."""
    name = path[:-4] if path.lower().endswith(".bz2") else path
    extension = split_name(name)[0]
    if extension in (".orc", ".json"):
        return "orc" if extension == ".orc" else "json"
    form = _FORMATS.get(EXTENSIONS.get(extension, "")) if extension else "parquet"
    if form == "arrow":
        raise SourceError(
            f"{path}: Arrow files are read with Spark on local and mounted disks only",
            hint="copy it there, or write it as Parquet",
        )
    return form


def _split_pattern(source: str) -> tuple[str, Callable[[str], object]]:
    """What Spark is to list, and which of the files are meant.

    Spark's own patterns know no `**`, which stands for any number of folders.

    >>> fixed, matches = _split_pattern("s3a://b/crawl/**/*.parquet")
    >>> fixed, bool(matches("s3a://b/crawl/1/2/a.parquet")), bool(matches("s3a://b/crawl/a.csv"))
    ('s3a://b/crawl', True, False)
    """
    parts = source.split("/")
    if "**" not in parts:
        return source, lambda path: True
    first = next(at for at, part in enumerate(parts) if glob.has_magic(part))
    pattern = "".join(
        "(?:[^/]+/)*" if part == "**" else f"{_part_pattern(part)}/" for part in parts[first:]
    ).removesuffix("/")
    fixed = "/".join(parts[:first])
    if parts[-1] == "**":
        pattern += "[^/]+"
    return fixed, re.compile(re.escape(fixed) + "/" + pattern).fullmatch


def _part_pattern(part: str) -> str:
    """A pattern for one folder or file, as a regular expression."""
    translated = fnmatch.translate(part)  # "(?s:…)\\Z" or "(?s:…)\\z"
    inside = translated[len("(?s:") : translated.rindex(")")]
    return inside.replace(".*", "[^/]*")
