"""Speed of shingling and sketching on one thread: against a loop that only hashes, and by language.

The texts are made: words of each language's own letters with a realistic share of accents, capitals
and punctuation. `--text NAME=FILE` adds a real text, cut into documents of about 1.5 kB.

    python -m benchmarks.search.kernels --text french=gospels.txt
"""

from __future__ import annotations

import random
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import likewise
from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown, short
from likewise import Profile, _core
from likewise._core import Texts

if TYPE_CHECKING:
    from collections.abc import Callable

VALUES = 128
LETTERS = {
    "ASCII": "etaoinshrdlucmfwypvbgkjqxz",
    "French": "esaitnrulodcmpvéqfbghjàxèêyçzûôîù",
    "Russian": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэф",
}
PUNCTUATION = (". ", ", ", "; ", ": ", "? ", "! ")


def made_text(language: str, size: int, chance: random.Random) -> str:
    """About `size` bytes of sentences."""
    if language == "Chinese":
        return _chinese(size, chance)
    letters = LETTERS[language]
    weights = [1 / (rank + 3) for rank in range(len(letters))]
    lengths = [2, 3, 4, 5, 6, 7, 8, 9, 11]
    vocabulary = [
        "".join(chance.choices(letters, weights, k=chance.choice(lengths))) for _ in range(20_000)
    ]
    rank = [1 / (n + 1) for n in range(len(vocabulary))]
    words = chance.choices(vocabulary, rank, k=size // 7)
    pieces = []
    for number, word in enumerate(words):
        pieces.append(word.capitalize() if number % 12 == 0 else word)
        pieces.append(chance.choice(PUNCTUATION) if number % 6 == 5 else " ")
    return "".join(pieces)


def _chinese(size: int, chance: random.Random) -> str:
    characters = [chr(c) for c in range(0x4E00, 0x4E00 + 3_000)]
    chance.shuffle(characters)
    rank = [1 / (n + 5) for n in range(len(characters))]
    text = chance.choices(characters, rank, k=size // 3)
    for place in range(11, len(text), 13):
        text[place] = chance.choice("，。；？")
    return "".join(text)


def documents(text: str, size: int = 1_500) -> list[str]:
    """Pieces of about `size` bytes of UTF-8."""
    per_character = len(text.encode()) / len(text)
    step = max(1, int(size / per_character))
    return [text[i : i + step] for i in range(0, len(text), step)]


@dataclass(frozen=True)
class Speed:
    """Bytes a second, best of several interleaved turns."""

    text: str
    profile: str
    instructions: str
    hash_only: float
    sketched: float


def best_rates(work: dict[str, Callable[[], object]], size: int, turns: int) -> dict[str, float]:
    """Bytes a second of each piece of work; turns are interleaved, since machines are noisy."""
    best = dict.fromkeys(work, float("inf"))
    for _ in range(turns):
        for name, call in work.items():
            start = time.perf_counter()
            call()
            best[name] = min(best[name], time.perf_counter() - start)
    return {name: size / seconds for name, seconds in best.items()}


def measure(many: dict[str, list[str]], turns: int) -> list[Speed]:
    rows = []
    for profile in ("word:3", "char:5"):
        rules = Profile.parse(profile).rules()
        for instructions in reversed(_core.vector_levels()):
            _core.limit_vectors(instructions)
            for name, texts in many.items():
                views = Texts.from_strings(texts)

                def sketch(views: Texts = views, profile: str = profile) -> likewise.Signatures:
                    return likewise.sketch(views, profile=profile, values=VALUES, threads=1)

                def hashing(views: Texts = views, rules: _core.Rules = rules) -> int:
                    return _core.hash_only(views, rules)

                rates = best_rates({"hash": hashing, "sketch": sketch}, views.nbytes, turns)
                rows.append(Speed(name, profile, instructions, rates["hash"], rates["sketch"]))
                settings.say(str(rows[-1]))
    _core.limit_vectors("avx512")
    return rows


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--text", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--megabytes", type=float, default=20.0, help="of each made text")
    given = parser.parse_args()
    if given.tiny:
        given.turns, given.megabytes = 2, 0.3
    known = machine.facts()
    chance = random.Random(given.seed)
    size = int(given.megabytes * 1e6)
    many = {
        name: documents(made_text(name, size, chance))
        for name in ("ASCII", "French", "Russian", "Chinese")
    }
    for item in given.text:
        name, _, path = item.partition("=")
        text = Path(path).read_text(encoding="utf-8")
        many[name] = documents(text * max(1, size // len(text.encode())))
    rows = measure(many, given.turns)
    base = {(r.profile, r.instructions): r.sketched for r in rows if r.text == "ASCII"}
    table = markdown(
        ["text", "profile", "instructions", "hash only, MB/s", "with sketch, MB/s", "ratio",
         "of ASCII"],
        [
            [
                row.text,
                row.profile,
                row.instructions,
                short(row.hash_only / 1e6),
                short(row.sketched / 1e6),
                f"{row.sketched / row.hash_only:.2f}",
                f"{row.sketched / base[row.profile, row.instructions]:.2f}",
            ]
            for row in rows
        ],
    )  # fmt: skip
    text = (
        f"# Shingling and sketching, one thread, {VALUES} values\n\n"
        "*Hash only* is the same loop without the sketch: cut the text, hash every shingle.\n"
        f"Best of {given.turns} interleaved turns, documents of 1.5 kB.\n\n{table}\n\n"
        f"{machine.summary(known)}"
    )
    facts = {"machine": known, "rows": [asdict(row) for row in rows]}
    settings.save(settings.results(given), "kernels", facts, text)


if __name__ == "__main__":
    main()
