// The compiled core as Python sees it: flat arrays in, flat arrays out. Arguments are checked by
// the Python functions that call these; here only what would break memory is.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <ranges>
#include <stdexcept>
#include <string>

#include "arrays.hpp"
#include "candidates.hpp"
#include "clusters.hpp"
#include "copies.hpp"
#include "cpu.hpp"
#include "exact_join.hpp"
#include "interval.hpp"
#include "kept_across.hpp"
#include "prepare.hpp"
#include "scan.hpp"
#include "shingles.hpp"
#include "shuffles.hpp"
#include "texts.hpp"
#include "threads.hpp"
#include "verify.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace likewise {

void define_alignment(nb::module_& m);    // alignment.cpp
void define_containment(nb::module_& m);  // containment.cpp
void define_entries(nb::module_& m);      // entries.cpp
void define_passages(nb::module_& m);     // passages.cpp
void define_repeats(nb::module_& m);      // repeats.cpp

namespace {

void check_documents(std::span<const std::uint32_t> chosen, std::size_t documents) {
    for (const std::uint32_t document : chosen) {
        need(document < documents, "a document number is out of range");
    }
}

// Documents have numbers of 32 bits.
void need_numbers(std::size_t documents) { need(documents < 0xFFFFFFFF, "too many documents"); }

// Numbers of documents, each below `documents`.
std::vector<std::uint32_t> documents_of(const Array<std::uint32_t>& numbers,
                                        std::size_t documents) {
    auto chosen = copy_of(numbers);
    check_documents(chosen, documents);
    return chosen;
}

Rules make_rules(const std::string& unit, std::uint32_t k, bool fold_case, bool strip_accents,
                 bool keep_punctuation, const std::string& spaces, bool drop_digits,
                 bool drop_greek, const std::vector<std::string>& stop_words,
                 std::uint32_t min_word_length, bool bag, std::uint64_t seed) {
    Rules rules;
    need(unit == "word" || unit == "char", "unit must be word or char");
    need(spaces == "one" || spaces == "drop" || spaces == "keep", "unknown spaces");
    need(k >= 1, "k must be at least 1");
    rules.unit = unit == "word" ? Unit::word : Unit::character;
    rules.k = k;
    rules.fold_case = fold_case;
    rules.strip_accents = strip_accents;
    rules.keep_punctuation = keep_punctuation;
    rules.spaces = spaces == "one" ? Spaces::one : spaces == "drop" ? Spaces::drop : Spaces::keep;
    rules.drop_digits = drop_digits;
    rules.drop_greek = drop_greek;
    rules.stop_words = StopWords({stop_words.begin(), stop_words.end()});
    rules.min_word_length = min_word_length;
    rules.bag = bag;
    rules.seed = seed;
    return rules;
}

Texts read_chosen(int file, const Array<std::int64_t>& offsets,
                  const Array<std::uint32_t>& chosen) {
    const nb::gil_scoped_release unlocked;
    return Texts::from_file(file, span_of(offsets), span_of(chosen));
}

nb::tuple scan_texts(const Texts& texts, const Rules& rules, std::uint32_t values,
                     std::uint32_t bands, std::uint32_t rows, bool keep_sketches,
                     unsigned threads) {
    need(values >= 1, "a sketch has at least one value");
    need(std::uint64_t{bands} * rows <= values, "bands times rows must fit in the values");
    const auto views = texts.views();
    auto digests = std::make_unique<std::uint64_t[]>(2 * views.size());
    std::vector<std::uint64_t> counts(views.size());
    std::unique_ptr<std::uint32_t[]> sketches;
    std::unique_ptr<std::uint64_t[]> keys;
    if (keep_sketches)
        sketches = std::make_unique_for_overwrite<std::uint32_t[]>(views.size() * values);
    if (bands > 0) keys = std::make_unique_for_overwrite<std::uint64_t[]>(views.size() * bands);
    {
        const nb::gil_scoped_release unlocked;
        std::vector<Digest> pairs(views.size());
        scan(views, rules, values, bands, rows,
             {pairs.data(), counts.data(), sketches.get(), keys.get()}, threads);
        for (std::size_t i = 0; i < views.size(); ++i) {
            digests[2 * i] = pairs[i].sum;
            digests[2 * i + 1] = pairs[i].parity;
        }
    }
    return nb::make_tuple(
        give(std::move(digests), views.size(), 2), give(std::move(counts)),
        keep_sketches ? nb::cast(give(std::move(sketches), views.size(), values)) : nb::none(),
        bands > 0 ? nb::cast(give(std::move(keys), bands, views.size())) : nb::none());
}

// Keys of the bands of sketches that were kept, as scan() gives them for texts.
auto keys_of_sketches(const Matrix<std::uint32_t>& sketches, std::uint32_t bands,
                      std::uint32_t rows) {
    const std::size_t count = sketches.shape(0), values = sketches.shape(1);
    need(bands >= 1 && std::uint64_t{bands} * rows <= values, "bands must fit in the values");
    auto keys = std::make_unique_for_overwrite<std::uint64_t[]>(bands * count);
    {
        const nb::gil_scoped_release unlocked;
        std::vector<std::uint64_t> own(bands);
        Poll poll;
        for (std::size_t i = 0; i < count; ++i) {
            poll();
            band_keys(sketches.data() + i * values, bands, rows, own.data());
            for (std::uint32_t band = 0; band < bands; ++band) keys[band * count + i] = own[band];
        }
    }
    return give(std::move(keys), bands, count);
}

Result<std::uint32_t> copies(const Matrix<std::uint64_t>& digests,
                             const Array<std::uint64_t>& counts) {
    need(digests.shape(1) == 2 && digests.shape(0) == counts.shape(0), "digests must be [n, 2]");
    need_numbers(counts.shape(0));
    std::vector<std::uint32_t> first;
    {
        const nb::gil_scoped_release unlocked;
        std::vector<Digest> pairs(counts.shape(0));
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            pairs[i] = {digests.data()[2 * i], digests.data()[2 * i + 1]};
        }
        first = find_copies(pairs, span_of(counts));
    }
    return give(std::move(first));
}

