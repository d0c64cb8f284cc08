"""`likewise pairs` on real files: what it prints, and what bad input gets."""

from __future__ import annotations

import csv
import gzip
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likewise
from tests.cli.conftest import Run
from tests.disguise import COPY, ORIGINAL, OTHER

LINES = [
    "the cat sat on the mat and looked at the moon",
    "a dog barked at the passing train all night long",
    "the cat sat on the mat and looked at the sun",
    "",
    "The cat sat on the mat, and looked at the moon!",
]


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "lines.txt"
    path.write_text("\n".join(LINES) + "\n")
    return path


def rows(out: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.decode().splitlines()]


def test_it_prints_what_find_pairs_finds(run: Run, lines: Path) -> None:
    result = run("pairs", lines, "--threshold", 0.5, "--format", "jsonl")
    assert result.status == 0
    found = likewise.find_pairs(LINES, ids=map(str, range(len(LINES))), threshold=0.5)
    expected = [{name: getattr(p, name) for name in likewise.search.pairs.COLUMNS} for p in found]
    assert rows(result.out) == expected
    assert [(row["a"], row["b"]) for row in expected] == [("0", "4"), ("0", "2"), ("2", "4")]
    assert "one document per line" in result.err


def test_every_shape_of_source_gives_the_same_pairs(run: Run, lines: Path, tmp_path: Path) -> None:
    expected = run("pairs", lines, "--threshold", 0.5, "--format", "jsonl").out
    records = [{"id": i, "body": text} for i, text in enumerate(LINES)]
    jsonl = "".join(json.dumps(record) + "\n" for record in records)
    (tmp_path / "r.jsonl").write_text(jsonl)
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress(jsonl.encode()))
    with (tmp_path / "r.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([["id", "body"], *((r["id"], r["body"]) for r in records)])
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "r.parquet")
    for name in ("r.jsonl", "r.jsonl.gz", "r.csv", "r.parquet"):
        result = run("pairs", name, "--text", "body", "--threshold", 0.5, "--format", "jsonl")
        assert (result.status, result.out) == (0, expected), name
    stdin = run("pairs", "-", "--threshold", 0.5, "--format", "jsonl", stdin=lines.read_bytes())
    assert stdin.out == expected


