#include "shingles.hpp"

#include <algorithm>
#include <bit>

namespace likewise {

namespace {

std::uint64_t power(std::uint64_t base, std::uint32_t exponent) {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base) {
        if (exponent & 1) result *= base;
    }
    return result;
}

// Masks for the two halves of a block of up to 16 bytes.
struct BlockMask {
    std::uint64_t low, high;
};
constexpr auto kBlockMasks = [] {
    std::array<BlockMask, 17> masks{};
    for (unsigned n = 0; n <= 16; ++n) {
        masks[n].low = n >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * n)) - 1;
        masks[n].high = n <= 8    ? 0
                        : n == 16 ? ~std::uint64_t{0}
                                  : (std::uint64_t{1} << (8 * (n - 8))) - 1;
    }
    return masks;
}();

// As hash_bytes(), where 16 bytes may be read whatever the length.
inline std::uint64_t hash_padded(const char* p, std::size_t length, const HashKey& key) {
    if (length > 16) [[unlikely]] return hash_bytes(p, length, key);
    const BlockMask mask = kBlockMasks[length];
    return hash_block(load8(p) & mask.low, load8(p + 8) & mask.high, length, key);
}

inline bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

template <unsigned k>
void hash_shingles_of(const std::uint64_t* words, std::size_t count, const HashKey& key,
                      std::uint64_t* out) {
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t state = words[i];
        for (unsigned j = 1; j < k; ++j) state = state * kWordStep + words[i + j];
        out[i] = finish(state, key);
    }
}

}  // namespace

Shingler::Shingler(const Rules& rules)
    : rules_(rules),
      key_(rules.seed),
      stop_key_(stop_word_key()),
      ascii_classes_(ByteClasses::of_ascii(rules)),
      prepared_classes_(ByteClasses::of_prepared()),
      ascii_words_(!rules.keep_punctuation),
      outgoing_(power(kWordStep, rules.k)) {}

// A segment ends where a word cannot go on, so that no word is cut. A word longer than a segment
// makes the segment longer.
std::size_t Shingler::segment_size(std::string_view text, const ByteClasses& classes) const {
    if (text.size() <= kSegment) return text.size();
    const auto is_word = [&](std::size_t i) {
        return classes.word[static_cast<unsigned char>(text[i])];
    };
    std::size_t end = kSegment;
    while (end > 0 && is_word(end)) --end;
    if (end > 0) return end;
    end = kSegment;
    while (end < text.size() && is_word(end)) ++end;
    return end;
}

// Appends the hashes of the segment's words behind the first `held` entries of words_.
std::size_t Shingler::hash_words(std::string_view segment, const ByteClasses& classes, bool filter,
                                 std::size_t held) {
    char* copy = copy_.reserve(segment.size() + kPadding);
    std::uint32_t* edges = edges_.reserve(segment.size() + kPadding);
    const std::size_t words =
        find_edges(segment.data(), segment.size(), classes, copy, edges) / 2;
    std::uint64_t* out = words_.reserve(held + words, held) + held;
    const HashKey key = key_;
    if (!filter) {
        for (std::size_t i = 0; i < words; ++i) {
            const std::uint32_t begin = edges[2 * i];
            out[i] = hash_padded(copy + begin, edges[2 * i + 1] - begin, key);
        }
        return held + words;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < words; ++i) {
        const char* word = copy + edges[2 * i];
        const std::size_t length = edges[2 * i + 1] - edges[2 * i];
        if (length < rules_.min_word_length) continue;
        if (!rules_.stop_words.empty() &&
            rules_.stop_words.contains(hash_bytes(word, length, stop_key_))) {
            continue;
        }
        out[kept++] = hash_padded(word, length, key);
    }
    return held + kept;
}

