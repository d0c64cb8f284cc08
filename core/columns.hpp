// Columns of words that several texts have in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace likewise {

// A run of equal words: words are numbered over all texts, one text after the other.
struct WordRuns {
    std::span<const std::uint32_t> a, b, lengths;
};

// For each word the smallest word of its column, itself if it is alone.
//
// `parts` has the part of each word. A run joins its words one to one, and what is joined already
// is joined as a whole, unless the column would then have two words of one part. Earlier runs come
// first, so the most reliable ones are given first. Every run must lie within the words.
std::vector<std::uint32_t> align_columns(std::span<const std::uint32_t> parts,
                                         const WordRuns& runs);

}  // namespace likewise
