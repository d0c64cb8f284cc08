"""Without a browser no other test of this folder is collected: that is said here."""

from __future__ import annotations

import os

import pytest

from tests.browser.needed import missing


@pytest.mark.smoke
def test_a_browser_and_what_drives_it_are_installed() -> None:
    if missing:
        told = f"{' and '.join(missing)} not installed"
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