def test_a_folder_has_one_document_a_file(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "essays"
    (folder / "deep").mkdir(parents=True)
    (folder / "one.txt").write_text(LINES[0])
    (folder / "deep" / "two.txt").write_text(LINES[4])
    (folder / "picture.png").write_bytes(b"\x89PNG\0\0")
    result = run("pairs", folder, "--format", "csv")
    assert result.status == 0
    assert result.lines[1].startswith("deep/two.txt,one.txt,1.0,")
    assert "picture.png: unsupported file type" in result.err
    assert run("pairs", folder, "--strict").status == 1


@pytest.mark.parametrize("extra", [[], ["--exact"], ["--measure", "containment"], ["--top", "2"]])
def test_threads_and_memory_do_not_change_a_byte(
    run: Run, tmp_path: Path, extra: list[str]
) -> None:
    texts = [f"{LINES[i % 3]} variant {i % 7} of {i % 11}" for i in range(300)]
    (tmp_path / "many.txt").write_text("\n".join(texts))
    arguments = ["pairs", "many.txt", "--threshold", "0.5", "--format", "jsonl", *extra]
    expected = run(*arguments).out
    assert expected
    for other in (["--threads", "1"], ["--threads", "4"], ["--memory", "1kB"]):
        assert run(*arguments, *other).out == expected, other


def test_between_two_collections_only_pairs_across_are_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("\n".join([LINES[0], LINES[0], LINES[1]]))
    (tmp_path / "new.txt").write_text("\n".join([LINES[4], LINES[1]]))
    result = run("pairs", "old.txt", "--against", "new.txt", "--lines", "--format", "jsonl")
    assert [(r["a"], r["b"]) for r in rows(result.out)] == [("0", "0"), ("1", "0"), ("2", "1")]


def test_clusters_are_printed_a_row_a_member(run: Run, lines: Path) -> None:
    result = run("pairs", lines, "--threshold", 0.5, "--clusters", "--format", "jsonl")
    assert rows(result.out) == [{"cluster": 0, "size": 3, "id": name} for name in ("0", "2", "4")]


def test_parquet_holds_the_same_pairs(run: Run, lines: Path, tmp_path: Path) -> None:
    result = run("pairs", lines, "--threshold", 0.5, "--format", "parquet", "-o", "out.parquet")
    assert result.status == 0
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.to_pylist() == rows(
        run("pairs", lines, "--threshold", 0.5, "--format", "jsonl").out
    )


def test_stats_give_settings_counts_and_times_of_stages(run: Run, lines: Path) -> None:
    result = run("pairs", lines, "--stats", "--threshold", 0.5)
    for told in ("profile: word:3", "documents: 5", "empty: 1", "pairs: 3", "read:", "sketch:",
                 "candidates:", "verify:", "of pairs with similarity 0.5"):  # fmt: skip
        assert told in result.err


def test_quiet_says_nothing(run: Run, lines: Path) -> None:
    assert run("pairs", lines, "--quiet").err == ""


def test_a_reader_that_goes_away_is_no_error(lines: Path, tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("\n".join(["the same line again and again"] * 3000))
    command = f"{sys.executable} -m likewise pairs big.txt --max-copies 4000 --format csv"
    status = os.system(
        f"cd {tmp_path} && {command} 2>err | head -1 >/dev/null; test ! -s err.trace"
    )
    assert status == 0
    assert "Traceback" not in (tmp_path / "err").read_text()


# What bad input gets: a clear message, the right status, and nothing written.
@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["missing.txt"], 2, "missing.txt: no such file"),
        (["bad.bin"], 2, "binary"),
        (["empty.txt"], 2, "no documents"),
        (["emptyfolder"], 2, "no documents"),
        (["table.csv", "--text", "nope"], 2, "nope"),
        (["twice.jsonl"], 2, "duplicate id 'x'"),
        (["lines.txt", "--threshold", "0"], 2, "greater than 0 and at most 1"),
        (["lines.txt", "--threshold", "1.1"], 2, "greater than 0 and at most 1"),
        (["lines.txt", "--threshold", "high"], 2, "not a number"),
        (["lines.txt", "--profile", "word:0"], 2, "k is 0"),
        (["lines.txt", "--recall", "1"], 2, "recall is 1"),
        (["lines.txt", "--bands", "4"], 2, "must be given together"),
        (["lines.txt", "--threads", "0"], 2, "threads is 0"),
        (["lines.txt", "--memory", "lots"], 2, "not a size"),
        (["lines.txt", "--encoding", "klingon"], 2, "klingon"),
        (["lines.txt", "--nonsense"], 2, "--nonsense"),
        (["lines.txt", "-o", "no/such/out.csv"], 2, "does not exist"),
        ([], 2, "SOURCE"),
        (["broken.gz.jsonl.gz"], 2, "broken.gz.jsonl.gz"),
        (["broken.parquet"], 2, "broken.parquet"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input_is_reported_and_nothing_is_written(
    run: Run, lines: Path, tmp_path: Path, arguments: list[str], status: int, told: str
) -> None:
    (tmp_path / "bad.bin").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "emptyfolder").mkdir()
    (tmp_path / "table.csv").write_text("id,text\n1,hello\n")
    (tmp_path / "twice.jsonl").write_text('{"id":"x","text":"a"}\n{"id":"x","text":"b"}\n')
    (tmp_path / "broken.gz.jsonl.gz").write_bytes(gzip.compress(b'{"text":"a"}\n' * 900)[:-20])
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 nothing of the kind")
    if "-o" not in arguments:
        arguments = [*arguments, "-o", "out.csv"]
    before = sorted(tmp_path.iterdir())
    result = run("pairs", *arguments)
    assert result.status == status, result.err
    assert told in result.err
    assert "Traceback" not in result.err
    assert result.out == b""
    assert sorted(tmp_path.iterdir()) == before


def test_a_broken_line_is_skipped_listed_and_counted(run: Run, tmp_path: Path) -> None:
    good = [json.dumps({"text": text}) for text in LINES]
    (tmp_path / "r.jsonl").write_text("\n".join([good[0], '{"text": ', *good[1:]]))
    result = run("pairs", "r.jsonl", "--threshold", 0.5, "--stats", "--format", "jsonl")
    assert result.status == 0
    assert len(rows(result.out)) == 3
    assert "skipped r.jsonl line 2: not valid JSON" in result.err
    assert "skipped: 1" in result.err
    assert run("pairs", "r.jsonl", "--strict").status == 1


@pytest.mark.parametrize("texts", [["only one document"], ["", "", " . "]])
def test_one_document_or_only_empty_ones_give_no_pairs(
    run: Run, tmp_path: Path, texts: list[str]
) -> None:
    (tmp_path / "few.txt").write_text("\n".join(texts) + "\n")
    result = run("pairs", "few.txt")
    assert (result.status, result.out) == (0, b"no pairs\n")


def test_a_very_long_line_is_one_document(run: Run, tmp_path: Path) -> None:
    line = " ".join(f"word{i % 5000} and{i}" for i in range(1_200_000))
    (tmp_path / "long.txt").write_text(f"{line}\n{line} more\n")
    result = run("pairs", "long.txt", "--format", "jsonl")
    (row,) = rows(result.out)
    assert row["a"] == "0"
    assert row["b"] == "1"
    assert 0.999 < float(str(row["jaccard"])) < 1


def test_ids_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    records = [{"id": f"\x1b[31m{i}", "text": LINES[0]} for i in range(2)]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, records)))
    result = run("pairs", "r.jsonl")
    assert b"\x1b" not in result.out
    assert rb"\x1b[31m0" in result.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["lines.txt", "--encoding", "utf-16"], "not valid utf-16"),
        (["lines.txt", "--max-bucket", "99999999999"], "max_bucket is 99999999999"),
        (["lines.txt", "--memory", "9" * 400], "not a size"),
        (["lines.txt", "--profile", "word:3,k=" + "9" * 5000], "not a whole number"),
        (["-", "--against", "-"], "only one of SOURCE and OTHER"),
        (
            ["lines.txt", "--against", "lines.txt", "--clusters"],
            "applies to a single collection",
        ),
        (["twins.parquet"], "2 columns are called 'text'"),
        (["lines.txt", "-o", ""], "name of the output is empty"),
        (["--against", "lines.txt"], "name the collection first"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else None,
)
@pytest.mark.usefixtures("lines")
def test_odd_arguments_are_reported(
    run: Run, tmp_path: Path, arguments: list[str], told: str
) -> None:
    pq.write_table(pa.table([["a"], ["b"]], names=["text", "text"]), tmp_path / "twins.parquet")
    result = run("pairs", *arguments)
    assert (result.status, result.out) == (2, b""), result.err
    assert told in result.err
    assert "Traceback" not in result.err


