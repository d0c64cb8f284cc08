// Documents that agree in at least one band.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace likewise {

// Which of two collections a document, or one of its exact copies, belongs to.
inline constexpr std::uint8_t kLeft = 1, kRight = 2;

// May a pair of documents be reported? Inside one collection always (sides is null).
inline bool sides_meet(const std::uint8_t* sides, std::uint32_t a, std::uint32_t b) {
    if (sides == nullptr) return true;
    return ((sides[a] & kLeft) && (sides[b] & kRight)) ||
           ((sides[a] & kRight) && (sides[b] & kLeft));
}

// Pairs as lists: document a is to be compared with others[offsets[a] .. offsets[a + 1]), all
// larger than a and ascending.
struct Candidates {
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> others;
    std::uint64_t large_buckets = 0;  // with more documents than max_bucket
    std::uint64_t set_aside = 0;      // pairs in those that were not taken
};

// keys: bands rows of `documents` columns. chosen: the documents to look at, ascending. In a bucket
// of more than max_bucket documents each one is paired with the first kHubs and with the kHubs
// before it, which keeps the bucket connected; skipped pairs are counted.
Candidates find_candidates(const std::uint64_t* keys, std::uint32_t bands, std::size_t documents,
                           std::span<const std::uint32_t> chosen, const std::uint8_t* sides,
                           std::uint32_t max_bucket, unsigned threads);

inline constexpr std::size_t kHubs = 8;

}  // namespace likewise
