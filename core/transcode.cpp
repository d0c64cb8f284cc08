#include "transcode.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "cpu.hpp"
#include "interruption.hpp"
#if LIKEWISE_X86
#include <immintrin.h>
#endif

namespace likewise {

namespace {

constexpr std::size_t kPart = 1 << 20;  // units between two looks for an interruption

template <class Unit>
LIKEWISE_INLINE std::size_t count_bytes(const Unit* units, std::size_t length) {
    // In 16 bits, so that the compiler counts many units at once; so few that they are enough.
    constexpr std::size_t kCounted = 1 << 13;
    std::size_t size = length;
    for (std::size_t begin = 0; begin < length; begin += kCounted) {
        const std::size_t end = std::min(length, begin + kCounted);
        std::uint16_t more = 0;
        for (std::size_t i = begin; i < end; ++i) {
            more = static_cast<std::uint16_t>(more + (units[i] >= 0x80));
            if constexpr (sizeof(Unit) > 1) {
                more = static_cast<std::uint16_t>(more + (units[i] >= 0x800));
            }
            if constexpr (sizeof(Unit) > 2) {
                more = static_cast<std::uint16_t>(more + (units[i] >= 0x10000));
            }
        }
        size += more;
    }
    return size;
}

template <class Unit>
char* write_portable(const Unit* units, std::size_t length, char* to) {
    const auto put = [&](std::uint32_t byte) { *to++ = static_cast<char>(byte); };
    for (std::size_t i = 0; i < length; ++i) {
        std::uint32_t c = units[i];
        if (c < 0x80) {
            put(c);
            continue;
        }
        if (c < 0x800) {
            put(0xC0 | c >> 6);
        } else {
            if (c < 0x10000) {
                if (c >= 0xD800 && c <= 0xDFFF) c = 0xFFFD;
                put(0xE0 | c >> 12);
            } else {
                put(0xF0 | c >> 18);
                put(0x80 | (c >> 12 & 0x3F));
            }
            put(0x80 | (c >> 6 & 0x3F));
        }
        put(0x80 | (c & 0x3F));
    }
    return to;
}

#if LIKEWISE_X86

template <class Unit>
LIKEWISE_AVX2 std::size_t count_bytes_avx2(const Unit* units, std::size_t length) {
    return count_bytes(units, length);
}

template <class Unit>
LIKEWISE_AVX512 std::size_t count_bytes_avx512(const Unit* units, std::size_t length) {
    return count_bytes(units, length);
}

// For each mask of eight characters: the shuffle that drops the second bytes of those that are
// ASCII from eight pairs of bytes.
constexpr auto kPairs = [] {
    std::array<std::array<std::uint8_t, 16>, 256> table{};
    for (unsigned mask = 0; mask < 256; ++mask) {
        unsigned n = 0;
        for (unsigned i = 0; i < 8; ++i) {
            table[mask][n++] = static_cast<std::uint8_t>(2 * i);
            if (mask >> i & 1) table[mask][n++] = static_cast<std::uint8_t>(2 * i + 1);
        }
        while (n < 16) table[mask][n++] = 0x80;
    }
    return table;
}();

LIKEWISE_AVX2 inline __m128i load(const void* from) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
}

LIKEWISE_AVX2 inline void store(char* to, __m128i bytes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
}

// The first `count` of eight characters, which are below U+0800. Writes sixteen bytes, of which
// those behind the end mean nothing.
LIKEWISE_AVX2 inline char* write_pairs(__m128i c, unsigned count, char* to) {
    const __m128i ascii = _mm_cmplt_epi16(c, _mm_set1_epi16(0x80));
    const __m128i low = _mm_and_si128(c, _mm_set1_epi16(0x3F));
    const __m128i pairs = _mm_or_si128(_mm_or_si128(_mm_srli_epi16(c, 6), _mm_slli_epi16(low, 8)),
                                       _mm_set1_epi16(static_cast<short>(0x80C0)));
    const __m128i bytes = _mm_blendv_epi8(pairs, c, ascii);
    const auto long_ones =
        ~static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(ascii, ascii))) & 255u;
    store(to, _mm_shuffle_epi8(bytes, load(kPairs[long_ones].data())));
    return to + count + _mm_popcnt_u32(long_ones & ((1u << count) - 1));
}