void Shingler::hash_shingles(std::size_t count) {
    std::uint64_t* out = shingles_.reserve(count);
    const std::uint64_t* words = words_.data();
    switch (rules_.k) {
        case 1: return hash_shingles_of<1>(words, count, key_, out);
        case 2: return hash_shingles_of<2>(words, count, key_, out);
        case 3: return hash_shingles_of<3>(words, count, key_, out);
        case 4: return hash_shingles_of<4>(words, count, key_, out);
        default: break;
    }
    // Rolling: one word in, one word out, whatever k is.
    std::uint64_t state = 0;
    for (std::uint32_t j = 0; j < rules_.k; ++j) state = state * kWordStep + words[j];
    out[0] = finish(state, key_);
    for (std::size_t i = 1; i < count; ++i) {
        state = state * kWordStep + words[i + rules_.k - 1] - words[i - 1] * outgoing_;
        out[i] = finish(state, key_);
    }
}

std::uint64_t Shingler::hash_short_text(std::size_t words) const {
    std::uint64_t state = 0;
    for (std::size_t i = 0; i < words; ++i) state = state * kWordStep + words_[i];
    return finish(state, key_);
}

// Leaves the text to cut in joined_text_ and says whether it is ASCII.
bool Shingler::prepare_characters(std::string_view text) {
    window_begin_ = 0;
    const bool plain =
        !rules_.keep_punctuation && rules_.spaces != Spaces::keep && !filters_words();
    if (plain && is_ascii(text.data(), text.size())) {
        joined_.reserve(text.size() + kPadding);
        joined_size_ = join_words(text.data(), text.size(), ascii_classes_,
                                  rules_.spaces == Spaces::one, joined_.data());
        joined_text_ = joined_.data();
        return true;
    }
    prepare(text, rules_, prepared_);
    joined_text_ = prepared_.data();
    joined_size_ = prepared_.size();
    return prepared_.ascii;
}

// Number of windows of k characters; a text shorter than k is one window.
std::size_t Shingler::count_windows(std::string_view ready, bool ascii) {
    const std::size_t k = rules_.k;
    std::size_t characters = ready.size();
    if (!ascii) {
        characters = static_cast<std::size_t>(
            std::count_if(ready.begin(), ready.end(), [](char c) { return !continues(c); }));
    }
    if (characters <= k) {
        window_end_ = ready.size();
        return 1;
    }
    window_end_ = k;
    if (!ascii) {
        window_end_ = 0;
        for (std::size_t seen = 0; seen < k; ++seen) {
            do ++window_end_;
            while (continues(ready[window_end_]));
        }
    }
    return characters - k + 1;
}

// The next `count` windows, from window_begin_ on.
void Shingler::hash_windows(std::string_view ready, bool ascii, std::size_t count) {
    std::uint64_t* out = shingles_.data();
    const char* text = ready.data();
    const HashKey key = key_;
    if (ascii) {
        const std::size_t length = window_end_ - window_begin_;
        if (length <= 16) {
            const BlockMask mask = kBlockMasks[length];
            const char* at = text + window_begin_;
            if (length <= 8) {
                for (std::size_t i = 0; i < count; ++i) {
                    out[i] = finish(hash_block(load8(at + i) & mask.low, 0, length, key), key);
                }
            } else {
                for (std::size_t i = 0; i < count; ++i) {
                    out[i] = finish(hash_block(load8(at + i), load8(at + i + 8) & mask.high,
                                               length, key),
                                    key);
                }
            }
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                out[i] = finish(hash_bytes(text + window_begin_ + i, length, key), key);
            }
        }
        window_begin_ += count;
        window_end_ += count;
        return;
    }
    std::size_t begin = window_begin_, end = window_end_;
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = finish(hash_padded(text + begin, end - begin, key), key);
        if (end == ready.size()) break;
        do ++begin;
        while (continues(text[begin]));
        do ++end;
        while (end < ready.size() && continues(text[end]));
    }
    window_begin_ = begin;
    window_end_ = end;
}

void Shingler::number_occurrences(std::vector<std::uint64_t>& hashes) {
    const std::size_t size = std::bit_ceil(std::max<std::size_t>(16, 2 * hashes.size()));
    occurrences_.assign(size, Slot{0, 0});
    for (auto& hash : hashes) {
        std::size_t i = hash & (size - 1);
        while (occurrences_[i].count > 0 && occurrences_[i].hash != hash) i = (i + 1) & (size - 1);
        occurrences_[i].hash = hash;
        hash = occurrence_hash(hash, occurrences_[i].count++);
    }
}

}  // namespace likewise
