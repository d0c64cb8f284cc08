// Strings of fixed-width characters, as Python stores them, to UTF-8.
#pragma once

#include <cstddef>

namespace likewise {

// Code points of 1, 2 or 4 bytes each. A lone surrogate is written as U+FFFD.
struct FixedWidth {
    const void* data;
    std::size_t length;
    unsigned width;
};

std::size_t utf8_size(const FixedWidth& string);

// Writes exactly utf8_size(string) bytes.
void write_utf8(const FixedWidth& string, char* to);

}  // namespace likewise
