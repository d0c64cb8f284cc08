#include "words.hpp"

#include <bit>
#include <cstring>
#include <stdexcept>

#include "cpu.hpp"
#include "word_masks.hpp"

namespace likewise {

ByteClasses ByteClasses::of_ascii(const Rules& rules) {
    ByteClasses classes;
    for (int c = 0; c < 128; ++c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool digit = c >= '0' && c <= '9';
        if (!letter && !(digit && !rules.drop_digits)) continue;
        classes.word[c] = true;
        classes.low_nibble[c & 15] |= static_cast<std::uint8_t>(1 << (c >> 4));
    }
    // Digits have the bit already, so one OR folds every word byte.
    classes.lower = rules.fold_case ? 0x20 : 0;
    return classes;
}

ByteClasses ByteClasses::of_prepared() {
    ByteClasses classes;
    classes.word.fill(true);
    classes.word[' '] = false;
    classes.spaces_only = true;
    return classes;
}

namespace {

// --- Portable: byte by byte.

bool is_ascii_portable(const char* text, std::size_t size) {
    std::uint64_t seen = 0;
    std::size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        std::uint64_t v;
        std::memcpy(&v, text + i, 8);
        seen |= v;
    }
    for (; i < size; ++i) seen |= static_cast<std::uint8_t>(text[i]);
    return (seen & 0x8080808080808080) == 0;
}

std::size_t find_edges_portable(const char* text, std::size_t size, const ByteClasses& classes,
                                char* copy, std::uint32_t* edges) {
    std::size_t count = 0;
    bool inside = false;
    for (std::size_t i = 0; i < size; ++i) {
        const auto byte = static_cast<std::uint8_t>(text[i]);
        const bool word = classes.word[byte];
        copy[i] = static_cast<char>(byte | classes.lower);
        edges[count] = static_cast<std::uint32_t>(i);
        count += word != inside;
        inside = word;
    }
    if (inside) edges[count++] = static_cast<std::uint32_t>(size);
    return count;
}

std::size_t join_words_portable(const char* text, std::size_t size, const ByteClasses& classes,
                                bool with_spaces, char* out) {
    std::size_t written = 0;
    bool inside = false;
    for (std::size_t i = 0; i < size; ++i) {
        const auto byte = static_cast<std::uint8_t>(text[i]);
        const bool word = classes.word[byte];
        out[written] = word ? static_cast<char>(byte | classes.lower) : ' ';
        written += word || (inside && with_spaces);
        inside = word;
    }
    return written;
}

#if LIKEWISE_X86
// --- AVX2: 64 bytes to one bit mask of word bytes.

LIKEWISE_AVX2 bool is_ascii_avx2(const char* text, std::size_t size) {
    std::size_t i = 0;
    // Most texts that are not ASCII show it soon.
    for (; i + 256 <= size; i += 256) {
        __m256i seen = _mm256_setzero_si256();
        for (std::size_t at = i; at < i + 256; at += 32) {
            seen = _mm256_or_si256(seen,
                                   _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + at)));
        }
        if (_mm256_movemask_epi8(seen) != 0) return false;
    }
    return is_ascii_portable(text + i, size - i);
}

template <bool spaces_only>
LIKEWISE_AVX2 std::size_t find_edges_avx2(const char* text, std::size_t size,
                                          const ByteClasses& classes, char* copy,
                                          std::uint32_t* edges) {
    const Tables tables = load_tables(classes);
    std::size_t count = 0;
    std::uint64_t inside = 0;  // 1 if the byte before this block is in a word
    alignas(32) char last[64];
    for (std::size_t i = 0; i < size; i += 64) {
        const char* block = text + i;
        if (size - i < 64) {  // never read past the end of a text: the rest counts as spaces
            std::memset(last, ' ', sizeof last);
            std::memcpy(last, block, size - i);
            block = last;
        }
        const auto a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
        const auto b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block + 32));
        auto* to = reinterpret_cast<__m256i*>(copy + i);
        _mm256_storeu_si256(to, _mm256_or_si256(a, tables.lower));
        _mm256_storeu_si256(to + 1, _mm256_or_si256(b, tables.lower));
        const std::uint64_t word =
            ~bits_of(gaps<spaces_only>(a, tables), gaps<spaces_only>(b, tables));
        const std::uint64_t edge = word ^ ((word << 1) | inside);
        inside = word >> 63;
        count += flatten(edge, static_cast<std::uint32_t>(i), edges + count);
    }
    if (inside) edges[count++] = static_cast<std::uint32_t>(size);
    return count;
}

