"""What two documents share, as each interface of the product reports it, in one common form."""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import quote

import likewise
from likewise.cli.main import run
from likewise.documents.document import Document
from likewise.index.index import Index
from likewise.passages.pair_passages import PairPassages
from likewise.passages.results import PassagePair
from likewise.passages.settings import Exclusions
from likewise.server.settings import ServerSettings
from likewise.survey.pair_view import pair_view
from tests.server.conftest import Api

Pair = tuple[str, str]
Answer = dict[str, Any]
"""The figures of a pair that an interface has: `passages` and `reworded`, each a list of what it
says of each passage, and some of words_a, words_b, share_a, share_b, p, chance_run and run."""

NOTHING: Answer = {
    "passages": [], "reworded": [], "words_a": 0, "words_b": 0, "share_a": 0.0, "share_b": 0.0,
    "p": None, "run": 0,
}  # fmt: skip
# Shown passages: what they are called in a view, and what in a `Passage`.
_SHOWN = {
    "start": "a_start", "end": "a_end", "other_start": "b_start", "other_end": "b_end",
    "words": "words", "run": "run", "similarity": "similarity", "kind": "kind", "p": "p",
}  # fmt: skip
_OF_PASSAGE = (
    "a_start", "a_end", "b_start", "b_end", "words", "run", "similarity", "kind", "p", "evidence",
    "a_words", "b_words", "score",
)  # fmt: skip
_ROUNDED = {"share_a": 1e-6, "share_b": 1e-6, "similarity": 1e-4}


@dataclass
class Documents:
    """Documents in a folder, by the names of their files, and the pairs of them to look at.

    Attributes:
        texts: by name.
        pairs: two names each, in the order of the names.
        folder: where all of them are files.
        aside: a folder for what is made.
        exclude: what is left out of matching.
    """

    texts: Mapping[str, str]
    pairs: Sequence[Pair]
    folder: Path
    aside: Path
    exclude: Exclusions = field(default_factory=Exclusions)

    @classmethod
    def write(cls, texts: Mapping[str, str], where: Path, **more: Any) -> Documents:
        folder = where / "documents"
        folder.mkdir()
        for name, text in texts.items():
            (folder / name).write_bytes(text.encode())
        pairs = more.pop("pairs", None) or list(combinations(sorted(texts), 2))
        return cls(texts, pairs, folder, where, **more)

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def command(self, *arguments: object) -> list[dict[str, Any]]:
        """The lines of JSON that a command writes."""
        out = self.aside / "out.jsonl"
        given = (*arguments, "--format", "jsonl", "--quiet", "-o", out)
        assert run([str(one) for one in given]) == 0
        lines = out.read_text().splitlines()
        out.unlink()
        return [json.loads(line) for line in lines]

    @cached_property
    def options(self) -> list[str]:
        """What is excluded, on the command line."""
        made = ["--no-quotations"] if self.exclude.quotations else []
        for number, template in enumerate(self.exclude.templates):
            path = self.aside / f"template-{number}.txt"
            path.write_text(template, encoding="utf-8")
            made += ["--template", str(path)]
        return made

    @cached_property
    def database(self) -> str:
        path = str(self.aside / "index.db")
        with Index.create(path) as index:
            index.add(list(self.texts.values()), list(self.texts))
        return path

    @cached_property
    def halves(self) -> tuple[Path, Path]:
        """Two folders, each with every other document."""
        made = self.aside / "odd", self.aside / "even"
        for number, folder in enumerate(made):
            folder.mkdir()
            for name in sorted(self.texts)[number::2]:
                (folder / name).write_bytes(self.texts[name].encode())
        return made

    def report(self, *sources: object) -> dict[str, Any]:
        """The data inside the page that `likewise report` writes."""
        path = self.aside / "report.html"
        given = ["report", *sources, "-o", path, "--quiet", "--max-pairs", 100_000]
        assert run([*map(str, given), *self.options]) == 0
        found = re.findall(
            r'<script type="application/json" id="([\w-]+)">(.*?)</script>',
            path.read_text(encoding="utf-8"),
            re.DOTALL,
        )
        return {name: json.loads(value) for name, value in found}


