// Words of ASCII and of common letters of two bytes, found without preparing the text.
#pragma once

#include <cstddef>
#include <cstdint>

#include "words.hpp"

namespace likewise {

// As find_edges() with the classes of raw ASCII, for text that also has the letters of U+00C0 to
// U+00FF, U+0152, U+0153 and U+0410 to U+045F, with few exceptions, and common punctuation. Gives
// kUnknown where there is anything else, or no vector instructions: then prepare() has to do it.
inline constexpr std::size_t kUnknown = ~std::size_t{0};
std::size_t find_letter_edges(const char* text, std::size_t size, const ByteClasses& classes,
                              char* copy, std::uint32_t* edges);

}  // namespace likewise
