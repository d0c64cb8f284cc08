// Keys of any kind as 0, 1, 2, ... in the order of their first occurrence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace likewise {

// Key is a whole number; equal ones have the same number. No more than 2^32 - 1 different ones.
template <class Key>
class Numbering {
  public:
    std::uint32_t of(Key key) {
        if (2 * (keys_.size() + 1) > slots_.size()) grow();
        const std::size_t slot = slot_of(key);
        if (slots_[slot] == kFree) {
            slots_[slot] = static_cast<std::uint32_t>(keys_.size());
            keys_.push_back(key);
        }
        return slots_[slot];
    }

    // By their numbers.
    const std::vector<Key>& keys() const { return keys_; }

  private:
    static constexpr std::uint32_t kFree = 0xFFFFFFFF;

    std::size_t slot_of(Key key) const {
        std::size_t slot = (std::uint64_t{key} * 0x9E3779B97F4A7C15u) >> shift_;
        while (slots_[slot] != kFree && keys_[slots_[slot]] != key) {
            slot = (slot + 1) & (slots_.size() - 1);
        }
        return slot;
    }

    void grow() {
        --shift_;
        slots_.assign(std::size_t{1} << (64 - shift_), kFree);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            slots_[slot_of(keys_[i])] = static_cast<std::uint32_t>(i);
        }
    }

    unsigned shift_ = 54;  // of what is left of 64 bits to find a slot
    std::vector<std::uint32_t> slots_;
    std::vector<Key> keys_;
};

// The number of each of some hashes, and where each number first occurs.
struct Numbered {
    std::vector<std::uint32_t> numbers, first;
};

inline Numbered numbered(std::span<const std::uint64_t> hashes) {
    Numbering<std::uint64_t> numbering;
    Numbered made;
    made.numbers.reserve(hashes.size());
    for (const std::uint64_t hash : hashes) {
        const std::uint32_t number = numbering.of(hash);
        if (number == made.first.size()) {
            made.first.push_back(static_cast<std::uint32_t>(made.numbers.size()));
        }
        made.numbers.push_back(number);
    }
    return made;
}

}  // namespace likewise
