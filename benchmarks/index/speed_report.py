"""The table of speed as Markdown, and the aims beside what was measured."""

from __future__ import annotations

from typing import Any

from benchmarks.harness import machine, postgres_server
from benchmarks.harness.table import markdown, short
from benchmarks.index.collection import KINDS

OURS = ("sqlite", "postgresql")
MEMORY, REDIS = PEERS = ("datasketch-memory", "datasketch-redis")
TITLES = {
    "sqlite": "SQLite",
    "postgresql": "PostgreSQL",
    MEMORY: "datasketch, memory",
    REDIS: "datasketch, Redis",
}

# What the index was designed for.
AIM_ADD = {"sqlite": 30_000, "postgresql": 7_000}  # documents a second
AIM_BYTES = {"sqlite": 1_000, "postgresql": 2_300}  # a document, besides text
AIM_P50, AIM_P99 = 1.0, 5.0  # milliseconds of a query
AIM_SIZE = 1_000_000

Row = dict[str, Any]


def text(facts: dict[str, Any]) -> str:
    """Return the report."""
    rows: list[Row] = facts["rows"]
    done = [row for row in rows if not row["failure"]]
    parts = ["# Speed of the index", _preface(facts), _machine(facts)]
    parts += ["Adding:", _adding(rows, done), "Asking, milliseconds of one query:", _asking(done)]
    if any(row["holder"] in PEERS for row in done):
        parts += [_about_peers(facts), _ratios(done)]
    parts += [f"Left out: {said}." for said in facts["left_out"]]
    aims = _aims(done)
    if aims:
        size = max(row["documents"] for row in done if row["holder"] in OURS)
        parts += [
            f"What the index is designed for, at {AIM_SIZE:,} documents, and what it was at"
            f" {size:,}:",
            markdown(["aim", "wanted", "measured", "reached"], aims),
        ]
    return "\n\n".join(parts)


def line(row: Row) -> str:
    """Return one row as a line, for progress."""
    name = f"{_name(row)}, {row['documents']:,} documents"
    if row["failure"]:
        return f"{name}: {row['failure']}"
    return (
        f"{name}: {row['documents_a_second']:,.0f} documents/s,"
        f" query {row['query_ms']['none']['p50']:.3f} ms, {row['missed']} missed,"
        f" {row['wrong']} wrong"
    )


def _name(row: Row) -> str:
    if row["holder"] in PEERS:
        return TITLES[row["holder"]]
    return f"{TITLES[row['holder']]}, {'with' if row['text'] else 'no'} text"


def _preface(facts: dict[str, Any]) -> str:
    made = facts["corpus"]
    mean = made["bytes"] / made["documents"]
    return (
        f"Documents of {mean:,.0f} bytes on average, word:3, 128 values, threshold"
        f" {facts['threshold']:g}, recall 0.99. The index is made for similar documents only,"
        " without passages (`index-passages.md` is about those)."
        f" Documents are added {facts['batch']:,} at a time, each"
        " batch one durable transaction, sketching included; texts are read and altered outside"
        f" the measured time. Then the index is closed and opened again,"
        f" {facts['singles']:,} documents are added one by one, and texts are asked about in the"
        f" same process on one thread, {facts['asked']:,} of each kind: *none* has no match, *one*"
        " is a stored document with one word in a hundred altered, *ten* has ten near copies. The"
        " system's cache is warm. One run of each cell, each in a fresh process on a fresh store."
        " *Missed*: planted documents that were not found; *wrong*: found and not similar, or with"
        " another similarity than the exact one. *Peak* is the process, with one batch of texts"
        " (10⁶ bytes); that of a server is not counted. *Bytes a document* as the store stands"
        " after the last batch, with what merges left behind."
    )


def _machine(facts: dict[str, Any]) -> str:
    lines = [machine.summary(facts["machine"])]
    lines.append(f"- 4 kB written and made durable (fsync): {facts['durable_write_ms']:.2f} ms")
    if "postgresql" in facts["servers"]:
        lines.append(postgres_server.summary(facts["servers"]["postgresql"]))
    if "redis" in facts["servers"]:
        redis = facts["servers"]["redis"]
        lines.append(
            f"- Redis {redis['server_version']} on 127.0.0.1, default settings: save"
            f" {redis['save']}, appendonly {redis['appendonly']}"
        )
    return "\n".join(lines)


