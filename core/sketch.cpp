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

// One later round over all elements: values go only into bins that `empty` marks.
void round_portable(const std::uint32_t* elements, std::size_t count, Rehash rehash,
                    std::uint32_t base, std::uint32_t values, const std::uint32_t* empty,
                    std::uint32_t* bins) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t y = rehash(elements[i]);
        const auto bin = static_cast<std::uint32_t>(static_cast<std::uint64_t>(y) * values >> 32);
        if (empty[bin >> 5] >> (bin & 31) & 1) {
            bins[bin] = std::min(bins[bin], base + (y & kRoundMask));
        }
    }
}

#if LIKEWISE_X86
// The same for a power of two up to 256, the map of empty bins in one register. Elements must be
// filled up to a multiple of eight with repeats.
LIKEWISE_AVX2 void round_avx2(const std::uint32_t* elements, std::size_t count, Rehash rehash,
                              std::uint32_t base, unsigned shift, const std::uint32_t* empty,
                              std::uint32_t* bins) {
    const auto map = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(empty));
    const auto offset = _mm256_set1_epi32(static_cast<int>(rehash.offset));
    const auto factor = _mm256_set1_epi32(static_cast<int>(rehash.factor));
    const auto low_bits = _mm256_set1_epi32(31);
    const auto shift_count = _mm_cvtsi32_si128(static_cast<int>(shift));
    alignas(32) std::uint32_t hashed[8];
    for (std::size_t i = 0; i < count; i += 8) {
        const auto x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(elements + i));
        const auto y = _mm256_mullo_epi32(_mm256_xor_si256(x, offset), factor);
        const auto bin = _mm256_srl_epi32(y, shift_count);
        const auto word = _mm256_permutevar8x32_epi32(map, _mm256_srli_epi32(bin, 5));
        const auto hit = _mm256_srlv_epi32(word, _mm256_and_si256(bin, low_bits));
        auto lanes = static_cast<unsigned>(
            _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(hit, 31))));
        if (lanes == 0) continue;
        _mm256_store_si256(reinterpret_cast<__m256i*>(hashed), y);
        for (; lanes != 0; lanes &= lanes - 1) {
            const std::uint32_t value = hashed[std::countr_zero(lanes)];
            auto& to = bins[value >> shift];
            to = std::min(to, base + (value & kRoundMask));
        }
    }
}
#endif

}  // namespace

Sketcher::Sketcher(std::uint32_t values)
    : values_(values),
      // One value would need a shift by 64; the general way serves it.
      power_of_two_(values > 1 && std::has_single_bit(values)),
      shift_(64 - static_cast<unsigned>(std::countr_zero(values))),
      bins_(values) {}

void Sketcher::begin() {
    std::fill(bins_.begin(), bins_.end(), kEmptyValue);
    remembered_ = 0;
    room_ = std::max<std::size_t>(std::size_t{1} << 16, 16 * std::size_t{values_});
    saturated_ = false;
    count_ = 0;
    digest_ = {};
}

bool Sketcher::all_filled() const {
    return std::find(bins_.begin(), bins_.end(), kEmptyValue) == bins_.end();
}

void Sketcher::add_digest(const std::uint64_t* hashes, std::size_t count) {
    count_ += count;
    std::uint64_t sum = 0, product_sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        sum += hashes[i];
        product_sum += (hashes[i] >> 32) * (hashes[i] & 0xFFFFFFFF);
    }
    digest_.sum += sum;
    digest_.product_sum += product_sum;
}

void Sketcher::add(const std::uint64_t* hashes, std::size_t count) {
    add_digest(hashes, count);
    if (!saturated_) remember(hashes, count);
    put(hashes, count);
}

// Round 0: the top bits choose the bin, the next 31 are the value.
void Sketcher::put(const std::uint64_t* hashes, std::size_t count) {
    std::uint32_t* bins = bins_.data();
    if (saturated_) {
        // A long text: almost nothing is below the largest minimum, so look at that first.
        for (std::size_t i = 0; i < count; ++i) {
            const auto product = static_cast<unsigned __int128>(hashes[i]) * values_;
            const auto value = static_cast<std::uint32_t>(static_cast<std::uint64_t>(product) >> 33);
            if (value >= ceiling_) continue;
            auto& to = bins[static_cast<std::uint64_t>(product >> 64)];
            to = std::min(to, value);
        }
        ceiling_ = *std::max_element(bins_.begin(), bins_.end());
    } else if (power_of_two_) {
        const unsigned shift = shift_, left = 64 - shift_;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t hash = hashes[i];
            auto& to = bins[hash >> shift];
            to = std::min(to, static_cast<std::uint32_t>((hash << left) >> 33));
        }
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            const auto product = static_cast<unsigned __int128>(hashes[i]) * values_;
            auto& to = bins[static_cast<std::uint64_t>(product >> 64)];
            to = std::min(to, static_cast<std::uint32_t>(static_cast<std::uint64_t>(product) >> 33));
        }
    }
}

