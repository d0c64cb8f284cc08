"""Some hostile requests: the server answers them, stays healthy and logs no error."""

from tests.fuzz.kinds import KINDS
from tests.fuzz.runner import run


def test_hostile_requests_are_answered_and_do_no_harm():
    result = run(KINDS["http"], 300, seed=1)
    assert not result.findings, "\n".join(map(str, result.findings))
    assert result.outcomes["ok"] > 30
    assert result.memory > 50 << 20  # that of the server is counted
