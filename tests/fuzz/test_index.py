"""Some damaged index files: each is used in every way, and gives an answer or a reason."""

from tests.fuzz.kinds import KINDS
from tests.fuzz.runner import run


def test_damaged_index_files_give_an_answer_or_a_reason() -> None:
    result = run(KINDS["index"], 150, seed=1)
    assert not result.findings, "\n".join(map(str, result.findings))
    assert result.outcomes["ok"] > 10


def test_a_document_that_would_not_be_found_again_is_not_added() -> None:
    """The pages of this file are in disorder: a text was put where it is not looked for."""
    kind = KINDS["index"]
    assert kind.load()(kind.random(7, 6879)) == "clear error"
