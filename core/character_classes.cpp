#include "character_classes.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "cpu.hpp"
#include "interruption.hpp"
#include "threads.hpp"
#include "unicode.hpp"
#include "words.hpp"
#if LIKEWISE_X86
#include <immintrin.h>
#endif

namespace likewise {

namespace {

using Classes = std::span<const std::uint8_t, kCodePoints>;

// By first byte: the classes of all characters that begin with it. Other bytes, and all that are
// ill-formed, stand for U+FFFD.
std::array<std::uint8_t, 256> classes_by_byte(Classes classes) {
    std::array<std::uint8_t, 256> made{};
    for (std::size_t c = 0; c < 0x80; ++c) made[c] = classes[c];
    for (std::size_t byte = 0x80; byte < 0x100; ++byte) made[byte] = classes[0xFFFD];
    for (std::size_t c = 0x80; c < kCodePoints; c += 0x40) {
        std::uint8_t all = 0;
        for (std::size_t i = c; i < c + 0x40; ++i) all |= classes[i];
        made[c < 0x800 ? 0xC0 | c >> 6 : c < 0x10000 ? 0xE0 | c >> 12 : 0xF0 | c >> 18] |= all;
    }
    return made;
}

// The bytes that have nothing to add once some classes have been seen.
struct Settled {
    Settled(Classes classes, const std::array<std::uint8_t, 256>& by_byte, std::uint8_t seen) {
        const auto none_of = [&](std::size_t first, std::size_t last) {
            return std::all_of(&classes[first], &classes[last] + 1,
                               [&](std::uint8_t one) { return (one & ~seen) == 0; });
        };
        // Only their first byte is skipped: the others are decoded alone, as U+FFFD.
        if (none_of(0xFFFD, 0xFFFD)) {
            if (none_of(0x2010, 0x201F)) quotes = ~std::uint32_t{0};
            if (none_of(0xAB, 0xAB) && none_of(0xBB, 0xBB)) angles = ~std::uint32_t{0};
        }
        for (unsigned byte = 0; byte < 256; ++byte) {
            if (by_byte[byte] & ~seen) continue;
            bytes[byte] = true;
            nibbles[byte >> 7][byte & 15] |= static_cast<std::uint8_t>(1 << (byte >> 4 & 7));
        }
    }

    // All bits if U+2010 to U+201F, dashes and quotation marks, have nothing to add, and if U+00AB
    // and U+00BB have not: often they are the only ones of their first bytes.
    std::uint32_t quotes = 0, angles = 0;
    std::array<bool, 256> bytes{};
    std::array<std::array<std::uint8_t, 16>, 2> nibbles{};  // bit h: byte (h, low); from 0x80 on
};

class Search {
  public:
    Search(Classes classes, const std::array<std::uint8_t, 256>& by_byte)
        : classes_(classes), by_byte_(by_byte) {}

    std::uint8_t classes_in(std::string_view text) {
        constexpr std::ptrdiff_t kPart = 1 << 16;  // bytes between two looks for an interruption
        at_ = text.data();
        end_ = at_ + text.size();
        seen_ = 0;
        while (at_ < end_) {
            poll_interruption();
            for (const char* const stop = end_ - at_ > kPart ? at_ + kPart : end_; at_ < stop;) {
                go_on(settled(), stop);
            }
        }
        return seen_;
    }

  private:
    const Settled& settled() {
        auto& known = settled_[seen_];
        if (!known) known.emplace(classes_, by_byte_, seen_);
        return *known;
    }

    // Up to a character that adds a class, and behind it; or to `stop`.
    void go_on(const Settled& settled, const char* stop) {
#if LIKEWISE_X86
        if (use_avx2() && go_on_avx2(settled, stop)) return;
#endif
        while (at_ < stop) {
            if (settled.bytes[static_cast<std::uint8_t>(*at_)]) {
                ++at_;
            } else if (add_next()) {
                return;
            }
        }
    }

