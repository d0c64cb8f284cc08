"""The list of deliberate faults fits the code, so that it can be run at any time."""

from __future__ import annotations

import pytest

from tools.mutations import FAULTS, ROOT, Fault


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.part}: {fault.what}")
def test_a_fault_can_be_applied(fault: Fault) -> None:
    assert (ROOT / fault.file).read_text("utf-8").count(fault.old) == 1
    assert fault.old != fault.new
    for name in fault.tests.split():
        assert (ROOT / name).exists()