nb::tuple expanded(const Array<std::uint32_t>& first,
                   const std::optional<Array<std::uint8_t>>& sides, const Array<std::uint32_t>& a,
                   const Array<std::uint32_t>& b, std::uint32_t max_copies) {
    need(a.shape(0) == b.shape(0), "pairs need two documents each");
    const std::size_t documents = first.shape(0);
    const auto firsts = documents_of(first, documents);
    const auto as = documents_of(a, documents), bs = documents_of(b, documents);
    const Sides own_sides(sides, documents);
    ExpandedPairs pairs;
    {
        const nb::gil_scoped_release unlocked;
        pairs = expand_copies(firsts, own_sides.data(), as, bs, max_copies);
    }
    return nb::make_tuple(give(std::move(pairs.a)), give(std::move(pairs.b)),
                          give(std::move(pairs.origin)));
}

nb::tuple candidates(const Matrix<std::uint64_t>& keys, const Array<std::uint32_t>& chosen,
                     const std::optional<Array<std::uint8_t>>& sides, std::uint32_t max_bucket,
                     unsigned threads) {
    const std::size_t documents = keys.shape(1);
    need_numbers(documents);
    const auto looked_at = documents_of(chosen, documents);
    const Sides own_sides(sides, documents);
    Candidates found;
    {
        const nb::gil_scoped_release unlocked;
        found = find_candidates(keys.data(), static_cast<std::uint32_t>(keys.shape(0)), documents,
                                looked_at, own_sides.data(), max_bucket, threads);
    }
    return nb::make_tuple(give(std::move(found.offsets)), give(std::move(found.others)),
                          found.large_buckets, found.set_aside);
}

Measure measure_of(const std::string& name) {
    need(name == "jaccard" || name == "containment", "unknown measure");
    return name == "jaccard" ? Measure::jaccard : Measure::containment;
}

nb::tuple give_pairs(PairColumns&& pairs) {
    return nb::make_tuple(give(std::move(pairs.a)), give(std::move(pairs.b)),
                          give(std::move(pairs.shared)), give(std::move(pairs.size_a)),
                          give(std::move(pairs.size_b)));
}

