#include "sketch.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "cpu.hpp"
#include "hash.hpp"
#if LIKEWISE_X86
#include <immintrin.h>
#endif

namespace likewise {

namespace {

constexpr unsigned kRounds = 31;
constexpr std::size_t kLanes = 16;  // elements that the widest kernel takes at once
constexpr std::uint32_t kLaterRounds = 1u << 31;
constexpr unsigned kRoundBits = 26;
constexpr std::uint32_t kRoundMask = (1u << kRoundBits) - 1;
constexpr std::uint32_t kLastResort = kLaterRounds + (kRounds << kRoundBits);

constexpr std::uint64_t mixed(std::uint64_t z) {
    z = (z + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

// One re-hash of an element: y = (x ^ offset) * factor modulo 2^32.
struct Rehash {
    std::uint32_t offset, factor;
    std::uint32_t operator()(std::uint32_t x) const { return (x ^ offset) * factor; }
};
constexpr Rehash rehash_number(std::uint64_t n) {
    const std::uint64_t z = mixed(n);
    return {static_cast<std::uint32_t>(z), static_cast<std::uint32_t>(z >> 32) | 1};
}
constexpr auto kRehash = [] {
    std::array<Rehash, kRounds + 1> all{};
    for (unsigned round = 1; round <= kRounds; ++round) all[round] = rehash_number(round);
    return all;
}();

// The kernels: count and digest of hashes, their low halves kept; the map of empty bins; and one
// later round over all elements, whose values go only into bins that `empty` marks. `filled` gets
// the bits of the bins that were hit.

void absorb_portable(const std::uint64_t* hashes, std::size_t count, std::uint32_t* kept,
                     Digest& digest) {
    for (std::size_t i = 0; i < count; ++i) {
        digest.sum += hashes[i];
        digest.parity ^= hashes[i];
    }
    if (kept == nullptr) return;
    for (std::size_t i = 0; i < count; ++i) kept[i] = static_cast<std::uint32_t>(hashes[i]);
}

std::size_t map_empty_portable(const std::uint32_t* bins, std::size_t count, std::uint32_t* empty) {
    std::size_t found = 0;
    for (std::size_t word = 0; word < count / 32; ++word) {
        std::uint32_t bits = 0;
        for (unsigned bit = 0; bit < 32; ++bit) {
            bits |= static_cast<std::uint32_t>(bins[32 * word + bit] == kEmptyValue) << bit;
        }
        empty[word] = bits;
        found += static_cast<std::size_t>(std::popcount(bits));
    }
    return found;
}

void round_portable(const std::uint32_t* elements, std::size_t count, Rehash rehash,
                    std::uint32_t base, std::uint32_t values, const std::uint32_t* empty,
                    std::uint32_t* filled, std::uint32_t* bins) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t y = rehash(elements[i]);
        const auto bin = static_cast<std::uint32_t>(static_cast<std::uint64_t>(y) * values >> 32);
        if (empty[bin >> 5] >> (bin & 31) & 1) {
            bins[bin] = std::min(bins[bin], base + (y & kRoundMask));
            filled[bin >> 5] |= 1u << (bin & 31);
        }
    }
}

#if LIKEWISE_X86
LIKEWISE_AVX2 void absorb_avx2(const std::uint64_t* hashes, std::size_t count, std::uint32_t* kept,
                               Digest& digest) {
    auto sums = _mm256_setzero_si256(), parities = _mm256_setzero_si256();
    const auto low_halves = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const auto four = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(hashes + i));
        sums = _mm256_add_epi64(sums, four);
        parities = _mm256_xor_si256(parities, four);
        if (kept == nullptr) continue;
        _mm_storeu_si128(reinterpret_cast<__m128i*>(kept + i),
                         _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(four, low_halves)));
    }
    alignas(32) std::uint64_t sum[4], parity[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(sum), sums);
    _mm256_store_si256(reinterpret_cast<__m256i*>(parity), parities);
    digest.sum += sum[0] + sum[1] + sum[2] + sum[3];
    digest.parity ^= parity[0] ^ parity[1] ^ parity[2] ^ parity[3];
    absorb_portable(hashes + i, count - i, kept == nullptr ? nullptr : kept + i, digest);
}