// Keeps what the later rounds need. When the room is used up, either no bin is empty any more and
// nothing need be kept, or repeats are dropped; a text of few different shingles stays small.
void Sketcher::remember(const std::uint64_t* hashes, std::size_t count) {
    if (remembered_ + count > room_) {
        if (all_filled()) {
            saturated_ = true;
            ceiling_ = *std::max_element(bins_.begin(), bins_.end());
            return;
        }
        std::uint32_t* begin = elements_.data();
        std::sort(begin, begin + remembered_);
        remembered_ = static_cast<std::size_t>(std::unique(begin, begin + remembered_) - begin);
        while (remembered_ + count > room_ / 2) room_ *= 2;
    }
    std::uint32_t* to = elements_.reserve(remembered_ + count + 8, remembered_) + remembered_;
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::uint32_t>(hashes[i]);
    remembered_ += count;
}

void Sketcher::fill_empty_bins() {
    std::uint32_t small_map[8] = {};
    std::vector<std::uint32_t> large_map;
    std::uint32_t* empty = small_map;
    if (values_ > 256) {
        large_map.resize((values_ + 31) / 32);
        empty = large_map.data();
    }
    const auto mark_empty = [&] {
        std::size_t left = 0;
        for (std::uint32_t bin = 0; bin < values_; ++bin) {
            const bool is_empty = bins_[bin] == kEmptyValue;
            const std::uint32_t bit = 1u << (bin & 31);
            empty[bin >> 5] = is_empty ? empty[bin >> 5] | bit : empty[bin >> 5] & ~bit;
            left += is_empty;
        }
        return left;
    };
    std::size_t left = mark_empty();
    std::uint32_t* elements = elements_.data();
    for (std::size_t i = remembered_; i % 8 != 0; ++i) elements[i] = elements[remembered_ - 1];
    for (unsigned round = 1; round <= kRounds && left > 0; ++round) {
        const std::uint32_t base = kLaterRounds + ((round - 1) << kRoundBits);
#if LIKEWISE_X86
        if (power_of_two_ && values_ <= 256 && use_avx2()) {
            round_avx2(elements, remembered_, kRehash[round], base, shift_ - 32, empty,
                       bins_.data());
            left = mark_empty();
            continue;
        }
#endif
        round_portable(elements, remembered_, kRehash[round], base, values_, empty, bins_.data());
        left = mark_empty();
    }
    if (left == 0) return;
    for (std::uint32_t bin = 0; bin < values_; ++bin) {
        if (bins_[bin] != kEmptyValue) continue;
        const Rehash rehash = rehash_number(kRounds + 1 + std::uint64_t{bin});
        std::uint32_t least = kRoundMask - 1;  // never the value of an empty set
        for (std::size_t i = 0; i < remembered_; ++i) {
            least = std::min(least, rehash(elements[i]) >> (32 - kRoundBits));
        }
        bins_[bin] = kLastResort + least;
    }
}

const std::uint32_t* Sketcher::finish() {
    if (count_ > 0 && !saturated_ && !all_filled()) fill_empty_bins();
    return bins_.data();
}

void band_keys(const std::uint32_t* sketch, std::uint32_t bands, std::uint32_t rows,
               std::uint64_t* keys) {
    for (std::uint32_t band = 0; band < bands; ++band) {
        std::uint64_t key = mixed(band);
        std::uint32_t row = 0;
        for (; row + 2 <= rows; row += 2) {
            const std::uint64_t two = sketch[row] | (static_cast<std::uint64_t>(sketch[row + 1]) << 32);
            key = fold_multiply(key ^ two, kFinalFactor);
        }
        if (row < rows) key = fold_multiply(key ^ sketch[row], kFinalFactor);
        keys[band] = key;
        sketch += rows;
    }
}

}  // namespace likewise
