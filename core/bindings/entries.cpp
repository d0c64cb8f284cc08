#include "entries.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "part_evidence.hpp"

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

Result<std::uint8_t> bloom(const Array<std::uint64_t>& entries, unsigned bits, unsigned skip) {
    need(skip <= bits && bits <= 23, "a filter has 1 to 2^23 blocks");
    std::vector<std::uint8_t> made;
    {
        const nb::gil_scoped_release unlocked;
        made = bloom_filter(span_of(entries), bits, skip);
    }
    return give(std::move(made));
}

Result<std::uint32_t> in_bloom(const Array<std::uint8_t>& filter, const Array<std::uint32_t>& keys,
                               unsigned bits) {
    need(bits <= 23 && filter.shape(0) == std::size_t{64} << bits, "a filter has 2^bits blocks");
    return give(keys_in_bloom(span_of(filter), bits, span_of(keys)));
}

Result<std::uint64_t> made_of(const Array<std::uint64_t>& hashes,
                              const Array<std::uint64_t>& offsets,
                              const Array<std::uint32_t>& common) {
    const auto places = copy_of(offsets);
    need_offsets(places, hashes.shape(0));
    need(places.size() <= 0xFFFFFFFF, "too many documents");
    std::vector<std::uint64_t> made;
    {
        const nb::gil_scoped_release unlocked;
        made = entries_of_hashes(span_of(hashes), places, span_of(common));
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

nb::tuple held(const Array<std::uint64_t>& buckets, const Array<std::uint32_t>& keys) {
    Held made;
    {
        const nb::gil_scoped_release unlocked;
        made = entries_of_keys(span_of(buckets), span_of(keys));
    }
    return nb::make_tuple(give(std::move(made.entries)), give(std::move(made.counts)));
}

nb::tuple parts(const Array<std::uint32_t>& keys, const Array<std::uint64_t>& entries,
                std::uint32_t length, std::uint32_t stride, std::uint64_t documents, double least) {
    need(stride >= 1 && stride <= length, "a stride is at most as long as a part");
    need(documents >= 1, "entries are of documents");
    need(entries.shape(0) < 0xFFFFFFFF, "too many entries");
    PartEvidence made;
    {
        const nb::gil_scoped_release unlocked;
        made = evidence_of_parts(span_of(keys), span_of(entries), length, stride, documents, least);
    }
    return nb::make_tuple(give(std::move(made.documents)), give(std::move(made.words)),
                          give(std::move(made.evidence)));
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
    m.def("bloom_filter", &bloom, "entries"_a, nb::kw_only(), "bits"_a, "skip"_a);
    m.def("keys_in_bloom", &in_bloom, "filter"_a, "keys"_a, nb::kw_only(), "bits"_a);
    m.def("entries_of_hashes", &made_of, "hashes"_a, "offsets"_a, "common"_a);
    m.def("without_common", &uncommon, "entries"_a, "common"_a, nb::kw_only(), "most"_a);
    m.def("entries_of_keys", &held, "buckets"_a, "keys"_a);
    m.def("evidence_of_parts", &parts, "keys"_a, "entries"_a, nb::kw_only(), "length"_a, "stride"_a,
          "documents"_a, "least"_a);
    m.def("count_keys", &keys, "entries"_a);
    m.def("count_documents", &documents, "entries"_a);
}

}  // namespace likewise