# --- one form for all


def turned(answer: Answer) -> Answer:
    """The same with the two documents exchanged."""

    def other(name: str) -> str:
        if name.startswith(("a_", "b_")):
            return ("b" if name[0] == "a" else "a") + name[1:]
        return name[:-1] + ("b" if name[-1] == "a" else "a") if name[-2:] in ("_a", "_b") else name

    made = {other(name): value for name, value in answer.items()}
    for name in ("passages", "reworded"):
        exchanged = ({other(key): one[key] for key in one} for one in made[name])
        made[name] = sorted(exchanged, key=lambda one: (one["a_start"], one["b_start"]))
    return made


def differences(one: Answer, other: Answer) -> list[str]:
    """Where two answers differ in what both of them have."""
    found = [
        f"{name}: {one[name]} and {other[name]}"
        for name in (one.keys() & other.keys()) - {"passages", "reworded"}
        if not _equal(name, one[name], other[name])
    ]
    for name in ("passages", "reworded"):
        if len(one[name]) != len(other[name]):
            found.append(f"{len(one[name])} {name} and {len(other[name])}")
            continue
        for number, both in enumerate(zip(one[name], other[name], strict=True)):
            found += [
                f"{name}[{number}].{key}: {both[0][key]} and {both[1][key]}"
                for key in both[0].keys() & both[1].keys()
                if not _equal(key, both[0][key], both[1][key])
            ]
    return sorted(found)


