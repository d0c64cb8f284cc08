"""`likewise passages` on real files: what it prints, and what bad input gets."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import likewise
from likewise.passages.results import COLUMNS
from tests.cli.conftest import Run

SAMPLES = Path(__file__).parents[2] / "samples"
SYLLABLES = [f"{a}{b}{c}" for a in "bdfglmnprst" for b in "aeiou" for c in ("nd", "rk", "st", "l")]
VOCABULARY = [f"{first}{second}" for first in SYLLABLES[::7] for second in SYLLABLES]


def some(count: int, seed: object) -> list[str]:
    return random.Random(str(seed)).choices(VOCABULARY, k=count)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six texts; `copy.txt` has 30 words from the middle of `source.txt`."""
    made = tmp_path / "essays"
    made.mkdir()
    for name in ("one", "two", "three", "four"):
        (made / f"{name}.txt").write_text(" ".join(some(300, name)))
    source = some(300, "source")
    (made / "source.txt").write_text(" ".join(source[:150]) + "\n" + " ".join(source[150:]))
    copy = [*some(200, "copy"), "\n\n", *source[150:180], *some(100, "more")]
    (made / "copy.txt").write_text(" ".join(copy))
    return made


def rows(out: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.decode().splitlines()]


def test_it_prints_what_find_passages_finds(run: Run, folder: Path) -> None:
    result = run("passages", folder, "--format", "jsonl")
    assert result.status == 0
    texts = {path.name: path.read_text() for path in sorted(folder.iterdir())}
    found = likewise.find_passages(list(texts.values()), ids=list(texts))
    printed = rows(result.out)
    assert [tuple(row[name] for name in COLUMNS) for row in printed] == list(found.rows())
    assert [(row["a"], row["b"]) for row in printed] == [("copy.txt", "source.txt")]
    for row in printed:
        for side in "ab":
            text = texts[str(row[side])]
            assert row[f"{side}_text"] == text[row[f"{side}_start"] : row[f"{side}_end"]]
    assert "1 passage in 1 pair among 6 documents" in result.err


def test_the_table_shows_both_sides_in_context(run: Run, folder: Path) -> None:
    result = run("passages", folder)
    out = result.out.decode()
    source = some(300, "source")
    assert out.startswith("a  copy.txt\nb  source.txt\n")
    assert "verbatim, 30 shared words" in out
    assert "a  line 3:" in out
    assert "b  line 2:" in out
    assert f"… {' '.join(source[142:150])} [{' '.join(source[150:153])}" in " ".join(out.split())
    short = " ".join(run("passages", folder, "--context", "0").out.decode().split())
    assert f"b line 2: … [{source[150]}" in short


def test_the_samples_give_what_their_table_lists_and_nothing_else(run: Run) -> None:
    with (SAMPLES / "planted.csv").open(newline="", encoding="utf-8") as stream:
        planted = {frozenset((row["copy"], row["source"])) for row in csv.DictReader(stream)}
    for options in ((), ("--language", "en")):
        found = rows(run("passages", SAMPLES / "essays", "--format", "jsonl", *options).out)
        assert {frozenset((str(row["a"]), str(row["b"]))) for row in found} == planted


def test_pages_lines_and_titles_of_documents_are_reported(run: Run) -> None:
    journal = SAMPLES / "journal"
    result = run("passages", journal / "2018", "--against", journal / "2017",
                 "--metadata", journal / "journal.csv")  # fmt: skip
    out = result.out.decode()
    assert "a  press-01.pdf  (Letters of Lead)\nb  press-04.pdf  (The Press at Mainz)\n" in out
    assert "a  p. 1, line 2:" in out
    assert "skipped" in result.err
    assert "notice.pdf" in result.err
    strict = run("passages", journal / "2018", "--against", journal / "2017", "--strict",
                 "--metadata", journal / "journal.csv", "--format", "jsonl")  # fmt: skip
    assert strict.status == 1
    by_id = {row["a"]: row for row in rows(strict.out)}
    assert by_id["press-01.pdf"]["a_page"] == 1
    assert by_id["press-01.pdf"]["title_b"] == "The Press at Mainz"