def _adding(rows: list[Row], done: list[Row]) -> str:
    head = ["store", "documents", "documents/s", "of the last tenth", "slowest batch s",
            "single add p50 ms", "p99", "most", "bytes a document", "besides text",
            "peak MB"]  # fmt: skip
    table = []
    for row in rows:
        cells = [_name(row), f"{row['documents']:,}"]
        if row["failure"]:
            table.append([*cells, row["failure"]])
            continue
        single = row["single_ms"]
        values = (
            row["documents_a_second"], row["last_tenth_a_second"], row["slowest_batch_s"],
            single["p50"], single["p99"], single["most"], _each(row, row["bytes"]),
            _besides(row, done), row["peak_adding_mb"],
        )  # fmt: skip
        table.append([*cells, *map(short, values)])
    return markdown(head, table)


def _each(row: Row, count: int | None) -> float | None:
    return None if count is None else count / row["documents"]


def _besides(row: Row, done: list[Row]) -> float | None:
    """Return the bytes a document besides its text; by the same build without texts, if need be."""
    if row["holder"] in PEERS:
        return _each(row, row["bytes"])
    if row["text_bytes"] is not None:
        return _each(row, row["bytes"] - row["text_bytes"])
    for other in done:
        same = all(other[name] == row[name] for name in ("holder", "documents"))
        if same and not other["text"]:
            return _each(other, other["bytes"])
    return None


def _asking(done: list[Row]) -> str:
    head = ["store", "documents"]
    head += [f"{kind}, {part}" for kind in KINDS for part in ("p50", "p99")]
    head += ["first", "planted", "missed", "wrong", "peak MB"]
    table = []
    for row in done:
        times = [row["query_ms"][kind][part] for kind in KINDS for part in ("p50", "p99")]
        table.append([
            _name(row), f"{row['documents']:,}", *map(short, times), short(row["first_query_ms"]),
            f"{row['expected']:,}", f"{row['missed']}", f"{row['wrong']}",
            short(row["peak_asking_mb"]),
        ])  # fmt: skip
    return markdown(head, table)


def _about_peers(facts: dict[str, Any]) -> str:
    return (
        "datasketch holds signatures and no texts: what it answers shares a band, and is neither"
        " verified nor scored, while ours with texts gives pairs verified on the full sets. It"
        " chooses its bands for the least error at the threshold, ours for a recall of 0.99 there,"
        " so that it misses more of those just at the threshold. In memory nothing is on disk, and"
        " with Redis by its default settings what was added since the last snapshot is lost in a"
        " crash; ours is on disk when the call returns. Its shingles are cut in Python, by the"
        " fastest way we know. *Bytes a document* is memory that the process gained, or that the"
        " data take by Redis's own count. A cell may take"
        f" {facts['peer_seconds']:,.0f} s to add. How much quicker ours is, with texts kept, at the"
        " same number of documents (ratio of documents/s, of p50 of a query):"
    )


def _ratios(done: list[Row]) -> str:
    head = ["beside", "documents"]
    head += [f"{TITLES[ours]}, {what}" for ours in OURS for what in ("adding", *KINDS)]
    table = []
    for row in done:
        if row["holder"] not in PEERS:
            continue
        cells: list[float | None] = []
        for ours in OURS:
            other = _found(done, ours, row["documents"])
            if other is None:
                cells += [None] * (1 + len(KINDS))
                continue
            cells.append(other["documents_a_second"] / row["documents_a_second"])
            cells += [row["query_ms"][k]["p50"] / other["query_ms"][k]["p50"] for k in KINDS]
        table.append([TITLES[row["holder"]], f"{row['documents']:,}", *map(short, cells)])
    return markdown(head, table)


def _found(done: list[Row], holder: str, documents: int) -> Row | None:
    for row in done:
        if (row["holder"], row["text"], row["documents"]) == (holder, True, documents):
            return row
    return None


def _aims(done: list[Row]) -> list[list[str]]:
    """Return a line for every aim and every build at the largest size."""
    ours = [row for row in done if row["holder"] in OURS]
    largest = max((row["documents"] for row in ours), default=0)
    lines = []
    for row in ours:
        if row["documents"] != largest:
            continue
        name, holder = _name(row), row["holder"]
        rate = row["documents_a_second"]
        lines.append(_aim(f"{name}: documents/s", AIM_ADD[holder], rate, rate >= AIM_ADD[holder]))
        for part, most in (("p50", AIM_P50), ("p99", AIM_P99)):
            spent, worst = max((row["query_ms"][kind][part], kind) for kind in KINDS)
            title = f"{name}: query {part} ms, of the slowest kind ({worst})"
            lines.append(_aim(title, most, spent, spent <= most))
        held = _besides(row, done)
        if held is not None:
            most = AIM_BYTES[holder]
            lines.append(_aim(f"{name}: bytes besides text", most, held, held <= most))
    return lines


def _aim(name: str, wanted: float, measured: float, reached: bool) -> list[str]:
    return [name, short(wanted), short(measured), "yes" if reached else "no"]
