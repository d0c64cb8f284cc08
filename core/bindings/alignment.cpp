// Words with their places, and aligning, as Python sees them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

#include "alignment/align.hpp"
#include "arrays.hpp"
#include "numbering.hpp"
#include "placed_words.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace likewise {
namespace {

std::vector<std::uint8_t> as_bytes(const std::vector<Gap>& gaps) {
    std::vector<std::uint8_t> bytes(gaps.size());
    for (std::size_t i = 0; i < gaps.size(); ++i) bytes[i] = static_cast<std::uint8_t>(gaps[i]);
    return bytes;
}

nb::tuple words_with_places(const Texts& texts, std::uint32_t stem_letters) {
    need(stem_letters >= 1, "a stem has at least one letter");
    need(texts.views().size() == 1, "one text at a time");
    PlacedWords words;
    {
        const nb::gil_scoped_release unlocked;
        words = place_words(texts.views()[0], stem_letters);
    }
    return nb::make_tuple(give(std::move(words.hashes)), give(std::move(words.stems)),
                          give(std::move(words.letters)), give(std::move(words.begins)),
                          give(std::move(words.ends)), give(as_bytes(words.gaps)));
}

std::vector<Gap> as_gaps(std::span<const std::uint8_t> bytes) {
    std::vector<Gap> gaps(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        need(bytes[i] <= static_cast<std::uint8_t>(Gap::edge), "unknown class of gap");
        gaps[i] = static_cast<Gap>(bytes[i]);
    }
    return gaps;
}

nb::tuple numbers_of(const Array<std::uint64_t>& hashes) {
    need(hashes.shape(0) < 0xFFFFFFFF, "too many hashes");
    Numbered made;
    {
        const nb::gil_scoped_release unlocked;
        made = numbered(span_of(hashes));
    }
    return nb::make_tuple(give(std::move(made.numbers)), give(std::move(made.first)));
}

// Passages as columns: the pair, four places, where its matches begin, whether it is reworded;
// evidence; and the matches of all, each as place in a, place in b and words.
nb::tuple align_many(const Array<std::uint32_t>& words, const Array<std::uint32_t>& forms,
                     const Array<std::uint8_t>& gaps, const Array<std::uint8_t>& letters,
                     const Array<std::uint64_t>& offsets, const Array<std::uint32_t>& a,
                     const Array<std::uint32_t>& b, const Array<double>& rates,
                     const AlignmentSettings& settings, const Array<std::uint32_t>& characters,
                     const Array<std::uint32_t>& spelling, unsigned threads) {
    need(offsets.shape(0) >= 1, "offsets must have texts + 1 entries");
    const std::size_t texts = offsets.shape(0) - 1;
    const auto places = copy_of(offsets);
    need(places[0] == 0 && places[texts] == words.shape(0), "offsets must span the words");
    for (std::size_t i = 0; i < texts; ++i) need(places[i] <= places[i + 1], "offsets must ascend");
    need(forms.shape(0) == words.shape(0), "every word has a form");
    need(letters.shape(0) == words.shape(0), "every word has letters");
    need(gaps.shape(0) == words.shape(0) + texts, "a text has one gap more than words");
    need(words.shape(0) < ~std::uint32_t{0}, "too many words");
    need(a.shape(0) == b.shape(0), "pairs need two texts each");
    std::vector<PairToAlign> pairs(a.shape(0));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        pairs[i] = {a.data()[i], b.data()[i]};
        need(pairs[i].a < texts && pairs[i].b < texts, "a text's number is out of range");
    }
    const auto own_words = copy_of(words), own_forms = copy_of(forms);
    const auto own_letters = copy_of(letters);
    const auto own_rates = copy_of(rates);
    for (const std::uint32_t word : own_words) need(word < own_rates.size(), "a word has no rate");
    for (const double rate : own_rates) need(rate > 0 && rate <= 1, "rates are in (0, 1]");
    const auto own_characters = copy_of(characters), own_spelling = copy_of(spelling);
    need(own_spelling.empty() || own_spelling.size() == words.shape(0) + 1,
         "spelling must have words + 1 entries, or none");
    for (std::size_t i = 0; i + 1 < own_spelling.size(); ++i) {
        need(own_spelling[i] <= own_spelling[i + 1], "spelling must ascend");
    }
    need(own_spelling.empty() || own_spelling.back() <= own_characters.size(),
         "spelling is beyond the characters");
    const std::vector<Gap> classes = as_gaps(span_of(gaps));
    std::vector<std::vector<AlignedPassage>> found;
    {
        const nb::gil_scoped_release unlocked;
        found = align_pairs(own_words, own_forms, classes, own_letters, places, pairs, own_rates,
                            {own_characters, own_spelling}, settings, threads);
    }
    std::size_t count = 0, runs = 0;
    for (const auto& one : found) {
        count += one.size();
        for (const AlignedPassage& p : one) runs += p.matches.size();
    }
    constexpr std::size_t kWhole = 7, kRun = 3;
    auto whole = std::make_unique_for_overwrite<std::uint32_t[]>(count * kWhole);
    auto matches = std::make_unique_for_overwrite<std::uint32_t[]>(runs * kRun);
    std::vector<double> evidence;
    std::uint32_t *row = whole.get(), *run_row = matches.get();
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (const AlignedPassage& p : found[i]) {
            const std::array<std::uint32_t, kWhole> numbers{static_cast<std::uint32_t>(i),
                                                            p.a_begin,
                                                            p.a_end,
                                                            p.b_begin,
                                                            p.b_end,
                                                            first,
                                                            p.reworded};
            row = std::copy(numbers.begin(), numbers.end(), row);
            evidence.push_back(p.evidence);
            first += static_cast<std::uint32_t>(p.matches.size());
            for (const Run& run : p.matches) {
                *run_row++ = run.a, *run_row++ = run.b, *run_row++ = run.words;
            }
        }
    }
    return nb::make_tuple(give(std::move(whole), count, kWhole), give(std::move(evidence)),
                          give(std::move(matches), runs, kRun));
}

}  // namespace

