"""Eleven ways to copy. Each takes sentences of a source and gives those of the copy."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tools.classroom.corpus import Corpus
from tools.classroom.sentence import OWN, Paragraph, Sentence, count, cut, own

KINDS = (
    "whole essay",
    "paragraph",
    "side by side",
    "one word in 8",
    "reordered",
    "look-alikes",
    "last year",
    "reworded",
    "long PDF",
    "three-way",
    "quoted",
)

WORDS = {
    "side by side": (60, 120),  # of each passage
    "one word in 8": (120, 240),
    "reordered": (150, 240),
    "look-alikes": (80, 200),
    "last year": (80, 200),
    "reworded": (400, 600),  # of the source
    "long PDF": (80, 250),
    "three-way": (80, 160),
    "quoted": (40, 80),
}
"""At least and at most how many words of the source are copied, where it is not all of it."""

APART = 250  # words in the source between two passages that are side by side in the copy
EVERY = 8
_MIN_SENTENCES = 5  # to be reordered
_LOOKALIKES = str.maketrans("aceopxyi", "асеорхуі")
_INVISIBLE = "\u200b\u2060\u00ad"


def min_source(kind: str) -> int:
    """How many words a source must have for this kind."""
    most = WORDS.get(kind, (0, 150))[1]
    return 2 * most + APART + 50 if kind == "side by side" else most + 50


def sentences_of(rng: random.Random, body: Sequence[Sentence], kind: str) -> Paragraph:
    """Whole consecutive sentences, as many words of them as this kind takes."""
    least, most = WORDS[kind]
    size = rng.randint(least, most - 40)
    starts = [i for i in range(len(body)) if count(body[i:]) >= size]
    first = rng.choice(starts)
    last = first
    while count(body[first:last]) < size or (kind == "reordered" and last - first < _MIN_SENTENCES):
        last += 1
    return tuple(body[first:last])


def side_by_side(rng: random.Random, body: Sequence[Sentence]) -> tuple[Paragraph, Paragraph]:
    """Two passages from different places, which may begin and end within a sentence."""
    sizes = [rng.randint(*WORDS["side by side"]) for _ in range(2)]
    room = count(body) - sum(sizes) - APART
    first = rng.randint(0, room // 2)
    second = rng.randint(first + sizes[0] + APART, count(body) - sizes[1])
    passages = cut(body, first, first + sizes[0]), cut(body, second, second + sizes[1])
    return passages if rng.random() < 0.5 else (passages[1], passages[0])


def replace_words(rng: random.Random, passage: Paragraph, corpus: Corpus) -> Paragraph:
    """One word in eight is another one."""
    made: list[Sentence] = []
    at, target = 0, rng.randrange(EVERY)
    for sentence in passage:
        for i in range(len(sentence.origins)):
            if at == target:
                sentence = _with_word(sentence, i, _other(rng, sentence, i, corpus.vocabulary))
            at += 1
            if at % EVERY == 0:
                target = at + rng.randrange(EVERY)
        made.append(sentence)
    return tuple(made)


def _other(rng: random.Random, sentence: Sentence, at: int, vocabulary: Sequence[str]) -> str:
    words = sentence.words
    given = sentence.text[int(words.begins[at]) : int(words.ends[at])].lower()
    while (word := rng.choice(vocabulary)) == given:
        pass
    return word


def _with_word(sentence: Sentence, at: int, word: str) -> Sentence:
    words = sentence.words
    begin, end = int(words.begins[at]), int(words.ends[at])
    text = sentence.text[:begin] + word + sentence.text[end:]
    origins = (*sentence.origins[:at], OWN, *sentence.origins[at + 1 :])
    return replace(sentence, text=text, origins=origins)


def reorder(rng: random.Random, passage: Paragraph) -> Paragraph:
    """The sentences in another order, in which none follows the one that it followed."""
    order = list(range(len(passage)))
    while any(b - a == 1 for a, b in pairwise(order)):
        rng.shuffle(order)
    return tuple(passage[i] for i in order)


def disguise(rng: random.Random, passage: Paragraph) -> Paragraph:
    """Cyrillic letters in one word of three, invisible characters in one of five."""
    return tuple(
        sentence.with_text(" ".join(_disguised(rng, word) for word in sentence.text.split()))
        for sentence in passage
    )


def _disguised(rng: random.Random, word: str) -> str:
    if len(word) < 4 or not word[:3].isalpha():
        return word
    if rng.random() < 1 / 3:
        word = word[0] + word[1:].translate(_LOOKALIKES)
    if rng.random() < 1 / 5:
        word = word[:2] + rng.choice(_INVISIBLE) + word[2:]
    return word


def reword(rng: random.Random, passage: Paragraph, corpus: Corpus, subject: str) -> Paragraph:
    """Sentences on another subject, a quarter as many, in which rare words of the passage stand.

    No word of it counts as shared: what is left are single words in places of their own.
    """
    kept: list[str] = []
    seen: set[int] = set()
    for sentence in passage:
        words = sentence.words
        rare = sorted(range(len(words)), key=lambda i: -corpus.weights[int(words.hashes[i])])
        for i in sorted(rare[: round(len(words) / 10)]):
            if int(words.hashes[i]) not in seen:
                seen.add(int(words.hashes[i]))
                kept.append(sentence.text[int(words.begins[i]) : int(words.ends[i])])
    made: list[Sentence] = []
    for sentence in corpus.take(subject, count(passage) // 4):
        made.append(own(_with_rare_words(rng, sentence, kept)))
    return tuple(made)


def _with_rare_words(rng: random.Random, sentence: Sentence, kept: list[str]) -> str:
    """Two of five words replaced by the next of those that were kept, nearly in their order."""
    words = sentence.words
    chosen = set(rng.sample(range(len(words)), round(0.4 * len(words))))
    text = sentence.text
    for i in sorted(chosen, reverse=True):
        if kept:
            word = kept.pop(rng.randrange(min(4, len(kept))))
            text = text[: int(words.begins[i])] + word + text[int(words.ends[i]) :]
    return text


def quote(passage: Paragraph) -> Paragraph:
    """The passage in quotation marks."""
    first = passage[0].with_text("“" + passage[0].text)
    quoted = (first, *passage[1:])
    return (*quoted[:-1], quoted[-1].with_text(quoted[-1].text + "”"))
