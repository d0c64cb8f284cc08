#include "letter_words.hpp"

#include <cstring>

#include "word_masks.hpp"

namespace likewise {

namespace {

#if LIKEWISE_X86

using Bits = std::uint64_t;  // one for each of 64 bytes

namespace avx2 {

struct Tables : likewise::Tables {
    LIKEWISE_AVX2 explicit Tables(const ByteClasses& classes)
        : likewise::Tables(load_tables(classes)) {}
};

LIKEWISE_AVX2 inline std::size_t flatten(Bits bits, std::uint32_t base, const Tables&,
                                         std::uint32_t* out) {
    return likewise::flatten(bits, base, out);
}

class Block {
  public:
    LIKEWISE_AVX2 explicit Block(const char* at)
        : a_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at))),
          b_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 32))) {}

    LIKEWISE_AVX2 Bits not_ascii() const { return bits_of(a_, b_); }

    LIKEWISE_AVX2 Bits ascii_words(const Tables& tables) const {
        return ~bits_of(gaps<false>(a_, tables), gaps<false>(b_, tables));
    }

    LIKEWISE_AVX2 Bits equal(int byte) const {
        const __m256i all = _mm256_set1_epi8(static_cast<char>(byte));
        return bits_of(_mm256_cmpeq_epi8(a_, all), _mm256_cmpeq_epi8(b_, all));
    }

    LIKEWISE_AVX2 Bits between(int first, int last) const {
        const __m256i low = _mm256_set1_epi8(static_cast<char>(first));
        const __m256i width = _mm256_set1_epi8(static_cast<char>(last - first));
        const __m256i a = _mm256_sub_epi8(a_, low), b = _mm256_sub_epi8(b_, low);
        return bits_of(_mm256_cmpeq_epi8(_mm256_min_epu8(a, width), a),
                       _mm256_cmpeq_epi8(_mm256_min_epu8(b, width), b));
    }

    // Sets the bits that fold ASCII, in all bytes.
    LIKEWISE_AVX2 void fold(const Tables& tables) {
        a_ = _mm256_or_si256(a_, tables.lower);
        b_ = _mm256_or_si256(b_, tables.lower);
    }

    // Flips bits of the chosen bytes.
    LIKEWISE_AVX2 void flip(Bits chosen, int bits) {
        const __m256i all = _mm256_set1_epi8(static_cast<char>(bits));
        a_ = _mm256_xor_si256(a_, _mm256_and_si256(bytes_of(chosen), all));
        b_ = _mm256_xor_si256(b_, _mm256_and_si256(bytes_of(chosen >> 32), all));
    }

    LIKEWISE_AVX2 void store(char* to) const {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), a_);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 32), b_);
    }

  private:
    // All ones in the bytes of the lower 32 bits that are set.
    LIKEWISE_AVX2 static __m256i bytes_of(Bits bits) {
        const __m256i all = _mm256_set1_epi32(static_cast<int>(bits));
        const __m256i which = _mm256_setr_epi64x(0x0000000000000000, 0x0101010101010101,
                                                 0x0202020202020202, 0x0303030303030303);
        const __m256i own = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
        return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(all, which), own), own);
    }

    __m256i a_, b_;
};

#define TARGET LIKEWISE_AVX2
#include "letter_edges.hpp"
#undef TARGET

}  // namespace avx2

namespace avx512 {

struct Tables {
    LIKEWISE_AVX512 explicit Tables(const ByteClasses& classes)
        : low_nibble(_mm512_broadcast_i32x4(
              _mm_loadu_si128(reinterpret_cast<const __m128i*>(classes.low_nibble.data())))),
          high_nibble(_mm512_broadcast_i32x4(
              _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0))),
          lower(_mm512_set1_epi8(static_cast<char>(classes.lower))) {
        alignas(64) std::uint8_t counting[64];
        for (int i = 0; i < 64; ++i) counting[i] = static_cast<std::uint8_t>(i);
        places = _mm512_load_si512(counting);
    }

    __m512i low_nibble, high_nibble, lower, places;
};

// As that of AVX2, of all 64 bytes at once.
class Block {
  public:
    LIKEWISE_AVX512 explicit Block(const char* at) : bytes_(_mm512_loadu_si512(at)) {}

    LIKEWISE_AVX512 Bits not_ascii() const { return _mm512_movepi8_mask(bytes_); }

    LIKEWISE_AVX512 Bits ascii_words(const Tables& tables) const {
        const __m512i high = _mm512_and_si512(_mm512_srli_epi16(bytes_, 4), _mm512_set1_epi8(15));
        return _mm512_test_epi8_mask(_mm512_shuffle_epi8(tables.low_nibble, bytes_),
                                     _mm512_shuffle_epi8(tables.high_nibble, high));
    }

    LIKEWISE_AVX512 Bits equal(int byte) const {
        return _mm512_cmpeq_epi8_mask(bytes_, _mm512_set1_epi8(static_cast<char>(byte)));
    }

    LIKEWISE_AVX512 Bits between(int first, int last) const {
        return _mm512_cmple_epu8_mask(
            _mm512_sub_epi8(bytes_, _mm512_set1_epi8(static_cast<char>(first))),
            _mm512_set1_epi8(static_cast<char>(last - first)));
    }

    LIKEWISE_AVX512 void fold(const Tables& tables) {
        bytes_ = _mm512_or_si512(bytes_, tables.lower);
    }

    LIKEWISE_AVX512 void flip(Bits chosen, int bits) {
        bytes_ = _mm512_xor_si512(
            bytes_, _mm512_maskz_mov_epi8(chosen, _mm512_set1_epi8(static_cast<char>(bits))));
    }

    LIKEWISE_AVX512 void store(char* to) const { _mm512_storeu_si512(to, bytes_); }

  private:
    __m512i bytes_;
};

LIKEWISE_AVX512 inline std::size_t flatten(Bits bits, std::uint32_t base, const Tables& tables,
                                           std::uint32_t* out) {
    return flatten_avx512(bits, base, tables.places, out);
}

#define TARGET LIKEWISE_AVX512
#include "letter_edges.hpp"
#undef TARGET

}  // namespace avx512

#endif

}  // namespace

std::size_t find_letter_edges([[maybe_unused]] const char* text, [[maybe_unused]] std::size_t size,
                              [[maybe_unused]] const ByteClasses& classes,
                              [[maybe_unused]] char* copy, [[maybe_unused]] std::uint32_t* edges) {
#if LIKEWISE_X86
    if (use_avx512()) return avx512::find_letter_edges(text, size, classes, copy, edges);
    if (use_avx2()) return avx2::find_letter_edges(text, size, classes, copy, edges);
#endif
    return kUnknown;
}

}  // namespace likewise
