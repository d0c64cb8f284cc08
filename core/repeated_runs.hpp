// Runs of words that come again, in other texts or in the same one, and what to cut of them.
//
// A run of N words is a window. Of the shingles in each window the smallest is its fingerprint, so
// equal windows have equal fingerprints (winnowing, see fingerprints.hpp). First the fingerprints
// of all texts are collected; those that come more than once go into a filter; and only windows
// whose fingerprint is in it are digested and compared.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace likewise {

// How long a window is, in words, and a shingle in it: 1 <= shingle <= window.
struct Windows {
    std::uint32_t words, shingle;
};

// Bits for hashes: never denies one that was added, and rarely confirms another.
class HashFilter {
  public:
    // 2^bits bits, from 6 to 48.
    explicit HashFilter(unsigned bits);

    void add(std::span<const std::uint64_t> hashes);
    bool may_contain(std::uint64_t hash) const {
        const std::uint64_t bits = bits_of(hash);
        return (cells_[cell_of(hash)] & bits) == bits;
    }

  private:
    std::size_t cell_of(std::uint64_t hash) const { return hash >> shift_ >> 1; }
    static std::uint64_t bits_of(std::uint64_t hash) {
        return std::uint64_t{1} << (hash & 63) | std::uint64_t{1} << (hash >> 6 & 63);
    }

    unsigned shift_;
    std::vector<std::uint64_t> cells_;
};

struct WindowFingerprints {
    std::vector<std::uint64_t> hashes;  // once for each place of a text that has it
    std::vector<std::uint32_t> words;   // of each text
};

WindowFingerprints fingerprint_windows(std::span<const std::string_view> texts, Windows windows,
                                       unsigned threads);

// By text, then by the first word.
struct DigestedWindows {
    std::vector<std::uint32_t> texts, first_words;
    std::vector<std::uint64_t> low, high;
};

// Windows whose fingerprint the filter may contain.
DigestedWindows digest_windows(std::span<const std::string_view> texts, Windows windows,
                               const HashFilter& filter, unsigned threads);

// Words [first, last) of a text.
struct WordRanges {
    std::vector<std::uint32_t> texts, first, last;
};

// Decides which windows are cut, text by text. A window is cut if an equal one is left whole: in a
// text before, or in the same one and ending before it begins.
class WindowChoice {
  public:
    explicit WindowChoice(std::uint32_t words) : words_(words) {}

    // Windows that have an equal one, by text and first word; `groups` has equal numbers for equal
    // windows. A text is given in one call.
    WordRanges cut(std::span<const std::uint32_t> texts, std::span<const std::uint32_t> first_words,
                   std::span<const std::uint64_t> groups);

  private:
    bool is_kept(std::uint64_t group) const { return group < kept_.size() && kept_[group]; }
    void keep(std::uint64_t group);

    std::uint32_t words_;
    std::vector<bool> kept_;
};

enum class Bounds : std::uint8_t { words, sentences, paragraphs };

// Ranges of words as ranges of characters, in code points.
struct CharacterRanges {
    std::vector<std::uint32_t> texts;
    std::vector<std::uint32_t> begins, ends;
    std::vector<std::uint32_t> low, high;  // where the word before ends and the word behind begins
};

// The words of each range, or what is in it of whole sentences or paragraphs; ranges ascend and do
// not overlap. A character that gives several words is taken as a whole.
CharacterRanges range_characters(std::span<const std::string_view> texts, const WordRanges& ranges,
                                 Bounds bounds, unsigned threads);

}  // namespace likewise
