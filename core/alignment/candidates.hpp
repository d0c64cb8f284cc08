// Where to look: pairs of stretches whose words have more in common than chance would give.
#pragma once

#include <span>
#include <vector>

#include "alignment/texts.hpp"
#include "runs.hpp"

namespace likewise {

struct RangePair {
    Range a, b;
};

// Compares windows of b with all of a, except long runs of equal words; stretches that are linked
// on both sides are one candidate. Work is at most linear in the number of windows times
// settings.window_budget, and so is the number of candidates in that of windows.
std::vector<RangePair> find_range_pairs(const Texts2& texts, std::span<const Run> runs,
                                        const AlignmentSettings& settings);

}  // namespace likewise
