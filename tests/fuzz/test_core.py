"""Some hostile texts and arrays through the core."""

import pytest

from tests.fuzz.kinds import KINDS
from tests.fuzz.runner import run

CORE = [kind for kind in KINDS.values() if "fuzz.core:" in kind.function]


@pytest.mark.parametrize("kind", CORE, ids=lambda kind: kind.name)
def test_hostile_inputs_break_nothing_and_give_the_same_result_every_way(kind):
    result = run(kind, 200, seed=1)
    assert not result.findings, "\n".join(map(str, result.findings))
    assert result.outcomes["ok"] > 100
