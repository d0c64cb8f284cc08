"""Write src/likewise/text/obfuscation/lookalikes.py: look-alike letters of different scripts.

    python tools/make_lookalikes.py > src/likewise/text/obfuscation/lookalikes.py

Needs unicodedata2==15.1.0 and confusable_homoglyphs==3.3.1 (MIT), which carries the Unicode
Consortium's list of confusable characters (Unicode licence v3) as JSON; its code is not used.

That list is made for the names of web sites: it also has pairs that nobody takes for each other on
a page (γ and y, г and r), and letters for which another alphabet has only a rare look-alike (d and
the Cyrillic letter of Komi). What is kept is one letter for one letter, of the same case, and only
into letters that texts are written with.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files

import unicodedata2 as unicode

SCRIPTS = ["Latin", "Cyrillic", "Greek", "Armenian", "Coptic", "Cherokee"]
# Letters that a text may have had before somebody put look-alikes in their place.
WRITTEN = {
    "Latin": [*range(0x41, 0x5B), *range(0x61, 0x7B)],
    "Cyrillic": [code for code in range(0x400, 0x460) if chr(code) not in "Ѕѕ"],  # Macedonian alone
    "Greek": range(0x386, 0x3CF),
    "Armenian": range(0x531, 0x587),
}
NOT_ALIKE = {*"гГᴦγσſ", *"rϺⲅ"}
ALIKE = ["kк", "KК", "kκ", "wԝ", "lӏ"]  # close enough in most type faces, and used


def names() -> Iterator[tuple[str, str]]:
    for code in range(0x110000):
        c = chr(code)
        if unicode.category(c)[0] == "L":
            yield c, unicode.name(c, "")


def scripts() -> dict[str, str]:
    """The script of each letter; of those in another style (ａ, 𝐚, ª) that of the letter."""
    found = {}
    for c, name in names():
        plain = unicode.normalize("NFKC", c)
        name = unicode.name(plain, "") if len(plain) == 1 else name
        script = name.split(" ")[0].capitalize()
        if script in SCRIPTS and c != "\u00b5":  # the micro sign is no Greek letter in a word
            found[c] = script
    return found


def groups() -> list[set[str]]:
    """Letters that look alike, as the list has them and with what is added here."""
    path = files("confusable_homoglyphs") / "confusables.json"
    alike: dict[str, set[str]] = defaultdict(set)
    # A star around one character each: that character, and all that look like it.
    for c, others in json.loads(path.read_text("utf-8")).items():
        if len(c) == 1:
            alike[c] |= {other["c"] for other in others if len(other["c"]) == 1}
    # The largest first: the others are parts of them, seen from a ray.
    stars = sorted(({c, *alike[c]} for c in alike), key=len, reverse=True)
    return [set(pair) for pair in ALIKE] + stars


def tables(script: dict[str, str]) -> dict[str, dict[str, str]]:
    """For each script that is written with: look-alike → letter of it."""
    made: dict[str, dict[str, str]] = {target: {} for target in WRITTEN}
    for star in groups():
        letters = sorted(c for c in star if c in script and c not in NOT_ALIKE)
        for c in letters:
            for to in letters:
                target = script[to]
                fits = target in WRITTEN and ord(to) in WRITTEN[target] and target != script[c]
                if fits and c.isupper() == to.isupper() and unicode.normalize("NFKC", c) == c:
                    made[target].setdefault(c, to)  # of several the first, which is the common one
    # What looks like a letter that looks like a third one looks like that.
    for table in made.values():
        for further in made.values():
            for c, to in list(table.items()):
                if to in further and script[further[to]] != script[c]:
                    further.setdefault(c, further[to])
    for table in made.values():  # with their accents: ё and ë, ό and ó
        for c in script:
            parts = unicode.normalize("NFD", c)
            if len(parts) == 2 and parts[0] in table:
                joined = unicode.normalize("NFC", table[parts[0]] + parts[1])
                if len(joined) == 1:
                    table.setdefault(c, joined)
    return made


def ranges(letters: list[str]) -> str:
    """Letters as the inside of a class of a regular expression."""
    runs: list[list[int]] = []
    for code in sorted(map(ord, letters)):
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return "".join(f"{escaped(a)}-{escaped(b)}" if a < b else escaped(a) for a, b in runs)


def escaped(code: int) -> str:
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def literal(value: str, indent: str) -> str:
    width = 100 - len(indent) - 2
    parts, part = [], ""
    for piece in value.replace("\\", "\n\\").split("\n") if "\\" in value else list(value):
        if len(part) + len(piece) > width - 10:
            parts.append(part)
            part = ""
        part += piece
    return "\n".join(f'{indent}"{part}"' for part in [*parts, part])


def main() -> None:
    assert unicode.unidata_version == "15.1.0", unicode.unidata_version
    assert version("confusable_homoglyphs") == "3.3.1", version("confusable_homoglyphs")
    script = scripts()
    print('"""Letters by script, and look-alikes; by tools/make_lookalikes.py, do not edit."""\n')
    print("# Each script as the inside of a class of a regular expression.")
    print("LETTERS = {")
    for name in SCRIPTS:
        letters = ranges([c for c in script if script[c] == name])
        shown = literal(letters, " " * 8)
        single = "\n" not in shown
        print(f'    "{name}": ' + (f"({shown.strip()})," if single else f"(\n{shown}\n    ),"))
    print("}\n")
    print("# For each script: letters of others, and the letters of this one that they look like.")
    print("LOOKALIKES = {")
    for name, table in tables(script).items():
        print(f'    "{name}": (')
        for side in (table.keys(), table.values()):
            print(f"{literal(''.join(side), ' ' * 8)},")
        print("    ),")
    print("}")


if __name__ == "__main__":
    main()
