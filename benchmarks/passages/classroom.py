"""A made-up class of essays: are the planted copies found, and are the percentages true?

120 essays of this year in DOCX, PDF and text, 80 of last year and a long PDF (`tools/classroom`),
read and searched as `likewise passages` does: this year's among themselves, and with the others;
each time with the assignment excluded (`--template`) and without; and some pairs alone, as two
files. Of every word it is known where it comes from, so that all figures can be compared with the
truth.

A copy is found if one passage has at least half of the planted range on both sides. Percentages
are those of each pair and each document. A false passage is one in which the two documents share
no copied word.

    python -m benchmarks.passages.classroom
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from tools.classroom.copying import KINDS
from tools.classroom.files import write_class
from tools.classroom.school_class import make_class
from tools.classroom.scoring import POINTS, REWORDED, Detection, Figure, ReadClass, Score

LONGEST_QUOTE = 300  # letters of a false passage in the report


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--essays", type=int, default=120)
    parser.add_argument("--last-year", type=int, default=80)
    parser.add_argument("--long-words", type=int, default=80_000)
    parser.add_argument("--alone", type=int, default=2_000, help="unrelated pairs searched alone")
    given = parser.parse_args()
    if given.tiny:
        given.essays, given.last_year, given.long_words = 24, 8, 8_000
        given.alone = 100
    known = machine.facts()
    school_class = make_class(given.seed, given.essays, given.last_year, given.long_words)
    with tempfile.TemporaryDirectory() as folder:
        write_class(school_class, Path(folder))
        read = ReadClass(school_class, Path(folder))
    settings.say(f"{len(school_class.essays)} documents read in {read.seconds:.1f} s")
    scores = []
    for template in (True, False):
        for against in (False, True):
            scores.append(read.score(against=against, template=template))
            settings.say(f"{_name(scores[-1])}: {scores[-1].seconds:.1f} s")
    scores.append(read.score_alone(given.alone, given.seed))
    settings.say(f"{_name(scores[-1])}: {scores[-1].seconds:.1f} s")
    facts = {
        "machine": known,
        "seed": given.seed,
        "essays": given.essays,
        "last_year": given.last_year,
        "words": sum(len(essay.origins) for essay in school_class.essays),
        "long_words": len(school_class.long.origins),
        "read_seconds": read.seconds,
        "searches": [_facts(score) for score in scores],
    }
    settings.save(settings.results(given), "classroom", facts, _report(facts, scores))


def _name(score: Score) -> str:
    return f"{score.name}, {'assignment excluded' if score.template else 'nothing excluded'}"


def _facts(score: Score) -> dict[str, Any]:
    return {
        "search": score.name,
        "assignment_excluded": score.template,
        "seconds": score.seconds,
        "pairs": score.pair_count,
        "planted": [
            {
                "number": one.planted.number,
                "kind": one.planted.kind,
                "copy": one.planted.copy.path,
                "source": one.planted.source.path,
                "found": one.found,
                "covered": one.covered,
                "passages": one.passages,
                "reworded": one.reworded,
            }
            for one in score.detections
        ],
        "pair_figures": _errors(score.pairs),
        "document_figures": _errors(score.documents),
        "false_passages": [vars(one) for one in score.false_passages],
    }


def _errors(figures: Sequence[Figure]) -> dict[str, Any]:
    errors = [figure.error for figure in figures]
    off = sorted((f for f in figures if f.error > POINTS), key=lambda f: -f.error)
    return {
        "figures": len(figures),
        "off": len(off),
        "largest": max(errors, default=0.0),
        "mean": sum(errors) / max(1, len(errors)),
        "worst": [vars(figure) for figure in off[:20]],
    }


def _report(facts: dict[str, Any], scores: Sequence[Score]) -> str:
    return "\n\n".join(
        [
            "# A class of essays",
            f"{facts['essays']} essays of this year, {facts['last_year']} of last year and a PDF "
            f"of {facts['long_words']:,} words, {facts['words']:,} words in all, read in "
            f"{facts['read_seconds']:.1f} s. Seed {facts['seed']}.",
            "## Planted copies",
            _kinds(scores),
            "*Found:* one passage has at least half of the planted range on both sides. *Covered:* "
            "the share of the planted range that is in passages, the least of all copies. Reworded "
            "copies have their own list: *found* counts those in it; passages of other kinds there "
            "would count words that were not copied.",
            "## Percentages",
            _percentages(facts),
            f"Figures of pairs that share words or are reported to, and of all documents, against "
            f"the truth: those more than {POINTS:g} points off, the largest error and the mean.",
            "## False passages",
            _false(scores),
            machine.summary(facts["machine"]),
        ]
    )


def _kinds(scores: Sequence[Score]) -> str:
    searches = {
        "assignment excluded": [s for s in scores if s.template and s.documents],
        "nothing excluded": [s for s in scores if not s.template],
        "pair alone": [s for s in scores if not s.documents],
    }
    rows = []
    for kind in KINDS:
        row = [kind]
        for name, of_name in searches.items():
            of = [one for s in of_name for one in s.detections if one.planted.kind == kind]
            row += [str(len(of))] if name == "assignment excluded" else []
            row += [str(sum(map(_is_found, of))), f"{min(one.covered for one in of):.2f}"]
        rows.append(row)
    head = ["kind", "planted"]
    for name in searches:
        head += [f"found, {name}", "covered"]
    return markdown(head, rows)


def _is_found(one: Detection) -> bool:
    return one.reworded if one.planted.kind == REWORDED else one.found


def _percentages(facts: dict[str, Any]) -> str:
    rows = []
    for search in facts["searches"]:
        excluded = "assignment excluded" if search["assignment_excluded"] else "nothing excluded"
        for of, errors in (
            (f"{search['pairs']:,} pairs", search["pair_figures"]),
            ("documents", search["document_figures"]),
        ):
            if not errors["figures"]:
                continue
            rows.append(
                [
                    f"{search['search']}, {excluded}: {of}",
                    f"{errors['figures']:,}",
                    f"{errors['off']:,}",
                    f"{errors['largest']:.1f}",
                    f"{errors['mean']:.2f}",
                    f"{search['seconds']:.1f}",
                ]
            )
    return markdown(["search", "figures", "off", "largest", "mean", "seconds"], rows)


def _false(scores: Sequence[Score]) -> str:
    lines = []
    for score in scores:
        found = score.false_passages
        lines.append(f"- {_name(score)}: {len(found)}")
        lines += [
            f"  - {one.kind}, {one.a} and {one.b}: “{_quote(one.a_text)}” – “{_quote(one.b_text)}”"
            for one in found
        ]
    return "\n".join(lines)


def _quote(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + " …"


if __name__ == "__main__":
    main()
