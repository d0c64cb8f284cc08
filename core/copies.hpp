// Exact duplicates: found by digest, collapsed before the search, expanded after it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sketch.hpp"

namespace likewise {

// first[i] is the smallest document with the same elements as document i, i itself if there is
// none before it. Empty documents (count 0) are not copies.
std::vector<std::uint32_t> find_copies(std::span<const Digest> digests,
                                       std::span<const std::uint64_t> counts);

// Pairs of documents, and for each the number of the pair of firsts that it comes from.
struct ExpandedPairs {
    std::vector<std::uint32_t> a, b;
    std::vector<std::uint64_t> origin;
};

// Pairs (a, b) of firsts to pairs of all their copies. Origins below a.size() are numbers of those
// pairs; a.size() + i means two copies of document i. A group with more than max_copies copies
// (on one side, if there are two) is represented by its first document in pairs with others, and
// inside it every copy is paired with the first only. With sides, a is from the left collection
// and b from the right one; without, a < b.
ExpandedPairs expand_copies(std::span<const std::uint32_t> first, const std::uint8_t* sides,
                            std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                            std::uint32_t max_copies);

}  // namespace likewise