LIKEWISE_AVX2 std::size_t map_empty_avx2(const std::uint32_t* bins, std::size_t count,
                                         std::uint32_t* empty) {
    std::size_t found = 0;
    const auto none = _mm256_set1_epi32(-1);
    for (std::size_t word = 0; word < count / 32; ++word) {
        std::uint32_t bits = 0;
        for (unsigned part = 0; part < 4; ++part) {
            const auto* eight = reinterpret_cast<const __m256i*>(bins + 32 * word + 8 * part);
            const auto equal = _mm256_cmpeq_epi32(_mm256_loadu_si256(eight), none);
            bits |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(equal)))
                    << (8 * part);
        }
        empty[word] = bits;
        found += static_cast<std::size_t>(_mm_popcnt_u32(bits));
    }
    return found;
}

// For each mask of eight lanes, the permutation that moves the chosen ones to the front.
constexpr auto kChosenLanes = [] {
    std::array<std::array<std::uint8_t, 8>, 256> table{};
    for (int mask = 0; mask < 256; ++mask) {
        int n = 0;
        for (int lane = 0; lane < 8; ++lane) {
            if (mask >> lane & 1) table[mask][n++] = static_cast<std::uint8_t>(lane);
        }
    }
    return table;
}();

// For a power of two up to 256 values: the map of empty bins stays in one register. Elements must
// be filled up to a multiple of kLanes with repeats. Hits are gathered first and put afterwards:
// about half of the blocks have one, which no branch predictor can guess.
LIKEWISE_AVX2 void round_avx2(const std::uint32_t* elements, std::size_t count, Rehash rehash,
                              std::uint32_t base, unsigned bits, const std::uint32_t* empty,
                              std::uint32_t* filled, std::uint32_t* bins) {
    constexpr std::size_t kBlock = 1024;
    std::uint32_t hits[kBlock + 8];
    const auto map = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(empty));
    const auto offset = _mm256_set1_epi32(static_cast<int>(rehash.offset));
    const auto factor = _mm256_set1_epi32(static_cast<int>(rehash.factor));
    const auto low_bits = _mm256_set1_epi32(31);
    const auto shift = _mm_cvtsi32_si128(static_cast<int>(32 - bits));
    for (std::size_t start = 0; start < count; start += kBlock) {
        const std::size_t end = std::min(count, start + kBlock);
        std::size_t found = 0;
        for (std::size_t i = start; i < end; i += 8) {
            const auto x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(elements + i));
            const auto y = _mm256_mullo_epi32(_mm256_xor_si256(x, offset), factor);
            const auto bin = _mm256_srl_epi32(y, shift);
            const auto word = _mm256_permutevar8x32_epi32(map, _mm256_srli_epi32(bin, 5));
            const auto hit = _mm256_srlv_epi32(word, _mm256_and_si256(bin, low_bits));
            const auto lanes = static_cast<unsigned>(
                _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(hit, 31))));
            const auto order = _mm256_cvtepu8_epi32(
                _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kChosenLanes[lanes].data())));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(hits + found),
                                _mm256_permutevar8x32_epi32(y, order));
            found += static_cast<std::size_t>(_mm_popcnt_u32(lanes));
        }
        for (std::size_t i = 0; i < found; ++i) {
            const std::uint32_t to = hits[i] >> (32 - bits);
            bins[to] = std::min(bins[to], base + (hits[i] & kRoundMask));
            filled[to >> 5] |= 1u << (to & 31);
        }
    }
}

