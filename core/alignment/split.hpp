// Passages that were taken for one because they stand side by side in one of the texts.
#pragma once

#include <vector>

#include "alignment/fragments.hpp"

namespace likewise {

// The parts of a fragment that stand apart in one of the texts, with tight ends where their words
// are copied one after another; the fragment itself where there is nothing to part. A part that is
// too little to be a passage is left out, if another one is enough.
std::vector<Fragment> split_at_holes(const WordSequence& a, const WordSequence& b,
                                     const Fragment& fragment, std::uint32_t least_run,
                                     double least_evidence);

}  // namespace likewise