nb::tuple verify_candidates(const Texts& texts, const Rules& rules,
                            const Array<std::uint64_t>& offsets, const Array<std::uint32_t>& others,
                            std::size_t begin, std::size_t end, const std::string& measure,
                            double threshold, unsigned threads) {
    const Measure compared = measure_of(measure);
    need(offsets.shape(0) == texts.views().size() + 1, "offsets must have documents + 1 entries");
    need(begin <= end && end <= texts.views().size(), "the range of documents is out of bounds");
    // Only what this call reads is copied and checked: a long search makes many calls.
    std::vector<std::uint64_t> places(offsets.data() + begin, offsets.data() + end + 1);
    need(std::is_sorted(places.begin(), places.end()), "offsets must ascend");
    need(places.back() <= others.shape(0), "offsets must end inside the candidates");
    const std::vector<std::uint32_t> named(others.data() + places.front(),
                                           others.data() + places.back());
    check_documents(named, texts.views().size());
    for (std::uint64_t& place : places | std::views::reverse) place -= places.front();
    PairColumns pairs;
    {
        const nb::gil_scoped_release unlocked;
        pairs = verify(texts.views(), rules, static_cast<std::uint32_t>(begin), places, named,
                       compared, threshold, threads);
    }
    return give_pairs(std::move(pairs));
}

Result<std::uint64_t> distinct_counts(const Texts& texts, const Rules& rules,
                                      const Array<std::uint32_t>& chosen, unsigned threads) {
    const auto counted = documents_of(chosen, texts.views().size());
    std::vector<std::uint64_t> counts;
    {
        const nb::gil_scoped_release unlocked;
        counts = count_distinct(texts.views(), rules, counted, threads);
    }
    return give(std::move(counts));
}

nb::tuple join_exactly(const Texts& texts, const Rules& rules, const Array<std::uint32_t>& chosen,
                       const std::optional<Array<std::uint8_t>>& sides, const std::string& measure,
                       double threshold, unsigned threads) {
    const Measure compared = measure_of(measure);
    const auto joined = documents_of(chosen, texts.views().size());
    const Sides own_sides(sides, texts.views().size());
    PairColumns pairs;
    {
        const nb::gil_scoped_release unlocked;
        pairs = exact_join(texts.views(), rules, joined, own_sides.data(), compared, threshold,
                           threads);
    }
    return give_pairs(std::move(pairs));
}

// Elements of all documents, one after another, and where each document's begin.
nb::tuple shingle_hashes(const Texts& texts, const Rules& rules) {
    std::vector<std::uint64_t> hashes, offsets{0};
    {
        const nb::gil_scoped_release unlocked;
        Shingler shingler(rules);
        // Memory that is not written to costs nothing; growing a long list takes it twice.
        hashes.reserve(rules.unit == Unit::word ? texts.bytes() / 2 + texts.views().size()
                                                : texts.bytes());
        for (const auto text : texts.views()) {
            shingler.each(text, [&](const std::uint64_t* chunk, std::size_t count) {
                hashes.insert(hashes.end(), chunk, chunk + count);
            });
            offsets.push_back(hashes.size());
        }
    }
    return nb::make_tuple(give(std::move(hashes)), give(std::move(offsets)));
}

// Hashes of the shingles of one text that has been prepared already.
Result<std::uint64_t> prepared_hashes(const Texts& texts, const Rules& rules) {
    need(texts.views().size() == 1, "one text at a time");
    std::vector<std::uint64_t> hashes;
    {
        const nb::gil_scoped_release unlocked;
        Shingler(rules).collect_prepared(texts.views()[0], hashes);
    }
    return give(std::move(hashes));
}

// Hashes every shingle and does nothing else: the limit that sketching is measured against.
std::uint64_t hash_only(const Texts& texts, const Rules& rules) {
    const nb::gil_scoped_release unlocked;
    Shingler shingler(rules);
    std::uint64_t all = 0;
    for (const auto text : texts.views()) {
        shingler.each(text, [&](const std::uint64_t* chunk, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) all ^= chunk[i];
        });
    }
    return all;
}

