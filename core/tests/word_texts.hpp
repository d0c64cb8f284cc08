// Texts of random words as the alignment takes them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/align.hpp"
#include "check.hpp"

namespace word_texts {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kVocabulary = 5000;
constexpr std::uint8_t kLetters = 6;  // of a word, where nothing else is said

// Some words are a thousand times as common as others.
inline Words text_of(check::Random& random, std::size_t size) {
    Words words(size);
    for (auto& word : words) {
        word =
            static_cast<std::uint32_t>(check::below(random, 1 + check::below(random, kVocabulary)));
    }
    return words;
}

// One text in memory of exactly its size.
struct Sequence {
    check::ExactCopy<std::uint32_t> words;
    std::vector<likewise::Gap> gaps;
    check::ExactCopy<std::uint8_t> letters;

    explicit Sequence(const Words& from, std::uint8_t letters_each = kLetters)
        : words(from.data(), from.size()),
          gaps(from.size() + 1, likewise::Gap::none),
          letters(std::vector<std::uint8_t>(from.size(), letters_each).data(), from.size()) {
        gaps.front() = gaps.back() = likewise::Gap::edge;
    }
    likewise::WordSequence view() const {
        const std::span<const std::uint32_t> all(words.data(), words.size());
        return {all, all, gaps, {letters.data(), letters.size()}};
    }
};

struct Pair {
    Sequence a, b;
    std::vector<double> rates = std::vector<double>(kVocabulary, 1.0 / kVocabulary);

    Pair(const Words& first, const Words& second, std::uint8_t letters = kLetters)
        : a(first, letters), b(second, letters) {}
    std::vector<likewise::AlignedPassage> aligned(
        const likewise::AlignmentSettings& settings = {}) const {
        return likewise::align(a.view(), b.view(), rates, settings);
    }
};

}  // namespace word_texts
