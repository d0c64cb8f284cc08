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


@pytest.fixture(params=["none", "avx2", "avx512"])
def instructions(request: pytest.FixtureRequest) -> Iterator[str]:
    """Runs a test with each level of vector instructions that the machine has, and without."""
    if request.param not in _core.vector_levels():
        pytest.skip(f"this machine has no {request.param}")
    _core.limit_vectors(request.param)
    yield request.param
    _core.limit_vectors("avx512")
