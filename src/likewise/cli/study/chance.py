"""`likewise study chance`: how similar two texts would be by chance alone."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from likewise.cli.options import (
    Parser,
    add_null_pairs,
    add_profile,
    add_reading,
    add_seed,
    add_trials,
    add_urn,
    whole_number,
)
from likewise.cli.progress import Progress, tell
from likewise.cli.reading import open_reader, tell_reading
from likewise.cli.study.writing import add_result, check_result, write_result
from likewise.cli.texts import read_two, shown_name
from likewise.errors import SourceError, UsageError
from likewise.statistics.null_models import NULL_MODELS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DESCRIPTION = """\
Shows the chance level of two texts under several null models: the similarity expected if their
letters, words or shingles were combined at random, and the p-value of the observed similarity under
each. With --sizes, uses the urn model only, for two sets of these sizes."""

EXAMPLE = """\
  likewise study chance a.txt b.txt
  likewise study chance luke.txt mark.txt --profile gospels --plot chance.svg
  likewise study chance a.txt b.txt --corpus essays/
  likewise study chance --sizes 69314 94764"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("study chance", DESCRIPTION, EXAMPLE)
    made.add_argument("a", metavar="A", nargs="?", help="the first text")
    made.add_argument("b", metavar="B", nargs="?", help="the second text")
    made.add_argument("--literal", action="store_true", help="A and B are texts, not files")
    add_profile(made)
    made.add_argument(
        "--nulls",
        nargs="+",
        choices=tuple(NULL_MODELS),
        metavar="NULL",
        help="null models to use: urn, letters, words, corpus (default: all available)",
    )
    made.add_argument(
        "--sizes",
        nargs=2,
        type=whole_number,
        metavar=("M", "L"),
        help="sizes of two sets, instead of texts; urn model only",
    )
    add_urn(made)
    add_trials(made)
    made.add_argument(
        "--corpus", nargs="+", metavar="SOURCE", help="collection for the null model corpus"
    )
    add_null_pairs(made, "number of pairs of the collection to examine")
    add_seed(made)
    add_reading(made)
    add_result(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Shuffles, computes and prints; the exit status."""
    options = parser().parse(arguments)
    _check(options)
    check_result(options)
    from likewise.output.table import printable
    from likewise.study.nulls import nulls_of, urn_null
    from likewise.study.reports.chance import chance_rows, chance_text, plot_chance

    names = None
    if options.sizes:
        nulls = [urn_null(options.sizes[0], options.sizes[1], 0, options.urn)]
    else:
        a, b = read_two(options)
        first, second = (
            printable(shown_name(name, options.literal)) for name in (options.a, options.b)
        )
        names = first, second
        with Progress(options.quiet) as progress:
            corpus = _corpus(options, progress) if options.corpus else None
            progress("chance level", 0, None)
            nulls = nulls_of(
                a,
                b,
                profile=options.profile,
                nulls=options.nulls
                or [name for name in NULL_MODELS if options.corpus or name != "corpus"],
                urn=options.urn,
                trials=options.trials,
                seed=options.seed,
                corpus=corpus,
            )
    write_result(
        options,
        lambda: chance_text(nulls, names),
        lambda: chance_rows(nulls),
        lambda stream, format_: plot_chance(
            nulls, observed=names is not None, stream=stream, format_=format_
        ),
    )
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.sizes and (options.a or options.corpus):
        raise UsageError("--sizes cannot be combined with texts", hint="remove one of the two")
    if not options.sizes and not (options.a is not None and options.b is not None):
        raise UsageError("two texts are needed", hint="name A and B, or give --sizes M L")
    if "corpus" in (options.nulls or ()) and not options.corpus:
        raise UsageError("the null model corpus requires a collection", hint="give --corpus SOURCE")
    if options.trials is not None:
        from likewise.statistics.shuffles import check_shuffle
        from likewise.whole_numbers import check_whole

        check_whole("trials", options.trials, 1)
        check_shuffle("words", options.trials, options.seed)


def _corpus(options: argparse.Namespace, progress: Progress) -> NDArray[np.float64]:
    """Similarities of unrelated pairs of the collection."""
    from likewise.run import Stats
    from likewise.search.chance import draw_similarities, why_no_null
    from likewise.search.find import new_collection
    from likewise.search.settings import Settings
    from likewise.text.profile import Profile

    settings = Settings(
        profile=Profile.of(options.profile), exact=True, chance="corpus",
        null_pairs=options.null_pairs, seed=options.seed,
    )  # fmt: skip
    reader = open_reader(options.corpus, options, progress)
    collection = new_collection(settings)
    for batch in reader:
        collection.add_batch(batch.ids, batch.texts)
    stats = Stats()
    drawn, unrelated = draw_similarities(collection, settings, stats, progress)
    for message in stats.notes:
        tell(message, options.quiet)
    if tell_reading([reader], options):
        raise SourceError("documents of the collection were skipped, and --strict forbids it")
    reason = why_no_null(int(unrelated.sum()), len(drawn))
    if reason is not None:
        raise UsageError(f"the null corpus: {reason}", hint="give a larger collection")
    return drawn[unrelated]
