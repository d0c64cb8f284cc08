"""The tables of passages in the index as Markdown, and the aims beside what was measured."""

from __future__ import annotations

from typing import Any

from benchmarks.harness import machine, postgres_server
from benchmarks.harness.table import markdown, short
from benchmarks.index.passages_questions import (
    ASKED_WORDS,
    EDITED_WORDS,
    KINDS,
    PIECE,
    REPLACED,
    RUN_WORDS,
    TEN_WORDS,
)

TITLES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}

# What the index was designed for.
AIM_P50, AIM_P99 = 5.0, 20.0  # milliseconds of a question
AIM_BYTES = 2_000  # a document, more than without passages
AIM_SIZE = 1_000_000

Row = dict[str, Any]


def text(facts: dict[str, Any]) -> str:
    """Return the report."""
    rows: list[Row] = facts["rows"]
    done = [row for row in rows if not row["failure"]]
    asked = [row for row in done if row["passages"]]
    parts = ["# Passages in the index", _preface(facts), _machine(facts)]
    if rows:
        parts += ["Adding:", _adding(rows, done)]
    if asked:
        parts += [_about_questions(facts), _times(asked), _about_found(), _found(asked)]
    parts += [f"Left out: {said}." for said in facts["left_out"]]
    if asked:
        size = max(row["documents"] for row in asked)
        parts += [
            f"What the index is designed for, at {AIM_SIZE:,} documents, and what it was at"
            f" {size:,}:",
            markdown(["aim", "wanted", "measured", "reached"], _aims(asked, done, size)),
        ]
    if "pan" in facts:
        parts += _pan(facts["pan"])
    return "\n\n".join(parts)


def line(row: Row) -> str:
    """Return one row as a line, for progress."""
    name = f"{_name(row)}, {row['documents']:,} documents"
    if row["failure"]:
        return f"{name}: {row['failure']}"
    said = f"{name}: {row['documents_a_second']:,.0f} documents/s"
    for kind, asked in row.get("kinds", {}).items():
        said += f"; {kind} {asked['ms']['p50']:.2f} ms, {asked['found']} of {asked['planted']}"
    return said


def _name(row: Row) -> str:
    return f"{TITLES[row['store']]}, {'with' if row['passages'] else 'no'} passages"


def _preface(facts: dict[str, Any]) -> str:
    made = facts["corpus"]
    return (
        f"Documents of {made['words'] / made['documents']:,.0f} words and"
        f" {made['bytes'] / made['documents']:,.0f} bytes on average, in which each word follows"
        f" the one before as in a source of {made['source_words']:,} words; word:3, 128 values,"
        " threshold 0.5, recall 0.99, texts kept; *with passages*: runs of 12 words and more, and"
        f" rare words. They are added {facts['batch']:,} at a time, each batch one durable"
        " transaction, all preparation included; texts are read outside the measured time. Then"
        f" the index is closed and opened again, and {facts['singles']:,} documents are added one"
        " by one. One run of each cell, each in a fresh process on a fresh store. *Peak* is the"
        " process, with one batch of texts (10⁶ bytes); that of a server is not counted. *Bytes a"
        " document* as the store stands after the last batch, with what merges left behind; *of"
        " passages* is the difference to the same index without."
    )


def _machine(facts: dict[str, Any]) -> str:
    lines = [machine.summary(facts["machine"])]
    lines.append(f"- 4 kB written and made durable (fsync): {facts['durable_write_ms']:.2f} ms")
    if "postgresql" in facts["servers"]:
        lines.append(postgres_server.summary(facts["servers"]["postgresql"]))
    return "\n".join(lines)


def _adding(rows: list[Row], done: list[Row]) -> str:
    head = ["store", "documents", "documents/s", "of the last tenth", "slowest batch s",
            "single add p50 ms", "p99", "most", "bytes a document", "besides text",
            "of passages", "peak MB"]  # fmt: skip
    table = []
    for row in rows:
        cells = [_name(row), f"{row['documents']:,}"]
        if row["failure"]:
            table.append([*cells, row["failure"]])
            continue
        single, texts = row["single_ms"], row["text_bytes"]
        values = (
            row["documents_a_second"], row["last_tenth_a_second"], row["slowest_batch_s"],
            single["p50"], single["p99"], single["most"], row["bytes"] / row["documents"],
            None if texts is None else (row["bytes"] - texts) / row["documents"],
            _of_passages(row, done), row["peak_adding_mb"],
        )  # fmt: skip
        table.append([*cells, *map(short, values)])
    return markdown(head, table)


def _of_passages(row: Row, done: list[Row]) -> float | None:
    """Return the bytes a document more than without passages."""
    if not row["passages"]:
        return None
    for other in done:
        same = all(other[name] == row[name] for name in ("store", "documents"))
        if same and not other["passages"]:
            more: float = (row["bytes"] - other["bytes"]) / row["documents"]
            return more
    return None


