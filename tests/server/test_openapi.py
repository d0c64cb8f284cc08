"""The OpenAPI document tells the truth: nothing else is answered, whatever is sent."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Api, Live

EVERY = {"401", "403", "404", "429", "500", "503", "504"}
OPERATIONS = 42
WITH_BODY = {"408", "413", "422"}


def test_every_operation_is_described_with_its_errors(shared_api: Api) -> None:
    openapi = shared_api.ok("GET", "/openapi.json")
    operations: list[tuple[str, dict[str, Any]]] = [
        (f"{method} {path}", told)
        for path, methods in openapi["paths"].items()
        for method, told in methods.items()
    ]
    assert len(operations) == OPERATIONS
    for name, told in operations:
        assert told["summary"], name
        assert told["description"], name
        wanted = EVERY | WITH_BODY if "requestBody" in told else EVERY
        assert wanted <= set(told["responses"]), name
        assert {"200", "201"} & set(told["responses"]), name
        for status, response in told["responses"].items():
            if status not in ("200", "201"):
                assert response["content"] == {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }, name


def test_nothing_is_loaded_from_elsewhere(shared_api: Api) -> None:
    for path in ("/docs", "/redoc"):
        shared_api.refused(404, "GET", path)
    assert "//" not in json.dumps(shared_api.ok("GET", "/openapi.json")["paths"])


@pytest.mark.slow
def test_whatever_is_sent_the_answer_is_one_that_is_described(
    live: Callable[..., Live], file: str, tmp_path: Path
) -> None:
    """Requests made from the description, right and wrong ones, a few hundred of them.

    What is right by the description may still be refused: an id that stands twice, a threshold
    that this index was not made for, bytes that are no document.
    """
    server = live(file, "--quiet", "--folder", tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/openapi.json",
         "--checks", "all", "--exclude-checks", "positive_data_acceptance", "--max-examples", "14",
         "--generation-deterministic",
         "--no-color"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert f"Tested: {OPERATIONS}" in done.stdout
    assert server.stop().count("\n") == 1  # nothing unexpected