// Eight characters from U+0800 on, none of them a surrogate: 24 bytes, and four that mean nothing.
LIKEWISE_AVX2 inline char* write_triples(__m128i c, char* to) {
    const auto four = [&](__m128i wide) LIKEWISE_AVX2 {
        const __m128i first = _mm_srli_epi32(wide, 12);
        const __m128i second =
            _mm_slli_epi32(_mm_and_si128(wide, _mm_set1_epi32(0xFC0)), 2);  // in the second byte
        const __m128i third = _mm_slli_epi32(_mm_and_si128(wide, _mm_set1_epi32(0x3F)), 16);
        const __m128i bytes = _mm_or_si128(_mm_or_si128(first, second),
                                           _mm_or_si128(third, _mm_set1_epi32(0x8080E0)));
        const __m128i order = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
        store(to, _mm_shuffle_epi8(bytes, order));
        to += 12;
    };
    four(_mm_cvtepu16_epi32(c));
    four(_mm_cvtepu16_epi32(_mm_srli_si128(c, 8)));
    return to;
}

// Each unit takes a byte or more: where so many units are left as bytes are written too much, they
// are written inside the result.
constexpr std::size_t kBlock = 16, kBeyond = 16;

LIKEWISE_AVX2 char* write_avx2(const std::uint8_t* units, std::size_t length, char* to) {
    std::size_t i = 0;
    for (; i + kBlock + kBeyond <= length; i += kBlock) {
        const __m128i bytes = load(units + i);
        if (_mm_movemask_epi8(bytes) == 0) {
            store(to, bytes);
            to += kBlock;
            continue;
        }
        to = write_pairs(_mm_cvtepu8_epi16(bytes), 8, to);
        to = write_pairs(_mm_cvtepu8_epi16(_mm_srli_si128(bytes, 8)), 8, to);
    }
    return write_portable(units + i, length - i, to);
}

LIKEWISE_AVX2 char* write_avx2(const std::uint16_t* units, std::size_t length, char* to) {
    constexpr std::size_t kHalf = kBlock / 2;
    std::size_t i = 0;
    while (i + kHalf + kBeyond <= length) {
        const __m128i c = load(units + i);
        if (_mm_testz_si128(c, _mm_set1_epi16(static_cast<short>(0xFF80)))) {
            _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(c, c));
            to += kHalf;
            i += kHalf;
            continue;
        }
        const __m128i high = _mm_and_si128(c, _mm_set1_epi16(static_cast<short>(0xF800)));
        const __m128i none = _mm_setzero_si128();
        const __m128i small = _mm_cmpeq_epi16(high, none);
        const auto smalls = static_cast<unsigned>(_mm_movemask_epi8(small));
        if (smalls == 0xFFFF) {
            to = write_pairs(c, kHalf, to);
            i += kHalf;
            continue;
        }
        const __m128i surrogates =
            _mm_cmpeq_epi16(high, _mm_set1_epi16(static_cast<short>(0xD800)));
        if (smalls == 0 && _mm_testz_si128(surrogates, surrogates)) {
            to = write_triples(c, to);
            i += kHalf;
            continue;
        }
        // Up to the first that is large, and that one by itself; the others come again.
        const auto before = static_cast<unsigned>(std::countr_one(smalls)) / 2;
        to = write_portable(units + i + before, 1, write_pairs(c, before, to));
        i += before + 1;
    }
    return write_portable(units + i, length - i, to);
}

// Units as pairs of bytes, or as four bytes, without those that are nothing. Each unit takes a byte
// or more, so that 64 bytes may be written where 64 units are left.
LIKEWISE_AVX512 inline char* write_bytes(__m512i bytes, std::uint64_t firsts, char* to) {
    const std::uint64_t kept = _mm512_test_epi8_mask(bytes, bytes) | firsts;
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(kept, bytes));
    return to + _mm_popcnt_u64(kept);
}

// 32 characters below U+0800.
LIKEWISE_AVX512 inline char* write_pairs_avx512(__m512i c, char* to) {
    const __mmask32 wide = _mm512_cmpge_epu16_mask(c, _mm512_set1_epi16(0x80));
    const __m512i low = _mm512_slli_epi16(_mm512_and_si512(c, _mm512_set1_epi16(0x3F)), 8);
    const __m512i pairs = _mm512_or_si512(_mm512_or_si512(_mm512_srli_epi16(c, 6), low),
                                          _mm512_set1_epi16(static_cast<short>(0x80C0)));
    return write_bytes(_mm512_mask_mov_epi16(c, wide, pairs), 0x5555555555555555, to);
}

LIKEWISE_AVX512 inline __m512i all(std::uint32_t value) {
    return _mm512_set1_epi32(static_cast<int>(value));
}

