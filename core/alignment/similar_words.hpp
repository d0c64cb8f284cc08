// Words that are spelled in other ways, or misread, where all around them the letters are the same.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/align.hpp"
#include "alignment/letters.hpp"

namespace likewise {

// Whether at least three fifths of the letters of the longer word are in the other one too, in the
// same order.
bool are_similar(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y);

// Two texts with similar words of aligned letters replaced by the more frequent of the two.
struct Respelled {
    std::vector<std::uint32_t> a_words, a_forms, b_words, b_forms;
    std::vector<LetterAlignment> alignments;
};
Respelled respell(const WordSequence& a, const Spelling& in_a, const WordSequence& b,
                  const Spelling& in_b);

// Drops matches of different words that are not similar: some words are similar to a third one.
// What stays are runs of equal words and runs of similar words.
void keep_similar(std::vector<Run>& matches, const WordSequence& a, const Spelling& in_a,
                  const WordSequence& b, const Spelling& in_b);

}  // namespace likewise
