"""Collections for the tests, and what the local engine says of them in the form of Spark's rows."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

import likewise

ANNOTATIONS = ("cluster", "kept", "similar_to", "similarity")


def edited_texts(count: int, seed: int, words: int = 400) -> list[str]:
    """Texts, a third of them copies of earlier ones with up to three words changed."""
    draw = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(words)]
    texts: list[str] = []
    for _ in range(count):
        if texts and draw.random() < 0.35:
            own = draw.choice(texts).split()
            for _ in range(draw.randrange(4)):
                own[draw.randrange(len(own))] = draw.choice(vocabulary)
            texts.append(" ".join(own))
        else:
            texts.append(" ".join(draw.choices(vocabulary, k=draw.randrange(3, 60))))
    return texts


def shuffled_ids(count: int, seed: int) -> list[str]:
    """Different ids, numbers and others, in no order."""
    ids = [str(i) if i % 3 else f"x{i}" for i in range(count)]
    random.Random(seed).shuffle(ids)
    return ids


def frame(spark: Any, ids: Sequence[Any], texts: Sequence[str | None], kind: str = "string") -> Any:
    """A DataFrame of ids and texts in a few partitions."""
    rows = list(zip(ids, texts, strict=True))
    return spark.createDataFrame(rows, f"id {kind}, text string").repartition(3)


def rows_of(table: Any, columns: Iterable[str] | None = None) -> list[tuple[Any, ...]]:
    """The rows of an Arrow table, in an order of their own."""
    names = table.schema.names if columns is None else columns
    return sorted(zip(*(table.column(name).to_pylist() for name in names), strict=True), key=repr)


def local_pairs(ids: Sequence[str], texts: Sequence[str], **options: Any) -> list[tuple[Any, ...]]:
    """Of a collection in the order of its ids."""
    from likewise.search.order import id_key

    order = sorted(range(len(ids)), key=lambda i: id_key(ids[i]))
    found = likewise.find_pairs([texts[i] for i in order], ids=[ids[i] for i in order], **options)
    return rows_of(found.to_arrow())


def local_families(
    ids: Sequence[Any], texts: Sequence[str | None], **options: Any
) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], list[str]]:
    """Passages and families of a collection in the order of its ids, and the notes.

    `against` is a pair of ids and texts; metadata are those of each text, as dictionaries.
    """
    from likewise.passages.families.find import find_families
    from likewise.passages.find import find_passages

    ids, texts, options["metadata"] = in_order(ids, texts, options.get("metadata"))
    if "against" in options:
        options["against_ids"], options["against"], _ = in_order(*options["against"])
    passages = find_passages(texts, ids=ids, **options)
    families = find_families(passages, metadata=options["metadata"])
    notes = [note for note in passages.notes if "by chance" not in note]
    return rows_of(passages.to_arrow()), rows_of(families.to_arrow()), notes + families.notes


def in_order(
    ids: Sequence[Any], texts: Sequence[str | None], metadata: Sequence[Any] | None = None
) -> tuple[list[Any], list[str | None], list[Any] | None]:
    """Documents in the order of their ids."""
    from likewise.search.order import id_key

    order = sorted(range(len(ids)), key=lambda i: id_key(ids[i]))
    known = None if metadata is None else [metadata[i] for i in order]
    return [ids[i] for i in order], [texts[i] for i in order], known


def local_annotations(
    ids: Sequence[Any], texts: Sequence[str | None], **options: Any
) -> list[tuple[Any, ...]]:
    from likewise.dedup.deduplicate import deduplicate

    table = deduplicate(texts, ids=ids, **options).to_arrow()
    cluster, kept, similar_to, similarity = (table[name].to_pylist() for name in ANNOTATIONS)
    targets = [None if id_ is None else str(id_) for id_ in similar_to]
    return sorted(zip(map(str, ids), cluster, kept, targets, similarity, strict=True), key=repr)


def local_clusters(
    ids: Sequence[Any], texts: Sequence[str | None], **options: Any
) -> list[tuple[Any, ...]]:
    from likewise.dedup.deduplicate import deduplicate

    return sorted(
        (c.name, len(c.members), c.unique, len(c.kept), c.lowest_inside, c.lowest_inside_exact,
         c.lowest_removed)
        for c in deduplicate(texts, ids=ids, **options).clusters()
    )  # fmt: skip


def spark_annotations(annotated: Any) -> list[tuple[Any, ...]]:
    found = annotated.toArrow()
    columns = [found.column(name).to_pylist() for name in ("id", *ANNOTATIONS)]
    texts = [[None if v is None else str(v) for v in column] for column in (columns[0], columns[3])]
    return sorted(
        zip(texts[0], columns[1], columns[2], texts[1], columns[4], strict=True), key=repr
    )
