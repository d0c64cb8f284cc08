"""Profiles: written short, printed back, checked, and stored in full."""

from __future__ import annotations

import pytest
from hypothesis import given

from likewise import Profile, UsageError
from likewise.text.profile import PRESETS, UNICODE_VERSION
from tests.strategies import profiles


@given(profiles)
def test_what_a_profile_prints_it_parses_back(profile: Profile) -> None:
    assert Profile.parse(str(profile)) == profile


def test_the_default_is_word_3() -> None:
    assert str(Profile()) == "word:3"
    assert Profile.parse("word:3") == Profile()


def test_a_preset_may_be_changed() -> None:
    assert Profile.parse("papers, k=8").k == 8
    assert Profile.parse("papers,k=8").stop_words == "english"


def test_presets_do_to_text_what_their_sources_do() -> None:
    tweets, gospels, papers = (PRESETS[name] for name in ("tweets", "gospels", "papers"))
    assert (tweets.unit, tweets.k, tweets.spaces, tweets.count) == ("char", 5, "drop", "set")
    assert (gospels.k, gospels.min_word_length, gospels.count) == (3, 3, "bag")
    assert (papers.k, papers.digits, papers.greek, papers.stop_words) == (
        10, "drop", "drop", "english",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("word", "neither a preset"),
        ("word:0", "k is 0"),
        ("word:-1", "neither a preset"),
        ("letter:3", "neither a preset"),
        ("word:3,colour=red", "not name=value"),
        ("word:3,case", "not name=value"),
        ("word:3,case=lower", "case='lower' is not one of fold, keep"),
        ("word:3,min_word_length=x", "not a whole number"),
        ("word:3,stop_words=klingon", "no list of stop words"),
        ("word:99999", "k is 99999"),
    ],
)
def test_a_bad_profile_is_reported(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        Profile.parse(text)


def test_what_is_stored_names_the_versions_that_hashes_depend_on() -> None:
    stored = Profile.parse("word:3,stop_words=english").to_dict()
    assert stored["unicode"] == UNICODE_VERSION
    assert stored["stop_words_version"]
    assert stored["hash"] == 1
