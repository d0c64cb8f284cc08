"""What holds the documents of a speed run: our index on its stores, and datasketch on its own."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from benchmarks.texts.shingles import batches, shingle_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likewise.index.passage_results import IndexPassages

VALUES = 128
RECALL = 0.99

# (id, similarity), or None for a similarity that is not told or only estimated
Found = list[tuple[str, float | None]]


class Holder(Protocol):
    """Takes documents, and says which of them are similar to a text."""

    def add(self, texts: Sequence[str], ids: Sequence[str]) -> None: ...
    def query(self, text: str) -> Found: ...

    def reopen(self) -> None:
        """Begin anew with what is on disk, if anything is."""

    def sizes(self) -> dict[str, int | None]:
        """Return the bytes in all and of the texts, as far as they are known."""


class Likewise:
    """Our index, in a file or a PostgreSQL schema; adds with its own number of threads.

    For similar documents only, unless ``min_words`` says from which length on passages are found.
    """

    def __init__(
        self, path: str, threshold: float, keep_text: bool, min_words: int | None = None
    ) -> None:
        from likewise.index.index import Index

        self._path, self._keep_text = path, keep_text
        self._index = Index.create(
            path, profile="word:3", threshold=threshold, recall=RECALL, values=VALUES,
            keep_text=keep_text, min_words=min_words,
        )  # fmt: skip

    def add(self, texts: Sequence[str], ids: Sequence[str]) -> None:
        self._index.add(texts, ids)

    def query(self, text: str) -> Found:
        (found,) = self._index.query([text], threads=1)
        return [(m.id, m.jaccard if m.intervals is None else None) for m in found]

    def passages(self, text: str) -> IndexPassages:
        return self._index.passages([text], threads=1)

    def reopen(self) -> None:
        from likewise.index.index import Index

        self._index.close()  # of a file, this also writes the log into it
        self._index = Index(self._path)

    def sizes(self) -> dict[str, int | None]:
        total = int(self._index.info()["bytes"])
        if not self._keep_text:
            return {"bytes": total, "text_bytes": 0}
        of_texts = _in_postgres if self._path.startswith("postgresql://") else _in_sqlite
        return {"bytes": total, "text_bytes": of_texts(self._path)}


def _in_sqlite(path: str) -> int | None:
    """Return the bytes of the pages of texts; None where SQLite was built without dbstat."""
    connection = sqlite3.connect(Path(path).resolve().as_uri() + "?mode=ro", uri=True)
    try:
        (row,) = connection.execute("SELECT sum(pgsize) FROM dbstat WHERE name = 'texts'")
        return int(row[0] or 0)
    except sqlite3.OperationalError:
        return None
    finally:
        connection.close()


def _in_postgres(path: str) -> int:
    import psycopg

    url, _, schema = path.partition("#")
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT pg_total_relation_size(%s::regclass)", (f"{schema}.texts",)
        ).fetchone()
    return int(row[0]) if row else 0


class Datasketch:
    """datasketch's MinHashLSH, in memory or in Redis, by its documented fast way.

    ``MinHash.bulk`` and one insertion session a batch; a single text is sketched into a copy of an
    empty MinHash, which spares drawing the permutations again. It holds signatures and no texts: an
    answer is what shares a band, not verified.
    """

    def __init__(self, threshold: float, storage: dict[str, Any] | None = None) -> None:
        from datasketch import MinHash, MinHashLSH  # type: ignore[import, unused-ignore]

        self._bulk = MinHash.bulk
        self._empty = MinHash(num_perm=VALUES)
        self._index = MinHashLSH(threshold=threshold, num_perm=VALUES, storage_config=storage)

    def add(self, texts: Sequence[str], ids: Sequence[str]) -> None:
        if len(texts) == 1:
            self._index.insert(ids[0], self._sketch(texts[0]))
            return
        with self._index.insertion_session() as session:
            begin = 0
            for part in batches(texts):
                shingles = [[one.encode() for one in shingle_list(text)] for text in part]
                sketches = self._bulk(shingles, num_perm=VALUES)
                for id_, sketch in zip(ids[begin : begin + len(part)], sketches, strict=True):
                    session.insert(id_, sketch)
                begin += len(part)

    def query(self, text: str) -> Found:
        return [(id_, None) for id_ in self._index.query(self._sketch(text))]

    def reopen(self) -> None:
        pass

    def sizes(self) -> dict[str, int | None]:
        return {"bytes": None, "text_bytes": None}

    def _sketch(self, text: str) -> Any:
        sketch = self._empty.copy()
        sketch.update_batch([one.encode() for one in shingle_list(text)])
        return sketch


def make(kind: str, place: str, threshold: float, keep_text: bool, name: str) -> Holder:
    """Return an empty holder called ``name``: at a folder, a URL or a port of this machine."""
    if kind == "sqlite":
        return Likewise(str(Path(place) / f"{name}.db"), threshold, keep_text)
    if kind == "postgresql":
        return Likewise(f"{place}#{name}", threshold, keep_text)
    if kind == "datasketch-memory":
        return Datasketch(threshold)
    return Datasketch(
        threshold,
        {
            "type": "redis",
            "basename": name.encode(),
            "redis": {"host": "127.0.0.1", "port": int(place)},
        },
    )
