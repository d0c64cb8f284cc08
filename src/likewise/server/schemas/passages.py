"""Questions for copied passages, and their answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, Field, model_validator

from likewise.index.settings import MAX_MIN_WORDS
from likewise.passages.passage import Kind
from likewise.server.schemas.common import (
    DEFAULT_TOP,
    WITHOUT_NUL,
    Asked,
    AskedTexts,
    Count,
    Metadata,
    Share,
    Top,
    check_text,
    described,
)
from likewise.text.obfuscation.flag import Kind as FlagKind
from likewise.text.obfuscation.tricks import MOST_FLAGS
from likewise.text.words import words_of

# Each is looked for in every document that may share something.
MAX_PHRASES = 200
MAX_PHRASE_CHARACTERS = 1_000
MAX_TEMPLATES = 16
MAX_TEMPLATE_CHARACTERS = 100_000
MAX_SOURCES = 1_000_000
MAX_EXCERPT = 5_000


def _check_phrase(phrase: str) -> str:
    if not len(words_of(check_text(phrase))):
        raise ValueError("a phrase needs a letter or a digit")
    return phrase


def check_same(same: Collection[str], metadata: Mapping[str, Any] | None) -> None:
    """Raises if documents of the same author or group are not wanted, and whose it is not told."""
    for name in same:
        if (metadata or {}).get(name) is None:
            raise ValueError(f"same {name} can be excluded only if the {name} of the text is given")


MinWords = Annotated[
    int,
    Field(
        ge=1,
        le=MAX_MIN_WORDS,
        description="Every run of this many identical words is found; default: that of the index, "
        "and no fewer.",
    ),
]
Edited = Annotated[
    bool,
    Field(description="Look also for copies without such runs, by rare words in common: slower."),
]
Excerpts = Annotated[
    bool,
    Field(
        description="Give the text of both sides of each passage, up to "
        f"{MAX_EXCERPT:,} characters of it."
    ),
]
Phrase = Annotated[
    str,
    AfterValidator(_check_phrase),
    Field(
        min_length=1, max_length=MAX_PHRASE_CHARACTERS, json_schema_extra={"pattern": WITHOUT_NUL}
    ),
]
Phrases = Annotated[
    list[Phrase],
    Field(max_length=MAX_PHRASES, description="Phrases to exclude, wherever they occur."),
]
Template = Annotated[
    str,
    AfterValidator(check_text),
    Field(max_length=MAX_TEMPLATE_CHARACTERS, json_schema_extra={"pattern": WITHOUT_NUL}),
]
MinPassage = Annotated[
    int, Field(ge=0, le=1_000_000, description="Passages of fewer shared words than this.")
]
MinShare = Annotated[
    float,
    Field(
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="Documents that share less than this of the text and of themselves.",
    ),
]
MaxSources = Annotated[
    int,
    Field(
        ge=1,
        le=MAX_SOURCES,
        description="Passages that the text shares with more documents than this.",
    ),
]
Same = Annotated[
    list[Literal["author", "group"]],
    Field(
        max_length=2,
        description="Documents of the same author or group as the text, by the metadata of both.",
    ),
]


class Exclude(Asked):
    """What is left out of matching; nothing, unless it is asked for."""

    quotations: bool = Field(False, description="Text in quotation marks.")
    bibliography: bool = Field(False, description="The bibliography at the end.")
    phrases: Phrases = Field([])
    templates: list[Template] = Field(
        [],
        max_length=MAX_TEMPLATES,
        description="Texts that everyone was given, such as an assignment.",
    )
    min_passage: MinPassage = 0
    min_share: MinShare = 0.0
    max_sources: MaxSources | None = None
    common_text: Literal["keep", "exclude"] = Field(
        "keep", description="Text that many stored documents have, such as an assignment."
    )
    same: Same = Field([])


class PassageQuery(AskedTexts):
    """Texts, each of which is asked about by itself, and what is left out."""

    model_config = described(
        {
            "text": "the cat sat on the mat and looked at the sea as if it were made of milk",
            "exclude": {"quotations": True, "same": ["author"]},
            "metadata": {"author": "A. Reader"},
        }
    )

    min_words: MinWords | None = None
    edited: Edited = True
    top: Top = DEFAULT_TOP
    excerpts: Excerpts = False
    exclude: Exclude = Field(default_factory=lambda: Exclude.model_validate({}))
    metadata: Metadata | None = Field(
        None,
        description="What is known of the text, or of all of them: `author` and `group` for "
        "`exclude.same`.",
    )

    @model_validator(mode="after")
    def _says_whose(self) -> Self:
        check_same(self.exclude.same, self.metadata)
        return self


class Side(BaseModel):
    """A passage in one of the two texts."""

    start: Count = Field(description="Where it begins, in code points from 0.")
    end: Count = Field(description="Where it ends: after its last character.")
    page: int | None = Field(ge=1, description="Where it begins; null for a text without pages.")
    line: int = Field(ge=1, description="Where it begins, on its page if there are pages.")
    words: Count = Field(description="All of its words, matched or not.")
    excerpt: str | None = Field(description="Its text; null unless `excerpts` is set.")


class Passage(BaseModel):
    """What a text and a stored document have in common."""

    text: Side
    document: Side
    words: Count = Field(
        description="Matched words: each is aligned with one equal word of the other side."
    )
    run: Count = Field(
        description="The most of them that follow each other on both sides, with none between."
    )
    score: Count = Field(
        description="The longest run, where each changed word within it counts against it."
    )
    p: Share | None = Field(
        description="The probability that unrelated texts of these lengths share a run of at least "
        "`score` words; null where the evidence is not in runs."
    )
    similarity: Share = Field(description="Matched words / all words on both sides.")
    kind: Kind = Field(description="How it was changed.")
    evidence: float = Field(
        description="How many times likelier the words of the text are if they come from the "
        "document, as a natural logarithm."
    )


class Source(BaseModel):
    """A stored document that shares passages with a text."""

    id: str
    metadata: dict[str, Any] | None
    words: Count = Field(description="Words of the text that are matched in its passages.")
    share: Share = Field(description="Those words / all words of the text.")
    share_of_document: Share = Field(description="Its matched words / all of its words.")
    longest_run: Count = Field(description="Equal words that follow each other, at most.")
    chance_run: Count | None = Field(
        description="The longest run that unrelated texts of these lengths share in one case of "
        "twenty."
    )
    p: Share | None = Field(
        description="The probability that unrelated texts of these lengths share a run as long as "
        "that of the best passage; null where no passage has one."
    )
    passages: list[Passage] = Field(description="In the order of the text.")
    reworded: list[Passage] = Field(
        description="Possibly reworded passages, by single rare words; not part of any percentage."
    )


class Flag(BaseModel):
    """A place of the text where what is shown and what is stored are not the same."""

    kind: FlagKind
    start: Count = Field(description="In code points from 0.")
    end: Count
    shown: str = Field(
        description="For letters of another script the word as it looks, else the code points."
    )


class PassageAnswer(BaseModel):
    """The documents that share passages with one text, those that share most words first."""

    words: Count = Field(description="Words of the text, without excluded parts.")
    matched: Count = Field(
        description="Words of the text that are matched in some passage, each counted once, "
        "whichever documents share it, also those beyond `top`."
    )
    share: Share = Field(description="`matched` / `words`.")
    documents: Count = Field(
        description="Number of documents that share passages, including those beyond `top`."
    )
    sources: list[Source]
    notes: list[str] = Field(description="Notes on ignored, excluded and corrected text.")
    flags: list[Flag] = Field(
        description=f"The first {MOST_FLAGS:,} places that are other than they look; they are "
        "matched as they look."
    )
    flag_counts: dict[FlagKind, Count] = Field(description="Number of each kind.")


class PassagePromise(BaseModel):
    """What was looked for."""

    min_words: Count = Field(
        description="Every run of at least this many identical words is found."
    )
    edited: bool
    top: Count


class PassageAnswers(BaseModel):
    """One answer for each text, in the order in which they were asked."""

    answers: list[PassageAnswer]
    search: PassagePromise


class PassageFileAnswer(PassageAnswers):
    """The answer for a document that was read from a file."""

    characters: Count = Field(description="Of its text.")
    notes: list[str] = Field(description="Notes on how the file was read.")
