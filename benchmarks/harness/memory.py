"""Resident memory of this process, in megabytes (10^6 bytes).

Linux keeps a high-water mark of resident memory per program (VmHWM) and lets it be set back, so
that what loading the corpus took is not counted. Elsewhere only the mark since the start is there.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def fields(status: Path = STATUS) -> dict[str, float]:
    """Return the fields of a /proc status file that are in kB, as megabytes; empty elsewhere."""
    found: dict[str, float] = {}
    try:
        lines = status.read_text().splitlines()
    except OSError:
        return found
    for line in lines:
        name, _, rest = line.partition(":")
        if rest.endswith(" kB"):
            found[name] = int(rest[:-3]) * 1024 / 1e6
    return found


def resident() -> float:
    """Return what is resident now (the peak, where the system does not tell)."""
    return fields().get("VmRSS") or peak()


def peak() -> float:
    """Return the most that was resident since the start or the last ``reset_peak``."""
    mark = fields().get("VmHWM")
    if mark is not None:
        return mark
    # Not used on Linux: there, ru_maxrss of a started process includes its parent's.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def reset_peak() -> bool:
    """Set the high-water mark to what is resident now; say whether the system allowed it."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True
