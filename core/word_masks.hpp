// Bytes of words as bits, 64 bytes at a time with AVX2.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu.hpp"
#include "words.hpp"

#if LIKEWISE_X86
#include <immintrin.h>

namespace likewise {

struct Tables {
    __m256i low_nibble, high_nibble, lower, space;
};

LIKEWISE_AVX2 inline Tables load_tables(const ByteClasses& classes) {
    const auto low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(classes.low_nibble.data()));
    const auto high = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    return {_mm256_broadcastsi128_si256(low), _mm256_broadcastsi128_si256(high),
            _mm256_set1_epi8(static_cast<char>(classes.lower)), _mm256_set1_epi8(' ')};
}

// All ones in the bytes that are not word bytes.
template <bool spaces_only>
LIKEWISE_AVX2 inline __m256i gaps(__m256i bytes, const Tables& tables) {
    if constexpr (spaces_only) return _mm256_cmpeq_epi8(bytes, tables.space);
    // A shuffle looks at the low four bits and gives 0 where the top bit is set.
    const auto low = _mm256_shuffle_epi8(tables.low_nibble, bytes);
    const auto nibble = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
    const auto high = _mm256_shuffle_epi8(tables.high_nibble, nibble);
    return _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256());
}

LIKEWISE_AVX2 inline std::uint64_t bits_of(__m256i first, __m256i second) {
    const auto low = static_cast<std::uint32_t>(_mm256_movemask_epi8(first));
    const auto high = static_cast<std::uint32_t>(_mm256_movemask_epi8(second));
    return low | (static_cast<std::uint64_t>(high) << 32);
}

// Positions of the set bits. Writes eight at a time, so up to seven beyond the count are scratch.
LIKEWISE_AVX2 inline std::size_t flatten(std::uint64_t bits, std::uint32_t base,
                                         std::uint32_t* out) {
    const auto count = static_cast<std::size_t>(_mm_popcnt_u64(bits));
    for (std::size_t done = 0; done < count; done += 8) {
        for (int i = 0; i < 8; ++i) {
            out[done + i] = base + static_cast<std::uint32_t>(_tzcnt_u64(bits));
            bits = _blsr_u64(bits);
        }
    }
    return count;
}

// The same from the numbers 0 to 63, by one compression. Writes sixteen at a time.
LIKEWISE_AVX512 inline std::size_t flatten_avx512(std::uint64_t bits, std::uint32_t base,
                                                  __m512i places, std::uint32_t* out) {
    const auto count = static_cast<std::size_t>(_mm_popcnt_u64(bits));
    const auto packed = _mm512_maskz_compress_epi8(bits, places);
    const auto first = _mm512_set1_epi32(static_cast<int>(base));
    const auto write = [&](__m128i sixteen, std::size_t at) LIKEWISE_AVX512 {
        _mm512_storeu_si512(out + at, _mm512_add_epi32(_mm512_cvtepu8_epi32(sixteen), first));
    };
    write(_mm512_castsi512_si128(packed), 0);
    if (count > 16) write(_mm512_extracti32x4_epi32(packed, 1), 16);
    if (count > 32) write(_mm512_extracti32x4_epi32(packed, 2), 32);
    if (count > 48) write(_mm512_extracti32x4_epi32(packed, 3), 48);
    return count;
}

}  // namespace likewise

#endif