// Sixteen characters of any length.
LIKEWISE_AVX512 inline char* write_any_avx512(__m512i c, char* to) {
    const auto reaches = [&](std::uint32_t limit)
                             LIKEWISE_AVX512 { return _mm512_cmpge_epu32_mask(c, all(limit)); };
    // Six bits each, the lowest first, in the place of the byte that they go to.
    const auto six = [&](int shift, int place) LIKEWISE_AVX512 {
        return _mm512_sll_epi32(
            _mm512_and_si512(_mm512_srl_epi32(c, _mm_cvtsi32_si128(shift)), all(0x3F)),
            _mm_cvtsi32_si128(8 * place));
    };
    const __mmask16 surrogates =
        _mm512_cmpeq_epi32_mask(_mm512_and_si512(c, all(0xFFFFF800)), all(0xD800));
    c = _mm512_mask_mov_epi32(c, surrogates, all(0xFFFD));
    const __m512i two =
        _mm512_or_si512(_mm512_or_si512(_mm512_srli_epi32(c, 6), six(0, 1)), all(0x80C0));
    const __m512i three = _mm512_or_si512(_mm512_or_si512(_mm512_srli_epi32(c, 12), six(6, 1)),
                                          _mm512_or_si512(six(0, 2), all(0x8080E0)));
    const __m512i four =
        _mm512_or_si512(_mm512_or_si512(_mm512_srli_epi32(c, 18), six(12, 1)),
                        _mm512_or_si512(_mm512_or_si512(six(6, 2), six(0, 3)), all(0x808080F0)));
    __m512i bytes = _mm512_mask_mov_epi32(c, reaches(0x80), two);
    bytes = _mm512_mask_mov_epi32(bytes, reaches(0x800), three);
    bytes = _mm512_mask_mov_epi32(bytes, reaches(0x10000), four);
    return write_bytes(bytes, 0x1111111111111111, to);
}

template <class Unit>
LIKEWISE_AVX512 char* write_avx512(const Unit* units, std::size_t length, char* to) {
    std::size_t i = 0;
    for (; i + 16 + 64 <= length; i += 32) {
        if constexpr (sizeof(Unit) == 1) {
            to = write_pairs_avx512(_mm512_cvtepu8_epi16(_mm256_loadu_si256(
                                        reinterpret_cast<const __m256i*>(units + i))),
                                    to);
        } else if constexpr (sizeof(Unit) == 2) {
            const __m512i c = _mm512_loadu_si512(units + i);
            if (_mm512_cmpge_epu16_mask(c, _mm512_set1_epi16(0x800)) == 0) {
                to = write_pairs_avx512(c, to);
                continue;
            }
            to = write_any_avx512(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(c)), to);
            to = write_any_avx512(_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(c, 1)), to);
        } else {
            to = write_any_avx512(_mm512_loadu_si512(units + i), to);
            to = write_any_avx512(_mm512_loadu_si512(units + i + 16), to);
        }
    }
    return write_portable(units + i, length - i, to);
}

#endif

template <class Unit>
char* write_units(const Unit* units, std::size_t length, char* to) {
#if LIKEWISE_X86
    if (use_avx512()) return write_avx512(units, length, to);
    if constexpr (sizeof(Unit) <= 2) {
        if (use_avx2()) return write_avx2(units, length, to);
    }
#endif
    return write_portable(units, length, to);
}

template <class Unit>
std::size_t size_of_units(const Unit* units, std::size_t length) {
#if LIKEWISE_X86
    if (use_avx512()) return count_bytes_avx512(units, length);
    if (use_avx2()) return count_bytes_avx2(units, length);
#endif
    return count_bytes(units, length);
}

// use(units, length) for parts of the string.
template <class Use>
void in_parts(const FixedWidth& string, Use&& use) {
    const auto each = [&](const auto* units) {
        for (std::size_t i = 0; i < string.length; i += kPart) {
            if (i != 0) poll_interruption();
            use(units + i, std::min(kPart, string.length - i));
        }
    };
    switch (string.width) {
        case 1:
            return each(static_cast<const std::uint8_t*>(string.data));
        case 2:
            return each(static_cast<const std::uint16_t*>(string.data));
        default:
            return each(static_cast<const std::uint32_t*>(string.data));
    }
}

}  // namespace

std::size_t utf8_size(const FixedWidth& string) {
    std::size_t size = 0;
    in_parts(string,
             [&](const auto* units, std::size_t length) { size += size_of_units(units, length); });
    return size;
}

void write_utf8(const FixedWidth& string, char* to) {
    in_parts(string,
             [&](const auto* units, std::size_t length) { to = write_units(units, length, to); });
}

}  // namespace likewise
