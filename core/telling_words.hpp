// The words that may show that two texts are related: their stems, in order.
//
// In scripts without spaces a word is a letter, which is no evidence; there each is combined
// with the next letter.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "placed_words.hpp"

namespace likewise {

// Whether letters of a script without spaces follow each other; if not, stems are used.
bool has_adjoining_letters(const PlacedWords& words);
// Of one text, as many as it has words.
std::vector<std::uint64_t> told_by(const PlacedWords& words);

// Of document i [offsets[i], offsets[i + 1]): as many as it has words.
struct TellingWords {
    std::vector<std::uint64_t> hashes, offsets;
};

// stem_letters as for place_words(), at least 1.
TellingWords telling_words(std::span<const std::string_view> texts, std::uint32_t stem_letters,
                           unsigned threads);

}  // namespace likewise
