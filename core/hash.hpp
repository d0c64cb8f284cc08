// The shingle hash: 64 bits, seeded, the same on every platform and instruction set.
//
// A word (or a window of characters) is hashed from its UTF-8 bytes in blocks of 16; k word hashes
// are combined by a polynomial modulo 2^64, which rolls for any k, and folded once more. Changing
// anything here changes every stored index: the golden vectors in tests/ say so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu.hpp"

namespace likewise {

// 64 x 64 -> 128 bit product, high half folded onto the low half.
LIKEWISE_INLINE std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Multiplier of the polynomial over words. It is 5 modulo 8, so that k equal words in a row lose
// only log2(k) bits.
inline constexpr std::uint64_t kWordStep = 0x9e3779b97f4a7c15;
inline constexpr std::uint64_t kFinalFactor = 0xd6e8feb86659fd93;
static_assert(kWordStep % 8 == 5);

struct HashKey {
    std::uint64_t first, second, last;

    constexpr explicit HashKey(std::uint64_t seed)
        : first(mix(seed + 0x243f6a8885a308d3)),
          second(mix(seed + 0x13198a2e03707344)),
          last(mix(seed + 0xa4093822299f31d0)) {}

  private:
    // One well-mixed word from each seed, so that neighbouring seeds give unrelated keys.
    static constexpr std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
};

LIKEWISE_INLINE std::uint64_t load8(const char* p) {
    std::uint64_t v;
    std::memcpy(&v, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

// The first n bytes (0..8) of p as a little-endian number, reading nothing beyond them.
LIKEWISE_INLINE std::uint64_t load_tail(const char* p, std::size_t n) {
    std::uint64_t v = 0;
    std::memcpy(&v, p, n);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

// The part that both the byte loop below and the kernels with wide loads share: up to 16 bytes,
// zero padded, and the length.
LIKEWISE_INLINE std::uint64_t hash_block(std::uint64_t low, std::uint64_t high, std::size_t length,
                                         const HashKey& key) {
    return fold_multiply(low ^ key.first, high ^ (key.second + length));
}

// Hash of any run of bytes. Blocks of 16 from the front; the last one has 1 to 16 bytes.
inline std::uint64_t hash_bytes(const char* p, std::size_t length, const HashKey& key) {
    std::uint64_t carry = 0;
    const std::size_t whole = length;
    while (length > 16) {
        carry = fold_multiply(load8(p) ^ key.last ^ carry, load8(p + 8) ^ key.second ^ carry);
        p += 16;
        length -= 16;
    }
    const std::uint64_t low = length >= 8 ? load8(p) : load_tail(p, length);
    const std::uint64_t high = length > 8 ? load_tail(p + 8, length - 8) : 0;
    return hash_block(low ^ carry, high, whole, key);
}

// Masks for the two halves of a block of up to 16 bytes.
struct BlockMask {
    std::uint64_t low, high;
};
inline constexpr auto kBlockMasks = [] {
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
LIKEWISE_INLINE std::uint64_t hash_padded(const char* p, std::size_t length, const HashKey& key) {
    if (length > 16) [[unlikely]]
        return hash_bytes(p, length, key);
    const BlockMask mask = kBlockMasks[length];
    return hash_block(load8(p) & mask.low, load8(p + 8) & mask.high, length, key);
}

// Last step of every shingle hash, of words and of characters.
LIKEWISE_INLINE std::uint64_t finish(std::uint64_t state, const HashKey& key) {
    return fold_multiply(state ^ key.last, kFinalFactor);
}

// In a bag an element is a shingle with its occurrence number; the first occurrence keeps the
// shingle's own hash, so a bag without repeats equals the set.
inline std::uint64_t occurrence_hash(std::uint64_t shingle, std::uint64_t occurrence) {
    if (occurrence == 0) return shingle;
    return fold_multiply(shingle ^ (occurrence * kWordStep), kFinalFactor ^ occurrence);
}

}  // namespace likewise