nb::str prepared_text(const Texts& texts, const Rules& rules) {
    need(texts.views().size() == 1, "one text at a time");
    Prepared prepared;
    prepare(texts.views()[0], rules, prepared);
    return nb::str(prepared.data(), prepared.size());
}

nb::tuple overlaps_of_shuffled(const Texts& texts, const Rules& rules, const std::string& what,
                               std::optional<std::uint64_t> seed, std::size_t trials,
                               unsigned threads) {
    need(texts.views().size() == 2, "two texts at a time");
    need(what == "words" || what == "letters", "words or letters are shuffled");
    const Shuffled shuffled = what == "words" ? Shuffled::words : Shuffled::letters;
    ShuffledOverlaps found;
    {
        const nb::gil_scoped_release unlocked;
        found = shuffled_overlaps(texts.views()[0], texts.views()[1], rules, shuffled,
                                  seed ? &*seed : nullptr, trials, threads);
    }
    return nb::make_tuple(give(std::move(found.size_a)), give(std::move(found.size_b)),
                          give(std::move(found.shared)));
}

Result<std::uint32_t> clusters(std::size_t documents, const Array<std::uint32_t>& a,
                               const Array<std::uint32_t>& b) {
    need(a.shape(0) == b.shape(0), "pairs need two documents each");
    need_numbers(documents);
    const auto as = documents_of(a, documents), bs = documents_of(b, documents);
    std::vector<std::uint32_t> labels;
    {
        const nb::gil_scoped_release unlocked;
        labels = find_clusters(documents, as, bs);
    }
    return give(std::move(labels));
}

Result<std::uint8_t> kept_of_groups(const Array<std::uint64_t>& offsets,
                                    const Array<std::uint32_t>& neighbours,
                                    const Array<std::uint32_t>& texts,
                                    const Array<std::uint32_t>& groups) {
    const auto starts = copy_of(offsets);
    need_offsets(starts, neighbours.shape(0));
    const auto near = documents_of(neighbours, starts.size() - 1);
    const auto own = documents_of(texts, starts.size() - 1);
    need(groups.shape(0) == own.size(), "each text needs a group");
    const auto of = documents_of(groups, 0xFFFFFFFE);
    std::vector<std::uint8_t> kept;
    {
        const nb::gil_scoped_release unlocked;
        kept = kept_across(starts, near, own, of);
    }
    return give(std::move(kept));
}

constexpr const char* kVectorNames[] = {"none", "avx2", "avx512"};

std::vector<std::string> vector_levels() {
    return {kVectorNames, kVectorNames + static_cast<int>(best_vectors()) + 1};
}

void limit_vectors_to(const std::string& level) {
    for (int i = 0; i < 3; ++i) {
        if (level == kVectorNames[i]) return limit_vectors(static_cast<Vectors>(i));
    }
    throw std::invalid_argument("unknown level of vector instructions");
}

std::pair<double, double> exact_interval(std::uint64_t agreeing, std::uint64_t values,
                                         double level) {
    need(values > 0 && agreeing <= values, "agreeing must be at most the number of values");
    const Interval interval = clopper_pearson(agreeing, values, level);
    return {interval.low, interval.high};
}

}  // namespace
}  // namespace likewise

// Subinterpreters would hang: nanobind keeps its state once per process, and takes the lock of the
// main interpreter. So the module is not even begun there.
#define PyInit__core init_in_main_interpreter

