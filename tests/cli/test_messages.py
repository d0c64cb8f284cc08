"""Messages name options of the command line where functions have parameters."""

from __future__ import annotations

import pytest

from likewise.cli.messages import with_options


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("use `exact=True`", "use --exact"),
        ("use `resume=False`", "use --no-resume"),
        ("raise `max_documents`, or", "raise --max-documents, or"),
        ("use `profile=char:5,case=keep` or", "use --profile char:5,case=keep or"),
        ("run `likewise index create`", "run `likewise index create`"),
        ("no parameter", "no parameter"),
    ],
)
def test_parameters_are_options(message: str, shown: str) -> None:
    assert with_options(message) == shown
