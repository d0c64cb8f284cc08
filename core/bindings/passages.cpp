// What finds copied passages, as Python sees it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "arrays.hpp"
#include "fingerprints.hpp"
#include "runs.hpp"
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

nb::tuple shared_of(const Array<std::uint64_t>& hashes, const Array<std::uint64_t>& offsets,
                    const std::optional<Array<std::uint8_t>>& sides, std::uint32_t most_documents,
                    unsigned threads) {
    const auto ends = span_of(offsets);
    need(!ends.empty() && ends.front() == 0 && ends.back() == hashes.shape(0),
         "offsets must begin with 0 and end with the number of hashes");
    need(std::is_sorted(ends.begin(), ends.end()), "offsets must ascend");
    need(!sides || sides->shape(0) + 1 == ends.size(), "sides must have one entry a document");
    SharedFingerprints made;
    {
        const nb::gil_scoped_release unlocked;
        made = share_fingerprints(span_of(hashes), ends, sides ? sides->data() : nullptr,
                                  most_documents, threads);
    }
    return nb::make_tuple(give(std::move(made.a)), give(std::move(made.b)),
                          give(std::move(made.shared)), made.set_aside);
}

ResultMatrix<std::uint32_t> runs_of(const Array<std::uint64_t>& a, const Array<std::uint64_t>& b,
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

}  // namespace

void define_passages(nb::module_& m) {
    m.def("fingerprints", &fingerprints_of, "texts"_a, "rules"_a, nb::kw_only(), "window"_a,
          "threads"_a);
    m.def("share_fingerprints", &shared_of, "hashes"_a, "offsets"_a, "sides"_a.none(),
          nb::kw_only(), "most_documents"_a, "threads"_a);
    m.def("common_runs", &runs_of, "a"_a, "b"_a, nb::kw_only(), "least"_a);
}

}  // namespace likewise
