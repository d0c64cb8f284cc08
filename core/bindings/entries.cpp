#include "entries.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace likewise {
namespace {

Result<std::uint64_t> merged(const std::vector<Array<std::uint64_t>>& runs,
                             const Array<std::uint8_t>& present) {
    std::vector<std::span<const std::uint64_t>> spans;
    for (const auto& run : runs) spans.push_back(span_of(run));
    std::vector<std::uint64_t> made;
    {
        const nb::gil_scoped_release unlocked;
        made = merge_entries(spans, span_of(present));
    }
    return give(std::move(made));
}

Result<std::uint8_t> filter(const Array<std::uint64_t>& entries, unsigned bits) {
    need(bits >= 3 && bits <= 32, "a filter has 3 to 32 bits");
    std::vector<std::uint8_t> made;
    {
        const nb::gil_scoped_release unlocked;
        made = key_filter(span_of(entries), bits);
    }
    return give(std::move(made));
}

Result<std::uint64_t> made_of(const Array<std::uint64_t>& hashes,
                              const Array<std::uint64_t>& offsets,
                              const Array<std::uint32_t>& common) {
    need_offsets(span_of(offsets), hashes.shape(0));
    need(offsets.shape(0) <= 0xFFFFFFFF, "too many documents");
    std::vector<std::uint64_t> made;
    {
        const nb::gil_scoped_release unlocked;
        made = entries_of_hashes(span_of(hashes), span_of(offsets), span_of(common));
    }
    return give(std::move(made));
}

nb::tuple uncommon(const Array<std::uint64_t>& entries, const Array<std::uint32_t>& common,
                   std::uint64_t most) {
    Uncommon made;
    {
        const nb::gil_scoped_release unlocked;
        made = without_common(span_of(entries), span_of(common), most);
    }
    return nb::make_tuple(give(std::move(made.entries)), give(std::move(made.set_aside)),
                          give(std::move(made.documents)));
}

std::uint64_t keys(const Array<std::uint64_t>& entries) {
    const nb::gil_scoped_release unlocked;
    return count_keys(span_of(entries));
}

std::uint64_t documents(const Array<std::uint64_t>& entries) {
    const nb::gil_scoped_release unlocked;
    return count_documents(span_of(entries));
}

}  // namespace

void define_entries(nb::module_& m) {
    m.def("merge_entries", &merged, "runs"_a, "present"_a);
    m.def("key_filter", &filter, "entries"_a, nb::kw_only(), "bits"_a);
    m.def("entries_of_hashes", &made_of, "hashes"_a, "offsets"_a, "common"_a);
    m.def("without_common", &uncommon, "entries"_a, "common"_a, nb::kw_only(), "most"_a);
    m.def("count_keys", &keys, "entries"_a);
    m.def("count_documents", &documents, "entries"_a);
}

}  // namespace likewise
