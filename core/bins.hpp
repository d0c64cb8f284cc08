// Round 0 of a sketch with a power of two of values: the top bits of a hash choose the bin, the
// next 31 are the value, each bin keeps its minimum. Apart from the sketch so that the hash loops
// can do it while a hash is still in a register.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu.hpp"

namespace likewise {

struct Bins {
    std::uint32_t* values;
    unsigned bits;  // log2 of their number, 1 or more

    LIKEWISE_INLINE void put(std::uint64_t hash) const {
        std::uint32_t& to = values[hash >> (64 - bits)];
        to = std::min(to, static_cast<std::uint32_t>((hash << bits) >> 33));
    }
};

struct NoBins {
    LIKEWISE_INLINE void put(std::uint64_t) const {}
};

}  // namespace likewise
