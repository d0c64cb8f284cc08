// What finds repeated parts of texts, as Python sees it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>

#include "arrays.hpp"
#include "equal_records.hpp"
#include "repeated_runs.hpp"
#include "text_parts.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace likewise {
namespace {

nb::tuple split(const Texts& texts, const Rules& rules, bool paragraphs, unsigned threads) {
    TextParts made;
    {
        const nb::gil_scoped_release unlocked;
        made = split_texts(texts.views(), paragraphs ? Split::paragraphs : Split::lines, rules,
                           threads);
    }
    return nb::make_tuple(give(std::move(made.documents)), give(std::move(made.begins)),
                          give(std::move(made.ends)), give(std::move(made.words)),
                          give(std::move(made.low)), give(std::move(made.high)),
                          give(std::move(made.totals)));
}

nb::tuple groups_of(const Array<std::uint64_t>& low, const Array<std::uint64_t>& high,
                    const Array<std::uint64_t>& places, std::uint64_t least) {
    need(low.shape(0) == high.shape(0) && low.shape(0) == places.shape(0),
         "records need two halves and a place each");
    need(low.shape(0) < 0xFFFFFFFF, "too many records");
    need(least >= 2, "a group has at least two records");
    RecordGroups made;
    {
        const nb::gil_scoped_release unlocked;
        made = group_records(span_of(low), span_of(high), span_of(places), least);
    }
    return nb::make_tuple(give(std::move(made.members)), give(std::move(made.offsets)));
}

Windows windows_of(std::uint32_t words, std::uint32_t shingle) {
    need(shingle >= 1 && shingle <= words, "a shingle is at most as long as a window");
    return {words, shingle};
}

nb::tuple fingerprints_of_windows(const Texts& texts, std::uint32_t words, std::uint32_t shingle,
                                  unsigned threads) {
    const Windows windows = windows_of(words, shingle);
    WindowFingerprints made;
    {
        const nb::gil_scoped_release unlocked;
        made = fingerprint_windows(texts.views(), windows, threads);
    }
    return nb::make_tuple(give(std::move(made.hashes)), give(std::move(made.words)));
}

nb::tuple digests_of_windows(const Texts& texts, const HashFilter& filter, std::uint32_t words,
                             std::uint32_t shingle, unsigned threads) {
    const Windows windows = windows_of(words, shingle);
    DigestedWindows made;
    {
        const nb::gil_scoped_release unlocked;
        made = digest_windows(texts.views(), windows, filter, threads);
    }
    return nb::make_tuple(give(std::move(made.texts)), give(std::move(made.first_words)),
                          give(std::move(made.low)), give(std::move(made.high)));
}

nb::tuple cut_windows(WindowChoice& choice, const Array<std::uint32_t>& texts,
                      const Array<std::uint32_t>& first_words, const Array<std::uint64_t>& groups) {
    need(texts.shape(0) == first_words.shape(0) && texts.shape(0) == groups.shape(0),
         "windows need a text, a word and a group each");
    const auto own_texts = copy_of(texts), words = copy_of(first_words);
    const auto numbers = copy_of(groups);
    // A bit for each group: numbers beyond all reason would take all memory.
    need(std::all_of(numbers.begin(), numbers.end(),
                     [](std::uint64_t group) { return group < std::uint64_t{1} << 44; }),
         "a group is out of range");
    WordRanges made;
    {
        const nb::gil_scoped_release unlocked;
        made = choice.cut(own_texts, words, numbers);
    }
    return nb::make_tuple(give(std::move(made.texts)), give(std::move(made.first)),
                          give(std::move(made.last)));
}

nb::tuple characters_of_ranges(const Texts& texts, const Array<std::uint32_t>& of,
                               const Array<std::uint32_t>& first, const Array<std::uint32_t>& last,
                               const std::string& bounds, unsigned threads) {
    need(of.shape(0) == first.shape(0) && of.shape(0) == last.shape(0),
         "ranges need a text and two words each");
    need(bounds == "word" || bounds == "sentence" || bounds == "paragraph", "unknown bounds");
    const Bounds least = bounds == "word"       ? Bounds::words
                         : bounds == "sentence" ? Bounds::sentences
                                                : Bounds::paragraphs;
    const WordRanges ranges{copy_of(of), copy_of(first), copy_of(last)};
    need(std::is_sorted(ranges.texts.begin(), ranges.texts.end()), "texts must ascend");
    for (std::size_t i = 0; i < ranges.texts.size(); ++i) {
        need(ranges.texts[i] < texts.views().size(), "a text is out of range");
        need(ranges.first[i] < ranges.last[i], "a range is empty");
    }
    CharacterRanges made;
    {
        const nb::gil_scoped_release unlocked;
        made = range_characters(texts.views(), ranges, least, threads);
    }
    return nb::make_tuple(give(std::move(made.texts)), give(std::move(made.begins)),
                          give(std::move(made.ends)), give(std::move(made.low)),
                          give(std::move(made.high)));
}

}  // namespace

void define_repeats(nb::module_& m) {
    m.def("split_texts", &split, "texts"_a, "rules"_a, nb::kw_only(), "paragraphs"_a, "threads"_a);
    m.def("group_records", &groups_of, "low"_a, "high"_a, "places"_a, nb::kw_only(), "least"_a);
    nb::class_<HashFilter>(m, "HashFilter")
        .def(
            "__init__",
            [](HashFilter* made, unsigned bits) {
                need(bits >= 6 && bits <= 48, "a filter has from 2^6 to 2^48 bits");
                new (made) HashFilter(bits);
            },
            nb::kw_only(), "bits"_a)
        .def(
            "add",
            [](HashFilter& filter, const Array<std::uint64_t>& hashes) {
                const nb::gil_scoped_release unlocked;
                filter.add(span_of(hashes));
            },
            "hashes"_a);
    m.def("fingerprint_windows", &fingerprints_of_windows, "texts"_a, nb::kw_only(), "words"_a,
          "shingle"_a, "threads"_a);
    m.def("digest_windows", &digests_of_windows, "texts"_a, "filter"_a, nb::kw_only(), "words"_a,
          "shingle"_a, "threads"_a);
    nb::class_<WindowChoice>(m, "WindowChoice")
        .def(nb::init<std::uint32_t>(), nb::kw_only(), "words"_a)
        .def("cut", &cut_windows, "texts"_a, "first_words"_a, "groups"_a);
    m.def("range_characters", &characters_of_ranges, "texts"_a, "of"_a, "first"_a, "last"_a,
          nb::kw_only(), "bounds"_a, "threads"_a);
}

}  // namespace likewise
