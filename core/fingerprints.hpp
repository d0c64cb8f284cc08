// Fingerprints of texts by winnowing, and which texts share some.
//
// Of every `window` shingles that follow each other the smallest hash is kept, the last of them if
// several are equal. So two texts that share a run of k + window - 1 words, k being the length of a
// shingle, share a whole window, and with it the fingerprint that was kept of it, wherever in the
// texts the run is. About two of window + 1 shingles are kept.
// (Schleimer, Wilkerson, Aiken: Winnowing, 2003.)
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rules.hpp"

namespace likewise {

// Hashes of document i are [offsets[i], offsets[i + 1]): each once, ascending.
struct Fingerprints {
    std::vector<std::uint64_t> hashes, offsets;
};

// A text with fewer shingles than a window has one fingerprint, an empty one none. window >= 1.
Fingerprints fingerprint(std::span<const std::string_view> texts, const Rules& rules,
                         std::uint32_t window, unsigned threads);

// Of each text every `stride`-th shingle, beginning with the first: a run of k + stride - 1 words
// contains one of them, so that a search for all shingles of another text finds every such run that
// it shares. Fewer than winnowing keeps, if one side can be looked up in full. stride >= 1.
Fingerprints sample_shingles(std::span<const std::string_view> texts, const Rules& rules,
                             std::uint32_t stride, unsigned threads);

// Pairs a < b of documents, ordered, and how many fingerprints they share; with sides (kLeft or
// kRight, see candidates.hpp) only those between the two.
struct SharedFingerprints {
    std::vector<std::uint32_t> a, b, shared;
    std::uint64_t set_aside = 0;  // different ones that too many documents have, of both sides
};

// A fingerprint in more than `most_documents` documents makes no pairs.
SharedFingerprints share_fingerprints(std::span<const std::uint64_t> hashes,
                                      std::span<const std::uint64_t> offsets,
                                      const std::uint8_t* sides, std::uint32_t most_documents,
                                      unsigned threads);

}  // namespace likewise