// The same with sixteen lanes.
LIKEWISE_AVX512 void round_avx512(const std::uint32_t* elements, std::size_t count, Rehash rehash,
                                  std::uint32_t base, unsigned bits, const std::uint32_t* empty,
                                  std::uint32_t* filled, std::uint32_t* bins) {
    constexpr std::size_t kBlock = 1024;
    std::uint32_t hits[kBlock + 16];
    const auto map =
        _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(empty)));
    const auto offset = _mm512_set1_epi32(static_cast<int>(rehash.offset));
    const auto factor = _mm512_set1_epi32(static_cast<int>(rehash.factor));
    const auto low_bits = _mm512_set1_epi32(31);
    const auto one = _mm512_set1_epi32(1);
    const auto shift = _mm_cvtsi32_si128(static_cast<int>(32 - bits));
    for (std::size_t start = 0; start < count; start += kBlock) {
        const std::size_t end = std::min(count, start + kBlock);
        std::size_t found = 0;
        for (std::size_t i = start; i < end; i += 16) {
            const auto x = _mm512_loadu_si512(elements + i);
            const auto y = _mm512_mullo_epi32(_mm512_xor_si512(x, offset), factor);
            const auto bin = _mm512_srl_epi32(y, shift);
            const auto word = _mm512_permutexvar_epi32(_mm512_srli_epi32(bin, 5), map);
            const auto hit = _mm512_srlv_epi32(word, _mm512_and_si512(bin, low_bits));
            const __mmask16 lanes = _mm512_test_epi32_mask(hit, one);
            _mm512_storeu_si512(hits + found, _mm512_maskz_compress_epi32(lanes, y));
            found += static_cast<std::size_t>(_mm_popcnt_u32(lanes));
        }
        for (std::size_t i = 0; i < found; ++i) {
            const std::uint32_t to = hits[i] >> (32 - bits);
            bins[to] = std::min(bins[to], base + (hits[i] & kRoundMask));
            filled[to >> 5] |= 1u << (to & 31);
        }
    }
}

// Takes the filled bins out of the map and gives their number.
LIKEWISE_AVX2 std::size_t unmark_avx2(std::uint32_t* empty, const std::uint32_t* filled,
                                      std::size_t words) {
    std::size_t count = 0;
    for (std::size_t word = 0; word < words; ++word) {
        count += static_cast<std::size_t>(_mm_popcnt_u32(filled[word]));
        empty[word] &= ~filled[word];
    }
    return count;
}
#endif

void absorb(const std::uint64_t* hashes, std::size_t count, std::uint32_t* kept, Digest& digest) {
#if LIKEWISE_X86
    if (use_avx2()) return absorb_avx2(hashes, count, kept, digest);
#endif
    absorb_portable(hashes, count, kept, digest);
}

}  // namespace

Sketcher::Sketcher(std::uint32_t values)
    : values_(values),
      // One value would need a shift by 64; the general way serves it.
      power_of_two_(values > 1 && std::has_single_bit(values)),
      width_((std::size_t{values} + 31) / 32 * 32),
      bins_(width_),
      empty_(std::max<std::size_t>(8, width_ / 32)),
      filled_(empty_.size()),
      target_{bins_.data(), static_cast<unsigned>(std::countr_zero(values))} {}

void Sketcher::begin() {
    std::fill(bins_.begin(), bins_.begin() + values_, kEmptyValue);
    remembered_ = 0;
    room_ = std::max<std::size_t>(std::size_t{1} << 16, 16 * std::size_t{values_});
    filled_up_ = saturated_ = false;
    count_ = 0;
    digest_ = {};
}

// Marks the empty bins in empty_ and counts them.
std::size_t Sketcher::map_empty_bins() {
#if LIKEWISE_X86
    if (use_avx2()) return map_empty_avx2(bins_.data(), width_, empty_.data());
#endif
    return map_empty_portable(bins_.data(), width_, empty_.data());
}

void Sketcher::add_digest(const std::uint64_t* hashes, std::size_t count) {
    count_ += count;
    absorb(hashes, count, nullptr, digest_);
}

void Sketcher::add(const std::uint64_t* hashes, std::size_t count, bool already_put) {
    if (!already_put) put(hashes, count);
    // Asking costs as much as some dozens of elements, and few texts of under eight times as many
    // elements as bins have all of them filled.
    const std::uint64_t after = count_ + count;
    if (!filled_up_ && after >= 8 * std::uint64_t{values_}) filled_up_ = map_empty_bins() == 0;
    if (!filled_up_) return remember(hashes, count);
    add_digest(hashes, count);
    if (after >= 64 * std::uint64_t{values_}) {
        saturated_ = true;
        ceiling_ = *std::max_element(bins_.begin(), bins_.begin() + values_);
    }
}

