// Candidates to pairs: the exact similarity on the full sets of shingles.
#pragma once

#include <span>
#include <string_view>

#include "candidates.hpp"
#include "pairs.hpp"
#include "rules.hpp"

namespace likewise {

// Those of the candidates that reach the threshold, in the order of the lists: by their Jaccard
// similarity, or by the containment of the other document in the first. Document first + i is
// compared with others[offsets[i] .. offsets[i + 1]).
PairColumns verify(std::span<const std::string_view> texts, const Rules& rules, std::uint32_t first,
                   std::span<const std::uint64_t> offsets, std::span<const std::uint32_t> others,
                   Measure measure, double threshold, unsigned threads);

// Number of distinct elements of each chosen document.
std::vector<std::uint64_t> count_distinct(std::span<const std::string_view> texts,
                                          const Rules& rules, std::span<const std::uint32_t> chosen,
                                          unsigned threads);

}  // namespace likewise
