// Documents that share rare words in one place: candidates for copies without long runs of equal
// words, such as edited, shuffled, translated or summarised ones.
//
// Texts come in parts of some hundred words. A word that d of n documents hold speaks for a pair of
// parts that share it with log(n / d); the pair with the highest sum speaks for its documents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace likewise {

struct WordParts {
    std::vector<std::uint64_t> hashes;     // of the words of each part: once each, ascending
    std::vector<std::uint64_t> offsets;    // parts + 1
    std::vector<std::uint32_t> documents;  // of each part, ascending
    std::uint32_t count = 0;               // of documents
};

// Parts of `length` words, one every `stride`; the last of a document may be shorter. Document i
// has the words [offsets[i], offsets[i + 1]). 1 <= stride <= length.
WordParts cut_parts(std::span<const std::uint64_t> words, std::span<const std::uint64_t> offsets,
                    std::uint32_t length, std::uint32_t stride);

// Pairs a < b of documents, ordered, with the evidence of their best pair of parts.
struct SharedWords {
    std::vector<std::uint32_t> a, b;
    std::vector<double> evidence;
};

// Words that more than `most_documents` hold are not rare and count nothing. With sides only pairs
// between the two, see candidates.hpp.
SharedWords share_words(const WordParts& parts, const std::uint8_t* sides,
                        std::uint32_t most_documents, double least_evidence, unsigned threads);

}  // namespace likewise
