// Runs of equal words that two texts share. Words are numbers of one vocabulary.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace likewise {

// Words [a, a + words) of one text are words [b, b + words) of the other.
struct Run {
    std::uint32_t a, b, words;
};

// The runs of at least `least` equal words that cannot be made longer, by their place in a, then in
// b. Every such run is found, but for stretches that occur many times in b: of those, a word of a
// is matched with the first few places only, and only if no other run contains it already. So the
// time is that of reading both texts, whatever they are.
std::vector<Run> common_runs(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                             std::uint32_t least);

}  // namespace likewise
