// One pass over texts: sketches, band keys, digests and counts of many documents.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "rules.hpp"
#include "sketch.hpp"

namespace likewise {

struct ScanOutput {
    Digest* digests = nullptr;          // [documents]
    std::uint64_t* counts = nullptr;    // [documents], shingles with repeats; 0 for an empty one
    std::uint32_t* sketches = nullptr;  // [documents][values], or null
    std::uint64_t* keys = nullptr;      // [bands][documents], or null
};

// Without sketches and keys, only digests and counts are computed.
void scan(std::span<const std::string_view> texts, const Rules& rules, std::uint32_t values,
          std::uint32_t bands, std::uint32_t rows, const ScanOutput& out, unsigned threads);

}  // namespace likewise
