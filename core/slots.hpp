// Tables with open addressing: where the search for an element begins and where it ends.
//
// The hashes of shingles have a public seed, so that a text can be written whose elements would all
// begin at the same slot, and take quadratic time. A secret of the process mixes them first. No
// result depends on the slots.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hash.hpp"

namespace likewise {

struct SlotSecret {
    std::uint64_t mask, factor;
};
extern const SlotSecret slot_secret;

// Twice: after one multiplication, one secret in a hundred still crowds elements that follow each
// other at equal distances.
LIKEWISE_INLINE std::uint64_t scattered(std::uint64_t element) {
    return fold_multiply(fold_multiply(element ^ slot_secret.mask, slot_secret.factor), kWordStep);
}

// ends(slot) says whether a slot is free or has the element. The number of slots is a power of two,
// and at least one of them is free.
template <class Ends>
LIKEWISE_INLINE std::size_t find_slot(std::uint64_t element, std::size_t slots, Ends&& ends) {
    std::size_t slot = scattered(element);
    while (!ends(slot &= slots - 1)) ++slot;
    return slot;
}

}  // namespace likewise
