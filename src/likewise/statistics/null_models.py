"""The null models: what "by chance" means, and the words for it. One entry for each.

To add one, write a module with its function and an entry here: options, checks, searches,
experiments and reports take their choices, functions and words from this table. This module must
not import a heavy library, because the command line loads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class NullModel:
    """One of them.

    Attributes:
        needs: what the chance level is computed from, which decides where the model is available.
            texts: the two texts, for `compare`, searches and experiments. The function takes
            (texts, profile, trials, seed, threads) and returns for each trial the two sizes and the
            number of shared shingles.
            sizes: the numbers of shingles, for experiments. The function takes (size_a, size_b,
            urn) and returns a law such as `UrnLaw`.
            collection: similarities of its unrelated pairs, for searches and experiments.
        what: what a similarity is compared with.
        gives: "within what … by chance".
        order: the same, where the texts are known.
        meaning: its meaning in an experiment.
        function: module and name; empty if it needs a collection.
    """

    needs: Literal["texts", "sizes", "collection"]
    what: str
    gives: str
    order: str
    meaning: str
    function: str = ""

    def load(self) -> Any:
        """The function."""
        module, _, name = self.function.partition(":")
        return getattr(import_module(module), name)


NULL_MODELS = {
    "urn": NullModel(
        needs="sizes",
        what="two random subsets of one urn",
        gives="the urn gives",
        order="the urn",
        meaning="two random subsets of one urn of {urn:,} shingles; ignores language, "
        "about a third for equal sizes",
        function="likewise.statistics.urn:UrnLaw",
    ),
    "letters": NullModel(
        needs="texts",
        what="the same letters in random order",
        gives="their letters give",
        order="random letters",
        meaning="the same letters in random order: what the alphabet gives",
        function="likewise.statistics.shuffles:shuffle_letters",
    ),
    "words": NullModel(
        needs="texts",
        what="the same words in random order",
        gives="their words give",
        order="random word order",
        meaning="the same words in random order: what the vocabulary gives",
        function="likewise.statistics.shuffles:shuffle_words",
    ),
    "corpus": NullModel(
        needs="collection",
        what="unrelated pairs of the collection",
        gives="unrelated pairs give",
        order="chance",
        meaning="unrelated pairs of the collection: what the language and the subject give",
    ),
}
DEFAULT_NULL = "words"

_ALL = tuple(dict.fromkeys(("corpus", DEFAULT_NULL, "letters", "urn", *NULL_MODELS)))


def _available(*needs: str) -> tuple[str, ...]:
    return tuple(name for name in _ALL if NULL_MODELS[name].needs in needs)


SHUFFLES = _available("texts")
"""For `compare`."""
SEARCH_NULLS = _available("texts", "collection")
"""For a search of a collection."""
PAIR_NULLS = _available("texts", "sizes")
"""For an experiment on two texts."""
