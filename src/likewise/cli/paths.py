"""The paths that a command names: no file that it reads, and no index, is ever overwritten.

`parser.Role` says what a command does with the path of an option. The check runs before every
command, so a new one needs no check of its own.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from likewise.errors import LikewiseError, UsageError
from likewise.storage.address import is_remote, shown

if TYPE_CHECKING:
    from likewise.cli.parser import PathOption


class _Named(NamedTuple):
    """A path, and the option that names it."""

    option: PathOption
    path: str


def check_paths(paths: Sequence[PathOption], options: argparse.Namespace) -> None:
    """Raises, before any work, if an output could not be written or would replace an input."""
    named = [one for option in paths for one in _named(option, options)]
    outputs = [one for one in named if one.option.role in ("output", "target")]
    inputs = [one for one in named if one.option.role in ("source", "input")]
    _check_writable(paths, options)
    _check_on_this_machine(named)
    for number, output in enumerate(outputs):
        _check_no_index(output)
        _check_not_read(output, inputs)
        _check_once(output, outputs[:number])


def _named(option: PathOption, options: argparse.Namespace) -> Iterator[_Named]:
    value = getattr(options, option.dest)
    if option.dest in ("a", "b") and getattr(options, "literal", False):
        return  # a text, not a file
    for path in value if isinstance(value, list) else [value]:
        if path is not None:
            yield _Named(option, path)


def _check_writable(paths: Sequence[PathOption], options: argparse.Namespace) -> None:
    from likewise.files import check_output

    for option in paths:
        path = getattr(options, option.dest)
        if option.dest == "plot" and path is not None:
            from likewise.output.figure import check_plot

            check_plot(path)
        # Without --output, the result goes to stdout; without another output, it is not written.
        if option.role == "output" and (option.dest == "output" or path is not None):
            check_output(path, binary=getattr(options, "format", None) == "parquet")


def _check_on_this_machine(named: Sequence[_Named]) -> None:
    """Indexes, tables of metadata and the like are read from files, or from databases."""
    from likewise.index.stores.registry import is_address

    for one in named:
        local = one.option.role == "input" and one.option.dest not in ("a", "b")
        local |= one.option.dest == "key"  # which nobody else may read
        if local and is_remote(one.path) and not is_address(one.path):
            raise UsageError(
                f"{_described(one)}: must be on this machine, not in an object store",
                hint="name a file on this machine",
            )


def _check_no_index(output: _Named) -> None:
    """An index would be lost."""
    from likewise.files import lost_index

    if reason := lost_index(output.path):
        raise _refusal(output, reason)


def _check_not_read(output: _Named, inputs: Sequence[_Named]) -> None:
    from likewise.files import identity

    if is_remote(output.path):
        _check_not_read_there(output, inputs)
        return
    written = identity(output.path)
    if written is None:
        return
    folder = os.path.join(os.path.realpath(output.path), "")
    for one in inputs:
        for path in _read_files(one):
            inside = os.path.isdir(folder) and os.path.realpath(path).startswith(folder)
            if inside or identity(path) == written:
                what = "contains a file" if inside else "is a file or folder"
                raise _refusal(output, f"{what} that this command reads ({_described(one)})")


def _check_not_read_there(output: _Named, inputs: Sequence[_Named]) -> None:
    """The same in a store, where a listing takes time: only if the names make it possible."""
    from likewise.documents.sources import find_origins

    if output.option.role != "output":
        return  # a target is checked where it is opened
    for one in inputs:
        fixed = re.split(r"[*?\[]", one.path)[0]
        if not (is_remote(one.path) and output.path.startswith(fixed)):
            continue
        paths = [one.path]
        with suppress(LikewiseError):
            paths += [origin.path for origin in find_origins([one.path], "auto")[0] if origin.path]
        if output.path in paths:
            what = "is a file or folder that this command reads"
            raise _refusal(output, f"{what} ({_described(one)})")


def _read_files(one: _Named) -> Iterator[str]:
    """The files that an input stands for; none, if the command will fail to find them."""
    yield one.path
    if one.option.role == "source" and not is_remote(one.path):
        from likewise.documents.sources import find_origins

        with suppress(LikewiseError):
            yield from (
                origin.path for origin in find_origins([one.path], "auto")[0] if origin.path
            )


def _check_once(output: _Named, others: Sequence[_Named]) -> None:
    from likewise.files import identity

    for other in others:
        same = os.path.realpath(output.path) == os.path.realpath(other.path)
        known = identity(output.path)
        if same or (known is not None and known == identity(other.path)):
            raise _refusal(
                output, f"would overwrite another file of this run ({_described(other)})"
            )


def _described(one: _Named) -> str:
    return f"{one.option.name} {shown(one.path)}"


def _refusal(output: _Named, reason: str) -> UsageError:
    return UsageError(f"{_described(output)}: {reason}", hint="name another file")
