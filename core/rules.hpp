// How text is prepared, as flat options. The Python Profile validates; nothing here does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hash.hpp"
#include "slots.hpp"

namespace likewise {

enum class Unit : std::uint8_t { word, character };
enum class Spaces : std::uint8_t { one, drop, keep };

// Stop words by the hash of their normalised UTF-8, in a small open table.
class StopWords {
  public:
    StopWords() = default;
    explicit StopWords(const std::vector<std::string_view>& words);

    bool empty() const { return slots_.empty(); }
    bool contains(std::uint64_t word_hash) const { return slots_[slot_of(word_hash)] != 0; }

  private:
    std::size_t slot_of(std::uint64_t hash) const {
        return find_slot(hash, slots_.size(), [&](std::size_t slot) {
            return slots_[slot] == 0 || slots_[slot] == hash;
        });
    }

    std::vector<std::uint64_t> slots_;  // 0 is free; size is a power of two
};

struct Rules {
    Unit unit = Unit::word;
    std::uint32_t k = 3;
    bool fold_case = true;
    bool strip_accents = false;
    bool keep_punctuation = false;
    bool drop_digits = false;
    bool drop_greek = false;
    Spaces spaces = Spaces::one;
    std::uint32_t min_word_length = 1;  // in code points; letters of unspaced scripts are exempt
    bool bag = false;
    std::uint64_t seed = 0;
    StopWords stop_words;  // hashed with stop_word_key(), whatever the seed
};

inline HashKey stop_word_key() { return HashKey(0); }

inline StopWords::StopWords(const std::vector<std::string_view>& words) {
    if (words.empty()) return;
    std::size_t size = 16;
    while (size < 4 * words.size()) size *= 2;
    slots_.assign(size, 0);
    const HashKey key = stop_word_key();
    for (const auto word : words) {
        const std::uint64_t hash = hash_bytes(word.data(), word.size(), key);
        slots_[slot_of(hash)] = hash;
    }
}

}  // namespace likewise