// --- AVX-512: a mask of word bytes comes straight from the test, and the places of its edges from
// one compression.
template <bool spaces_only>
LIKEWISE_AVX512 std::size_t find_edges_avx512(const char* text, std::size_t size,
                                              const ByteClasses& classes, char* copy,
                                              std::uint32_t* edges) {
    const auto low_nibble = _mm512_broadcast_i32x4(
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(classes.low_nibble.data())));
    const auto high_nibble =
        _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    const auto lower = _mm512_set1_epi8(static_cast<char>(classes.lower));
    const auto space = _mm512_set1_epi8(' ');
    const auto nibble_mask = _mm512_set1_epi8(15);
    alignas(64) std::uint8_t counting[64];
    for (int i = 0; i < 64; ++i) counting[i] = static_cast<std::uint8_t>(i);
    const auto places = _mm512_load_si512(counting);
    std::size_t count = 0;
    std::uint64_t inside = 0;  // 1 if the byte before this block is in a word
    for (std::size_t i = 0; i < size; i += 64) {
        // Bytes after the end of the text are not read and count as spaces.
        const std::uint64_t valid =
            size - i >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (size - i)) - 1;
        const auto bytes = _mm512_mask_loadu_epi8(space, valid, text + i);
        _mm512_storeu_si512(copy + i, _mm512_or_si512(bytes, lower));
        std::uint64_t word;
        if constexpr (spaces_only) {
            word = _mm512_cmpneq_epi8_mask(bytes, space);
        } else {
            const auto high = _mm512_and_si512(_mm512_srli_epi16(bytes, 4), nibble_mask);
            word = _mm512_test_epi8_mask(_mm512_shuffle_epi8(low_nibble, bytes),
                                         _mm512_shuffle_epi8(high_nibble, high));
        }
        const std::uint64_t edge = word ^ ((word << 1) | inside);
        inside = word >> 63;
        count += flatten_avx512(edge, static_cast<std::uint32_t>(i), places, edges + count);
    }
    if (inside) edges[count++] = static_cast<std::uint32_t>(size);
    return count;
}

// For each mask of eight bytes, the shuffle that moves the chosen ones to the front.
constexpr auto kCompact = [] {
    std::array<std::array<std::uint8_t, 8>, 256> table{};
    for (int mask = 0; mask < 256; ++mask) {
        int n = 0;
        for (int bit = 0; bit < 8; ++bit) {
            if (mask >> bit & 1) table[mask][n++] = static_cast<std::uint8_t>(bit);
        }
        while (n < 8) table[mask][n++] = 0x80;
    }
    return table;
}();

LIKEWISE_AVX2 std::size_t join_words_avx2(const char* text, std::size_t size,
                                          const ByteClasses& classes, bool with_spaces, char* out) {
    const Tables tables = load_tables(classes);
    const std::uint64_t space_mask = with_spaces ? ~std::uint64_t{0} : 0;
    std::size_t written = 0;
    std::uint64_t inside = 0;
    alignas(32) char block[64];
    for (std::size_t i = 0; i < size; i += 64) {
        const char* from = text + i;
        if (size - i < 64) {
            std::memset(block, ' ', sizeof block);
            std::memcpy(block, from, size - i);
            from = block;
        }
        const auto a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
        const auto b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 32));
        const auto gap_a = gaps<false>(a, tables), gap_b = gaps<false>(b, tables);
        auto* to = reinterpret_cast<__m256i*>(block);
        _mm256_store_si256(
            to, _mm256_blendv_epi8(_mm256_or_si256(a, tables.lower), tables.space, gap_a));
        _mm256_store_si256(
            to + 1, _mm256_blendv_epi8(_mm256_or_si256(b, tables.lower), tables.space, gap_b));
        const std::uint64_t word = ~bits_of(gap_a, gap_b);
        // The first byte after each word becomes its space.
        std::uint64_t kept = word | (~word & ((word << 1) | inside) & space_mask);
        inside = word >> 63;
        // The space after the last word of the text must not come from the padding.
        if (size - i < 64) kept &= (std::uint64_t{1} << (size - i)) - 1;
        for (int part = 0; part < 8; ++part, kept >>= 8) {
            const auto bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(block + 8 * part));
            const auto order =
                _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kCompact[kept & 255].data()));
            _mm_storel_epi64(reinterpret_cast<__m128i*>(out + written),
                             _mm_shuffle_epi8(bytes, order));
            written += static_cast<std::size_t>(_mm_popcnt_u32(kept & 255));
        }
    }
    return written;
}
#endif

}  // namespace

void check_size(std::size_t bytes) {
    if (bytes > 0xFFFFFFFF - kPadding) {
        throw std::length_error("a text or a word of 4 GiB or more is too long");
    }
}

bool is_ascii(const char* text, std::size_t size) {
#if LIKEWISE_X86
    if (use_avx2()) return is_ascii_avx2(text, size);
#endif
    return is_ascii_portable(text, size);
}

std::size_t find_edges(const char* text, std::size_t size, const ByteClasses& classes, char* copy,
                       std::uint32_t* edges) {
#if LIKEWISE_X86
    if (use_avx512()) {
        return classes.spaces_only ? find_edges_avx512<true>(text, size, classes, copy, edges)
                                   : find_edges_avx512<false>(text, size, classes, copy, edges);
    }
    if (use_avx2()) {
        return classes.spaces_only ? find_edges_avx2<true>(text, size, classes, copy, edges)
                                   : find_edges_avx2<false>(text, size, classes, copy, edges);
    }
#endif
    return find_edges_portable(text, size, classes, copy, edges);
}

std::size_t join_words(const char* text, std::size_t size, const ByteClasses& classes,
                       bool with_spaces, char* out) {
#if LIKEWISE_X86
    std::size_t written = use_avx2() ? join_words_avx2(text, size, classes, with_spaces, out)
                                     : join_words_portable(text, size, classes, with_spaces, out);
#else
    std::size_t written = join_words_portable(text, size, classes, with_spaces, out);
#endif
    if (with_spaces && written > 0 && out[written - 1] == ' ') --written;
    return written;
}

}  // namespace likewise
