// All pairs at or above a threshold, found without a sketch; nothing can be missed.
//
// Elements are ordered from rare to common. Two sets that share enough must share one of the first
// few of each (the prefix), so only those are indexed; sizes, places and a 256-bit parity map rule
// out most of what is left before anything is compared in full. The measure may be Jaccard or
// containment of the smaller set in the larger.
//
// Limitation: the elements of all documents that could be in a pair are kept in memory, 8 bytes
// each, but for those that occur in one document only.
#pragma once

#include <span>
#include <string_view>

#include "pairs.hpp"
#include "rules.hpp"

namespace likewise {

// chosen: the documents to look at, ascending and none empty. Pairs have a < b and come in no
// particular but always the same order.
PairColumns exact_join(std::span<const std::string_view> texts, const Rules& rules,
                       std::span<const std::uint32_t> chosen, const std::uint8_t* sides,
                       Measure measure, double threshold, unsigned threads);

}  // namespace likewise
