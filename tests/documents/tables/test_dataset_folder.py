"""Folders as `Dataset.save_to_disk` leaves them: only the parts are rows, and the output is one."""

import json

import pyarrow as pa
import pytest
from pyarrow import ipc

from likewise import deduplicate_files
from likewise.documents.sources import find_origins
from likewise.errors import SourceError

TEXTS = ["the same words in every part and enough of them", "other words that are like no others"]
FEATURES = {"text": {"dtype": "string", "_type": "Value"}}


def save(folder, parts):
    """Write what datasets 5 writes, and what `map` leaves beside it."""
    folder.mkdir(parents=True)
    names = [f"data-{at:05}-of-{len(parts):05}.arrow" for at in range(len(parts))]
    schema = pa.schema(
        [("text", pa.string())],
        metadata={"huggingface": json.dumps({"info": {"features": FEATURES}})},
    )
    for name, texts in zip([*names, "cache-0123.arrow"], [*parts, ["no row"]], strict=True):
        with ipc.new_stream(folder / name, schema) as writer:
            writer.write_table(pa.table({"text": texts}, schema), max_chunksize=2)
    state = {"_data_files": [{"filename": name} for name in names], "_fingerprint": "1f"}
    (folder / "state.json").write_text(json.dumps(state | {"_split": None}))
    info = {"features": FEATURES, "license": "é", "splits": {"train": {"num_examples": 9}}}
    (folder / "dataset_info.json").write_text(json.dumps(info))
    return folder


def rows(folder, name):
    return ipc.open_stream((folder / name).read_bytes()).read_all()


def test_only_the_parts_that_are_listed_are_rows(tmp_path):
    save(tmp_path / "d" / "train", [TEXTS, TEXTS])
    save(tmp_path / "d" / "test", [TEXTS])
    (tmp_path / "d" / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    origins, skipped = find_origins([tmp_path / "d"], "auto")
    assert [(origin.id, origin.kind) for origin in origins] == [
        ("test/data-00000-of-00001.arrow", "arrow"),
        ("train/data-00000-of-00002.arrow", "arrow"),
        ("train/data-00001-of-00002.arrow", "arrow"),
    ]
    assert skipped == []


@pytest.mark.parametrize("annotate", [False, True])
def test_the_output_is_a_dataset_of_other_rows(tmp_path, annotate):
    source = save(tmp_path / "d", [TEXTS * 2, TEXTS[:1]])
    out = tmp_path / "o"
    deduplicate_files(source, out, annotate=annotate)
    assert sorted(path.name for path in out.iterdir()) == [
        "data-00000-of-00002.arrow", "data-00001-of-00002.arrow", "dataset_info.json", "state.json"
    ]  # fmt: skip
    first, second = (rows(out, f"data-0000{part}-of-00002.arrow") for part in range(2))
    assert (len(first), len(second)) == ((4, 1) if annotate else (2, 0))
    assert first.schema.metadata == rows(source, "data-00000-of-00002.arrow").schema.metadata
    before, after = (json.loads((one / "state.json").read_text()) for one in (source, out))
    assert after == before | {"_fingerprint": None}
    info = json.loads((out / "dataset_info.json").read_text("utf-8"))
    assert info == ({"license": "é"} if annotate else {"features": FEATURES, "license": "é"})


def test_splits_stay_splits(tmp_path):
    for split in ("train", "test"):
        save(tmp_path / "d" / split, [TEXTS])
    splits = '{"splits": ["train", "test"]}'
    (tmp_path / "d" / "dataset_dict.json").write_text(splits)
    deduplicate_files(tmp_path / "d", tmp_path / "o")
    assert json.loads((tmp_path / "o" / "dataset_dict.json").read_text()) == json.loads(splits)
    assert (tmp_path / "o" / "train" / "state.json").exists()
    assert len(rows(tmp_path / "o" / "test", "data-00000-of-00001.arrow")) == 2


def test_a_missing_part_is_an_error(tmp_path):
    folder = save(tmp_path / "d", [TEXTS, TEXTS])
    (folder / "data-00001-of-00002.arrow").unlink()
    with pytest.raises(SourceError, match=r"data-00001-of-00002\.arrow is missing"):
        deduplicate_files(folder, tmp_path / "o")


@pytest.mark.parametrize("state", ['{"_data_files": 3}', "{", "[]", '{"_data_files": [{}]}'])
def test_other_folders_with_such_names_are_folders(tmp_path, state):
    folder = save(tmp_path / "d", [TEXTS])
    (folder / "state.json").write_text(state)
    origins, _ = find_origins([folder], "auto")
    assert [origin.id for origin in origins if origin.kind == "arrow"] == [
        "cache-0123.arrow", "data-00000-of-00001.arrow"
    ]  # fmt: skip
