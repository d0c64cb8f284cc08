// Sixteen bytes of text at a time, where they are words of common Latin and Cyrillic letters. SSE2
// is part of every x86-64; elsewhere the loop over single characters does all of it.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace likewise {

// Four bytes, the lowest first.
inline void store4(char* p, std::uint32_t bytes) {
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap32(bytes);
    std::memcpy(p, &bytes, 4);
}

inline std::uint32_t load4(const char* p) {
    std::uint32_t bytes;
    std::memcpy(&bytes, p, 4);
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap32(bytes);
    return bytes;
}

#ifdef __SSE2__

inline __m128i all(int byte) { return _mm_set1_epi8(static_cast<char>(byte)); }
inline __m128i load16(const char* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
inline void store16(char* p, __m128i bytes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), bytes);
}
inline __m128i is_between(__m128i bytes, int first, int last) {
    const __m128i offset = _mm_sub_epi8(bytes, all(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(offset, all(last - first)), offset);
}
inline unsigned mask_of(__m128i bytes) { return static_cast<unsigned>(_mm_movemask_epi8(bytes)); }

// Only starters begin with these bytes, which are those that WordBlock knows of; the table
// generator proves it.
inline bool begins_starter(char byte) {
    const auto b = static_cast<std::uint8_t>(byte);
    return b < 0x80 || b == 0xC3 || b == 0xD0 || b == 0xD1;
}

// Whether it is worth while to look at whole blocks.
inline bool begins_words(const char* at, bool pairs) {
    return (load4(at) & 0x80808080) == 0 ||
           (pairs && at[0] < 0 && begins_starter(at[0]) && begins_starter(at[2]));
}

// Sixteen bytes seen as words of common letters, which keep their length when their case is folded:
// ASCII letters and digits, U+00C0 to U+00FF and U+0410 to U+045F, with few exceptions.
struct WordBlock {
    __m128i text;         // case folded, spaces for ASCII separators
    unsigned separators;  // bits of those bytes
    unsigned seconds;     // bits of the second bytes of two-byte letters
    unsigned unknown;     // bits of bytes that are none of this

    WordBlock(const char* at, __m128i fold, __m128i digits, __m128i pairs) {
        const __m128i bytes = load16(at);
        const __m128i before = _mm_and_si128(_mm_slli_si128(bytes, 1), pairs);
        const __m128i after_c3 = _mm_cmpeq_epi8(before, all(0xC3));
        const __m128i after_d0 = _mm_cmpeq_epi8(before, all(0xD0));
        const __m128i after_d1 = _mm_cmpeq_epi8(before, all(0xD1));
        // U+00D7 and U+00F7 are symbols, and U+00DF becomes two letters.
        const __m128i odd = _mm_or_si128(_mm_cmpeq_epi8(_mm_or_si128(bytes, all(0x20)), all(0xB7)),
                                         _mm_cmpeq_epi8(bytes, all(0x9F)));
        const __m128i latin =
            _mm_andnot_si128(odd, _mm_and_si128(after_c3, is_between(bytes, 0x80, 0xBF)));
        const __m128i cyrillic =
            _mm_or_si128(_mm_and_si128(after_d0, is_between(bytes, 0x90, 0xBF)),
                         _mm_and_si128(after_d1, is_between(bytes, 0x80, 0x9F)));
        const __m128i second = _mm_or_si128(latin, cyrillic);
        const __m128i letter = is_between(_mm_or_si128(bytes, all(0x20)), 'a', 'z');
        const __m128i digit = _mm_and_si128(is_between(bytes, '0', '9'), digits);
        const __m128i word = _mm_or_si128(_mm_or_si128(letter, digit),
                                          _mm_or_si128(second, _mm_srli_si128(second, 1)));
        // The bit 0x20 distinguishes the cases, and for half of the Cyrillic capitals the lowest
        // bit of the first byte as well.
        const __m128i upper =
            _mm_or_si128(is_between(bytes, 'A', 'Z'),
                         _mm_or_si128(_mm_and_si128(latin, is_between(bytes, 0x80, 0x9E)),
                                      _mm_and_si128(after_d0, is_between(bytes, 0x90, 0xAF))));
        const __m128i moved = _mm_and_si128(after_d0, is_between(bytes, 0xA0, 0xAF));
        const __m128i change = _mm_or_si128(_mm_and_si128(upper, all(0x20)),
                                            _mm_and_si128(_mm_srli_si128(moved, 1), all(1)));
        const __m128i folded = _mm_xor_si128(bytes, _mm_and_si128(change, fold));
        text = _mm_or_si128(_mm_and_si128(word, folded), _mm_andnot_si128(word, all(' ')));
        const unsigned words = mask_of(word);
        const unsigned ascii = ~mask_of(bytes);
        separators = ascii & ~words & 0xFFFF;
        seconds = mask_of(second);
        unknown = ~(ascii | words);
    }
};

#endif

}  // namespace likewise
