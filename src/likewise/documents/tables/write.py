"""Rows written back in the format that they came in."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Event, Lock
from typing import IO, Any

from likewise.documents.formats.plain_text import extract_plain_text
from likewise.documents.origin import PACKED, Origin
from likewise.documents.reading import Reading
from likewise.documents.stream import read_blocks
from likewise.documents.tables.dataset_folder import write_dataset_files
from likewise.documents.tables.output import explain_full, open_packed
from likewise.documents.tables.source import RowSource, has_changed
from likewise.documents.tables.table import RowEdits, Table, Verdicts
from likewise.documents.tables.target import ANNOTATIONS, Target
from likewise.documents.tables.text_table import json_fields
from likewise.errors import SourceError

_ROWS = 10_000
_EDITED_ROWS = 64  # texts in memory together
_ROOM = 1 << 30


@dataclass
class Written:
    """What was written: files (documents count as files), rows, rows left out, bytes on disk."""

    files: int = 0
    rows: int = 0
    removed: int = 0
    bytes: int = 0


def write_rows(
    source: RowSource,
    target: Target,
    verdicts: Verdicts,
    *,
    threads: int = 1,
    room: int = _ROOM,
    progress: Callable[[int], None] | None = None,
    check: Callable[[str], None] | None = None,
    edits: RowEdits | None = None,
) -> Written:
    """Write the rows that are kept; or all rows with their annotations, if the target has some.

    Parquet: all columns, their types, metadata and codecs; row groups as in the source, but large
    ones are cut at a fixed size; and a file of which nothing is removed as it is. Other tables: the
    kept rows byte for byte. Documents: the kept files, with their times. With annotations, JSON
    Lines get more keys and CSV and Parquet more columns; lines of plain text become JSON Lines; and
    of documents only a table `annotations.jsonl` is written. Bad rows are as they were.

    Up to `threads` files are written at once, if they fit into `room` bytes of memory; what is
    written does not depend on either. `progress` is called with the bytes read from disk so far;
    `check` with the path of what is written when it is whole and not under its name yet, to raise
    if it must not be. `edits` has new texts of kept rows: tables and plain text with such are
    written as UTF-8.

    Raises `SourceError` where a file is damaged or has changed since it was read, `LikewiseError`
    where the disk is full; nothing is then left.
    """
    return _Writing(source, target, verdicts, threads, room, progress, check, edits).run()


class _Writing:
    def __init__(
        self,
        source: RowSource,
        target: Target,
        verdicts: Verdicts,
        threads: int,
        room: int,
        progress: Callable[[int], None] | None,
        check: Callable[[str], None] | None,
        edits: RowEdits | None,
    ) -> None:
        self._source = source
        self._target = target
        self._verdicts = verdicts
        self._threads = threads
        self._room = room
        self._progress = progress
        self._check = check
        self._edits = edits
        self._written = Written()
        self._positions: dict[int, int] = {}  # bytes of each file that have been read
        self._done = 0
        self._lock = Lock()
        self._given_up = Event()
        self._copied = False
        self._notes: IO[bytes] | None = None

    def run(self) -> Written:
        with self._target.open() as aside, ExitStack() as self._stack:
            left_out = [file for file in self._source.files if file.left_out is not None]
            self._done = sum(file.size for file in left_out)
            self._write_files([file for file in self._source.files if file.left_out is None], aside)
            if self._copied:
                os.sync()  # one by one takes long where there are very many
            self._stack.close()
            self._write_dataset_files(aside)
            if self._check is not None:
                self._check(aside)
        return self._written

    def _write_dataset_files(self, aside: str) -> None:
        if not self._target.folder:
            return
        tables = [
            file
            for file in self._source.files
            if file.left_out is None and file.kind != "documents"
        ]
        with explain_full(self._target.name):
            write_dataset_files(
                tables,
                lambda file: self._path(self._target.paths[file.origin.path or ""], aside),
                annotated=self._target.annotations is not None,
            )

    def _write_files(self, files: list[Table], aside: str) -> None:
        """Write some files beside each other; the first one that fails is what is raised."""
        sizes = [file.writer_bytes for file in files if file.writer_bytes is not None]
        writers = max(1, min(self._threads, len(sizes), self._room // max(sizes, default=1)))
        self._room //= writers
        with ThreadPoolExecutor(writers, "likewise-write") as pool:
            try:
                beside = {
                    file.number: pool.submit(self._write, file, aside)
                    for file in files
                    if file.writer_bytes is not None and writers > 1
                }
                for file in files:
                    if file.number in beside:
                        beside[file.number].result()
                    else:
                        self._write(file, aside)
            except BaseException:
                # Nothing may be written to a folder that is being removed.
                self._given_up.set()
                pool.shutdown(cancel_futures=True)
                raise

    def _report(self, file: Table, position: int) -> None:
        if self._given_up.is_set():
            raise CancelledError
        with self._lock:
            self._done += position - self._positions.get(file.number, 0)
            self._positions[file.number] = position
            if self._progress is not None:
                self._progress(self._done)

    def _write(self, file: Table, aside: str) -> None:
        if self._write_rows(file, aside) != self._verdicts.count(file.number):
            raise has_changed(file)
        self._report(file, file.size)

    def _write_rows(self, file: Table, aside: str) -> int:
        with explain_full(self._target.name):
            if file.kind != "documents":
                return self._write_table(file, aside)
            if self._target.annotations is not None:
                return self._annotate_documents(file, aside)
            return self._copy_documents(file, aside)

    def _path(self, below: str, aside: str) -> str:
        if not self._target.folder:
            return aside
        path = os.path.join(aside, below)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def _write_table(self, file: Table, aside: str) -> int:
        origin = file.origin
        below = self._target.paths[origin.path or ""]
        if file.kind == "lines" and self._target.annotations is not None:
            below = _as_jsonl(below)
        path = self._path(below, aside)
        expected = max(1, self._verdicts.count(file.number))
        read = written = 0
        annotate = self._target.annotations is not None
        schema = self._verdicts.schema(file.number) if annotate else None
        with open_packed(path, origin.compression) as out:
            for rows, kept in file.write(out, self._verdicts, schema, self._room, self._edits):
                read += rows
                written += kept
                self._report(file, file.size * min(read, expected) // expected)
        self._count(path, read, written)
        return read

    def _count(self, path: str, read: int, written: int) -> None:
        with self._lock:
            self._written.files += 1
            self._written.bytes += os.path.getsize(path)
            self._written.rows += written
            self._written.removed += read - written

    def _copy_documents(self, file: Table, aside: str) -> int:
        done = 0
        rows = _ROWS if self._edits is None else _EDITED_ROWS
        for start in range(0, len(file.origins), rows):
            some = file.origins[start : start + rows]
            kept = self._verdicts.kept(file.number, start, start + len(some))
            if len(kept) != len(some):
                return start
            texts = self._edited_texts(file, start, start + len(some))
            for row, (origin, keep) in enumerate(zip(some, kept.tolist(), strict=True), start):
                if keep and row in texts:
                    self._write_text(origin, *texts[row], aside)
                elif keep and self._copy(origin, aside):
                    self._count(self._path(self._target.paths[origin.path or ""], aside), 1, 1)
                elif not keep:
                    with self._lock:
                        self._written.removed += 1
                done += origin.size or 0
                self._report(file, done)
        return len(file.origins)

    def _edited_texts(self, file: Table, start: int, stop: int) -> dict[int, tuple[str, str]]:
        """Return by row the texts of documents as they were, and as they are to be written."""
        if self._edits is None or not len(rows := self._edits.rows(file.number, start, stop)):
            return {}
        old: list[Any] = []
        for batch in self._source.gather(file.number, rows):
            old += batch.texts.to_pylist()
        new = self._edits.edited(file.number, rows, old)
        return dict(zip(rows.tolist(), zip(old, new, strict=True), strict=True))

    def _write_text(self, origin: Origin, old: str, new: str, aside: str) -> None:
        """Write a document of plain text with another text."""
        data = b"".join(read_blocks(origin, Reading()))
        if extract_plain_text(data, self._source.reading.encoding).text != old:
            raise SourceError(
                f"{origin.name}: parts cannot be removed, as it is not plain text",
                hint="annotate the documents instead, or save it as plain text",
            )
        path = self._path(self._target.paths[origin.path or ""], aside)
        with open_packed(path, origin.compression) as out:
            out.write(new.encode())
        self._count(path, 1, 1)

    def _copy(self, origin: Origin, aside: str) -> bool:
        """Copy a document with its times; return False for one that cannot be read."""
        source = origin.path or ""
        try:
            content = origin.open()
        except OSError as error:
            if not self._source.reading.skip_bad:
                raise SourceError(f"{origin.name}: cannot be read: {error.strerror}") from error
            self._source.reading.skip_file(origin, f"cannot be read: {error.strerror}")
            return False
        path = self._path(self._target.paths[source], aside)
        with content, open(path, "xb") as out:
            shutil.copyfileobj(content, out, 1 << 20)
        if origin.stored is None:
            shutil.copystat(source, path)
        self._copied = True
        return True

    def _annotate_documents(self, file: Table, aside: str) -> int:
        if self._notes is None:
            path = self._path(ANNOTATIONS, aside)
            self._notes = self._stack.enter_context(open_packed(path, None))
            with self._lock:
                self._written.files += 1
        for start in range(0, len(file.origins), _ROWS):
            some = file.origins[start : start + _ROWS]
            batch = self._verdicts.annotations(file.number, start, start + len(some))
            if len(batch) != len(some):
                return start
            names = [json.dumps(origin.id, ensure_ascii=False) for origin in some]
            lines = "".join(
                f'{{"file": {name}, {added}}}\n'
                for name, added in zip(names, json_fields(batch), strict=True)
            ).encode()
            self._notes.write(lines)
            with self._lock:
                self._written.bytes += len(lines)
                self._written.rows += len(some)
        return len(file.origins)


def _as_jsonl(below: str) -> str:
    """Return the name of a file of JSON Lines; what it is packed with stays its end."""
    stem, extension = os.path.splitext(below)
    if extension.lower() in PACKED:
        return f"{stem}.jsonl{extension}"
    return f"{below}.jsonl"
