// How much two texts share when their words, or their letters, are in random order: what chance
// alone would give them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rules.hpp"

namespace likewise {

enum class Shuffled : std::uint8_t { words, letters };

struct ShuffledOverlaps {
    std::vector<std::uint64_t> size_a, size_b, shared;  // one of each a trial
};

// Both texts are shuffled again for each trial and split by the rules; trial t depends on the
// seed and t alone. Spaces stay where they are: words change places with words, and letters (all
// that is not a space) with letters. A word is one of Unit::word; in Unit::character it is the text
// between spaces, and in scripts without spaces each letter with its marks. With `seed`
// absent nothing is shuffled, and there is one trial: the texts as they are.
ShuffledOverlaps shuffled_overlaps(std::string_view a, std::string_view b, const Rules& rules,
                                   Shuffled what, const std::uint64_t* seed, std::size_t trials,
                                   unsigned threads);

}  // namespace likewise
