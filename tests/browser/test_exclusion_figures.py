"""Figures with exclusions made on a page are those of a report that was made with them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Browser

from likewise.documents.document import Document
from likewise.passages.settings import Exclusions
from likewise.survey.archive import Archive
from likewise.survey.exclusion_search import ExcludedTexts
from likewise.survey.settings import SurveySettings
from likewise.survey.survey import Survey
from likewise.text.words import words_of
from tests.browser import scripts
from tests.browser.conftest import ESSAYS
from tests.browser.modules import call
from tests.survey.made_texts import essays, some

# The null model is made of the texts without what is excluded, and some say what the settings are.
# Families are found again where they are shown (`test_family_figures.py`).
NOT_COMPARED = {
    "chance", "chance_reason", "p", "q", "exclusions", "exclusion_data", "common_text", "run",
    "hidden_characters", "families",
}  # fmt: skip
REASONS = {
    "quotations": "quotation", "bibliography": "bibliography", "common_text": "common text",
}  # fmt: skip
EACH: tuple[dict[str, Any], ...] = (
    {"quotations": True},
    {"bibliography": True},
    {"common_text": "exclude"},
    {"min_passage": 30},
    {"same": ("author",)},
    {"same": ("author", "group")},
    {"quotations": True, "min_passage": 25},
    {"quotations": True, "bibliography": True, "common_text": "exclude", "same": ("group",)},
)
_CUT = """given.map(({survey, reasons, minPassage, same}) => {
    const known = new SurveyPassages(survey);
    const masks = new Map();
    survey.documents.columns.id.forEach((_, row) => {
        const mask = known.marked(["excluded", ...reasons], row);
        if (mask.length) masks.set(row, mask);
    });
    return excludedSurvey(known, {masks, minPassage, same});
})"""
Make = Callable[..., dict[str, Any]]


def made(
    documents: Sequence[Document], archive: Archive | None = None, **exclude: Any
) -> dict[str, Any]:
    settings = SurveySettings(exclude=Exclusions(**exclude), null_pairs=200, threads=1)
    return Survey(documents, settings, archive=archive).to_dict()


def check(
    browser: Browser,
    documents: Sequence[Document],
    options: Sequence[dict[str, Any]] = EACH,
    archive: Archive | None = None,
    **always: Any,
) -> list[dict[str, Any]]:
    """Excludes on a page what `options` say, from a survey with `always`; the surveys."""
    before = made(documents, archive, **always)
    given = [
        {
            "survey": before,
            "reasons": [REASONS[name] for name in one if name in REASONS],
            "minPassage": one.get("min_passage", 0),
            "same": list(one.get("same", ())),
        }
        for one in options
    ]
    found = call(browser, "data/excluded_survey.js", _CUT, given)
    wanted = [made(documents, archive, **{**always, **one}) for one in options]
    for one, shown, expected in zip(options, found, wanted, strict=True):
        differing = list(_differences(expected, shown))
        assert not differing, (one, differing[:8])
    return wanted


def _differences(wanted: Any, shown: Any, place: str = "") -> Any:
    if isinstance(wanted, Mapping):
        for name in wanted.keys() - NOT_COMPARED:
            yield from _differences(wanted[name], shown[name], f"{place}.{name}")
    elif isinstance(wanted, list) and isinstance(shown, list) and len(wanted) == len(shown):
        for at, pair in enumerate(zip(wanted, shown, strict=True)):
            yield from _differences(*pair, f"{place}[{at}]")
    elif isinstance(wanted, float) and isinstance(shown, (float, int)):
        # Six places of a mean of rounded values.
        if not math.isclose(wanted, shown, rel_tol=1e-9, abs_tol=2e-6):
            yield place, wanted, shown
    elif wanted != shown:
        yield place, wanted, shown


def described(texts: Mapping[str, str]) -> list[Document]:
    return [
        Document(text, id=id_, metadata={"author": f"A{at % 5}", "group": f"G{at % 3}"})
        for at, (id_, text) in enumerate(texts.items())
    ]


@pytest.mark.smoke
def test_the_samples_have_the_figures_of_a_report_with_the_exclusions(browser: Browser) -> None:
    wanted = check(browser, described(ESSAYS))
    counts = [survey["pairs"]["count"] for survey in wanted]
    assert counts[0] < counts[1]  # quotations are all that two pairs share


@pytest.mark.parametrize("seed", range(6))
def test_made_essays(browser: Browser, seed: int) -> None:
    check(browser, described(essays(seed)))


def test_an_archive_shows_only_what_still_shares_text(browser: Browser) -> None:
    documents = described(essays(20, 24))
    archive = Archive({"last year": documents[14:]})
    before = made(documents[:14], archive)
    wanted = check(browser, documents[:14], archive=archive)
    found = [survey["archive"]["found"] for survey in wanted]
    assert min(found) < before["archive"]["found"]


def test_exclusions_of_the_report_itself_stay(browser: Browser) -> None:
    documents = described(essays(30))
    template = (" ".join(some(60, "task 30")),)
    check(browser, documents, EACH[1:5], quotations=True)
    check(browser, documents, EACH, templates=template)


def test_scripts_without_spaces_and_from_right_to_left(browser: Browser) -> None:
    for name, (a, b) in scripts.pairs().items():
        half = len(a) // 2
        documents = described({"a": a, "b": b, "c": f"“{a[half:]}” {b}", "d": f"{a[:half]}「{b}」"})
        check(browser, documents, EACH[:1] + EACH[3:5])
        assert name


@pytest.mark.smoke
def test_words_of_the_page_are_those_of_the_core(browser: Browser) -> None:
    """Numbers and places of words: in every script, and of every character between others."""
    codes = [*range(0xD800), *range(0xE000, 0x30000)]
    texts = [text for pair in scripts.pairs().values() for text in pair]
    texts += ["\n".join(f"x{chr(c)}y {chr(c)} q" for c in codes[at : at + 200])
              for at in range(0, len(codes), 200)]  # fmt: skip
    draw = random.Random(3)
    signs = "aAbBßſσςΣİıIi\u0307\u0301\u200d\u00ad 。你好กำแก้がｶﾞ½ﷺŉǰΐﬃᾳ한글"
    texts += ["".join(draw.choices(signs, k=60)) for _ in range(300)]
    found = call(browser, "texts/words.js", "given.map(wordsOfText)", texts)
    for text, shown in zip(texts, found, strict=True):
        words = words_of(text)
        assert shown["begins"] == words.begins.tolist(), ascii(text[:300])
        assert len(shown["ends"]) == len(words)


_FOUND = """given.map(({text, phrases, templates, passages}) => {
    const texts = new Map([["", text], ...passages.map((one, at) => [String(at), one])]);
    const search = new EmbeddedSearch([...texts.keys()], id => texts.get(id));
    templates.forEach((one, at) => search.addTemplate(String(at), one));
    const wanted = {phrases: true, template: true, given: phrases,
        passages: passages.map((_, at) => ({id: String(at), first: 0, last: 1e6}))};
    return search.find(wanted).words.get("") ?? {};
})"""


def found_in_page(browser: Browser, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = call(browser, "data/embedded_search.js", _FOUND, given)
    return [{reason: masked(ranges) for reason, ranges in one.items()} for one in found]


def masked(ranges: Sequence[Sequence[int]]) -> list[int]:
    """The words that are in one of the ranges."""
    return sorted({word for first, last in ranges for word in range(first, last)})


def test_phrases_templates_and_passages_are_found_as_in_python(browser: Browser) -> None:
    draw = random.Random(11)
    given = []
    pairs = [*scripts.pairs().values(), *(tuple(essays(at, 2).values()) for at in range(20))]
    for a, b in pairs:
        places = [draw.randrange(max(1, len(b) - 150)) for _ in range(4)]
        parts = [b[at : at + draw.randint(3, 140)].upper() for at in places]
        given.append(
            {
                "text": a,
                "phrases": [one for one in (parts[0], a[5:19]) if len(words_of(one))],
                "templates": [one for one in (b, parts[1]) if len(words_of(one))],
                "passages": [one for one in (a[20:200], a[30:45], parts[2]) if len(words_of(one))],
            }
        )
    found = found_in_page(browser, given)
    some_found = 0
    for one, shown in zip(given, found, strict=True):
        names = "phrases", "templates", "passages"
        search = ExcludedTexts(*(tuple(one[name]) for name in names))
        expected = search.words_in(one["text"])
        wanted = {
            reason: masked(list(zip(flat[::2], flat[1::2], strict=True)))
            for reason, flat in expected.items()
        }
        assert shown == wanted, one
        some_found += len(wanted)
    assert some_found > 2 * len(given)


def test_templates_and_phrases_give_the_figures_of_a_report_with_them(browser: Browser) -> None:
    texts = essays(40)
    documents = described(texts)
    template = f"{' '.join(some(60, 'task 40'))}\n{' '.join(some(30, 'note 40'))}"
    phrase = " ".join(some(400, "source 40 1")[100:104]).upper()
    for exclude in ({"templates": (template,)}, {"phrases": (phrase, "changed words")}):
        before, wanted = made(documents), made(documents, **exclude)
        search = ExcludedTexts(exclude.get("phrases", ()), exclude.get("templates", ()))
        flat = [[*chain(*search.words_in(text).values())] for text in texts.values()]
        masks = [list(zip(one[::2], one[1::2], strict=True)) for one in flat]
        expression = """(() => {
            const known = new SurveyPassages(given.survey);
            const masks = new Map(given.masks.map((mask, row) => [row, unionOf(mask)]));
            for (const [row, mask] of masks) if (!mask.length) masks.delete(row);
            return excludedSurvey(known, {masks, minPassage: 0, same: []});
        })()"""
        given = {"survey": before, "masks": masks}
        shown = call(browser, "data/excluded_survey.js", expression, given)
        differing = list(_differences(wanted, shown))
        assert not differing, (exclude.keys(), differing[:8])
        assert wanted["documents"] != before["documents"]