def test_between_two_collections_only_what_comes_from_the_other_is_reported(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new"
    new.mkdir()
    (folder / "copy.txt").rename(new / "copy.txt")
    (new / "again.txt").write_text((new / "copy.txt").read_text())
    found = rows(run("passages", new, "--against", folder, "--format", "jsonl").out)
    assert [(r["a"], r["b"]) for r in found] == [
        ("again.txt", "source.txt"),
        ("copy.txt", "source.txt"),
    ]


def test_the_same_ids_on_both_sides_are_told_apart(run: Run, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    longer = "Behind these words: " + (folder / "one.txt").read_text()
    (other / "one.txt").write_text(longer)
    (row,) = rows(run("passages", folder, "--against", other, "--format", "jsonl").out)
    assert (row["a"], row["b"], row["a_start"]) == ("one.txt", "one.txt", 0)
    assert row["b_text"] == longer[row["b_start"] : row["b_end"]]
    assert row["b_start"] > 0


def test_a_text_against_itself_is_one_passage(run: Run, folder: Path) -> None:
    options = ("--whole", "--format", "jsonl")
    path = folder / "one.txt"
    (row,) = rows(run("passages", path, "--against", path, *options).out)
    assert (row["kind"], row["words"], row["similarity"]) == ("verbatim", 300, 1)


def test_shorter_runs_are_found_if_asked_for(run: Run, tmp_path: Path) -> None:
    shared = [f"{word}ing" for word in some(10, "shared")]
    for name in ("a.txt", "b.txt"):
        text = [*some(100, name), *shared, *some(100, name + "2")]
        (tmp_path / name).write_text(" ".join(text))
    files = ("a.txt", "b.txt", "--format", "jsonl", "--runs-only")
    assert run("passages", *files).out == b""
    (row,) = rows(run("passages", *files, "--min-words", "10").out)
    assert " ".join(shared) in str(row["a_text"])


def test_copies_without_a_run_are_found_unless_only_runs_are_wanted(
    run: Run, tmp_path: Path
) -> None:
    draw = random.Random(5)
    rare = [draw.choice(VOCABULARY) + draw.choice(VOCABULARY) for _ in range(60)]
    shuffled = [word for i in range(0, 60, 6) for word in draw.sample(rare[i : i + 6], 6)]
    (tmp_path / "a.txt").write_text(" ".join([*some(100, 1), *rare, *some(100, 2)]))
    (tmp_path / "b.txt").write_text(" ".join([*some(100, 3), *shuffled, *some(100, 4)]))
    (tmp_path / "c.txt").write_text(" ".join(some(260, 5)))
    files = ("a.txt", "b.txt", "c.txt", "--format", "jsonl")
    (row,) = rows(run("passages", *files).out)
    assert (row["a"], row["b"], row["kind"]) == ("a.txt", "b.txt", "reordered")
    only = run("passages", *files, "--runs-only")
    assert only.out == b""
    assert "among 3 documents (by runs of 12 identical words)" in only.err


def test_differences_are_in_the_table_and_in_jsonl(run: Run) -> None:
    pair = (SAMPLES / "essays" / "cars-03.txt", SAMPLES / "essays" / "cars-06.txt")
    table = run("passages", *pair, "--differences").out.decode()
    assert "differences, [-b-] {+a+}:" in table
    (row,) = rows(run("passages", *pair, "--differences", "--format", "jsonl").out)
    texts = [path.read_text(encoding="utf-8") for path in pair]
    replaced = [
        (texts[0][d["a_start"] : d["a_end"]], texts[1][d["b_start"] : d["b_end"]])
        for d in row["differences"]  # type: ignore[attr-defined]
        if d["kind"] == "replaced"
    ]
    assert replaced
    for in_a, in_b in replaced:
        assert f"[-{in_b}-] {{+{in_a}+}}" in " ".join(table.split())


def test_csv_and_parquet_hold_the_same_passages(run: Run, folder: Path, tmp_path: Path) -> None:
    expected = rows(run("passages", folder, "--format", "jsonl").out)
    assert run("passages", folder, "--format", "parquet", "-o", "out.parquet").status == 0
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == expected
    text = run("passages", folder, "--format", "csv").out.decode()
    (row,) = csv.DictReader(io.StringIO(text))
    assert row == {k: "" if v is None else str(v) for k, v in expected[0].items()}


@pytest.mark.parametrize("format_", ["table", "jsonl"])
def test_threads_do_not_change_a_byte(run: Run, tmp_path: Path, format_: str) -> None:
    texts = []
    for i in range(60):
        copied = texts[i // 2].split()[10:60] if i else []
        texts.append(" ".join([*some(60, i), *copied, *some(40, -i)]))
    (tmp_path / "many.txt").write_text("\n".join(texts))
    arguments = ("passages", "many.txt", "--lines", "--format", format_, "--differences")
    expected = run(*arguments).out
    assert expected.count(b"verbatim") > 20
    for threads in ("1", "4"):
        assert run(*arguments, "--threads", threads).out == expected


def test_the_best_pairs_only(run: Run) -> None:
    result = run("passages", SAMPLES / "essays", "--top", "2", "--format", "jsonl")
    texts = {path.name: path.read_text() for path in sorted((SAMPLES / "essays").iterdir())}
    best = sorted(
        likewise.find_passages(list(texts.values()), ids=list(texts)),
        key=lambda pair: -max(pair.words_a, pair.words_b),
    )
    assert [(row["a"], row["b"]) for row in rows(result.out)] == [(p.a, p.b) for p in best[:2]]
    assert "18 passages in 18 pairs (showing the 2 with the most shared words)" in result.err


def test_what_very_many_documents_have_is_set_aside_and_reported(run: Run, tmp_path: Path) -> None:
    notice = " ".join(some(30, "notice"))
    texts = [f"{notice} {' '.join(some(50, i))}" for i in range(12)]
    (tmp_path / "many.txt").write_text("\n".join(texts))
    options = ("passages", "many.txt", "--lines", "--format", "jsonl", "--runs-only")
    assert len(rows(run(*options).out)) == 12 * 11 / 2
    less = run(*options, "--max-documents", "11")
    # At the notice's end some fingerprints depend on the words behind it.
    assert len(rows(less.out)) < 6
    assert "may be missing" in less.err


def test_stats_and_quiet(run: Run, folder: Path) -> None:
    told = run("passages", folder, "--stats").err
    for part in ("min_words: 12", "documents: 6", "passages: 1", "skipped: 0", "chance_run: 3",
                 "read:", "align:"):  # fmt: skip
        assert part in told
    assert run("passages", folder, "--quiet").err == ""


def test_empty_and_one_word_texts_are_no_matter(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("\nword\n\nword\nother\n")
    result = run("passages", "lines.txt", "--lines")
    assert (result.status, result.out) == (0, b"no passages\n")
    assert "0 passages in 0 pairs among 5 documents" in result.err


def test_a_million_repetitions_have_an_answer(run: Run, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("word " * 1_000_000)
    result = run("passages", "a.txt", "b.txt", "--differences")
    assert result.status == 0
    assert b"verbatim" in result.out
    assert len(result.out) < 10_000


def test_scores_are_a_block_for_each_document(run: Run) -> None:
    result = run("passages", SAMPLES / "essays", "--scores")
    blocks = result.out.decode().split("\n\n")
    texts = {path.name: path.read_text() for path in sorted((SAMPLES / "essays").iterdir())}
    scores = likewise.find_passages(list(texts.values()), ids=list(texts)).scores()
    assert [block.split("\n")[0] for block in blocks] == list(scores)
    (cars,) = (block for block in blocks if block.startswith("cars-04.txt\n"))
    lines = cars.splitlines()
    score = scores["cars-04.txt"]
    assert f"{score.matched} of {score.size} words in passages" in lines[1]
    assert f"longest run {score.longest_run} words" in lines[1]
    assert [line.split()[0] for line in lines[3:]] == [source.id for source in score.sources]
    assert lines[3].split()[1:3] == [
        str(score.sources[0].credited),
        f"({score.sources[0].credited / score.size:.0%})",
    ]
    assert "unrelated texts share runs of up to 3 words" in result.err


def test_scores_have_the_same_rows_in_every_format(run: Run, tmp_path: Path) -> None:
    options = ("passages", SAMPLES / "essays", "--scores", "--format")
    expected = rows(run(*options, "jsonl").out)
    assert run(*options, "parquet", "-o", "out.parquet").status == 0
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == expected
    made = list(csv.DictReader(io.StringIO(run(*options, "csv").out.decode())))
    assert made == [{k: str(v) for k, v in row.items()} for row in expected]
    for row in expected:
        own = [r for r in expected if r["document"] == row["document"]]
        assert sum(r["credited"] for r in own) == row["matched"]  # type: ignore[misc]
        assert sorted(r["rank_all"] for r in own) == [r["rank"] for r in own]  # type: ignore[type-var]
    best = rows(run(*options, "jsonl", "--top", 1).out)
    assert best == [row for row in expected if row["document"] == expected[0]["document"]]


def test_scores_between_two_collections_are_of_the_first(run: Run, folder: Path) -> None:
    journal = SAMPLES / "journal"
    metadata = ("--metadata", journal / "journal.csv")
    sides = (journal / "2018", "--against", journal / "2017")
    table = run("passages", *sides, *metadata, "--scores").out.decode()
    assert "press-01.pdf  (Letters of Lead)\n" in table
    assert "   press-04.pdf  (The Press at Mainz)" in table
    found = rows(run("passages", *sides, *metadata, "--scores", "--format", "jsonl").out)
    (row,) = (row for row in found if row["document"] == "press-01.pdf")
    assert row["title_document"] == "Letters of Lead"
    assert row["title_source"] == "The Press at Mainz"
    # The same ids on both sides are different documents.
    itself = rows(run("passages", folder, "--against", folder, "--scores", "--format", "jsonl").out)
    assert {(row["document"], row["source"]) for row in itself if row["rank"] == 1} == {
        (path.name, path.name) for path in folder.iterdir()
    }


def test_no_passages_have_no_scores(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("one\ntwo\n")
    assert run("passages", "lines.txt", "--lines", "--scores").out == b"no passages\n"
    assert run("passages", "lines.txt", "--lines", "--scores", "--format", "jsonl").out == b""
    assert len(run("passages", "lines.txt", "--lines", "--scores", "--format", "csv").lines) == 1


# What bad input gets: a clear message, the right status, and nothing written.
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["missing.txt"], "missing.txt: no such file"),
        (["bad.bin"], "binary"),
        (["empty.txt", "--lines"], "no documents"),
        (["lines.txt", "--min-words", "3"], "min_words is 3; it must be at least 4"),
        (["lines.txt", "--max-documents", "1"], "max_documents is 1"),
        (["lines.txt", "--top", "0"], "top is 0"),
        (["lines.txt", "--context", "-1"], "context is -1"),
        (["lines.txt", "--threads", "0"], "threads is 0"),
        (["lines.txt", "--language", "klingon"], "no word frequencies for the language 'klingon'"),
        (["lines.txt", "--format", "csv", "--differences"], "not available with --format csv"),
        (["lines.txt", "--scores", "--differences"], "combined with --differences"),
        (["-", "--against", "-"], "only one of SOURCE and OTHER can be stdin"),
        (["lines.txt", "-o", "nowhere/out.txt"], "does not exist"),
        (["--against", "lines.txt"], "SOURCE"),
    ],
)
def test_bad_input_is_reported(run: Run, tmp_path: Path, arguments: list[str], told: str) -> None:
    (tmp_path / "bad.bin").write_bytes(bytes(range(256)))
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "lines.txt").write_text("one two three\nfour five six\n")
    result = run("passages", *arguments)
    assert (result.status, result.out) == (2, b"")
    assert told in result.err
    assert "Traceback" not in result.err


def test_a_failed_run_leaves_no_file(run: Run, tmp_path: Path) -> None:
    assert run("passages", "missing.txt", "-o", "out.txt").status == 2
    assert not (tmp_path / "out.txt").exists()


QUOTED = "“To be or not to be that is the question whether tis nobler in the mind to suffer.”"


def test_what_is_left_out_is_reported_and_comes_back(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"Some words of the first text alone. {QUOTED}")
    (tmp_path / "b.txt").write_text(f"Quite another beginning for the second one. {QUOTED}")
    (tmp_path / "task.txt").write_text(f"Discuss: {QUOTED}")
    (tmp_path / "phrases.txt").write_text("to be OR not to be, that is the question\n\n")
    (tmp_path / "about.csv").write_text("file,author,group\na.txt,Ann,7b\nb.txt,Bo,7b\n")

    def found(*options: object) -> tuple[int, str]:
        result = run("passages", "a.txt", "b.txt", "--format", "csv", *options)
        assert result.status == 0
        return len(result.lines) - 1, result.err

    assert found()[0] == 1
    for options, said in (
        (("--no-quotations",), "excluded: 2 quotations in 2 documents"),
        (("--template", "task.txt"), "excluded: 2 stretches of a template in 2 documents"),
        (("--phrases", "phrases.txt"), "excluded: 2 phrases in 2 documents"),
        (("--min-share", 0.9), "excluded: 1 pair that share too little"),
        (
            ("--other", "group", "--metadata", "about.csv"),
            "excluded: 1 pair of the same author or group",
        ),
    ):
        count, err = found(*options)
        assert (count, said in err) == (0, True), (options, err)
    assert found("--other", "author", "--metadata", "about.csv")[0] == 1
    assert found("--no-bibliography", "--max-sources", 1)[0] == 1


def test_what_cannot_be_left_out_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    for options, said in (
        (("--other", "author"), "--metadata TABLE"),
        (("--template", "gone.txt"), "gone.txt"),
        (("--min-share", 7), "from 0 to 1"),
        (("--max-sources", 0), "max_sources"),
    ):
        result = run("passages", "a.txt", *options)
        assert result.status == 2
        assert said in result.err
