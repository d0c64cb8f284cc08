// Where to look: pairs of stretches whose words have more in common than chance would give.
#pragma once

#include <vector>

#include "alignment_texts.hpp"

namespace likewise {

struct RangePair {
    Range a, b;
};

// Windows of b against all of a; what hangs together on both sides is one candidate. Work is at
// most linear in the number of windows times settings.window_budget.
std::vector<RangePair> find_range_pairs(const Texts2& texts, const AlignmentSettings& settings);

}  // namespace likewise
