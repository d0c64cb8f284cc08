// Sorts very many well-mixed 64-bit numbers, and can be interrupted.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "interruption.hpp"

namespace likewise {

// By the top byte in place, then each of the 256 parts on its own.
inline void sort_hashes(std::vector<std::uint64_t>& hashes) {
    constexpr std::size_t kParts = 256, kLong = 1 << 20;
    Poll poll;
    const auto part_of = [](std::uint64_t hash) { return static_cast<std::size_t>(hash >> 56); };
    std::array<std::size_t, kParts + 1> starts{};
    for (const std::uint64_t hash : hashes) {
        poll();
        ++starts[part_of(hash) + 1];
    }
    for (std::size_t part = 0; part < kParts; ++part) starts[part + 1] += starts[part];
    std::array<std::size_t, kParts> next;
    std::copy_n(starts.begin(), kParts, next.begin());
    for (std::size_t part = 0; part < kParts; ++part) {
        while (next[part] < starts[part + 1]) {
            poll();
            std::uint64_t& here = hashes[next[part]];
            const std::size_t home = part_of(here);
            if (home == part) {
                ++next[part];
            } else {
                std::swap(here, hashes[next[home]++]);
            }
        }
    }
    for (std::size_t part = 0; part < kParts; ++part) {
        poll_interruption();
        const auto begin = hashes.begin() + static_cast<std::ptrdiff_t>(starts[part]);
        const auto end = hashes.begin() + static_cast<std::ptrdiff_t>(starts[part + 1]);
        if (starts[part + 1] - starts[part] < kLong) {
            std::sort(begin, end);
        } else {  // not mixed at all: the same hash very many times
            std::sort(begin, end, polling(poll, std::less()));
        }
    }
}

}  // namespace likewise