// Round 0.
void Sketcher::put(const std::uint64_t* hashes, std::size_t count) {
    if (const Bins* to = bins()) {
        for (std::size_t i = 0; i < count; ++i) to->put(hashes[i]);
        return;
    }
    // In a long text almost nothing is below the largest minimum, so that is looked at first.
    const std::uint32_t ceiling = saturated_ ? ceiling_ : kEmptyValue;
    for (std::size_t i = 0; i < count; ++i) {
        const auto product = static_cast<unsigned __int128>(hashes[i]) * values_;
        const auto value = static_cast<std::uint32_t>(static_cast<std::uint64_t>(product) >> 33);
        if (value >= ceiling) continue;
        auto& to = bins_[static_cast<std::uint64_t>(product >> 64)];
        to = std::min(to, value);
    }
}

// Keeps what the later rounds need.
void Sketcher::remember(const std::uint64_t* hashes, std::size_t count) {
    if (remembered_ + count > room_) drop_repeats(count);
    std::uint32_t* kept =
        elements_.reserve(remembered_ + count + kLanes, remembered_) + remembered_;
    absorb(hashes, count, kept, digest_);
    remembered_ += count;
    count_ += count;
}

// A long text that leaves bins empty has few different shingles: without repeats it stays small.
void Sketcher::drop_repeats(std::size_t count) {
    std::uint32_t* begin = elements_.data();
    std::sort(begin, begin + remembered_);
    remembered_ = static_cast<std::size_t>(std::unique(begin, begin + remembered_) - begin);
    while (remembered_ + count > room_ / 2) room_ *= 2;
}

void Sketcher::fill_empty_bins() {
    std::size_t left = map_empty_bins();
    if (left == 0) return;
    std::uint32_t* elements = elements_.data();
    for (std::size_t i = remembered_; i % kLanes != 0; ++i) elements[i] = elements[remembered_ - 1];
    for (unsigned round = 1; round <= kRounds && left > 0; ++round) {
        std::fill(filled_.begin(), filled_.end(), 0);
        const std::uint32_t base = kLaterRounds + ((round - 1) << kRoundBits);
#if LIKEWISE_X86
        if (power_of_two_ && values_ <= 256 && use_avx2()) {
            const auto one_round = use_avx512() ? round_avx512 : round_avx2;
            one_round(elements, remembered_, kRehash[round], base, target_.bits, empty_.data(),
                      filled_.data(), bins_.data());
            left -= unmark_avx2(empty_.data(), filled_.data(), filled_.size());
            continue;
        }
#endif
        round_portable(elements, remembered_, kRehash[round], base, values_, empty_.data(),
                       filled_.data(), bins_.data());
        for (std::size_t word = 0; word < filled_.size(); ++word) {
            left -= static_cast<std::size_t>(std::popcount(filled_[word]));
            empty_[word] &= ~filled_[word];
        }
    }
    if (left > 0) fill_by_last_resort();
}

void Sketcher::fill_by_last_resort() {
    for (std::uint32_t bin = 0; bin < values_; ++bin) {
        if (bins_[bin] != kEmptyValue) continue;
        const Rehash rehash = rehash_number(kRounds + 1 + std::uint64_t{bin});
        std::uint32_t least = kRoundMask - 1;  // never the value of an empty set
        for (std::size_t i = 0; i < remembered_; ++i) {
            least = std::min(least, rehash(elements_[i]) >> (32 - kRoundBits));
        }
        bins_[bin] = kLastResort + least;
    }
}

const std::uint32_t* Sketcher::finish() {
    if (count_ > 0 && !filled_up_) fill_empty_bins();
    return bins_.data();
}

void band_keys(const std::uint32_t* sketch, std::uint32_t bands, std::uint32_t rows,
               std::uint64_t* keys) {
    for (std::uint32_t band = 0; band < bands; ++band) {
        std::uint64_t key = mixed(band);
        std::uint32_t row = 0;
        for (; row + 2 <= rows; row += 2) {
            const std::uint64_t two =
                sketch[row] | (static_cast<std::uint64_t>(sketch[row + 1]) << 32);
            key = fold_multiply(key ^ two, kFinalFactor);
        }
        if (row < rows) key = fold_multiply(key ^ sketch[row], kFinalFactor);
        keys[band] = key;
        sketch += rows;
    }
}

}  // namespace likewise
