"""`likewise compare` on real files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_text("the cat sat on the mat")
    b.write_text("the cat sat on the hat", encoding="utf-16")
    return a, b


def test_it_prints_every_measure(run: Run, files: tuple[Path, Path]) -> None:
    result = run("compare", *files)
    out = result.out.decode()
    assert result.status == 0
    for told in ("words", "shingles word:3", "0.6000", "cosine of word counts", "TF-IDF",
                 "word edits", "character edits", "95% interval"):  # fmt: skip
        assert told in out


def test_an_encoding_that_was_guessed_is_reported(run: Run, tmp_path: Path) -> None:
    text = "Un élève a copié la leçon où l'on parle de la forêt, près de l'été."
    for name, encoding in (("old.txt", "cp1252"), ("new.txt", "utf-8")):
        (tmp_path / name).write_text(text, encoding=encoding)
    result = run("compare", "old.txt", "new.txt", "--format", "jsonl")
    assert json.loads(result.out)["identical"]
    assert "old.txt: read as cp1252" in result.err


def test_jsonl_is_one_object_with_numbers(run: Run, files: tuple[Path, Path]) -> None:
    found = json.loads(run("compare", *files, "--format", "jsonl").out)
    assert found["shingles"]["jaccard"] == 0.6
    assert found["word_edits"]["distance"] == 1


@pytest.mark.parametrize("format_", ["csv", "parquet"])
def test_other_formats_have_a_row_a_measure(
    run: Run, files: tuple[Path, Path], tmp_path: Path, format_: str
) -> None:
    import pyarrow.csv
    import pyarrow.parquet as pq

    out = tmp_path / f"out.{format_}"
    assert run("compare", *files, "--format", format_, "-o", out).status == 0
    read = pq.read_table if format_ == "parquet" else pyarrow.csv.read_csv
    table = {row["measure"]: row["value"] for row in read(out).to_pylist()}
    assert table["shingles.jaccard"] == "0.6"


def test_texts_may_be_given_literally_or_by_stdin(run: Run, files: tuple[Path, Path]) -> None:
    literal = run("compare", "--literal", "a b c d", "a b c e", "--format", "jsonl")
    assert json.loads(literal.out)["shingles"]["jaccard"] == pytest.approx(1 / 3)
    piped = run("compare", "-", files[0], "--format", "jsonl", stdin=b"the cat sat on the mat")
    assert json.loads(piped.out)["identical"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["a.txt", "missing.txt"], "missing.txt: no such file"),
        (["-", "-"], "only one of the two can be stdin"),
        (["a.txt"], "B"),
        (["a.txt", "b.txt", "--level", "2"], "level is 2"),
        (["a.txt", "b.txt", "--values", "0"], "values is 0"),
        (["a.txt", "bad.bin"], "binary"),
    ],
)
@pytest.mark.usefixtures("files")
def test_bad_input_is_reported(run: Run, tmp_path: Path, arguments: list[str], told: str) -> None:
    (tmp_path / "bad.bin").write_bytes(bytes(range(256)))
    result = run("compare", *arguments)
    assert result.status == 2
    assert told in result.err
    assert "Traceback" not in result.err


def test_empty_texts_have_nothing_in_common(run: Run) -> None:
    found = json.loads(run("compare", "--literal", "", "", "--format", "jsonl").out)
    assert found["identical"]
    assert found["shingles"]["jaccard"] == 0


def test_empty_texts_are_said_to_be_empty_and_nothing_else(run: Run) -> None:
    out = run("compare", "--literal", "", " \n").out.decode()
    assert "both texts are empty: there is nothing to compare" in out
    for other in ("character for character", "similarity", "nothing is shared", "shared words"):
        assert other not in out


def test_texts_with_look_alike_letters_are_not_called_the_same(run: Run, tmp_path: Path) -> None:
    text = "The carpet was opened near the poplar trees, and people came to see it. " * 20
    disguised = text.replace("carpet", "c\u0430rpet").replace("poplar", "p\u043eplar")
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    (tmp_path / "b.txt").write_text(disguised, encoding="utf-8")
    out = run("compare", "a.txt", "b.txt").out.decode()
    assert "the same text as displayed, but 40 words contain look-alike letters" in out
    assert "case, punctuation" not in out
    found = json.loads(run("compare", "a.txt", "b.txt", "--format", "jsonl").out)
    assert (found["lookalike_words"], found["same_prepared"], found["identical"]) == (
        40,
        True,
        False,
    )
    out = run("compare", "--literal", text, text.upper()).out.decode()
    assert "the same text except for case, punctuation or spaces" in out


def test_little_memory_compares_by_file_and_gives_the_same(run: Run, tmp_path: Path) -> None:
    words = [f"w{i * i % 977}" for i in range(40_000)]
    (tmp_path / "a.txt").write_text(" ".join(words))
    (tmp_path / "b.txt").write_text(" ".join(words[10_000:] + words[:3000]))
    options = ("a.txt", "b.txt", "--format", "jsonl", "--trials", "0")
    in_memory = json.loads(run("compare", *options).out)
    by_file = run("compare", *options, "--memory", "16MiB")
    assert "compared through scratch files" in by_file.err
    found = json.loads(by_file.out)
    for name in ("similarity", "shingles", "shingle_bag", "words", "identical", "same_prepared"):
        assert found[name] == in_memory[name]
    table = run("compare", "a.txt", "b.txt", "--memory", "16MiB")
    assert b"not computed through scratch files" in table.out


def test_the_chance_level_is_beside_the_similarity(run: Run) -> None:
    text = "one two three four five six seven eight nine ten eleven twelve"
    out = run("compare", "--literal", text, text).out.decode()
    assert "by chance" in out
    assert "the same words in random order" in out
    assert "more than in any of 999 trials" in out
    letters = run("compare", "--literal", text, text, "--null", "letters", "--trials", "49").out
    assert b"the same letters in random order" in letters
    assert b"49 trials" in letters
    assert b"not requested" in run("compare", "--literal", text, text, "--trials", "0").out


def test_the_same_seed_gives_the_same_bytes(run: Run) -> None:
    texts = ("a b c d e f a b c g h", "c a b c d x y a b c")
    options = ("compare", "--literal", *texts, "--profile", "word:2", "--format", "jsonl")
    assert run(*options).out == run(*options).out
    assert run(*options, "--seed", "1").out != run(*options, "--seed", "2").out


def test_a_bad_null_or_number_of_trials_is_reported(run: Run) -> None:
    for options, said in (
        (("--trials", "-1"), "trials"),
        (("--null", "urn"), "urn"),
        (("--seed", "-1"), "seed"),
        (("--memory", "lots"), "size"),
    ):
        failed = run("compare", "--literal", "a", "b", *options)
        assert failed.status == 2
        assert said in failed.err


def test_short_and_empty_texts_are_reported(run: Run) -> None:
    short = run("compare", "--literal", "a b", "c d").out.decode()
    assert "a is shorter than 3 words, so it is a single shingle" in short
    assert "has no shingles" in run("compare", "--literal", "", "c d e f").out.decode()
    long = run("compare", "--literal", "a b c", "c d e f").out.decode()
    assert "shorter" not in long


def test_too_few_tries_are_not_taken_for_an_answer(run: Run) -> None:
    text = "one two three four five six seven eight nine ten eleven twelve"
    out = run("compare", "--literal", text, text, "--trials", "5").out.decode()
    assert "too few trials; use at least 19" in out
    assert "within" not in out


def test_stdin_beside_a_large_file_is_compared_by_file(run: Run, tmp_path: Path) -> None:
    words = " ".join(f"w{i * i % 977}" for i in range(40_000))
    (tmp_path / "a.txt").write_text(words)
    found = run("compare", "a.txt", "-", "--memory", "16MiB", "--format", "jsonl",
                stdin=words.encode())  # fmt: skip
    row = json.loads(found.out)
    assert row["identical"]
    assert row["words"]["jaccard"] == row["similarity"] == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [(("--level", "7"), "level"), (("--values", "0"), "values"), (("--memory", "1MB"), "16MiB")],
)
def test_options_are_checked_whichever_way_texts_are_compared(
    run: Run, tmp_path: Path, options: tuple[str, str], said: str
) -> None:
    (tmp_path / "a.txt").write_text("word " * 60_000)
    failed = run("compare", "a.txt", "a.txt", "--memory", "16MiB", *options)
    assert failed.status == 2
    assert said in failed.err


def test_no_text_of_a_document_is_kept_if_not_wanted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "cache"
    monkeypatch.setenv("LIKEWISE_CACHE", str(kept))
    (tmp_path / "a.html").write_text("<html><body>one two three four five</body></html>")
    assert run("compare", "a.html", "a.html", "--no-cache").status == 0
    assert not kept.exists()
    assert run("compare", "a.html", "a.html").status == 0
    assert any(kept.rglob("*.text"))


RUN = "twelve quiet herons stood upon the frozen river until the evening bells began"


def test_shared_passages_are_shown_with_both_sides(run: Run, tmp_path: Path) -> None:
    filler = {name: " ".join(f"{name}{i}" for i in range(50)) for name in "abcd"}
    (tmp_path / "a.txt").write_text(f"{filler['a']}.\n\n{RUN}.\n\n{filler['b']}.")
    (tmp_path / "b.txt").write_text(f"{filler['c']}.\n{RUN}.\n{filler['d']}.")
    out = run("compare", "a.txt", "b.txt").out.decode()
    assert "13 shared words in 1 passage: 12% of a, 12% of b; longest run 13 words" in out
    assert "verbatim, 13 shared words, longest run 13\n   so long a match in unrelated" in out
    joined = " ".join(out.split())
    assert f"a line 3: … a42 a43 a44 a45 a46 a47 a48 a49. [{RUN}.] b0 b1" in joined
    assert f"b line 2: … c42 c43 c44 c45 c46 c47 c48 c49. [{RUN}.] d0 d1" in joined
    found = json.loads(run("compare", "a.txt", "b.txt", "--format", "jsonl").out)
    (passage,) = found["passages"]
    assert passage["a_text"] == passage["b_text"] == f"{RUN}."
    assert (passage["a_line"], passage["b_line"], passage["a_page"]) == (3, 2, None)
    assert found["passage_share_a"] == pytest.approx(13 / 113)
    table = run("compare", "a.txt", "b.txt", "--format", "csv").lines
    assert "passages,1," in table


def test_runs_that_count_may_be_shorter(run: Run) -> None:
    ten = " ".join(RUN.split()[:10])
    a, b = (f"{' '.join(f'{x}{i}' for i in range(30))} {ten} {x} {x}" for x in "ab")
    texts = ("compare", "--literal", a, b)
    assert b"\nno shared passages\n" in run(*texts).out
    assert b"10 shared words in 1 passage" in run(*texts, "--min-words", "10").out
    failed = run(*texts, "--min-words", "1")
    assert failed.status == 2
    assert "min_words is 1" in failed.err


def test_pages_of_passages_are_reported(run: Run) -> None:
    journal = Path(__file__).parents[2] / "samples" / "journal"
    out = run("compare", journal / "new.pdf", journal / "2017" / "bees-01.pdf").out.decode()
    assert "a  p. 1, line 4:" in out


def test_by_file_there_are_no_passages_and_that_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("word " * 60_000)
    options = ("compare", "a.txt", "a.txt", "--memory", "16MiB")
    assert b"shared passages  not computed through scratch files" in run(*options).out
    found = json.loads(run(*options, "--format", "jsonl").out)
    assert found["passages"] is None
    assert "through scratch files" in found["not_computed"]["passages"]


def test_of_many_passages_the_longest_are_shown(run: Run, tmp_path: Path) -> None:
    parts = [[f"w{i}x{j}" for j in range(13 + i)] for i in range(25)]
    for name, order in (("a", parts), ("b", parts[::-1])):
        text = "\n\n".join(
            " ".join([*part, *(f"{name}{part[0]}{j}" for j in range(60))]) for part in order
        )
        (tmp_path / name).write_text(text)
    out = run("compare", "a", "b").out.decode()
    assert "625 shared words in 25 passages:" in out
    assert out.count("   verbatim, ") == 20
    assert "… and 5 shorter passages" in out
    assert "13 shared words" not in out
