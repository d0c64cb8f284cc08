"""What tests in a browser need, and which of it is not here."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = {"playwright": "Playwright", "axe_playwright_python": "axe-playwright-python"}

program = next(filter(None, map(shutil.which, PROGRAMS)), None)
missing = [name for module, name in PACKAGES.items() if find_spec(module) is None]
if program is None:
    missing.append("Chromium")
