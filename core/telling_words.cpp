#include "telling_words.hpp"

#include "hash.hpp"
#include "interruption.hpp"
#include "placed_words.hpp"
#include "threads.hpp"

namespace likewise {
namespace {

// Letters that follow each other without a space. Letters of one word never do: they are one word.
bool adjoins_next(const PlacedWords& words, std::size_t i) {
    return i + 1 < words.stems.size() && words.letters[i] == kUnspacedLetter &&
           words.letters[i + 1] == kUnspacedLetter && words.ends[i] == words.begins[i + 1];
}

}  // namespace

bool has_adjoining_letters(const PlacedWords& words) {
    for (std::size_t i = 0; i + 1 < words.stems.size(); ++i) {
        if (adjoins_next(words, i)) return true;
    }
    return false;
}

std::vector<std::uint64_t> told_by(const PlacedWords& words) {
    const HashKey key(0);
    std::vector<std::uint64_t> told(words.stems);
    Poll poll;
    for (std::size_t i = 0; i + 1 < told.size(); ++i) {
        poll();
        if (adjoins_next(words, i)) told[i] = hash_block(told[i], words.stems[i + 1], 16, key);
    }
    return told;
}

TellingWords telling_words(std::span<const std::string_view> texts, std::uint32_t stem_letters,
                           unsigned threads) {
    std::vector<std::vector<std::uint64_t>> own(texts.size());
    parallel_ranges(
        texts.size(), grain_of(texts.size(), threads), threads, [] { return 0; },
        [&](int, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                own[i] = told_by(place_words(texts[i], stem_letters));
            }
        });
    TellingWords made;
    made.offsets.reserve(texts.size() + 1);
    made.offsets.push_back(0);
    for (const auto& words : own) made.offsets.push_back(made.offsets.back() + words.size());
    made.hashes.reserve(made.offsets.back());
    for (auto& words : own) {
        made.hashes.insert(made.hashes.end(), words.begin(), words.end());
        words = {};
    }
    return made;
}

}  // namespace likewise