def _about_questions(facts: dict[str, Any]) -> str:
    return (
        f"Asking, in the same process on one thread, {facts['asked']:,} texts of each kind, each of"
        f" {ASKED_WORDS} words: *none* has nothing of a stored document; *run* has"
        f" {RUN_WORDS[0]} to {RUN_WORDS[1]} words of one as they stand there; *edited* has about"
        f" {EDITED_WORDS} words of one, every {REPLACED}th replaced and the rest shuffled in pieces"
        f" of {PIECE}; *ten* has {TEN_WORDS[0]} to {TEN_WORDS[1]} words of each of ten. The"
        " system's cache is warm; *first* is the first question after opening. Milliseconds; *CPU*"
        " is processor time of this process, on average over all kinds:"
    )


def _times(asked: list[Row]) -> str:
    parts = ("p50", "p99", "most")
    head = ["store", "documents"]
    head += [f"{kind}, {part}" for kind in KINDS for part in parts]
    head += ["first", "CPU", "peak MB"]
    table = []
    for row in asked:
        times = [row["kinds"][kind]["ms"][part] for kind in KINDS for part in parts]
        busy = sum(row["kinds"][kind]["cpu_ms"] for kind in KINDS) / len(KINDS)
        values = (*times, row["first_query_ms"], busy, row["peak_asking_mb"])
        table.append([TITLES[row["store"]], f"{row['documents']:,}", *map(short, values)])
    return markdown(head, table)


def _about_found() -> str:
    return (
        "What was found. *Others*: pairs with a document of which nothing was planted; words follow"
        " each other by chance, so that some share runs indeed (*of them with a run*). *By runs*,"
        " *by rare words*: documents looked at for a question, on average; *set aside*: its"
        " shingles that over 1,000 documents have."
    )


def _found(asked: list[Row]) -> str:
    head = ["store", "documents", "kind", "planted", "found", "share", "others",
            "of them with a run", "by runs", "by rare words", "set aside"]  # fmt: skip
    table = []
    for row in asked:
        for kind in KINDS:
            told = row["kinds"][kind]
            share = told["found"] / told["planted"] if told["planted"] else None
            averages = (told["average"][n] for n in ("by_runs", "by_rare_words", "set_aside"))
            table.append([
                TITLES[row["store"]], f"{row['documents']:,}", kind, f"{told['planted']:,}",
                f"{told['found']:,}", "–" if share is None else f"{share:.3f}",
                f"{told['others']:,}", f"{told['others_with_run']:,}", *map(short, averages),
            ])  # fmt: skip
    return markdown(head, table)


def _aims(asked: list[Row], done: list[Row], size: int) -> list[list[str]]:
    """Return a line for every aim and store at the largest size."""
    lines = []
    for row in asked:
        if row["documents"] != size:
            continue
        name = TITLES[row["store"]]
        for part, most in (("p50", AIM_P50), ("p99", AIM_P99)):
            spent, worst = max((row["kinds"][kind]["ms"][part], kind) for kind in KINDS)
            lines.append(_aim(f"{name}: {part} ms, of the slowest kind ({worst})", most, spent))
        more = _of_passages(row, done)
        if more is not None:
            lines.append(_aim(f"{name}: bytes of passages", AIM_BYTES, more))
        missed = sum(row["kinds"][k]["planted"] - row["kinds"][k]["found"] for k in ("run", "ten"))
        lines.append(_aim(f"{name}: planted runs missed", 0, missed))
    return lines


def _aim(name: str, most: float, measured: float) -> list[str]:
    return [name, short(most), short(measured), "yes" if measured <= most else "no"]


def _pan(pan: dict[str, Any]) -> list[str]:
    rows = [
        [kind, f"{row['pairs']:,}", f"{row['found']:,}", f"{row['found'] / row['pairs']:.3f}"]
        for kind, row in pan["kinds"].items()
    ]
    counts, spent = pan["counts"], pan["ms"]
    return [
        f"PAN 2013: {pan['suspicious']:,} suspicious documents, each asked of an index (SQLite) of"
        f" {pan['sources']:,} sources, on one thread: {pan['seconds']:.0f} s,"
        f" {spent['mean']:.1f} ms a document (p50 {spent['p50']:.1f}, p99 {spent['p99']:.1f});"
        f" adding took {pan['adding_seconds']:.1f} s. Looked at by runs {counts['by_runs']:,}, by"
        f" rare words {counts['by_rare_words']:,}. Pairs in which a passage was found:"
        f" {counts['pairs']:,}, of which {pan['others']:,} are not among those that the corpus"
        " tells of (it tells of few of those that there are). *None* are pairs without copying:"
        " what is found there is too much.",
        markdown(["kind of copying", "pairs", "found", "share"], rows),
    ]
