#include "shingles.hpp"

#include <algorithm>
#include <bit>

#include "letter_words.hpp"
#include "slots.hpp"

namespace likewise {

namespace {

std::uint64_t power(std::uint64_t base, std::uint32_t exponent) {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base) {
        if (exponent & 1) result *= base;
    }
    return result;
}

inline bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// --- The loops. Words: text and edges in, one hash a word out.
LIKEWISE_INLINE void word_loop(const char* text, const std::uint32_t* edges, std::size_t words,
                               const HashKey key, std::uint64_t* out) {
    for (std::size_t i = 0; i < words; ++i) {
        const std::uint32_t begin = edges[2 * i];
        out[i] = hash_padded(text + begin, edges[2 * i + 1] - begin, key);
    }
}

// Shingles of k words: count + k - 1 word hashes in, count hashes out, optionally into bins.
template <unsigned k, class To>
LIKEWISE_INLINE void shingle_loop(const std::uint64_t* words, std::size_t count, const HashKey key,
                                  const To bins, std::uint64_t* out) {
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t state = words[i];
        for (unsigned j = 1; j < k; ++j) state = state * kWordStep + words[i + j];
        out[i] = finish(state, key);
        bins.put(out[i]);
    }
}

// The same for any k: one word in, one word out.
template <class To>
LIKEWISE_INLINE void rolling_loop(const std::uint64_t* words, std::size_t count, std::uint32_t k,
                                  std::uint64_t outgoing, const HashKey key, const To bins,
                                  std::uint64_t* out) {
    std::uint64_t state = 0;
    for (std::uint32_t j = 0; j < k; ++j) state = state * kWordStep + words[j];
    out[0] = finish(state, key);
    bins.put(out[0]);
    for (std::size_t i = 1; i < count; ++i) {
        state = state * kWordStep + words[i + k - 1] - words[i - 1] * outgoing;
        out[i] = finish(state, key);
        bins.put(out[i]);
    }
}

template <class To>
LIKEWISE_INLINE void shingle_loops(const std::uint64_t* words, std::size_t count, std::uint32_t k,
                                   std::uint64_t outgoing, const HashKey key, const To bins,
                                   std::uint64_t* out) {
    switch (k) {
        case 1:
            return shingle_loop<1>(words, count, key, bins, out);
        case 2:
            return shingle_loop<2>(words, count, key, bins, out);
        case 3:
            return shingle_loop<3>(words, count, key, bins, out);
        case 4:
            return shingle_loop<4>(words, count, key, bins, out);
        default:
            return rolling_loop(words, count, k, outgoing, key, bins, out);
    }
}

// Windows of `length` bytes at each of `count` places of an ASCII text.
template <class To>
LIKEWISE_INLINE void window_loop(const char* text, std::size_t count, std::size_t length,
                                 const HashKey key, const To bins, std::uint64_t* out) {
    if (length <= 8) {
        const std::uint64_t mask = kBlockMasks[length].low;
        // In blocks, so that the multiplications of one overlap with the memory traffic of the
        // last.
        constexpr std::size_t kBlock = 16;
        const auto hash_at = [=](std::size_t i) {
            return finish(hash_block(load8(text + i) & mask, 0, length, key), key);
        };
        std::size_t i = 0;
        for (; i + kBlock <= count; i += kBlock) {
            for (std::size_t j = i; j < i + kBlock; ++j) out[j] = hash_at(j);
            for (std::size_t j = i; j < i + kBlock; ++j) bins.put(out[j]);
        }
        for (; i < count; ++i) {
            out[i] = hash_at(i);
            bins.put(out[i]);
        }
    } else if (length <= 16) {
        const std::uint64_t mask = kBlockMasks[length].high;
        for (std::size_t i = 0; i < count; ++i) {
            out[i] =
                finish(hash_block(load8(text + i), load8(text + i + 8) & mask, length, key), key);
            bins.put(out[i]);
        }
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            out[i] = finish(hash_bytes(text + i, length, key), key);
            bins.put(out[i]);
        }
    }
}

struct Loops {
    decltype(word_loop)* words;
    decltype(shingle_loops<NoBins>)* shingles;
    decltype(shingle_loops<Bins>)* shingles_to_bins;
    decltype(window_loop<NoBins>)* windows;
    decltype(window_loop<Bins>)* windows_to_bins;
};

const Loops kPortable{
    [](auto... arguments) { word_loop(arguments...); },
    [](auto... arguments) { shingle_loops(arguments...); },
    [](auto... arguments) { shingle_loops(arguments...); },
    [](auto... arguments) { window_loop(arguments...); },
    [](auto... arguments) { window_loop(arguments...); },
};
#if LIKEWISE_X86
const Loops kAvx2{
    [](auto... arguments) LIKEWISE_AVX2 { word_loop(arguments...); },
    [](auto... arguments) LIKEWISE_AVX2 { shingle_loops(arguments...); },
    [](auto... arguments) LIKEWISE_AVX2 { shingle_loops(arguments...); },
    [](auto... arguments) LIKEWISE_AVX2 { window_loop(arguments...); },
    [](auto... arguments) LIKEWISE_AVX2 { window_loop(arguments...); },
};
#endif

