// Where two texts have nearly the same letters, whatever their words: in a scan, words are misread,
// joined and torn apart, and old prints spell them in other ways.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runs.hpp"

namespace likewise {

// The letters of some words in a row, without spaces and punctuation: word w has those from
// begins[w] to begins[w + 1] of `letters`, which may have those of other words around them.
struct Spelling {
    std::span<const std::uint32_t> letters;
    std::span<const std::uint32_t> begins;  // words + 1

    std::span<const std::uint32_t> all() const {
        return letters.subspan(begins.front(), begins.back() - begins.front());
    }
    std::span<const std::uint32_t> word(std::uint32_t w) const {
        return letters.subspan(begins[w], begins[w + 1] - begins[w]);
    }
};

struct LetterAlignment {
    std::int32_t score;      // 2 for each equal letter, -3 for each other one
    std::vector<Run> equal;  // equal letters in the same order on both sides, at least one run
};

// Alignments with more score than unrelated texts of these lengths have, the best first. They begin
// at short runs of equal letters close to each other; runs that a text repeats often are no place
// to begin. Time is linear in the letters of both.
std::vector<LetterAlignment> align_letters(const Spelling& a, const Spelling& b);

}  // namespace likewise
