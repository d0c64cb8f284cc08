"""Shows the chance level of two texts under several null models: the similarity expected if their
letters, words or shingles were combined at random, and the p-value of the observed similarity under
each. With --sizes, uses the urn model only, for two sets of these sizes.

example:
  likewise study chance a.txt b.txt
  likewise study chance luke.txt mark.txt --profile gospels --plot chance.svg
  likewise study chance a.txt b.txt --corpus essays/
  likewise study chance --sizes 69314 94764
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from likewise.cli.inputs import Inputs
from likewise.cli.messages import notify
from likewise.cli.options import OUTPUT, READING, path, text, whole
from likewise.cli.parser import Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.cli.results import write_result
from likewise.cli.two_texts import read_two, shown_names
from likewise.errors import SourceError, UsageError
from likewise.statistics.null_models import NULL_MODELS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from likewise.study.nulls import Null

OPTIONS = {
    "A": path("input", "A", "the first text", dest="a", nargs="?"),
    "B": path("input", "B", "the second text", dest="b", nargs="?"),
    "--nulls": text(
        "NULL",
        f"null models to use: {', '.join(NULL_MODELS)}",
        "all available",
        nargs="+",
        choices=tuple(NULL_MODELS),
    ),
    "--sizes": whole(("M", "L"), "sizes of two sets, instead of texts; urn model only", nargs=2),
    "--corpus": path("source", "SOURCE", "collection for the null model corpus", nargs="+"),
}


def add_options(parser: Parser) -> None:
    parser.add("A B --literal --profile --nulls --sizes --urn --trials --corpus")
    parser.add("--null-pairs --seed")
    parser.add(READING, group="reading")
    parser.add("--plot")
    parser.add(OUTPUT, group="output")


def run(options: argparse.Namespace) -> int:
    from likewise.output.table import printable
    from likewise.study.nulls import urn_null
    from likewise.study.reports.chance import chance_rows, chance_text, plot_chance

    _check(options)
    names = None
    if options.sizes:
        nulls = [urn_null(options.sizes[0], options.sizes[1], 0, options.urn)]
    else:
        nulls = _nulls(options)
        first, second = map(printable, shown_names(options))
        names = first, second
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


def _nulls(options: argparse.Namespace) -> list[Null]:
    from likewise.study.nulls import nulls_of

    texts = read_two(options)
    names = options.nulls or [
        name for name, model in NULL_MODELS.items() if options.corpus or model.needs != "collection"
    ]
    with Progress(options.quiet) as progress:
        corpus = _corpus(options, progress) if options.corpus else None
        progress("chance level", 0, None)
        return nulls_of(*texts, **arguments_for(nulls_of, options, nulls=names, corpus=corpus))


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
    inputs = Inputs(options, progress)
    collection = new_collection(settings)
    for batch in inputs.open(options.corpus):
        collection.add_batch(batch.ids, batch.texts)
    stats = Stats()
    drawn, unrelated = draw_similarities(collection, settings, stats, progress)
    notify(options, *stats.notes)
    if inputs.report():
        raise SourceError("documents of the collection were skipped, and --strict forbids it")
    reason = why_no_null(int(unrelated.sum()), len(drawn))
    if reason is not None:
        raise UsageError(f"the null corpus: {reason}", hint="give a larger collection")
    return drawn[unrelated]
