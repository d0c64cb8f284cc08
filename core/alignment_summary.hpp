// Copies that take their words from all over the other text.
#pragma once

#include <vector>

#include "alignment_texts.hpp"

namespace likewise {

// Adds the stretch of a that sums up b, if there is one, in place of the fragments in it.
void add_summary(const Texts2& texts, const AlignmentSettings& settings,
                 std::vector<Fragment>& fragments);

}  // namespace likewise
