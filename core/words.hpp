// Where the words of a text begin and end, found 64 bytes at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rules.hpp"

namespace likewise {

// Bytes that a kernel may read after the end of its copy of a text.
inline constexpr std::size_t kPadding = 64;

// What a byte is. Two kinds of text are cut: raw ASCII, by the rules of a profile, and text that
// prepare() has written, where a space alone separates.
struct ByteClasses {
    std::array<bool, 256> word{};
    std::array<std::uint8_t, 16>
        low_nibble{};        // for ASCII: bit h is set if byte (h, low) is a word byte
    std::uint8_t lower = 0;  // OR-ed onto word bytes: 0x20 folds ASCII letters
    bool spaces_only = false;

    static ByteClasses of_ascii(const Rules& rules);
    static ByteClasses of_prepared();
};

// Throws if positions in a text, or in one word, do not fit in 32 bits.
void check_size(std::size_t bytes);

bool is_ascii(const char* text, std::size_t size);

// Writes the text, case folded, to `copy` (room for size + kPadding) and the places where words
// begin and end, in turn, to `edges` (room for size + kPadding). Gives the number of edges, which
// is even. The content of `copy` between words is undefined.
std::size_t find_edges(const char* text, std::size_t size, const ByteClasses& classes, char* copy,
                       std::uint32_t* edges);

// Writes the words of a raw ASCII text joined by single spaces, or by nothing, to `out` (room for
// size + kPadding) and gives the number of bytes written.
std::size_t join_words(const char* text, std::size_t size, const ByteClasses& classes,
                       bool with_spaces, char* out);

}  // namespace likewise
