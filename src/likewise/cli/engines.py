"""Options that only one of the engines has."""

from __future__ import annotations

import argparse

from likewise.errors import UsageError


def check_local(options: argparse.Namespace, *names: str) -> None:
    """Refuses options that a run on this machine does not have."""
    for name in names:
        if getattr(options, name) is not None:
            raise UsageError(
                f"--{name} cannot be combined with --engine local", hint="add --engine spark"
            )


def check_spark(options: argparse.Namespace, *names: str) -> None:
    """Refuses options that a run on Spark does not have."""
    for name in names:
        if value := getattr(options, name):
            option = value if name == "shape" else name.replace("_", "-")
            raise UsageError(f"--{option} cannot be combined with --engine spark")
