"""Writes a made-up class of essays with planted copies, and the truth about what they share.

python -m tools.classroom FOLDER
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tools.classroom.files import write_class
from tools.classroom.school_class import make_class


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.classroom",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="write to this folder, which must be empty")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same files")
    parser.add_argument("--essays", type=int, default=120, help="of this year (default: 120)")
    parser.add_argument("--last-year", type=int, default=80, help="essays (default: 80)")
    parser.add_argument(
        "--long-words", type=int, default=80_000, help="of the long PDF (default: 80000)"
    )
    given = parser.parse_args()
    if given.folder.exists() and any(given.folder.iterdir()):
        parser.error(f"{given.folder} is not empty")
    try:
        made = make_class(given.seed, given.essays, given.last_year, given.long_words)
    except ValueError as error:
        parser.error(str(error))
    write_class(made, given.folder)
    print(f"{len(made.essays)} documents, {len(made.planted)} planted copies: {given.folder}")


if __name__ == "__main__":
    main()
