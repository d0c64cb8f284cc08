// Documents of a persistent index that share rare words with some part of a text: candidates for
// copies without long runs of equal words. As rare_words.hpp, for one text and looked-up entries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace likewise {

// Documents ascend; for each the evidence of the strongest part of the text, and how many
// different words it shares with that part.
struct PartEvidence {
    std::vector<std::uint32_t> documents, words;
    std::vector<double> evidence;
};

// `keys` are those of the words of the text, in order; it has parts of `length` words, one every
// `stride`, 1 <= stride <= length. `entries` (see entries.hpp), each once and by key, say which
// documents contain which of the keys; words without entries do not count. A word that d of
// `documents` contain has the evidence log(documents / d). Documents below `least` are skipped.
PartEvidence evidence_of_parts(std::span<const std::uint32_t> keys,
                               std::span<const std::uint64_t> entries, std::uint32_t length,
                               std::uint32_t stride, std::uint64_t documents, double least);

}  // namespace likewise
