"""`python -m likewise` is the `likewise` command."""

import sys

from likewise.cli.main import run

sys.exit(run())
