// Documents that share rare words in one place: candidates for copies without long runs of equal
// words, such as edited, shuffled, translated or summarised ones.
//
// Texts are split into parts of a few hundred words. A word that d of n documents contain gives a
// pair of parts that share it the evidence log(n / d); the pair with the highest sum counts for its
// documents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collection_words.hpp"

namespace likewise {

struct RareWordSettings {
    std::uint32_t length, stride;   // of parts, in words; the last may be shorter. stride <= length
    std::uint32_t most_documents;   // a word that more hold is not rare, and counts nothing
    double least_evidence;          // above 0
    std::uint32_t most_candidates;  // of a document, those with the most evidence
};

// What sharing a word is worth that `holders` of the documents contain.
double worth_of(std::uint64_t documents, std::uint64_t holders);

// Parts of documents, in the order of these, by their rare words.
struct Parts {
    std::vector<std::uint32_t> words;      // of each part: once each, ascending
    std::vector<std::uint64_t> offsets;    // parts + 1
    std::vector<std::uint32_t> documents;  // of each part
    std::vector<std::uint32_t> firsts;     // part of each document; documents + 1

    std::size_t size() const { return documents.size(); }
    std::span<const std::uint32_t> of(std::size_t part) const {
        return {words.data() + offsets[part], offsets[part + 1] - offsets[part]};
    }
};

// Pairs a < b of documents, ordered, with the evidence of their best pair of parts. Each is among
// the best of at least one of its two documents.
struct SharedWords {
    std::vector<std::uint32_t> a, b;
    std::vector<double> evidence;
};

// With sides only pairs between the two (see candidates.hpp). Documents that are on both, if there
// are any, come before all others, and these are on the right.
SharedWords share_words(const CollectionWords& words, const std::uint8_t* sides,
                        const RareWordSettings& settings, unsigned threads);

// The same for parts that are cut already; `worths` are those of all words.
SharedWords share_parts(const Parts& parts, std::span<const double> worths,
                        const std::uint8_t* sides, double least_evidence,
                        std::uint32_t most_candidates, unsigned threads);

}  // namespace likewise
