"""What several texts share beside what chance gives: a table, rows, and a plot."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

from likewise.output.chance import chance_text
from likewise.output.figure import COLOURS, figure
from likewise.output.rows import Columns, Rows
from likewise.output.table import aligned
from likewise.run import counted
from likewise.study.null_texts import NULLS
from likewise.study.traditions import LETTERS, MEASURES, Figure
from likewise.study.witnesses import Level, WitnessStudy

_WIDTH = 100


def witnesses_text(study: WitnessStudy, names: Sequence[str]) -> str:
    """Tables of the measures, and what the nulls mean."""
    blocks = [_texts(study, names)]
    for measure in MEASURES:
        if _has_rows(study, measure):
            blocks.append(_table(study, measure))
        if measure == "words":
            blocks.append(_words_of_each(study))
    blocks.append(_explained(study))
    return "\n".join(blocks)


def _texts(study: WitnessStudy, names: Sequence[str]) -> str:
    sizes = zip(LETTERS, names, study.sizes, strict=False)
    return "".join(f"{letter}  {name}: {counted(size, 'word')}\n" for letter, name, size in sizes)


def _has_rows(study: WitnessStudy, measure: str) -> bool:
    return any(own.measure == measure and value is not None for own, value in study.figures.items())


def _table(study: WitnessStudy, measure: str) -> str:
    chance = ["by chance"] if measure == "run" else []
    header = ["", "here", *chance, *study.nulls]
    rows = []
    for own, value in study.figures.items():
        if own.measure != measure or value is None:
            continue
        law = [chance_text(study.run_chances[own.texts])] if chance else []
        levels = [_cell(study.levels.get((null, own)), measure) for null in study.nulls]
        rows.append([" ".join(own.texts), _number(value, measure), *law, *levels])
    return f"{measure}: {_meaning(study, measure)}\n{aligned(header, rows, ['here'])}"


def _words_of_each(study: WitnessStudy) -> str:
    """The same words as in a synopsis, where each text has its own."""
    letters = LETTERS[: len(study.sizes)]
    rows = [
        [" ".join(names), *(f"{own[letter]:,}" if letter in own else "" for letter in letters)]
        for names, words in study.words.items()
        for own in [dict(zip(names, words, strict=True))]
        if len(names) > 1
    ]
    head = "words of each text: a wording that a text has twice counts twice, as in a synopsis"
    return f"{head}\n{aligned(['', *letters], rows, letters)}"


def _meaning(study: WitnessStudy, measure: str) -> str:
    if measure == "words":
        return f"{MEASURES[measure]} (at least {study.min_words} in a row, or edited)"
    return f"{MEASURES[measure]} ({study.profile})" if measure == "shingles" else MEASURES[measure]


def _cell(level: Level | None, measure: str) -> str:
    """The mean and the range of the trials, and the p-value."""
    if level is None:
        return "-"
    low, high = (_number(value, measure) for value in (level.lowest, level.highest))
    p_value = "" if level.p_value is None else f", p {level.p_value:.2g}"
    return f"{_number(level.mean, measure)} ({low} to {high}){p_value}"


def _number(value: float, measure: str) -> str:
    if measure == "order":
        return f"{value:.2f}"
    if measure == "in order":
        return f"{100 * value:.0f}%"
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.1f}"


def _explained(study: WitnessStudy) -> str:
    lines = [
        "by chance: how often unrelated texts of these lengths all share so long a run, at most",
    ]
    if study.nulls:
        lines.append(
            f"Mean (lowest to highest) of {study.trials:,} trials, seed {study.seed}; p: the share "
            "of trials with at least as much."
        )
    for null in study.nulls:
        lines.append(f"{null}: {NULLS[null].what}: {NULLS[null].says}. {_no_p(study, null)}")
    lines += [f"{null}: not tried; {reason}." for null, reason in study.left_out.items()]
    wrapped = (textwrap.fill(line.strip(), _WIDTH, subsequent_indent="  ") for line in lines)
    return "\n".join(wrapped) + "\n"


def _no_p(study: WitnessStudy, null: str) -> str:
    """Why there is no p-value, for the measures that have a level under this null."""
    if null in study.no_p:
        return f"No p: {study.no_p[null]}."
    tests = NULLS[null].tests
    measures = dict.fromkeys(own.measure for other, own in study.levels if other == null)
    others = [measure for measure in measures if measure not in tests]
    return f"No p for {', '.join(others)}: {NULLS[null].no_test}." if others else ""


class _Row(NamedTuple):
    """A figure, and its level under one null."""

    figure: Figure
    value: float | None
    run_chance: float | None
    null: str | None
    level: Level | None


def witnesses_rows(study: WitnessStudy) -> Rows:
    """One row per figure and null; one per figure if there is no null."""
    return Rows.of(_rows(study), _COLUMNS, "figures")


def _rows(study: WitnessStudy) -> Iterator[_Row]:
    for own, value in study.figures.items():
        law = study.run_chances.get(own.texts) if own.measure == "run" else None
        if not study.nulls:
            yield _Row(own, value, law, None, None)
        for null in study.nulls:
            yield _Row(own, value, law, null, study.levels.get((null, own)))


_COLUMNS: Columns = {
    "measure": (str, "figure.measure"),
    "texts": (str, "figure.texts"),
    "observed": (float, "value"),
    "run_p": (float, "run_chance"),
    "null": (str, "null"),
    "mean": (float, lambda row: row.level and row.level.mean),
    "spread": (float, lambda row: row.level and row.level.spread),
    "lowest": (float, lambda row: row.level and row.level.lowest),
    "low": (float, lambda row: row.level and row.level.low),
    "high": (float, lambda row: row.level and row.level.high),
    "highest": (float, lambda row: row.level and row.level.highest),
    "p_value": (float, lambda row: row.level and row.level.p_value),
    "trials": (int, lambda row: row.level and row.level.trials),
}


def plot_witnesses(study: WitnessStudy, stream: BinaryIO, format_: str) -> None:
    """Words by the texts that share them, and the range of each null."""
    own = [one for one in study.figures if one.measure == "words" and len(one.texts) > 1]
    with figure(stream, format_, size=(7.2, 1.2 + 0.5 * len(own))) as axes:
        height = 0.8 / (len(study.nulls) + 1)
        for at, one in enumerate(own):
            value = study.figures[one] or 0.0
            axes.barh(at, value, height, color="black", label="" if at else "here")
            for number, (null, colour) in enumerate(zip(study.nulls, COLOURS, strict=False), 1):
                level = study.levels.get((null, one))
                if level is not None:
                    axes.barh(
                        at + number * height, level.mean, height, color=colour,
                        xerr=[[level.mean - level.lowest], [level.highest - level.mean]],
                        label="" if at else null,
                    )  # fmt: skip
        axes.set(
            yticks=[at + 0.4 - height / 2 for at in range(len(own))],
            yticklabels=[" ".join(one.texts) for one in own],
            xlabel="words that exactly these texts share",
        )  # fmt: skip
        axes.invert_yaxis()
        axes.legend(frameon=False, fontsize=9)