def _equal(name: str, one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        if name in _ROUNDED:
            return abs(one - other) <= _ROUNDED[name]
        return math.isclose(one, other, rel_tol=1e-9)
    return bool(one == other)


def of_pair(found: PairPassages) -> Answer:
    return {
        "passages": [_of_record(passage.to_dict()) for passage in found.passages],
        "reworded": [_of_record(passage.to_dict()) for passage in found.reworded],
        "words_a": found.words_a, "words_b": found.words_b, "share_a": found.share_a,
        "share_b": found.share_b, "p": found.p, "chance_run": found.chance_run,
        "run": found.longest_run,
    }  # fmt: skip


def _of_record(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: record[name] for name in _OF_PASSAGE}


def _of_pairs(found: Sequence[PassagePair]) -> dict[Pair, Answer]:
    return {(pair.a, pair.b): of_pair(pair) for pair in found}


def _of_rows(rows: Sequence[Mapping[str, Any]]) -> dict[Pair, Answer]:
    """Passages row by row; nothing else is told of a pair."""
    made: dict[Pair, Answer] = {}
    for row in rows:
        pair = made.setdefault((row["a"], row["b"]), {"passages": [], "reworded": []})
        pair["reworded" if row["kind"] == "reworded" else "passages"].append(_of_record(row))
    return made


def _of_view(measures: Mapping[str, Any], passages: Any, reworded: Any) -> Answer:
    shown = [
        [{name: one[key] for key, name in _SHOWN.items()} for one in every]
        for every in (passages, reworded)
    ]
    assert (measures["passages"], measures["reworded"]) == (len(shown[0]), len(shown[1]))
    for one in (*passages, *reworded):
        for side in ("matched", "other_matched"):
            assert sum(end - begin for begin, end in one[side]) == one["words"]
    return {
        "passages": shown[0], "reworded": shown[1], "words_a": measures["words"],
        "words_b": measures["words_b"], "share_a": measures["share_a"],
        "share_b": measures["share_b"], "p": measures["run_p"],
        "chance_run": measures["chance_run"], "run": measures["run"],
    }  # fmt: skip


# --- two documents


def compare(documents: Documents) -> dict[Pair, Answer]:
    made = {}
    for a, b in documents.pairs:
        found = likewise.compare(documents.texts[a], documents.texts[b], trials=0).shared_passages
        assert found is not None
        made[a, b] = of_pair(found)
    return made


def compare_exchanged(documents: Documents) -> dict[Pair, Answer]:
    made = {}
    for a, b in documents.pairs:
        found = likewise.compare(documents.texts[b], documents.texts[a], trials=0).shared_passages
        assert found is not None
        made[a, b] = turned(of_pair(found))
    return made


def compare_command(documents: Documents) -> dict[Pair, Answer]:
    made = {}
    for a, b in documents.pairs:
        paths = documents.path(a), documents.path(b)
        (told,) = documents.command("compare", *paths, "--trials", 0)
        made[a, b] = {
            name: list(map(_of_record, told[name])) for name in ("passages", "reworded")
        } | {
            name: told[f"passage_{name}"]
            for name in ("words_a", "words_b", "share_a", "share_b", "p")
        }
    return made


def passages_command(documents: Documents) -> dict[Pair, Answer]:
    made: dict[Pair, Answer] = {}
    for a, b in documents.pairs:
        paths = documents.path(a), documents.path(b)
        rows = documents.command("passages", *paths, *documents.options)
        # Files that are named one by one have their paths as ids.
        named = [row | {side: Path(row[side]).name for side in "ab"} for row in rows]
        made |= _of_rows(named)
    return made


def show_pair(documents: Documents) -> dict[Pair, Answer]:
    made = {}
    for a, b in documents.pairs:
        sides = [Document(documents.texts[name], id=name) for name in (a, b)]
        view = pair_view(sides[0], sides[1], exclude=documents.exclude, chance=False, threads=1)
        made[a, b] = _of_view(view["measures"], view["passages"], view["reworded"])
    return made


# --- a collection


def collection(documents: Documents) -> dict[Pair, Answer]:
    names = sorted(documents.texts)
    found = likewise.find_passages(
        [documents.texts[name] for name in names], ids=names, exclude=documents.exclude
    )
    return _of_pairs(found)


def collection_command(documents: Documents) -> dict[Pair, Answer]:
    return _of_rows(documents.command("passages", documents.folder, *documents.options))


def report(documents: Documents) -> dict[Pair, Answer]:
    return _of_page(documents.report(documents.folder))


def report_against(documents: Documents) -> dict[Pair, Answer]:
    """One half against the other as an archive, and the other way round."""
    one, other = documents.halves
    made: dict[Pair, Answer] = {}
    for sources in ((one, "--against", other), (other, "--against", one)):
        for (a, b), answer in _of_page(documents.report(*sources)).items():
            # The document under review is a, whichever comes first.
            pair, seen = ((a, b), answer) if a < b else ((b, a), turned(answer))
            assert differences(made.setdefault(pair, seen), seen) == [], pair
    return made


def report_index(documents: Documents) -> dict[Pair, Answer]:
    """A document against an index that has it too, and so itself and all others."""
    made: dict[Pair, Answer] = {}
    for name in documents.texts:
        folder = documents.aside / "alone"
        folder.mkdir()
        (folder / name).write_bytes(documents.texts[name].encode())
        page = documents.report(folder, "--index", documents.database)
        made |= _of_page(page)
        shutil.rmtree(folder)
    return _from_both(made, documents)


def _of_page(data: Mapping[str, Any]) -> dict[Pair, Answer]:
    columns = data["survey"]["pairs"]["columns"]
    names = data["survey"]["documents"]["columns"]["id"]
    made = {}
    for row in range(len(columns["a"])):
        measures = {name: values[row] for name, values in columns.items()}
        every = data[f"pair-{row}"]["passages"]
        parts = [[one for one in every if (one["kind"] == "reworded") is apart]
                 for apart in (False, True)]  # fmt: skip
        a, b = names[measures["a"]], names[measures["b"]]
        made[a, b] = _of_view(measures, *parts)
    return made


# --- an index


def index(documents: Documents) -> dict[Pair, Answer]:
    """Each text is asked for, and so each pair is seen from both of its documents."""
    with Index(documents.database) as opened:
        found = opened.passages(
            list(documents.texts.values()), ids=list(documents.texts), exclude=documents.exclude
        )
    return _from_both(_of_pairs(found), documents)


def index_command(documents: Documents) -> dict[Pair, Answer]:
    given = "index", "passages", documents.database, documents.folder, *documents.options
    return _from_both(_of_rows(documents.command(*given)), documents)


def api_passages(documents: Documents) -> dict[Pair, Answer]:
    excluded = {
        "quotations": documents.exclude.quotations,
        "templates": list(documents.exclude.templates),
    }
    made = {}
    for api in _server(documents):
        for name, text in documents.texts.items():
            asked = {"text": text, "exclude": excluded, "top": 1000}
            (answer,) = api.ok("POST", "/api/passages", json=asked)["answers"]
            for source in answer["sources"]:
                made[name, source["id"]] = {
                    part: [_of_record(_flat(one)) for one in source[part]]
                    for part in ("passages", "reworded")
                } | {
                    "words_a": source["words"], "share_a": source["share"],
                    "share_b": source["share_of_document"], "p": source["p"],
                    "chance_run": source["chance_run"], "run": source["longest_run"],
                }  # fmt: skip
    return _from_both(made, documents)


def _flat(passage: Mapping[str, Any]) -> dict[str, Any]:
    sides = {"a": passage["text"], "b": passage["document"]}
    return {f"{side}_{key}": of[key] for side, of in sides.items() for key in of} | {
        key: value for key, value in passage.items() if key not in ("text", "document")
    }


def api_pair(documents: Documents) -> dict[Pair, Answer]:
    made = {}
    for api in _server(documents):
        for a, b in documents.pairs:
            view = api.ok("GET", "/api/view/pair", params={"a": a, "b": b})
            made[a, b] = _of_view(view["measures"], view["passages"], view["reworded"])
    return made


def api_document(documents: Documents) -> dict[Pair, Answer]:
    made = {}
    for api in _server(documents):
        for name in documents.texts:
            view = api.ok("GET", f"/api/view/document/{quote(name, safe='')}")
            for source in view["sources"]:
                made[name, source["id"]] = _of_view(
                    source["pair"], source["passages"], source["reworded"]
                )
    return _from_both(made, documents)


def _server(documents: Documents) -> Iterator[Api]:
    with Api(ServerSettings((documents.database,), quiet=True, timeout=60.0)) as made:
        yield made


def _from_both(found: Mapping[Pair, Answer], documents: Documents) -> dict[Pair, Answer]:
    """Pairs as their first document sees them; what the second sees must be the same.

    An index looks for candidates and may miss a pair. Of those that are looked at, none counts as
    found that one of the two documents does not find.
    """
    made: dict[Pair, Answer] = {}
    for (a, b), answer in found.items():
        if a == b:
            continue
        both = (a, b) if a < b else (b, a)
        seen = answer if a < b else turned(answer)
        if both in made:
            assert differences(made[both], seen) == [], both
        made[both] = seen
    for a, b in documents.pairs:
        if ((a, b) in found) != ((b, a) in found):
            del made[a, b]
    return made


Interface = Callable[[Documents], dict[Pair, Answer]]
INDEXES: dict[str, Interface] = {
    "Index.passages": index,
    "index passages": index_command,
    "/api/passages": api_passages,
}
"""Those that ask an index, and can exclude text."""
COLLECTIONS: dict[str, Interface] = {
    "find_passages": collection,
    "passages FOLDER": collection_command,
    "report": report,
    "report --against": report_against,
    "report --index": report_index,
    **INDEXES,
}
"""Those that look at all documents at once."""
EXCLUDING: dict[str, Interface] = {
    "passages A B": passages_command,
    "pair_view": show_pair,
    **COLLECTIONS,
}
"""Those that can exclude text."""
ALL: dict[str, Interface] = {
    "compare": compare,
    "compare, exchanged": compare_exchanged,
    "compare A B": compare_command,
    **EXCLUDING,
    "/api/view/pair": api_pair,
    "/api/view/document": api_document,
}
