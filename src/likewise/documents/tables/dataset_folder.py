"""Folders that `Dataset.save_to_disk` of the library datasets leaves.

Such a folder has rows in Arrow streams, and two files that say what they are; a `DatasetDict` is a
folder of them. What is written from such a folder is one again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from likewise.errors import SourceError

if TYPE_CHECKING:
    from likewise.documents.tables.table import Table

STATE, INFO, SPLITS = "state.json", "dataset_info.json", "dataset_dict.json"
# What is not true any more of other rows.
_SIZES = ("splits", "dataset_size", "size_in_bytes", "download_size", "download_checksums")


def rows_files(folder: str, names: Sequence[str]) -> Sequence[str]:
    """Return those of the files of a folder that may have rows: all, if no dataset was saved there.

    Raises `SourceError` if a part of a dataset is missing.
    """
    if SPLITS in names and "splits" in _read(folder, SPLITS):
        names = [name for name in names if name != SPLITS]
    parts = _parts(folder) if STATE in names and INFO in names else None
    if parts is None:
        return names
    if missing := sorted(set(parts) - set(names)):
        raise SourceError(
            f"{folder}: {missing[0]} is missing, which {STATE} lists as a part of the dataset",
            hint="copy or save the dataset again",
        )
    return parts


def write_dataset_files(
    files: Sequence[Table], place: Callable[[Table], str], *, annotated: bool
) -> None:
    """Write what says that folders are datasets, beside the parts that were written of some.

    Args:
        files: the tables that were written.
        place: gives the path of each, below the folder of the output.
        annotated: they have further columns.
    """
    written: dict[str, tuple[str, set[str]]] = {}
    for file in files:
        source, name = os.path.split(file.origin.path or "")
        if file.kind == "arrow" and name in (_parts(source) or ()):
            written.setdefault(source, (os.path.dirname(place(file)), set()))[1].add(name)
    for source, (folder, names) in written.items():
        state, info = _read(source, STATE), _read(source, INFO)
        state["_data_files"] = [one for one in state["_data_files"] if one["filename"] in names]
        # Results for the old rows are cached by it; where there is none, it is computed.
        state["_fingerprint"] = None
        stale = (*_SIZES, "features") if annotated else _SIZES
        _write(folder, STATE, state)
        _write(folder, INFO, {key: info[key] for key in info if key not in stale})
        above = os.path.dirname(source)
        splits = _read(above, SPLITS)
        if os.path.basename(source) in splits.get("splits", ()):
            _write(os.path.dirname(folder), SPLITS, splits)


def _parts(folder: str) -> list[str] | None:
    """Return the names of the files with rows; None if there are none listed."""
    listed = _read(folder, STATE).get("_data_files")
    try:
        return [str(one["filename"]) for one in listed or ()] if listed is not None else None
    except (TypeError, KeyError):
        return None


def _read(folder: str, name: str) -> dict[str, Any]:
    """Return the object in a file; an empty one if there is none."""
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(folder: str, name: str, content: dict[str, Any]) -> None:
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