const Loops& loops() {
#if LIKEWISE_X86
    if (use_avx2()) return kAvx2;
#endif
    return kPortable;
}

}  // namespace

Shingler::Shingler(const Rules& rules)
    : rules_(rules),
      key_(rules.seed),
      stop_key_(stop_word_key()),
      ascii_classes_(ByteClasses::of_ascii(rules)),
      prepared_classes_(ByteClasses::of_prepared()),
      ascii_words_(!rules.keep_punctuation),
      letter_words_(ascii_words_ && !rules.strip_accents && !filters_words()),
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

// A part ends behind a space. No character joins with one, so that parts may be prepared one by
// one.
std::size_t Shingler::part_size(std::string_view text) {
    constexpr std::size_t kPart = 2048;
    if (text.size() <= kPart) return text.size();
    std::size_t space = text.rfind(' ', kPart);
    if (space == text.npos) space = text.find(' ', kPart);
    return space == text.npos ? text.size() : space + 1;
}

// Appends the hashes of the segment's words after the first `held` entries of words_.
void Shingler::hash_words(std::string_view segment, const ByteClasses& classes, bool filter,
                          std::size_t& held) {
    check_size(segment.size());
    char* copy = copy_.reserve(segment.size() + kPadding);
    std::uint32_t* edges = edges_.reserve(segment.size() + kPadding);
    const std::size_t words = find_edges(segment.data(), segment.size(), classes, copy, edges) / 2;
    std::uint64_t* out = words_.reserve(held + words, held) + held;
    if (!filter) {
        loops().words(copy, edges, words, key_, out);
        held += words;
        return;
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
        out[kept++] = hash_padded(word, length, key_);
    }
    held += kept;
}

// The same for a part that has not been prepared, if that can be done.
bool Shingler::hash_letter_words(std::string_view part, std::size_t& held) {
    if (part.size() > kSegment) return false;  // hardly any spaces: other scripts
    char* copy = copy_.reserve(part.size() + kPadding);
    std::uint32_t* edges = edges_.reserve(part.size() + kPadding);
    const std::size_t found =
        find_letter_edges(part.data(), part.size(), ascii_classes_, copy, edges);
    if (found == kUnknown) return false;
    loops().words(copy, edges, found / 2, key_, words_.reserve(held + found / 2, held) + held);
    held += found / 2;
    return true;
}

void Shingler::hash_shingles(std::size_t count, const Bins* bins) {
    std::uint64_t* out = shingles_.reserve(count);
    const std::uint64_t* words = words_.data();
    if (bins != nullptr) {
        loops().shingles_to_bins(words, count, rules_.k, outgoing_, key_, *bins, out);
    } else {
        loops().shingles(words, count, rules_.k, outgoing_, key_, NoBins{}, out);
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

// Keeps a prepared text as the kernels want it; whether it is ASCII.
bool Shingler::hold(std::string_view prepared) {
    window_begin_ = 0;
    joined_.reserve(prepared.size() + kPadding);
    std::memcpy(joined_.data(), prepared.data(), prepared.size());
    std::memset(joined_.data() + prepared.size(), ' ', kPadding);
    joined_text_ = joined_.data();
    joined_size_ = prepared.size();
    return is_ascii(joined_text_, joined_size_);
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
void Shingler::hash_windows(std::string_view ready, bool ascii, std::size_t count,
                            const Bins* bins) {
    std::uint64_t* out = shingles_.data();
    const char* text = ready.data();
    if (ascii) {
        const char* at = text + window_begin_;
        const std::size_t length = window_end_ - window_begin_;
        if (bins != nullptr) {
            loops().windows_to_bins(at, count, length, key_, *bins, out);
        } else {
            loops().windows(at, count, length, key_, NoBins{}, out);
        }
        window_begin_ += count;
        window_end_ += count;
        return;
    }
    std::size_t begin = window_begin_, end = window_end_;
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = finish(hash_padded(text + begin, end - begin, key_), key_);
        if (bins != nullptr) bins->put(out[i]);
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
    fill(occurrences_, size);
    Poll poll;
    for (auto& hash : hashes) {
        poll();
        Slot& slot = occurrences_[find_slot(hash, size, [&](std::size_t i) {
            return occurrences_[i].count == 0 || occurrences_[i].hash == hash;
        })];
        slot.hash = hash;
        hash = occurrence_hash(hash, slot.count++);
    }
}

}  // namespace likewise
