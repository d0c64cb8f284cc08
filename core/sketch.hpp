// Fast similarity sketch (Dahlgaard, Knudsen and Thorup 2017): k values, one hash per shingle.
//
// Value j of a set is the minimum, over its elements x, of f_j(x). For an element, round 0 gives
// one bin a value of 31 bits; rounds 1 to 31 re-hash the element and give one bin each a value that
// is larger than those of all rounds before; the last resort gives every bin a value of its own.
// Only the bins still empty need the later rounds, which is what makes it fast; since every f_j
// is a fixed function of the element, the sketch of a union is the elementwise minimum.
//
//   values below 2^31             round 0
//   2^31 + (i - 1) * 2^26 + ...   round i, 1 to 31
//   2^31 + 31 * 2^26 + ...        last resort
//   0xFFFFFFFF                    empty set
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bins.hpp"
#include "buffer.hpp"

namespace likewise {

inline constexpr std::uint32_t kEmptyValue = 0xFFFFFFFF;

// Sum and exclusive or of the elements: equal for equal multisets, different for others but for a
// chance of about 2^-127. Exact duplicates are found by it.
struct Digest {
    std::uint64_t sum = 0, parity = 0;
    bool operator==(const Digest&) const = default;
};

class Sketcher {
  public:
    explicit Sketcher(std::uint32_t values);

    void begin();
    // Where the next hashes may be put before they are added; nullptr if add() is to do it.
    const Bins* bins() const { return power_of_two_ && !saturated_ ? &target_ : nullptr; }
    // `put`: they are in the bins already.
    void add(const std::uint64_t* hashes, std::size_t count, bool put);
    // Counts and digests without sketching.
    void add_digest(const std::uint64_t* hashes, std::size_t count);
    // The sketch of all that was added since begin(); valid until the next begin().
    const std::uint32_t* finish();

    std::uint64_t count() const { return count_; }  // elements added, repeats included
    Digest digest() const { return digest_; }

  private:
    void put(const std::uint64_t* hashes, std::size_t count);
    void remember(const std::uint64_t* hashes, std::size_t count);
    void drop_repeats(std::size_t count);
    void fill_empty_bins();
    void fill_by_last_resort();
    std::size_t map_empty_bins();

    const std::uint32_t values_;
    const bool power_of_two_;

    const std::size_t width_;            // values rounded up to a multiple of 32
    std::vector<std::uint32_t> bins_;    // width_ of them; those beyond values_ are never empty
    std::vector<std::uint32_t> empty_;   // one bit a bin, at least eight words
    std::vector<std::uint32_t> filled_;  // likewise, of one round
    Buffer<std::uint32_t> elements_;     // low halves of the hashes, for the later rounds
    std::size_t remembered_ = 0;
    std::size_t room_ = 0;       // of elements_, before repeats are dropped
    bool filled_up_ = false;     // no bin is empty any more: the later rounds will not be needed
    bool saturated_ = false;     // a long text: few hashes are below ceiling_
    std::uint32_t ceiling_ = 0;  // no bin has a larger value
    Bins target_;
    std::uint64_t count_ = 0;
    Digest digest_;
};

// Hash of each band of `rows` consecutive values, different for each band.
void band_keys(const std::uint32_t* sketch, std::uint32_t bands, std::uint32_t rows,
               std::uint64_t* keys);

}  // namespace likewise
