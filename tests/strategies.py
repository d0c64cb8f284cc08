"""Texts and profiles for Hypothesis: every script and every trick, small enough to shrink."""

from __future__ import annotations

from hypothesis import strategies as st

from likewise import Profile

# Letters that are hard in some way: marks that reorder and compose, jamo, ligatures, iota
# subscripts, sharp s, dotless i, scripts without spaces, zero-width and bidi characters, emoji.
AWKWARD = (
    "aAbBzZ09 .,'-\t\n\u00a0éÉçñÅßſıİŉǰΐΰ"
    "\u0301\u0300\u0327\u0345\u0338\u05b0\u0e34\u3099\u20d0"
    "\u1100\u1161\u11a8가각한글"
    "αΑωςΣᾳᾼϓµΩ"
    "中文字々〇ひらカタヴｶﾞー"
    "ไทยภาษา\u0e33ລາວខ្មែរမြန်མာབོད་ཡིག"
    "العربية\u0640\u064e٣۴"
    "हिन्दी\u094d\u200d\u200c"
    "ﬁﬀ①½Ⅷ㎏𝔸𝛼𐐀𐐨"
    "\u200b\u200d\u200e\u202e\u2066\ufeff\u00ad\u034f\ufe0f"
    "👩\u200d👩\u200d👧🏽🇫🇷"
    "\ud800\udfff\ufffd\u0000\u0085\u2028"
)

awkward_text = st.text(alphabet=st.sampled_from(AWKWARD), max_size=60)
any_text = st.text(
    alphabet=st.one_of(
        st.characters(exclude_categories=()), st.sampled_from(AWKWARD), st.characters(codec="ascii")
    ),
    max_size=80,
)
ascii_text = st.text(
    alphabet=st.one_of(st.characters(codec="ascii"), st.sampled_from("aab bc  .,")), max_size=300
)
texts = st.one_of(any_text, awkward_text, ascii_text)

profiles = st.builds(
    Profile,
    unit=st.sampled_from(["word", "char"]),
    k=st.one_of(st.integers(1, 9), st.integers(10, 70)),
    case=st.sampled_from(["fold", "keep"]),
    accents=st.sampled_from(["keep", "strip"]),
    punctuation=st.sampled_from(["drop", "keep"]),
    spaces=st.sampled_from(["one", "drop", "keep"]),
    digits=st.sampled_from(["keep", "drop"]),
    greek=st.sampled_from(["keep", "drop"]),
    stop_words=st.sampled_from(["none", "english", "french", "russian"]),
    min_word_length=st.integers(1, 4),
    count=st.sampled_from(["set", "bag"]),
    seed=st.sampled_from([0, 1, 2**64 - 1]),
    letters=st.sampled_from(["displayed", "stored"]),
)

words = st.text(alphabet="abc", min_size=1, max_size=2)
documents = st.lists(words, max_size=25).map(" ".join)
collections = st.lists(documents, max_size=24)