NB_MODULE(_core, m) {
    using namespace likewise;
    check_interruption = [] {
        const nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    };
    m.doc() = "The compiled core of likewise: flat arrays in, flat arrays out.";

    nb::class_<Texts>(m, "Texts", "Many documents as UTF-8.")
        .def_static("from_strings", &Texts::from_strings, "strings"_a, "threads"_a = 1u)
        .def_static("from_buffers", &Texts::from_buffers, "data"_a, "offsets"_a, "wide"_a)
        .def_static("from_file", &read_chosen, "file"_a, "offsets"_a, "chosen"_a)
        .def_static("concatenated", &Texts::concatenated, "parts"_a)
        .def(
            "select",
            [](const Texts& t, const Array<std::uint32_t>& chosen) {
                return t.select(span_of(chosen));
            },
            "chosen"_a)
        .def("__len__", [](const Texts& t) { return t.views().size(); })
        .def_prop_ro("nbytes", &Texts::bytes);

    nb::class_<Rules>(m, "Rules", "How text becomes shingles; made by Profile.")
        .def(
            "__init__",
            [](Rules* self, const std::string& unit, std::uint32_t k, bool fold_case,
               bool strip_accents, bool keep_punctuation, const std::string& spaces,
               bool drop_digits, bool drop_greek, const std::vector<std::string>& stop_words,
               std::uint32_t min_word_length, bool bag, std::uint64_t seed) {
                new (self) Rules(make_rules(unit, k, fold_case, strip_accents, keep_punctuation,
                                            spaces, drop_digits, drop_greek, stop_words,
                                            min_word_length, bag, seed));
            },
            nb::kw_only(), "unit"_a, "k"_a, "fold_case"_a, "strip_accents"_a, "keep_punctuation"_a,
            "spaces"_a, "drop_digits"_a, "drop_greek"_a, "stop_words"_a, "min_word_length"_a,
            "bag"_a, "seed"_a);

    m.def("scan", &scan_texts, "texts"_a, "rules"_a, nb::kw_only(), "values"_a, "bands"_a, "rows"_a,
          "keep_sketches"_a, "threads"_a);
    m.def("band_keys", &keys_of_sketches, "sketches"_a, nb::kw_only(), "bands"_a, "rows"_a);
    m.def("find_copies", &copies, "digests"_a, "counts"_a);
    m.def("expand_copies", &expanded, "first"_a, "sides"_a.none(), "a"_a, "b"_a, nb::kw_only(),
          "max_copies"_a);
    m.def("find_candidates", &candidates, "keys"_a, "chosen"_a, "sides"_a.none(), nb::kw_only(),
          "max_bucket"_a, "threads"_a);
    m.def("verify", &verify_candidates, "texts"_a, "rules"_a, "offsets"_a, "others"_a,
          nb::kw_only(), "begin"_a, "end"_a, "measure"_a, "threshold"_a, "threads"_a);
    m.def("count_distinct", &distinct_counts, "texts"_a, "rules"_a, "chosen"_a, nb::kw_only(),
          "threads"_a);
    m.def("exact_join", &join_exactly, "texts"_a, "rules"_a, "chosen"_a, "sides"_a.none(),
          nb::kw_only(), "measure"_a, "threshold"_a, "threads"_a);
    m.def("shingle_hashes", &shingle_hashes, "texts"_a, "rules"_a);
    m.def("prepared_hashes", &prepared_hashes, "texts"_a, "rules"_a);
    m.def("hash_only", &hash_only, "texts"_a, "rules"_a);
    m.def("prepared_text", &prepared_text, "texts"_a, "rules"_a);
    m.def("shuffled_overlaps", &overlaps_of_shuffled, "texts"_a, "rules"_a, nb::kw_only(), "what"_a,
          "seed"_a.none(), "trials"_a, "threads"_a);
    m.def("find_clusters", &clusters, "documents"_a, "a"_a, "b"_a);
    m.def("kept_across", &kept_of_groups, "offsets"_a, "neighbours"_a, "texts"_a, "groups"_a);
    m.def("clopper_pearson", &exact_interval, "agreeing"_a, "values"_a, "level"_a);
    m.def("vector_levels", &vector_levels);
    m.def("limit_vectors", &limit_vectors_to, "level"_a);
    define_alignment(m);
    define_containment(m);
    define_entries(m);
    define_passages(m);
    define_repeats(m);
}

#undef PyInit__core
extern "C" NB_EXPORT PyObject* PyInit__core() {
    if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
        PyErr_SetString(PyExc_ImportError,
                        "likewise cannot be used in a subinterpreter: use processes or threads");
        return nullptr;
    }
    return init_in_main_interpreter();
}
