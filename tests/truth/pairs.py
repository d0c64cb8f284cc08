"""The pairs of `pairs.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from likewise.passages.settings import Exclusions
from tests.truth.made import Made, make, source

FIGURES = ("size", "matched", "percent", "short_runs", "p", "passages")


@dataclass(frozen=True)
class TruePair:
    """One pair, with the figures that are written there."""

    name: str
    written: Mapping[str, Any]

    @cached_property
    def made(self) -> tuple[Made, Made]:
        return make(self.written["a"]), make(self.written["b"])

    @property
    def exclude(self) -> Exclusions:
        return Exclusions(
            quotations=self.written.get("quotations", False),
            templates=tuple(map(source, self.written.get("templates", ()))),
        )

    @property
    def wrong(self) -> str | None:
        """What the product gets wrong."""
        wrong: str | None = self.written.get("wrong")
        return wrong

    @property
    def missed(self) -> str | None:
        """Why an index does not find it."""
        missed: str | None = self.written.get("missed_by_index")
        return missed


@cache
def pairs() -> list[TruePair]:
    with (Path(__file__).parent / "pairs.toml").open("rb") as stream:
        return [TruePair(one["name"], one) for one in tomllib.load(stream)["pair"]]