def test_closed_streams_are_reported_and_notes_never_mix_with_data(lines: Path) -> None:
    quoted = f"{sys.executable} -m likewise pairs"

    def shell(command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, shell=True, capture_output=True, text=True, cwd=lines.parent, check=False
        )

    expected = shell(f"{quoted} lines.txt --format csv").stdout
    assert shell(f"{quoted} lines.txt --format csv 2>&-").stdout == expected
    assert "standard input is closed" in shell(f"{quoted} - <&-").stderr
    assert "standard output is closed" in shell(f"{quoted} lines.txt >&-").stderr


def test_skipped_documents_are_counted_even_when_quiet(run: Run, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"text": "a b c"}\nnothing\n')
    assert run("pairs", "r.jsonl", "--quiet").err == "likewise: 1 document skipped\n"


def test_a_linked_folder_is_reported_and_names_cannot_steer_the_terminal(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link").symlink_to(tmp_path / "real")
    (tmp_path / "folder" / "a.txt").write_text("a b c")
    (tmp_path / "folder" / "x\x1b[2J.bin").write_bytes(b"\0\0")
    result = run("pairs", "folder")
    assert "link: a link to a folder, not followed" in result.err
    assert "\x1b" not in result.err


def test_output_to_a_device_is_written_there(run: Run, lines: Path) -> None:
    assert run("pairs", lines, "-o", "/dev/null").status == 0


@pytest.mark.parametrize("null", ["corpus", "words", "letters"])
def test_a_chance_level_adds_columns_and_is_reported(run: Run, tmp_path: Path, null: str) -> None:
    lines = [f"alpha beta w{i} gamma v{i} delta w{i * 7 % 5} zeta u{i} eta" for i in range(16)]
    (tmp_path / "lines.txt").write_text("\n".join([*lines, lines[0]]))
    found = run(
        "pairs", "lines.txt", "--profile", "word:2", "--threshold", "0.3", "--chance", null,
        "--format", "jsonl",
    )  # fmt: skip
    assert found.status == 0
    first = json.loads(found.lines[0])
    assert list(first)[-3:] == ["chance", "p_value", "q_value"]
    assert 0 < first["p_value"] <= first["q_value"] <= 1
    assert "smallest possible p-value" in found.err
    assert "expected share that is there by chance; over all 136 comparable pairs" in found.err
    table = run("pairs", "lines.txt", "--threshold", "0.3", "--profile", "word:2", "--chance", null)
    assert b"q_value" in table.out


def test_too_few_documents_have_no_p_value_and_the_reason_is_reported(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "lines.txt").write_text("\n".join(["one two three four five six"] * 3))
    found = run("pairs", "lines.txt", "--chance", "corpus")
    assert found.status == 0
    assert [line.split()[-3:] for line in found.lines[1:]] == [["-"] * 3] * 3
    assert (
        "no p-values: there are only 3 pairs; at least 100 unrelated pairs are needed" in found.err
    )
    csv = run("pairs", "lines.txt", "--chance", "corpus", "--format", "csv")
    assert csv.lines[1].endswith(",,,")


def test_a_chance_level_is_not_of_clusters(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("a b c\na b c\n")
    failed = run("pairs", "lines.txt", "--clusters", "--chance", "corpus")
    assert failed.status == 2
    assert "--chance" in failed.err


def test_what_a_table_says_is_beside_each_pair(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lines.jsonl").write_text(
        '{"id": "a", "text": "one two three four"}\n{"id": "b", "text": "one two three four"}\n'
    )
    (tmp_path / "about.csv").write_text("id,title,group\na,First,7b\n")
    result = run("pairs", "lines.jsonl", "--metadata", "about.csv", "--format", "jsonl")
    (pair,) = map(json.loads, result.lines)
    assert [pair["title_a"], pair["group_a"], pair["title_b"], pair["author_a"]] == [
        "First", "7b", None, None,
    ]  # fmt: skip
    assert "about.csv: 1 of 2 documents described; file = column 'id', title = 't" in result.err
    header = run("pairs", "lines.jsonl", "--metadata", "about.csv").lines[0].split()
    assert header[-2:] == ["title_a", "group_a"]
    plain = run("pairs", "lines.jsonl", "--format", "jsonl").lines
    assert "title_a" not in json.loads(plain[0])


def test_look_alike_letters_are_compared_as_displayed(run: Run, tmp_path: Path) -> None:
    for name, text in (("a", ORIGINAL), ("b", OTHER), ("c", COPY)):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    done = run("pairs", "a.txt", "b.txt", "c.txt", "--format", "jsonl")
    assert [(row["a"], row["b"]) for row in rows(done.out)] == [("a.txt", "c.txt")]
    assert "look-alike letters (in 1 document); compared as displayed" in done.err
    stored = ("--profile", "word:3,letters=stored")
    assert run("pairs", "a.txt", "b.txt", "c.txt", "--format", "jsonl", *stored).out == b""
    compared = run("compare", "a.txt", "c.txt", "--format", "jsonl")
    assert json.loads(compared.out)["similarity"] == 1.0
    assert "compared as displayed" in compared.err
    run("index", "create", "all.db", "a.txt", "b.txt")
    found = run("index", "query", "all.db", "c.txt", "--whole", "--format", "jsonl")
    assert [row["id"] for row in rows(found.out)] == ["a.txt"]
    assert "compared as displayed" in found.err


def test_where_whole_documents_are_compared_copied_parts_are_pointed_to(
    run: Run, tmp_path: Path
) -> None:
    """A copied paragraph among much else is no near-duplicate: whoever looks for it is told how."""
    for name, own in (("one", "alpha"), ("two", "beta")):
        rest = " ".join(f"{own}{i}" for i in range(400))
        (tmp_path / f"{name}.txt").write_text(f"{rest} {ORIGINAL} {rest[::-1]}")
    done = run("pairs", "one.txt", "two.txt")
    hint = done.err.strip().splitlines()[-1]
    assert "expected to find 99.23% of pairs with similarity 0.8" in done.err
    command = hint.partition("run: likewise ")[2]
    assert "pairs compares whole documents" in hint
    assert "longest run" in run(*command.split()).out.decode()
    run("index", "create", "old.db", "one.txt", "--whole")
    done = run("index", "query", "old.db", "two.txt", "--whole")
    assert "checked 1 document: no matches" in done.err
    command = done.err.strip().splitlines()[-1].partition("run: likewise ")[2]
    assert "longest run" in run(*command.split()).out.decode()
    assert "copied parts" not in run("pairs", "one.txt", "two.txt", "--quiet").err


def hinted(err: str) -> str:
    """The command that is said to find copied parts."""
    return err.partition("to find copied parts, run: ")[2].strip()


def test_the_hint_reads_a_text_per_line_as_pairs_does(run: Run, tmp_path: Path) -> None:
    own = [" ".join(f"{name}{i}" for i in range(300)) for name in ("alpha", "beta", "gamma")]
    (tmp_path / "my texts.txt").write_text("\n".join(f"{text} {ORIGINAL}" for text in own))
    command = hinted(run("pairs", "my texts.txt").err)
    assert command == "likewise passages 'my texts.txt' --lines"
    assert "longest run" in run(*shlex.split(command)[1:]).out.decode()
    assert hinted(run("pairs", "my texts.txt", "--whole").err) == ""  # a single document


def test_the_hint_names_the_sources_and_shortens_very_many(run: Run, tmp_path: Path) -> None:
    for name in range(30):
        (tmp_path / f"essay {name:02}.txt").write_text(" ".join(f"w{name}x{i}" for i in range(9)))
    names = [f"essay {name:02}.txt" for name in range(30)]
    command = hinted(run("pairs", *names).err)
    assert command.startswith("likewise passages 'essay 00.txt' 'essay 01.txt' ")
    assert command.endswith(" …")
    assert len(command) < 140
    against = hinted(run("pairs", *names[:2], "--against", *names[2:4]).err)
    assert shlex.split(against)[1:] == ["passages", *names[:2], "--against", *names[2:4]]
    assert hinted(run("pairs", "-", stdin=b"one line\nand another\n").err) == "likewise passages -"


def test_short_texts_that_are_found_need_no_hint(run: Run, lines: Path) -> None:
    assert "copied parts" not in run("pairs", lines, "--threshold", "0.5").err
    assert "copied parts" in run("pairs", "-", stdin=b"one line\nand another\n").err


def test_csv_has_a_byte_order_mark_in_a_file_and_not_on_stdout(run: Run, tmp_path: Path) -> None:
    for name in ("ä.txt", "b.txt"):
        (tmp_path / name).write_text("one two three four five")
    command = ("pairs", "ä.txt", "b.txt", "--whole", "--format", "csv")
    shown = run(*command).out
    run(*command, "-o", "pairs.csv")
    assert shown.startswith(b"a,b,")
    assert (tmp_path / "pairs.csv").read_bytes() == b"\xef\xbb\xbf" + shown


GROUPED = [
    {"id": 1, "text": LINES[0], "year": 2020, "site": "x"},
    {"id": 2, "text": LINES[0], "year": 2021, "site": "y"},
    {"id": 3, "text": LINES[0], "year": 2020, "site": ""},
    {"id": 4, "text": LINES[0], "year": None, "site": "y"},
]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize(
    ("option", "column", "expected"),
    [
        ("--within", "year", [("1", "3")]),
        ("--within", "site", [("2", "4")]),
        ("--across", "year", [("1", "2"), ("1", "4"), ("2", "3"), ("2", "4"), ("3", "4")]),
    ],
)
def test_pairs_within_and_across_a_column(
    run: Run, tmp_path: Path, kind: str, option: str, column: str, expected: list[tuple[str, str]]
) -> None:
    path = tmp_path / f"t.{kind}"
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(GROUPED), path)
    elif kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in GROUPED))
    else:
        with path.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, list(GROUPED[0]))
            writer.writeheader()
            writer.writerows(GROUPED)
    result = run("pairs", path, option, column, "--format", "jsonl")
    assert [(row["a"], row["b"]) for row in rows(result.out)] == expected
    assert "1 document has no group" in result.err


