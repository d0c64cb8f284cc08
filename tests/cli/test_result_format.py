"""A result is in the format that the name of the output says, or the name is refused."""

import json

import pyarrow.parquet as pq
import pytest

from likewise.cli.main import run

TEXT = "the same words in two rows, and enough of them to be a passage that is found"


@pytest.fixture
def source(tmp_path):
    rows = [{"id": n, "text": TEXT} for n in range(2)]
    (tmp_path / "t.json").write_text(json.dumps(rows))
    return tmp_path / "t.json"


@pytest.mark.parametrize("command", [["pairs"], ["passages", "--min-words", "8"]])
@pytest.mark.parametrize("name", ["o.parquet", "o.csv", "o.jsonl", "o.NDJSON", "o.txt", "o"])
def test_the_name_says_the_format(tmp_path, source, command, name):
    out = tmp_path / name
    assert run([command[0], str(source), *command[1:], "-o", str(out), "--quiet"]) == 0
    if name == "o.parquet":
        assert pq.read_table(out)["a"].to_pylist() == ["0"]
    elif name == "o.csv":
        assert out.read_bytes().removeprefix(b"\xef\xbb\xbf").startswith(b"a,b,")
    elif name in ("o.jsonl", "o.NDJSON"):
        assert json.loads(out.read_text())["b"] == "1"
    else:
        assert TEXT.split()[0] in out.read_text() or "jaccard" in out.read_text()


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("o.parquet", ["--format", "csv"], "its name does not fit --format csv"),
        ("o.csv", ["--format=jsonl"], "its name does not fit --format jsonl"),
        ("o.jsonl", ["--format", "table"], "its name does not fit --format table"),
        ("o.csv.gz", ["--format", "csv"], "its name does not fit --format csv"),
        ("o.json", [], "results are not written in this format"),
        ("o.xlsx", [], "results are not written in this format"),
        ("o.graphml", [], "results are not written in this format"),
        ("o.csv.gz", [], "results are not written in this format"),
    ],
)
def test_what_it_cannot_be_is_refused_before_any_work(
    tmp_path, source, capsys, name, options, reason
):
    assert run(["pairs", str(source), "-o", str(tmp_path / name), *options]) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / name).exists()


def test_one_object_may_be_called_json(tmp_path, source):
    out = tmp_path / "o.json"
    a = b = str(source)
    assert run(["compare", a, b, "--format", "jsonl", "-o", str(out), "--quiet"]) == 0
    assert json.loads(out.read_text())


def test_a_network_by_its_name(tmp_path, source):
    out = tmp_path / "o.graphml"
    assert run(["passages", str(source), "--min-words", "8", "-o", str(out), "--quiet"]) == 0
    assert b"<graphml" in out.read_bytes()
