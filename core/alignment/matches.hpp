// Which words of two stretches are the same word, one to one.
#pragma once

#include <vector>

#include "alignment/texts.hpp"

namespace likewise {

// Equal words of the two ranges paired one to one, as runs by their place in a. Long runs are
// paired first, and then words at the positions that the runs around them suggest, so
// that a word like "the" is not paired with any other far away. About linear.
std::vector<Run> match_words(const WordSequence& a, const WordSequence& b, Range in_a, Range in_b);

// Words of all runs together.
std::uint32_t words_of(const std::vector<Run>& matches);

}  // namespace likewise
