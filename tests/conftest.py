"""What all tests share: how long Hypothesis tries, and both instruction paths of the core."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from likewise import _core

# No deadlines: a noisy machine must not fail a test. CI and `pytest` run the same examples.
settings.register_profile(
    "default",
    deadline=None,
    max_examples=int(os.environ.get("LIKEWISE_EXAMPLES", "150")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    derandomize=True,
)
settings.load_profile("default")


@pytest.fixture(params=["vectors", "portable"])
def instructions(request: pytest.FixtureRequest) -> Iterator[str]:
    """Runs a test with the vector instructions and without them."""
    if request.param == "vectors" and not _core.has_avx2():
        pytest.skip("this machine has no AVX2")
    _core.allow_avx2(request.param == "vectors")
    yield request.param
    _core.allow_avx2(True)
