// How the words of a fragment match, one to one.
#pragma once

#include "alignment.hpp"

namespace likewise {

// Fills in shared, in_order, adjacent and run. Words are paired by what follows and precedes them,
// then in the order of the text. About linear.
void match_words(const WordSequence& a, const WordSequence& b, Fragment& fragment);

}  // namespace likewise
