"""The core cuts and hashes exactly as the plain Python of `reference.py` does."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from likewise import Profile, _core
from likewise.text.stop_words import prepared_stop_words
from tests import reference
from tests.strategies import profiles, texts


def slow(profile: Profile) -> SimpleNamespace:
    """The profile as the reference takes it: stop words as a set of words."""
    fields = {name: getattr(profile, name) for name in Profile.__dataclass_fields__}
    listed = [] if profile.stop_words == "none" else prepared_stop_words(profile)
    return SimpleNamespace(**fields | {"stop_words": frozenset(listed)})


def fast_hashes(text: str, profile: Profile) -> list[int]:
    hashes, _ = _core.shingle_hashes(_core.Texts.from_strings([text]), profile.rules())
    return hashes.tolist()


@given(text=texts, profile=profiles)
@example(text="", profile=Profile())
@example(text="the cat sat on the mat", profile=Profile())
@example(text="x" * 5000 + " tail", profile=Profile(k=1))
@example(text="a b " * 3000, profile=Profile(unit="word", k=70))
@example(text="ab" * 3000, profile=Profile(unit="char", k=20))
@example(text="é" * 5000, profile=Profile(unit="char", k=5))
@example(text="a" + "\u0301\u0327" * 3000, profile=Profile(k=1))
@pytest.mark.usefixtures("instructions")
def test_every_hash_equals_the_reference(text: str, profile: Profile) -> None:
    assert fast_hashes(text, profile) == reference.shingle_hashes(text, slow(profile))


# What the loops over common letters know, and what lies next to it.
COMMON = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x400, 0x460)]))
COMMON += "".join(map(chr, range(0x2010, 0x2030))) + "     \n"


@given(
    text=st.text(alphabet=st.sampled_from(COMMON), max_size=400),
    other=texts,
    place=st.integers(0, 400),
    profile=st.builds(
        Profile,
        k=st.integers(1, 4),
        case=st.sampled_from(["fold", "keep"]),
        digits=st.sampled_from(["keep", "drop"]),
    ),
)
@pytest.mark.usefixtures("instructions")
def test_common_letters_are_cut_as_the_reference_does(
    text: str, other: str, place: int, profile: Profile
) -> None:
    text = text[:place] + other + text[place:]
    assert fast_hashes(text, profile) == reference.shingle_hashes(text, slow(profile))


@pytest.mark.usefixtures("instructions")
def test_every_letter_of_one_to_three_bytes_at_every_place() -> None:
    # Behind a letter, so that marks join it, and at every place of a block in turn.
    many = [f"é {'a ' * (c % 67)}Z{'b' * (c % 2)}{chr(c)}tail" for c in range(0x3100)]
    texts_ = _core.Texts.from_strings(many)
    rules = Profile(k=1).rules()
    hashes, offsets = _core.shingle_hashes(texts_, rules)
    _core.limit_vectors("none")
    plain, places = _core.shingle_hashes(texts_, rules)
    assert offsets.tolist() == places.tolist()
    assert hashes.tolist() == plain.tolist()


@given(st.lists(st.sampled_from(["été ", "что ", "x" * 700 + " ", "=\u0338 ", "\u0338a ", "中 "])))
@example(["a" * 2047 + " ", "\u0301e ", "é " * 2000])
@pytest.mark.usefixtures("instructions")
def test_parts_of_a_long_text_are_cut_as_the_whole(pieces: list[str]) -> None:
    text = "é" + "".join(pieces)
    assert fast_hashes(text, Profile()) == reference.shingle_hashes(text, slow(Profile()))


@given(text=texts, profile=profiles)
def test_prepared_text_equals_the_reference(text: str, profile: Profile) -> None:
    fast = _core.prepared_text(_core.Texts.from_strings([text]), profile.rules())
    assert fast == reference.prepared(text, slow(profile))


@given(st.lists(texts, max_size=12), profiles)
@pytest.mark.usefixtures("instructions")
def test_a_document_does_not_depend_on_its_neighbours(many: list[str], profile: Profile) -> None:
    hashes, offsets = _core.shingle_hashes(_core.Texts.from_strings(many), profile.rules())
    for i, text in enumerate(many):
        assert hashes[offsets[i] : offsets[i + 1]].tolist() == fast_hashes(text, profile)


@given(st.binary(max_size=60), st.sampled_from(["word:2", "char:3,punctuation=keep,spaces=keep"]))
def test_ill_formed_utf8_counts_as_replacement_characters(data: bytes, name: str) -> None:
    profile = Profile.parse(name)
    offsets = memoryview(b"".join(n.to_bytes(8, "little") for n in (0, len(data))))
    hashes, _ = _core.shingle_hashes(_core.Texts.from_buffers(data, offsets, True), profile.rules())
    assert hashes.tolist() == fast_hashes(data.decode("utf-8", "replace"), profile)


def test_a_text_shorter_than_k_is_one_shingle_and_an_empty_one_has_none() -> None:
    assert len(fast_hashes("two words", Profile(k=3))) == 1
    assert fast_hashes(" .,! ", Profile(k=3)) == []
    assert len(fast_hashes("abc", Profile(unit="char", k=5))) == 1


@pytest.mark.slow
def test_every_code_point_is_prepared_as_the_reference_does() -> None:
    profile = Profile(unit="char", k=1, punctuation="keep", spaces="keep")
    every = [chr(c) for c in range(0x110000)]
    rules = profile.rules()
    for start in range(0, len(every), 4096):
        block = every[start : start + 4096]
        # A letter between keeps neighbours from composing, so each is on its own.
        text = "x".join(block)
        fast = _core.prepared_text(_core.Texts.from_strings([text]), rules)
        assert fast == reference.prepared(text, slow(profile))


# A change here is a change of every stored signature: raise HASH_VERSION with it.
GOLDEN = {
    ("the cat sat", "word:3"): [0xBBE4E4CDD72BB883],
    ("Straße", "word:1"): [0x9ABDFF35DD3A9206],
    ("中文", "word:1"): [0x9CB85C30DC6AB20A, 0x767C06B8E27F192B],
    ("hello", "char:5"): [0x22A127901B757E7D],
    ("internationalisation", "char:20"): [0x2C7B8E7E7851F5E0],
    ("a a", "word:1,count=bag"): [0x67738FA81B55F3A2, 0x98D04195A97287DE],
    ("the cat sat", "word:3,seed=7"): [0xB83083062959AE58],
}


@pytest.mark.parametrize(("text", "profile"), GOLDEN)
@pytest.mark.usefixtures("instructions")
def test_hashes_never_change(text: str, profile: str) -> None:
    assert fast_hashes(text, Profile.parse(profile)) == GOLDEN[text, profile]
