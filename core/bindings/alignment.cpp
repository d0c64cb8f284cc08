// Words with their places, and aligning, as Python sees them.
#include "alignment.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

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

// Fragments as columns: the pair, nine whole numbers, four others.
nb::tuple align_many(const Array<std::uint32_t>& words, const Array<std::uint32_t>& forms,
                     const Array<std::uint8_t>& gaps, const Array<std::uint64_t>& offsets,
                     const Array<std::uint32_t>& a, const Array<std::uint32_t>& b,
                     const Array<double>& rates, const AlignmentSettings& settings,
                     unsigned threads) {
    need(offsets.shape(0) >= 1, "offsets must have texts + 1 entries");
    const std::size_t texts = offsets.shape(0) - 1;
    const auto places = span_of(offsets);
    need(places[0] == 0 && places[texts] == words.shape(0), "offsets must span the words");
    for (std::size_t i = 0; i < texts; ++i) need(places[i] <= places[i + 1], "offsets must ascend");
    need(forms.shape(0) == words.shape(0), "every word has a form");
    need(gaps.shape(0) == words.shape(0) + texts, "a text has one gap more than words");
    need(words.shape(0) < ~std::uint32_t{0}, "too many words");
    need(a.shape(0) == b.shape(0), "pairs need two texts each");
    std::vector<PairToAlign> pairs(a.shape(0));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        pairs[i] = {a.data()[i], b.data()[i]};
        need(pairs[i].a < texts && pairs[i].b < texts, "a text's number is out of range");
    }
    for (const std::uint32_t word : span_of(words))
        need(word < rates.shape(0), "a word has no rate");
    for (const double rate : span_of(rates)) need(rate > 0 && rate <= 1, "rates are in (0, 1]");
    const std::vector<Gap> classes = as_gaps(span_of(gaps));
    std::vector<std::vector<Fragment>> found;
    {
        const nb::gil_scoped_release unlocked;
        found = align_pairs(span_of(words), span_of(forms), classes, places, pairs, span_of(rates),
                            settings, threads);
    }
    std::size_t count = 0;
    for (const auto& one : found) count += one.size();
    constexpr std::size_t kWhole = 10, kReal = 4;
    auto whole = std::make_unique_for_overwrite<std::uint32_t[]>(count * kWhole);
    auto real = std::make_unique_for_overwrite<double[]>(count * kReal);
    std::size_t row = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (const Fragment& f : found[i]) {
            const std::array<std::uint32_t, kWhole> numbers{static_cast<std::uint32_t>(i),
                                                            f.a_begin,
                                                            f.a_end,
                                                            f.b_begin,
                                                            f.b_end,
                                                            f.shared,
                                                            f.in_order,
                                                            f.adjacent,
                                                            f.run,
                                                            f.summary};
            std::copy(numbers.begin(), numbers.end(), whole.get() + row * kWhole);
            const std::array<double, kReal> others{f.a_evidence, f.b_evidence, f.a_lambda,
                                                   f.b_lambda};
            std::copy(others.begin(), others.end(), real.get() + row * kReal);
            ++row;
        }
    }
    return nb::make_tuple(give(std::move(whole), count, kWhole),
                          give(std::move(real), count, kReal));
}

}  // namespace

void define_alignment(nb::module_& m) {
    nb::enum_<Judge>(m, "Judge")
        .value("a", Judge::a)
        .value("either", Judge::either)
        .value("both", Judge::both);
    nb::class_<AlignmentSettings>(m, "AlignmentSettings", "How texts are aligned.")
        .def(nb::init<>())
#define FIELD(name) .def_rw(#name, &AlignmentSettings::name)
            FIELD(own_share) FIELD(most_ratio) FIELD(least_lambda) FIELD(most_lambda) FIELD(window)
                FIELD(stride) FIELD(candidate_lambda) FIELD(candidate_evidence) FIELD(window_budget)
                    FIELD(window_candidates) FIELD(longest) FIELD(reach) FIELD(rounds)
                        FIELD(context) FIELD(edges) FIELD(merge_least) FIELD(merge_most)
                            FIELD(least_evidence) FIELD(least_evidence_per_word) FIELD(least_words)
                                FIELD(judge) FIELD(one_source) FIELD(least_run) FIELD(summaries)
                                    FIELD(summary_evidence) FIELD(summary_evidence_per_word)
                                        FIELD(summary_words) FIELD(summary_ratio)
                                            FIELD(summary_gain) FIELD(summary_whole)
#undef FIELD
        ;
    m.def("words_with_places", &words_with_places, "texts"_a, nb::kw_only(), "stem_letters"_a);
    m.def("numbered", &numbers_of, "hashes"_a);
    m.def("align_pairs", &align_many, "words"_a, "forms"_a, "gaps"_a, "offsets"_a, "a"_a, "b"_a,
          "rates"_a, "settings"_a, nb::kw_only(), "threads"_a);
}

}  // namespace likewise
