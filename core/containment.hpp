// Candidates for containment: documents a share of whose elements, at least the threshold, may be
// in another one. Texts go through it in batches and are not kept.
//
// First all elements are counted, approximately. If most of a document is in another, some of its
// rarest elements are: only these are indexed, and all elements of the others are looked up. An
// element that too many documents have (boilerplate) is not indexed; a document that has enough of
// the others misses no container by that. One that consists of boilerplate is compared with the
// documents that have a quarter of its other elements, and with the largest that have its
// boilerplate.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rules.hpp"

namespace likewise {

struct ContainmentSettings {
    double threshold;
    std::uint32_t max_documents;  // an element of more is boilerplate; at most 65,534 counts
    unsigned count_bits;          // 2^bits counters: what is found depends on them
    unsigned repeat_bits;         // 2^bits places that tell repeated elements: how fast it is does
    bool sided;                   // documents are looked for in others, and not in each other
};

class ContainmentJoin {
  public:
    static constexpr std::size_t kHubs = 8;         // documents compared for the sake of an element
    static constexpr std::size_t kHubElements = 4;  // of a document that is boilerplate

    ContainmentJoin(const Rules& rules, const ContainmentSettings& settings);

    // All texts of both sides, once, before all else.
    void count(std::span<const std::string_view> texts, unsigned threads);

    // Documents to be found in others, some at a time; what the index of them takes of memory.
    void add(std::span<const std::string_view> texts, std::span<const std::uint32_t> numbers,
             unsigned threads);
    std::uint64_t bytes() const;

    // Documents that may contain those in the index: candidates as container << 32 | contained.
    // Without sides, the container is the larger, or of equal ones that of the smaller number.
    std::vector<std::uint64_t> probe(std::span<const std::string_view> texts,
                                     std::span<const std::uint32_t> numbers, unsigned threads);

    // Once all have been through probe(): candidates for the sake of boilerplate, and the numbers
    // of the documents that consist of it. The index is empty then.
    std::vector<std::uint64_t> finish(std::vector<std::uint32_t>& boilerplate);

  private:
    struct Document {
        std::uint32_t number, needed;  // how many elements of the index a container has at least
        std::uint64_t size;
    };
    struct Entry {
        std::uint64_t element;
        std::uint32_t document;  // its place in documents_
    };
    struct HubElement {
        std::uint64_t element;
        std::uint32_t document;
    };
    struct Hub {
        std::uint64_t size;
        std::uint32_t number;
        bool before(const Hub& other) const {
            return size != other.size ? size > other.size : number < other.number;
        }
    };
    struct Piece;
    struct Prober;

    std::size_t counter_of(std::uint64_t element) const { return element >> 8 & count_mask_; }
    std::size_t place_of(std::uint64_t element) const { return element >> 12 & repeat_mask_; }
    bool repeated(std::uint64_t element) const;
    bool is_boilerplate(std::uint64_t element) const {
        return counts_[counter_of(element)] > settings_.max_documents;
    }
    void add_one(const std::vector<std::uint64_t>& distinct, std::uint32_t number,
                 std::vector<std::pair<std::uint16_t, std::uint64_t>>& ranked, Piece& piece) const;
    void build();
    std::span<const Entry> entries_of(std::uint64_t element) const;
    void probe_one(Prober& prober, const std::vector<std::uint64_t>& distinct, std::uint32_t number,
                   std::vector<std::uint64_t>& out);
    bool may_contain(const Hub& container, const Document& contained) const;
    void remember_hub(std::size_t place, const Hub& hub);

    const Rules rules_;
    const ContainmentSettings settings_;
    const std::uint64_t count_mask_, repeat_mask_;
    std::vector<std::uint16_t> counts_;   // documents that have an element, up to 65,535
    std::vector<std::uint64_t> repeats_;  // two bits each: once, and twice or more

    bool built_ = false;
    std::vector<Document> documents_;
    std::vector<Entry> entries_;         // by element, then by document
    std::vector<std::uint64_t> starts_;  // by the leading bits of elements
    unsigned shift_ = 0;
    std::vector<std::uint32_t> boilerplate_;    // places in documents_
    std::vector<HubElement> hub_elements_;      // by element
    std::vector<std::uint64_t> hub_keys_;       // their elements, each once, ascending
    std::vector<std::array<Hub, kHubs>> hubs_;  // of each, the first before the others
};

}  // namespace likewise
