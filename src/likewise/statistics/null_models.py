"""The null models: what "by chance" means, and the words for it. One line for each.

Names are what options and results call them. A new model needs a line here, and the function that
draws from it in `study/nulls.py` (and in `search/chance.py`, if whole searches offer it). It must
not import a heavy library: the command line takes its choices from here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NullModel:
    """One of them.

    Attributes:
        what: what a similarity is compared with.
        gives: "within what … by chance".
        order: the same, where the texts are known.
        meaning: what it stands for, in an experiment.
        shuffled: it shuffles the two texts.
        searched: a search of a collection can use it.
    """

    what: str
    gives: str
    order: str
    meaning: str
    shuffled: bool = False
    searched: bool = False


NULL_MODELS = {
    "urn": NullModel(
        what="two random subsets of one urn",
        gives="the urn gives",
        order="the urn",
        meaning="two random handfuls from one urn of {urn:,} shingles; blind to language, "
        "about a third for equal sizes",
    ),
    "letters": NullModel(
        what="the same letters in random order",
        gives="their letters give",
        order="random letters",
        meaning="the same letters in random order: what the alphabet gives",
        shuffled=True,
        searched=True,
    ),
    "words": NullModel(
        what="the same words in random order",
        gives="their words give",
        order="random word order",
        meaning="the same words in random order: what the vocabulary gives",
        shuffled=True,
        searched=True,
    ),
    "corpus": NullModel(
        what="unrelated pairs of the collection",
        gives="unrelated pairs give",
        order="chance",
        meaning="unrelated pairs of the collection: what the language and the subject give",
        searched=True,
    ),
}

_DEFAULTS_FIRST = ("corpus", "words", "letters", "urn", *NULL_MODELS)
_ALL = tuple(dict.fromkeys(_DEFAULTS_FIRST))
SHUFFLES = tuple(name for name in _ALL if NULL_MODELS[name].shuffled)
"""For two texts."""
SEARCH_NULLS = tuple(name for name in _ALL if NULL_MODELS[name].searched)
"""For a search of a collection."""
PAIR_NULLS = tuple(name for name in _ALL if name != "corpus")
"""For two texts, the urn among them."""
