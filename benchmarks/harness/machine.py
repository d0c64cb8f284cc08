"""Facts of the machine and of the software, kept with every result.

python -m benchmarks.harness.machine
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

PACKAGES = (
    "likewise",
    "datasketch",
    "rensa",
    "FastSketchLSH",
    "SetSimilaritySearch",
    "numpy",
    "scipy",
    "pyarrow",
    "psycopg",
    "redis",
)
VECTOR_SETS = ("sse4_2", "avx", "avx2", "avx512f", "neon", "asimd", "sve")


def facts() -> dict[str, Any]:
    """Return processor, memory, system, compiler, versions, and how busy the machine is now."""
    processor = _processor()
    flags = processor.get("flags", processor.get("Features", "")).split()
    return {
        "cpu": processor.get("model name") or platform.processor() or platform.machine(),
        "vectors": [name for name in VECTOR_SETS if name in flags],
        "cores": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "memory_gib": _memory_gib(),
        "system": _system(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": _compiler(),
        "packages": _versions(),
        "load_average": [round(value, 2) for value in os.getloadavg()],
    }


def summary(known: dict[str, Any]) -> str:
    """Return the facts as Markdown lines."""
    versions = ", ".join(f"{name} {version}" for name, version in known["packages"].items())
    return "\n".join(
        (
            f"- CPU: {known['cpu']}, {known['cores']} cores ({', '.join(known['vectors'])})",
            f"- Memory: {known['memory_gib']} GiB",
            f"- System: {known['system']}; {known['python']}; compiler here: {known['compiler']}",
            f"- Packages: {versions}",
            f"- Load average when the run began: {', '.join(map(str, known['load_average']))}",
        )
    )


def _processor() -> dict[str, str]:
    try:
        first = Path("/proc/cpuinfo").read_text().split("\n\n")[0]
    except OSError:
        return {}
    pairs = (line.split(":", 1) for line in first.splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, value in pairs}


def _memory_gib() -> float:
    return round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30, 1)


def _system() -> str:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = platform.system()
    return f"{name}, {platform.release()}"


def _compiler() -> str:
    # The one that would build from source here; a wheel may come from another.
    for name in ("c++", "g++", "clang++"):
        if path := shutil.which(name):
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
            return said.stdout.splitlines()[0] if said.stdout else name
    return "none"


def _versions() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


if __name__ == "__main__":
    print(json.dumps(facts(), indent=2))