def test_groups_of_a_folder_are_those_of_the_metadata(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "essays"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.txt").write_text(LINES[0])
    table = tmp_path / "class.csv"
    table.write_text("file,author\na.txt,Ada\nb.txt,Bob\nc.txt,Ada\n")
    found = run("pairs", folder, "--metadata", table, "--within", "author", "--format", "jsonl")
    assert [(row["a"], row["b"]) for row in rows(found.out)] == [("a.txt", "c.txt")]
    found = run("passages", folder, "--metadata", table, "--across", "author", "--min-words", 4,
                "--format", "jsonl")  # fmt: skip
    assert sorted((row["a"], row["b"]) for row in rows(found.out)) == [
        ("a.txt", "b.txt"), ("b.txt", "c.txt"),
    ]  # fmt: skip


def test_groups_between_two_collections_of_two_formats(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text("".join(json.dumps(row) + "\n" for row in GROUPED[:2]))
    pq.write_table(pa.Table.from_pylist(GROUPED[2:3]), tmp_path / "two.parquet")
    found = run(
        "pairs", tmp_path / "one.jsonl", "--against", tmp_path / "two.parquet", "--across", "year",
        "--format", "jsonl",
    )  # fmt: skip
    assert [(row["a"], row["b"]) for row in rows(found.out)] == [("2", "3")]


def test_groups_that_are_nowhere_are_an_error(run: Run, lines: Path, tmp_path: Path) -> None:
    result = run("pairs", lines, "--within", "author")
    assert (result.status, result.out) == (2, b"")
    assert "no document has a value for 'author'" in result.err
    table = tmp_path / "t.csv"
    table.write_text("text,site\nsome words,x\n")
    result = run("pairs", table, "--within", "sites")
    assert result.status in (1, 2)
    assert "no column 'sites'; it has 'text', 'site'" in result.err
    result = run("passages", table, "--within", "site", "--across", "site")
    assert result.status == 2
    assert "--within and --across are both given" in result.err
