// What finds copied passages, as Python sees it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <functional>
#include <ranges>

#include "arrays.hpp"
#include "character_classes.hpp"
#include "collection_words.hpp"
#include "columns.hpp"
#include "fingerprints.hpp"
#include "item_grams.hpp"
#include "rare_words.hpp"
#include "runs.hpp"
#include "telling_words.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace likewise {
namespace {

nb::tuple fingerprints_of(const Texts& texts, const Rules& rules, std::uint32_t window,
                          unsigned threads) {
    need(window >= 1, "a window has at least one shingle");
    Fingerprints made;
    {
        const nb::gil_scoped_release unlocked;
        made = fingerprint(texts.views(), rules, window, threads);
    }
    return nb::make_tuple(give(std::move(made.hashes)), give(std::move(made.offsets)));
}

nb::tuple sample_of(const Texts& texts, const Rules& rules, std::uint32_t stride,
                    unsigned threads) {
    need(stride >= 1, "a stride is at least one shingle");
    Fingerprints made;
    {
        const nb::gil_scoped_release unlocked;
        made = sample_shingles(texts.views(), rules, stride, threads);
    }
    return nb::make_tuple(give(std::move(made.hashes)), give(std::move(made.offsets)));
}

nb::tuple words_of(const Texts& texts, std::uint32_t stem_letters, unsigned threads) {
    need(stem_letters >= 1, "a stem has at least one letter");
    TellingWords made;
    {
        const nb::gil_scoped_release unlocked;
        made = telling_words(texts.views(), stem_letters, threads);
    }
    return nb::make_tuple(give(std::move(made.hashes)), give(std::move(made.offsets)));
}

nb::tuple shared_of(const Array<std::uint64_t>& hashes, const Array<std::uint64_t>& offsets,
                    const std::optional<Array<std::uint8_t>>& sides, std::uint32_t most_documents,
                    unsigned threads) {
    const auto places = copy_of(offsets);
    need_offsets(places, hashes.shape(0));
    const Sides own_sides(sides, places.size() - 1);
    SharedFingerprints made;
    {
        const nb::gil_scoped_release unlocked;
        made =
            share_fingerprints(span_of(hashes), places, own_sides.data(), most_documents, threads);
    }
    return nb::make_tuple(give(std::move(made.a)), give(std::move(made.b)),
                          give(std::move(made.shared)), made.set_aside);
}

Result<std::uint8_t> classes_in(const Texts& texts, const Array<std::uint8_t>& classes,
                                unsigned threads) {
    need(classes.shape(0) == kCodePoints, "every code point has its classes");
    const std::span<const std::uint8_t, kCodePoints> table(classes.data(), kCodePoints);
    std::vector<std::uint8_t> made;
    {
        const nb::gil_scoped_release unlocked;
        made = classes_of(texts.views(), table, threads);
    }
    return give(std::move(made));
}

void add_texts(CollectionWords& words, const Texts& texts, unsigned threads) {
    const nb::gil_scoped_release unlocked;
    words.add(texts.views(), threads);
}

Result<std::uint32_t> sizes_of(const CollectionWords& words) {
    return give(std::vector<std::uint32_t>(words.sizes().begin(), words.sizes().end()));
}

// Distinct stems, and how often each occurs.
nb::tuple counts_of(const CollectionWords& words) {
    std::vector<std::uint64_t> stems, counts;
    for (std::uint32_t word = 0; word < words.vocabulary(); ++word) {
        if (words.count(word) == 0) continue;
        stems.push_back(words.hash(word));
        counts.push_back(words.count(word));
    }
    return nb::make_tuple(give(std::move(stems)), give(std::move(counts)));
}

nb::tuple words_shared(const CollectionWords& words,
                       const std::optional<Array<std::uint8_t>>& sides, std::uint32_t length,
                       std::uint32_t stride, std::uint32_t most_documents, double least_evidence,
                       std::uint32_t most_candidates, unsigned threads) {
    const Sides own_sides(sides, words.documents());
    need(stride >= 1 && stride <= length, "a stride is at most as long as a part");
    need(least_evidence > 0, "evidence must be above 0");
    SharedWords made;
    {
        const nb::gil_scoped_release unlocked;
        made =
            share_words(words, own_sides.data(),
                        {length, stride, most_documents, least_evidence, most_candidates}, threads);
    }
    return nb::make_tuple(give(std::move(made.a)), give(std::move(made.b)),
                          give(std::move(made.evidence)));
}

nb::tuple parts_shared(const Array<std::uint32_t>& words, const Array<std::uint64_t>& offsets,
                       const Array<std::uint32_t>& documents, const Array<double>& worths,
                       const std::optional<Array<std::uint8_t>>& sides, std::uint32_t count,
                       double least_evidence, std::uint32_t most_candidates, unsigned threads) {
    Parts parts{copy_of(words), copy_of(offsets), copy_of(documents), {}};
    const auto own_worths = copy_of(worths);
    const Sides own_sides(sides, count);
    need_offsets(parts.offsets, parts.words.size());
    need(parts.offsets.size() == parts.size() + 1, "every part has a document");
    need(std::is_sorted(parts.documents.begin(), parts.documents.end()), "documents must ascend");
    need(parts.size() == 0 || parts.documents.back() < count, "there is no such document");
    need(std::ranges::all_of(parts.words, [&](auto word) { return word < own_worths.size(); }),
         "every word has a worth");
    need(least_evidence > 0, "evidence must be above 0");
    need(parts.size() < 0xFFFFFFFF, "too many parts");
    parts.firsts.resize(std::size_t{count} + 1);
    for (const std::uint32_t document : parts.documents) ++parts.firsts[document + 1];
    for (std::size_t i = 0; i < count; ++i) parts.firsts[i + 1] += parts.firsts[i];
    SharedWords made;
    {
        const nb::gil_scoped_release unlocked;
        made = share_parts(parts, own_worths, own_sides.data(), least_evidence, most_candidates,
                           threads);
    }
    return nb::make_tuple(give(std::move(made.a)), give(std::move(made.b)),
                          give(std::move(made.evidence)));
}

Result<double> worths_of(const Array<std::uint64_t>& holders, std::uint64_t documents) {
    std::vector<double> worths(holders.shape(0));
    std::transform(holders.data(), holders.data() + holders.shape(0), worths.begin(),
                   [&](std::uint64_t own) { return worth_of(documents, own); });
    return give(std::move(worths));
}

ResultMatrix<std::uint32_t> runs_of(const Array<std::uint32_t>& a, const Array<std::uint32_t>& b,
                                    std::uint32_t least) {
    need(a.shape(0) < 0xFFFFFFFF && b.shape(0) < 0xFFFFFFFF, "too many words");
    std::vector<Run> found;
    {
        const nb::gil_scoped_release unlocked;
        found = common_runs(span_of(a), span_of(b), least);
    }
    auto rows = std::make_unique_for_overwrite<std::uint32_t[]>(3 * found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        rows[3 * i] = found[i].a;
        rows[3 * i + 1] = found[i].b;
        rows[3 * i + 2] = found[i].words;
    }
    return give(std::move(rows), found.size(), 3);
}

Result<std::uint32_t> columns_of(const Array<std::uint32_t>& parts, const Array<std::uint32_t>& a,
                                 const Array<std::uint32_t>& b,
                                 const Array<std::uint32_t>& lengths) {
    need(parts.shape(0) < 0xFFFFFFFF, "too many words");
    need(a.shape(0) == lengths.shape(0) && b.shape(0) == lengths.shape(0),
         "runs need two words and a length each");
    const auto own = copy_of(parts), as = copy_of(a), bs = copy_of(b), sizes = copy_of(lengths);
    for (std::size_t run = 0; run < sizes.size(); ++run) {
        need(std::uint64_t{std::max(as[run], bs[run])} + sizes[run] <= own.size(),
             "a run is outside the words");
    }
    std::vector<std::uint32_t> labels;
    {
        const nb::gil_scoped_release unlocked;
        labels = align_columns(own, {as, bs, sizes});
    }
    return give(std::move(labels));
}

void make_item_grams(ItemGrams* made, const Array<std::uint64_t>& grams,
                     const Array<std::uint64_t>& offsets, const Array<std::uint32_t>& items,
                     const Array<std::uint32_t>& weights, const Array<std::uint32_t>& needs,
                     const Array<std::uint32_t>& reaches) {
    auto places = copy_of(offsets), hashes = copy_of(grams);
    auto owners = copy_of(items), sums = copy_of(needs), blocks = copy_of(reaches);
    need(hashes.size() < 0xFFFFFFFF, "too many grams");
    need(places.size() == hashes.size() + 1,
         "offsets must have one entry more than there are grams");
    need_offsets(places, owners.size());
    need(std::adjacent_find(hashes.begin(), hashes.end(), std::greater_equal()) == hashes.end(),
         "grams must ascend, each once");
    need(weights.shape(0) == hashes.size(), "every gram has a weight");
    need(sums.size() == blocks.size(), "every item has a need and a reach");
    const auto is_zero = [](std::uint32_t value) { return value == 0; };
    need(std::none_of(sums.begin(), sums.end(), is_zero) &&
             std::none_of(blocks.begin(), blocks.end(), is_zero),
         "needs and reaches are at least 1");
    need(std::all_of(owners.begin(), owners.end(),
                     [&](std::uint32_t item) { return item < sums.size(); }),
         "there is no such item");
    auto worth = copy_of(weights);
    need(std::all_of(worth.begin(), worth.end(), [](std::uint32_t one) { return one < 1 << 20; }),
         "weights are less than 2^20");
    const nb::gil_scoped_release unlocked;
    new (made) ItemGrams(hashes, std::move(places), std::move(owners), std::move(worth),
                         std::move(sums), std::move(blocks));
}

nb::tuple items_in(const ItemGrams& grams, const Texts& texts, const Rules& rules,
                   unsigned threads) {
    ItemCandidates found;
    {
        const nb::gil_scoped_release unlocked;
        found = grams.find(texts.views(), rules, threads);
    }
    return nb::make_tuple(give(std::move(found.documents)), give(std::move(found.items)),
                          give(std::move(found.shingles)));
}

}  // namespace

