// Which of many documents may contain one of many short texts, the items, whole or in part.
//
// Every shingle of a document is looked up among those of all items. Shingles of an item have a
// weight, and a document is a candidate for the item if those that it contains within a stretch
// weigh enough together. Stretches are neighbouring blocks of the document, so that one pass and a
// few numbers per item are enough, however long the document is.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rules.hpp"

namespace likewise {

// Documents and items, ordered, and how many shingles each document has.
struct ItemCandidates {
    std::vector<std::uint32_t> documents, items;
    std::vector<std::uint32_t> shingles;
};

class ItemGrams {
  public:
    // Gram i (ascending hashes, each once) is in items[offsets[i]] to items[offsets[i + 1]] and has
    // weights[i]. Item j is found if grams of needs[j] in all are within reaches[j] shingles of
    // each other, and maybe if they are within twice as many. needs and reaches are at least 1.
    ItemGrams(std::span<const std::uint64_t> grams, std::vector<std::uint64_t> offsets,
              std::vector<std::uint32_t> items, std::vector<std::uint32_t> weights,
              std::vector<std::uint32_t> needs, std::vector<std::uint32_t> reaches);

    ItemCandidates find(std::span<const std::string_view> texts, const Rules& rules,
                        unsigned threads) const;

    std::size_t items() const { return needs_.size(); }

  private:
    struct Tally;

    void find_in(std::span<const std::uint64_t> hashes, Tally& tally,
                 std::vector<std::uint32_t>& found) const;
    std::size_t slot_of(std::uint64_t hash) const;

    struct Slot {
        std::uint64_t hash;
        std::uint32_t gram;  // its number and 1 more; 0 is free
    };
    std::vector<Slot> slots_;
    std::vector<std::uint64_t> seen_;  // a bit for some bits of each hash: most lookups end here
    std::vector<std::uint64_t> offsets_;
    std::vector<std::uint32_t> items_, weights_, needs_, reaches_;
};

}  // namespace likewise
