r"""Unrelated texts of every length and in many languages share no passages.

Each pair is a slice of 50 to 100,000 words of one text and a slice of another source; sources are
by different people on different subjects (`unrelated_texts` fetches them). Sample essays, Gospels
and other documents are taken whole. What is found nevertheless is listed with its wording, for some
texts do share a quotation, a name or a set phrase.

    python -m benchmarks.passages.unrelated --texts data/unrelated --gospels FOLDER \
        --documents FOLDER

With --tiny sample essays are compared with books of the King James Version.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from dataclasses import dataclass

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.texts import real_texts
from likewise.passages.pair_passages import find_pair_passages
from likewise.passages.passage import Passage
from likewise.text.words import words_of

LENGTHS = (50, 150, 250, 500, 1_000, 3_000, 10_000, 30_000, 100_000)
AT_ONCE = 24


@dataclass(frozen=True)
class Pair:
    kind: str  # the row of the table
    names: tuple[str, str]
    texts: tuple[str, str]


def slices(draw: random.Random, source: real_texts.Source, size: int) -> str | None:
    """About `size` words in a row: a part of one text, or several texts one after another."""
    order = draw.sample(source.texts, len(source.texts))
    joined, count = "", 0
    for text in order:
        joined += "\n\n" + text
        count += len(words_of(text))
        if count >= size:
            break
    if count < 0.8 * size:
        return None
    words = words_of(joined)
    begin = draw.randrange(max(1, len(words) - size))
    end = min(len(words), begin + size)
    return joined[words.begins[begin] : words.ends[end - 1]]


def drawn_pairs(draw: random.Random, sources: list[real_texts.Source], count: int) -> list[Pair]:
    """Slices of unequal lengths of two sources of one language."""
    languages = sorted({one.language for one in sources})
    made: list[Pair] = []
    tries = 0
    while len(made) < count and tries < 50 * count:
        tries += 1
        language = draw.choice(languages)
        known = [one for one in sources if one.language == language]
        if len(known) < 2:
            continue
        x, y = draw.sample(known, 2)
        sizes = sorted(draw.sample(LENGTHS, 2))
        texts = [slices(draw, one, size) for one, size in zip((x, y), sizes, strict=True)]
        if texts[0] is None or texts[1] is None:
            continue
        same = ", same genre" if x.genre == y.genre else ""
        made.append(Pair(x.language + same, (x.name, y.name), (texts[0], texts[1])))
    return made


def whole_pairs(draw: random.Random, texts: list[real_texts.RealText], count: int) -> list[Pair]:
    """Whole documents of different families, the sample essays among them."""
    made: list[Pair] = []
    while len(made) < count:
        x, y = draw.sample(texts, 2)
        if x.family != y.family and not (
            x.name.endswith(".txt") and y.name.endswith(".txt") and x.family == x.name
        ):
            languages = " and ".join(sorted({x.language, y.language}))
            made.append(Pair(f"whole, {languages}", (x.name, y.name), (x.text, y.text)))
    return made


@dataclass(frozen=True)
class Finding:
    pair: Pair
    sizes: tuple[int, int]
    passage: Passage


def examine(pairs: list[Pair]) -> tuple[list[Finding], list[tuple[int, int]]]:
    found: list[Finding] = []
    sizes: list[tuple[int, int]] = []
    for begin in range(0, len(pairs), AT_ONCE):
        part = pairs[begin : begin + AT_ONCE]
        texts = [text for pair in part for text in pair.texts]
        numbers = [(2 * i, 2 * i + 1) for i in range(len(part))]
        shared = find_pair_passages(texts, numbers, threads=2)
        for pair, one in zip(part, shared, strict=True):
            sizes.append((one.size_a, one.size_b))
            found += [Finding(pair, sizes[-1], p) for p in (*one.passages, *one.reworded)]
        settings.say(f"{begin + len(part):,} of {len(pairs):,} pairs, {len(found)} passages")
    return found, sizes


def table(pairs: list[Pair], found: list[Finding]) -> str:
    counts = Counter(pair.kind for pair in pairs)
    kinds = ("verbatim", "edited", "reordered", "reworded")
    rows = []
    for kind, count in sorted(counts.items()):
        own = [one for one in found if one.pair.kind == kind]
        with_any = len({id(one.pair) for one in own})
        rows.append(
            [kind, f"{count:,}", str(with_any)]
            + [str(sum(one.passage.kind == k for one in own)) for k in kinds]
        )
    rows.append(
        ["all", f"{len(pairs):,}", str(len({id(one.pair) for one in found}))]
        + [str(sum(one.passage.kind == k for one in found)) for k in kinds]
    )
    return markdown(["pairs", "number", "with a passage", *kinds], rows)


def shown(one: Finding) -> str:
    p = one.passage
    sides = one.pair.texts[0][p.a_start : p.a_end], one.pair.texts[1][p.b_start : p.b_end]
    chance = "" if p.p is None else f", p {p.p:.2g}"
    about = (
        f"{p.kind}, {p.words} words, run {p.run}, {p.a_words} and {p.b_words} words in all, "
        f"similarity {p.similarity:.2f}, evidence {p.evidence:.0f}{chance}"
    )
    names = f"{one.pair.names[0]} ({one.sizes[0]:,} words), {one.pair.names[1]} ({one.sizes[1]:,})"
    return f"- {names}: {about}: {' | '.join(map(_quoted, sides))}"


def _quoted(text: str) -> str:
    flat = re.sub(r"\s+", " ", text).replace("|", "/")
    return flat if len(flat) <= 240 else f"{flat[:115]} […] {flat[-115:]}"


def main() -> None:
    parser = settings.parser(__doc__ or "")
    real_texts.add_arguments(parser)
    parser.add_argument("--pairs", type=int, default=600, help="of each kind")
    given = parser.parse_args()
    known = machine.facts()
    draw = random.Random(given.seed)
    essays, _ = real_texts.essays()
    texts = essays + real_texts.bible()
    if given.gospels:
        texts += real_texts.gospels(given.gospels)
    for folder in given.documents:
        texts += real_texts.documents(folder)
    pairs = whole_pairs(draw, texts, 20 if given.tiny else given.pairs)
    if given.texts:
        pairs += drawn_pairs(draw, real_texts.fetched(given.texts), given.pairs)
    start = time.perf_counter()
    found, sizes = examine(pairs)
    seconds = time.perf_counter() - start
    text = "\n\n".join([
        "# Unrelated texts",
        f"{len(pairs):,} pairs of {min(map(min, sizes)):,} to {max(map(max, sizes)):,} words; "
        f"{seconds:,.0f} s.",
        table(pairs, found),
        *(["## What remains"] if found else []),
        "\n".join(shown(one) for one in found[: given.show]),
        machine.summary(known),
    ])  # fmt: skip
    facts = [
        {
            "kind": one.pair.kind, "texts": one.pair.names, "words": one.sizes,
            "passage": one.passage.to_dict(),
        }
        for one in found
    ]  # fmt: skip
    counts = dict(Counter(pair.kind for pair in pairs))
    settings.save(
        settings.results(given), "unrelated",
        {"machine": known, "pairs": counts, "found": facts}, text,
    )  # fmt: skip


if __name__ == "__main__":
    main()
