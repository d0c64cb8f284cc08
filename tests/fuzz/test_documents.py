"""Some damaged inputs of every kind of document, table and archive, and of whole commands, give
texts or a reason."""

import pytest

from tests.fuzz.kinds import KINDS
from tests.fuzz.runner import run

MODULES = ("documents", "editions", "tables", "folders", "commands", "command_tables")
FILES = [kind for kind in KINDS.values() if kind.function.split(":")[0].split(".")[-1] in MODULES]


@pytest.mark.parametrize("kind", FILES, ids=lambda kind: kind.name)
def test_a_damaged_file_gives_texts_or_a_reason(kind):
    check(kind, 20 if "command" in kind.function else 100, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES, ids=lambda kind: kind.name)
def test_many_damaged_files_give_texts_or_reasons(kind):
    check(kind, 60 if "command" in kind.function else 600, seed=2)


def check(kind, inputs, seed):
    result = run(kind, inputs, seed=seed)
    assert not result.findings, "\n".join(map(str, result.findings))
    assert result.outcomes["ok"] > inputs / 50
