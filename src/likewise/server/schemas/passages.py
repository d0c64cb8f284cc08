"""Searches for copied passages, and their answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from likewise.index.settings import MAX_MIN_WORDS
from likewise.passages.passage import Attribution, Kind
from likewise.passages.settings import Exclusions
from likewise.server.schemas.common import (
    DEFAULT_TOP,
    MAX_TOP,
    ApiModel,
    Count,
    FileFacts,
    Metadata,
    RequestModel,
    RequestTexts,
    Share,
    Text,
    texts_config,
)
from likewise.text.obfuscation.flag import Kind as FlagKind
from likewise.text.obfuscation.tricks import MAX_FLAGS
from likewise.text.words import words_of

# Each phrase and template is searched for in every candidate document.
MAX_PHRASES = 200
MAX_PHRASE_CHARACTERS = 1_000
MAX_TEMPLATES = 16
MAX_TEMPLATE_CHARACTERS = 100_000
MAX_SOURCES = 1_000_000
MAX_EXCERPT = 5_000  # characters
# In an address, all of which must stay below 64 KB.
MAX_FILE_PHRASES = 16
MAX_VALUE_CHARACTERS = 200


def _check_phrase(phrase: str) -> str:
    if not len(words_of(phrase)):
        raise ValueError("a phrase needs a letter or a digit")
    return phrase


def check_same(same: Collection[str], metadata: Mapping[str, Any] | None) -> None:
    """Raises if documents of the same author or group are excluded, and that is not known."""
    for name in same:
        if (metadata or {}).get(name) is None:
            raise ValueError(f"same {name} can be excluded only if the {name} of the text is given")


Phrase = Annotated[
    Text, AfterValidator(_check_phrase), Field(min_length=1, max_length=MAX_PHRASE_CHARACTERS)
]
Template = Annotated[Text, Field(max_length=MAX_TEMPLATE_CHARACTERS)]
FileText = Annotated[Text, Field(max_length=MAX_VALUE_CHARACTERS)]


class PassageOptions(ApiModel):
    """See `Index.passages`."""

    min_words: int | None = Field(default=None, ge=1, le=MAX_MIN_WORDS)
    """Every run of this many identical words is found; default and minimum: that of the index."""
    edited: bool = True
    """Also search for copies without such runs, by rare words in common; slower."""
    top: int = Field(default=DEFAULT_TOP, ge=1, le=MAX_TOP)
    """Maximum number of documents per text."""
    excerpts: bool = Field(
        default=False,
        description="Include the text of both sides of each passage, at most "
        f"{MAX_EXCERPT:,} characters of each.",
    )


class ExcludeOptions(ApiModel):
    """Exclusions that a request for texts and one for a file have in common."""

    min_passage: int = Field(default=0, ge=0, le=1_000_000)
    """Passages of fewer shared words than this."""
    min_share: float = Field(default=0.0, ge=0, le=1, allow_inf_nan=False)
    """Documents that share less than this of the text and of their own text."""
    max_sources: int | None = Field(default=None, ge=1, le=MAX_SOURCES)
    """Passages that the text shares with more documents than this."""
    same: list[Literal["author", "group"]] = Field(default=[], max_length=2)
    """Documents of the same author or group as the text, by the metadata of both."""


class Exclude(ExcludeOptions, RequestModel):
    """Text, passages and documents to exclude; nothing by default."""

    quotations: bool = Field(default=False, description="Text in quotation marks.")
    bibliography: bool = Field(default=False, description="The bibliography at the end.")
    phrases: list[Phrase] = Field(default=[], max_length=MAX_PHRASES)
    """Phrases to exclude, wherever they occur."""
    templates: list[Template] = Field(default=[], max_length=MAX_TEMPLATES)
    """Texts that everyone was given, such as an assignment."""
    common_text: Literal["keep", "exclude"] = "keep"
    """Text that many stored documents have, such as an assignment."""

    def to_exclusions(self) -> Exclusions:
        values = {name: getattr(self, name) for name in type(self).model_fields}
        values |= {name: tuple(values[name]) for name in ("phrases", "templates")}
        return Exclusions(**values | {"same": tuple(dict.fromkeys(self.same))})


class PassageQuery(PassageOptions, RequestTexts):
    """Texts to check, each separately, and exclusions."""

    model_config = texts_config(
        {
            "text": "the cat sat on the mat and looked at the sea as if it were made of milk",
            "exclude": {"quotations": True, "same": ["author"]},
            "metadata": {"author": "A. Reader"},
        }
    )

    exclude: Exclude = Field(default_factory=Exclude)
    metadata: Metadata | None = None
    """Metadata of the text, or of all texts: `author` and `group` for `exclude.same`."""

    @model_validator(mode="after")
    def _has_same(self) -> Self:
        check_same(self.exclude.same, self.metadata)
        return self


class PassageFileQuery(PassageOptions, ExcludeOptions):
    """The same for a file, in the query string."""

    exclude: list[Literal["quotations", "bibliography", "common_text"]] = Field(
        default=[], max_length=3
    )
    """Parts excluded from matching; may be repeated."""
    phrase: list[Annotated[Phrase, Field(max_length=MAX_VALUE_CHARACTERS)]] = Field(
        default=[], max_length=MAX_FILE_PHRASES
    )
    """Phrases to exclude, wherever they occur."""
    author: FileText | None = Field(default=None, description="Of the file, for `same`.")
    group: FileText | None = Field(default=None, description="Of the file, for `same`.")

    def to_exclusions(self) -> Exclusions:
        return Exclude(
            **{name: getattr(self, name) for name in ExcludeOptions.model_fields},
            quotations="quotations" in self.exclude,
            bibliography="bibliography" in self.exclude,
            phrases=self.phrase,
            common_text="exclude" if "common_text" in self.exclude else "keep",
        ).to_exclusions()


class Side(ApiModel):
    """A passage in one of the two texts."""

    start: Count = Field(description="Where it begins, in code points from 0.")
    end: Count = Field(description="Where it ends: after its last character.")
    page: int | None = Field(ge=1, description="Where it begins; null for a text without pages.")
    line: int = Field(ge=1, description="Where it begins, on its page if there are pages.")
    words: Count = Field(description="All of its words, matched or not.")
    attribution: Attribution = Field(
        description="Whether this text quotes and cites there, by quotation marks and citations "
        "near it."
    )
    excerpt: str | None = Field(description="Its text; null unless `excerpts` is set.")
    reference: str | None
    """Chapter and verse, act and line, or section and paragraph, such as "Mt 3,7–10"; null for a
    text without them."""


class Passage(ApiModel):
    """Text that a document and the submitted text have in common."""

    text: Side
    document: Side
    words: Count
    """Matched words: each is aligned with one equal word of the other side."""
    run: Count
    """The longest run of them that is the same on both sides, without other words."""
    score: Count
    """The longest run if changed words are allowed in it; each of them lowers the score."""
    p: Share | None
    """The probability that unrelated texts of these lengths share a run of at least `score` words;
    null if the evidence is not in runs."""
    similarity: Share = Field(description="Matched words / all words on both sides.")
    kind: Kind = Field(description="How it was changed.")
    evidence: float
    """How many times likelier the words of the text are if they come from the document, as a
    natural logarithm."""


class Source(ApiModel):
    """A stored document that shares passages with a text."""

    id: str
    metadata: dict[str, Any] | None
    words: Count = Field(description="Words of the text that are matched in its passages.")
    share: Share = Field(description="Those words / all words of the text.")
    share_of_document: Share = Field(description="Its matched words / all of its words.")
    longest_run: Count = Field(description="Words of its longest run of equal words.")
    chance_run: Count | None
    """One pair in twenty of unrelated texts of these lengths shares a run of this length."""
    p: Share | None
    """The probability that unrelated texts of these lengths share a run as long as that of the best
    passage; null if no passage has one."""
    passages: list[Passage] = Field(description="In the order of the text.")
    reworded: list[Passage]
    """Possibly reworded passages, by single rare words; not part of any percentage."""


class Flag(ApiModel):
    """A place with hidden or look-alike characters in the text."""

    kind: FlagKind
    start: Count = Field(description="In code points from 0.")
    end: Count
    shown: str
    """For letters of another script the word as displayed, otherwise the code points."""


class PassageAnswer(ApiModel):
    """The documents that share passages with one text, those that share most words first."""

    words: Count = Field(description="Words of the text, without excluded parts.")
    matched: Count
    """Words of the text that are matched in at least one passage, each counted once, including
    passages of documents beyond `top`."""
    share: Share = Field(description="`matched` / `words`.")
    documents: Count
    """Number of documents that share passages, including those beyond `top`."""
    sources: list[Source]
    notes: list[str] = Field(description="Notes on ignored, excluded and corrected text.")
    flags: list[Flag] = Field(
        description=f"The first {MAX_FLAGS:,} places with hidden or look-alike characters; the "
        "text is matched as displayed."
    )
    flag_counts: dict[FlagKind, Count] = Field(description="Number of each kind.")


class PassagePromise(ApiModel):
    """Settings of the search."""

    min_words: Count
    """Every run of at least this many identical words is found."""
    edited: bool
    top: Count


class PassageAnswers(ApiModel):
    """One answer per text, in the order of the request."""

    answers: list[PassageAnswer]
    search: PassagePromise


class PassageFileAnswer(PassageAnswers, FileFacts):
    """The answer for a document that was read from a file."""
