#include "transcode.hpp"

#include <bit>
#include <cstdint>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace likewise {

namespace {

template <class Unit>
std::size_t size_of_units(const Unit* units, std::size_t length) {
    // In parts that 32 bits can count, so that the compiler counts several units at once.
    constexpr std::size_t kPart = 1 << 20;
    std::size_t size = length;
    for (std::size_t begin = 0; begin < length; begin += kPart) {
        const std::size_t end = begin + kPart < length ? begin + kPart : length;
        std::uint32_t more = 0;
        for (std::size_t i = begin; i < end; ++i) {
            more += units[i] >= 0x80;
            if constexpr (sizeof(Unit) > 1) more += units[i] >= 0x800;
            if constexpr (sizeof(Unit) > 2) more += units[i] >= 0x10000;
        }
        size += more;
    }
    return size;
}

#ifdef __SSE2__
// Sixteen units at a time. Each takes a byte or more, so where sixteen are left, sixteen bytes may
// be written.
constexpr std::size_t kBlock = 16;

inline __m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }

inline void store(char* to, __m128i bytes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
}

// Writes sixteen units as bytes; gives the bits of those that are not ASCII, and so wrong.
inline unsigned narrow(const std::uint8_t* units, char* to) {
    const __m128i bytes = load(units);
    store(to, bytes);
    return static_cast<unsigned>(_mm_movemask_epi8(bytes));
}

inline unsigned narrow(const std::uint16_t* units, char* to) {
    const __m128i a = load(units), b = load(units + 8);
    const __m128i high = _mm_set1_epi16(static_cast<short>(0xFF80)), zero = _mm_setzero_si128();
    const __m128i ascii = _mm_packs_epi16(_mm_cmpeq_epi16(_mm_and_si128(a, high), zero),
                                          _mm_cmpeq_epi16(_mm_and_si128(b, high), zero));
    store(to, _mm_packus_epi16(a, b));
    return static_cast<unsigned>(_mm_movemask_epi8(ascii)) ^ 0xFFFF;
}

// Writes eight units as two bytes each; gives the number of units before the first that is not
// two bytes long, from which on they are wrong.
inline unsigned widen(const std::uint16_t* units, char* to) {
    const __m128i c = load(units);
    const __m128i low = _mm_and_si128(c, _mm_set1_epi16(0x3F));
    const __m128i bytes = _mm_or_si128(_mm_or_si128(_mm_srli_epi16(c, 6), _mm_slli_epi16(low, 8)),
                                       _mm_set1_epi16(static_cast<short>(0x80C0)));
    store(to, bytes);
    // From 0x80 to 0x7FF: signed, so that what is larger than 0x7FFF fails too.
    const __m128i two = _mm_and_si128(_mm_cmpgt_epi16(c, _mm_set1_epi16(0x7F)),
                                      _mm_cmplt_epi16(c, _mm_set1_epi16(0x800)));
    const auto wrong = static_cast<unsigned>(_mm_movemask_epi8(two)) ^ 0xFFFF;
    return static_cast<unsigned>(std::countr_zero(wrong | 1u << 16)) / 2;
}
#endif

template <class Unit>
void write_units(const Unit* units, std::size_t length, char* to) {
    const auto put = [&](std::uint32_t byte) { *to++ = static_cast<char>(byte); };
    for (std::size_t i = 0; i < length;) {
        std::uint32_t c = units[i];
#ifdef __SSE2__
        if constexpr (sizeof(Unit) <= 2) {
            if (c < 0x80 && i + kBlock <= length) {
                const auto run = std::countr_zero(narrow(units + i, to) | 1u << 16);
                i += static_cast<std::size_t>(run);
                to += run;
                continue;
            }
        }
        if constexpr (sizeof(Unit) == 2) {
            if (c >= 0x80 && c < 0x800 && i + kBlock <= length) {
                const unsigned run = widen(units + i, to);
                i += run;
                to += 2 * run;
                continue;
            }
        }
#endif
        ++i;
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
}

template <class Use>
auto with_units(const FixedWidth& string, Use&& use) {
    switch (string.width) {
        case 1:
            return use(static_cast<const std::uint8_t*>(string.data));
        case 2:
            return use(static_cast<const std::uint16_t*>(string.data));
        default:
            return use(static_cast<const std::uint32_t*>(string.data));
    }
}

}  // namespace

std::size_t utf8_size(const FixedWidth& string) {
    return with_units(string,
                      [&](const auto* units) { return size_of_units(units, string.length); });
}

void write_utf8(const FixedWidth& string, char* to) {
    with_units(string, [&](const auto* units) { write_units(units, string.length, to); });
}

}  // namespace likewise
