"""`likewise study pair`: two texts in seven steps, from the chance level to a conclusion."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.cli.options import (
    Parser,
    add_draws,
    add_level,
    add_profile,
    add_repeats,
    add_seed,
    add_trials,
    add_urn,
    add_values,
)
from likewise.cli.progress import Progress
from likewise.cli.study.writing import add_result, check_result, write_result
from likewise.cli.texts import add_two_texts, read_two, shown_name
from likewise.statistics.null_models import DEFAULT_NULL, PAIR_NULLS

DESCRIPTION = """\
Analyzes two texts in seven steps: chance level, shingles, a sample of them, similarity with its
interval, comparison with chance, conclusion, and repetition."""

EXAMPLE = """\
  likewise study pair a.txt b.txt
  likewise study pair luke.txt mark.txt --profile gospels --estimator rum-published --values 20"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("study pair", DESCRIPTION, EXAMPLE)
    add_two_texts(made)
    add_profile(made)
    made.add_argument(
        "--null",
        choices=PAIR_NULLS,
        default=DEFAULT_NULL,
        help="null model used for the conclusion; all are shown (default: words)",
    )
    made.add_argument(
        "--estimator",
        default="sketch",
        metavar="NAME",
        help="estimator: exact, sketch, minhash, … as listed by `study estimators` (default: "
        "sketch)",
    )
    add_values(made)
    add_draws(made)
    add_repeats(made, 50, "number of estimates")
    add_level(made, "confidence level of the interval; p must be at most 1 - L")
    add_trials(made)
    add_urn(made)
    add_seed(made)
    add_result(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """The seven steps; the exit status."""
    options = parser().parse(arguments)
    check_result(options)
    a, b = read_two(options)
    from likewise.output.table import printable
    from likewise.study.pair import study_pair
    from likewise.study.reports.pair import pair_rows, pair_text, plot_pair

    with Progress(options.quiet) as progress:
        study = study_pair(
            a,
            b,
            profile=options.profile,
            null=options.null,
            estimator=options.estimator,
            values=options.values,
            draws=options.draws,
            repeats=options.repeats,
            level=options.level,
            trials=options.trials,
            urn=options.urn,
            seed=options.seed,
            progress=progress,
        )
    names = [shown_name(name, options.literal) for name in (options.a, options.b)]
    write_result(
        options,
        lambda: pair_text(study, *map(printable, names)),
        lambda: pair_rows(study, *names),
        lambda stream, format_: plot_pair(study, stream, format_),
    )
    return 0
