"""Writes what the commands in the documentation print now into the pages that show it.

Of a block with `…` only the lines that are shown are renewed: each by the line that is most like
it. Look at the difference before you commit it.

    python tools/refresh_docs.py
"""

from __future__ import annotations

import difflib
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"(^```console\n)(.*?)(^```$)", re.MULTILINE | re.DOTALL)


def renewed(block: str) -> str:
    """The block with the output of its commands as it is now."""
    parts = re.split(r"^(\$ .*\n)", block, flags=re.MULTILINE)
    made = [parts[0]]
    for command, shown in zip(parts[1::2], parts[2::2], strict=True):
        printed = _run(command.removeprefix("$ "))
        in_part = any(line.strip() == "…" for line in shown.splitlines())
        made += [command, _merged(shown, printed) if in_part else printed]
    return "".join(made)


def _run(command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return done.stdout.decode()


def _merged(shown: str, printed: str) -> str:
    lines = printed.splitlines(keepends=True)
    made = []
    for line in shown.splitlines(keepends=True):
        near = difflib.get_close_matches(line, lines, n=1, cutoff=0.3)
        made.append(line if line.strip() == "…" or not near else near[0])
    return "".join(made)


def main() -> None:
    for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]):
        text = page.read_text(encoding="utf-8")
        new = FENCE.sub(lambda found: found[1] + renewed(found[2]) + found[3], text)
        if new != text:
            page.write_text(new, encoding="utf-8")
            print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
