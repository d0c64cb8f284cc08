"""A few hundred damaged documents of every kind: each gives a text or a reason."""

import pytest

from tests.fuzz.kinds import KINDS
from tests.fuzz.runner import run


@pytest.mark.parametrize("kind", [name for name, at in KINDS.items() if "fuzz.documents:" in at])
def test_damaged_documents_give_a_text_or_a_reason(kind):
    tally = run(kind, 200, seed=1)
    assert not tally.findings, "\n".join(map(str, tally.findings))
    assert tally.read + tally.refused == 200
    assert tally.read > 20