void define_alignment(nb::module_& m) {
    nb::class_<AlignmentSettings>(m, "AlignmentSettings", "How texts are aligned.")
        .def(nb::init<>())
#define FIELD(name) .def_rw(#name, &AlignmentSettings::name)
            FIELD(own_share) FIELD(most_ratio) FIELD(least_lambda) FIELD(most_lambda) FIELD(window)
                FIELD(stride) FIELD(candidate_lambda) FIELD(candidate_evidence) FIELD(window_budget)
                    FIELD(window_candidates) FIELD(longest) FIELD(reach) FIELD(rounds)
                        FIELD(context) FIELD(edges) FIELD(merge_least) FIELD(merge_most)
                            FIELD(least_evidence) FIELD(least_evidence_per_word) FIELD(least_words)
                                FIELD(least_run) FIELD(least_similarity) FIELD(reworded)
                                    FIELD(reworded_evidence) FIELD(reworded_evidence_per_word)
                                        FIELD(reworded_distinct_per_word)
                                            FIELD(reworded_distinct_per_thousand)
                                                FIELD(reworded_words) FIELD(reworded_ratio)
                                                    FIELD(reworded_long)
#undef FIELD
        ;
    m.def("words_with_places", &words_with_places, "texts"_a, nb::kw_only(), "stem_letters"_a);
    m.def("numbered", &numbers_of, "hashes"_a);
    m.def("align_pairs", &align_many, "words"_a, "forms"_a, "gaps"_a, "letters"_a, "offsets"_a,
          "a"_a, "b"_a, "rates"_a, "settings"_a, nb::kw_only(), "characters"_a, "spelling"_a,
          "threads"_a);
}

}  // namespace likewise
