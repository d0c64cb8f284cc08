// Splits passages that were merged because they are side by side in one of the texts.
#pragma once

#include <vector>

#include "alignment/fragments.hpp"

namespace likewise {

// The parts of a fragment that are apart in one of the texts, with tight ends where their words
// are copied one after another; the fragment itself where there is nothing to part. A part that is
// too short to be a passage is dropped, if another one is long enough.
std::vector<Fragment> split_at_holes(const WordSequence& a, const WordSequence& b,
                                     const Fragment& fragment, std::uint32_t least_run,
                                     double least_evidence);

}  // namespace likewise