    // The classes of the next character; whether there are new ones.
    bool add_next() {
        const Decoded next = decode_common(at_, end_);
        const std::uint8_t before = seen_;
        seen_ |= classes_[next.character];
        at_ += next.length;
        return seen_ != before;
    }

#if LIKEWISE_X86
    // Where quotation marks with nothing to add begin in 32 bytes. Without a branch: texts have
    // them in some blocks and not in others.
    LIKEWISE_AVX2 static std::uint32_t settled_marks(const Settled& settled, const char* block) {
        const auto load = [&](int at) LIKEWISE_AVX2 {
            return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block + at));
        };
        const auto equal = [](__m256i bytes, int byte) LIKEWISE_AVX2 {
            return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(static_cast<char>(byte)));
        };
        const auto bits = [](__m256i bytes) LIKEWISE_AVX2 {
            return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
        };
        const auto without = [](__m256i bytes, int byte) LIKEWISE_AVX2 {
            return _mm256_andnot_si256(_mm256_set1_epi8(static_cast<char>(byte)), bytes);
        };
        const __m256i first = load(0), second = load(1), third = load(2);
        const __m256i quotes =
            _mm256_and_si256(_mm256_and_si256(equal(first, 0xE2), equal(second, 0x80)),
                             equal(without(third, 0x0F), 0x90));
        const __m256i angles =
            _mm256_and_si256(equal(first, 0xC2), equal(without(second, 0x10), 0xAB));
        return (bits(quotes) & settled.quotes) | (bits(angles) & settled.angles);
    }

    // The same by 32 bytes; false where few are left.
    LIKEWISE_AVX2 bool go_on_avx2(const Settled& settled, const char* stop) {
        const auto table = [&](int half) LIKEWISE_AVX2 {
            return _mm256_broadcastsi128_si256(
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(settled.nibbles[half].data())));
        };
        const __m256i ascii = table(0), others = table(1);
        const __m256i bits = _mm256_broadcastsi128_si256(
            _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128));
        const __m256i low = _mm256_set1_epi8(15);
        while (stop - at_ >= 34) {  // settled_marks() reads two more
            const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at_));
            const __m256i column = _mm256_and_si256(bytes, low);
            const __m256i rows = _mm256_blendv_epi8(_mm256_shuffle_epi8(ascii, column),
                                                    _mm256_shuffle_epi8(others, column), bytes);
            const __m256i row = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), low);
            const __m256i found = _mm256_and_si256(rows, _mm256_shuffle_epi8(bits, row));
            auto open = static_cast<std::uint32_t>(
                _mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256())));
            const char* const block = at_;
            open &= ~settled_marks(settled, block);
            for (at_ = block + 32; open != 0;) {
                at_ = block + _tzcnt_u32(open);
                if (add_next()) return true;
                // The rest of the block, or what follows a character that goes beyond it.
                if (at_ >= block + 32) break;
                open &= ~std::uint32_t{0} << (at_ - block);
                if (open == 0) at_ = block + 32;
            }
        }
        return false;
    }
#endif

    const Classes classes_;
    const std::array<std::uint8_t, 256>& by_byte_;
    std::array<std::optional<Settled>, 256> settled_;  // by what has been seen
    const char *at_ = nullptr, *end_ = nullptr;
    std::uint8_t seen_ = 0;
};

}  // namespace

std::vector<std::uint8_t> classes_of(std::span<const std::string_view> texts, Classes classes,
                                     unsigned threads) {
    const std::array<std::uint8_t, 256> by_byte = classes_by_byte(classes);
    std::vector<std::uint8_t> made(texts.size());
    parallel_ranges(
        texts.size(), grain_of(texts.size(), threads), threads,
        [&] { return Search(classes, by_byte); },
        [&](Search& search, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                if (is_ascii(texts[i].data(), texts[i].size())) continue;
                made[i] = search.classes_in(texts[i]);
            }
        });
    return made;
}

}  // namespace likewise
