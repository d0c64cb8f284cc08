"""Quoted or cited: how often is the group of a passage the true one?

Essays in nine languages and eight styles of citation (`tools/citing`), each with one passage that
is quoted and cited, quoted, cited or neither. Three styles were used when the rules were made; the
other five were not looked at until then. The essay and the source of its passage are compared as
two texts. The essays are made of forms that style guides give, by a program; real ones cite in more
ways, and files lose marks when they are read. Last, the essays of `samples/`, which cite nothing.

    python -m benchmarks.passages.citations
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from likewise import find_passages
from likewise.passages.passage import ATTRIBUTIONS
from tools.citing.essays import Case, cases

SAMPLES = Path(__file__).parents[2] / "samples" / "essays"


def main() -> None:
    parser = settings.parser(__doc__ or "")
    given = parser.parse_args()
    known = machine.facts()
    chosen = list(cases(given.seed))[:: 16 if given.tiny else 1]
    found = [(case, _group(case)) for case in chosen]
    texts = [path.read_text() for path in sorted(SAMPLES.glob("*.txt"))]
    samples = Counter(
        group
        for pair in find_passages(texts)
        for one in pair.passages
        for group in (one.a_attribution, one.b_attribution)
    )
    facts = {
        "machine": known,
        "seed": given.seed,
        "cases": [
            {
                "style": case.style, "language": case.language, "held_out": case.is_held_out,
                "manner": case.manner, "group": case.group, "found": group,
            }
            for case, group in found
        ],
        "samples": dict(samples),
    }  # fmt: skip
    settings.save(settings.results(given), "citations", facts, _report(found, samples))


def _group(case: Case) -> str | None:
    """The group that is found for the passage of an essay; None if the passage is not found."""
    pairs = find_passages([case.essay, case.source])
    passages = [one for pair in pairs for one in pair.passages]
    return max(passages, key=lambda one: one.words).a_attribution if passages else None


def _report(found: list[tuple[Case, str | None]], samples: Counter[str | None]) -> str:
    text = (__doc__ or "").rpartition("\n\n    python")[0]
    parts = [f"# Quoted or cited\n\n{text}\n\n`python -m benchmarks.passages.citations`\n"]
    for held_out, title in ((False, "Styles used when the rules were made"), (True, "Held out")):
        own = [(case, group) for case, group in found if case.is_held_out == held_out]
        parts += [f"\n## {title}\n\n", _by_style(own), "\n\n", _by_group(own), "\n"]
    parts += ["\n## By language, all styles\n\n", _by_language(found)]
    both = sum(samples.values())
    parts.append(
        f"\n\nThe passages of `samples/essays`, which cite nothing: {samples['neither']} of {both} "
        f"sides neither quoted nor cited, {samples['quoted']} quoted (a sentence in quotation "
        f"marks), {samples['cited'] + samples['quoted and cited']} cited.\n"
    )
    return "".join(parts)


def _right(pairs: Iterable[tuple[Case, str | None]]) -> list[str]:
    given = list(pairs)
    right = sum(case.group == group for case, group in given)
    return [str(len(given)), str(right), f"{right / max(1, len(given)):.3f}"]


def _by_style(found: list[tuple[Case, str | None]]) -> str:
    styles = dict.fromkeys(case.style for case, _ in found)
    rows = [[style, *_right(one for one in found if one[0].style == style)] for style in styles]
    return markdown(["style", "passages", "right group", "share"], [*rows, ["all", *_right(found)]])


def _by_language(found: list[tuple[Case, str | None]]) -> str:
    languages = dict.fromkeys(case.language for case, _ in found)
    return markdown(
        ["language", "passages", "right group", "share"],
        [[code, *_right(one for one in found if one[0].language == code)] for code in languages],
    )


def _by_group(found: list[tuple[Case, str | None]]) -> str:
    rows = []
    for wanted in ATTRIBUTIONS:
        true = sum(case.group == wanted for case, _ in found)
        told = sum(group == wanted for _, group in found)
        both = sum(case.group == wanted == group for case, group in found)
        rows.append([wanted, str(true), f"{both / max(1, told):.3f}", f"{both / max(1, true):.3f}"])
    return markdown(["group", "passages", "precision", "recall"], rows)


if __name__ == "__main__":
    main()