void define_passages(nb::module_& m) {
    m.def("fingerprints", &fingerprints_of, "texts"_a, "rules"_a, nb::kw_only(), "window"_a,
          "threads"_a);
    m.def("sample_shingles", &sample_of, "texts"_a, "rules"_a, nb::kw_only(), "stride"_a,
          "threads"_a);
    m.def("telling_words", &words_of, "texts"_a, nb::kw_only(), "stem_letters"_a, "threads"_a);
    m.def("share_fingerprints", &shared_of, "hashes"_a, "offsets"_a, "sides"_a.none(),
          nb::kw_only(), "most_documents"_a, "threads"_a);
    m.def("character_classes", &classes_in, "texts"_a, "classes"_a, nb::kw_only(), "threads"_a);
    nb::class_<CollectionWords>(m, "CollectionWords")
        .def(
            "__init__",
            [](CollectionWords* made, std::uint32_t stem_letters, bool keep_order) {
                need(stem_letters >= 1, "a stem has at least one letter");
                new (made) CollectionWords(stem_letters, keep_order);
            },
            nb::kw_only(), "stem_letters"_a, "keep_order"_a)
        .def("add", &add_texts, "texts"_a, nb::kw_only(), "threads"_a)
        .def("__len__", &CollectionWords::documents)
        .def("sizes", &sizes_of)
        .def("counts", &counts_of);
    m.def("share_words", &words_shared, "words"_a, "sides"_a.none(), nb::kw_only(), "length"_a,
          "stride"_a, "most_documents"_a, "least_evidence"_a, "most_candidates"_a, "threads"_a);
    m.def("share_parts", &parts_shared, "words"_a, "offsets"_a, "documents"_a, "worths"_a,
          "sides"_a.none(), nb::kw_only(), "count"_a, "least_evidence"_a, "most_candidates"_a,
          "threads"_a);
    m.def("word_worths", &worths_of, "holders"_a, nb::kw_only(), "documents"_a);
    nb::class_<ItemGrams>(m, "ItemGrams")
        .def("__init__", &make_item_grams, nb::kw_only(), "grams"_a, "offsets"_a, "items"_a,
             "weights"_a, "needs"_a, "reaches"_a)
        .def("find", &items_in, "texts"_a, "rules"_a, nb::kw_only(), "threads"_a);
    m.def("align_columns", &columns_of, "parts"_a, "a"_a, "b"_a, "lengths"_a);
    m.def("common_runs", &runs_of, "a"_a, "b"_a, nb::kw_only(), "least"_a);
}

}  // namespace likewise
